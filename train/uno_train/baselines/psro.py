"""Policy-space response oracles: a growing population, each member a response to its mixture.

PSRO (Lanctot et al. 2017, arXiv 1711.00832). Each round, an oracle (one of the other baselines)
trains a response to opponents drawn from the meta-strategy; the response joins the population, its
win rates against all members extend the payoff matrix, and the meta-strategy is the Nash
equilibrium of that symmetric zero-sum matrix game, by linear programming.

The population starts with the uniform policy. The saved agent is the member with the greatest
weight in the last meta-strategy; `result.json` does not hold the mixture, the state of the run
does. For tables of more than two the matrix holds one member against a table of another, and the
equilibrium of that game is a heuristic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from scipy.optimize import linprog
from uno_agents.base import BatchAgent
from uno_agents.neural.agent import NeuralAgent
from uno_agents.neural.network import PolicyNetwork
from uno_agents.simple import RandomAgent
from uno_arena.evaluate import evaluate

from uno_env.array_types import Doubles

from ..tables import TableConfig
from . import dmc, dqn, ppo
from .games import Opponent, make_network
from .learner import Metrics

ORACLES: dict[str, Any] = {"ppo": ppo.Learner, "dqn": dqn.Learner, "dmc": dmc.Learner}
PAYOFF_SEED = 1 << 46


@dataclass(frozen=True)
class Config:
    """Hyperparameters."""

    oracle: str = "ppo"
    rounds: int = 8
    """Members of the population at the end, besides the uniform policy."""
    payoff_deals: int = 200
    """Duplicate deals of each entry of the payoff matrix."""
    warm_start: bool = True
    """Whether a response starts from the weights of the one before."""


DEFAULTS = Config()


def meta_strategy(payoffs: Doubles) -> Doubles:
    """The equilibrium of a symmetric zero-sum game: the mixture that loses least to any member."""
    size = len(payoffs)
    # Maximise v subject to p' A >= v, sum p = 1, p >= 0; the variables are p and v.
    constraints = np.hstack([-payoffs.T, np.ones((size, 1))])
    solved = linprog(
        np.append(np.zeros(size), -1.0),
        A_ub=constraints,
        b_ub=np.zeros(size),
        A_eq=np.append(np.ones(size), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * size + [(None, None)],
    )
    strategy: Doubles = np.clip(solved.x[:size], 0, None)
    strategy /= strategy.sum()
    return strategy


class Learner:
    """The population, its payoffs and the oracle at work."""

    def __init__(
        self,
        tables: Sequence[TableConfig],
        seed: int,
        config: Config = DEFAULTS,
        *,
        opponents: Sequence[Opponent] = (),
    ) -> None:
        if opponents:
            raise ValueError("psro makes its own opponents; train ppo, dqn or dmc against others")
        self.config, self._tables, self._seed = config, tables, seed
        self.members: list[PolicyNetwork] = []
        self.payoffs = np.zeros((1, 1))
        self.strategy = np.ones(1)
        self._finished = 0
        self.oracle = self._new_oracle()

    @property
    def decisions(self) -> int:
        """Decisions of all oracles so far."""
        return self._finished + int(self.oracle.decisions)

    def policy(self) -> PolicyNetwork:
        """The member with the greatest weight; the oracle itself before there is one."""
        if not self.members:
            network: PolicyNetwork = self.oracle.policy()
            return network
        weights = self.strategy[1:]
        # While the uniform policy has all the weight, the newest member.
        return self.members[int(weights.argmax()) if weights.any() else -1]

    def _agents(self) -> list[BatchAgent]:
        return [RandomAgent(self._seed), *(NeuralAgent(member, {}) for member in self.members)]

    def _new_oracle(self) -> Any:
        agents = self._agents()
        opponents = [
            Opponent(agent, float(share))
            for agent, share in zip(agents, self.strategy, strict=True)
            if share > 1e-3
        ]
        seed = self._seed + 1000 * len(self.members)
        oracle = ORACLES[self.config.oracle](self._tables, seed, opponents=opponents)
        if self.config.warm_start and self.members:
            oracle.network.load_state_dict(self.members[-1].state_dict())
        return oracle

    def iterate(self, progress: float) -> Metrics:
        """One iteration of the oracle; at the end of a round it joins the population."""
        metrics: Metrics = self.oracle.iterate(progress * self.config.rounds % 1)
        if progress >= (len(self.members) + 1) / self.config.rounds:
            self._end_round()
        return {**metrics, "psro/members": float(len(self.members))}

    def _end_round(self) -> None:
        self._finished += int(self.oracle.decisions)
        self.members.append(self._copied(self.oracle.policy()))
        agents = self._agents()
        row = [self._payoff(agents[-1], agent) for agent in agents[:-1]]
        size = len(agents)
        payoffs = np.zeros((size, size))
        payoffs[:-1, :-1] = self.payoffs
        payoffs[-1, :-1], payoffs[:-1, -1] = row, [-value for value in row]
        self.payoffs, self.strategy = payoffs, meta_strategy(payoffs)
        self.oracle = self._new_oracle()

    def _payoff(self, agent: BatchAgent, opponent: BatchAgent) -> float:
        """Wins above the chance level, over all tables."""
        results = [
            evaluate(
                agent, opponent, table.rules, table.num_players, self.config.payoff_deals,
                PAYOFF_SEED,
            )
            for table in self._tables
        ]  # fmt: skip
        return float(np.mean([result.rate - result.chance for result in results]))

    def _copied(self, network: PolicyNetwork) -> PolicyNetwork:
        copy = make_network(self._tables, network.hidden)
        copy.load_state_dict(network.state_dict())
        return copy

    def state_dict(self) -> dict[str, Any]:
        """Population, payoffs, meta-strategy, and the oracle at work."""
        return {
            "members": [member.state_dict() for member in self.members],
            "payoffs": torch.from_numpy(self.payoffs.copy()),
            "strategy": torch.from_numpy(self.strategy.copy()),
            "finished": self._finished,
            "oracle": self.oracle.state_dict(),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        self.members = []
        for weights in state["members"]:
            self.members.append(self._copied(self.oracle.policy()))
            self.members[-1].load_state_dict(weights)
        self.payoffs, self.strategy = state["payoffs"].numpy(), state["strategy"].numpy()
        self._finished = state["finished"]
        self.oracle = self._new_oracle()
        self.oracle.load_state_dict(state["oracle"])
