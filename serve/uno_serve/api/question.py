"""A decision that is asked for: what a seat knows, made ready for any bot.

A full view is encoded at once. A position, or a view without its clockwork, is first completed to
a game that fits it, which also finds what is legal.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from uno_env import Game, Rules, determinize
from uno_env.render import action_words
from uno_env.render.words import default_names
from uno_env.state_io.view import View

from ..bots.encode import ViewError, action_ids, encode_view
from .errors import ApiError

_WRONG = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
_HIDDEN = ("hands", "draw_pile", "set_aside", "rng", "engine", "seed")
_DERIVED = frozenset("player subject legal events kind_before winners lacks".split())
POSITION_KEYS = frozenset(
    "variant rules episode seat hand hand_sizes top_card discard active_color phase pending "
    "drawn_card direction turn dealer actor num_players color_before hyper_color draw_pile_size "
    "set_aside_size cards_to_give eliminated out uno_called known points scores round "
    "reshuffles".split()
)


@dataclass(slots=True)
class Question:
    """One decision: the encoded row, and the view it stands for.

    `is_ours` says that the view comes from a game of this server and needs no checking; then
    `story` names the game and seat, whose events grow from question to question.
    """

    obs: bytes
    mask: bytes
    legal: list[str]
    view: View
    is_ours: bool = False
    story: str = ""

    @classmethod
    def of_view(cls, view: Any) -> Self:
        """The question of a full view, quickly; raises `ViewError`."""
        if not isinstance(view, dict):
            raise ViewError("view must be an object, as Game.view(seat) gives it")
        obs, mask = encode_view(view)
        return cls(obs, mask, view["legal"], view)

    @classmethod
    def of_game(cls, game: Game, view: View, story: str = "") -> Self:
        """The question that the seat to act is asked, whose view it is."""
        obs, mask = game.observe(view["seat"]), game.mask()
        return cls(obs.tobytes(), mask.tobytes(), view["legal"], view, True, story)

    @property
    def seat(self) -> int:
        """Who decides."""
        return int(self.view["seat"])

    @property
    def ids(self) -> list[int]:
        """The ids of the legal actions."""
        table = action_ids(self.view)
        return [table[action] for action in self.legal]


def read_question(view: Any, position: Any) -> Question:
    """The question of a request that holds a view or a position; takes milliseconds."""
    if (view is None) == (position is None):
        raise ApiError("invalid", "one of view and position is needed")
    try:
        if view is not None and "clockwork" in view:
            return Question.of_view(view)
        return _imagined(_completed(position if view is None else _plain(view)))
    except ApiError:
        raise
    except _WRONG as error:
        raise ApiError("position", _text(error)) from None


def checked_view(question: Question) -> View:
    """The view of a question from the network, made good by a game that fits it.

    Bots that are asked with views trust them; whatever no game can be is refused.
    """
    if question.is_ours:
        return question.view
    try:
        game = determinize(question.view, np.random.default_rng(0))
        seat = _asked(game, question.view)
        view = game.view(seat)
    except ApiError:
        raise
    except _WRONG as error:
        raise ApiError("position", _text(error)) from None
    events = question.view.get("events")
    view["events"] = events if isinstance(events, list) else []
    view["legal"] = question.legal = [text for text in view["legal"] if text in question.legal]
    if not question.legal:
        raise ApiError("position", "view: none of its legal actions is legal")
    return view


def _plain(view: Any) -> dict[str, Any]:
    """A view as a position: what follows from the rest is left out."""
    if not isinstance(view, dict):
        raise ViewError("view must be an object, as Game.view(seat) gives it")
    return {key: value for key, value in view.items() if key not in _DERIVED}


def _completed(position: dict[str, Any]) -> View:
    """A position with the keys that `determinize` needs."""
    for key in position:
        if key in _HIDDEN:
            raise ViewError(f"{key} is never accepted: a bot knows what its seat knows")
        if key not in POSITION_KEYS:
            raise ViewError(f"{key} is unknown; known: {', '.join(sorted(POSITION_KEYS))}")
    view = {key: value for key, value in position.items() if value is not None or key == "actor"}
    for key in ("hand", "hand_sizes"):
        if not isinstance(view.get(key), list):
            raise ViewError(f"{key} is missing or no list")
    rules = position_rules(view)
    seat, sizes = view.setdefault("seat", 0), view["hand_sizes"]
    if type(seat) is not int or not 0 <= seat < len(sizes):
        raise ViewError(f"seat is {seat!r}; hand_sizes has seats 0 to {len(sizes) - 1}")
    if any(type(size) is not int or not 0 <= size <= rules.deck.size for size in sizes):
        raise ViewError("hand_sizes: whole numbers of cards are needed")
    if sizes[seat] != len(view["hand"]):
        raise ViewError(f"hand has {len(view['hand'])} cards, hand_sizes says {sizes[seat]}")
    changes = {key: value for key, value in rules.to_dict().items() if key != "variant"}
    view |= {"variant": rules.variant, "rules": changes, "num_players": len(sizes)}
    top = view.pop("top_card", None)
    discard = view.setdefault("discard", [] if top is None else [top])
    if not isinstance(discard, list) or not discard or top not in (None, discard[-1]):
        raise ViewError("top_card is missing, or not the last of discard")
    lying = sum(sizes) + len(discard) + view.get("set_aside_size", 0)
    view.setdefault("draw_pile_size", max(rules.deck.size - lying, 0))
    if view.setdefault("actor", seat) != seat:
        raise ViewError(f"actor is {view['actor']!r}, not the seat {seat} that asks")
    view.setdefault("turn", seat)
    return view


def position_rules(position: dict[str, Any]) -> Rules:
    """The rules a position or a table names: a variant with changes, or a rules text."""
    rules = position.get("rules")
    if isinstance(rules, str):
        return Rules.from_text(rules)
    changes = {} if rules is None else rules
    if not isinstance(changes, dict):
        raise ViewError(f"rules is {rules!r}; a text or an object is needed")
    named = {key: position[key] for key in ("variant",) if position.get(key) is not None}
    if "variant" in named and changes.get("variant", named["variant"]) != named["variant"]:
        raise ViewError(f"variant is {named['variant']!r}, but that of rules is another")
    return Rules.from_dict({**changes, **named})


def _imagined(view: View) -> Question:
    """The question of a completed position, by way of a game that fits it."""
    game = determinize(view, np.random.default_rng(0))
    seat = _asked(game, view)
    whole = game.view(seat)
    whole["events"] = []
    return Question.of_game(game, whole)


def _asked(game: Game, view: View) -> int:
    """The seat that asks, if it has something to decide."""
    seat = int(view["seat"])
    if game.over:
        raise ViewError("phase is over, so there is nothing to decide")
    if game.actor != seat:
        raise ViewError(f"seat {game.actor} is the one to decide, not seat {seat}")
    if not game.legal():
        raise ViewError(f"seat {seat} has nothing to do in {game.phase}")
    return seat


def _text(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing"
    return str(error) or type(error).__name__


def warm_up() -> None:
    """Make every kernel ready that a game, a view or a position needs."""
    game = Game("classic", 2, seed=1)
    game.step(game.legal_ids()[0])
    read_question(None, {"hand": ["red-5"], "hand_sizes": [1, 1], "top_card": "red-9"})


def say(action: str, seat: int, num_players: int, names: list[str] | None = None) -> str:
    """An action as people say it."""
    return action_words(action, seat, names or default_names(num_players))
