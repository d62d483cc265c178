"""Double, dueling DQN in self-play, with n-step targets along the decisions of each seat.

DQN (Mnih et al. 2015, doi 10.1038/nature14236), double Q-learning (van Hasselt et al. 2016, arXiv
1509.06461), dueling heads (Wang et al. 2016, arXiv 1511.06581). With action values

    Q(s, a) = V(s) + A(s, a) - mean over legal b of A(s, b)

the loss is Huber(Q(s, a) - y), where y is the reward if the game ends within n decisions of the
seat, and otherwise the target network's value of the online network's best action n decisions
later. Rewards come at the end of a game only and are not discounted.

The policy head of the exported network holds A: its largest legal logit is the best action.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from uno_agents.neural.network import ILLEGAL_LOGIT, PolicyNetwork

from uno_env.actions import MAX_SEATS
from uno_env.array_types import Floats, Ints

from ..policy import action_ids, encode
from ..tables import TableConfig
from .games import MAX_STEPS, Games, Opponent, epsilon_greedy, make_network, seed_torch
from .learner import Metrics

UNKNOWN, TERMINAL = -1, -2
"""What follows a decision if no row of the buffer does: nothing yet, or the end of the game."""


@dataclass(frozen=True)
class Config:
    """Hyperparameters."""

    hidden: tuple[int, ...] = (128, 128)
    num_envs: int = 64
    steps: int = 16
    """Steps of all games in an iteration, with one gradient step after each."""
    capacity: int = 1 << 16
    learning_starts: int = 4096
    learning_rate: float = 5e-4
    batch: int = 256
    n_step: int = 3
    target_every: int = 100
    """Gradient steps between two copies of the online network."""
    epsilon: float = 0.05
    """Exploration at the end; it falls linearly from 1 over the first `explore` of the run."""
    explore: float = 0.2
    max_grad_norm: float = 10.0


DEFAULTS = Config()


class Replay:
    """A ring of decisions; each names the row of the same seat's next decision.

    **Per-seat credit.** `open[game, seat]` is the seat's last decision. It is completed when the
    seat decides again (the next state, whatever the others did in between) or when the game ends
    (the seat's own reward). **An idle seat** therefore never needs a bootstrap of its own: until it
    acts again its last decision is UNKNOWN and is not sampled.
    """

    def __init__(self, capacity: int, games: int, network: PolicyNetwork) -> None:
        if capacity < games * MAX_STEPS:
            raise ValueError(
                f"capacity is {capacity}; {games} games of up to {MAX_STEPS} decisions need "
                f"{games * MAX_STEPS}, or open decisions would be overwritten"
            )
        self.inputs = torch.zeros((capacity, len(network.inputs)), dtype=torch.uint8)
        self.mask = torch.zeros((capacity, len(network.actions)), dtype=torch.uint8)
        self.action = torch.zeros(capacity, dtype=torch.int64)
        self.reward = torch.zeros(capacity)
        self.next = torch.full((capacity,), UNKNOWN)
        self.open = torch.full((games, MAX_SEATS), UNKNOWN)
        self.added = 0

    def add(self, games: Ints, seats: Ints, inputs: Tensor, mask: Tensor, action: Tensor) -> None:
        """Decisions of these seats; they follow the seats' decisions before."""
        rows = torch.arange(self.added, self.added + len(action)) % len(self.action)
        where = (torch.from_numpy(games), torch.from_numpy(seats))
        before = self.open[where]
        self.next[before[before >= 0]] = rows[before >= 0]
        self.inputs[rows], self.mask[rows], self.action[rows] = inputs, mask, action
        self.reward[rows], self.next[rows] = 0.0, UNKNOWN
        self.open[where] = rows
        self.added += len(action)

    def end(self, games: Ints, rewards: Floats) -> None:
        """These games are over: every seat gets its reward for its last decision."""
        last = self.open[games]
        self.reward[last[last >= 0]] = torch.from_numpy(rewards)[last >= 0]
        self.next[last[last >= 0]] = TERMINAL
        self.open[games] = UNKNOWN

    def sample(self, size: int, rng: torch.Generator) -> Tensor:
        """Random rows whose next state is known."""
        rows = torch.randint(min(self.added, len(self.action)), (size,), generator=rng)
        return rows[self.next[rows] != UNKNOWN]

    def ahead(self, rows: Tensor, steps: int) -> tuple[Tensor, Tensor, Tensor]:
        """The seat's row up to so many decisions later, the reward on the way, whether it ended."""
        ended = torch.zeros(len(rows), dtype=torch.bool)
        reward = torch.zeros(len(rows))
        for _ in range(steps):
            follows = self.next[rows]
            ends = (follows == TERMINAL) & ~ended
            reward = torch.where(ends, self.reward[rows], reward)
            ended |= ends
            rows = torch.where(follows >= 0, follows, rows)
        return rows, reward, ended

    def state_dict(self) -> dict[str, Any]:
        """The filled part of the ring."""
        used = min(self.added, len(self.action))
        names = ("inputs", "mask", "action", "reward", "next")
        kept = {name: getattr(self, name)[:used].clone() for name in names}
        return {**kept, "open": self.open.clone(), "added": self.added}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        self.added, self.open = state["added"], state["open"]
        for name in ("inputs", "mask", "action", "reward", "next"):
            getattr(self, name)[: len(state[name])] = state[name]


def q_values(network: PolicyNetwork, inputs: Tensor, mask: Tensor) -> Tensor:
    """Action values of dueling heads; illegal actions are far below."""
    advantage, value = network.forward_canonical(inputs, mask)
    legal = mask > 0
    mean = (advantage * legal).sum(-1) / legal.sum(-1)
    values = value[:, None] + advantage - mean[:, None]
    return values.masked_fill(~legal, ILLEGAL_LOGIT)


def td_loss(
    online: PolicyNetwork, target: PolicyNetwork, replay: Replay, rows: Tensor, n_step: int
) -> tuple[Tensor, Tensor]:
    """The Huber loss of these rows, and their action values."""
    later, reward, ended = replay.ahead(rows, n_step)
    inputs, mask = replay.inputs[later], replay.mask[later]
    with torch.no_grad():
        # Double: the online network chooses the action, the target network values it.
        best = q_values(online, inputs, mask).argmax(-1, keepdim=True)
        bootstrap = q_values(target, inputs, mask).gather(1, best)[:, 0]
    goal = torch.where(ended, reward, bootstrap)
    values = q_values(online, replay.inputs[rows], replay.mask[rows])
    chosen = values.gather(1, replay.action[rows][:, None])[:, 0]
    return functional.smooth_l1_loss(chosen, goal), chosen


class Learner:
    """Networks, replay buffer and games of one run."""

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
        self.network = make_network(tables, config.hidden)
        self.target = make_network(tables, config.hidden)
        self.target.load_state_dict(self.network.state_dict())
        self.optimizer = torch.optim.Adam(self.network.parameters(), config.learning_rate)
        self.games = Games(tables, config.num_envs, seed, opponents)
        self.replay = Replay(config.capacity, config.num_envs, self.network)
        self.rng = torch.Generator().manual_seed(seed)
        self.decisions = self.gradient_steps = 0

    def policy(self) -> PolicyNetwork:
        """The online network: its best action has the largest advantage."""
        return self.network

    def iterate(self, progress: float) -> Metrics:
        """Play some steps, with a gradient step after each."""
        config = self.config
        epsilon = max(config.epsilon, 1 - (1 - config.epsilon) * progress / config.explore)
        steps = []
        for _ in range(config.steps):
            self._play(epsilon)
            if self.replay.added >= config.learning_starts:
                steps.append(self._gradient_step())
        means = (
            {key: float(np.mean([step[key] for step in steps])) for key in steps[0]}
            if steps
            else {}
        )
        return {**means, "train/epsilon": epsilon}

    def _play(self, epsilon: float) -> None:
        games = self.games
        rows = games.learner_rows()
        seats = games.v.actor[rows]
        with torch.inference_mode():
            encoded = encode(self.network, games.v.obs[rows], games.v.mask[rows])
            values = q_values(self.network, encoded.inputs, encoded.mask)
            action = epsilon_greedy(values, encoded.mask, epsilon, self.rng)
        self.replay.add(rows, seats, encoded.inputs, encoded.mask, action)
        done, rewards = games.step(rows, action_ids(self.network, encoded, action))
        self.replay.end(np.flatnonzero(done), rewards[done])
        self.decisions += len(rows)

    def _gradient_step(self) -> Metrics:
        config = self.config
        rows = self.replay.sample(config.batch, self.rng)
        loss, chosen = td_loss(self.network, self.target, self.replay, rows, config.n_step)
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
        self.optimizer.step()
        self.gradient_steps += 1
        if self.gradient_steps % config.target_every == 0:
            self.target.load_state_dict(self.network.state_dict())
        return {
            "train/q_loss": float(loss.detach()),
            "train/q_value": float(chosen.detach().mean()),
        }

    def state_dict(self) -> dict[str, Any]:
        """Weights, optimiser, replay buffer, games and generator."""
        return {
            "network": self.network.state_dict(),
            "target": self.target.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "replay": self.replay.state_dict(),
            "games": self.games.state_dict(),
            "rng": self.rng.get_state(),
            "decisions": self.decisions,
            "gradient_steps": self.gradient_steps,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        for part in ("network", "target", "optimizer", "replay", "games"):
            getattr(self, part).load_state_dict(state[part])
        self.rng.set_state(state["rng"])
        self.decisions, self.gradient_steps = state["decisions"], state["gradient_steps"]
