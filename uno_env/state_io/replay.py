"""Records of games: (rules, players, seed, actions), enough to re-run one bit for bit."""

from typing import TYPE_CHECKING, Any, TypeVar

from ..actions import NUM_ACTIONS
from ..rules.rules import Rules
from ..version1 import NEW_ACTION
from .formats import REPLAY_FORMAT, check_format, is_version_1

if TYPE_CHECKING:
    from ..game import Game

_KEYS = {"format", "rules", "num_players", "seed", "episode", "actions", "start"}

AnyGame = TypeVar("AnyGame", bound="Game")


class ReplayError(ValueError):
    """A record that is malformed or does not fit its own rules."""


def make_record(game: "Game") -> dict[str, Any]:
    """The record of a game so far; one set up from a snapshot carries that snapshot."""
    record: dict[str, Any] = {
        "format": REPLAY_FORMAT,
        "rules": game.rules.text(),
        "num_players": game.num_players,
        "seed": game.seed,
        "episode": game.episode,
        "actions": list(game.actions),
    }
    if game.start is not None:
        record["start"] = game.start
    return record


def run_record(cls: type[AnyGame], record: dict[str, Any], steps: int | None) -> AnyGame:
    """Re-run a record."""
    if not isinstance(record, dict):
        raise ReplayError("a replay is a mapping with rules, num_players, seed and actions")
    missing = {"rules", "num_players", "seed", "actions"} - set(record)
    unknown = set(record) - _KEYS
    if missing or unknown:
        problem = (
            f"lacks {min(missing)!r}" if missing else f"has unknown key {min(map(str, unknown))!r}"
        )
        raise ReplayError(f"replay {problem}")
    if record.get("format") != 1:  # the number that stood for the same format before it had a name
        check_format(record, REPLAY_FORMAT, ReplayError)
    count: object = steps
    if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 0):
        raise ReplayError(f"steps is {steps!r}; a number of actions or None is needed")
    actions = record["actions"]
    if not isinstance(actions, list):
        raise ReplayError("replay actions must be a list of ids or texts")
    game = _start(cls, record)
    ids = NEW_ACTION if is_version_1(record) else range(NUM_ACTIONS)
    for index, action in enumerate(actions[:steps]):
        try:
            if isinstance(action, int) and not isinstance(action, bool):
                # Faults are recorded as -1: an action that was not legal.
                action = ids[action] if 0 <= action < len(ids) else -1
            game.step(action)
        except ValueError as error:
            raise ReplayError(f"replay actions[{index}]: {error}") from None
    return game


def _start(cls: type[AnyGame], record: dict[str, Any]) -> AnyGame:
    for key, kind in (("rules", str), ("num_players", int)):
        if not isinstance(record[key], kind):
            raise ReplayError(f"replay {key} is {record[key]!r}; of type {kind.__name__} is needed")
    try:
        if "start" in record:
            return _from_position(cls, record)
        return cls(
            Rules.from_text(record["rules"]),
            num_players=record["num_players"],
            seed=record["seed"],
            episode=record.get("episode", "round"),
        )
    except (TypeError, ValueError) as error:
        raise ReplayError(f"replay: {error}") from None


def _from_position(cls: type[AnyGame], record: dict[str, Any]) -> AnyGame:
    game = cls.from_snapshot(record["start"])
    said = make_record(game)
    for key in ("rules", "num_players", "episode"):
        if record.get(key, said[key]) != said[key]:
            raise ReplayError(f"{key} is {record[key]!r}, but that of start is {said[key]!r}")
    return game
