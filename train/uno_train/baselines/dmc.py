"""Deep Monte Carlo in self-play, as in DouZero: action values regressed on returns of games.

DouZero (Zha et al. 2021, arXiv 2106.06135). With the return G of a finished game for the seat that
decided, the loss is mean((Q(s, a) - G)^2), and every seat plays epsilon-greedily by Q. There is no
bootstrap and no target network, hence no bias but much variance; that suits games that end soon.

DouZero's action is an input of its network, because DouDizhu has 27,472 of them; UNO has 208 ids,
so all values come from one forward pass. It keeps an LSTM over past moves; here the observation
sums up the past.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from uno_agents.neural.network import PolicyNetwork

from uno_env.array_types import Bools, Floats, Ints

from ..policy import action_ids, encode
from ..tables import TableConfig
from .games import MAX_STEPS, Games, Opponent, epsilon_greedy, make_network, seed_torch
from .learner import Metrics


@dataclass(frozen=True)
class Config:
    """Hyperparameters."""

    hidden: tuple[int, ...] = (128, 128)
    num_envs: int = 64
    steps: int = 16
    """Steps of all games in an iteration, with one gradient step after each."""
    capacity: int = 1 << 15
    """Finished decisions that are learned from; old ones were played by a weaker policy."""
    learning_starts: int = 2048
    learning_rate: float = 1e-3
    """Decays linearly to a tenth."""
    batch: int = 256
    epsilon: float = 0.05
    max_grad_norm: float = 10.0


DEFAULTS = Config()


class Returns:
    """Decisions of running games, and a ring of finished ones with their returns.

    **Per-seat credit.** All decisions of a seat in a game get the seat's reward at the end of the
    game: in self-play the decisions of the winner +1, those of the others a share of the loss.
    **Idle seats** need no bootstrap, for nothing is learned from a game before it has ended.
    """

    def __init__(self, capacity: int, games: int, network: PolicyNetwork) -> None:
        # One slot for each decision that a running game can have.
        self.running_inputs = np.zeros((games, MAX_STEPS + 1, len(network.inputs)), np.uint8)
        self.running_action = np.zeros((games, MAX_STEPS + 1), np.int64)
        self.running_seat = np.zeros((games, MAX_STEPS + 1), np.int64)
        self.length = np.zeros(games, np.int64)
        self.inputs = np.zeros((capacity, len(network.inputs)), np.uint8)
        self.action = np.zeros(capacity, np.int64)
        self.returns = np.zeros(capacity, np.float32)
        self.added = 0

    def add(self, games: Ints, seats: Ints, inputs: Any, action: Any) -> None:
        """One decision in each of these games."""
        slot = (games, self.length[games])
        self.running_inputs[slot], self.running_action[slot] = inputs, action
        self.running_seat[slot] = seats
        self.length[games] += 1

    def end(self, done: Bools, rewards: Floats) -> None:
        """Move the decisions of games that are over to the ring."""
        for game in np.flatnonzero(done):
            count = int(self.length[game])
            rows = (self.added + np.arange(count)) % len(self.action)
            self.inputs[rows] = self.running_inputs[game, :count]
            self.action[rows] = self.running_action[game, :count]
            self.returns[rows] = rewards[game, self.running_seat[game, :count]]
            self.added += count
        self.length[done] = 0

    def state_dict(self) -> dict[str, Any]:
        """All of it; running games up to the longest."""
        used, most = min(self.added, len(self.action)), int(self.length.max())
        kept: dict[str, Any] = {
            name: torch.from_numpy(getattr(self, name)[:used].copy())
            for name in ("inputs", "action", "returns")
        }
        for name in ("running_inputs", "running_action", "running_seat"):
            kept[name] = torch.from_numpy(getattr(self, name)[:, :most].copy())
        return {**kept, "length": torch.from_numpy(self.length.copy()), "added": self.added}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        self.added = state["added"]
        self.length[:] = state["length"].numpy()
        for name in ("inputs", "action", "returns"):
            getattr(self, name)[: len(state[name])] = state[name].numpy()
        for name in ("running_inputs", "running_action", "running_seat"):
            getattr(self, name)[:, : state[name].shape[1]] = state[name].numpy()


class Learner:
    """Network, finished games and running games of one run."""

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
        self.optimizer = torch.optim.Adam(self.network.parameters())
        self.games = Games(tables, config.num_envs, seed, opponents)
        self.buffer = Returns(config.capacity, config.num_envs, self.network)
        self.rng = torch.Generator().manual_seed(seed)
        self.decisions = 0

    def policy(self) -> PolicyNetwork:
        """The network: its policy head holds the action values."""
        return self.network

    def iterate(self, progress: float) -> Metrics:
        """Play some steps, with a gradient step after each."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.learning_rate * (1 - 0.9 * progress)
        losses = []
        for _ in range(self.config.steps):
            self._play()
            if self.buffer.added >= self.config.learning_starts:
                losses.append(self._gradient_step())
        return {"train/q_loss": float(np.mean(losses))} if losses else {}

    def _play(self) -> None:
        games = self.games
        rows = games.learner_rows()
        seats = games.v.actor[rows]
        with torch.inference_mode():
            encoded = encode(self.network, games.v.obs[rows], games.v.mask[rows])
            # Masked: the value of an illegal action is -1e9 and is never the best.
            values, _ = self.network.forward_canonical(encoded.inputs, encoded.mask)
            action = epsilon_greedy(values, encoded.mask, self.config.epsilon, self.rng)
        self.buffer.add(rows, seats, encoded.inputs.numpy(), action.numpy())
        done, rewards = games.step(rows, action_ids(self.network, encoded, action))
        self.buffer.end(done, rewards)
        self.decisions += len(rows)

    def _gradient_step(self) -> float:
        buffer = self.buffer
        filled = min(buffer.added, len(buffer.action))
        rows = torch.randint(filled, (self.config.batch,), generator=self.rng).numpy()
        inputs = torch.from_numpy(buffer.inputs[rows])
        features = self.network.trunk(inputs * self.network.scales)
        # The chosen action was legal, so the mask is not needed again.
        values = self.network.policy(features)
        chosen = values.gather(1, torch.from_numpy(buffer.action[rows])[:, None])[:, 0]
        returns = torch.from_numpy(buffer.returns[rows])
        loss = functional.mse_loss(chosen, returns)
        # The value head plays no part; it learns the return for whoever asks for a win estimate.
        value_loss = functional.mse_loss(self.network.value(features.detach())[:, 0], returns)
        self.optimizer.zero_grad()
        (loss + value_loss).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), self.config.max_grad_norm)
        self.optimizer.step()
        return float(loss.detach())

    def state_dict(self) -> dict[str, Any]:
        """Weights, optimiser, finished and running games, generator."""
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "buffer": self.buffer.state_dict(),
            "games": self.games.state_dict(),
            "rng": self.rng.get_state(),
            "decisions": self.decisions,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        for part in ("network", "optimizer", "buffer", "games"):
            getattr(self, part).load_state_dict(state[part])
        self.rng.set_state(state["rng"])
        self.decisions = state["decisions"]
