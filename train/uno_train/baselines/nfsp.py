"""Neural fictitious self-play: a best response to the others' average strategy, and that average.

NFSP (Heinrich and Silver 2016, arXiv 1603.01121). Two networks learn from the same games:

- the **best response** is a DQN (`dqn.py`) on everything that was played;
- the **average policy** imitates what the best response did, by cross-entropy on a reservoir
  sample of all its decisions, so that it approaches the average of all best responses so far.

In each game every seat plays the best response with probability `anticipation`, else the average
policy. Fictitious play converges to an equilibrium in two-player zero-sum games; the agent that is
saved is the average policy, and playing it with `sample=true` is playing that strategy.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from uno_agents.neural.network import PolicyNetwork

from uno_env.actions import MAX_SEATS
from uno_env.array_types import Ints

from ..policy import action_ids, encode, sample
from ..tables import TableConfig
from .dqn import Replay, q_values, td_loss
from .games import Games, Opponent, epsilon_greedy, make_network, seed_torch
from .learner import Metrics


@dataclass(frozen=True)
class Config:
    """Hyperparameters."""

    hidden: tuple[int, ...] = (128, 128)
    num_envs: int = 64
    steps: int = 16
    """Steps of all games in an iteration, with a gradient step of both networks after each."""
    capacity: int = 1 << 16
    reservoir: int = 1 << 16
    learning_starts: int = 4096
    learning_rate: float = 5e-4
    average_learning_rate: float = 1e-3
    batch: int = 256
    n_step: int = 3
    target_every: int = 100
    anticipation: float = 0.3
    """Probability that a seat plays its best response in a game. The paper's 0.1 is for budgets of
    millions: it leaves the average policy too few decisions to imitate here."""
    epsilon: float = 0.02
    """Exploration of the best response at the end; it falls linearly from 0.5."""
    max_grad_norm: float = 10.0


DEFAULTS = Config()


class Reservoir:
    """A uniform sample of all decisions ever added (Vitter 1985, algorithm R)."""

    def __init__(self, capacity: int, network: PolicyNetwork) -> None:
        self.inputs = torch.zeros((capacity, len(network.inputs)), dtype=torch.uint8)
        self.mask = torch.zeros((capacity, len(network.actions)), dtype=torch.uint8)
        self.action = torch.zeros(capacity, dtype=torch.int64)
        self.added = 0

    def add(self, inputs: Tensor, mask: Tensor, action: Tensor, rng: torch.Generator) -> None:
        """Each new decision replaces a random old one, with the probability that keeps it fair."""
        order = torch.arange(self.added, self.added + len(action))
        draws = (torch.rand(len(action), generator=rng) * (order + 1)).long()
        rows = torch.where(order < len(self.action), order, draws)
        kept = rows < len(self.action)
        rows = rows[kept]
        self.inputs[rows], self.mask[rows] = inputs[kept], mask[kept]
        self.action[rows] = action[kept]
        self.added += len(action)

    @property
    def size(self) -> int:
        """Decisions it holds."""
        return min(self.added, len(self.action))

    def state_dict(self) -> dict[str, Any]:
        """What it holds."""
        names = ("inputs", "mask", "action")
        kept = {name: getattr(self, name)[: self.size].clone() for name in names}
        return {**kept, "added": self.added}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        self.added = state["added"]
        for name in ("inputs", "mask", "action"):
            getattr(self, name)[: len(state[name])] = state[name]


class Learner:
    """Both networks, both buffers and the games of one run."""

    def __init__(
        self,
        tables: Sequence[TableConfig],
        seed: int,
        config: Config = DEFAULTS,
        *,
        opponents: Sequence[Opponent] = (),
    ) -> None:
        seed_torch(seed)
        self.config = config
        self.response, self.target, self.average = (
            make_network(tables, config.hidden) for _ in range(3)
        )
        self.target.load_state_dict(self.response.state_dict())
        self.optimizer = torch.optim.Adam(self.response.parameters(), config.learning_rate)
        self.average_optimizer = torch.optim.Adam(
            self.average.parameters(), config.average_learning_rate
        )
        self.games = Games(tables, config.num_envs, seed, opponents)
        self.replay = Replay(config.capacity, config.num_envs, self.response)
        self.reservoir = Reservoir(config.reservoir, self.average)
        self.rng = torch.Generator().manual_seed(seed)
        self.decisions = self.gradient_steps = 0
        # Which seats play the best response in the running game.
        self.responds = np.zeros((config.num_envs, MAX_SEATS), bool)
        self._assign(np.arange(config.num_envs))

    def _assign(self, games: Ints) -> None:
        draws = torch.rand((len(games), MAX_SEATS), generator=self.rng)
        self.responds[games] = (draws < self.config.anticipation).numpy()

    def policy(self) -> PolicyNetwork:
        """The average policy."""
        return self.average

    def iterate(self, progress: float) -> Metrics:
        """Play some steps, with a gradient step of both networks after each."""
        epsilon = 0.5 + (self.config.epsilon - 0.5) * progress
        losses = []
        for _ in range(self.config.steps):
            self._play(epsilon)
            if self.replay.added >= self.config.learning_starts and self.reservoir.size:
                losses.append((self._response_step(), self._average_step()))
        if not losses:
            return {}
        q_loss, average_loss = np.mean(losses, axis=0).tolist()
        return {"train/q_loss": q_loss, "train/average_loss": average_loss}

    def _play(self, epsilon: float) -> None:
        games = self.games
        rows = games.learner_rows()
        seats = games.v.actor[rows]
        responds = torch.from_numpy(self.responds[rows, seats])
        with torch.inference_mode():
            encoded = encode(self.response, games.v.obs[rows], games.v.mask[rows])
            inputs, mask = encoded.inputs, encoded.mask
            best = epsilon_greedy(q_values(self.response, inputs, mask), mask, epsilon, self.rng)
            usual, _ = sample(self.average.forward_canonical(inputs, mask)[0], self.rng)
            action = torch.where(responds, best, usual)
        # Everything teaches the best response; only what it chose itself teaches the average.
        self.replay.add(rows, seats, inputs, mask, action)
        self.reservoir.add(inputs[responds], mask[responds], action[responds], self.rng)
        done, rewards = games.step(rows, action_ids(self.response, encoded, action))
        self.replay.end(np.flatnonzero(done), rewards[done])
        self._assign(np.flatnonzero(done))
        self.decisions += len(rows)

    def _response_step(self) -> float:
        config = self.config
        rows = self.replay.sample(config.batch, self.rng)
        loss, _ = td_loss(self.response, self.target, self.replay, rows, config.n_step)
        self._step(self.optimizer, self.response, loss)
        self.gradient_steps += 1
        if self.gradient_steps % config.target_every == 0:
            self.target.load_state_dict(self.response.state_dict())
        return float(loss.detach())

    def _average_step(self) -> float:
        reservoir = self.reservoir
        rows = torch.randint(reservoir.size, (self.config.batch,), generator=self.rng)
        logits, _ = self.average.forward_canonical(reservoir.inputs[rows], reservoir.mask[rows])
        loss = functional.cross_entropy(logits, reservoir.action[rows])
        self._step(self.average_optimizer, self.average, loss)
        return float(loss.detach())

    def _step(self, optimizer: torch.optim.Adam, network: PolicyNetwork, loss: Tensor) -> None:
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), self.config.max_grad_norm)
        optimizer.step()

    _PARTS = (
        "response", "target", "average", "optimizer", "average_optimizer", "replay", "reservoir",
        "games",
    )  # fmt: skip

    def state_dict(self) -> dict[str, Any]:
        """Networks, optimisers, buffers, games, seats and generator."""
        return {
            **{part: getattr(self, part).state_dict() for part in self._PARTS},
            "responds": torch.from_numpy(self.responds.copy()),
            "rng": self.rng.get_state(),
            "decisions": self.decisions,
            "gradient_steps": self.gradient_steps,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        for part in self._PARTS:
            getattr(self, part).load_state_dict(state[part])
        self.responds[:] = state["responds"].numpy()
        self.rng.set_state(state["rng"])
        self.decisions, self.gradient_steps = state["decisions"], state["gradient_steps"]
