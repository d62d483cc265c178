"""The state message sent to a viewer of a table, made from its visible state alone."""

import time
from typing import Any

from uno_env import Rules
from uno_env.actions import action_id
from uno_env.render import action_words, sentence

from .hosted_table import PLAYING, HostedTable
from .setup import Seat
from .visible_state import Viewer, VisibleState


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
    state = table.visible.of(viewer)
    view: dict[str, Any] | None = state.view or None
    first = min(max(events_from, 0), state.num_events)
    if view is not None and whole:
        view = view | {"events": state.events[: state.num_events]}
    legal = view["legal"] if view is not None and state.move is not None else []
    return {
        "type": "state",
        "table": table.id,
        "game": table.game_number,
        "status": table.status,
        "seat": viewer,
        "move": state.move,
        "legal": legal_actions(table, viewer, view["phase"], legal)
        if view and viewer is not None
        else [],
        "view": view,
        "events": with_sentences(table, state.events[first : state.num_events]),
        "events_from": first,
        "clock": clock(table, state, viewer),
        "pause": None if table.window is None else table.window.public(time.monotonic()),
        "seats": [seat_info(table, seat) for seat in table.seats],
        "rematch": sorted(table.rematch),
        "sheet": table.visible.sheet[: state.num_rounds],
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
        "waiting_room": setup.waiting_room,
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


def legal_actions(
    table: HostedTable, seat: int, phase: str, legal: list[str]
) -> list[dict[str, Any]]:
    """Legal actions with ids and sentences."""
    names = table.names
    return [
        {"action": text, "id": action_id(text), "sentence": action_words(text, seat, names, phase)}
        for text in legal
    ]


def with_sentences(table: HostedTable, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events with a sentence each."""
    names = table.names
    return [{**event, "sentence": sentence(event, names)} for event in events]


def clock(table: HostedTable, state: VisibleState, viewer: Viewer) -> dict[str, Any] | None:
    """Whose clock runs, as far as the viewer may know."""
    if state.to_act is None or table.status != PLAYING:
        return None
    seat, since = state.to_act
    limit = table.setup.move_seconds
    if table.window is not None:
        if viewer not in table.window.questions or table.window.waits_for:
            return None
        seconds = table.window.answers_until - time.monotonic()
        return {"seat": viewer, "seconds": round(max(0.0, seconds), 2)}
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
        "present": seat.streams > 0 or (is_person and seat.is_here),
        "stand_in": is_person and not seat.is_present(table.setup.absent_seconds),
        "ready": seat.is_ready,
        "left": seat.has_left,
        "host": seat.number == table.setup.host_seat,
        "replaced": _replaced(table, seat),
    }


def _replaced(table: HostedTable, seat: Seat) -> dict[str, Any] | None:
    """Which weaker bot has decided for the seat's own in this game."""
    found = table.replaced.get(seat.number)
    return None if found is None else found.public()
