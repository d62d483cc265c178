"""A scene: the few shapes every picture is made of, drawn to SVG text or to pixels.

Curves are sampled into points, so that both drawings come from one source and agree.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import cos, radians, sin
from typing import Literal

Points = tuple[tuple[float, float], ...]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with round corners."""

    x: float
    y: float
    w: float
    h: float
    r: float
    fill: str
    edge: str | None = None
    width: float = 0


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle."""

    x: float
    y: float
    r: float
    fill: str


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled polygon."""

    points: Points
    fill: str


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, with round ends."""

    points: Points
    color: str
    width: float


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text; y is its baseline."""

    x: float
    y: float
    text: str
    size: float
    color: str
    anchor: Anchor = "start"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A card by face name (or `back`), its top left corner and its width."""

    name: str
    x: float
    y: float
    w: float


Item = Box | Disc | Shape | Stroke | Words | Card


@dataclass(frozen=True)
class Scene:
    """A picture: its size, what it is called and its items, the lowest first."""

    width: int
    height: int
    title: str
    items: tuple[Item, ...]


def arc(
    x: float, y: float, rx: float, ry: float, start: float, end: float, steps: int = 24
) -> Points:
    """Points along an ellipse; degrees, clockwise on the page from three o'clock."""
    angles = [radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    return tuple((x + rx * cos(a), y + ry * sin(a)) for a in angles)


def moved(
    items: Iterable[Item], x: float, y: float, scale: float, flip: bool = False
) -> list[Item]:
    """Items drawn around the origin, scaled and put elsewhere; flipped is upside down."""
    turn = -scale if flip else scale
    return [_moved(item, x, y, scale, turn) for item in items]


def _moved(item: Item, x: float, y: float, scale: float, turn: float) -> Item:
    match item:
        case Disc():
            return replace(item, x=x + turn * item.x, y=y + turn * item.y, r=scale * item.r)
        case Shape():
            return replace(item, points=_moved_points(item.points, x, y, turn))
        case Stroke():
            points = _moved_points(item.points, x, y, turn)
            return replace(item, points=points, width=scale * item.width)
        case Box():
            left, top = (item.x, item.y) if turn > 0 else (item.x + item.w, item.y + item.h)
            return Box(
                x=x + turn * left,
                y=y + turn * top,
                w=scale * item.w,
                h=scale * item.h,
                r=scale * item.r,
                fill=item.fill,
                edge=item.edge,
                width=scale * item.width,
            )
    raise TypeError(f"{type(item).__name__} cannot be moved")


def _moved_points(points: Sequence[tuple[float, float]], x: float, y: float, turn: float) -> Points:
    return tuple((x + turn * px, y + turn * py) for px, py in points)
