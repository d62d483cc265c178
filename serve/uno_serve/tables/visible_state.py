"""The visible state of each viewer of a table: the only source of every message about its cards.

While a hidden decision is open (`react`, `play-drawn`) only the seat to act gets updates. All
others keep their last state, so neither a message nor a number reveals that somebody has something
to decide.
"""

from collections.abc import Iterable, Mapping
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

    def open_window(
        self, questions: Mapping[int, Game], moves: Mapping[int, int], since: float, acted: Viewer
    ) -> None:
        """A pause begins: everybody is told, the seats that are asked see what they are asked.

        Args:
            questions: the game as each seat that is asked sees it.
            moves: the numbers of their decisions.
            since: when it begins.
            acted: the seat that has just moved.
        """
        for viewer, state in self._states.items():
            if viewer is not None and viewer in questions:
                self._show(viewer, state, questions[viewer], moves[viewer], since)
            elif viewer is not None and viewer == acted:
                state.clear_decision()
            else:
                state.version += 1

    def show_to(self, viewer: Viewer, game: Game, since: float) -> None:
        """Make the game as it is visible to one viewer alone, who has nothing to decide."""
        if viewer in self._states:
            self._show(viewer, self._states[viewer], game, None, since)

    def answered(self, viewer: Viewer) -> None:
        """A seat has decided; the outcome is not public yet."""
        if viewer in self._states:
            self._states[viewer].clear_decision()

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
            is_mine = viewer is not None and viewer == actor
            self._show(viewer, state, game, move if is_mine else None, since)

    def _show(
        self, viewer: Viewer, state: VisibleState, game: Game, move: int | None, since: float
    ) -> None:
        state.view = view_for(viewer, game)
        state.num_events, state.num_rounds = len(state.events), len(self.sheet)
        state.to_act = None if game.actor is None else (game.actor, since)
        state.move = move
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
