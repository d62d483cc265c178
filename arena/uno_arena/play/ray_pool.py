"""A Ray cluster as the executor of a tournament: `uno-arena ... --ray [ADDRESS]`.

Every chunk is one task. A task depends on its `ChunkSpec` alone, so Ray may run it anywhere, and
again elsewhere when a node is lost; the games are the same. Its node plays it in a worker process
of the kind that plays locally, so an agent that hangs or crashes forfeits in the same way.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from uno_agents.base import AgentError

from ..code_version import code_digest
from ..config import ConfigError
from .agent_calls import AgentInterface
from .chunk import ChunkResult, ChunkSpec
from .entrants import AgentLike, fingerprint
from .ray_cluster import check_code, check_file, cores
from .worker_pool import WorkerPool

QUEUED = 2
"""Chunks given out for each core, so that none waits for the next one."""


class Conditions(NamedTuple):
    """What must be alike on every node for the games to be alike."""

    code: str
    files: dict[str, str]
    """Fingerprints of the agents' files, by spec."""


def play_on_node(spec: ChunkSpec, conditions: Conditions) -> ChunkResult:
    """Play a chunk on the node where this runs."""
    _check(conditions)
    try:
        return next(_pool().play(iter([spec])))
    except BaseException:
        # Its process may still be at the old chunk.
        _pool().__exit__(None, None, None)
        _pool.cache_clear()
        raise


def check_on_node(
    agents: Sequence[AgentLike], time_limit: float, conditions: Conditions
) -> list[AgentInterface] | AgentError:
    """The interface of each agent, or the reason why one cannot be built there."""
    _check(conditions)
    try:
        return _pool().check(agents, time_limit)
    except AgentError as error:
        return AgentError(str(error))


def _check(conditions: Conditions) -> None:
    check_code(conditions.code)
    for spec, wanted in conditions.files.items():
        check_file(spec, wanted, _fingerprint(spec))


@functools.cache
def _pool() -> WorkerPool:
    """One worker process, kept for all chunks that Ray gives this process."""
    return WorkerPool(1)


_fingerprint = functools.cache(fingerprint)


class RayPool:
    """Plays the chunks of a tournament on a cluster; an `Executor`.

    Args:
        ray: Ray, connected (`uno_arena.play.ray_cluster.joined`).
    """

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        # Ray redoes a task whose node or process is lost, as often as it takes.
        again = ray.remote(num_cpus=1, max_retries=-1)
        self._play, self._check = again(play_on_node), again(check_on_node)
        self._conditions = Conditions("", {})

    def check(self, agents: Sequence[AgentLike], time_limit: float) -> list[AgentInterface]:
        """The interface of each agent; an error for one that cannot be built."""
        for agent in agents:
            if not isinstance(agent, str):
                raise ConfigError(
                    f"{agent!r} is an object, which cannot leave this process; give it as a spec "
                    "such as my_file.py:MyBot"
                )
        files = {spec: found for spec in agents if (found := fingerprint(spec))}
        self._conditions = Conditions(code_digest(), files)
        answer = self._ray.get(self._check.remote(list(agents), time_limit, self._conditions))
        if isinstance(answer, AgentError):
            raise answer
        interfaces: list[AgentInterface] = answer
        return interfaces

    def play(self, specs: Iterator[ChunkSpec]) -> Iterator[ChunkResult]:
        """Play chunks on all cores of the cluster; results come as they are finished.

        Nodes may join and leave meanwhile. If the caller stops early, the few chunks already
        submitted run to their end: `ray.cancel` can abort the process that calls it if a task ends
        just then.
        """
        running: list[Any] = []
        while True:
            capacity = QUEUED * cores(self._ray)
            while len(running) < capacity and (spec := next(specs, None)) is not None:
                running.append(self._play.remote(spec, self._conditions))
            if not running:
                return
            (done,), running = self._ray.wait(running, num_returns=1)
            yield self._ray.get(done)
