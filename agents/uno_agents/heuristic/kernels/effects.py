"""What a card does when it is played: to the next seat, to the partner, to one's own hand."""

import numpy as np

from uno_env.cards import FIRST_WILD
from uno_env.engine.jit import always_inline, jit
from uno_env.engine.observation.layout import O_HYPER, O_PENDING
from uno_env.engine.tables import (
    COLOR_OF,
    DRAW_VALUE,
    K_DISCARD_ALL,
    K_DRAW4,
    K_HYPER,
    K_REVERSE,
    K_REVERSE4,
    K_ROULETTE,
    K_SKIP,
    K_SKIP_ALL,
    K_SWAP,
    K_TEAM_DRAW2,
    K_TEAM_PLAY,
    K_WILD,
    K_WILD6,
    K_WILD10,
    KIND_OF,
)

from .coefficients import (
    AGAIN,
    CLOSE_ONE,
    CLOSE_TWO,
    EXTRA,
    HIT,
    OWN_GOAL,
    STOP,
    SWAP,
    WIN,
)
from .exchanges import best_gain
from .features import (
    O_IN_PLAY,
    R_STACK,
    R_TEAMS,
    of_color,
    partner_seat,
    rule_at,
    seat_after,
    size_of,
)

R_MERCY = rule_at("mercy_limit")
R_SEVEN = rule_at("seven_swap")
R_ZERO = rule_at("zero_pass")
R_LITERAL = rule_at("two_player_reverse=literal")


@jit
def effect_value(obs, face, own, size, step, follower, links):
    """The value of all that follows from a card; `links` are cards left that can follow it."""
    kind = KIND_OF[face]
    value = np.int64(0)
    if kind >= K_WILD:
        value = _wild_effect(obs, kind, size, step, follower, links)
    elif kind >= 10:
        value = _action_effect(obs, face, own, size, step, follower, links)
    elif kind == 7 and obs[R_SEVEN]:
        value = SWAP * best_gain(obs, size - 1)
    elif kind == 0 and obs[R_ZERO]:
        value = SWAP * (size - 1 - size_of(obs, seat_after(obs, 0, -step)))
    color = COLOR_OF[face]
    if color < 4 and obs[O_HYPER + color]:
        value += _stop(obs, follower, links)
    return value


@jit
def _action_effect(obs, face, own, size, step, follower, links):
    kind = KIND_OF[face]
    if kind == K_SKIP:
        return _stop(obs, follower, links)
    if kind == K_REVERSE:
        if obs[O_IN_PLAY] == 2:
            return np.int64(0) if obs[R_LITERAL] else _stop(obs, follower, links)
        return STOP * (_close(obs, follower) - _close(obs, seat_after(obs, 0, -step)))
    if kind == K_SKIP_ALL:
        return np.int64(AGAIN if links else 0)
    if kind == K_DISCARD_ALL:
        more = of_color(own, COLOR_OF[face]) - 1
        return np.int64(WIN) if more + 1 == size else EXTRA * more
    return _hit(obs, follower, DRAW_VALUE[kind]) + _stop(obs, follower, links)


@jit
def _wild_effect(obs, kind, size, step, follower, links):
    if kind in (K_WILD, K_HYPER, K_TEAM_PLAY):
        return np.int64(0)
    if kind == K_SWAP:
        return SWAP * max(0, best_gain(obs, size - 1))
    if kind == K_ROULETTE:
        # Every fourth card ends it on average; its victim names the colour.
        return _hit(obs, follower, 4) + _stop(obs, follower, 0)
    if kind == K_TEAM_DRAW2:
        return 2 * _hit(obs, follower, 2) + _stop(obs, follower, links)
    if kind == K_REVERSE4:
        if obs[O_IN_PLAY] == 2:
            return np.int64(-OWN_GOAL) if hits_oneself(obs) else _hit(obs, follower, 8)
        follower = seat_after(obs, 0, -step)
    return _hit(obs, follower, DRAW_VALUE[kind]) + _stop(obs, follower, links)


@jit
def hits_oneself(obs):
    """Two seats: a wild-reverse-draw4 faces its own player; whether no answer is held to it."""
    if not obs[R_STACK]:
        return True
    answers = obs[FIRST_WILD + K_WILD6 - K_WILD] + obs[FIRST_WILD + K_WILD10 - K_WILD]
    for color in range(4):
        answers += obs[16 * color + K_DRAW4]
    return answers == 0


@always_inline
def _close(obs, seat):
    """How much more an effect matters because of the few cards of its victim."""
    cards = size_of(obs, seat)
    if cards == 1:
        return np.int64(CLOSE_ONE)
    return np.int64(CLOSE_TWO if cards == 2 else 1)


@jit
def _stop(obs, seat, links):
    """The seat loses its turn."""
    if seat == partner_seat(obs):
        return np.int64(-OWN_GOAL)
    if obs[R_TEAMS]:
        return np.int64(0)
    if obs[O_IN_PLAY] == 2:
        return AGAIN * _close(obs, seat) if links else np.int64(0)
    return STOP * _close(obs, seat)


@jit
def _hit(obs, seat, cards):
    """The seat draws cards, and those of a pending penalty."""
    if seat == partner_seat(obs):
        return np.int64(-OWN_GOAL)
    limit = np.int64(obs[R_MERCY])
    if limit and size_of(obs, seat) + cards + np.int64(obs[O_PENDING]) >= limit:
        return np.int64(WIN)
    return HIT * cards * _close(obs, seat)
