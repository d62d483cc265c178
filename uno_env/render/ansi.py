"""The table as text for a colour terminal: a symbol as well as a colour for every card colour.

Where the variable NO_COLOR is set (and not empty), the text has no escape codes at all.
"""

import os
from textwrap import wrap
from typing import Any

from .front import partner_seat, seat_note, short
from .palette import SYMBOL, TERMINAL, WILD_SYMBOL
from .shown import Shown
from .table import sides, variant_words
from .words import action_words, card_words, seen_words, story, task_words

COLUMNS = 80
_TABLE_ROWS = 13
_SEAT = 24

BOLD, DIM, ACCENT = "1", "2", "1;33"


class Page:
    """Lines of styled cells."""

    def __init__(self) -> None:
        self.lines: list[list[tuple[str, str]]] = []

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Write over what is there; what does not fit the line is cut off."""
        while len(self.lines) <= y:
            self.lines.append([(" ", "")] * COLUMNS)
        for i, letter in enumerate(text[: COLUMNS - x]):
            self.lines[y][x + i] = (letter, style)

    def text(self, colored: bool) -> str:
        """All lines, without blanks at their ends."""
        return "".join(f"{_line(cells, colored)}\n" for cells in self.lines)


def _line(cells: list[tuple[str, str]], colored: bool) -> str:
    if not colored:
        return "".join(letter for letter, _ in cells).rstrip()
    while cells and cells[-1] == (" ", ""):
        cells = cells[:-1]
    out, now = "", ""
    for letter, style in cells:
        if style != now:
            out += "\x1b[0m" if now else ""
            out += f"\x1b[{style}m" if style else ""
            now = style
        out += letter
    return out + ("\x1b[0m" if now else "")


def ansi(what: Shown) -> str:
    """The whole table as text of 80 columns."""
    page = Page()
    view = what.view
    seen = "all hands shown" if what.everything else seen_words(what.names[what.front])
    page.put(1, 0, variant_words(view), BOLD)
    page.put(28, 0, f"{view['num_players']} players, round {view['round'] + 1}", DIM)
    page.put(COLUMNS - 1 - len(seen), 0, seen, DIM)
    page.put(1, 1, "─" * (COLUMNS - 2), DIM)
    _seats(page, what)
    _middle(page, view)
    row = _front(page, what, 2 + _TABLE_ROWS)
    row = _others_cards(page, what, row)
    row = _choices(page, what, row)
    _events(page, what, row)
    return page.text(colored=not os.environ.get("NO_COLOR"))


def tag(card: str) -> str:
    """A card in a few letters: the symbol of its colour and what it is."""
    color = card.partition("-")[0]
    if color == "wild":
        return f"{WILD_SYMBOL}{card_words(card).removeprefix('wild ')}"
    return f"{SYMBOL[color]}{card_words(card).removeprefix(f'{color} ')}"


def _paint(color: str | None) -> str:
    """Escape code for text on a card colour; white on dark for a wild."""
    if color not in TERMINAL:
        return "1;97;48;2;44;49;60"
    r, g, b = TERMINAL[color]
    return f"1;{30 if color == 'yellow' else 97};48;2;{r};{g};{b}"


def _seats(page: Page, what: Shown) -> None:
    left, top, right = sides(len(what.others))
    gap = (COLUMNS - top * _SEAT) // (top + 1)
    side_rows = [6, 9, 12] if left > 2 else [6, 10] if left > 1 else [8]
    places = [
        *((1, y) for y in reversed(side_rows[:left])),
        *((gap + i * (_SEAT + gap), 2) for i in range(top)),
        *((COLUMNS - _SEAT + 2, y) for y in side_rows[:right]),
    ]
    for seat, (x, y) in zip(what.others, places, strict=True):
        _seat(page, what, seat, x, y)


def _seat(page: Page, what: Shown, seat: int, x: int, y: int) -> None:
    view = what.view
    acts = view["actor"] == seat
    size, note = view["hand_sizes"][seat], seat_note(view, seat)
    page.put(x, y, ">" if acts else " ", ACCENT)
    page.put(x + 2, y, short(what.names[seat], 14), ACCENT if acts else BOLD)
    page.put(x + 2 + min(len(what.names[seat]), 14) + 1, y, note, ACCENT if note == "UNO" else DIM)
    count = f"{size} card{'' if size == 1 else 's'} "
    if seat == partner_seat(view, what.front):
        count = f"partner, {count}"
    page.put(x + 2, y + 1, count + "▒" * min(size, _SEAT - 5 - len(count)), DIM)


def _middle(page: Page, view: dict[str, Any]) -> None:
    """Direction, top card, active colour, draw pile and penalty."""
    top = view["top_card"]
    style = _paint(top.partition("-")[0])
    mark, _, words = tag(top)[0], "", tag(top)[1:]
    x, y, w = 31, 6, 18
    for row in range(5):
        page.put(x, y + row, " " * w, style)
    page.put(x, y, f"┌{'─' * (w - 2)}┐", style)
    page.put(x, y + 4, f"└{'─' * (w - 2)}┘", style)
    for row in (1, 2, 3):
        page.put(x, y + row, "│", style)
        page.put(x + w - 1, y + row, "│", style)
    page.put(x + 2, y + 1, mark, style)
    page.put(x + w - 3, y + 3, mark, style)
    page.put(x + 1, y + 2, words[: w - 2].center(w - 2), style)
    arrow = "───→" if view["direction"] == 1 else "←───"
    below = "←───" if view["direction"] == 1 else "───→"
    page.put(x + 7, y - 1, arrow, BOLD)
    page.put(x + 7, y + 5, below, BOLD)
    _facts(page, view, x - 2, y + 6)


def _facts(page: Page, view: dict[str, Any], x: int, y: int) -> None:
    active = view["active_color"]
    color = f" {SYMBOL[active]} {active} " if active else " no colour "
    page.put(x, y, color, _paint(active) if active else DIM)
    at = x + len(color) + 1
    if view["hyper_color"]:
        page.put(at, y, "hyper", ACCENT)
        at += 6
    page.put(at, y, f"{view['draw_pile_size']} to draw", DIM)
    if view["pending"]:
        page.put(x, y + 1, f"penalty +{view['pending']['amount']}", "1;31")


def _front(page: Page, what: Shown, row: int) -> int:
    view, seat = what.view, what.front
    acts = view["actor"] == seat
    size = view["hand_sizes"][seat]
    page.put(1, row, "─" * (COLUMNS - 2), DIM)
    page.put(1, row + 1, ">" if acts else " ", ACCENT)
    page.put(3, row + 1, short(what.names[seat], 30), ACCENT if acts else BOLD)
    note = seat_note(view, seat)
    facts = f"{size} card{'' if size == 1 else 's'}{', ' + note if note else ''}"
    page.put(COLUMNS - 1 - len(facts), row + 1, facts, DIM)
    return _cards(page, view["hand"], 3, row + 2) + 1


def _others_cards(page: Page, what: Shown, row: int) -> int:
    """Cards of other hands that the one who looks knows."""
    start = row
    for seat in what.others:
        if what.hands[seat]:
            name = short(what.names[seat], 14)
            page.put(3, row, f"{name} has", DIM)
            row = _cards(page, what.hands[seat], 3 + len(name) + 5, row)
    return row + 1 if row > start else row


def _cards(page: Page, cards: list[str], left: int, row: int) -> int:
    """Cards side by side, on as many rows as they need; the next free row."""
    x = left
    for card in cards:
        label = f"[{tag(card)}]"
        if x + len(label) > COLUMNS - 2:
            row, x = row + 1, left
        page.put(x, row, label, _paint(card.partition("-")[0]))
        x += len(label) + 1
    return row + 1


def _choices(page: Page, what: Shown, row: int) -> int:
    """Who decides what; the legal actions, numbered from 1, as many columns as fit."""
    view = what.view
    page.put(3, row, task_words(view, what.names), ACCENT)
    if not view["legal"]:
        return row + 2
    labels = [
        action_words(text, view["actor"], what.names, view["phase"]) for text in view["legal"]
    ]
    cells = [f"{i:2} {label}" for i, label in enumerate(labels, start=1)]
    width = max(map(len, cells)) + 3
    columns = max(1, (COLUMNS - 5) // width)
    for i, cell in enumerate(cells):
        page.put(5 + i % columns * width, row + 1 + i // columns, cell)
    return row + 2 + (len(cells) + columns - 1) // columns


def _events(page: Page, what: Shown, row: int) -> None:
    """The last events, the newest last."""
    lines: list[str] = []
    for told in story(what.view["events"], what.names, 6):
        lines += wrap(told, COLUMNS - 5, subsequent_indent="  ")
    page.put(1, row, "─" * (COLUMNS - 2), DIM)
    for i, line in enumerate(lines[-6:]):
        page.put(3, row + 1 + i, line, "" if i >= len(lines[-6:]) - 2 else DIM)
