"""Kernels over many games: the only functions Python calls.

Arrays are plain structured arrays, never records. All kernels release the GIL, so threads can
each work on their own slice [first, last).
"""

import numpy as np

from ..actions import MAX_SEATS, NUM_ACTIONS
from .jit import always_inline, cold, jit_entry
from .knowledge.determinize import redeal
from .knowledge.known_counts import recount_notes
from .lowlevel.bits import below, mix, nth_set, popcount
from .lowlevel.branch_hints import likely, unlikely
from .lowlevel.prefetch import FAR, NEAR, fetch_game, fetch_piles, fetch_view
from .lowlevel.step_order import BLOCK, GROUPS, sort_block
from .mechanics.deal import fresh_pile, start_game, two_fresh_piles
from .mechanics.legal_actions import is_allowed, is_bluff
from .mechanics.play_card import begin_resolution
from .mechanics.rewards import write_rewards
from .observation.encode import clear_mask, write_mask, write_observation
from .step import fault, new_game, open_game, run_on, step, step_inline

OK, ILLEGAL, OVER, FAULTED = range(4)

MAX_IDLE = 1000
"""Deals in a row in which nobody has a choice, after which nobody is taken ever to have one."""


@jit_entry("new game")
def deal_game(games, rules, logs, index, rule, num_players, seed, match):
    """A new game in one slot."""
    new_game(games[index], rules[rule], logs[0], rule, num_players, seed, match)


@jit_entry("step")
def step_game(games, rules, logs, index, action):
    """One action in one game; an illegal one changes nothing unless faults are played."""
    s = games[index]
    r = rules[s.rule]
    if s.finished:
        return OVER
    if action < 0 or action >= NUM_ACTIONS or not is_allowed(s, action):
        if r.fault_mode == 0:
            return ILLEGAL
        fault(s, r, logs[0])
        return FAULTED
    step(s, r, logs[0], action)
    return OK


@jit_entry("observation")
def observe_game(games, rules, index, seat, words):
    """The observation of one seat of one game, into row 0 of a buffer."""
    s = games[index]
    write_observation(s, rules[s.rule], seat, words[0])


@jit_entry("observation and mask")
def observe_and_mask(games, rules, index, seat, words, mask):
    """Observation and mask of one seat; the mask of a seat not to act is all zeros."""
    s = games[index]
    write_observation(s, rules[s.rule], seat, words[0])
    if seat == s.actor:
        write_mask(s, mask[0])
    else:
        clear_mask(mask[0])


@cold
def deal_to_decision(s, r, log, rule, num_players, seed, match):
    """A new game in which somebody is asked.

    Where forced decisions are not asked, a deal of few cards may play itself to the end; then the
    game of the next seed is dealt, as it would be after that one.
    """
    for _ in range(MAX_IDLE):
        # As `new_game` does; each call in between would compile two seconds longer.
        start_game(s, r, rule, num_players, seed, match)
        fresh_pile(s, r)
        open_game(s, r, log)
        if not s.finished:
            break
        seed = mix(seed)


@jit_entry("batch deal")
def deal_batch(games, rules, logs, first, last, rule, num_players, seeds, match):
    """New games in a slice."""
    log = logs[0]
    for pair in range(first, last, 2):
        after = min(pair + 2, last)
        for i in range(pair, after):
            start_game(games[i], rules[rule[i]], rule[i], num_players[i], seeds[i], match)
        if pair + 1 < last:
            two_fresh_piles(games[pair], rules[rule[pair]], games[pair + 1], rules[rule[pair + 1]])
        else:
            fresh_pile(games[pair], rules[rule[pair]])
        for i in range(pair, after):
            s, r = games[i], rules[rule[i]]
            open_game(s, r, log)
            if s.finished:
                deal_to_decision(s, r, log, s.rule, s.num_players, mix(s.seed), match)


@jit_entry("batch observation")
def write_batch(games, rules, first, last, words, mask, actor):
    """Observations and masks of the seats to act in a slice."""
    for i in range(first, last):
        s = games[i]
        write_observation(s, rules[s.rule], s.actor, words[i])
        write_mask(s, mask[i])
        actor[i] = s.actor


@jit_entry("batch step")
def step_batch(
    games, rules, logs, first, last, actions, words, mask, actor, done, rewards, reward_mode
):
    """One action in each game of a slice; games that end are dealt anew from their next seed.

    Returns the first index whose action was illegal, -1 if none; illegal actions change nothing.
    """
    illegal = last
    log = logs[0]
    starts = np.empty(GROUPS + 1, np.int64)
    order = np.empty(BLOCK, np.int64)
    for start in range(first, last, BLOCK):
        end = min(start + BLOCK, last)
        sort_block(actions, start, end, starts, order)
        size = end - start
        for place in range(size):
            i = order[min(place + FAR, size - 1)]
            fetch_game(games[i], actor[i], actions[i])
            i = order[min(place + NEAR, size - 1)]
            fetch_piles(games[i], actions[i])
            i = order[place]
            s = games[i]
            if unlikely(done[i]):
                done[i] = 0
                for seat in range(MAX_SEATS):
                    rewards[i, seat] = 0
            r = rules[s.rule]
            action = actions[i]
            if likely(0 <= action < NUM_ACTIONS and is_allowed(s, action)):
                step(s, r, log, action)
            elif r.fault_mode:
                fault(s, r, log)
            else:
                illegal = min(illegal, i)
            if unlikely(s.finished):
                done[i] = 2 if s.void else 1
                write_rewards(s, r, reward_mode, rewards[i])
                deal_to_decision(s, r, log, s.rule, s.num_players, mix(s.seed), s.match)
        for i in range(start, end):
            fetch_view(games[min(i + NEAR, end - 1)])
            s = games[i]
            write_observation(s, rules[s.rule], s.actor, words[i])
            write_mask(s, mask[i])
            actor[i] = s.actor
    return illegal if illegal < last else -1


@always_inline
def pick_legal(s, x):
    """A uniformly random legal action from a random word."""
    a, b, c = s.legal[0], s.legal[1], s.legal[2]
    # Whether any card fits is soon known and hard to guess: the sooner it is asked, the better.
    if a == 0:
        if likely(c == 0):
            return 64 + nth_set(b, below(x, popcount(b)))
        n0 = popcount(b)
        k = below(x, n0 + popcount(c))
        return 64 + nth_set(b, k) if k < n0 else 128 + nth_set(c, k - n0)
    n0 = popcount(a)
    n1 = n0 + popcount(b)
    k = below(x, n1 + popcount(c))
    if likely(k < n0):
        return nth_set(a, k)
    return 64 + nth_set(b, k - n0) if k < n1 else 128 + nth_set(c, k - n1)


@jit_entry("random actions")
def random_actions(games, first, last, streams, actions):
    """A random legal action for each game of a slice; `streams` are one generator a game."""
    for i in range(first, last):
        x = mix(streams[i])
        streams[i] = x
        actions[i] = pick_legal(games[i], x)


@jit_entry("clone")
def clone_games(games, source, first, last):
    """Copy one game over a slice."""
    for i in range(first, last):
        games[i] = games[source]


@jit_entry("random rollouts")
def rollout_batch(games, rules, logs, first, last, streams, max_steps):
    """Play games of a slice to the end (or max_steps) at random; returns decisions made."""
    made = 0
    log = logs[0]
    for i in range(first, last):
        s = games[i]
        r = rules[s.rule]
        x = streams[i]
        n = 0
        while likely(not s.finished and n < max_steps):
            x = mix(x)
            step_inline(s, r, log, pick_legal(s, x))
            n += 1
        streams[i] = x
        made += n
    return made


@jit_entry("determinise")
def redeal_batch(games, rules, first, last, seat, streams):
    """Deal anew what `seat` cannot see, in each game of a slice."""
    for i in range(first, last):
        s = games[i]
        x = mix(streams[i])
        streams[i] = x
        redeal(s, rules[s.rule], seat, x)


@jit_entry("rewards")
def game_rewards(games, rules, index, mode, out):
    """Rewards of one finished game."""
    s = games[index]
    write_rewards(s, rules[s.rule], mode, out)


@jit_entry("legal actions")
def refresh_game(games, rules, logs, index):
    """After a position was set up: run on to its decision and find what is legal."""
    s = games[index]
    recount_notes(s)
    run_on(s, rules[s.rule], logs[0])


@jit_entry("position")
def begin_card(games, rules, index):
    """The top card of a position was just laid by `player`: note what it asks for."""
    s = games[index]
    begin_resolution(s, rules[s.rule])


@jit_entry("verdict")
def judge_plus4(games, rules, index):
    """The verdict on the wild draw four on top, from its player's hand as it is now."""
    s = games[index]
    seat = s.pend_source
    value = 0
    if s.pend_amount > s.pend_value:
        value = s.under_value
    s.bluff = is_bluff(
        rules[s.rule], s.sets[seat, 0], s.sets[seat, 1], s.under, s.under_kind, value
    )
