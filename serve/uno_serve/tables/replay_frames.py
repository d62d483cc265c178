"""Frames of a replay: the game after each action of a record, all cards open."""

import asyncio
import hashlib
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pydantic_core import to_json

from uno_env import Game, ReplayError
from uno_env.actions import ACTIONS, action_text
from uno_env.render import action_words, sentence
from uno_env.render.words import default_names

from ..errors import ApiError

CACHED_BYTES = 32 * 2**20
Pages = tuple[str, int, int]


class ReplayCache:
    """Frames as JSON, made by one thread; what was asked for last is kept.

    Args:
        most_actions: of the longest record.
        cached_bytes: how much is kept.
    """

    def __init__(self, most_actions: int, cached_bytes: int = CACHED_BYTES) -> None:
        self._most_actions, self._most_bytes = most_actions, cached_bytes
        # Its own thread, so that replays never hold up the decisions of bots.
        self._thread = ThreadPoolExecutor(1, "replays")
        self._bodies: OrderedDict[Pages, bytes] = OrderedDict()
        self._bytes = 0

    async def frames(self, record: dict[str, Any], first: int, count: int) -> bytes:
        """Frames `first` to `first + count` of a record, as JSON."""
        actions = record.get("actions")
        if not isinstance(actions, list) or len(actions) > self._most_actions:
            message = f"record.actions must be a list of at most {self._most_actions} actions"
            raise ApiError("invalid", message)
        key = (hashlib.sha256(to_json(record)).hexdigest(), first, count)
        body = self._bodies.get(key)
        if body is None:
            loop = asyncio.get_running_loop()
            body = await loop.run_in_executor(self._thread, _body, record, first, count)
            self._keep(key, body)
        return body

    def _keep(self, key: Pages, body: bytes) -> None:
        if key in self._bodies or len(body) > self._most_bytes:
            return
        self._bodies[key] = body
        self._bytes += len(body)
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._bodies.popitem(last=False)[1])

    def close(self) -> None:
        """Stop the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _body(record: dict[str, Any], first: int, count: int) -> bytes:
    return to_json(replay_frames(record, first, count))


def replay_frames(record: dict[str, Any], first: int, count: int) -> dict[str, Any]:
    """Frames `first` to `first + count` of a record; frame 0 is the deal."""
    actions = record["actions"]
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
        "sentence": action_words(text, actor or 0, names, phase) if text in ACTIONS else text,
        "view": view,
        "hands": game.snapshot()["hands"],
        "events": [{**event, "sentence": sentence(event, names)} for event in game.events],
    }
