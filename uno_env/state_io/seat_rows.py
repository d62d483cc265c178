"""What everybody knows of each seat besides its cards: missing colours, last action, cards played.

The engine keeps it as one row of bytes a seat, which enters the observation as it is; snapshots
and views say it in words.
"""

from typing import Any

from ..cards import COLORS
from ..engine.state import (
    SEAT_CARDS_PLAYED,
    SEAT_DREW,
    SEAT_LAST_COLOR,
    SEAT_MISSING,
    SEAT_PLAYED,
    SEAT_SCORE,
    SEAT_TOOK,
)
from .position import Position

PLAYS = (None, "number", "action", "wild")
"""Kinds of card a last action laid, in the order of the engine's codes."""
LAST_ACTION_KEYS = ("color", "play", "drawn", "taken")
NO_ACTION = {"color": None, "play": None, "drawn": 0, "taken": 0}


def score_byte(score: int, match_target: int) -> int:
    """A score as a share of the match target, 255 for all of it."""
    return min(max(score * 255 // match_target, 0), 255)


def missing_colors(state: Any) -> dict[int, dict[str, int]]:
    """Per seat, the most cards of a colour it can still hold, where that is known."""
    missing = {}
    for seat, row in enumerate(state["seats"][: int(state["num_players"])].tolist()):
        bounds = row[SEAT_MISSING : SEAT_MISSING + 4]
        if any(bounds):
            missing[seat] = {
                color: bound - 1 for color, bound in zip(COLORS, bounds, strict=True) if bound
            }
    return missing


def last_actions(state: Any) -> list[dict[str, Any]]:
    """Per seat, its last action: the colour it was about, the kind of card laid, cards drawn."""
    return [
        {
            "color": COLORS[colors.index(1)] if any(colors) else None,
            "play": PLAYS[row[SEAT_PLAYED]],
            "drawn": row[SEAT_DREW],
            "taken": row[SEAT_TOOK],
        }
        for row in state["seats"][: int(state["num_players"])].tolist()
        for colors in [row[SEAT_LAST_COLOR : SEAT_LAST_COLOR + 4]]
    ]


def cards_played(state: Any) -> list[int]:
    """Per seat, the cards it has played in this round, counted up to 255."""
    played = state["seats"][: int(state["num_players"]), SEAT_CARDS_PLAYED]
    return played.tolist()  # type: ignore[no-any-return]


def set_seat_rows(state: Any, position: Position) -> None:
    """Write the row of every seat from a position."""
    target = position.rules.match_target
    away = {*position.eliminated, *position.out}
    rows = state["seats"]
    for seat, hand in enumerate(position.hands):
        row = rows[seat]
        row[:3] = len(hand), seat in position.uno_called, seat not in away
        row[SEAT_SCORE] = score_byte(position.scores[seat], target)
        for color, most in position.missing_colors.get(seat, {}).items():
            row[SEAT_MISSING + COLORS.index(color)] = 1 + most
        last = position.last_actions[seat]
        if last["color"] is not None:
            row[SEAT_LAST_COLOR + COLORS.index(last["color"])] = 1
        row[SEAT_PLAYED] = PLAYS.index(last["play"])
        row[SEAT_DREW], row[SEAT_TOOK] = last["drawn"], last["taken"]
        row[SEAT_CARDS_PLAYED] = position.cards_played[seat]
