"""Sitting at a table by texts: what a seat sees, acting, and waiting for the next decision.

Nothing is kept between calls. A seat is named by table, number and token, as over HTTP, and
everything shown is made from the state that the server sends to that seat.
"""

import time
from dataclasses import dataclass
from typing import Any

from uno_env.text import AnswerError, describe, read_answer
from uno_env.text.describe import Form
from uno_env.text.language import Language

from ..api import table_protocol as tp
from ..client import Client, Seat

POLL_SECONDS = 0.1
MOST_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class SeatKey:
    """Who is asking: what `start_table` and `join_table` handed out."""

    table: str
    seat: int
    token: str


def seat_of(client: Client, key: SeatKey) -> Seat:
    """The seat a key opens; the server checks it with every call."""
    return client.seat(key.table, key.seat, key.token)


def look(
    client: Client, key: SeatKey, lang: Language, form: Form, wait_seconds: float = 0.0
) -> dict[str, Any]:
    """What a seat sees, once it is to decide, the game is over or the time has passed."""
    state = _wait(client, key, min(max(wait_seconds, 0.0), MOST_SECONDS))
    return _told(state, lang, form)


def act(
    client: Client, key: SeatKey, answer: str, lang: Language, wait_seconds: float
) -> dict[str, Any]:
    """Decide by number, action text or JSON, then wait for the next decision of the seat."""
    seat = seat_of(client, key)
    state = seat.view()
    if state.move is None:
        return {"accepted": False, "error": "you are not to decide now", **_told(state, lang)}
    legal = [option.action for option in state.legal]
    try:
        action = read_answer(answer, legal)
    except AnswerError as error:
        return {"accepted": False, "error": str(error), **_told(state, lang)}
    seat.act(action, state.move)
    return {"accepted": True, "action": action, **look(client, key, lang, "short", wait_seconds)}


def watch(client: Client, table: str, lang: Language) -> dict[str, Any]:
    """What a spectator sees."""
    state = client.call("GET", f"/v1/tables/{table}/view", tp.State)
    return _told(state, lang)


def _wait(client: Client, key: SeatKey, seconds: float) -> tp.State:
    seat, until = seat_of(client, key), time.monotonic() + seconds
    while True:
        state = seat.view()
        is_done = state.move is not None or state.status in ("over", "closed")
        if is_done or time.monotonic() >= until:
            return state
        time.sleep(POLL_SECONDS)


def _told(state: tp.State, lang: Language, form: Form = "short") -> dict[str, Any]:
    told: dict[str, Any] = {
        "status": state.status,
        "your_turn": state.move is not None,
        "players": [seat.name for seat in state.seats],
    }
    if state.view is not None:
        legal = [option.action for option in state.legal]
        view = {**state.view, "legal": legal, "events": state.events}
        names = [seat.name or f"Seat {seat.seat}" for seat in state.seats]
        told["text"] = describe(view, lang, form, names)
    return told
