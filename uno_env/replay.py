"""Records of games: (rules, players, seed, actions), enough to re-run one bit for bit."""

from typing import TYPE_CHECKING, Any, TypeVar

from .actions import NUM_ACTIONS
from .rules import Rules

if TYPE_CHECKING:
    from .game import Game

FORMAT = 1
_KEYS = {"format", "rules", "num_players", "seed", "episode", "actions", "start"}

AnyGame = TypeVar("AnyGame", bound="Game")


class ReplayError(ValueError):
    """A record that is malformed or does not fit its own rules."""


def make_record(game: "Game") -> dict[str, Any]:
    """The record of a game so far; one set up from a snapshot carries that snapshot."""
    record: dict[str, Any] = {
        "format": FORMAT,
        "rules": game.rules.text(),
        "num_players": game.num_players,
        "seed": game.seed,
        "episode": game.episode,
        "actions": list(game._actions),
    }
    if game._origin is not None:
        record["start"] = game._origin
    return record


def run_record(cls: type[AnyGame], record: dict[str, Any], steps: int | None) -> AnyGame:
    """Re-run a record."""
    if not isinstance(record, dict):
        raise ReplayError("a replay is a mapping with rules, num_players, seed and actions")
    missing = {"rules", "num_players", "seed", "actions"} - set(record)
    unknown = set(record) - _KEYS
    if missing or unknown:
        problem = f"lacks {min(missing)!r}" if missing else f"has unknown key {min(map(str, unknown))!r}"
        raise ReplayError(f"replay {problem}")
    if record.get("format", FORMAT) != FORMAT:
        raise ReplayError(f"replay format is {record['format']!r}; this version reads {FORMAT}")
    actions = record["actions"]
    if not isinstance(actions, list):
        raise ReplayError("replay actions must be a list of ids or texts")
    game = _start(cls, record)
    for index, action in enumerate(actions[:steps]):
        try:
            if isinstance(action, int) and not isinstance(action, bool):
                # Faults are recorded as -1: an action that was not legal.
                action = action if 0 <= action < NUM_ACTIONS else -1
            game.step(action)
        except ValueError as error:
            raise ReplayError(f"replay actions[{index}]: {error}") from None
    return game


def _start(cls: type[AnyGame], record: dict[str, Any]) -> AnyGame:
    if "start" in record:
        return cls.from_snapshot(record["start"])
    if not isinstance(record["rules"], str):
        raise ReplayError(f"replay rules is {record['rules']!r}; a rules text is needed")
    try:
        return cls(
            Rules.from_text(record["rules"]),
            num_players=record["num_players"],
            seed=record["seed"],
            episode=record.get("episode", "round"),
        )
    except (TypeError, ValueError) as error:
        raise ReplayError(f"replay: {error}") from None
