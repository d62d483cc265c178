"""Which card to play: what it leaves in the hand, what it denies others, what it does."""

import numpy as np

from uno_env.actions import DRAW, KEEP, PASS, TAKE
from uno_env.cards import FIRST_GIVE, FIRST_WILD, NUM_FACES, face_id
from uno_env.engine.jit import always_inline, jit
from uno_env.engine.observation.layout import O_IN_PLAY
from uno_env.engine.tables import (
    COLOR_OF,
    FACE_WILD4,
    KIND_OF,
    P_PLAY_DRAWN,
)
from uno_env.kinds import COLORED_SLOTS, NUMBERS

from .challenge import is_bluff
from .coefficients import (
    BRIDGE,
    DENY_OTHERS,
    HELP,
    NO_CARDS,
    POINTS,
    SURE,
)
from .colors import best_color
from .effects import effect_value, hits_oneself
from .endgame import (
    LONGEST,
    card_points,
    counts_points,
    hand_points,
    sum_value,
    way_out,
)
from .features import (
    CERTAIN,
    R_GIVE,
    R_TEAMS,
    active_color,
    color_counts,
    direction_of,
    follow_chance,
    known_counts,
    of_color,
    partner_seat,
    seat_after,
    size_of,
    sum_of,
    table_size,
    unseen_cards,
)
from .styles import (
    BLUFF_AT,
    DENY_AT,
    DENY_ONE_AT,
    DENY_TWO_AT,
    FOLLOW_AT,
    KEEP_COLOR_AT,
    SAVE_WILDS_AT,
    STYLE_HOLD,
    STYLES,
)
from .tie_break import tie_breaker

FACE_REVERSE4 = face_id("wild-reverse-draw4")


@jit
def choose_card(obs, mask, phase, x, style):
    """The most valuable card to play; draws, keeps, takes or passes only without one."""
    faces = NUM_FACES if obs[R_GIVE] else FIRST_GIVE
    size = size_of(obs, 0)
    barred = _barred(obs, mask, size)
    playable = sum_of(mask, 0, faces) - (barred >= 0)
    if playable == 0:
        return _otherwise(mask)
    if playable == 1:
        only = _next_play(mask, 0, faces)
        return only if only != barred else _next_play(mask, only + 1, faces)
    if size <= LONGEST and not obs[R_TEAMS] and phase <= P_PLAY_DRAWN:
        face = way_out(obs, mask, size)
        if face >= 0:
            return face
    return _best_card(obs, mask, faces, barred, size, x, style)


@jit
def _best_card(obs, mask, faces, barred, size, x, style):
    own = color_counts(obs, 0)
    wilds = sum_of(obs, FIRST_WILD, FIRST_GIVE)
    unseen, total = unseen_cards(obs, own)
    points = hand_points(obs)
    counting = counts_points(obs)
    step = direction_of(obs)
    follower = seat_after(obs, 0, step)
    keep_color = STYLES[style, KEEP_COLOR_AT]
    kept = active_color(obs) if keep_color else np.int64(-1)
    known = known_counts(obs, follower)
    denied = np.int64(-1)
    denied_color = -1
    wild_color = -1
    best, most = -1, NO_CARDS
    face = _next_play(mask, 0, faces)
    while face < faces:
        kind = KIND_OF[face]
        color = COLOR_OF[face]
        if color < 4:
            match = of_color(own, color) - 1
            bridges = _alike(obs, color, kind)
            left = wilds
        else:
            if wild_color < 0:
                wild_color = best_color(obs, own, unseen, total, follower, x, style)
            color = wild_color
            match = of_color(own, color)
            bridges = 0
            left = wilds - 1
        if color != denied_color:
            denied = _denied(obs, follower, color, known, unseen, total, style)
            denied_color = color
        value = STYLES[style, FOLLOW_AT] * match - BRIDGE * bridges
        value += denied - STYLE_HOLD[style, kind]
        if color == kept:
            value += keep_color
        if left:
            value += SURE * left // (size - 1)
        if points >= 0:
            value += sum_value(obs, face, points)
        links = match + bridges + left
        value += effect_value(obs, face, own, size, step, follower, links, style)
        if face == FACE_WILD4 and is_bluff(obs, mask, own):
            value -= STYLES[style, BLUFF_AT] * size
        if counting:
            value += POINTS * card_points(obs, kind) // 10
        value = 16 * value + min(kind, NUMBERS - 1) + tie_breaker(x, face)
        if value > most and face != barred:
            best, most = face, value
        face = _next_play(mask, face + 1, faces)
    return best


@jit
def saves_wild(obs, mask, action, style):
    """Whether the style would rather draw than play this card, a wild."""
    if not STYLES[style, SAVE_WILDS_AT] or not FIRST_WILD <= action < FIRST_GIVE:
        return False
    # Only with other cards to get rid of first, so that games end.
    size = size_of(obs, 0)
    return mask[DRAW] and size > 2 and 2 * sum_of(obs, FIRST_WILD, FIRST_GIVE) <= size


@always_inline
def _next_play(mask, face, faces):
    """The first card from `face` on that may be played; not below `faces` if there is none."""
    while face < faces and not mask[face]:
        face += 1
        # Most colours hold none: sixteen faces at a time are passed over as one sum.
        while face & 15 == 0 and face < faces and sum_of(mask, face, face + 16) == 0:
            face += 16
    return face


@always_inline
def _otherwise(mask):
    """What can be done instead of laying a card."""
    if mask[DRAW]:
        return DRAW
    if mask[KEEP]:
        return KEEP
    return TAKE if mask[TAKE] else PASS


@always_inline
def _barred(obs, mask, size):
    """The one card that is worse than to draw, keep or take: its penalty would hit oneself."""
    if mask[FACE_REVERSE4] and obs[O_IN_PLAY] == 2 and size > 1 and hits_oneself(obs):
        return FACE_REVERSE4 if _otherwise(mask) != PASS else -1
    return -1


@always_inline
def _alike(obs, color, kind):
    """Own cards of the kind in other colours."""
    count = -np.int64(obs[COLORED_SLOTS * color + kind])
    for other in range(4):
        count += np.int64(obs[COLORED_SLOTS * other + kind])
    return count


@jit
def _denied(obs, follower, color, known, unseen, total, style):
    """How hard the colour makes it for the opponents, and how easy for the partner.

    `known` are the follower's `known_counts`.
    """
    partner = partner_seat(obs)
    value = np.int64(0)
    if follower != partner:
        cards = size_of(obs, follower)
        weight = STYLES[style, DENY_AT]
        if cards <= 2:
            weight = STYLES[style, DENY_ONE_AT if cards == 1 else DENY_TWO_AT]
        value += weight * (CERTAIN - follow_chance(obs, follower, color, known, unseen, total))
    for seat in range(1, table_size(obs)):
        if size_of(obs, seat) == 1 and seat not in (follower, partner):
            value += DENY_OTHERS * (CERTAIN - _chance(obs, seat, color, unseen, total))
    if partner > 0:
        value += HELP * _chance(obs, partner, color, unseen, total)
    return value >> 8


@jit
def _chance(obs, seat, color, unseen, total):
    return follow_chance(obs, seat, color, known_counts(obs, seat), unseen, total)
