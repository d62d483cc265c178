"""What networks need to know of an observation version: its columns by colour, points and scales.

The game is symmetric in its four colours, so networks read observations in a canonical colour
order (`canonical.py`), and hands that can be laid as a sum get features of their own
(`sum_features.py`). Both follow from the tables here. `LAYOUT` is the present version; that of
version 1, for checkpoints of its time, is in `version1.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from uno_env.actions import COLOR_0, MAX_SEATS, NUM_ACTIONS
from uno_env.array_types import Floats, Ints
from uno_env.cards import COLORS, FIRST_GIVE, GIVE_NUMBERS, NUM_FACES, is_number, is_wild, kind_of
from uno_env.engine.observation.layout import FAR_ROW, FAR_SEATS, NEAR
from uno_env.engine.state import SEAT_LAST_COLOR, SEAT_MISSING, SEAT_ROW
from uno_env.envs.observation_spec import (
    OBS_SIZE,
    OBS_VERSION,
    observation_blocks,
    observation_scales,
)
from uno_env.kinds import COLORED_SLOTS

from ..heuristic.kernels.endgame import ACTION_POINTS, R_SUM_NUMBERS, R_SUM_SPECIALS, WILD_POINTS

NUM_COLORS = len(COLORS)


@dataclass(frozen=True, eq=False)
class InputLayout:
    """The columns of one observation version and the actions that belong to it.

    Attributes:
        version: the observation version.
        obs_size, num_actions: sizes of an observation and of a mask.
        offsets: where each named block begins.
        colored_faces: faces by colour (4, n): row c holds those of colour c, alike for each.
        colored_inputs: observation columns by colour; entry i of each row is the same feature.
        colored_actions: action ids by colour.
        points: of each face, by the usual values.
        sum_rules: the columns that tell of sums of numbers and of sums with specials.
        scales: the factor of each column.
    """

    version: int
    obs_size: int
    num_actions: int
    offsets: Mapping[str, int]
    colored_faces: Ints
    colored_inputs: Ints
    colored_actions: Ints
    points: Ints
    sum_rules: tuple[int, int]
    scales: Floats


def face_points(is_number_card: bool, number: int, is_wild_card: bool) -> int:
    """Points of a card by the usual values."""
    if is_number_card:
        return number
    return WILD_POINTS if is_wild_card else ACTION_POINTS


def seat_color_columns(offsets: Mapping[str, int]) -> list[int]:
    """Where the four columns of a colour begin in the rows of the seats, and on the table."""
    seats = offsets["seats"] + SEAT_ROW * np.arange(MAX_SEATS)
    table = ("active_color", "hyper_color", "color_before", "drawn_color")
    return [*(offsets[name] for name in table), *(seats + SEAT_MISSING), *(seats + SEAT_LAST_COLOR)]


def _present_layout() -> InputLayout:
    offsets = {block.name: block.offset for block in observation_blocks()}
    colors = np.arange(NUM_COLORS)[:, None]
    kinds, gives = np.arange(COLORED_SLOTS), np.arange(len(GIVE_NUMBERS))
    faces = np.hstack([COLORED_SLOTS * colors + kinds, FIRST_GIVE + len(gives) * colors + gives])
    starts = seat_color_columns(offsets)
    starts += [*(offsets["known_far"] + FAR_ROW * np.arange(FAR_SEATS))]
    by_face = ("hand", "discards", *(f"known_{name}" for name in NEAR))
    columns = [offsets[name] + faces for name in by_face]
    return InputLayout(
        version=OBS_VERSION,
        obs_size=OBS_SIZE,
        num_actions=NUM_ACTIONS,
        offsets=offsets,
        colored_faces=faces,
        colored_inputs=np.hstack([*columns, np.array(starts) + colors]),
        colored_actions=np.hstack([faces, COLOR_0 + colors]),
        points=np.array(
            [face_points(is_number(f), kind_of(f), is_wild(f)) for f in range(NUM_FACES)]
        ),
        sum_rules=(R_SUM_NUMBERS, R_SUM_SPECIALS),
        scales=observation_scales(),
    )


LAYOUT = _present_layout()
