"""Somebody who stays at a table whatever happens to the servers: reconnects, and repeats itself.

What it was told and what was accepted is kept, to be compared with the record in the end.
"""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import websockets

import uno_env as uno
from uno_env.actions import action_id
from uno_env.engine.tables import HIDDEN_PHASE_NAMES as HIDDEN

TROUBLE = {"moved", "storage"}
"""Errors after which the same move is sent again."""
TOO_LATE = {"not_your_decision", "stale_move"}
"""Errors of a reaction whose window has closed meanwhile."""


@dataclass
class Sitter:
    """A person at one table, by way of a balancer."""

    url: str
    table: str
    token: str
    seed: int
    think: float = 0.4
    chosen: dict[int, str] = field(default_factory=dict)
    accepted: dict[int, str] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    connections: int = 0
    is_over: bool = False

    async def run(self) -> None:
        """Play until the game is over, or the task is cancelled."""
        rng = np.random.default_rng(self.seed)
        while not self.is_over:
            try:
                address = f"{self.url}/v1/tables/{self.table}/stream"
                async with websockets.connect(address, max_size=None) as socket:
                    self.connections += 1
                    hello = {"type": "hello", "token": self.token, "events_from": len(self.events)}
                    await socket.send(json.dumps(hello))
                    async for text in socket:
                        await self._hear(json.loads(text), socket, rng)
            except (OSError, TimeoutError, websockets.WebSocketException):
                pass  # the process is gone, or the balancer has none
            await asyncio.sleep(0.1)

    async def _hear(self, message: dict[str, Any], socket: Any, rng: Any) -> None:
        if message["type"] == "accepted":
            # A repeated move is accepted again, as the same.
            self.accepted[message["move"]] = self.chosen[message["move"]]
        elif message["type"] == "error":
            self.errors.append(message["error"]["code"])
            if message["error"]["code"] in TROUBLE:
                await asyncio.sleep(0.2)
                await self._send(message["move"], socket)
            elif message["error"]["code"] in TOO_LATE and message.get("move") not in self.accepted:
                # The next question of this number may be another one.
                self.chosen.pop(message.get("move"), None)
        elif message["type"] == "state":
            self._keep(message)
            move = message["move"]
            if move is not None and move not in self.accepted:
                if move not in self.chosen:
                    plays = [o for o in message["legal"] if o["action"].startswith("play")]
                    options = plays or message["legal"]
                    self.chosen[move] = options[int(rng.integers(len(options)))]["action"]
                    await asyncio.sleep(self.think * (0.5 + rng.random()))
                await self._send(move, socket)

    async def _send(self, move: int, socket: Any) -> None:
        await socket.send(json.dumps({"type": "act", "action": self.chosen[move], "move": move}))

    def _keep(self, state: dict[str, Any]) -> None:
        """A stream goes on where the one before ended, or before it: the process that takes a table
        over begins the last reaction window anew, and what followed is told again."""
        first, told = state["events_from"], len(self.events)
        assert state["game"] == 1 and first <= told, self.table
        again = [event["type"] for event in state["events"][: told - first]]
        assert again == [event["type"] for event in self.events[first:]][: len(again)], self.table
        self.events += state["events"][told - first :]
        self.is_over = state["status"] == "over"

    def check(self, record: dict[str, Any], view: dict[str, Any]) -> None:
        """Nothing lost, nothing twice, nothing told that is not so."""
        assert not set(self.errors) - TROUBLE - TOO_LATE, self.errors
        told = [event["type"] for event in self.events]
        assert told == [event["type"] for event in view["events"]][: len(told)]
        made = decisions(record, seat=0)
        assert all(made[move - 1][0] == action_id(text) for move, text in self.accepted.items())
        # A move whose confirmation was lost with its connection was made, too, and as it was sent;
        # a reaction that came after its window was made by the clock.
        own = [move for move, (_, phase) in enumerate(made, start=1) if phase not in HIDDEN]
        assert all(action_id(self.chosen[move]) == made[move - 1][0] for move in own)
        assert len(set(own) - set(self.accepted)) <= self.connections


def decisions(record: dict[str, Any], seat: int) -> list[tuple[int, str]]:
    """The actions of a seat with their phases, in order, from a record that is run again."""
    game = uno.Game.replay(record, steps=0)
    made = []
    for action in record["actions"]:
        if game.actor == seat:
            made.append((action, game.phase))
        game.step(action)
    return made
