"""Card faces: their names, numbers and printed properties.

A face is a small integer. Copies of one face are interchangeable, so the rest of the project
speaks of faces and counts, never of physical cards.

Layout of the face table (`FACES`), chosen so that a hand fits two 64-bit sets:

    0..63     color * 16 + kind        coloured faces
    64..73    the ten wilds
    74..113   74 + color * 10 + number number cards that bear the Teams give symbol
"""

from collections.abc import Iterable

COLORS = ("red", "yellow", "green", "blue")
NO_COLOR = 4

COLORED_KINDS = (
    *(str(number) for number in range(10)),
    "skip",
    "reverse",
    "draw2",
    "draw4",
    "discard-all",
    "skip-all",
)
WILDS = (
    "wild",
    "wild-draw4",
    "wild-hyper-speed",
    "wild-reverse-draw4",
    "wild-draw6",
    "wild-draw10",
    "wild-roulette",
    "wild-swap",
    "wild-team-play",
    "wild-team-draw2",
)
KINDS = (*COLORED_KINDS, *WILDS)

FIRST_WILD = 64
FIRST_GIVE = FIRST_WILD + len(WILDS)

FACES: tuple[str, ...] = (
    *(f"{color}-{kind}" for color in COLORS for kind in COLORED_KINDS),
    *WILDS,
    *(f"{color}-{number}+give" for color in COLORS for number in range(10)),
)
NUM_FACES = len(FACES)
_FACE_ID = {name: face for face, name in enumerate(FACES)}


class UnknownCard(ValueError):
    """A card name that is not in the face table."""


def face_id(name: str) -> int:
    """The number of a face, from its name."""
    try:
        return _FACE_ID[name]
    except (KeyError, TypeError):
        raise UnknownCard(
            f"unknown card {name!r}; cards are named like red-7, blue-draw2, wild, "
            "wild-draw4 or green-4+give (see uno_env.FACES)"
        ) from None


def face_ids(names: Iterable[str]) -> list[int]:
    """The numbers of several faces."""
    return [face_id(name) for name in names]


def color_of(face: int) -> int:
    """Printed colour of a face, NO_COLOR for a wild."""
    if face < FIRST_WILD:
        return face >> 4
    return NO_COLOR if face < FIRST_GIVE else (face - FIRST_GIVE) // 10


def kind_of(face: int) -> int:
    """Index into KINDS: what is printed on the face besides its colour."""
    if face < FIRST_WILD:
        return face & 15
    return face - FIRST_WILD + 16 if face < FIRST_GIVE else (face - FIRST_GIVE) % 10


def is_number(face: int) -> bool:
    """Whether the face is a number card (with or without the give symbol)."""
    return kind_of(face) < 10


def is_wild(face: int) -> bool:
    """Whether the face has no printed colour."""
    return FIRST_WILD <= face < FIRST_GIVE
