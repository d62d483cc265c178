"""What a card does when it is played: to the next seat, to the partner, to one's own hand."""

import numpy as np

from uno_env.cards import face_id
from uno_env.engine.jit import always_inline, jit
from uno_env.engine.observation.layout import O_HYPER, O_IN_PLAY, O_PENDING
from uno_env.engine.tables import (
    COLOR_OF,
    KIND_OF,
    X_DISCARD_COLOR,
    X_DRAW,
    X_PASS_HANDS,
    X_PLAY_AGAIN,
    X_REVERSE,
    X_ROULETTE,
    X_SKIP,
    X_SWAP_OWN,
    X_SWAP_TWO,
    X_TARGET_DRAW,
    X_TEAM_DRAW,
)
from uno_env.kinds import COLORED_SLOTS, FIRST_ACTION_KIND, KIND_ID

from .card_effects import draws_of, effects_of
from .coefficients import (
    AGAIN,
    CLOSE_ONE,
    CLOSE_TWO,
    EXTRA,
    OWN_GOAL,
    WIN,
)
from .exchanges import best_gain
from .features import (
    R_STACK,
    R_TEAMS,
    is_in_play,
    of_color,
    partner_seat,
    rule_at,
    seat_after,
    size_of,
    table_size,
)
from .styles import HIT_AT, STOP_AT, STYLES, SWAP_AT, SWAP_EAGERNESS_AT

R_MERCY = rule_at("mercy_limit")
R_LITERAL = rule_at("two_player_reverse=literal")
ROULETTE_CARDS = 4
"""Every fourth card ends a roulette on average; its victim names the colour."""
K_DRAW4 = KIND_ID["draw4"]
STRONG_ANSWERS = np.array([face_id("wild-draw6"), face_id("wild-draw10")], np.int64)


@jit
def effect_value(obs, face, own, size, step, follower, links, style):
    """The value of all that follows from a card; `links` are cards left that can follow it."""
    kind = KIND_OF[face]
    effects = effects_of(obs, kind)
    value = np.int64(0)
    if effects & (X_SWAP_OWN | X_SWAP_TWO | X_PASS_HANDS):
        value = _swap_effect(obs, effects, size, step, style)
    elif kind >= FIRST_ACTION_KIND:
        value = _action_effect(obs, face, effects, own, size, step, follower, links, style)
    color = COLOR_OF[face]
    if color < 4 and obs[O_HYPER + color]:
        value += _stop(obs, follower, links, style)
    return value


@jit
def _swap_effect(obs, effects, size, step, style):
    each, eager = STYLES[style, SWAP_AT], STYLES[style, SWAP_EAGERNESS_AT]
    if effects & X_PASS_HANDS:
        return each * (size - 1 - size_of(obs, seat_after(obs, 0, -step)) + eager)
    gain = best_gain(obs, size - 1) + eager
    return each * (gain if effects & X_SWAP_OWN else max(0, gain))


@jit
def _action_effect(obs, face, effects, own, size, step, follower, links, style):
    draws = draws_of(obs, KIND_OF[face])
    if effects & X_ROULETTE:
        return _hit(obs, follower, ROULETTE_CARDS, style) + _stop(obs, follower, 0, style)
    if effects & X_TEAM_DRAW:
        return 2 * _hit(obs, follower, draws, style) + _stop(obs, follower, links, style)
    if effects & X_TARGET_DRAW:
        return _hit(obs, _smallest_hand(obs), draws, style)
    if effects & X_DRAW:
        if effects & X_REVERSE:
            if obs[O_IN_PLAY] == 2:
                if hits_oneself(obs):
                    return np.int64(-OWN_GOAL)
                return _hit(obs, follower, 2 * draws, style)
            follower = seat_after(obs, 0, -step)
        return _hit(obs, follower, draws, style) + _stop(obs, follower, links, style)
    if effects & X_SKIP:
        return _stop(obs, follower, links, style)
    if effects & X_REVERSE:
        if obs[O_IN_PLAY] == 2:
            return np.int64(0) if obs[R_LITERAL] else _stop(obs, follower, links, style)
        return STYLES[style, STOP_AT] * (
            _close(obs, follower) - _close(obs, seat_after(obs, 0, -step))
        )
    if effects & X_PLAY_AGAIN:
        return np.int64(AGAIN if links else 0)
    if effects & X_DISCARD_COLOR:
        more = of_color(own, COLOR_OF[face]) - 1
        return np.int64(WIN) if more + 1 == size else EXTRA * more
    return np.int64(0)


@jit
def _smallest_hand(obs):
    """The opponent with the fewest cards."""
    best, fewest = 1, np.int64(1 << 30)
    for seat in range(1, table_size(obs)):
        if is_in_play(obs, seat) and seat != partner_seat(obs) and size_of(obs, seat) < fewest:
            best, fewest = seat, size_of(obs, seat)
    return best


@jit
def hits_oneself(obs):
    """Two seats: a wild-reverse-draw4 faces its own player; whether no answer is held to it."""
    if not obs[R_STACK]:
        return True
    answers = np.int64(0)
    for at in range(STRONG_ANSWERS.shape[0]):
        answers += np.int64(obs[STRONG_ANSWERS[at]])
    for color in range(4):
        answers += np.int64(obs[COLORED_SLOTS * color + K_DRAW4])
    return answers == 0


@always_inline
def _close(obs, seat):
    """How much more an effect matters because of the few cards of its victim."""
    cards = size_of(obs, seat)
    if cards == 1:
        return np.int64(CLOSE_ONE)
    return np.int64(CLOSE_TWO if cards == 2 else 1)


@jit
def _stop(obs, seat, links, style):
    """The seat loses its turn."""
    if seat == partner_seat(obs):
        return np.int64(-OWN_GOAL)
    if obs[R_TEAMS]:
        return np.int64(0)
    if obs[O_IN_PLAY] == 2:
        return AGAIN * _close(obs, seat) if links else np.int64(0)
    return STYLES[style, STOP_AT] * _close(obs, seat)


@jit
def _hit(obs, seat, cards, style):
    """The seat draws cards, and those of a pending penalty."""
    if seat == partner_seat(obs):
        return np.int64(-OWN_GOAL)
    limit = np.int64(obs[R_MERCY])
    if limit and size_of(obs, seat) + cards + np.int64(obs[O_PENDING]) >= limit:
        return np.int64(WIN)
    return STYLES[style, HIT_AT] * cards * _close(obs, seat)
