"""Naming a colour: one's own cards, and what the next seats can follow."""

import numpy as np

from uno_env.actions import COLOR_0
from uno_env.engine.jit import jit
from uno_env.engine.observation.layout import O_TOP_KIND
from uno_env.engine.tables import X_DRAW, X_TEAM_DRAW, X_TEAM_PLAY
from uno_env.kinds import NUM_KINDS

from .card_effects import effects_of
from .coefficients import (
    COLOR_CLOSE,
    COLOR_HELP,
    COLOR_OWN_TEAM,
    COLOR_RISK,
    NO_CARDS,
)
from .features import (
    color_counts,
    direction_of,
    follow_chance,
    known_counts,
    of_color,
    one_of,
    partner_seat,
    seat_after,
    size_of,
    unseen_cards,
)
from .styles import COLOR_OWN_AT, STYLES


@jit
def name_color(obs, x, style):
    """The colour of a wild that was played."""
    own = color_counts(obs, 0)
    unseen, total = unseen_cards(obs, own)
    kind = one_of(obs, O_TOP_KIND, NUM_KINDS)
    follower = follower_of(obs, kind)
    return COLOR_0 + best_color(obs, own, unseen, total, follower, x, style)


@jit
def best_color(obs, own, unseen, total, follower, x, style):
    """Rich in the own hand, poor in the hand that follows, good for the partner."""
    partner = partner_seat(obs)
    weight = COLOR_CLOSE if size_of(obs, follower) <= 2 else COLOR_RISK
    each = COLOR_OWN_TEAM if partner > 0 else STYLES[style, COLOR_OWN_AT]
    # Seat 0 is the actor, whose cards are no secret and are not asked for below.
    followers = known_counts(obs, max(follower, 1))
    partners = known_counts(obs, partner) if partner > 0 else followers
    best, most = 0, NO_CARDS
    for color in range(4):
        value = each * of_color(own, color)
        if follower > 0 and follower != partner:
            chance = follow_chance(obs, follower, color, followers, unseen, total)
            value -= (weight * chance) >> 8
        if partner > 0:
            chance = follow_chance(obs, partner, color, partners, unseen, total)
            value += (COLOR_HELP * chance) >> 8
        value = 4 * value + (np.int64(x >> np.uint64(2 * color)) & 3)
        if value > most:
            best, most = color, value
    return best


@jit
def follower_of(obs, kind):
    """The seat that will have to follow the colour of a wild."""
    effects = effects_of(obs, kind % NUM_KINDS)
    if effects & X_TEAM_PLAY:
        return partner_seat(obs)
    step = direction_of(obs)
    seat = seat_after(obs, 0, step)
    if effects & (X_DRAW | X_TEAM_DRAW):
        return seat_after(obs, seat, step)
    return seat


@jit
def name_roulette_color(obs, x):
    """The colour that shows soonest: most of it unseen."""
    own = color_counts(obs, 0)
    unseen, _ = unseen_cards(obs, own)
    best, most = 0, NO_CARDS
    for color in range(4):
        value = 4 * (4 * of_color(unseen, color) + of_color(own, color))
        value += np.int64(x >> np.uint64(2 * color)) & 3
        if value > most:
            best, most = color, value
    return COLOR_0 + best
