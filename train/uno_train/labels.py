"""Labels of distillation: which decisions get one, and by whom.

Search gives action values of a position (expert iteration, Anthony et al. 2017). At the tables of
an agent that is trained already, its policy is the label instead (policy distillation, Rusu et al.
2015): without noise, and for the price of a forward pass.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from uno_agents.advice import PolicyValueAgent
from uno_agents.registry import make_agent
from uno_agents.search.teacher import SearchTeacher

from uno_env import Rules
from uno_env.actions import NUM_ACTIONS
from uno_env.array_types import Bools, Bytes, Floats, Ints
from uno_env.rulesets import expand_variants
from uno_env.vector.vec import UnoVec

from .config import CERTAIN, ConfigError

TYPICAL_ACTIONS = 3
"""Legal actions of a decision that is labelled with probability `share`."""
LEAST_PROBABILITY = 1e-6
"""Keeps the logarithm of a probability finite."""


class PolicyLabels:
    """Policies of trained agents as action values, at the tables that each was trained for.

    The loss of distillation is KL(pi || softmax(q / temperature)), so the values are the logarithms
    of the probabilities times the temperature.

    Args:
        specs: agents with a network; each labels the rule sets that it was trained on, the last one
            named where there are several.
        rule_sets: those of the run, in the order of its tables.
        temperature: of the loss.
    """

    def __init__(
        self, specs: Sequence[str], rule_sets: Sequence[Rules], temperature: float
    ) -> None:
        self._temperature = temperature
        self._agents: list[PolicyValueAgent] = []
        self._agent_of = np.full(len(rule_sets), -1)
        for number, spec in enumerate(specs):
            agent: Any = make_agent(spec, 0)
            trained_on = [Rules.from_text(text) for text in _variants(agent, spec)]
            is_its_own = np.array([rules in trained_on for rules in rule_sets])
            if not is_its_own.any():
                raise ConfigError(f"distill_from {spec!r} was trained for none of the run's tables")
            self._agent_of[is_its_own] = number
            self._agents.append(agent)

    def covers(self, v: UnoVec, rows: Ints) -> Bools:
        """Which of these games an agent labels."""
        covered: Bools = self._agent_of[v.engine_arrays.games["rule"][rows]] >= 0
        return covered

    def q_values(self, v: UnoVec, rows: Ints) -> Floats:
        """Action values (rows, 208) of games that are covered."""
        agent_of = self._agent_of[v.engine_arrays.games["rule"][rows]]
        probs = np.ones((len(rows), NUM_ACTIONS), np.float32)
        for number, agent in enumerate(self._agents):
            own = np.flatnonzero(agent_of == number)
            if len(own):
                games = rows[own]
                probs[own], _ = agent.probabilities_batch(v.obs[games], v.mask[games])
        logits: Floats = np.log(np.maximum(probs, np.float32(LEAST_PROBABILITY)))
        return np.float32(self._temperature) * logits * v.mask[rows]


def _variants(agent: Any, spec: str) -> list[str]:
    """The rule sets that an agent was trained on."""
    config = getattr(agent, "metadata", {}).get("config", {})
    if not isinstance(agent, PolicyValueAgent) or not config.get("variant"):
        raise ConfigError(f"distill_from {spec!r} has no trained network")
    return list(expand_variants(config["variant"]))


class Labeller(NamedTuple):
    """Labels some of the learner's decisions with action values.

    Attributes:
        share: of decisions with three actions; those with more are labelled more often.
        certain: factor of the share where the learner is certain of its action.
        margin: bonus that the loss gives to the heuristic's action; it is for search alone.
    """

    search_teacher: SearchTeacher
    policies: PolicyLabels | None
    share: float
    certain: float
    margin: float

    def pick(self, mask: Bytes, certainty: Floats, rng: np.random.Generator) -> Bools:
        """Which decisions to label.

        Those with many actions more often: whom to swap with comes up rarely. Those the learner is
        certain of may be labelled less often (uncertainty sampling, Lewis and Gale 1994): its
        action is usually the best there.

        Args:
            certainty: probability of the learner's most probable action.
        """
        share = self.share * mask.sum(axis=1) / TYPICAL_ACTIONS
        certain = np.clip((certainty - CERTAIN) / (1 - CERTAIN), 0, 1)
        share *= 1 - certain * (1 - self.certain)
        picked: Bools = rng.random(len(mask)) < share
        return picked

    def q_values(
        self, v: UnoVec, rows: Ints, key: int, actions: Tensor, teacher_action: Tensor
    ) -> Tensor:
        """Values of the learner's canonical actions in these games.

        Args:
            key: fixes the random numbers of search.
            actions: the ids of the canonical actions, a row for each game.
            teacher_action: the canonical action of the heuristic.
        """
        if self.policies is None:
            values = self.search_teacher.q_values(v, rows, key)
            return torch.from_numpy(values).to(actions.device).gather(1, actions)
        by_policy = self.policies.covers(v, rows)
        values = np.zeros((len(rows), NUM_ACTIONS), np.float32)
        values[~by_policy] = self.search_teacher.q_values(v, rows[~by_policy], key)
        values[by_policy] = self.policies.q_values(v, rows[by_policy])
        canonical = torch.from_numpy(values).to(actions.device).gather(1, actions)
        bonus = self.margin * torch.from_numpy(by_policy).to(canonical)
        return canonical.scatter_add(1, teacher_action[:, None], -bonus[:, None])
