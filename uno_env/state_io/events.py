"""Events: the engine's log rows as readable dicts, and what one seat may know of them."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from ..cards import COLORS, FACES
from ..engine.observation.event_log import EVENTS

Event = dict[str, Any]

_CARD_EVENTS = frozenset({"play", "jump-in", "draw", "give", "open", "discard-all"})
_AMOUNT_EVENTS = frozenset({"take", "accept", "eliminate", "back", "fault"})
_SECRET: dict[str, tuple[str, ...]] = defaultdict(lambda: ("cards",), cut=("amount",))
"""What of an event is left out for a seat not in its `known_to`."""

_SEAT_EVENTS = {"uno-call": "holder", "catch": "holder", "swap": "other", "target": "other"}


def read_events(rows: Any, num_players: int) -> list[Event]:
    """Translate the rows of one engine call; consecutive draws of one seat become one event."""
    events: list[Event] = []
    for code, seat, number, knowers in rows.tolist():
        kind = EVENTS[code]
        if kind == "card":
            events[-1]["cards"].append(FACES[seat])
        elif kind == "draw" and _continues(events, seat, knowers, num_players):
            events[-1]["cards"].append(FACES[number])
            events[-1]["count"] += 1
        else:
            events.append(_read(kind, seat, number, knowers, num_players))
    return events


def _continues(events: list[Event], seat: int, knowers: int, num_players: int) -> bool:
    last = events[-1] if events else {}
    return (
        last.get("type") == "draw"
        and last["seat"] == seat
        and last["known_to"] == _seats(knowers, num_players)
    )


def _read(kind: str, seat: int, number: int, knowers: int, num_players: int) -> Event:
    event: Event = {"type": kind, "seat": seat}
    if kind in _CARD_EVENTS:
        event["cards"] = [FACES[number]]
        event["known_to"] = _seats(knowers, num_players)
        if kind == "draw":
            event["count"] = 1
        elif kind == "give":
            event["to"] = knowers >> 16
    elif kind in ("hand", "sum"):
        event |= {"cards": [], "known_to": _seats(knowers, num_players), "points": number}
    elif kind == "cut":
        event |= {"amount": number, "known_to": []}
    elif kind in ("color", "roulette"):
        event["color"] = COLORS[number]
    elif kind == "challenge":
        event["bluff"] = bool(number)
    elif kind == "reverse":
        event["direction"] = number
    elif kind == "recycle":
        event = {"type": kind, "seat": None, "count": number}
    elif kind == "team-play-failed":
        event["partner"] = number
    elif kind in ("round-end", "match-end"):
        winners = _seats(seat, num_players)
        event = {"type": kind, "seat": None, "winners": winners, "round": number}
    elif kind == "deal":
        event["round"] = number
    elif kind in _SEAT_EVENTS:
        event[_SEAT_EVENTS[kind]] = number
    elif kind in _AMOUNT_EVENTS:
        event["amount"] = number
    elif kind == "out" and number:
        # Where the round is played on for places; in teams a seat may come back.
        event["place"] = number
    return event


def _seats(bits: int, num_players: int) -> list[int]:
    return [seat for seat in range(num_players) if bits >> seat & 1]


def visible_events(events: Iterable[Event], seat: int) -> list[Event]:
    """What a seat may know: cards it did not see are left out, and so are others' hidden choices.

    `keep` tells that the drawn card was playable, so only the drawer sees it.
    """
    return [
        event if seat in event.get("known_to", (seat,)) else _without_secrets(event)
        for event in events
        if event["type"] != "keep" or event["seat"] == seat
    ]


def public_events(events: Iterable[Event], num_players: int) -> list[Event]:
    """What a spectator may know: what every seat knows."""
    everybody = range(num_players)
    return [
        event if len(event.get("known_to", everybody)) == num_players else _without_secrets(event)
        for event in events
        if event["type"] != "keep"
    ]


def _without_secrets(event: Event) -> Event:
    return {key: value for key, value in event.items() if key not in _SECRET[event["type"]]}


class SeatEvents:
    """What one seat has been told of a list of events that only grows.

    A view shows all of it, and a game may go on for thousands of moves, so each event is looked
    at once.
    """

    def __init__(self, source: list[Event], seat: int) -> None:
        self.source = source
        self._seat, self._read = seat, 0
        self._shown: list[Event] = []

    def so_far(self) -> list[Event]:
        """The events up to now, as a list of the caller's own."""
        self._shown += visible_events(self.source[self._read :], self._seat)
        self._read = len(self.source)
        return self._shown.copy()
