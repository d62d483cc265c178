"""Frames of a replay: the game after each action of a record, all cards open."""

from typing import Any

from uno_env import Game, ReplayError
from uno_env.actions import ACTIONS, action_text
from uno_env.render import action_words, sentence
from uno_env.render.words import default_names

from ..errors import ApiError

MAX_ACTIONS = 50_000


def replay_frames(record: dict[str, Any], first: int, count: int) -> dict[str, Any]:
    """Frames `first` to `first + count` of a record; frame 0 is the deal."""
    actions = record.get("actions")
    if not isinstance(actions, list) or len(actions) > MAX_ACTIONS:
        message = f"record.actions must be a list of at most {MAX_ACTIONS} actions"
        raise ApiError("invalid", message)
    try:
        game = Game.replay({**record, "actions": actions[: max(first - 1, 0)]})
        game.events = game.events if first == 0 else []
        frames = []
        for step in range(first, min(first + count, len(actions) + 1)):
            frames.append(_frame(game, step, actions[step - 1] if step else None))
            game.events = []
    except (ReplayError, ValueError, TypeError, KeyError) as error:
        raise ApiError("invalid", f"record: {error}") from None
    return {
        "steps": len(actions),
        "num_players": game.num_players,
        "rules": game.rules.text(),
        "frames": frames,
    }


def _frame(game: Game, step: int, action: Any) -> dict[str, Any]:
    """Take the action and describe the game after it."""
    names = default_names(game.num_players)
    actor, phase, text = game.actor, game.phase, None
    if step:
        is_id = isinstance(action, int) and 0 <= action < len(ACTIONS)
        text = action_text(action, phase) if is_id else str(action)
        game.step(action if is_id or isinstance(action, str) else -1)
    view = game.view(game.actor or 0)
    view |= {"seat": None, "hand": [], "legal": [], "known": {}, "events": []}
    del view["engine_state"]
    return {
        "step": step,
        "action": text,
        "actor": actor if step else None,
        "sentence": action_words(text, actor or 0, names) if text in ACTIONS else text,
        "view": view,
        "hands": game.snapshot()["hands"],
        "events": [{**event, "sentence": sentence(event, names)} for event in game.events],
    }
