"""R-NaD, the update of DeepNash: regularised Nash dynamics with NeuRD on logits.

Perolat et al. 2022 (DeepNash, arXiv 2206.15378; R-NaD: arXiv 2002.08456; NeuRD: Hennes et al. 2020,
arXiv 1906.00190). Rewards are transformed by the distance to a regularisation policy pi_reg,

    r_i  <-  r_i - eta log(pi(a|s) / pi_reg(a|s))   for the seat i that chose a,
    r_j  <-  r_j + eta log(pi(a|s) / pi_reg(a|s)) / (n - 1)   for every other seat j,

which keeps the sum of the game and makes the learning dynamics converge instead of cycling. Every
`regularise_every` iterations pi_reg becomes the present target policy, so that the fixed points
approach an equilibrium of the original game (for two players; with more it is a heuristic).

The policy follows NeuRD: with estimated action values Q(s, b), the gradient of the logit z_b is the
advantage Q(s, b) - sum_c pi(c|s) Q(s, c), and logits stop growing beyond `logit_limit`. Values come
from trajectories of each seat with V-trace weights (Espeholt et al. 2018, arXiv 1802.01561).
Left out, against the paper: the convolutional network, the two-step interpolation of pi_reg, and
fine-tuning by thresholds at test time.
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
    minibatch: int = 512
    eta: float = 0.1
    """Strength of the regularisation."""
    regularise_every: int = 12
    """Iterations between two moves of the regularisation policy to the target policy."""
    target_rate: float = 0.02
    """Share of the online weights in the target network after each gradient step."""
    logit_limit: float = 6.0
    """NeuRD: a logit beyond this, relative to the mean of the legal ones, grows no further."""
    weight_limit: float = 20.0
    """Largest importance weight 1 / mu(a) of a sampled action's value."""
    value_coef: float = 0.5
    max_grad_norm: float = 1.0


DEFAULTS = Config()


@dataclass
class Rollout:
    """`steps` decisions of each of `games` games; rows of tensors are the learner's decisions."""

    actor: Ints
    is_learner: Bools
    value: Floats
    penalty: Floats
    """eta log(pi(a|s) / pi_reg(a|s)) of the chosen action."""
    done: Bools
    rewards: Floats
    inputs: list[Tensor]
    mask: list[Tensor]
    action: list[Tensor]
    log_prob: list[Tensor]

    @classmethod
    def empty(cls, steps: int, games: int) -> "Rollout":
        """Arrays to be filled in."""
        shape = (steps, games)
        numbers = [np.zeros(shape, np.float32) for _ in range(2)]
        rewards = np.zeros((*shape, MAX_SEATS), np.float32)
        return cls(
            np.zeros(shape, np.int64), np.zeros(shape, bool), *numbers, np.zeros(shape, bool),
            rewards, [], [], [], [],
        )  # fmt: skip


def seat_returns(
    rollout: Rollout, players: Ints, last_actor: Ints, last_value: Floats
) -> tuple[Floats, Bools]:
    """The regularised return of each decision after the chosen action, and where it is known.

    **Per-seat credit.** Each seat has its own trajectory and its own sum. A seat's penalty for its
    own choices enters from its next decision on (that of the present one belongs to the action's
    value and is added in the loss); the others are paid for it at once, idle or not.

    **The bootstrap of an idle seat.** At the end of the rollout only the seat to act has an
    observation and hence a value; the last decision of any other seat is left out. On-policy data,
    used once, has V-trace weights of one, so targets are plain returns to the bootstrap.
    """
    steps, games = rollout.actor.shape
    rows = np.arange(games)
    total = np.zeros((games, MAX_SEATS), np.float32)
    known_from = np.zeros((games, MAX_SEATS), bool)
    total[rows, last_actor], known_from[rows, last_actor] = last_value, True
    returns = np.zeros((steps, games), np.float32)
    known = np.zeros((steps, games), bool)
    for t in reversed(range(steps)):
        ended = rollout.done[t]
        total[ended], known_from[ended] = rollout.rewards[t, ended], True
        seat = (rows, rollout.actor[t])
        returns[t], known[t] = total[seat], known_from[seat]
        penalty = rollout.penalty[t]
        total += (penalty / (players - 1))[:, None]
        total[seat] = returns[t] - penalty
    return returns, known & rollout.is_learner


class Learner:
    """Online, target and regularisation network, and the games of one run."""

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
        self.network, self.target, self.regularisation = (
            make_network(tables, config.hidden) for _ in range(3)
        )
        for network in (self.target, self.regularisation):
            network.load_state_dict(self.network.state_dict())
        self.optimizer = torch.optim.Adam(self.network.parameters(), config.learning_rate)
        self.games = Games(tables, config.num_envs, seed, opponents)
        self.rng = torch.Generator().manual_seed(seed)
        self.decisions = self.iterations = 0

    def policy(self) -> PolicyNetwork:
        """The target network: an average of the online network's last weights."""
        return self.target

    def iterate(self, progress: float) -> Metrics:
        """Collect one rollout, one pass of gradient steps, and now and then move pi_reg."""
        config, rollout = self.config, self._collect()
        with torch.inference_mode():
            encoded = encode(self.target, self.games.v.obs, self.games.v.mask)
            last_value = self.target.forward_canonical(encoded.inputs, encoded.mask)[1].numpy()
        players, actor = self.games.v.num_players, self.games.v.actor
        returns, known = seat_returns(rollout, players, actor, last_value)
        kept = torch.from_numpy(np.flatnonzero(known[rollout.is_learner]))
        batch = {
            "inputs": torch.cat(rollout.inputs)[kept],
            "mask": torch.cat(rollout.mask)[kept],
            "action": torch.cat(rollout.action)[kept],
            "log_prob": torch.cat(rollout.log_prob)[kept],
            "returns": torch.from_numpy(returns[known]),
        }
        order = torch.randperm(len(kept), generator=self.rng)
        steps = [
            self._gradient_step({key: x[rows] for key, x in batch.items()})
            for rows in torch.split(order, config.minibatch)
        ]
        self.decisions += int(rollout.is_learner.sum())
        self.iterations += 1
        if self.iterations % config.regularise_every == 0:
            self.regularisation.load_state_dict(self.target.state_dict())
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
                logits, value = network.forward_canonical(encoded.inputs, encoded.mask)
                action, log_prob = sample(logits, self.rng)
                distance = log_prob - self._regular(encoded.inputs, encoded.mask, action)
            rollout.value[t, rows] = value.numpy()
            rollout.penalty[t, rows] = self.config.eta * distance.numpy()
            rollout.inputs.append(encoded.inputs)
            rollout.mask.append(encoded.mask)
            rollout.action.append(action)
            rollout.log_prob.append(log_prob)
            ids = action_ids(network, encoded, action)
            rollout.done[t], rollout.rewards[t] = games.step(rows, ids)
        return rollout

    def _regular(self, inputs: Tensor, mask: Tensor, action: Tensor) -> Tensor:
        """log pi_reg of the chosen actions."""
        logits, _ = self.regularisation.forward_canonical(inputs, mask)
        return functional.log_softmax(logits, -1).gather(1, action[:, None])[:, 0]

    def _gradient_step(self, batch: dict[str, Tensor]) -> Metrics:
        config = self.config
        logits, value = self.network.forward_canonical(batch["inputs"], batch["mask"])
        legal = batch["mask"] > 0
        advantage = self._advantages(batch, logits, value, legal)
        centred = logits - (logits * legal).sum(-1, keepdim=True) / legal.sum(-1, keepdim=True)
        # NeuRD: no gradient that pushes a logit further beyond the limit.
        within = torch.where(
            advantage > 0, centred < config.logit_limit, centred > -config.logit_limit
        )
        policy_loss = -(centred * advantage * within * legal).sum(-1).mean()
        penalty = config.eta * (batch["log_prob"] - self._regular_of(batch))
        value_loss = functional.mse_loss(value, batch["returns"] - penalty)
        self.optimizer.zero_grad()
        (policy_loss + config.value_coef * value_loss).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
        self.optimizer.step()
        with torch.no_grad():
            for ours, theirs in zip(
                self.target.parameters(), self.network.parameters(), strict=True
            ):
                ours.lerp_(theirs, config.target_rate)
        probs = logits.detach().softmax(-1)
        entropy = -(probs * probs.clamp_min(1e-12).log()).sum(-1).mean()
        return {
            "train/policy_loss": float(policy_loss.detach()),
            "train/value_loss": float(value_loss.detach()),
            "train/entropy": float(entropy),
        }

    def _regular_of(self, batch: dict[str, Tensor]) -> Tensor:
        with torch.no_grad():
            return self._regular(batch["inputs"], batch["mask"], batch["action"])

    def _advantages(
        self, batch: dict[str, Tensor], logits: Tensor, value: Tensor, legal: Tensor
    ) -> Tensor:
        """Estimated advantage of every legal action.

        Every action has the value of the state less its own penalty; the sampled one adds its
        return's surprise, divided by the probability with which it was sampled.
        """
        config = self.config
        with torch.no_grad():
            log_policy = functional.log_softmax(logits, -1)
            regular, _ = self.regularisation.forward_canonical(batch["inputs"], batch["mask"])
            penalty = config.eta * (log_policy - functional.log_softmax(regular, -1))
            q_values = torch.where(legal, value[:, None] - penalty, 0.0)
            chosen = batch["action"][:, None]
            weight = (-batch["log_prob"]).exp().clamp(max=config.weight_limit)
            surprise = weight * (batch["returns"] - value)
            q_values = q_values.scatter_add(1, chosen, surprise[:, None])
            baseline = (log_policy.exp() * q_values).sum(-1, keepdim=True)
            return torch.where(legal, q_values - baseline, 0.0)

    _PARTS = ("network", "target", "regularisation", "optimizer", "games")

    def state_dict(self) -> dict[str, Any]:
        """Networks, optimiser, games and generator."""
        return {
            **{part: getattr(self, part).state_dict() for part in self._PARTS},
            "rng": self.rng.get_state(),
            "decisions": self.decisions,
            "iterations": self.iterations,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        for part in self._PARTS:
            getattr(self, part).load_state_dict(state[part])
        self.rng.set_state(state["rng"])
        self.decisions, self.iterations = state["decisions"], state["iterations"]
