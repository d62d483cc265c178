"""Points of single kinds of cards, where a rule set differs from the usual values."""

from collections.abc import Iterator, Mapping
from typing import Any

from ..kinds import COLORED_KINDS, WILDS

MAX_POINTS = 1000
USUAL = "usual"
_NAMES = (*COLORED_KINDS, *WILDS)


class KindPoints(Mapping[str, int]):
    """Points by the name of a kind (`skip`, `7`, `wild-draw4`); immutable and hashable."""

    __slots__ = ("_points",)

    def __init__(self, points: Mapping[str, int] | tuple[tuple[str, int], ...] = ()) -> None:
        given = points.items() if isinstance(points, Mapping) else points
        for kind, number in given:
            _check(kind, number)
        self._points = tuple(sorted((str(kind), int(number)) for kind, number in given))

    def changed(self, changes: Mapping[str, Any]) -> "KindPoints":
        """The same with some points replaced; `usual` takes a kind back to its usual points."""
        merged = {**self, **{str(kind): number for kind, number in changes.items()}}
        return KindPoints({kind: number for kind, number in merged.items() if number != USUAL})

    def differences(self, base: "KindPoints") -> dict[str, int | str]:
        """The change that turns `base` into these points."""
        gone: dict[str, int | str] = {kind: USUAL for kind in base if kind not in self}
        return gone | {kind: number for kind, number in self.items() if base.get(kind) != number}

    def __getitem__(self, kind: str) -> int:
        for name, number in self._points:
            if name == kind:
                return number
        raise KeyError(kind)

    def __iter__(self) -> Iterator[str]:
        return (kind for kind, _ in self._points)

    def __len__(self) -> int:
        return len(self._points)

    def __hash__(self) -> int:
        return hash(self._points)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, KindPoints):
            return self._points == other._points
        return super().__eq__(other)

    def __repr__(self) -> str:
        return f"KindPoints({dict(self)})"


def _check(kind: Any, number: Any) -> None:
    if str(kind) not in _NAMES:
        raise ValueError(f"points: unknown kind {kind!r}; kinds are {', '.join(_NAMES)}")
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= MAX_POINTS:
        raise ValueError(
            f"points[{kind!r}] is {number!r}; a number from 0 to {MAX_POINTS} is needed"
        )
