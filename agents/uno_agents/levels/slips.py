"""Slips: the errors that people make, as actions they do not see.

A slip takes legal actions away before the agent decides: a call that is forgotten, a jump-in nobody
saw, a card that was overlooked in the hand. What is left is decided well or badly by the
agent itself. So weak levels err like people, not by playing random actions.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from uno_env.actions import CALL_UNO, CATCH, CHALLENGE, COLOR_0, JUMP_IN, SUM
from uno_env.array_types import Bools, Bytes, Ints
from uno_env.cards import COLORS, FIRST_GIVE, FIRST_WILD, NUM_FACES
from uno_env.engine.observation.layout import O_PHASE
from uno_env.engine.tables import (
    COLOR_OF,
    P_COLOR,
    P_OPENING_COLOR,
    P_PLAY,
    P_PLAY_DRAWN,
    P_REACT,
    P_STACK,
)

IN_COLOR = (COLOR_OF[:NUM_FACES, None] == np.arange(len(COLORS))).astype(np.int64)
"""(faces, colours): which face has which colour."""
IS_WILD = np.zeros(NUM_FACES, bool)
IS_WILD[FIRST_WILD:FIRST_GIVE] = True
KEEPS_WILDS_FROM = 3
"""Cards in hand from which on a wild that is played early is a slip."""


class SlipRates(NamedTuple):
    """How often each slip happens, of the decisions in which it can."""

    miss_call: float = 0.0
    """Forgets to call UNO."""
    miss_catch: float = 0.0
    """Does not notice that somebody forgot to call."""
    miss_challenge: float = 0.0
    """Takes the penalty of a wild draw four without a thought of a challenge."""
    miss_reaction: float = 0.0
    """Does not see a jump-in or a sum."""
    miss_stack: float = 0.0
    """Takes a penalty that a card in hand would have answered."""
    overlook_card: float = 0.0
    """Does not see one of the playable cards; of each card."""
    waste_wild: float = 0.0
    """Plays a wild where a coloured card would do."""
    leave_color: float = 0.0
    """Leaves the colour it holds most, in play or by naming another."""
    first_card: float = 0.0
    """Plays the first card in hand that fits, without a plan."""

    def scaled(self, factor: float) -> "SlipRates":
        """The same slips, each `factor` times as often."""
        return SlipRates(*(round(min(1.0, rate * factor), 4) for rate in self))

    @classmethod
    def from_mapping(cls, rates: Mapping[str, float]) -> "SlipRates":
        """Rates by name, as data files hold them; others are zero."""
        unknown = sorted(set(rates) - set(cls._fields))
        if unknown:
            raise ValueError(f"unknown slip {unknown[0]!r}; allowed: {', '.join(cls._fields)}")
        return cls(**rates)


BEGINNER = SlipRates(
    miss_call=0.9,
    miss_catch=0.95,
    miss_challenge=1.0,
    miss_reaction=0.9,
    miss_stack=0.6,
    overlook_card=0.35,
    waste_wild=0.5,
    leave_color=0.6,
    first_card=0.9,
)
"""Somebody who plays for the first time; other levels make a part of these slips."""


def seen_actions(obs: Bytes, mask: Bytes, rates: SlipRates, rng: np.random.Generator) -> Bytes:
    """The masks of what the player sees: at least one legal action a row."""
    seen = mask.copy()
    draws = rng.random((len(mask), len(rates)))
    slips = dict(zip(rates._fields, (draws < np.array(rates)).T, strict=True))
    for name, action in (
        ("miss_call", CALL_UNO),
        ("miss_catch", CATCH),
        ("miss_challenge", CHALLENGE),
        ("miss_reaction", JUMP_IN),
        ("miss_reaction", SUM),
    ):
        seen[slips[name], action] = 0
    _slip_in_hand(obs, seen, slips, rates, rng)
    _slip_in_color(obs, seen, slips["leave_color"])
    # Whoever saw nothing at all looks again.
    blind = ~seen.any(axis=1)
    seen[blind] = mask[blind]
    return seen


def _slip_in_hand(
    obs: Bytes,
    seen: Bytes,
    slips: dict[str, Bools],
    rates: SlipRates,
    rng: np.random.Generator,
) -> None:
    """Cards that are not seen, or played without a thought."""
    cards = seen[:, :NUM_FACES]
    overlooked = rng.random(cards.shape, np.float32) < rates.overlook_card
    in_turn = _in_phase(obs, P_PLAY, P_PLAY_DRAWN, P_STACK)
    cards[in_turn[:, None] & overlooked] = 0
    cards[slips["miss_stack"] & _in_phase(obs, P_STACK)] = 0
    cards[slips["miss_reaction"] & _in_phase(obs, P_REACT)] = 0
    at_will = _in_phase(obs, P_PLAY)
    size = obs[:, :NUM_FACES].sum(axis=1, dtype=np.int64)
    wasted = slips["waste_wild"] & at_will & (size >= KEEPS_WILDS_FROM)
    wasted &= cards[:, IS_WILD].any(axis=1)
    cards[wasted[:, None] & ~IS_WILD] = 0
    richest = IN_COLOR.T[_richest(obs)].astype(bool)
    others = at_will & (cards.astype(bool) & ~richest & ~IS_WILD).any(axis=1)
    cards[(slips["leave_color"] & others)[:, None] & richest] = 0
    first = slips["first_card"] & at_will & cards.any(axis=1)
    is_first = np.arange(NUM_FACES) == cards.argmax(axis=1)[:, None]
    cards[first[:, None] & ~is_first] = 0


def _slip_in_color(obs: Bytes, seen: Bytes, slips: Bools) -> None:
    """Names any colour but the one it holds most."""
    rows = np.flatnonzero(slips & _in_phase(obs, P_COLOR, P_OPENING_COLOR))
    seen[rows, COLOR_0 + _richest(obs)[rows]] = 0


def _richest(obs: Bytes) -> Ints:
    """The colour of which the own hand holds most."""
    richest: Ints = (obs[:, :NUM_FACES].astype(np.int64) @ IN_COLOR).argmax(axis=1)
    return richest


def _in_phase(obs: Bytes, *phases: int) -> Bools:
    is_in: Bools = obs[:, [O_PHASE + phase for phase in phases]].max(axis=1) > 0
    return is_in
