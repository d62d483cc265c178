"""The four colours are interchangeable: every observation is turned so that a network sees one.

A position and the same position with red and blue swapped call for the same play with red and blue
swapped. So colours are put in an order of their own before a network looks: the active colour
first, then by cards of the colour in hand, then by discards. What is learned about one
colour holds for all of them, and 24 positions become one.
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
"""An order is the number with the rank of each colour as its digits, red the lowest."""
ACTIVE, IN_HAND, DISCARDED = 1 << 20, 1 << 12, 1 << 2
"""What counts in the order: floats add them exactly, and no sum of one reaches the next."""

_OFFSET = {block.name: block.offset for block in observation_blocks()}
_GIVES = 10
_KNOWN_ROW = 8


def colored_faces() -> Ints:
    """Faces by colour (4, 26): row c holds those of colour c, in the same order for each."""
    colors = np.arange(NUM_COLORS)[:, None]
    kinds, numbers = np.arange(len(COLORED_KINDS)), np.arange(_GIVES)
    return np.hstack([len(kinds) * colors + kinds, FIRST_GIVE + _GIVES * colors + numbers])


def colored_inputs() -> Ints:
    """Columns of the observation by colour (4, n): row c says the same of colour c for each c."""
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
    """Where the observation shows the active colour."""
    start = _OFFSET["active_color"]
    return slice(start, start + NUM_COLORS)


def ranking() -> tuple[Floats, Floats]:
    """Weights (640, 4) and bias (4,) that turn an observation into the colours' sort keys."""
    weights = np.zeros((OBS_SIZE, NUM_COLORS), np.float32)
    faces = colored_faces()
    for c in range(NUM_COLORS):
        weights[_OFFSET["active_color"] + c, c] = ACTIVE
        weights[_OFFSET["hand"] + faces[c], c] = IN_HAND
        weights[_OFFSET["discards"] + faces[c], c] = DISCARDED
    # Equal otherwise: in the order of the cards, so that no two keys are equal.
    return weights, np.arange(NUM_COLORS, dtype=np.float32)[::-1].copy()


def code_of(order: tuple[int, ...]) -> int:
    """The code of an order of colours, first colour first."""
    return sum(rank * NUM_COLORS**color for rank, color in enumerate(order))


def reading_tables() -> tuple[Ints, Ints]:
    """By code, which raw column (256, 640) and action (256, 185) stands at each turned place."""
    inputs = np.tile(np.arange(OBS_SIZE), (NUM_CODES, 1))
    actions = np.tile(np.arange(NUM_ACTIONS), (NUM_CODES, 1))
    for order in permutations(range(NUM_COLORS)):
        for table, groups in ((inputs, colored_inputs()), (actions, colored_actions())):
            table[code_of(order), groups] = groups[list(order)]
    return inputs, actions


def turned_faces(faces: npt.ArrayLike) -> Ints:
    """The faces given, and the same kinds in every other colour: where turning may put them."""
    wanted = np.zeros(NUM_FACES, bool)
    wanted[np.asarray(faces)] = True
    groups = colored_faces()
    wanted[groups] = wanted[groups].any(axis=0)
    return np.flatnonzero(wanted)
