"""No timing tell: how long a table waits does not show whether somebody has a hidden decision."""

import asyncio
import contextlib
import json
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import websockets

import uno_env as uno
from uno_env.state_io.events import public_events

from .playing import new_table

HIDDEN = ("react", "play-drawn")
UNFINISHED = ("color", "swap-target", "swap-pair", "uno-call", "uno-catch")
WINDOW = 0.2
BOT = 2
ATTEMPTS = 3
THINKING = 0.08
"""Seconds a person takes for a hidden decision."""
JITTER = 0.02
"""Seconds that no spectator tells apart: handling an answer takes a busy server a few of them."""
SEATS = [{"name": "Ana"}, {"name": "Bo"}, {"kind": "bot", "bot": "search:sims=500"}]


@dataclass
class Watched:
    """One game with a spectator's notes: how many events it had seen, and when."""

    server: Any
    table: dict[str, Any]
    seen: list[tuple[int, float]] = field(default_factory=list)

    async def run(self) -> None:
        tokens = [seat.get("token") for seat in self.table["seats"]]
        # Everybody leaves by themselves: who is cancelled while a connection closes leaves it open.
        async with asyncio.TaskGroup() as people:
            for token in filter(None, tokens):
                people.create_task(self._play(token))
            await self._watch()

    async def _states(self, token: str | None):
        url = f"{self.server.stream_url}/{self.table['table']}/stream"
        async with websockets.connect(url) as socket:
            await socket.send(json.dumps({"type": "hello", "token": token}))
            async for text in socket:
                message = json.loads(text)
                if message["type"] in ("state", "error"):
                    yield socket, message
                if message.get("status", "playing") != "playing":
                    return

    async def _watch(self) -> None:
        async with contextlib.aclosing(self._states(None)) as states:
            async for _, state in states:
                count = state["events_from"] + len(state["events"])
                if not self.seen or count != self.seen[-1][0]:
                    self.seen.append((count, time.perf_counter()))

    async def _play(self, token: str) -> None:
        """Take the first action, at once in the open, after a while where others do not know."""
        decided = None
        async with contextlib.aclosing(self._states(token)) as states:
            async for socket, state in states:
                if state["type"] == "error":
                    # Too late: it may be asked again by the same number.
                    decided = None
                    continue
                if state["move"] in (None, decided):
                    continue
                decided = state["move"]
                options = [option["action"] for option in state["legal"]]
                silent = [action for action in options if action in ("pass", "keep")]
                is_hidden = state["view"]["phase"] in HIDDEN
                if is_hidden:
                    await asyncio.sleep(THINKING)
                action = (silent if is_hidden and silent else options)[0]
                await socket.send(json.dumps({"type": "act", "action": action, "move": decided}))


def gaps(watched: Watched, record: dict[str, Any], variant: str) -> tuple[list[float], list[float]]:
    """Seconds between what the spectator saw: where somebody was asked, and where nobody was."""
    game = uno.Game.replay(record, steps=0)
    rounds: dict[int, bool] = {}
    count = 0

    def add_events() -> None:
        nonlocal count
        count += len(public_events(game.events, game.num_players))
        game.events = []

    add_events()
    steps = list(record["actions"])
    while steps:
        action = steps.pop(0)
        is_draw, mover = uno.action_text(action) == "draw", game.actor
        game.step(action)
        asked, spoke = game.phase in HIDDEN, False
        while game.phase in HIDDEN and steps:
            answer = steps.pop(0)
            spoke |= uno.action_text(answer) not in ("pass", "keep")
            game.step(answer)
        add_events()
        # Where the outcome shows that somebody was asked there is nothing to hide; and a bot that
        # moves has thought before, for as long as it takes.
        matters = is_draw if variant == "classic" else game.phase not in UNFINISHED
        if matters and not spoke and not game.over and mover != BOT:
            rounds[count] = asked
    found: tuple[list[float], list[float]] = ([], [])
    for (_, before), (seen, now) in zip(watched.seen[1:], watched.seen[2:], strict=False):
        if seen in rounds:
            found[0 if rounds[seen] else 1].append(now - before)
    return found


def advantage(asked: list[float], others: list[float]) -> float:
    """Probability that a gap with a hidden decision looks the longer of two."""
    longer = np.array(asked)[:, None] - np.array(others)[None, :]
    return float((longer > JITTER).mean() + (np.abs(longer) <= JITTER).mean() / 2)


def watched_gaps(server, http, variant: str, react_seconds: float | None, games: int):
    """Gaps of many seeded games, played at the same time."""
    rules = {"variant": variant, "max_steps": 70}

    async def run() -> list[Watched]:
        options = {"rules": rules, "seats": SEATS, "react_seconds": react_seconds}
        tables = [new_table(http, seed=seed, **options) for seed in range(games)]
        watched = [Watched(server, table) for table in tables]
        async with asyncio.timeout(300):
            await asyncio.gather(*(each.run() for each in watched))
        return watched

    asked: list[float] = []
    others: list[float] = []
    for watched in asyncio.run(run()):
        replay = http.get(f"/v1/tables/{watched.table['table']}/replay").json()
        found = gaps(watched, replay["record"], variant)
        asked += found[0]
        others += found[1]
    return asked, others


@pytest.mark.parametrize("variant", ["ig2000", "classic"])
def test_a_hidden_decision_cannot_be_told_by_the_clock(server, http, variant):
    """Jump-ins, sums and drawn cards, of people and of a bot that thinks for a while.

    Whatever else the machine does shows in the gaps as well; a tell would be there each time.
    """
    for _ in range(ATTEMPTS):
        asked, others = watched_gaps(server, http, variant, WINDOW, games=10)
        assert min(len(asked), len(others)) >= 12, (len(asked), len(others))
        assert float(np.median(asked)) > 0.9 * WINDOW
        if 0.25 < advantage(asked, others) < 0.75:
            return
    raise AssertionError((sorted(asked), sorted(others)))


def test_without_windows_the_clock_tells(server, http):
    """The attack works: this is what the windows are for."""
    found = []
    for _ in range(ATTEMPTS):
        found.append(advantage(*watched_gaps(server, http, "classic", None, games=4)))
        if found[-1] > 0.9:
            return
    raise AssertionError(found)
