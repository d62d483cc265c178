"""What a picture shows: one seat's view, or every hand where that was asked for.

Every renderer draws a `Shown` and nothing else, so none can tell more than the view does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..game import Game
from .words import default_names

Seat = int | Literal["all"] | None


@dataclass(frozen=True)
class Shown:
    """A view, whose names and hands to draw, and the seat drawn in front.

    `hands` holds per seat the cards to draw face up; where they are fewer than the seat's hand
    size, the others are drawn face down.
    """

    view: dict[str, Any]
    names: list[str]
    hands: list[list[str]]
    front: int
    everything: bool

    @property
    def others(self) -> list[int]:
        """The other seats, clockwise from the one in front."""
        n = self.view["num_players"]
        return [(self.front + step) % n for step in range(1, n)]


def shown(game: Game, seat: Seat = None, names: Sequence[str] | None = None) -> Shown:
    """What to draw of a game.

    Args:
        game: the game, as it stands.
        seat: the seat whose knowledge is drawn (0 when left out), or "all" for every hand.
        names: a name for every seat; `Seat 0` and so on when left out.
    """
    labels = _checked_names(names, game.num_players)
    if isinstance(seat, str):
        if seat != "all":
            raise ValueError(f"seat is {seat!r}; allowed: 0 to {game.num_players - 1}, or 'all'")
        return _all_hands(game, labels)
    front = 0 if seat is None else seat
    view = game.view(front)
    known = _laid_open(view) if view["phase"] == "over" else view["known"]
    hands = [known.get(holder, []) for holder in range(game.num_players)]
    hands[front] = view["hand"]
    return Shown(view, labels, hands, front, everything=False)


def _all_hands(game: Game, names: list[str]) -> Shown:
    view = game.view(game.actor or 0)
    hands = game.snapshot()["hands"]
    view |= {"seat": 0, "hand": hands[0], "events": list(game.events)}
    return Shown(view, names, hands, 0, everything=True)


def _laid_open(view: dict[str, Any]) -> dict[int, list[str]]:
    """The hands everybody showed at the end of the last round."""
    hands: dict[int, list[str]] = {}
    for event in reversed(view["events"]):
        if event["type"] == "round-end":
            break
        if event["type"] == "hand":
            hands[event["seat"]] = event.get("cards", [])
    return hands


def _checked_names(names: Sequence[str] | None, num_players: int) -> list[str]:
    if names is None:
        return default_names(num_players)
    if isinstance(names, str) or len(names) != num_players:
        raise ValueError(f"names is {names!r}; one name for each of {num_players} seats is needed")
    return [str(name) for name in names]
