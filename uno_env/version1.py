"""Ids of version 1 (releases before 0.2): how its faces and actions are numbered now.

Replays and checkpoints of that time hold ids; they are read through these tables.
"""

from .actions import ACTIONS, MAX_SEATS, SWAP_PAIRS, action_id
from .cards import COLORS, FACES, face_id

_COLORED = (*map(str, range(10)), "skip", "reverse", "draw2", "draw4", "discard-all", "skip-all")
_WILDS = (
    "wild", "wild-draw4", "wild-hyper-speed", "wild-reverse-draw4", "wild-draw6", "wild-draw10",
    "wild-roulette", "wild-swap", "wild-team-play", "wild-team-draw2",
)  # fmt: skip
FACES_1: tuple[str, ...] = (
    *(f"{color}-{kind}" for color in COLORS for kind in _COLORED),
    *_WILDS,
    *(f"{color}-{number}+give" for color in COLORS for number in range(10)),
)
"""The faces of version 1 by id."""
_WORDS = ("draw", "keep", "pass", "take", "accept", "challenge")
ACTIONS_1: tuple[str, ...] = (
    *(f"play {face}" for face in FACES_1),
    *_WORDS,
    *(f"color {color}" for color in COLORS),
    *(f"target +{k}" for k in range(1, MAX_SEATS)),
    *(f"swap +{i} +{j}" for i, j in SWAP_PAIRS),
    *("no-swap", "call-uno", "stay-silent", "catch", "ignore", "jump-in", "sum"),
)
"""The actions of version 1 by id."""
GONE = -1
"""Stands for a zero with the give symbol, which no deck has any more."""

_NAMED, _DOABLE = frozenset(FACES), frozenset(ACTIONS)
NEW_FACE = tuple(face_id(name) if name in _NAMED else GONE for name in FACES_1)
"""The present id of each face of version 1."""
NEW_ACTION = tuple(action_id(text) if text in _DOABLE else GONE for text in ACTIONS_1)
"""The present id of each action of version 1."""
