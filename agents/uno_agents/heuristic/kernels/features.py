"""What an observation row says, in the game's words: phase, neighbours, own hand, unseen cards."""

import numpy as np

from uno_env.actions import MAX_SEATS
from uno_env.cards import FIRST_GIVE, GIVE_NUMBERS
from uno_env.engine.jit import always_inline, jit
from uno_env.engine.observation.layout import (
    FAR_COLORS,
    FAR_ROW,
    NEXT,
    O_ACTIVE,
    O_ANY_KNOWN,
    O_CLOCKWISE,
    O_DISCARDS,
    O_DRAW_PILE,
    O_FAR,
    O_KNOWN,
    O_PHASE,
    O_RULES,
    O_SEATS,
    O_SET_ASIDE,
    O_TABLE_SIZE,
    OPPOSITE,
    PREVIOUS,
)
from uno_env.engine.rule_vector import vector_layout
from uno_env.engine.state import SEAT_DREW, SEAT_LAST_COLOR, SEAT_MISSING, SEAT_ROW
from uno_env.engine.tables import P_OVER, PHASES, ROW
from uno_env.kinds import COLORED_SLOTS

_RULE_AT = {name: O_RULES + at for at, name in enumerate(vector_layout())}


def rule_at(name: str) -> int:
    """The byte of the observation that tells a rule, by its name in docs/observation.md."""
    return _RULE_AT[name]


R_GIVE = rule_at("deck +give")
R_TEAMS = rule_at("team_mode=pairs")
R_STACK = rule_at("stacking=equal_or_higher")
R_STACK_JOKER = rule_at("stacking=draw2_draw4_with_joker_cancel")

CERTAIN = 256
"""A chance of one."""
MANY = 12
"""So many cards surely hold every colour."""


@always_inline
def phase_of(obs):
    """The phase the actor is asked in."""
    for phase in range(len(PHASES)):
        if obs[O_PHASE + phase]:
            return phase
    return P_OVER


@always_inline
def one_of(obs, block, size):
    """Which byte of a one-hot block is set; `size` if none is."""
    for at in range(size):
        if obs[block + at]:
            return at
    return size


@always_inline
def active_color(obs):
    """The colour to follow, 4 for none."""
    return one_of(obs, O_ACTIVE, 4)


@always_inline
def table_size(obs):
    """Seats at the table; bounded, since a byte that strangers wrote must not lead out of a row."""
    return min(max(np.int64(obs[O_TABLE_SIZE]), 2), MAX_SEATS)


@always_inline
def size_of(obs, seat):
    """Cards in the hand of a relative seat."""
    return np.int64(obs[O_SEATS + SEAT_ROW * seat])


@always_inline
def is_in_play(obs, seat):
    """Whether a relative seat takes turns."""
    return obs[O_SEATS + SEAT_ROW * seat + 2] != 0


@always_inline
def direction_of(obs):
    """+1 when play runs clockwise, else -1."""
    return 1 if obs[O_CLOCKWISE] else -1


@always_inline
def seat_after(obs, seat, step):
    """The first seat in play after a relative seat, going `step` places at a time."""
    n = table_size(obs)
    for _ in range(MAX_SEATS):
        seat += step
        if seat >= n:
            seat = 0
        elif seat < 0:
            seat = n - 1
        if is_in_play(obs, seat):
            break
    return seat


@always_inline
def partner_seat(obs):
    """The relative seat of the partner, -1 where everybody plays alone."""
    return table_size(obs) >> 1 if obs[R_TEAMS] else -1


@jit
def known_counts(obs, seat):
    """Cards the actor knows in the hand of a relative seat: of each colour (packed), and in all."""
    if not obs[O_ANY_KNOWN]:
        return np.int64(0), np.int64(0)
    n = table_size(obs)
    which = -1
    if seat == 1:
        which = NEXT
    elif seat == n - 1:
        which = PREVIOUS
    elif seat == n >> 1:
        which = OPPOSITE
    if which >= 0:
        block = O_KNOWN + ROW * which
        return color_counts(obs, block), sum_of(obs, block, block + ROW)
    # The far seats follow each other, the opposite one left out.
    first = O_FAR + FAR_ROW * (seat - 2 - (seat > n >> 1))
    counts = np.int64(0)
    for color in range(4):
        counts |= np.int64(obs[first + color]) << (16 * color)
    return counts, sum_of(obs, first, first + FAR_COLORS)


@jit
def color_counts(obs, block):
    """Cards of each colour in a block of faces, 16 bits a colour; see `of_color`."""
    counts = np.int64(0)
    for color in range(4):
        first = block + COLORED_SLOTS * color
        count = sum_of(obs, first, first + COLORED_SLOTS)
        if obs[R_GIVE]:
            first = block + FIRST_GIVE + len(GIVE_NUMBERS) * color
            count += sum_of(obs, first, first + len(GIVE_NUMBERS))
        counts |= count << (16 * color)
    return counts


@always_inline
def sum_of(row, first, last):
    """The sum of some bytes of a row."""
    total = np.int64(0)
    for at in range(first, last):
        total += np.int64(row[at])
    return total


@always_inline
def of_color(counts, color):
    """One colour of packed counts."""
    return (counts >> (16 * color)) & 0xFFFF


@jit
def unseen_cards(obs, own):
    """Cards the actor has not seen, of each colour (packed) and in all.

    They lie in the piles and in the hands of others, but for cards known there. `own` are the
    actor's own counts.
    """
    n = table_size(obs)
    total = np.int64(obs[O_DRAW_PILE]) + np.int64(obs[O_SET_ASIDE])
    known, known_colors = np.int64(0), np.int64(0)
    for seat in range(1, n):
        total += size_of(obs, seat)
        if obs[O_ANY_KNOWN]:
            colors, cards = known_counts(obs, seat)
            known_colors += colors
            known += cards
    whole = sum_of(obs, O_RULES, O_RULES + COLORED_SLOTS) >> 2
    gone = color_counts(obs, O_DISCARDS)
    counts = np.int64(0)
    for color in range(4):
        count = whole - of_color(gone, color) - of_color(own, color)
        count -= of_color(known_colors, color)
        counts |= max(count, 0) << (16 * color)
    return counts, max(total - known, 1)


@jit
def follow_chance(obs, seat, color, known_cards, unseen, total):
    """How surely a seat holds the colour, up to CERTAIN; a shown lack counts.

    `known_cards` are the seat's `known_counts`: whoever asks for several colours counts them once.
    """
    known_colors, known = known_cards
    if of_color(known_colors, color):
        return np.int64(CERTAIN)
    cards = size_of(obs, seat) - known
    row = O_SEATS + SEAT_ROW * seat
    lack = np.int64(obs[row + SEAT_MISSING + color])
    if lack:
        cards = min(cards, lack - 1)
    drew = np.int64(obs[row + SEAT_DREW])
    if drew and obs[row + SEAT_LAST_COLOR + color]:
        # Whoever drew on this colour had none of it, or the rules would let it hide one.
        cards = min(cards, drew)
    other = CERTAIN * (total - min(of_color(unseen, color), total)) // total
    none = np.int64(CERTAIN)
    for _ in range(min(cards, MANY)):
        none = (none * other) >> 8
    return CERTAIN - none
