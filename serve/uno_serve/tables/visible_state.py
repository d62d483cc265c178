"""The visible state of each viewer of a table: the only source of every message about its cards.

While a hidden decision is open (`react`, `play-drawn`) only the seat to act gets updates. All
others keep their last state, so neither a message nor a number reveals that somebody has something
to decide.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from uno_env import Game
from uno_env.engine.tables import HIDDEN_PHASE_NAMES
from uno_env.state_io.events import Event, public_events, visible_events
from uno_env.state_io.view import View

Viewer = int | None
"""A seat, or None for spectators."""


@dataclass
class VisibleState:
    """What one viewer may know at the moment.

    Attributes:
        view: the seat's view without its events, or the public one.
        move: the number of the decision the seat has to make, None if it has none.
        events: every event the viewer may know of, of which the first `num_events` are visible.
        to_act: the seat everybody waits for, and since when.
        num_rounds: lines of the score sheet that are visible.
        version: grows with every change.
    """

    view: View = field(default_factory=dict)
    move: int | None = None
    events: list[Event] = field(default_factory=list)
    num_events: int = 0
    to_act: tuple[int, float] | None = None
    num_rounds: int = 0
    version: int = 0

    def clear_decision(self) -> None:
        """The seat has decided; the outcome is not public yet."""
        self.move = None
        self.view = {**self.view, "legal": []}
        self.version += 1


class VisibleStates:
    """The visible states of all viewers of one game, and its score sheet.

    Args:
        viewers: who may look.
        previous: those of the game before, whose versions go on.

    `history` holds every event of the game, hidden cards included; it is never sent. `id` is unique
    per instance, so that what was sent of a move that was taken back is never mixed up.
    """

    _ids = count()

    def __init__(
        self, viewers: Iterable[Viewer] = (), previous: "VisibleStates | None" = None
    ) -> None:
        self.id = next(self._ids)
        self.sheet: list[dict[str, Any]] = []
        self.history: list[Event] = []
        self._seat_events: dict[int, tuple[int, list[Event]]] = {}
        self._states = {
            viewer: VisibleState(version=previous.version(viewer) if previous else 0)
            for viewer in viewers
        }

    def of(self, viewer: Viewer) -> VisibleState:
        """The state of a viewer; an empty one if it may not look."""
        return self._states.get(viewer) or VisibleState()

    def version(self, viewer: Viewer) -> int:
        """Grows when there is something new for a viewer."""
        return self.of(viewer).version

    def collect_events(self, game: Game) -> None:
        """Move the new events of a game to every viewer who may know them, and to the sheet."""
        # Taken out of the game, so that a view costs the same at the end of a long match.
        events, game.events = game.events, []
        self.history += events
        for viewer, state in self._states.items():
            state.events += events_for(viewer, events, game.num_players)
        for event in events:
            if event["type"] == "round-end":
                line = {"round": event["round"], "winners": event["winners"]}
                self.sheet.append({**line, "points": game.points, "scores": game.scores})

    def events_of_seat(self, seat: int) -> list[Event]:
        """All events a seat may know, hidden decisions included; filters only the new ones."""
        seen, events = self._seat_events.get(seat, (0, []))
        events += visible_events(self.history[seen:], seat)
        self._seat_events[seat] = len(self.history), events
        # A copy: the caller may still read it when there are more.
        return events.copy()

    def update(self, game: Game, move: int | None, since: float, acted: int | None) -> None:
        """Make the game as it is visible; during a hidden decision, only to the seat to act.

        Args:
            move: the number of the decision to make.
            since: when the seat to act began to be waited for.
            acted: the seat that has just moved.
        """
        actor = game.actor
        is_hidden = game.phase in HIDDEN_PHASE_NAMES
        for viewer, state in self._states.items():
            if is_hidden and viewer != actor:
                if viewer is not None and viewer == acted:
                    state.clear_decision()
                continue
            state.view = view_for(viewer, game)
            state.num_events, state.num_rounds = len(state.events), len(self.sheet)
            state.to_act = None if actor is None else (actor, since)
            state.move = move if viewer is not None and viewer == actor else None
            state.version += 1


def events_for(viewer: Viewer, events: list[Event], num_players: int) -> list[Event]:
    """What a viewer may know of new events."""
    if viewer is not None:
        return visible_events(events, viewer)
    return public_events(events, num_players)


def view_for(viewer: Viewer, game: Game) -> View:
    """The view of a seat, or the public view; without events."""
    if viewer is not None:
        view = game.view(viewer)
        del view["events"]
        return view
    # Any seat that is not to act: the public part of its view is everybody's.
    seat = next(seat for seat in range(game.num_players) if seat != game.actor)
    view = game.view(seat)
    del view["events"], view["engine_state"]
    return view | {"seat": None, "hand": [], "known": {}, "legal": [], "drawn_card": None}


def last_public_move(record: dict[str, Any]) -> int:
    """Moves of a record up to the last one after which no hidden decision was open."""
    game = Game.replay({**record, "actions": []})
    last = 0
    for number, action in enumerate(record["actions"], start=1):
        game.step(action)
        game.events = []
        if game.phase not in HIDDEN_PHASE_NAMES:
            last = number
    return last
