"""Extra network inputs for hands that can be laid as a sum, computed from the observation.

Where a whole hand may be laid because it totals the top card (`sum_out`), the best card is often
the one that leaves such a hand. A network of this size does not learn whether numbers add up to
exactly 20, so these features say it. They are part of the network's preprocessing, like the
canonical colour order, because they are functions of the observation.

The features are looked up by the total of the own hand; `row_weights` gives the table row.
"""

import numpy as np

from uno_env.array_types import Bytes, Floats

from ..heuristic.kernels.endgame import ACTION_POINTS, WILD_POINTS
from .input_layout import LAYOUT, InputLayout

POINTS = (*range(10), ACTION_POINTS, WILD_POINTS)
"""Points of single cards, so the totals at which a hand can be laid: the classes of cards."""
NUMBERS = 10
IS, LEAVES_NUMBER, LEAVES_ACTION, LEAVES_WILD, WINS = range(5)
"""Features, each with a column for each class of cards: the hand totals as much; playing a card of
the class leaves a rest that equals a number, an action or a wild; it leaves a rest equal to itself,
which wins at once."""
NUM_QUESTIONS = 5
NUM_SUMS = NUM_QUESTIONS * len(POINTS)
INPUT_SIZE = LAYOUT.obs_size + NUM_SUMS
"""Columns of the network input: the observation, then the sum features."""
MAX_TOTAL = 127
"""Totals are clipped here: from there on every feature is zero."""


def feature_column(question: int, points: int) -> int:
    """The input column of a feature of a class of cards."""
    return LAYOUT.obs_size + question * len(POINTS) + points


def row_weights(layout: InputLayout = LAYOUT) -> tuple[Floats, Floats]:
    """Weights of the hand's total, and of the first table row of the rules in force.

    The row is the first row plus the total clipped to `MAX_TOTAL`.
    """
    total, start = np.zeros((2, layout.obs_size), np.float32)
    total[layout.offsets["hand"] :][: len(layout.points)] = layout.points
    start[list(layout.sum_rules)] = MAX_TOTAL + 1, 2 * (MAX_TOTAL + 1)
    return total, start


def feature_table() -> Bytes:
    """The table (3 * 128, 60): no sums, sums of numbers only, sums with specials."""
    table = np.zeros((3, MAX_TOTAL + 1, NUM_QUESTIONS, len(POINTS)), np.uint8)
    for mode, targets in ((1, POINTS[:NUMBERS]), (2, POINTS)):
        for total in range(MAX_TOTAL):
            for card, points in enumerate(POINTS):
                rest = total - points
                row = table[mode, total]
                row[IS, card] = total == points and points in targets
                row[LEAVES_NUMBER, card] = 0 <= rest < NUMBERS
                row[LEAVES_ACTION, card] = rest == ACTION_POINTS and ACTION_POINTS in targets
                row[LEAVES_WILD, card] = rest == WILD_POINTS and WILD_POINTS in targets
                row[WINS, card] = rest == points and points in targets
    return table.reshape(-1, NUM_SUMS)
