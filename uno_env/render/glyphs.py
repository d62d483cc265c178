"""Glyphs: our own drawings of digits and card symbols, in a box from -1 to 1 each way.

Which glyph a card bears stands in the table of kinds (`uno_env.kinds.Kind.glyph`).
"""

from collections.abc import Callable

from .palette import CARD
from .scene import Box, Disc, Item, Points, Shape, Stroke, arc, moved

PEN = 0.27
"""Width of a stroke."""

_SIX: list[Points] = [
    arc(0, 0.42, 0.5, 0.5, 0, 360, 32),
    ((0.28, -0.92), *arc(0.35, 0.42, 0.85, 1.02, 232, 180, 10)),
]
_DIGITS: dict[str, list[Points]] = {
    "0": [arc(0, 0, 0.52, 0.92, 0, 360, 40)],
    "1": [((-0.3, -0.55), (0.1, -0.92), (0.1, 0.92))],
    "2": [(*arc(0, -0.42, 0.48, 0.5, 190, 390, 18), (-0.5, 0.92), (0.52, 0.92))],
    "3": [(*arc(0, -0.47, 0.44, 0.45, 205, 450, 18), *arc(0, 0.45, 0.5, 0.47, 270, 515, 18))],
    "4": [((0.22, 0.92), (0.22, -0.92), (-0.55, 0.4), (0.55, 0.4))],
    "5": [((0.42, -0.92), (-0.36, -0.92), (-0.42, -0.08), *arc(0, 0.38, 0.52, 0.54, 232, 500, 20))],
    "6": _SIX,
    "7": [((-0.5, -0.92), (0.5, -0.92), (-0.12, 0.92))],
    "8": [arc(0, -0.47, 0.41, 0.44, 0, 360, 28), arc(0, 0.43, 0.5, 0.48, 0, 360, 28)],
    "9": [tuple((-x, -y) for x, y in line) for line in _SIX],
    "+": [((-0.45, 0.1), (0.45, 0.1)), ((0, -0.35), (0, 0.55))],
}  # fmt: skip
_WIDTHS = {"1": 0.95, "+": 1.3}


def number(text: str, ink: str) -> list[Item]:
    """Digits and plus signs in a row, shrunk to fit the box."""
    widths = [_WIDTHS.get(sign, 1.38) for sign in text]
    items: list[Item] = []
    x = -sum(widths) / 2
    for sign, width in zip(text, widths, strict=True):
        lines: list[Item] = [Stroke(line, ink, PEN) for line in _DIGITS[sign]]
        items += moved(lines, x + width / 2, 0, 1)
        x += width
    return moved(items, 0, 0, min(1.0, 2.15 / sum(widths)))


def sign_of(color: str, fill: str) -> Item:
    """The symbol of a card colour, about as large as the box."""
    match color:
        case "red":
            return Shape(((0, -0.95), (1.0, 0.8), (-1.0, 0.8)), fill)
        case "yellow":
            return Disc(0, 0, 0.9, fill)
        case "green":
            return Box(-0.8, -0.8, 1.6, 1.6, 0.12, fill)
    return Shape(((0, -1.05), (0.9, 0), (0, 1.05), (-0.9, 0)), fill)


def four_signs() -> list[Item]:
    """The four colours together, the mark of a wild."""
    places = ((-0.52, -0.52), (0.52, -0.52), (-0.52, 0.52), (0.52, 0.52))
    items: list[Item] = []
    for color, (x, y) in zip(CARD, places, strict=True):
        items += moved([sign_of(color, CARD[color])], x, y, 0.42)
    return items


def sign_row() -> list[Item]:
    """The four colours in a row."""
    items: list[Item] = []
    for i, color in enumerate(CARD):
        items += moved([sign_of(color, CARD[color])], (i - 1.5) * 0.56, 0, 0.2)
    return items


def _tip(x: float, y: float, dx: float, dy: float, ink: str) -> Shape:
    """An arrow head at a point, looking along a unit direction."""
    size, half = 0.42, 0.36
    back = (x - dx * size * 0.3, y - dy * size * 0.3)
    return Shape(
        (
            (x + dx * size, y + dy * size),
            (back[0] - dy * half, back[1] + dx * half),
            (back[0] + dy * half, back[1] - dx * half),
        ),
        ink,
    )


def glyph(name: str, ink: str) -> list[Item]:
    """A drawing by the name that the table of kinds gives it; digits and `+` are written out."""
    return number(name, ink) if set(name) <= set(_DIGITS) else _GLYPHS[name](ink)


def _skip(ink: str) -> list[Item]:
    hop = arc(-0.08, 0.38, 0.72, 0.82, 180, 345)
    return [Stroke(hop, ink, PEN), _tip(0.62, 0.32, 0.12, 0.99, ink), Disc(-0.06, 0.5, 0.26, ink)]


def _skip_two(ink: str) -> list[Item]:
    """The hop of a skip over as many seats as the number says."""
    hop = arc(-0.08, 0.3, 0.8, 0.9, 180, 345)
    two = moved(number("2", ink), -0.08, 0.38, 0.5)
    return [Stroke(hop, ink, PEN * 0.85), _tip(0.7, 0.22, 0.12, 0.99, ink), *two]


def _skip_all(ink: str) -> list[Item]:
    hop = arc(-0.06, 0.3, 0.82, 0.9, 180, 345)
    dots: list[Item] = [Disc(x, 0.6, 0.17, ink) for x in (-0.5, -0.06, 0.38)]
    return [Stroke(hop, ink, PEN * 0.85), _tip(0.74, 0.22, 0.12, 0.99, ink), *dots]


def _reverse(ink: str) -> list[Item]:
    return [
        Stroke(((-0.8, -0.4), (0.45, -0.4)), ink, PEN),
        _tip(0.55, -0.4, 1, 0, ink),
        Stroke(((0.8, 0.4), (-0.45, 0.4)), ink, PEN),
        _tip(-0.55, 0.4, -1, 0, ink),
    ]


def _discard_all(ink: str) -> list[Item]:
    items: list[Item] = [
        Stroke(((-0.9, 0.25), (-0.9, 0.85), (0.9, 0.85), (0.9, 0.25)), ink, PEN * 0.8)
    ]
    for x, top in ((-0.44, -0.5), (0.0, -0.9), (0.44, -0.5)):
        items += [Stroke(((x, top), (x, 0.1)), ink, PEN * 0.7)]
        items += moved([_tip(0, 0, 0, 1, ink)], x, 0.14, 0.72)
    return items


def _hyper(ink: str) -> list[Item]:
    return [
        Stroke(((x - 0.28, -0.7), (x + 0.28, 0), (x - 0.28, 0.7)), ink, PEN)
        for x in (-0.58, 0, 0.58)
    ]


def _roulette(ink: str) -> list[Item]:
    items: list[Item] = [Disc(0, 0, 1.0, ink)]
    colors = list(CARD.values())
    for wedge in range(8):
        rim = arc(0, 0, 0.9, 0.9, wedge * 45, wedge * 45 + 45, 6)
        items.append(Shape(((0, 0), *rim), colors[wedge % 4]))
    return [*items, Disc(0, 0, 0.36, ink), Disc(0.48, -0.48, 0.17, ink)]


def _swap(ink: str) -> list[Item]:
    return [
        Box(-0.92, -0.62, 0.7, 1.05, 0.12, CARD["blue"], ink, 0.12),
        Box(0.22, -0.43, 0.7, 1.05, 0.12, CARD["red"], ink, 0.12),
        Stroke(arc(0, -0.5, 0.5, 0.42, 215, 325, 12), ink, 0.15),
        *moved([_tip(0, 0, 0.5, 0.86, ink)], 0.42, -0.72, 0.55),
        Stroke(arc(0, 0.5, 0.5, 0.42, 35, 145, 12), ink, 0.15),
        *moved([_tip(0, 0, -0.5, -0.86, ink)], -0.42, 0.72, 0.55),
    ]


def _forced_swap(ink: str) -> list[Item]:
    """Two arrows that carry a hand each to where the other was."""
    items: list[Item] = [
        Box(-0.42, -0.5, 0.56, 0.84, 0.1, CARD["green"], ink, 0.12),
        Box(-0.14, -0.34, 0.56, 0.84, 0.1, CARD["yellow"], ink, 0.12),
    ]
    for turn in (0, 180):
        ring = arc(0, 0, 0.86, 0.86, turn - 160, turn - 30, 18)
        x, y = ring[-1]
        items += [Stroke(ring, ink, PEN * 0.72)]
        items += moved([_tip(0, 0, -y / 0.86, x / 0.86, ink)], x, y, 0.72)
    return items


def _pawn(x: float, ink: str) -> list[Item]:
    body = ((x - 0.4, 0.85), *arc(x, 0.35, 0.4, 0.42, 180, 360, 12), (x + 0.4, 0.85))
    return [Disc(x, -0.38, 0.33, ink), Shape(body, ink)]


def _team_play(ink: str) -> list[Item]:
    return [*_pawn(-0.46, ink), *_pawn(0.46, ink)]


def _team_draw2(ink: str) -> list[Item]:
    return [*moved(_team_play(ink), 0, -0.48, 0.56), *moved(number("+2", ink), 0, 0.5, 0.52)]


def _reverse_draw4(ink: str) -> list[Item]:
    return [*moved(_reverse(ink), 0, -0.52, 0.6), *moved(number("+4", ink), 0, 0.48, 0.58)]


def _aim(ink: str) -> list[Item]:
    """Cross hairs."""
    ticks = (((-1, 0), (-0.5, 0)), ((1, 0), (0.5, 0)), ((0, -1), (0, -0.5)), ((0, 1), (0, 0.5)))
    return [
        Stroke(arc(0, 0, 0.72, 0.72, 0, 360, 32), ink, PEN * 0.85),
        *(Stroke(tick, ink, PEN * 0.85) for tick in ticks),
        Disc(0, 0, 0.2, ink),
    ]


def _target_draw2(ink: str) -> list[Item]:
    return [*moved(_aim(ink), 0, -0.46, 0.52), *moved(number("+2", ink), 0, 0.55, 0.5)]


def _blank(ink: str) -> list[Item]:
    """A card with nothing on it, in a broken line."""
    items: list[Item] = []
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        corner = ((x * 0.4, y * 0.9), (x * 0.64, y * 0.9), (x * 0.64, y * 0.66))
        side = ((x * 0.64, y * 0.36), (x * 0.64, y * 0.14))
        items += [Stroke(corner, ink, 0.14), Stroke(side, ink, 0.14)]
    return [*items, *(Stroke(((-0.1, y), (0.1, y)), ink, 0.14) for y in (-0.9, 0.9))]


def give_badge(ink: str, ground: str) -> list[Item]:
    """The Teams give symbol: a card handed on."""
    return [
        Disc(0, 0, 1.0, ink),
        Box(-0.62, -0.45, 0.55, 0.9, 0.1, ground),
        Stroke(((0.05, 0), (0.3, 0)), ground, 0.24),
        *moved([_tip(0, 0, 1, 0, ground)], 0.32, 0, 0.9),
    ]


_GLYPHS: dict[str, Callable[[str], list[Item]]] = {
    "skip": _skip,
    "skip-two": _skip_two,
    "skip-all": _skip_all,
    "reverse": _reverse,
    "reverse-draw4": _reverse_draw4,
    "discard-all": _discard_all,
    "wild": lambda ink: four_signs(),
    "hyper-speed": _hyper,
    "roulette": _roulette,
    "swap": _swap,
    "forced-swap": _forced_swap,
    "team-play": _team_play,
    "team-draw2": _team_draw2,
    "target-draw2": _target_draw2,
    "blank": _blank,
}
