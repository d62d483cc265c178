"""Canonical colour order: observations that differ by a permutation of colours become equal.

The game is symmetric in its four colours. Before the forward pass, colours are sorted: the active
colour first, then by cards of the colour in hand, then by discards. What a network learns about one
colour then holds for all of them, and 24 positions become one.
"""

from itertools import permutations

import numpy as np
import numpy.typing as npt

from uno_env.actions import COLOR_0, MAX_SEATS, NUM_ACTIONS
from uno_env.array_types import Floats, Ints
from uno_env.cards import COLORED_KINDS, COLORS, FIRST_GIVE, NUM_FACES
from uno_env.engine.state import SEAT_LAST_COLOR, SEAT_MISSING, SEAT_ROW
from uno_env.envs.observation_spec import OBS_SIZE, observation_blocks

NUM_COLORS = len(COLORS)
NUM_CODES = NUM_COLORS**NUM_COLORS
"""A permutation is coded in base 4: digit c is the rank of colour c, red the lowest digit."""
ACTIVE, IN_HAND, DISCARDED = 1 << 20, 1 << 12, 1 << 2
"""Sort key of a colour, lexicographic: float32 adds these exactly, and no sum reaches the next."""

_OFFSET = {block.name: block.offset for block in observation_blocks()}
_GIVES = 10
_KNOWN_ROW = 8


def colored_faces() -> Ints:
    """Faces by colour (4, 26): row c holds those of colour c, in the same order for each."""
    colors = np.arange(NUM_COLORS)[:, None]
    kinds, numbers = np.arange(len(COLORED_KINDS)), np.arange(_GIVES)
    return np.hstack([len(kinds) * colors + kinds, FIRST_GIVE + _GIVES * colors + numbers])


def colored_inputs() -> Ints:
    """Observation columns by colour (4, n); entry i of each row is the same feature."""
    colors = np.arange(NUM_COLORS)[:, None]
    seats = _OFFSET["seats"] + SEAT_ROW * np.arange(MAX_SEATS)
    starts = [_OFFSET[name] for name in ("active_color", "hyper_color")]
    starts += [_OFFSET[name] for name in ("color_before", "drawn_color")]
    starts += [*(seats + SEAT_MISSING), *(seats + SEAT_LAST_COLOR)]
    starts += [*(_OFFSET["known"] + _KNOWN_ROW * np.arange(MAX_SEATS))]
    faces = colored_faces()
    return np.hstack([_OFFSET["hand"] + faces, _OFFSET["discards"] + faces, starts + colors])


def colored_actions() -> Ints:
    """Action ids by colour (4, 27): the plays of its faces, and naming it."""
    return np.hstack([colored_faces(), COLOR_0 + np.arange(NUM_COLORS)[:, None]])


def active_columns() -> slice:
    """The observation columns of the active colour."""
    start = _OFFSET["active_color"]
    return slice(start, start + NUM_COLORS)


def sort_key_weights() -> tuple[Floats, Floats]:
    """Weights (640, 4) and bias (4,) that map an observation to the sort keys of the colours."""
    weights = np.zeros((OBS_SIZE, NUM_COLORS), np.float32)
    faces = colored_faces()
    for c in range(NUM_COLORS):
        weights[_OFFSET["active_color"] + c, c] = ACTIVE
        weights[_OFFSET["hand"] + faces[c], c] = IN_HAND
        weights[_OFFSET["discards"] + faces[c], c] = DISCARDED
    # The bias breaks ties in printed order, so that keys are distinct.
    return weights, np.arange(NUM_COLORS, dtype=np.float32)[::-1].copy()


def permutation_code(order: tuple[int, ...]) -> int:
    """The code of a permutation, given as colours by rank."""
    return sum(rank * NUM_COLORS**color for rank, color in enumerate(order))


def permutation_tables() -> tuple[Ints, Ints]:
    """By code, the raw column (256, 640) and action (256, 185) at each canonical index."""
    inputs = np.tile(np.arange(OBS_SIZE), (NUM_CODES, 1))
    actions = np.tile(np.arange(NUM_ACTIONS), (NUM_CODES, 1))
    for order in permutations(range(NUM_COLORS)):
        for table, groups in ((inputs, colored_inputs()), (actions, colored_actions())):
            table[permutation_code(order), groups] = groups[list(order)]
    return inputs, actions


def faces_in_every_color(faces: npt.ArrayLike) -> Ints:
    """The faces given and those a permutation of colours may map them to."""
    wanted = np.zeros(NUM_FACES, bool)
    wanted[np.asarray(faces)] = True
    groups = colored_faces()
    wanted[groups] = wanted[groups].any(axis=0)
    return np.flatnonzero(wanted)
