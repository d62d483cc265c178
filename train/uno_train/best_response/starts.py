"""Where a best response starts from: from scratch, from the agent itself, from search distillation.

Reinforcement learning finds local optima, so several starts are trained and the best counts. All
of them are the self-play trainer (`uno_train.ppo`) with the frozen agent on every other seat.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from uno_agents.base import AgentError
from uno_agents.neural.agent import load_network
from uno_agents.neural.experts import HEURISTIC_PRIOR
from uno_agents.neural.network import PolicyNetwork
from uno_agents.neural.weights import CheckpointError
from uno_agents.pretrained import pretrained_path

from uno_env import Rules

from ..config import TrainConfig, make_config
from ..ppo import Learner, run
from ..tables import TableConfig

SMALL: dict[str, Any] = {
    "num_envs": 256,
    "rollout_steps": 32,
    "minibatch": 1024,
    "epochs": 3,
    "hidden": (128, 128),
    "threads": 1,
}
"""Sizes of a response: many small iterations, because budgets are short."""
IMITATED, DISTILLED = 0.25, 0.4
"""The part of the budget that is spent on imitation and on search distillation, before PPO."""


class Setup(NamedTuple):
    """Whom to respond to, where, and for how long.

    Attributes:
        decisions: of each start; 0 for no limit.
        minutes: of each start; 0 for no limit.
    """

    agent: str
    table: TableConfig
    decisions: int
    minutes: float
    seed: int


def _config(setup: Setup, **more: Any) -> TrainConfig:
    return make_config(
        None,
        {
            **SMALL,
            "variant": (setup.table.rules.text(),),
            "players": (setup.table.num_players,),
            "seed": setup.seed,
            "decisions": setup.decisions,
            "minutes": setup.minutes,
            "opponents": {setup.agent: 1.0},
            **more,
        },
    )


def from_scratch(setup: Setup) -> Learner:
    """Random weights, PPO from the first decision."""
    return Learner(_config(setup))


def from_agent(setup: Setup) -> Learner:
    """The agent's own weights if it is a network, else a network that imitated it first."""
    found = agent_network(setup.agent, setup.table.rules)
    if found is None:
        share = int(IMITATED * setup.decisions)
        imitation = {"imitation_teacher": setup.agent, "imitation_decisions": share or 50_000}
        return Learner(_config(setup, **imitation))
    network, metadata = found
    more: dict[str, Any] = {
        "hidden": tuple(network.hidden),
        "share_number_weights": False,
        "seats_by_turn": network.seats_by_turn,
    }
    if metadata.get(HEURISTIC_PRIOR):
        more |= {"heuristic_prior": metadata[HEURISTIC_PRIOR], "imitation_teacher": "heuristic"}
        more |= {"imitation_decisions": 0}
    # It plays well already: smaller steps, or the first iterations undo what it knows.
    learner = Learner(_config(setup, learning_rate=3e-4, **more))
    learner.network.load_state_dict(_narrowed(network, learner.network))
    return learner


def from_distillation(setup: Setup) -> Learner:
    """Action values of search first (expert iteration), PPO on top."""
    return Learner(_config(setup, distill_until=DISTILLED))


STARTS: dict[str, Callable[[Setup], Learner]] = {
    "scratch": from_scratch,
    "agent": from_agent,
    "distill": from_distillation,
}


def train(setup: Setup, start: str, say: Callable[[str], None]) -> Learner:
    """Train a response from a start until its budget is used up."""
    learner = STARTS[start](setup)
    said = time.monotonic()

    def after(progress: float, metrics: Any) -> bool:
        nonlocal said
        if time.monotonic() - said > 10:
            said = time.monotonic()
            say(f"{start}: {learner.decisions:,} decisions, {100 * progress:.0f} % of its budget")
        return False

    run(learner, after)
    return learner


def agent_network(spec: str, rules: Rules) -> tuple[PolicyNetwork, dict[str, Any]] | None:
    """The network by which an agent spec plays these rules, if it is a checkpoint of this version.

    None for every other agent.
    """
    name, _, rest = spec.partition(":")
    place = pretrained_path(rest.partition(",")[0]) if name == "pretrained" else name
    try:
        return load_network(place, [rules])
    except (AgentError, CheckpointError, OSError):
        return None


def _narrowed(full: PolicyNetwork, narrow: PolicyNetwork) -> dict[str, torch.Tensor]:
    """The weights of a full network for one that reads and chooses only what its tables use."""
    weights = {name: tensor.clone() for name, tensor in full.state_dict().items()}
    weights["trunk.0.weight"] = weights["trunk.0.weight"][:, narrow.inputs]
    for name in ("policy.weight", "policy.bias"):
        weights[name] = weights[name][narrow.actions]
    return weights
