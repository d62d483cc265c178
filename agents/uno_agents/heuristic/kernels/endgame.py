"""The last cards: going out in one go, hands that a single card can equal, points left over."""

import numpy as np

from uno_env.cards import FIRST_GIVE, FIRST_WILD
from uno_env.engine.jit import always_inline, jit
from uno_env.engine.observation.layout import O_HYPER, O_IN_PLAY
from uno_env.engine.rule_vector import POINT_SCALE
from uno_env.engine.tables import (
    COLOR_OF,
    KIND_OF,
    X_DRAW,
    X_PLAY_AGAIN,
    X_REVERSE,
    X_SKIP,
)
from uno_env.kinds import FIRST_ACTION_KIND, FIRST_WILD_KIND, KINDS, NUMBERS

from .card_effects import effects_of
from .coefficients import POINTS_AT, SUM_READY, WIN
from .features import R_STACK, R_STACK_JOKER, rule_at, size_of, table_size

R_LITERAL = rule_at("two_player_reverse=literal")
R_SUM_NUMBERS = rule_at("sum_out=numbers")
R_SUM_SPECIALS = rule_at("sum_out=specials")
R_HOLDERS_ADD = rule_at("scoring_mode=holders_add")

R_POINTS = rule_at(f"points {KINDS[FIRST_ACTION_KIND]}") - FIRST_ACTION_KIND
"""The points of a kind stand at this plus its number."""
LONGEST = 3
"""Most cards a way out is looked for with."""
ACTION_POINTS, WILD_POINTS = 20, 50


@always_inline
def _plays_again(obs, face):
    """Whether the player of the card is sure to act next."""
    kind = KIND_OF[face]
    effects = effects_of(obs, kind)
    if effects & X_PLAY_AGAIN:
        return True
    if obs[O_IN_PLAY] != 2:
        return False
    if effects & X_DRAW:
        # Penalties may be answered, and wilds challenged.
        is_sure = obs[R_STACK] == 0 and obs[R_STACK_JOKER] == 0
        return is_sure and kind < FIRST_WILD_KIND
    if effects & X_SKIP:
        return True
    if effects & X_REVERSE:
        return obs[R_LITERAL] == 0
    color = COLOR_OF[face]
    return color < 4 and obs[O_HYPER + color] != 0


@always_inline
def _plays_again_after(obs, below, face):
    """The same for a second card: another colour played before it would have ended hyper mode."""
    by_itself = KIND_OF[face] >= FIRST_ACTION_KIND
    return _plays_again(obs, face) and (by_itself or COLOR_OF[face] == COLOR_OF[below])


@always_inline
def _fits(below, face):
    """Whether a card matches the one below it."""
    return (
        FIRST_WILD <= face < FIRST_GIVE
        or COLOR_OF[face] == COLOR_OF[below]
        or KIND_OF[face] == KIND_OF[below]
    )


@jit
def way_out(obs, mask, size):
    """The first card of a sequence that ends the round before another seat acts, -1 if none."""
    cards = np.int64(0)
    found = 0
    others = 0
    for face in range(FIRST_GIVE):
        for _ in range(np.int64(obs[face])):
            if found == size:
                return -1
            cards |= face << (8 * found)
            found += 1
            if not _plays_again(obs, face):
                others += 1
    if others > 1 or found != size:
        return -1
    for a in range(size):
        first = (cards >> (8 * a)) & 255
        if not mask[first] or not _plays_again(obs, first):
            continue
        for b in range(size):
            second = (cards >> (8 * b)) & 255
            if b == a or not _fits(first, second):
                continue
            if size == 2:
                return first
            third = (cards >> (8 * (3 - a - b))) & 255
            if _plays_again_after(obs, first, second) and _fits(second, third):
                return first
    return -1


@always_inline
def card_points(obs, kind):
    """What a card left in hand counts for."""
    if kind < NUMBERS:
        return kind
    return POINT_SCALE * np.int64(obs[R_POINTS + kind])


@jit
def counts_points(obs):
    """Whether points in hand matter now: each seat adds its own, and somebody may soon go out."""
    if obs[R_HOLDERS_ADD]:
        for seat in range(1, table_size(obs)):
            if size_of(obs, seat) <= POINTS_AT:
                return True
    return False


@jit
def hand_points(obs):
    """Points of the own hand; -1 where hands cannot be summed out."""
    if not obs[R_SUM_NUMBERS] and not obs[R_SUM_SPECIALS]:
        return -1
    points = 0
    for face in range(FIRST_GIVE):
        if obs[face]:
            points += np.int64(obs[face]) * card_points(obs, KIND_OF[face])
    return points


@jit
def sum_value(obs, face, points):
    """The value of what a card leaves for a sum: the card itself equals it, or a later one may."""
    card = card_points(obs, KIND_OF[face])
    rest = points - card
    if obs[R_SUM_SPECIALS]:
        if rest == card:
            return np.int64(WIN)
        return np.int64(SUM_READY if rest < 10 or rest in (ACTION_POINTS, WILD_POINTS) else 0)
    if rest >= 10:
        # Numbers only: so low a rest holds no special.
        return np.int64(0)
    return np.int64(WIN if rest == card else SUM_READY)
