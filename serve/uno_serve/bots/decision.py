"""A decision asked of a bot, ready for any kind of bot, and the bot's decision.

A full view is encoded at once. A position, or a view without its engine state, is first completed
to a game consistent with it (`determinize`), which also finds the legal actions.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from uno_env import Game, determinize
from uno_env.state_io.determinize import any_deal
from uno_env.state_io.encode_view import ViewError, action_ids, encode_view
from uno_env.state_io.view import View

from ..errors import ApiError
from .position import complete_position, position_of_view
from .work_queue import Priority

INVALID = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a malformed view may raise on its way through the library."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A bot's decision; probabilities by action id."""

    action: int
    probabilities: dict[int, float] | None = None
    win_estimate: float | None = None


@dataclass(slots=True)
class DecisionRequest:
    """One decision to make: the encoded observation and mask, and the view they stand for.

    Attributes:
        is_trusted: the view comes from a game of this server and needs no validation.
        session: names the game and seat of a trusted view, whose events only ever grow.
        priority: who waits for it.
        client: who is charged for it; clients take turns.
    """

    obs: bytes
    mask: bytes
    legal: list[str]
    view: View
    is_trusted: bool = False
    session: str = ""
    priority: Priority = Priority.ANONYMOUS
    client: str = ""

    @classmethod
    def from_view(cls, view: Any) -> Self:
        """The request of a full view, in microseconds; raises `ViewError`."""
        if not isinstance(view, dict):
            raise ViewError("view must be an object, as Game.view(seat) gives it")
        obs, mask = encode_view(view)
        return cls(obs, mask, view["legal"], view)

    @classmethod
    def from_game(cls, game: Game, view: View, session: str = "") -> Self:
        """The request of the seat to act, whose view it is."""
        obs, mask = game.observe(view["seat"]), game.mask()
        return cls(obs.tobytes(), mask.tobytes(), view["legal"], view, True, session)

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return int(self.view["seat"])

    @property
    def num_players(self) -> int:
        """The size of the table, 4 where the view does not say."""
        found = self.view.get("num_players")
        return found if type(found) is int and 2 <= found <= 10 else 4

    @property
    def ids(self) -> list[int]:
        """The ids of the legal actions."""
        table = action_ids(self.view)
        return [table[action] for action in self.legal]


def is_full_view(view: Any) -> bool:
    """Whether a view can be encoded as it is, without a determinisation."""
    return isinstance(view, dict) and "engine_state" in view


def read_request(view: Any, position: Any) -> DecisionRequest:
    """The request of a view or a position; milliseconds unless the view is full."""
    if (view is None) == (position is None):
        raise ApiError("invalid", "one of view and position is needed")
    try:
        if is_full_view(view):
            return DecisionRequest.from_view(view)
        return _any_game(position_of_view(view) if position is None else position)[0]
    except ApiError:
        raise
    except INVALID as error:
        raise ApiError("position", _message(error)) from None


def trusted_view(request: DecisionRequest) -> View:
    """The view of a request from the network, rebuilt from a game consistent with it.

    Bots that read views trust them; a view that no game can have is refused.
    """
    if request.is_trusted:
        return request.view
    try:
        game = determinize(request.view, np.random.default_rng(0))
        view = game.view(_seat_to_act(game, request.view))
    except ApiError:
        raise
    except INVALID as error:
        raise ApiError("position", _message(error)) from None
    events = request.view.get("events")
    view["events"] = events if isinstance(events, list) else []
    view["legal"] = request.legal = [text for text in view["legal"] if text in request.legal]
    if not request.legal:
        raise ApiError("position", "view: none of its legal actions is legal")
    return view


def read_position(position: dict[str, Any]) -> tuple[DecisionRequest, Game]:
    """The request of a position, and a game at that position."""
    try:
        return _any_game(position)
    except INVALID as error:
        raise ApiError("position", _message(error)) from None


def _any_game(position: dict[str, Any]) -> tuple[DecisionRequest, Game]:
    view = complete_position(position)
    # What the seat sees does not depend on the hidden cards, so any deal will do.
    game = any_deal(view)
    whole = game.view(_seat_to_act(game, view))
    whole["events"] = []
    return DecisionRequest.from_game(game, whole), game


def _seat_to_act(game: Game, view: View) -> int:
    """The seat of the view, if it has something to decide."""
    seat = int(view["seat"])
    if game.over:
        raise ViewError("phase is over, so there is nothing to decide")
    if game.actor != seat:
        raise ViewError(f"seat {game.actor} is the one to decide, not seat {seat}")
    if not game.legal():
        raise ViewError(f"seat {seat} has nothing to do in {game.phase}")
    return seat


def _message(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing"
    return str(error) or type(error).__name__


def warm_up() -> None:
    """Compile every kernel that a game, a view or a position needs."""
    game = Game("classic", 2, seed=1)
    game.step(game.legal_ids()[0])
    read_request(None, {"hand": ["red-5"], "hand_sizes": [1, 1], "top_card": "red-9"})
