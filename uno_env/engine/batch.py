"""Kernels for many games, called from Python by the batch.

Arrays are plain structured arrays, never records. All kernels release the GIL, so threads can
each work on their own slice [first, last).
"""

import numpy as np

from ..actions import MAX_SEATS
from .jit import always_inline, cold, jit_entry
from .knowledge.determinize import determinize
from .lowlevel.addresses import array_in
from .lowlevel.bits import below, nth_set_bit, popcount, splitmix64
from .lowlevel.branch_hints import likely, unlikely
from .lowlevel.copy_game import copy_game
from .lowlevel.prefetch import FAR, NEAR, prefetch_game, prefetch_observation, prefetch_piles
from .lowlevel.scratch import make_scratch
from .lowlevel.step_order import BLOCK, GROUPS, sort_block
from .mechanics.deal import fresh_pile, fresh_pile_pair, start_game
from .mechanics.rewards import write_rewards
from .observation.encode import update_observation, write_mask, write_observation
from .observation.event_log import new_logs
from .observation.known_block import may_know, write_known_rows
from .observation.layout import MASK_WORDS, OBS_WORDS
from .observation.layout import NEAR as NEAR_SEATS
from .state import RULES, STATE, new_records, new_rows
from .step import ILLEGAL, open_game, step_inline, try_step

MAX_IDLE = 1000
"""Deals in a row without any decision after which the rules are taken to offer none."""

new_starts = make_scratch(GROUPS + 1)
new_order = make_scratch(BLOCK)
new_lists = make_scratch(len(NEAR_SEATS) * BLOCK)
new_ends = make_scratch(len(NEAR_SEATS))


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
        seed = splitmix64(seed)


@jit_entry("batch deal")
def deal_batch(games, rules, logs, first, last, rule, num_players, seeds, match):
    """New games in a slice."""
    log = logs[0]
    for pair in range(first, last, 2):
        after = min(pair + 2, last)
        for i in range(pair, after):
            start_game(games[i], rules[rule[i]], rule[i], num_players[i], seeds[i], match)
        if pair + 1 < last:
            fresh_pile_pair(games[pair], rules[rule[pair]], games[pair + 1], rules[rule[pair + 1]])
        else:
            fresh_pile(games[pair], rules[rule[pair]])
        for i in range(pair, after):
            s, r = games[i], rules[rule[i]]
            open_game(s, r, log)
            if s.finished:
                deal_to_decision(s, r, log, s.rule, s.num_players, splitmix64(s.seed), match)


@jit_entry("batch observation")
def observe_batch(games, rules, first, last, words, mask, actor, known_slots):
    """Observations and masks of the seats to act in a slice, written as whole rows.

    `known_slots` notes where rows tell of known cards, for `step_batch`.
    """
    for i in range(first, last):
        s = games[i]
        known_slots[i] = write_observation(s, rules[s.rule], s.actor, words[i])
        write_mask(s, mask[i])
        actor[i] = s.actor


@jit_entry("batch step")
def step_batch(
    games, rules, logs, first, last, actions, words, mask, actor, known_slots, done, rewards,
    reward_mode,
):  # fmt: skip
    """One action in each game of a slice; games that end are dealt anew from their next seed.

    Only what may have changed is written, so rows must be as `observe_batch` or this left them.
    Returns the first index whose action was illegal, -1 if none; illegal actions change nothing.
    """
    illegal = last
    log = logs[0]
    starts, order = new_starts(), new_order()
    lists, ends = new_lists(), new_ends()
    for start in range(first, last, BLOCK):
        end = min(start + BLOCK, last)
        sort_block(actions, start, end, starts, order)
        size = end - start
        for k in range(size):
            i = order[min(k + FAR, size - 1)]
            prefetch_game(games[i], actor[i], actions[i])
            i = order[min(k + NEAR, size - 1)]
            prefetch_piles(games[i], actions[i])
            i = order[k]
            s = games[i]
            if unlikely(done[i]):
                done[i] = 0
                for seat in range(MAX_SEATS):
                    rewards[i, seat] = 0
            r = rules[s.rule]
            if unlikely(try_step(s, r, log, actions[i]) == ILLEGAL):
                illegal = min(illegal, i)
            if unlikely(s.finished):
                done[i] = 2 if s.is_void else 1
                write_rewards(s, r, reward_mode, rewards[i])
                deal_to_decision(s, r, log, s.rule, s.num_players, splitmix64(s.seed), s.match)
        knowing = 0
        for i in range(start, end):
            prefetch_observation(games[min(i + NEAR, end - 1)])
            s = games[i]
            update_observation(s, s.actor, words[i])
            write_mask(s, mask[i])
            actor[i] = s.actor
            # Noted for later: a branch here would be unpredictable.
            order[knowing] = i
            knowing += may_know(s, s.actor) | np.int64(known_slots[i] != 0)
        write_known_rows(games, order, knowing, actor, words, known_slots, lists, ends)
    return illegal if illegal < last else -1


_SLOTS = tuple(
    array_in(array)
    for array in (
        new_records(1, STATE),
        new_records(1, RULES),
        new_logs(0),
        np.zeros(1, np.int64),
        new_rows(1, OBS_WORDS),
        new_rows(1, MASK_WORDS),
        np.zeros(1, np.int64),
        np.zeros(1, np.uint8),
        np.zeros(1, np.uint8),
        np.zeros((1, MAX_SEATS), np.float32),
    )
)
(
    _games_in, _rules_in, _logs_in, _actions_in, _words_in, _mask_in, _actor_in, _slots_in,
    _done_in, _rewards_in,
) = _SLOTS  # fmt: skip


@jit_entry("batch step by frame")
def step_frame(frame, first, last, reward_mode):
    """`step_batch` with its arrays in a `BatchFrame`, in the order of its arguments."""
    return step_batch(
        _games_in(frame, 0), _rules_in(frame, 1), _logs_in(frame, 2), first, last,
        _actions_in(frame, 3), _words_in(frame, 4), _mask_in(frame, 5), _actor_in(frame, 6),
        _slots_in(frame, 7), _done_in(frame, 8), _rewards_in(frame, 9), reward_mode,
    )  # fmt: skip


@always_inline
def pick_legal(s, x):
    """A uniformly random legal action from a random word."""
    a, b, c, d = s.legal[0], s.legal[1], s.legal[2], s.legal[3]
    # An unpredictable branch on words that are ready early: first, so that it resolves early.
    if a | b == 0:
        if likely(d == 0):
            return 128 + nth_set_bit(c, below(x, popcount(c)))
        n0 = popcount(c)
        k = below(x, n0 + popcount(d))
        return 128 + nth_set_bit(c, k) if k < n0 else 192 + nth_set_bit(d, k - n0)
    n0 = popcount(a)
    n1 = n0 + popcount(b)
    k = below(x, n1 + popcount(c))
    if likely(k < n0):
        return nth_set_bit(a, k)
    return 64 + nth_set_bit(b, k - n0) if k < n1 else 128 + nth_set_bit(c, k - n1)


@jit_entry("random actions")
def random_actions(games, first, last, rngs, actions):
    """A random legal action for each game of a slice; `rngs` holds one generator state per game."""
    for i in range(first, last):
        x = splitmix64(rngs[i])
        rngs[i] = x
        actions[i] = pick_legal(games[i], x)


@jit_entry("clone")
def clone_games(games, source, first, last):
    """Copy one game to every game of a slice."""
    for i in range(first, last):
        copy_game(games[i], games[source])


@jit_entry("random rollouts")
def rollout_batch(games, rules, logs, first, last, rngs, max_steps):
    """Play games of a slice to the end (or max_steps) at random; returns decisions made."""
    made = 0
    log = logs[0]
    for i in range(first, last):
        s = games[i]
        r = rules[s.rule]
        x = rngs[i]
        n = 0
        while likely(not s.finished and n < max_steps):
            x = splitmix64(x)
            step_inline(s, r, log, pick_legal(s, x))
            n += 1
        rngs[i] = x
        made += n
    return made


@jit_entry("determinise")
def determinize_batch(games, rules, first, last, seat, rngs):
    """Determinise each game of a slice for `seat`."""
    for i in range(first, last):
        s = games[i]
        x = splitmix64(rngs[i])
        rngs[i] = x
        determinize(s, rules[s.rule], seat, x)
