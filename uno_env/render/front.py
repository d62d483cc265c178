"""The lower and right part of the table picture: the hand in front, and what happened."""

from textwrap import wrap
from typing import Any

from ..rules.rules import Rules
from .palette import ACCENT, LINE, MUTED, PANEL, TEXT
from .scene import Box, Card, Item, Words
from .shown import Shown
from .words import action_words, story, task_words

W, H = 960, 640
LEFT, RIGHT = 16, 688  # of the table and the hand
_TOP = 424
_LOG_X = 704


def seat_note(view: dict[str, Any], seat: int) -> str:
    """A word on a seat: out of the round, called, won, its score in match play."""
    if seat in view["winners"]:
        return "winner"
    if seat in view["eliminated"]:
        return "eliminated"
    if seat in view["out"]:
        return "out"
    if seat in view["uno_called"]:
        return "UNO"
    return f"{view['scores'][seat]} points" if view["episode"] == "match" else ""


def partner_seat(view: dict[str, Any], seat: int) -> int | None:
    """The seat that plays with another one, None where everybody plays alone."""
    mode = view["rules"].get("team_mode", Rules.preset(view["variant"]).team_mode)
    n: int = view["num_players"]
    return (seat + n // 2) % n if mode == "pairs" else None


def card_row(names: list[str], x: float, y: float, width: float, w: float) -> list[Item]:
    """Cards side by side, overlapping as much as the width demands."""
    pitch = min(w + 3, (width - w) / max(len(names) - 1, 1))
    return [Card(name, x + i * pitch, y, w) for i, name in enumerate(names)]


def front(what: Shown) -> list[Item]:
    """The hand in front, with what its seat may do: playable cards stand out."""
    view, seat = what.view, what.front
    acts = view["actor"] == seat
    width = RIGHT - LEFT
    items: list[Item] = [
        Box(LEFT, _TOP, width, 200, 18, PANEL, ACCENT if acts else LINE, 3 if acts else 1),
        Words(LEFT + 16, _TOP + 28, short(what.names[seat], 20), 16, TEXT, bold=True),
    ]
    note = seat_note(view, seat)
    size = view["hand_sizes"][seat]
    facts = f"{size} card{'' if size == 1 else 's'}{'  ·  ' + note if note else ''}"
    items.append(Words(RIGHT - 16, _TOP + 28, facts, 14, MUTED, "end"))
    items += _task(what)
    legal = {
        text.partition(" ")[2] for text in view["legal"] if text.startswith(("play ", "give "))
    }
    rows = [view["hand"]] if size <= 24 else [view["hand"][: size // 2], view["hand"][size // 2 :]]
    w = 72 if len(rows) == 1 else 40
    top = _TOP + (82 if len(rows) == 1 else 69)
    for row, names in enumerate(rows):
        laid = card_row(names, LEFT + 16, top + row * 65, width - 32, w)
        rise = (11 if len(rows) == 1 else 5) if acts else 0
        items += [
            _risen(card, rise if name in legal else 0)
            for card, name in zip(laid, names, strict=True)
        ]
    return items


def _risen(card: Item, by: float) -> Item:
    return Card(card.name, card.x, card.y - by, card.w) if isinstance(card, Card) else card


def _task(what: Shown) -> list[Item]:
    """Who decides what, and the choices that are not cards."""
    view = what.view
    words = task_words(view, what.names)
    color = ACCENT if view["actor"] == what.front or view["phase"] == "over" else MUTED
    items: list[Item] = [Words(LEFT + 16, _TOP + 52, words, 14, color)]
    if view["actor"] != what.front:
        return items
    labels = [action_words(text, what.front, what.names, view["phase"]) for text in view["legal"]
              if not text.startswith(("play ", "give "))]  # fmt: skip
    x = LEFT + 30 + 6.7 * len(words)
    for done, label in enumerate(labels):
        w = 20 + 6.7 * len(label)
        limit = RIGHT - (16 if done == len(labels) - 1 else 84)
        if x + w > limit:
            return [*items, Words(x + 2, _TOP + 52, f"+{len(labels) - done} more", 13, MUTED)]
        items.append(Box(x, _TOP + 36, w, 24, 12, LINE))
        items.append(Words(x + w / 2, _TOP + 52, label, 13, TEXT, "middle"))
        x += w + 6
    return items


def log(what: Shown) -> list[Item]:
    """The last events in words, the newest on top."""
    items: list[Item] = [
        Box(_LOG_X, 48, W - 16 - _LOG_X, H - 64, 18, PANEL, LINE, 1),
        Words(_LOG_X + 16, 76, "What happened", 15, TEXT, bold=True),
    ]
    y = 102.0
    for age, told in enumerate(reversed(story(what.view["events"], what.names, 25))):
        lines = wrap(told, 30)
        if y + 17 * len(lines) > H - 24:
            break
        for line in lines:
            items.append(Words(_LOG_X + 16, y, line, 13, TEXT if age < 3 else MUTED))
            y += 17
        y += 7
    return items


def short(name: str, width: int) -> str:
    """A name cut to so many letters."""
    return name if len(name) <= width else f"{name[: width - 1]}…"
