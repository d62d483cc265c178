"""A bot in a process of its own: local code may hang, and only a process can be stopped.

Parent and child speak in lines of JSON. Of a game that is asked about again only the new events are
sent: both remember the same games and forget the one that was not asked about for longest. The
child is started when it is first needed and again after it was killed; while it starts, the caller
is told so at once.

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

from ..api.errors import ApiError

_log = logging.getLogger("uno_serve.bots")
START_SECONDS = 120.0
MOST_BYTES = 1 << 20
MOST_STORIES = 256
Known = TypeVar("Known")


class Stories(OrderedDict[str, Known]):
    """What is known of each game, as many as both sides remember."""

    def keep(self, story: str, known: Known) -> None:
        """Note what is known now of the game that was asked about."""
        if story:
            self[story] = known
            self.move_to_end(story)
            if len(self) > MOST_STORIES:
                self.popitem(last=False)


class IsolatedAgent:
    """The parent's end.

    Args:
        spec: agent spec; the operator's, never one from the network.
        seed: starts the agent's generator.
        timeout: seconds for one decision, then the child is killed.
    """

    def __init__(self, spec: str, seed: int, timeout: float) -> None:
        self._spec, self._seed, self._timeout = spec, seed, timeout
        self._child: asyncio.subprocess.Process | None = None
        self._starting: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self._told: Stories[int] = Stories()

    async def start(self) -> None:
        """Start the child and wait until it has made its agent."""
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        await asyncio.shield(self._starting)

    async def _start(self) -> None:
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "uno_serve.bots.isolated", self._spec, str(self._seed),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=MOST_BYTES,
        )  # fmt: skip
        self._child = child
        self._told.clear()
        try:
            async with asyncio.timeout(START_SECONDS):
                ready = await _read(child)
        except (TimeoutError, ConnectionError, ValueError) as error:
            await self.stop()
            raise ApiError("bot_failed", "the bot's process did not start") from error
        if "error" in ready:
            await self.stop()
            raise ApiError("bot_failed", "the bot cannot be made; the operator's log says why")

    async def act(self, view: dict[str, Any], legal: list[str], story: str = "") -> str:
        """The child's answer; it is killed if it takes too long.

        Args:
            story: names the game and seat, if it may be asked about again with more events.
        """
        if self._starting is None or not self._starting.done():
            self._starting = self._starting or asyncio.create_task(self._start())
            self._starting.add_done_callback(_retrieve)
            raise ApiError("bot_timeout", "the bot is being started", retry_after=5)
        async with self._turn:
            child = self._child
            if child is None or child.returncode is not None:
                await self.stop()
                raise ApiError("bot_failed", "the bot's process has ended")
            try:
                async with asyncio.timeout(self._timeout):
                    return await _ask(child, self._question(view, legal, story))
            except TimeoutError:
                await self.stop()
                raise ApiError("bot_timeout", "the bot took too long") from None
            except (ConnectionError, ValueError) as error:
                await self.stop()
                raise ApiError("bot_failed", "the bot's process has ended") from error

    def _question(self, view: dict[str, Any], legal: list[str], story: str) -> dict[str, Any]:
        """The question without the events the child knows already."""
        events, known = view["events"], self._told.get(story, 0)
        self._told.keep(story, len(events))
        news = view | {"events": events[known:]}
        return {"view": news, "legal": legal, "story": story, "known": known}

    async def stop(self) -> None:
        """Kill the child; the next question starts another."""
        child, self._child, self._starting = self._child, None, None
        if child is not None and child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()


def _retrieve(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and task.exception() is not None:
        _log.warning("an isolated bot did not start")


async def _ask(child: asyncio.subprocess.Process, question: dict[str, Any]) -> str:
    if child.stdin is None:
        raise ConnectionError("the child has no input")
    child.stdin.write(json.dumps(question).encode() + b"\n")
    await child.stdin.drain()
    answer = await _read(child)
    if "error" in answer:
        raise ApiError("bot_failed", f"the bot failed: {answer['error']}")
    return str(answer.get("action"))


async def _read(child: asyncio.subprocess.Process) -> dict[str, Any]:
    line = await child.stdout.readline() if child.stdout else b""
    if not line:
        raise ConnectionError("the child has ended")
    answer = json.loads(line)
    if not isinstance(answer, dict):
        raise ValueError("the child said no object")
    return answer


def main() -> None:
    """The child: make the agent, then answer line by line."""
    from uno_agents.registry import make_agent

    # What the bot prints goes to the log, not into the conversation.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    try:
        agent = make_agent(sys.argv[1], seed=int(sys.argv[2]))
    except Exception as error:  # whatever the file does, the parent must be told
        print(f"bot {sys.argv[1]!r}: {error}", file=sys.stderr)
        say({"error": type(error).__name__})
        return
    say({"ready": True})
    stories: Stories[list[Any]] = Stories()
    for line in sys.stdin:
        question = json.loads(line)
        view, story = question["view"], question["story"]
        events = stories.get(story, [])[: question["known"]] + view["events"]
        stories.keep(story, events)
        # A copy: what the bot does with it is its own business.
        view["events"] = events.copy()
        try:
            say({"action": agent.act(view, question["legal"])})
        except Exception as error:  # a bot's mistake is an answer like any other
            say({"error": type(error).__name__})


if __name__ == "__main__":
    main()
