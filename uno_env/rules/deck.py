"""Deck: how many copies of each face a rule set uses. Immutable and hashable."""

from collections.abc import Iterator, Mapping
from typing import Any

from ..cards import (
    CARDS,
    COLORED_KINDS,
    COLORS,
    FACES,
    NUM_FACES,
    UnknownCard,
    face_id,
    kind_of,
)

MAX_CARDS = 500
"""Most cards in play."""


CLASSIC_DECK = {
    "0": 1,
    **{str(number): 2 for number in range(1, 10)},
    "skip": 2,
    "reverse": 2,
    "draw2": 2,
    "wild": 4,
    "wild-draw4": 4,
}
"""The 108 cards of the classic game, as changes of an empty deck."""


class Deck(Mapping[str, int]):
    """Counts per face name; faces with no copy are left out.

    A change is a mapping whose keys are a face (`red-7`), a coloured kind for all four
    colours (`skip`, `0`, `4+give`) or `*` for every face, applied from the broadest to the
    narrowest.
    """

    __slots__ = ("_counts",)

    def __init__(self, counts: Mapping[str, int] | tuple[int, ...] = ()) -> None:
        if isinstance(counts, tuple):
            self._counts = counts or (0,) * NUM_FACES
        else:
            self._counts = Deck().changed(counts)._counts

    @property
    def counts(self) -> tuple[int, ...]:
        """Copies of every face, by face number."""
        return self._counts

    @property
    def size(self) -> int:
        """Number of cards."""
        return sum(self._counts)

    def kind_total(self, kind: int) -> int:
        """Cards of one kind (index into KINDS), over all colours, give symbol or not."""
        return sum(n for face, n in enumerate(self._counts) if n and kind_of(face) == kind)

    def changed(self, changes: Mapping[str, Any]) -> "Deck":
        """A deck with some counts replaced."""
        counts = list(self._counts)
        expanded = [(_faces_named(key), key, value) for key, value in changes.items()]
        for faces, key, value in sorted(expanded, key=lambda item: -len(item[0])):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 99:
                raise ValueError(f"deck[{key!r}] is {value!r}; a count from 0 to 99 is needed")
            for face in faces:
                counts[face] = value
        return Deck(tuple(counts))

    def differences(self, base: "Deck") -> dict[str, int]:
        """The change that turns `base` into this deck."""
        pairs = zip(FACES, self._counts, base._counts, strict=True)
        return {name: mine for name, mine, theirs in pairs if mine != theirs}

    def __getitem__(self, name: str) -> int:
        count = self._counts[face_id(name)]
        if not count:
            raise KeyError(name)
        return count

    def __iter__(self) -> Iterator[str]:
        return (name for name, count in zip(FACES, self._counts, strict=True) if count)

    def __len__(self) -> int:
        return sum(1 for count in self._counts if count)

    def __hash__(self) -> int:
        return hash(self._counts)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Deck):
            return self._counts == other._counts
        return super().__eq__(other)

    def __repr__(self) -> str:
        return f"Deck({dict(self)})"


def _faces_named(key: str) -> list[int]:
    if key == "*":
        return [face_id(name) for name in CARDS]
    kind = str(key).removesuffix("+give")
    if kind in COLORED_KINDS:
        return [face_id(f"{color}-{key}") for color in COLORS]
    try:
        return [face_id(key)]
    except UnknownCard as error:
        raise ValueError(f"deck: {error}") from None
