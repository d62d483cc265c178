"""A bot in a process of its own: local code may hang, and only a process can be stopped.

Parent and child exchange lines of JSON. For a session (one seat of one game) that is asked about
again only the new events are sent: both sides keep the same least-recently-used cache of sessions.
The child is started when it is first needed and again after it was killed; while it starts, the
caller is told so at once.

    python -m uno_serve.bots.isolated SPEC SEED      the child
"""

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections import OrderedDict
from typing import Any, TypeVar

from ..errors import ApiError

_log = logging.getLogger("uno_serve.bots")
START_SECONDS = 120.0
MAX_LINE_BYTES = 1 << 20
MAX_SESSIONS = 256
Value = TypeVar("Value")


class SessionCache(OrderedDict[str, Value]):
    """A least-recently-used cache by session, the same on both sides."""

    def keep(self, session: str, known: Value) -> None:
        """Store what is known now of a session."""
        if session:
            self[session] = known
            self.move_to_end(session)
            if len(self) > MAX_SESSIONS:
                self.popitem(last=False)


class IsolatedAgent:
    """The parent's side.

    Args:
        spec: agent spec; the operator's, never one from the network.
        seed: starts the agent's generator.
        timeout: seconds for one decision, then the child is killed.
    """

    def __init__(self, spec: str, seed: int, timeout: float) -> None:
        self._spec, self._seed, self._timeout = spec, seed, timeout
        self._child: asyncio.subprocess.Process | None = None
        self._starting: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._sent: SessionCache[int] = SessionCache()

    async def start(self) -> None:
        """Start the child and wait until it has made its agent."""
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        await asyncio.shield(self._starting)

    async def _start(self) -> None:
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "uno_serve.bots.isolated", self._spec, str(self._seed),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=MAX_LINE_BYTES,
        )  # fmt: skip
        self._child = child
        self._sent.clear()
        try:
            async with asyncio.timeout(START_SECONDS):
                ready = await _read(child)
        except (TimeoutError, ConnectionError, ValueError) as error:
            await self.stop()
            raise ApiError("bot_failed", "the bot's process did not start") from error
        if "error" in ready:
            await self.stop()
            raise ApiError("bot_failed", "the bot cannot be made; the operator's log says why")

    async def act(self, view: dict[str, Any], legal: list[str], session: str = "") -> str:
        """The child's action; it is killed if it takes too long.

        Args:
            session: names the game and seat, if it may be asked about again with more events.
        """
        if self._starting is None or not self._starting.done():
            self._starting = self._starting or asyncio.create_task(self._start())
            self._starting.add_done_callback(_retrieve)
            raise ApiError("bot_timeout", "the bot is being started", retry_after=5)
        await self._lock.acquire()
        # To its end even if nobody waits any more: the child answers every line it was sent.
        exchange = asyncio.create_task(self._exchange(view, legal, session))
        exchange.add_done_callback(self._exchanged)
        return await asyncio.shield(exchange)

    async def _exchange(self, view: dict[str, Any], legal: list[str], session: str) -> str:
        child = self._child
        if child is None or child.returncode is not None:
            await self.stop()
            raise ApiError("bot_failed", "the bot's process has ended")
        try:
            async with asyncio.timeout(self._timeout):
                return await _ask(child, self._request(view, legal, session))
        except TimeoutError:
            await self.stop()
            raise ApiError("bot_timeout", "the bot took too long") from None
        except (ConnectionError, ValueError) as error:
            await self.stop()
            raise ApiError("bot_failed", "the bot's process has ended") from error

    def _exchanged(self, exchange: "asyncio.Task[str]") -> None:
        self._lock.release()
        if not exchange.cancelled():
            exchange.exception()

    def _request(self, view: dict[str, Any], legal: list[str], session: str) -> dict[str, Any]:
        """The request without the events the child knows already."""
        events, known = view["events"], self._sent.get(session, 0)
        self._sent.keep(session, len(events))
        new = view | {"events": events[known:]}
        return {"view": new, "legal": legal, "session": session, "known": known}

    async def stop(self) -> None:
        """Kill the child; the next request starts another."""
        child, self._child, self._starting = self._child, None, None
        if child is not None and child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()


def _retrieve(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and task.exception() is not None:
        _log.warning("an isolated bot did not start")


async def _ask(child: asyncio.subprocess.Process, request: dict[str, Any]) -> str:
    if child.stdin is None:
        raise ConnectionError("the child has no input")
    child.stdin.write(json.dumps(request).encode() + b"\n")
    await child.stdin.drain()
    response = await _read(child)
    if "error" in response:
        raise ApiError("bot_failed", f"the bot failed: {response['error']}")
    return str(response.get("action"))


async def _read(child: asyncio.subprocess.Process) -> dict[str, Any]:
    line = await child.stdout.readline() if child.stdout else b""
    if not line:
        raise ConnectionError("the child has ended")
    response = json.loads(line)
    if not isinstance(response, dict):
        raise ValueError("the child sent no object")
    return response


def main() -> None:
    """The child: make the agent, then answer each line with a line."""
    from uno_agents.registry import make_agent

    # What the bot prints goes to the log, not into the protocol.
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def send(response: dict[str, Any]) -> None:
        output.write(json.dumps(response) + "\n")
        output.flush()

    try:
        agent = make_agent(sys.argv[1], seed=int(sys.argv[2]))
    except Exception as error:  # whatever the file does, the parent must be told
        print(f"bot {sys.argv[1]!r}: {error}", file=sys.stderr)
        send({"error": type(error).__name__})
        return
    send({"ready": True})
    sessions: SessionCache[list[Any]] = SessionCache()
    for line in sys.stdin:
        request = json.loads(line)
        view, session = request["view"], request["session"]
        events = sessions.get(session, [])[: request["known"]] + view["events"]
        sessions.keep(session, events)
        # A copy, which the bot may change.
        view["events"] = events.copy()
        try:
            send({"action": agent.act(view, request["legal"])})
        except Exception as error:  # a bot's failure is a response like any other
            send({"error": type(error).__name__})


if __name__ == "__main__":
    main()
