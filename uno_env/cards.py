"""Card faces: their names, numbers and printed properties.

A face is a small integer. Copies of one face are interchangeable, so the rest of the project
speaks of faces and counts, never of physical cards. What a kind does is in `kinds.py`.

Layout of the face table (`FACES`), chosen so that a hand fits two 64-bit sets:

    0..71     color * 18 + kind               coloured faces
    72..91    72 + kind                       wilds
    92..127   92 + color * 9 + number - 1     number cards that bear the Teams give symbol

Faces of reserved kinds have ids and no name that a deck, a position or an action may use.
"""

from collections.abc import Iterable

from .kinds import (
    COLORED_KINDS,
    COLORED_SLOTS,
    FIRST_WILD_KIND,
    KINDS,
    NUMBERS,
    RESERVED,
    WILD_SLOTS,
    WILDS,
)

__all__ = ["COLORED_KINDS", "COLORS", "FACES", "KINDS", "NUM_FACES", "WILDS"]

COLORS = ("red", "yellow", "green", "blue")
NO_COLOR = len(COLORS)

GIVE_NUMBERS = tuple(range(1, NUMBERS))
"""Numbers whose cards may bear the give symbol: the Teams deck has no zero."""
FIRST_WILD = NO_COLOR * COLORED_SLOTS
FIRST_GIVE = FIRST_WILD + WILD_SLOTS

FACES: tuple[str, ...] = (
    *(f"{color}-{kind}" for color in COLORS for kind in KINDS[:COLORED_SLOTS]),
    *KINDS[COLORED_SLOTS:],
    *(f"{color}-{number}+give" for color in COLORS for number in GIVE_NUMBERS),
)
"""The name of every face by its id, reserved ones included."""
NUM_FACES = len(FACES)
CARDS = tuple(name for name in FACES if RESERVED not in name)
"""The faces that exist, by name."""
_FACE_ID = {name: face for face, name in enumerate(FACES) if RESERVED not in name}


class UnknownCard(ValueError):
    """A card name that is not in the face table."""


def face_id(name: str) -> int:
    """The number of a face, from its name."""
    try:
        return _FACE_ID[name]
    except (KeyError, TypeError):
        raise UnknownCard(
            f"unknown card {name!r}; cards are named like red-7, blue-draw2, wild, "
            "wild-draw4 or green-4+give (see uno_env.CARDS)"
        ) from None


def face_ids(names: Iterable[str]) -> list[int]:
    """The numbers of several faces."""
    return [face_id(name) for name in names]


def color_of(face: int) -> int:
    """Printed colour of a face, NO_COLOR for a wild."""
    if face < FIRST_WILD:
        return face // COLORED_SLOTS
    return NO_COLOR if face < FIRST_GIVE else (face - FIRST_GIVE) // len(GIVE_NUMBERS)


def kind_of(face: int) -> int:
    """Index into KINDS: what is printed on the face besides its colour."""
    if face < FIRST_WILD:
        return face % COLORED_SLOTS
    if face < FIRST_GIVE:
        return face - FIRST_WILD + FIRST_WILD_KIND
    return GIVE_NUMBERS[(face - FIRST_GIVE) % len(GIVE_NUMBERS)]


def is_number(face: int) -> bool:
    """Whether the face is a number card (with or without the give symbol)."""
    return kind_of(face) < NUMBERS


def is_wild(face: int) -> bool:
    """Whether the face has no printed colour."""
    return FIRST_WILD <= face < FIRST_GIVE
