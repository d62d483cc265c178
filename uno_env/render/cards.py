"""Card pictures: every card and the back, our own design, 100 by 150 units."""

from functools import cache

from ..cards import CARDS, COLORS
from ..kinds import KIND_ID, KIND_TABLE
from .glyphs import give_badge, glyph, sign_of, sign_row
from .palette import BACK, BACK_LINE, CARD, EDGE, INK, SHADE, WILD, WILD_SHADE
from .scene import Box, Card, Item, Scene, Stroke, Words, moved

WIDTH, HEIGHT = 100, 150
BACK_NAME = "back"


@cache
def card_items(name: str) -> tuple[Item, ...]:
    """The shapes of a card, by face name or `back`."""
    if name == BACK_NAME:
        return tuple(_back())
    if name.startswith("wild"):
        return tuple(_wild(name))
    color, _, kind = name.partition("-")
    digits, give, _ = kind.partition("+give")
    items = _colored(color, digits)
    if give:
        items += moved(give_badge(INK[color], CARD[color]), 82, 20, 11)
        items += moved(give_badge(INK[color], CARD[color]), 18, 130, 11, flip=True)
    return tuple(items)


def _body(fill: str) -> Box:
    return Box(1.5, 1.5, WIDTH - 3, HEIGHT - 3, 11, fill, EDGE, 3)


def _glyph_of(kind: str) -> str:
    return KIND_TABLE[KIND_ID[kind]].glyph


def _colored(color: str, kind: str) -> list[Item]:
    """A large shaded sign of the colour behind the glyph, small ones below the corner marks."""
    ink = INK[color]
    mark = glyph(_glyph_of(kind), ink)
    return [
        _body(CARD[color]),
        *moved([sign_of(color, SHADE[color])], 50, 75, 40),
        *moved(mark, 50, 75, 27),
        *_corners(mark),
        *moved([sign_of(color, ink)], 19, 45, 6.5),
        *moved([sign_of(color, ink)], 81, 105, 6.5, flip=True),
    ]


def _wild(name: str) -> list[Item]:
    """The glyph, and below it the four colours in a row unless it is made of them."""
    plain = _glyph_of(name) == "wild"
    mark = glyph(_glyph_of(name), "#ffffff")
    return [
        _body(WILD),
        Box(12, 38, 76, 74, 14, WILD_SHADE),
        *moved(mark, 50, 75 if plain else 69, 30 if plain else 25),
        *_corners(mark),
        *([] if plain else moved(sign_row(), 50, 103, 22)),
    ]


def _corners(mark: list[Item]) -> list[Item]:
    return [*moved(mark, 19, 21, 12), *moved(mark, 81, 129, 12, flip=True)]


def _back() -> list[Item]:
    items: list[Item] = [_body(BACK)]
    items.append(Box(9, 9, WIDTH - 18, HEIGHT - 18, 7, BACK, BACK_LINE, 2.5))
    for ring in (44, 31, 18):
        tips = (
            (50, 75 - ring * 1.25),
            (50 + ring * 0.8, 75),
            (50, 75 + ring * 1.25),
            (50 - ring * 0.8, 75),
        )
        items.append(Stroke((*tips, tips[0]), BACK_LINE, 3.5))
    return items


def deck_sheet() -> Scene:
    """Every card and the back on one sheet, a row of names below each card."""
    columns, w, gap, top = 16, 70, 14, 18
    rows = _sheet_rows(columns)
    pitch = round(w * HEIGHT / WIDTH) + 30
    items: list[Item] = [
        Box(0, 0, columns * (w + gap) + gap, len(rows) * pitch + top, 0, "#f3f1ec")
    ]
    for row, names in enumerate(rows):
        for column, name in enumerate(names):
            x, y = gap + column * (w + gap), top + row * pitch
            items += [Card(name, x, y, w)]
            label = name.replace("wild-", "w-") if len(name) > 14 else name
            items += [Words(x + w / 2, y + w * 1.5 + 14, label, 9.5, "#4a4f57", "middle")]
    return Scene(columns * (w + gap) + gap, len(rows) * pitch + top, "All card faces", tuple(items))


def _sheet_rows(columns: int) -> list[list[str]]:
    """The cards of each colour, those with the give symbol, the wilds and the back."""
    groups = [
        [name for name in CARDS if name.startswith(f"{color}-") and name.endswith("+give") == gives]
        for gives in (False, True)
        for color in COLORS
    ]
    groups.append([*(name for name in CARDS if name.startswith("wild")), BACK_NAME])
    return [group[at : at + columns] for group in groups for at in range(0, len(group), columns)]
