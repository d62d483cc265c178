"""Kernels for one game, called from Python by `Game` and the environments.

A call costs more than the step itself, so the environments make one call per step:
`step_and_observe`. Arrays are plain structured arrays, never records.
"""

from .jit import jit_entry
from .knowledge.known_counts import recount_known_cards
from .mechanics.play_card import begin_resolution
from .mechanics.playable import is_bluff
from .mechanics.rewards import write_rewards
from .observation.encode import clear_mask, write_mask, write_observation
from .step import ILLEGAL, OVER, new_game, run_on, try_step

REFUSED = -2


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
    return try_step(s, r, logs[0], action)


@jit_entry("step and observation")
def step_and_observe(games, rules, logs, words, mask, action):
    """One action in game 0, then the observation and mask of who acts next, into row 0.

    Returns the next actor, -1 when over, or REFUSED for an illegal action, which changes nothing
    unless faults are played.
    """
    s = games[0]
    r = rules[s.rule]
    if s.finished:
        return -1
    if try_step(s, r, logs[0], action) == ILLEGAL:
        return REFUSED
    actor = s.actor
    if actor >= 0:
        write_observation(s, r, actor, words[0])
        write_mask(s, mask[0])
    return actor


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


@jit_entry("rewards")
def game_rewards(games, rules, index, mode, out):
    """Rewards of one finished game."""
    s = games[index]
    write_rewards(s, rules[s.rule], mode, out)


@jit_entry("legal actions")
def refresh_game(games, rules, logs, index):
    """After a position was set up: run on to its decision and find what is legal."""
    s = games[index]
    recount_known_cards(s)
    run_on(s, rules[s.rule], logs[0])


@jit_entry("position")
def begin_card(games, rules, index):
    """The top card of a position was just laid by `player`: note what it asks for."""
    s = games[index]
    begin_resolution(s, rules[s.rule])


@jit_entry("verdict")
def judge_wild_draw4(games, rules, index):
    """The verdict on the wild draw four on top, from its player's hand as it is now."""
    s = games[index]
    seat = s.pending_source
    value = 0
    if s.pending_amount > s.pending_value:
        value = s.penalty_before
    s.was_bluff = is_bluff(
        rules[s.rule],
        s.hand_sets[seat, 0],
        s.hand_sets[seat, 1],
        s.color_before,
        s.kind_before,
        value,
    )
