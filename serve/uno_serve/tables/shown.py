"""What each viewer of a table has been shown: the only source of every answer about its cards.

While a hidden question is open (`react`, `play-drawn`) only the seat that is asked is shown
anything new. All others keep what they had, so neither a message nor a number tells that somebody
has something to decide.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from uno_env import Game
from uno_env.state_io.events import Event, visible_events
from uno_env.state_io.view import View

HIDDEN = ("react", "play-drawn")
Viewer = int | None
"""A seat, or None for spectators."""


@dataclass
class Shown:
    """What one viewer may know at the moment.

    Attributes:
        view: the seat's view without its events, or the public one.
        move: the number of the decision the seat is asked for, None if it is not.
        news: every event the viewer may know of, of which `told` are shown.
        asked: the seat everybody waits for, and since when.
        rounds: lines of the score sheet shown.
        version: grows with every change.
    """

    view: View = field(default_factory=dict)
    move: int | None = None
    news: list[Event] = field(default_factory=list)
    told: int = 0
    asked: tuple[int, float] | None = None
    rounds: int = 0
    version: int = 0

    def hold(self) -> None:
        """The seat has decided; what comes of it is not settled yet."""
        self.move = None
        self.view = {**self.view, "legal": []}
        self.version += 1


class Stage:
    """What all viewers of one game have been shown, and its score sheet.

    Args:
        viewers: who may look.
        before: the stage of the game before, so that versions go on.

    `history` holds every event of the game, hidden cards included; it is never sent. `number` is
    another for every stage, so that what was told of a move that was taken back is never mixed up.
    """

    _numbers = count()

    def __init__(self, viewers: Iterable[Viewer] = (), before: "Stage | None" = None) -> None:
        self.number = next(self._numbers)
        self.sheet: list[dict[str, Any]] = []
        self.history: list[Event] = []
        self._heard: dict[int, tuple[int, list[Event]]] = {}
        self._shown = {
            viewer: Shown(version=before.version(viewer) if before else 0) for viewer in viewers
        }

    def shown(self, viewer: Viewer) -> Shown:
        """What a viewer has been shown; nothing if it may not look."""
        return self._shown.get(viewer) or Shown()

    def version(self, viewer: Viewer) -> int:
        """Grows when there is something new for a viewer."""
        return self.shown(viewer).version

    def listen(self, game: Game) -> None:
        """Note the news of a game for everybody who may hear them, and the ends of rounds."""
        # Taken out of the game, so that a view costs the same at the end of a long match.
        events, game.events = game.events, []
        self.history += events
        for viewer, shown in self._shown.items():
            shown.news += hears(viewer, events, game.num_players)
        for event in events:
            if event["type"] == "round-end":
                line = {"round": event["round"], "winners": event["winners"]}
                self.sheet.append({**line, "points": game.points, "scores": game.scores})

    def heard(self, seat: int) -> list[Event]:
        """All a seat may know of what has happened; only what is new is looked through."""
        before, events = self._heard.get(seat, (0, []))
        events += visible_events(self.history[before:], seat)
        self._heard[seat] = len(self.history), events
        # A copy: whoever gets it may still read when there is more.
        return events.copy()

    def show(self, game: Game, move: int | None, since: float, acted: int | None) -> None:
        """Show the game as it is; while a hidden question is open, only to the seat asked.

        Args:
            move: the number of the decision that is asked for.
            since: when it was asked.
            acted: the seat that moved just now.
        """
        actor = game.actor
        in_secret = game.phase in HIDDEN
        for viewer, shown in self._shown.items():
            if in_secret and viewer != actor:
                if viewer is not None and viewer == acted:
                    shown.hold()
                continue
            shown.view = sees(viewer, game)
            shown.told, shown.rounds = len(shown.news), len(self.sheet)
            shown.asked = None if actor is None else (actor, since)
            shown.move = move if viewer is not None and viewer == actor else None
            shown.version += 1


def hears(viewer: Viewer, events: list[Event], num_players: int) -> list[Event]:
    """What a viewer may know of new events."""
    if viewer is not None:
        return visible_events(events, viewer)
    heard = []
    for event in events:
        is_public = len(event.get("known_to", range(num_players))) == num_players
        heard += [event] if is_public and event["type"] != "keep" else visible_events([event], -1)
    return heard


def sees(viewer: Viewer, game: Game) -> View:
    """The view of a seat, or what everybody may know; without events."""
    if viewer is not None:
        view = game.view(viewer)
        del view["events"]
        return view
    # Any seat that is not asked: the public part of its view is everybody's.
    seat = next(seat for seat in range(game.num_players) if seat != game.actor)
    view = game.view(seat)
    del view["events"], view["clockwork"]
    return view | {"seat": None, "hand": [], "known": {}, "legal": [], "drawn_card": None}
