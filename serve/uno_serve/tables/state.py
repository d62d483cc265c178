"""The state message: what a viewer of a table is sent, from what it has been shown."""

import time
from typing import Any

from uno_env import Rules
from uno_env.actions import action_id
from uno_env.render import sentence

from ..api.question import say
from .hosted_table import PLAYING, HostedTable
from .seats import Seat
from .shown import Shown, Viewer

HERE_SECONDS = 30.0
"""A person without a stream counts as here for so long after a call."""


def state_message(
    table: HostedTable, viewer: Viewer, events_from: int = 0, whole: bool = False
) -> dict[str, Any]:
    """What a viewer may know now.

    Args:
        table: the table.
        viewer: a seat, or None for a spectator.
        events_from: how many events the viewer has already.
        whole: put all events into the view, too.
    """
    shown = table.stage.shown(viewer)
    view: dict[str, Any] | None = shown.view or None
    first = min(max(events_from, 0), shown.told)
    if view is not None and whole:
        view = view | {"events": shown.news[: shown.told]}
    legal = view["legal"] if view is not None and shown.move is not None else []
    return {
        "type": "state",
        "table": table.id,
        "game": table.game_number,
        "status": table.status,
        "seat": viewer,
        "move": shown.move,
        "legal": options(table, viewer, legal) if viewer is not None else [],
        "view": view,
        "events": told(table, shown.news[first : shown.told]),
        "events_from": first,
        "clock": clock(table, shown, viewer),
        "seats": [seat_info(table, seat) for seat in table.seats],
        "rematch": sorted(table.rematch),
        "sheet": table.stage.sheet[: shown.rounds],
        "seeded": table.setup.seeded,
    }


def table_info(table: HostedTable) -> dict[str, Any]:
    """What anybody who knows the table's id may know: nothing of the cards."""
    setup = table.setup
    rules = Rules.from_text(setup.rules)
    return {
        "table": table.id,
        "game": table.game_number,
        "status": table.status,
        "variant": rules.variant,
        "rules": rules.to_dict(),
        "rules_text": setup.rules,
        "num_players": setup.num_players,
        "episode": setup.episode,
        "move_seconds": setup.move_seconds,
        "react_seconds": setup.react_seconds,
        "absent_seconds": setup.absent_seconds,
        "stand_in": setup.stand_in,
        "bot_delay": setup.bot_delay,
        "spectators": setup.spectators,
        "seeded": setup.seeded,
        "seats": [seat_info(table, seat) for seat in table.seats],
        "rematch": sorted(table.rematch),
    }


def options(table: HostedTable, seat: int, legal: list[str]) -> list[dict[str, Any]]:
    """Legal actions as they are shown."""
    names = table.names
    return [
        {"action": text, "id": action_id(text), "sentence": say(text, seat, len(names), names)}
        for text in legal
    ]


def told(table: HostedTable, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events with a sentence each."""
    names = table.names
    return [{**event, "sentence": sentence(event, names)} for event in events]


def clock(table: HostedTable, shown: Shown, viewer: Viewer) -> dict[str, Any] | None:
    """Whose time runs, as far as the viewer may know."""
    if shown.asked is None or table.status != PLAYING:
        return None
    seat, since = shown.asked
    limit = table.setup.move_seconds
    if seat == viewer and shown.view["phase"] == "react":
        limit = table.setup.react_seconds
    if limit is None or not table.seats[seat].is_person:
        return None
    return {"seat": seat, "seconds": round(max(0.0, since + limit - time.monotonic()), 2)}


def seat_info(table: HostedTable, seat: Seat) -> dict[str, Any]:
    """Who sits at a seat, and whether anybody is there."""
    is_person = seat.is_person
    return {
        "seat": seat.number,
        "kind": seat.kind,
        "name": seat.name,
        "bot": seat.bot,
        "open": seat.is_open,
        "present": seat.streams > 0 or (is_person and seat.is_present(HERE_SECONDS)),
        "stand_in": is_person and not seat.is_present(table.setup.absent_seconds),
    }
