"""Masked PPO in self-play: one network plays every seat and learns from all of them.

Proximal policy optimisation (Schulman et al. 2017, arXiv 1707.06347) with generalised advantage
estimation (Schulman et al. 2016, arXiv 1506.02438) and masked logits (Huang and Ontanon 2022, arXiv
2006.14171). The loss of a minibatch, with ratio rho = pi(a|s) / pi_old(a|s) and advantage A:

    L = -mean(min(rho A, clip(rho, 1 - eps, 1 + eps) A)) + c_v mean((V - G)^2) - c_e mean(H(pi))

`uno_train.ppo` is the trainer behind the shipped agents (opponent pool, distillation, clusters);
this is the algorithm alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from uno_agents.neural.network import PolicyNetwork

from uno_env.actions import MAX_SEATS
from uno_env.array_types import Bools, Floats, Ints

from ..policy import action_ids, encode, sample
from ..tables import TableConfig
from .games import Games, Opponent, make_network, seed_torch
from .learner import Metrics


@dataclass(frozen=True)
class Config:
    """Hyperparameters."""

    hidden: tuple[int, ...] = (128, 128)
    num_envs: int = 128
    rollout_steps: int = 32
    learning_rate: float = 1e-3
    """Decays linearly to a tenth."""
    epochs: int = 3
    minibatch: int = 512
    gae_lambda: float = 0.95
    clip: float = 0.2
    value_coef: float = 0.5
    entropy_coef: float = 0.01
    max_grad_norm: float = 0.5


DEFAULTS = Config()


@dataclass
class Rollout:
    """`steps` decisions of each of `games` games; rows of tensors are the learner's decisions."""

    actor: Ints
    is_learner: Bools
    value: Floats
    done: Bools
    rewards: Floats
    inputs: list[Tensor] = field(default_factory=list)
    mask: list[Tensor] = field(default_factory=list)
    action: list[Tensor] = field(default_factory=list)
    log_prob: list[Tensor] = field(default_factory=list)

    @classmethod
    def empty(cls, steps: int, games: int) -> "Rollout":
        """Arrays to be filled in."""
        shape = (steps, games)
        return cls(
            np.zeros(shape, np.int64),
            np.zeros(shape, bool),
            np.zeros(shape, np.float32),
            np.zeros(shape, bool),
            np.zeros((*shape, MAX_SEATS), np.float32),
        )


def seat_advantages(
    rollout: Rollout, last_actor: Ints, last_value: Floats, gae_lambda: float
) -> tuple[Floats, Bools]:
    """GAE along the decisions of each seat; and where it is known.

    **Per-seat credit.** The decisions of one seat form a trajectory, however many decisions of
    others lie between them: the next state of a decision is the same seat's next decision, or the
    end of the game. Were the next row of the batch taken instead, a seat would be credited with the
    value of its opponent's position. Walking backwards, `next_value[game, seat]` holds what follows
    for each seat; rewards reach every seat at the end of a game, also those that did not make the
    last move.

    **The bootstrap of an idle seat.** After the rollout only the seat to act has an observation, so
    only its last decision can be bootstrapped from the value network. The last decision of every
    other seat has no next state yet and is left out of the update (`known` is False).
    """
    steps, games = rollout.actor.shape
    rows = np.arange(games)
    reward = np.zeros((games, MAX_SEATS), np.float32)
    next_value, next_advantage = np.zeros_like(reward), np.zeros_like(reward)
    has_next = np.zeros((games, MAX_SEATS), bool)
    next_value[rows, last_actor], has_next[rows, last_actor] = last_value, True
    advantage = np.zeros((steps, games), np.float32)
    known = np.zeros((steps, games), bool)
    for t in reversed(range(steps)):
        ended = rollout.done[t]
        reward[ended] = rollout.rewards[t, ended]
        next_value[ended] = next_advantage[ended] = 0
        has_next[ended] = True
        seat = (rows, rollout.actor[t])
        td_error = reward[seat] + next_value[seat] - rollout.value[t]
        known[t] = has_next[seat]
        advantage[t] = np.where(known[t], td_error + gae_lambda * next_advantage[seat], 0)
        next_value[seat], next_advantage[seat] = rollout.value[t], advantage[t]
        reward[seat], has_next[seat] = 0, True
    return advantage, known & rollout.is_learner


class Learner:
    """Network, optimiser and games of one run."""

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
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5)
        self.games = Games(tables, config.num_envs, seed, opponents)
        self.rng = torch.Generator().manual_seed(seed)
        self.decisions = 0

    def policy(self) -> PolicyNetwork:
        """The network itself."""
        return self.network

    def iterate(self, progress: float) -> Metrics:
        """Collect one rollout, then a few epochs of gradient steps on it."""
        config, rollout = self.config, self._collect()
        with torch.inference_mode():
            encoded = encode(self.network, self.games.v.obs, self.games.v.mask)
            last_value = self.network.forward_canonical(encoded.inputs, encoded.mask)[1].numpy()
        advantage, known = seat_advantages(
            rollout, self.games.v.actor, last_value, config.gae_lambda
        )
        kept = torch.from_numpy(np.flatnonzero(known[rollout.is_learner]))
        batch = {
            "inputs": torch.cat(rollout.inputs)[kept],
            "mask": torch.cat(rollout.mask)[kept],
            "action": torch.cat(rollout.action)[kept],
            "log_prob": torch.cat(rollout.log_prob)[kept],
            "advantage": torch.from_numpy(advantage[known]),
            "returns": torch.from_numpy((advantage + rollout.value)[known]),
        }
        for group in self.optimizer.param_groups:
            group["lr"] = config.learning_rate * (1 - 0.9 * progress)
        steps: list[Metrics] = []
        for _ in range(config.epochs):
            order = torch.randperm(len(kept), generator=self.rng)
            steps += [
                self._gradient_step({key: x[rows] for key, x in batch.items()})
                for rows in torch.split(order, config.minibatch)
            ]
        self.decisions += int(rollout.is_learner.sum())
        return {key: float(np.mean([step[key] for step in steps])) for key in steps[0]}

    def _collect(self) -> Rollout:
        games, network = self.games, self.network
        rollout = Rollout.empty(self.config.rollout_steps, games.v.num_envs)
        for t in range(self.config.rollout_steps):
            rows = games.learner_rows()
            rollout.actor[t] = games.v.actor
            rollout.is_learner[t, rows] = True
            with torch.inference_mode():
                encoded = encode(network, games.v.obs[rows], games.v.mask[rows])
                # Illegal actions get a logit of -1e9 inside, so they have probability zero.
                logits, value = network.forward_canonical(encoded.inputs, encoded.mask)
                action, log_prob = sample(logits, self.rng)
            rollout.value[t, rows] = value.numpy()
            rollout.inputs.append(encoded.inputs)
            rollout.mask.append(encoded.mask)
            rollout.action.append(action)
            rollout.log_prob.append(log_prob)
            ids = action_ids(network, encoded, action)
            rollout.done[t], rollout.rewards[t] = games.step(rows, ids)
        return rollout

    def _gradient_step(self, batch: dict[str, Tensor]) -> Metrics:
        config = self.config
        logits, value = self.network.forward_canonical(batch["inputs"], batch["mask"])
        log_probs = functional.log_softmax(logits, -1)
        log_prob = log_probs.gather(1, batch["action"][:, None])[:, 0]
        ratio = (log_prob - batch["log_prob"]).exp()
        advantage = batch["advantage"]
        advantage = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        policy_loss = -torch.min(ratio * advantage, clipped * advantage).mean()
        value_loss = functional.mse_loss(value, batch["returns"])
        entropy = -(log_probs.exp() * log_probs).sum(-1).mean()
        loss = policy_loss + config.value_coef * value_loss - config.entropy_coef * entropy
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
        self.optimizer.step()
        with torch.no_grad():
            return {
                "train/policy_loss": float(policy_loss),
                "train/value_loss": float(value_loss),
                "train/entropy": float(entropy),
                "train/approx_kl": float((ratio - 1 - ratio.log()).mean()),
                "train/clip_fraction": float((ratio != clipped).float().mean()),
            }

    def state_dict(self) -> dict[str, Any]:
        """Weights, optimiser, games and generator."""
        return {
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "games": self.games.state_dict(),
            "rng": self.rng.get_state(),
            "decisions": self.decisions,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.games.load_state_dict(state["games"])
        self.rng.set_state(state["rng"])
        self.decisions = state["decisions"]
