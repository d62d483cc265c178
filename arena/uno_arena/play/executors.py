"""Executors play the chunks of a tournament: this process, worker processes, a cluster."""

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Protocol, Self

from ..config import ConfigError
from .agent_calls import AgentInterface
from .chunk import ChunkResult, ChunkSpec
from .entrants import AgentLike, check_agent
from .play_chunk import play_chunk
from .worker_pool import WorkerPool


class Executor(Protocol):
    """Plays chunks; how, and where, is its own business."""

    def check(self, agents: Sequence[AgentLike], time_limit: float, /) -> list[AgentInterface]:
        """The interface of each agent; an error for one that cannot be built."""

    def play(self, specs: Iterator[ChunkSpec], /) -> Iterator[ChunkResult]:
        """Play chunks in any order; specs are taken one by one."""


class InProcessExecutor:
    """Plays in this process: nothing to start, but an agent that hangs is not stopped."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def check(self, agents: Sequence[AgentLike], time_limit: float) -> list[AgentInterface]:
        """The interface of each agent."""
        return [check_agent(agent) for agent in agents]

    def play(self, specs: Iterator[ChunkSpec]) -> Iterator[ChunkResult]:
        """One chunk after another."""
        return map(play_chunk, specs)


def choose_executor(
    workers: int, agents: Mapping[str, AgentLike]
) -> WorkerPool | InProcessExecutor:
    """That many worker processes, or this process for none; objects cannot leave it."""
    if not workers:
        return InProcessExecutor()
    for name, agent in agents.items():
        if not isinstance(agent, str):
            raise ConfigError(
                f"workers is {workers}, but {name!r} is an object, which plays in this process "
                "only: workers=0, or give it as a spec such as my_file.py:MyBot"
            )
    return WorkerPool(workers)
