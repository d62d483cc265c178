"""Columns of a network for hands that can be laid as a sum, made from the observation.

Where a whole hand may be laid because it totals the top card (`sum_out`), the best card is often
the one that leaves such a hand. Whether numbers add up to exactly 20 is a question a network of
this size cannot answer from its cards one by one, so it is told. Like the order of the colours this
belongs to the network, not to the observation: both are functions of what a seat sees anyway.

There is a table row for each total of the own hand; `row_keys` says which row it is.
"""

import numpy as np

from uno_env.array_types import Bytes, Floats
from uno_env.cards import NUM_FACES, is_number, is_wild, kind_of
from uno_env.envs.observation_spec import OBS_SIZE

from ..heuristic.kernels.endgame import ACTION_POINTS, R_SUM_NUMBERS, R_SUM_SPECIALS, WILD_POINTS

POINTS = (*range(10), ACTION_POINTS, WILD_POINTS)
"""What single cards are worth, so what a hand must total to be laid: the classes of cards."""
NUMBERS = 10
IS, LEAVES_NUMBER, LEAVES_ACTION, LEAVES_WILD, WINS = range(5)
"""Questions, each with a column for each class of cards: whether the hand totals as much; whether a
card of the class leaves what a number, an action or a wild equals; whether it equals the rest
itself, which wins at once."""
NUM_QUESTIONS = 5
NUM_SUMS = NUM_QUESTIONS * len(POINTS)
WIDE = OBS_SIZE + NUM_SUMS
"""Columns of an observation with these behind it."""
MOST = 127
"""Higher totals are all alike: none of the questions is answered yes."""


def column(question: int, points: int) -> int:
    """The column of a question about a class of cards."""
    return OBS_SIZE + question * len(POINTS) + points


def row_keys() -> tuple[Floats, Floats]:
    """Weights (640,) of a hand's total, and of the first row for the rules in force.

    The row is the first plus the total, which is at most `MOST`.
    """
    total, start = np.zeros(OBS_SIZE, np.float32), np.zeros(OBS_SIZE, np.float32)
    for face in range(NUM_FACES):
        total[face] = _points(face)
    start[R_SUM_NUMBERS], start[R_SUM_SPECIALS] = MOST + 1, 2 * (MOST + 1)
    return total, start


def _points(face: int) -> int:
    if is_number(face):
        return kind_of(face)
    return WILD_POINTS if is_wild(face) else ACTION_POINTS


def answers() -> Bytes:
    """The table (3 * 128, 60): no sums, sums of numbers only, sums with specials."""
    table = np.zeros((3, MOST + 1, NUM_QUESTIONS, len(POINTS)), np.uint8)
    for mode, targets in ((1, POINTS[:NUMBERS]), (2, POINTS)):
        for total in range(MOST):
            for card, points in enumerate(POINTS):
                rest = total - points
                row = table[mode, total]
                row[IS, card] = total == points and points in targets
                row[LEAVES_NUMBER, card] = 0 <= rest < NUMBERS
                row[LEAVES_ACTION, card] = rest == ACTION_POINTS and ACTION_POINTS in targets
                row[LEAVES_WILD, card] = rest == WILD_POINTS and WILD_POINTS in targets
                row[WINS, card] = rest == points and points in targets
    return table.reshape(-1, NUM_SUMS)
