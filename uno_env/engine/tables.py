"""Constant tables of the engine: face properties, sets of faces as 64-bit words, phases.

A set of faces is two words, `lo` and `hi`. A set of actions is four words whose first two are
the faces, so a hand masked by what matches *is* the set of legal plays.
"""

import numpy as np

from ..actions import MAX_SEATS, NUM_ACTIONS, SWAP_PAIRS
from ..cards import COLORS, FIRST_GIVE, NUM_FACES, color_of, face_id, kind_of
from ..kinds import FIRST_WILD_KIND, KIND_ID, NUM_KINDS, NUMBERS, Effect

ROW = NUM_FACES
"""Bytes of a row of counts per face: two cache lines."""
LEGAL_WORDS = -(-NUM_ACTIONS // 64)
"""Words of a set of actions."""
NO_COLOR = len(COLORS)

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
    "draw-target",
    "play-more",
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
    P_DRAW_TARGET,
    P_PLAY_MORE,
) = range(len(PHASES))

HIDDEN_PHASES = 1 << P_PLAY_DRAWN | 1 << P_REACT | 1 << P_PLAY_MORE
"""Phases, as bits, that only the seat to act may know of; to all others they look like `play`."""
SHOWN_PHASE = tuple(P_PLAY if HIDDEN_PHASES >> phase & 1 else phase for phase in range(len(PHASES)))
"""Each phase as the seats see it that are not to act."""
HIDDEN_PHASE_NAMES = tuple(name for phase, name in enumerate(PHASES) if HIDDEN_PHASES >> phase & 1)

K_SKIP = KIND_ID["skip"]
K_REVERSE = KIND_ID["reverse"]
K_WILD = KIND_ID["wild"]
K_BLANK = KIND_ID["wild-blank"]
K_SEVEN, K_ZERO = KIND_ID["7"], KIND_ID["0"]
FACE_WILD4 = face_id("wild-draw4")
FACE_GIVE = FIRST_GIVE

# Effects as plain numbers, for kernels.
(
    X_SKIP,
    X_REVERSE,
    X_DRAW,
    X_PLAY_AGAIN,
    X_DISCARD_COLOR,
    X_HYPER,
    X_ROULETTE,
    X_SWAP_TWO,
    X_SWAP_OWN,
    X_MAY_DECLINE,
    X_PASS_HANDS,
    X_TEAM_PLAY,
    X_TEAM_DRAW,
    X_TARGET_DRAW,
    X_CANCEL,
    X_DEFLECT,
) = (effect.value for effect in Effect)
X_MOVES_HANDS = X_SWAP_TWO | X_SWAP_OWN | X_PASS_HANDS

COLOR_OF = np.array([color_of(face) for face in range(NUM_FACES)], np.int64)
KIND_OF = np.array([kind_of(face) for face in range(NUM_FACES)], np.int64)


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
_WILD_FACES = [face for face in _ALL if color_of(face) == NO_COLOR]

BIT_LO, BIT_HI = _set_table((NUM_FACES,), {(face,): [face] for face in _ALL})
COLOR_LO, COLOR_HI = _set_table(
    (NO_COLOR + 1,),
    {
        (color,): [face for face in _ALL if color_of(face) == color < NO_COLOR]
        for color in range(NO_COLOR + 1)
    },
)
KIND_LO, KIND_HI = _set_table(
    (NUM_KINDS,),
    {(kind,): [face for face in _ALL if kind_of(face) == kind] for kind in range(NUM_KINDS)},
)


def _matches(color: int, kind: int) -> list[int]:
    """What may follow an active colour and a top kind: the colour, the same symbol, wilds.

    Where no colour is active, everything may.
    """
    return [
        face
        for face in _ALL
        if color == NO_COLOR
        or color_of(face) in (color, NO_COLOR)
        or (kind < FIRST_WILD_KIND and kind_of(face) == kind)
    ]


MATCH_LO, MATCH_HI = _set_table(
    (NO_COLOR + 1, NUM_KINDS),
    {
        (color, kind): _matches(color, kind)
        for color in range(NO_COLOR + 1)
        for kind in range(NUM_KINDS)
    },
)
WILD_LO, WILD_HI = (_bits(_WILD_FACES, word) for word in (0, 1))
JOKER_HI = _bits([face_id("wild")], 1)
WILD4_HI = _bits([FACE_WILD4], 1)
HYPER_HI = _bits([face_id("wild-hyper-speed")], 1)
NUMBER_LO, NUMBER_HI = (
    _bits([face for face in _ALL if kind_of(face) < NUMBERS], word) for word in (0, 1)
)
if WILD_LO:
    raise AssertionError("wilds must lie in the second word of a set")

SWAP_I = np.array([i for i, _ in SWAP_PAIRS], np.int64)
SWAP_J = np.array([j for _, j in SWAP_PAIRS], np.int64)
SWAP_INDEX = np.zeros((MAX_SEATS, MAX_SEATS), np.int64)
for _index, (_i, _j) in enumerate(SWAP_PAIRS):
    SWAP_INDEX[_i, _j] = _index
