"""Scenes as SVG text: cards are symbols, defined once and used by name; no fonts, no links."""

from collections.abc import Iterable
from html import escape

from .cards import HEIGHT, WIDTH, card_items
from .scene import Box, Card, Disc, Item, Points, Scene, Shape, Stroke, Words

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"


def svg(scene: Scene) -> str:
    """A whole SVG document of a scene."""
    names = sorted({item.name for item in scene.items if isinstance(item, Card)})
    body = "\n".join([f"<defs>{''.join(map(symbol, names))}</defs>", *map(element, scene.items)])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scene.width} {scene.height}" '
        f'width="{scene.width}" height="{scene.height}" font-family="{FONT}" role="img" '
        f'aria-label="{escape(scene.title)}">\n<title>{escape(scene.title)}</title>\n{body}\n</svg>\n'
    )


def symbol(name: str) -> str:
    """The definition of a card, to be used by name."""
    inside = "".join(map(element, card_items(name)))
    return f'<symbol id="{_id(name)}" viewBox="0 0 {WIDTH} {HEIGHT}">{inside}</symbol>'


def element(item: Item) -> str:
    """One item as an SVG element."""
    match item:
        case Box(x, y, w, h, r, fill, edge, width):
            line = f' stroke="{edge}" stroke-width="{_num(width)}"' if edge else ""
            place = f'x="{_num(x)}" y="{_num(y)}" width="{_num(w)}" height="{_num(h)}"'
            return f'<rect {place} rx="{_num(r)}" fill="{fill}"{line}/>'
        case Disc(x, y, r, fill):
            return f'<circle cx="{_num(x)}" cy="{_num(y)}" r="{_num(r)}" fill="{fill}"/>'
        case Shape(points, fill):
            return f'<polygon points="{_points(points)}" fill="{fill}"/>'
        case Stroke(points, color, width):
            return (
                f'<polyline points="{_points(points)}" fill="none" stroke="{color}" '
                f'stroke-width="{_num(width)}" stroke-linecap="round" stroke-linejoin="round"/>'
            )
        case Card(name, x, y, w):
            size = f'width="{_num(w)}" height="{_num(w * HEIGHT / WIDTH)}"'
            return f'<use href="#{_id(name)}" x="{_num(x)}" y="{_num(y)}" {size}/>'
    return _words(item)


def _words(item: Words) -> str:
    weight = ' font-weight="600"' if item.bold else ""
    anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
    return (
        f'<text x="{_num(item.x)}" y="{_num(item.y)}" font-size="{_num(item.size)}" '
        f'fill="{item.color}"{weight}{anchor}>{escape(item.text)}</text>'
    )


def _id(name: str) -> str:
    return f"card-{name.replace('+', '-')}"


def _points(points: Points) -> str:
    return " ".join(f"{round(x, 1) + 0:g},{round(y, 1) + 0:g}" for x, y in points)


def _num(value: float) -> str:
    """A number with two decimals at most, never -0."""
    return f"{round(value, 2) + 0:g}"


def symbols(names: Iterable[str]) -> str:
    """Definitions of several cards."""
    return "".join(map(symbol, sorted(set(names))))
