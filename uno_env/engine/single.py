"""Kernels for one game, called from Python by `Game` and the environments.

A call costs more than the step itself, so the environments make one call per step,
`step_and_observe`, and pass all arrays as one number (`lowlevel/addresses.py`). The other kernels
take plain structured arrays, never records.
"""

from ..actions import NUM_ACTIONS
from .jit import always_inline, jit_entry
from .lowlevel.addresses import address, record_at, row_at
from .mechanics.play_card import begin_resolution
from .mechanics.playable import is_bluff
from .mechanics.rewards import write_rewards
from .observation.encode import clear_mask, write_mask, write_observation
from .observation.event_log import LOG
from .observation.layout import MASK_WORDS, OBS_WORDS
from .state import RULES, STATE
from .step import ILLEGAL, OVER, new_game, run_on, try_step

SEATS = 16
"""A decision is one number: its phase times SEATS plus its actor. Below zero there is none:"""
ENDED, REFUSED, UNKNOWN = -1, -2, -3
"""The game is over; an illegal action; a number that stands for no action. The last two change
nothing."""

GAME, RULE_SET, EVENTS, OBSERVATION, MASK = range(5)
"""What the slots of a game's frame hold."""

_game_at, _rules_at, _log_at = record_at(STATE), record_at(RULES), record_at(LOG)
_words_at, _mask_at = row_at(OBS_WORDS), row_at(MASK_WORDS)


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
def step_and_observe(frame, action):
    """One action in a game, then the observation and mask of who acts next.

    Returns the next decision, or why there is none; faults are played where the rules say so.
    """
    s = _game_at(address(frame, GAME))
    r = _rules_at(address(frame, RULE_SET))
    if not 0 <= action < NUM_ACTIONS:
        return UNKNOWN
    if s.finished:
        return ENDED
    if try_step(s, r, _log_at(address(frame, EVENTS)), action) == ILLEGAL:
        return REFUSED
    if s.actor >= 0:
        write_observation(s, r, s.actor, _words_at(address(frame, OBSERVATION)))
        write_mask(s, _mask_at(address(frame, MASK)))
    return _decision(s)


@jit_entry("observation and mask")
def observe_and_mask(frame, seat):
    """Observation and mask of one seat; the mask of a seat not to act is all zeros.

    Returns the decision that is awaited, as `step_and_observe`.
    """
    s = _game_at(address(frame, GAME))
    r = _rules_at(address(frame, RULE_SET))
    write_observation(s, r, seat, _words_at(address(frame, OBSERVATION)))
    if seat == s.actor:
        write_mask(s, _mask_at(address(frame, MASK)))
    else:
        clear_mask(_mask_at(address(frame, MASK)))
    return _decision(s)


@always_inline
def _decision(s):
    return s.phase * SEATS + s.actor if s.actor >= 0 else ENDED


@jit_entry("observation")
def observe_game(games, rules, index, seat, words):
    """The observation of one seat of one game, into row 0 of a buffer."""
    s = games[index]
    write_observation(s, rules[s.rule], seat, words[0])


@jit_entry("rewards")
def game_rewards(games, rules, index, mode, out):
    """Rewards of one finished game."""
    s = games[index]
    write_rewards(s, rules[s.rule], mode, out)


@jit_entry("legal actions")
def refresh_game(games, rules, logs, index):
    """After a position was set up: run on to its decision and find what is legal."""
    s = games[index]
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
