"""The table picture: who sits where and what lies in the middle; `front` draws the rest."""

from dataclasses import replace
from typing import Any

from .cards import BACK_NAME
from .front import LEFT, RIGHT, H, W, card_row, front, log, seat_note, short
from .glyphs import sign_of
from .palette import (
    ACCENT,
    ALERT,
    CARD,
    INK,
    LINE,
    MUTED,
    PANEL,
    ROOM,
    TABLE,
    TEXT,
    WILD,
)
from .scene import (
    Box,
    Card,
    Disc,
    Item,
    Scene,
    Shape,
    Stroke,
    Words,
    arc,
    moved,
)
from .shown import Shown
from .words import VARIANT_WORDS, seen_words, story, task_words

_SEAT_W, _SEAT_H = 164, 82
_LEAST_LETTERS = 10.0
"""Pixels of the smallest letters that are read without effort."""
_MOST_GROWN = 1.45
_MIDDLE = ((LEFT + RIGHT) / 2, 268)


def table_scene(what: Shown) -> Scene:
    """Everything a `Shown` has to show, as one picture."""
    view = what.view
    items: list[Item] = [Box(0, 0, W, H, 0, ROOM), Box(LEFT, 48, RIGHT - LEFT, 364, 22, TABLE)]
    items += _header(what) + _middle(view)
    for seat, (x, y) in zip(what.others, seat_places(len(what.others)), strict=True):
        items += _seat(what, seat, x, y)
    items += front(what) + log(what)
    title = f"{variant_words(view)}: {task_words(view, what.names)}"
    return Scene(W, H, title, tuple(items))


def small_scene(what: Shown, width: int) -> Scene:
    """The same for pictures of few pixels: no list of events, only the last, and larger letters.

    Args:
        what: what to show.
        width: pixels across.
    """
    whole = table_scene(what)
    side = log(what)
    across = RIGHT + LEFT
    grown = min(_MOST_GROWN, max(1.0, _LEAST_LETTERS * across / (13 * width)))
    last = story(what.view["events"], what.names, 1)
    items = [item for item in whole.items if item not in side and item not in _header(what)]
    title = short(last[-1] if last else variant_words(what.view), int(62 / grown))
    items.append(Words(LEFT + 4, 34, title, 17, TEXT, bold=True))
    sized = (replace(i, size=i.size * grown) if isinstance(i, Words) else i for i in items)
    return Scene(across, H, whole.title, tuple(sized))


def variant_words(view: dict[str, Any]) -> str:
    """The name of the game, with a word on changed rules."""
    changed = len(view["rules"])
    name = VARIANT_WORDS.get(view["variant"], view["variant"])
    return f"{name} with house rules" if changed else str(name)


def sides(others: int) -> tuple[int, int, int]:
    """How many of the other seats sit left, opposite and right."""
    side = others // 3 if others != 2 else 1
    return side, others - 2 * side, side


def seat_places(others: int) -> list[tuple[float, float]]:
    """Top left corners of the other seats' panels, clockwise from the seat in front."""
    left, top, right = sides(others)
    pitch = _SEAT_H + 6
    ys = [_middle_of(left, pitch, 276) + i * pitch for i in range(left)]
    gap = (RIGHT - LEFT - top * _SEAT_W) / (top + 1)
    xs = [LEFT + gap + i * (_SEAT_W + gap) for i in range(top)]
    return [
        *((LEFT + 12, y) for y in reversed(ys)),
        *((x, 58.0) for x in xs),
        *((RIGHT - 12 - _SEAT_W, y) for y in ys[:right]),
    ]


def _middle_of(count: int, pitch: float, center: float) -> float:
    return center - (count * pitch - 6) / 2


def _header(what: Shown) -> list[Item]:
    view = what.view
    facts = [f"{view['num_players']} players", f"round {view['round'] + 1}"]
    seen = "all hands shown" if what.everything else seen_words(what.names[what.front])
    return [
        Words(LEFT + 4, 32, variant_words(view), 20, TEXT, bold=True),
        Words(RIGHT - 4, 32, "  ·  ".join(facts), 14, MUTED, "end"),
        Words(W - 20, 32, seen, 14, MUTED, "end"),
    ]


def _middle(view: dict[str, Any]) -> list[Item]:
    """Draw pile, top card with the active colour around it, direction, penalty."""
    x, y = _MIDDLE
    items = _direction(view["direction"])
    pile = min(view["draw_pile_size"], 3)
    items += [Card(BACK_NAME, x - 92 - 2 * i, y - 52 - 2 * i, 66) for i in range(pile)]
    if not pile:
        items.append(Box(x - 92, y - 52, 66, 99, 8, TABLE, LINE, 2))
    items.append(Words(x - 60, y - 66, f"{view['draw_pile_size']} to draw", 13, MUTED, "middle"))
    active = view["active_color"]
    top_x, top_y, top_w = x - 6, y - 70, 86
    if active:
        items.append(Box(top_x - 6, top_y - 6, top_w + 12, top_w * 1.5 + 12, 15, CARD[active]))
        items.append(Box(top_x - 2, top_y - 2, top_w + 4, top_w * 1.5 + 4, 11, TABLE))
    items.append(Card(view["top_card"], top_x, top_y, top_w))
    return items + _color_badge(view, top_x + top_w / 2, y + 80) + _penalty(view)


def _color_badge(view: dict[str, Any], x: float, y: float) -> list[Item]:
    active = view["active_color"]
    if not active:
        return [Words(x, y + 6, "no colour", 13, MUTED, "middle")]
    name = f"hyper {active}" if view["hyper_color"] else active
    w = 40 + 9 * len(name)
    return [
        Box(x - w / 2, y - 12, w, 26, 13, CARD[active]),
        *moved([sign_of(active, INK[active])], x - w / 2 + 17, y + 1, 6),
        Words(x - w / 2 + 29, y + 6, name, 14, INK[active], bold=True),
    ]


def _penalty(view: dict[str, Any]) -> list[Item]:
    pending = view["pending"]
    if not pending:
        return []
    x, y = _MIDDLE[0] + 118, _MIDDLE[1] - 10
    return [
        Disc(x, y, 24, ALERT),
        Words(x, y + 7, f"+{pending['amount']}", 19, WILD, "middle", bold=True),
        Words(x, y + 40, "penalty", 12, ALERT, "middle"),
    ]


def _direction(direction: int) -> list[Item]:
    """Two arrows around the middle, the way play goes."""
    x, y = _MIDDLE[0], _MIDDLE[1]
    items: list[Item] = []
    for start in (212, 32):
        line = arc(x, y, 150, 116, start, start + 116, 30)
        line = line if direction == 1 else line[::-1]
        (ax, ay), (bx, by) = line[-2], line[-1]
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        dx, dy = (bx - ax) / length, (by - ay) / length
        tip = ((bx + 13 * dx, by + 13 * dy), (bx - 9 * dy, by + 9 * dx), (bx + 9 * dy, by - 9 * dx))
        items += [Stroke(line, LINE, 5), Shape(tip, LINE)]
    return items


def _seat(what: Shown, seat: int, x: float, y: float) -> list[Item]:
    """Another seat: name, hand size, cards, and what is special about it."""
    view = what.view
    acts = view["actor"] == seat or seat in view["winners"]
    away = seat in view["eliminated"] or seat in view["out"]
    size, note = view["hand_sizes"][seat], seat_note(view, seat)
    name = short(what.names[seat], 15 - len(note) * 3 // 4)
    faces = [*what.hands[seat], *[BACK_NAME] * (size - len(what.hands[seat]))]
    return [
        Box(x, y, _SEAT_W, _SEAT_H, 12, PANEL, ACCENT if acts else LINE, 3 if acts else 1),
        Words(x + 12, y + 23, name, 14, MUTED if away else TEXT, bold=True),
        Words(x + _SEAT_W - 12, y + 24, str(size), 17, TEXT, "end", bold=True),
        *_note(note, x + _SEAT_W - 38, y + 23),
        *card_row(faces, x + 10, y + 34, _SEAT_W - 20, 26),
    ]


def _note(note: str, right: float, y: float) -> list[Item]:
    if note != "UNO":
        return [Words(right, y, note, 11.5, MUTED, "end")] if note else []
    return [
        Box(right - 36, y - 14, 36, 18, 9, ACCENT),
        Words(right - 18, y - 1, note, 11.5, WILD, "middle", bold=True),
    ]
