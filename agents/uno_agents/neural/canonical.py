"""Canonical colour order: observations that differ by a permutation of colours become equal.

The game is symmetric in its four colours. Before the forward pass, colours are sorted: the active
colour first, then by cards of the colour in hand, then by discards. What a network learns about one
colour then holds for all of them, and 24 positions become one.
"""

from itertools import permutations

import numpy as np
import numpy.typing as npt

from uno_env.array_types import Floats, Ints

from .input_layout import LAYOUT, NUM_COLORS, InputLayout

NUM_CODES = NUM_COLORS**NUM_COLORS
"""A permutation is coded in base 4: digit c is the rank of colour c, red the lowest digit."""
ACTIVE, IN_HAND, DISCARDED = 1 << 20, 1 << 12, 1 << 2
"""Sort key of a colour, lexicographic: float32 adds these exactly, and no sum reaches the next."""


def active_columns(layout: InputLayout = LAYOUT) -> slice:
    """The observation columns of the active colour."""
    start = layout.offsets["active_color"]
    return slice(start, start + NUM_COLORS)


def sort_key_weights(layout: InputLayout = LAYOUT) -> tuple[Floats, Floats]:
    """Weights (columns, 4) and bias (4,) that map observations to sort keys of the colours."""
    weights = np.zeros((layout.obs_size, NUM_COLORS), np.float32)
    faces, offsets = layout.colored_faces, layout.offsets
    for c in range(NUM_COLORS):
        weights[offsets["active_color"] + c, c] = ACTIVE
        weights[offsets["hand"] + faces[c], c] = IN_HAND
        weights[offsets["discards"] + faces[c], c] = DISCARDED
    # The bias breaks ties in printed order, so that keys are distinct.
    return weights, np.arange(NUM_COLORS, dtype=np.float32)[::-1].copy()


def permutation_code(order: tuple[int, ...]) -> int:
    """The code of a permutation, given as colours by rank."""
    return sum(rank * NUM_COLORS**color for rank, color in enumerate(order))


def permutation_tables(layout: InputLayout = LAYOUT) -> tuple[Ints, Ints]:
    """By code, the raw column and the raw action at each canonical index."""
    inputs = np.tile(np.arange(layout.obs_size), (NUM_CODES, 1))
    actions = np.tile(np.arange(layout.num_actions), (NUM_CODES, 1))
    pairs = ((inputs, layout.colored_inputs), (actions, layout.colored_actions))
    for order in permutations(range(NUM_COLORS)):
        for table, groups in pairs:
            table[permutation_code(order), groups] = groups[list(order)]
    return inputs, actions


def faces_in_every_color(faces: npt.ArrayLike) -> Ints:
    """The faces given and those a permutation of colours may map them to."""
    wanted = np.zeros(len(LAYOUT.points), bool)
    wanted[np.asarray(faces)] = True
    groups = LAYOUT.colored_faces
    wanted[groups] = wanted[groups].any(axis=0)
    return np.flatnonzero(wanted)
