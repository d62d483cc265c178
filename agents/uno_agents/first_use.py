"""What `uno-env warm-up` compiles of the agents."""

from typing import Any

import numpy as np

import uno_env
from uno_env.actions import DRAW, NUM_ACTIONS
from uno_env.first_use import Use

from .registry import make_agent
from .search.teacher import SearchTeacher


def _one_row() -> tuple[Any, Any]:
    """An empty observation in which only drawing is legal: enough to compile for its type."""
    mask = np.zeros((1, NUM_ACTIONS), np.uint8)
    mask[0, DRAW] = 1
    return np.zeros((1, uno_env.OBS_SIZE), np.uint8), mask


def _use_heuristic() -> None:
    agent: Any = make_agent("heuristic")
    agent.act_batch(*_one_row())


def _use_network() -> None:
    agent: Any = make_agent("pretrained:classic")
    agent.act_batch(*_one_row())


def _use_search() -> None:
    _search("search:sims=2")


def _use_rollouts() -> None:
    _search("search:sims=2,rollout=greedy")


def _search(spec: str) -> None:
    game = uno_env.Game("classic", 2, seed=1)
    while len(game.legal()) < 2:
        game.step(game.legal_ids()[0])
    agent: Any = make_agent(spec)
    agent.act(game.view(game.actor or 0), game.legal())


def _use_teacher() -> None:
    batch = uno_env.vec("classic", 1)
    batch.reset()
    SearchTeacher([batch.rules_of(0)], 1).q_values(batch, np.zeros(1, np.int64), 0)


USES = (
    Use("heuristic", _use_heuristic, "uno_agents.heuristic.kernels.policy"),
    Use("network", _use_network, "uno_agents.neural.kernels.forward"),
    Use("search", _use_search, "uno_agents.search.kernels.search", waits=True),
    Use("rollouts", _use_rollouts, "uno_agents.search.kernels.batched", waits=True),
    Use("teacher", _use_teacher, "uno_agents.search.kernels.teacher", waits=True),
)
