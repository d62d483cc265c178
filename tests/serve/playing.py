"""People at a table: they speak the protocol over a real socket and keep all they are told."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import httpx
import numpy as np
import websockets

from .server import Server

LATE = ("not_your_decision", "stale_move")
"""How a reaction is refused that comes after its window."""


@dataclass
class Person:
    """Somebody on a stream: a seat with a token, or a spectator without.

    Everything received is kept as it came, in `heard`; refusals of reactions that came after their
    window had closed, in `too_late`.
    """

    server: Server
    table: str
    token: str | None = None
    seed: int = 0
    heard: list[str] = field(default_factory=list)
    states: list[dict[str, Any]] = field(default_factory=list)
    too_late: list[str] = field(default_factory=list)

    async def play(self, most_moves: int = 10**6) -> dict[str, Any]:
        """Play at random until the game is over, or for so many moves; the last state."""
        rng = np.random.default_rng(self.seed)
        made, answered = 0, None
        async with websockets.connect(f"{self.server.stream_url}/{self.table}/stream") as socket:
            await socket.send(json.dumps({"type": "hello", "token": self.token}))
            async for text in socket:
                message = json.loads(text)
                if message.get("error", {}).get("code") in LATE:
                    self.too_late.append(str(text))
                    # The seat has not decided, and may be asked again by the same number.
                    answered = None
                    continue
                self.heard.append(str(text))
                assert message["type"] in ("state", "accepted"), message
                if message["type"] != "state":
                    continue
                self.states.append(message)
                if message["status"] in ("over", "closed") or made >= most_moves:
                    break
                # The same decision is sent again when somebody else connects or leaves.
                if message["move"] not in (None, answered):
                    answered = message["move"]
                    await socket.send(json.dumps(self.choose(message, rng)))
                    made += 1
        return self.states[-1]

    def choose(self, state: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
        """Any legal action, by text or by id; rather a card than none, or games never end."""
        plays = [option for option in state["legal"] if option["action"].startswith("play")]
        options = plays if plays and rng.random() < 0.9 else state["legal"]
        option = options[int(rng.integers(len(options)))]
        key = "id" if rng.random() < 0.5 else "action"
        return {"type": "act", "action": option[key], "move": state["move"]}


def new_table(http: httpx.Client, **options: Any) -> dict[str, Any]:
    """A table whose bots do not dawdle."""
    answer = http.post("/v1/tables", json={"bot_delay": 0, **options})
    assert answer.status_code == 201, answer.text
    return answer.json()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def people(server: Server, table: dict[str, Any]) -> list[Person]:
    """One person for each token of a new table."""
    tokens = [seat["token"] for seat in table["seats"] if "token" in seat]
    return [Person(server, table["table"], token, seed) for seed, token in enumerate(tokens)]


def play_together(*players: Person, most_moves: int = 10**6) -> list[dict[str, Any]]:
    """Everybody plays at the same time; their last states."""

    async def run() -> list[dict[str, Any]]:
        async with asyncio.timeout(90):
            return await asyncio.gather(*(player.play(most_moves) for player in players))

    return asyncio.run(run())


def eventually(check: Any, seconds: float = 10.0) -> Any:
    """The first true answer of a check that is asked again and again."""
    import time

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = check()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"it did not happen within {seconds} seconds")
