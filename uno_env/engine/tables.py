"""Constant tables of the engine: face properties, sets of faces as 64-bit words, phases.

A set of faces is two words: `lo` holds the 64 coloured faces, `hi` the wilds and the give-symbol
cards. A set of actions is three words whose first two begin the same way, so a hand masked by
what matches *is* the set of legal plays.
"""

import numpy as np

from ..actions import MAX_SEATS, SWAP_PAIRS
from ..cards import FIRST_GIVE, FIRST_WILD, KINDS, NUM_FACES, color_of, kind_of

ROW = 128
"""Bytes of a row of counts per face: 114 faces, padded to two cache lines."""

PHASES = (
    "play",
    "play-drawn",
    "stack",
    "color",
    "challenge",
    "roulette-color",
    "swap-target",
    "swap-pair",
    "pass-card",
    "give-half",
    "exchange",
    "team-play",
    "uno-call",
    "uno-catch",
    "react",
    "opening-color",
    "opening-swap",
    "over",
)
(
    P_PLAY,
    P_PLAY_DRAWN,
    P_STACK,
    P_COLOR,
    P_CHALLENGE,
    P_ROULETTE,
    P_SWAP_TARGET,
    P_SWAP_PAIR,
    P_PASS_CARD,
    P_GIVE_HALF,
    P_EXCHANGE,
    P_TEAM_PLAY,
    P_UNO_CALL,
    P_UNO_CATCH,
    P_REACT,
    P_OPENING_COLOR,
    P_OPENING_SWAP,
    P_OVER,
) = range(len(PHASES))

HIDDEN_PHASES = 1 << P_PLAY_DRAWN | 1 << P_REACT
"""Phases, as bits, that only the seat to act may know of; to all others they look like `play`."""
SHOWN_PHASE = tuple(P_PLAY if HIDDEN_PHASES >> phase & 1 else phase for phase in range(len(PHASES)))
"""Each phase as the seats see it that are not to act."""
HIDDEN_PHASE_NAMES = tuple(name for phase, name in enumerate(PHASES) if HIDDEN_PHASES >> phase & 1)

(
    K_SKIP,
    K_REVERSE,
    K_DRAW2,
    K_DRAW4,
    K_DISCARD_ALL,
    K_SKIP_ALL,
    K_WILD,
    K_WILD4,
    K_HYPER,
    K_REVERSE4,
    K_WILD6,
    K_WILD10,
    K_ROULETTE,
    K_SWAP,
    K_TEAM_PLAY,
    K_TEAM_DRAW2,
) = range(10, len(KINDS))
FACE_WILD4 = FIRST_WILD + K_WILD4 - K_WILD
FACE_GIVE = FIRST_GIVE

COLOR_OF = np.array([color_of(face) for face in range(NUM_FACES)], np.int64)
KIND_OF = np.array([kind_of(face) for face in range(NUM_FACES)], np.int64)

DRAW_VALUE = np.zeros(len(KINDS), np.int64)
DRAW_VALUE[[K_DRAW2, K_DRAW4, K_WILD4, K_REVERSE4, K_WILD6, K_WILD10]] = (2, 4, 4, 4, 6, 10)


def _bits(faces: list[int], word: int) -> np.int64:
    bits = sum(1 << (face & 63) for face in faces if face >> 6 == word)
    return np.int64(np.array([bits], np.uint64).view(np.int64)[0])


def _set_table(shape: tuple[int, ...], faces_at: dict[tuple[int, ...], list[int]]) -> np.ndarray:
    table = np.zeros((2, *shape), np.int64)
    for at, faces in faces_at.items():
        for word in (0, 1):
            table[(word, *at)] = _bits(faces, word)
    return table


_ALL = range(NUM_FACES)
_WILD_FACES = [face for face in _ALL if color_of(face) == 4]

BIT_LO, BIT_HI = _set_table((NUM_FACES,), {(face,): [face] for face in _ALL})
COLOR_LO, COLOR_HI = _set_table(
    (5,), {(color,): [f for f in _ALL if color_of(f) == color < 4] for color in range(5)}
)
# What may follow an active colour and a top kind: the colour, the same number or symbol, wilds.
MATCH_LO, MATCH_HI = _set_table(
    (5, len(KINDS)),
    {
        (color, kind): [
            face
            for face in _ALL
            if color_of(face) in (color, 4) or (kind < 16 and kind_of(face) == kind)
        ]
        for color in range(5)
        for kind in range(len(KINDS))
    },
)
# Draw cards worth at least a value: what may be stacked on it.
STACK_LO, STACK_HI = _set_table(
    (11,), {(v,): [f for f in _ALL if DRAW_VALUE[kind_of(f)] >= max(v, 1)] for v in range(11)}
)
WILD_HI = _bits(_WILD_FACES, 1)
JOKER_HI = _bits([FIRST_WILD], 1)
WILD4_HI = _bits([FACE_WILD4], 1)
HYPER_HI = _bits([FIRST_WILD + K_HYPER - K_WILD], 1)
DISCARD_ALL_LO = _bits([face for face in _ALL if kind_of(face) == K_DISCARD_ALL], 0)
NUMBER_LO = _bits([face for face in _ALL if kind_of(face) < 10], 0)
NUMBER_HI = _bits([face for face in _ALL if kind_of(face) < 10], 1)

SWAP_I = np.array([i for i, _ in SWAP_PAIRS], np.int64)
SWAP_J = np.array([j for _, j in SWAP_PAIRS], np.int64)
SWAP_INDEX = np.zeros((MAX_SEATS, MAX_SEATS), np.int64)
for _index, (_i, _j) in enumerate(SWAP_PAIRS):
    SWAP_INDEX[_i, _j] = _index
