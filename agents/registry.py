"""Agents by spec string: `random`, `greedy`, or a checkpoint folder such as `runs/quick/last`.

`uno_env` finds `make_agent` through the entry point group `uno_env.agents`, so every environment
takes the same strings.
"""

from collections.abc import Callable
from pathlib import Path

from .base import Agent, AgentError
from .simple import GreedyAgent, RandomAgent

BUILT_IN: dict[str, Callable[[int], Agent]] = {"random": RandomAgent, "greedy": GreedyAgent}


def make_agent(spec: str, seed: int = 0) -> Agent:
    """The agent a spec string names.

    Args:
        spec: a built-in name, or the path of a checkpoint folder.
        seed: starts the agent's own generator, if it has one.
    """
    if not isinstance(spec, str):
        raise AgentError(f"agent spec is {spec!r}; a string is needed")
    if spec in BUILT_IN:
        return BUILT_IN[spec](seed)
    if Path(spec).is_dir():
        from .neural import NeuralAgent

        return NeuralAgent.load(spec, seed=seed)
    raise AgentError(
        f"unknown agent {spec!r}; allowed: {', '.join(BUILT_IN)}, or the folder of a checkpoint "
        f"(there is no folder {spec!r})"
    )
