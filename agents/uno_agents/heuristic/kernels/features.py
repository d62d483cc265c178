"""What an observation row says, in the game's words: phase, neighbours, own hand, unseen cards."""

import numpy as np

from uno_env.actions import MAX_SEATS
from uno_env.cards import FIRST_GIVE
from uno_env.engine.jit import always_inline, jit
from uno_env.engine.observation.layout import (
    O_ACTIVE,
    O_CLOCKWISE,
    O_DISCARDS,
    O_KNOWN,
    O_PENDING,
    O_PHASE,
    O_RULES,
    O_SEATS,
)
from uno_env.engine.rules_record import vector_layout
from uno_env.engine.state import SEAT_DREW, SEAT_LAST_COLOR, SEAT_MISSING, SEAT_ROW
from uno_env.engine.tables import P_OVER

_RULE_AT = {name: O_RULES + at for at, name in enumerate(vector_layout())}


def rule_at(name: str) -> int:
    """The byte of the observation that tells a rule, by its name in docs/observation.md."""
    return _RULE_AT[name]


R_GIVE = rule_at("deck +give")
R_TEAMS = rule_at("team_mode=pairs")
R_STACK = rule_at("stacking=equal_or_higher")
R_STACK_JOKER = rule_at("stacking=draw2_draw4_with_joker_cancel")

O_DRAW_PILE = O_PENDING + 4
O_SET_ASIDE = O_PENDING + 5
O_TABLE = O_CLOCKWISE + 4
O_IN_PLAY = O_CLOCKWISE + 5

CERTAIN = 256
"""A chance of one."""
MANY = 12
"""So many cards surely hold every colour."""


@always_inline
def phase_of(obs):
    """The phase the actor is asked in."""
    for phase in range(P_OVER):
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
    return min(max(np.int64(obs[O_TABLE]), 2), MAX_SEATS)


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


@always_inline
def known_of(obs, seat, what):
    """Cards of a sort the actor knows in a hand: 0-3 colours, 4 wilds, 5 draw cards, 7 all."""
    return np.int64(obs[O_KNOWN + 8 * seat + what])


@jit
def color_counts(obs, block):
    """Cards of each colour in a block of faces, 16 bits a colour; see `of_color`."""
    counts = np.int64(0)
    for color in range(4):
        first = block + 16 * color
        count = sum_of(obs, first, first + 16)
        if obs[R_GIVE]:
            first = block + FIRST_GIVE + 10 * color
            count += sum_of(obs, first, first + 10)
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
    known = np.int64(0)
    for seat in range(1, n):
        total += size_of(obs, seat)
        known += known_of(obs, seat, 7)
    whole = sum_of(obs, O_RULES, O_RULES + 16) >> 2
    gone = color_counts(obs, O_DISCARDS)
    counts = np.int64(0)
    for color in range(4):
        count = whole - of_color(gone, color) - of_color(own, color)
        if known:
            for seat in range(1, n):
                count -= known_of(obs, seat, color)
        counts |= max(count, 0) << (16 * color)
    return counts, max(total - known, 1)


@jit
def follow_chance(obs, seat, color, unseen, total):
    """How surely a seat holds the colour, up to CERTAIN; a shown lack counts."""
    if known_of(obs, seat, color):
        return np.int64(CERTAIN)
    cards = size_of(obs, seat) - known_of(obs, seat, 7)
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
