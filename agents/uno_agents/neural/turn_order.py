"""Seats in the order of turn: observations that differ by the direction of play become equal.

The observation counts seats clockwise. Whose turn is next then depends on the direction and on who
is out, and a network would have to learn every rule about the next seat once for each. Before the
forward pass, the other seats are put into the order in which they will play: against the clock a
table is mirrored, and up to a table of four, those who are out come last. What a network learns
about the seat that plays next then holds wherever that seat sits.
"""

from functools import cache

import numpy as np

from uno_env.actions import MAX_SEATS, SWAP_0, SWAP_PAIRS, TARGET_1
from uno_env.array_types import Floats, Ints
from uno_env.cards import NUM_FACES
from uno_env.engine.observation.layout import FAR_ROW, NEAR
from uno_env.engine.state import SEAT_IN_PLAY, SEAT_ROW, SMALL_TABLE
from uno_env.state_io.encode_view import near_seats

from .input_layout import LAYOUT

IN_PLAY_BITS = (2, 4, 8)
"""What seats 1 to 3 add to the code if they are in play; the direction adds 1."""
CODES_PER_SIZE = 16
NUM_CODES = CODES_PER_SIZE * (MAX_SEATS + 1)
"""A code for each table size, direction, and up to a table of four, who is in play."""


def code_weights() -> Floats:
    """Weights (columns,) that map an observation to the code of its order."""
    weights = np.zeros(LAYOUT.obs_size, np.float32)
    weights[LAYOUT.offsets["table_size"]] = CODES_PER_SIZE
    weights[LAYOUT.offsets["clockwise"]] = 1
    for seat, bit in enumerate(IN_PLAY_BITS, start=1):
        weights[LAYOUT.offsets["seats"] + SEAT_ROW * seat + SEAT_IN_PLAY] = bit
    return weights


def code_columns() -> Ints:
    """The columns that have a weight."""
    return np.flatnonzero(code_weights())


def order_of(code: int) -> list[int]:
    """Relative seats by their place in the order of turn; place 0 is the observer."""
    size, rest = divmod(code, CODES_PER_SIZE)
    others = list(range(1, size)) if rest & 1 else list(range(size - 1, 0, -1))
    if size <= SMALL_TABLE:
        is_out = {seat: not rest & IN_PLAY_BITS[seat - 1] for seat in others}
        others.sort(key=lambda seat: is_out[seat])
    return [0, *others, *range(max(1, size), MAX_SEATS)]


@cache
def order_tables() -> tuple[Ints, Ints]:
    """By code, the raw column and the raw action at each index of the order of turn."""
    columns = np.tile(np.arange(LAYOUT.obs_size), (NUM_CODES, 1))
    actions = np.tile(np.arange(LAYOUT.num_actions), (NUM_CODES, 1))
    for code in range(2 * CODES_PER_SIZE, NUM_CODES):
        order = order_of(code)
        _order_columns(columns[code], order, code // CODES_PER_SIZE)
        _order_actions(actions[code], order)
    # Everybody gets the same arrays.
    columns.setflags(write=False)
    actions.setflags(write=False)
    return columns, actions


def _order_columns(columns: Ints, order: list[int], size: int) -> None:
    offsets = LAYOUT.offsets
    columns[offsets["subject"] + np.arange(MAX_SEATS)] = offsets["subject"] + np.array(order)
    rows = offsets["seats"] + np.arange(MAX_SEATS * SEAT_ROW).reshape(MAX_SEATS, SEAT_ROW)
    columns[rows] = rows[order]
    near = near_seats(size)
    far = [seat for seat in range(1, size) if seat not in near]
    far_rows = offsets["known_far"] + np.arange(len(far) * FAR_ROW).reshape(len(far), FAR_ROW)
    for place in range(1, size):
        seat = order[place]
        # Of an odd table's two middle seats one is near and one far: their blocks stay in place.
        if place in near and seat in near:
            at, start = (offsets[f"known_{NEAR[near[s]]}"] for s in (place, seat))
            columns[at : at + NUM_FACES] = start + np.arange(NUM_FACES)
        elif place in far and seat in far:
            columns[far_rows[far.index(place)]] = far_rows[far.index(seat)]


def _order_actions(actions: Ints, order: list[int]) -> None:
    actions[TARGET_1 : TARGET_1 + MAX_SEATS - 1] = TARGET_1 - 1 + np.array(order[1:])
    number = {pair: index for index, pair in enumerate(SWAP_PAIRS)}
    for (left, right), index in number.items():
        first, last = sorted((order[left], order[right]))
        actions[SWAP_0 + index] = SWAP_0 + number[first, last]
