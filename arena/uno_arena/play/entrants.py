"""Entrants: what an agent is called, what it is, and which files it is made of."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from uno_agents.base import AgentError
from uno_agents.kinds import NAMED
from uno_agents.registry import make_agent
from uno_agents.specs import parse_spec

from uno_env.envs.opponents import reset_agent

from ..results import Entrant
from .agent_calls import AgentInterface, failure_reason, interface_of

AgentLike: TypeAlias = Any
"""A spec string, or an object with `act`, `act_batch` or (if it cheats) `act_game`."""


class CheckJob(NamedTuple):
    """A job for a worker process: build an agent and tell its interface."""

    number: int
    agent: AgentLike
    time_limit: float
    """Seconds it may take to build it."""


def build_agent(agent: AgentLike, seed: int) -> Any:
    """The agent of a spec, or the object itself, seeded; one without `reset` is unseeded."""
    if isinstance(agent, str):
        return make_agent(agent, seed=seed)
    reset_agent(agent, seed)
    return agent


def check_agent(agent: AgentLike) -> AgentInterface:
    """Build an agent once to see how it is called; an error if it cannot be built."""
    try:
        return interface_of(build_agent(agent, 0))
    except AgentError:
        raise
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {agent!r} cannot be built: {failure_reason(error)}") from error


def make_entrants(
    agents: Mapping[str, AgentLike], interfaces: Sequence[AgentInterface]
) -> tuple[Entrant, ...]:
    """The entrants of a tournament, from named agents and their interfaces."""
    return tuple(
        Entrant(
            name,
            agent if isinstance(agent, str) else "",
            interface == "cheating",
            fingerprint(agent) if isinstance(agent, str) else "",
        )
        for (name, agent), interface in zip(agents.items(), interfaces, strict=True)
    )


def name_agents(agents: Sequence[AgentLike] | Mapping[str, AgentLike]) -> dict[str, AgentLike]:
    """Agents by unique name: their spec, their `name`, or their class; repetitions are numbered."""
    if isinstance(agents, Mapping):
        return {str(name): agent for name, agent in agents.items()}
    found: dict[str, AgentLike] = {}
    for agent in agents:
        name = unique = agent.strip() if isinstance(agent, str) else _holder_face(agent)
        number = 2
        while unique in found:
            unique, number = f"{name} #{number}", number + 1
        found[unique] = agent
    return found


def _holder_face(agent: Any) -> str:
    name = getattr(agent, "name", None)
    return name if isinstance(name, str) and name else type(agent).__name__


def fingerprint(spec: str) -> str:
    """SHA-256 of the file or folder a spec names; empty if it names none."""
    parsed = parse_spec(spec)
    if parsed.name in NAMED:
        return ""
    stem, code, _ = parsed.target.rpartition(".py:")
    path = Path(f"{stem}.py" if code else parsed.target)
    files = [file for file in _files(path) if "__pycache__" not in file.parts]
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(path)}\0{file.stat().st_size}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest() if files else ""


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.is_file())
    return [path] if path.is_file() else []
