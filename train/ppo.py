"""Self-play PPO on the vector env: one network plays every seat and learns from all of them.

Read it from top to bottom: a batch of decisions, their credit, the learning step, the loop.
The reward is winning or losing. A seat's decisions form one trajectory, however many decisions of
others lie between them: each is credited with what that seat came to at its next one or at the end.
"""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

import uno_env
from agents.network import PolicyNetwork
from uno_env.actions import MAX_SEATS, NUM_ACTIONS
from uno_env.describe import OBS_SIZE
from uno_env.vec import VOID, UnoVec

from .config import TrainConfig

Floats = npt.NDArray[np.float32]
VOID_REWARD = -1.0
"""A game that was cut off is a loss for all: were it neutral, drawing for ever would be safe."""


class Batch:
    """`steps` decisions in each of `num_envs` games, in the order they were taken."""

    def __init__(self, steps: int, games: int) -> None:
        shape = (steps, games)
        self.obs = np.zeros((*shape, OBS_SIZE), np.uint8)
        self.mask = np.zeros((*shape, NUM_ACTIONS), np.uint8)
        self.action = np.zeros(shape, np.int64)
        self.log_prob = np.zeros(shape, np.float32)
        self.value = np.zeros(shape, np.float32)
        self.actor = np.zeros(shape, np.int64)
        self.done = np.zeros(shape, bool)
        self.rewards = np.zeros((*shape, MAX_SEATS), np.float32)


def collect(v: UnoVec, network: PolicyNetwork, batch: Batch, noise: torch.Generator) -> int:
    """Fill the batch by self-play; the number of games that ended."""
    for t in range(len(batch.action)):
        batch.obs[t], batch.mask[t], batch.actor[t] = v.obs, v.mask, v.actor
        with torch.inference_mode():
            logits, value = network(torch.from_numpy(batch.obs[t]), torch.from_numpy(batch.mask[t]))
            log_probs = logits.log_softmax(-1)
            # The smallest of exponential waiting times falls by the probabilities.
            waits = torch.empty_like(logits).exponential_(generator=noise)
            action = (log_probs.exp() / waits).argmax(-1)
        batch.action[t], batch.value[t] = action.numpy(), value.numpy()
        batch.log_prob[t] = log_probs.gather(1, action[:, None])[:, 0].numpy()
        v.step(batch.action[t])
        batch.done[t], batch.rewards[t] = v.done > 0, v.rewards
        batch.rewards[t, v.done == VOID] = VOID_REWARD
    return int(batch.done.sum())


def credit(
    batch: Batch, last_actor: npt.NDArray[np.int64], last_value: Floats, lam: float
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Advantages by generalised advantage estimation per seat, and which of them are known.

    Going back in time, tables of (game, seat) hold what the seat came to afterwards. Of a game
    still running only the seat to act next has a value to look ahead to; the last decision of
    every other seat has no sequel yet, and is left out of the learning.
    """
    steps, games = batch.action.shape
    rows = np.arange(games)
    reward = np.zeros((games, MAX_SEATS), np.float32)
    next_value, next_advantage = np.zeros_like(reward), np.zeros_like(reward)
    has_sequel = np.zeros((games, MAX_SEATS), bool)
    next_value[rows, last_actor], has_sequel[rows, last_actor] = last_value, True
    advantage = np.zeros((steps, games), np.float32)
    known = np.zeros((steps, games), bool)
    for t in reversed(range(steps)):
        ended = batch.done[t]
        reward[ended] = batch.rewards[t, ended]
        next_value[ended] = next_advantage[ended] = 0
        has_sequel[ended] = True
        seat = (rows, batch.actor[t])
        surprise = reward[seat] + next_value[seat] - batch.value[t]
        known[t] = has_sequel[seat]
        advantage[t] = np.where(known[t], surprise + lam * next_advantage[seat], 0)
        next_value[seat], next_advantage[seat] = batch.value[t], advantage[t]
        reward[seat], has_sequel[seat] = 0, True
    return advantage, known


class Lesson(NamedTuple):
    """Decisions to learn from, shuffled into minibatches."""

    obs: Tensor
    mask: Tensor
    action: Tensor
    log_prob: Tensor
    advantage: Tensor
    outcome: Tensor

    def minibatches(self, size: int, rng: np.random.Generator) -> Iterator["Lesson"]:
        """All decisions once, in parts of nearly equal size."""
        order = torch.from_numpy(rng.permutation(len(self.action)))
        for part in order.tensor_split(max(1, round(len(order) / size))):
            yield Lesson(*(column[part] for column in self))


def make_lesson(batch: Batch, advantage: Floats, known: npt.NDArray[np.bool_]) -> Lesson:
    """The decisions whose sequel is known, their advantages centred and scaled."""
    outcome = torch.from_numpy((advantage + batch.value)[known])
    ours = torch.from_numpy(advantage[known])
    ours = (ours - ours.mean()) / (ours.std() + 1e-8)
    obs, mask, action, log_prob = (
        torch.from_numpy(column[known])
        for column in (batch.obs, batch.mask, batch.action, batch.log_prob)
    )
    return Lesson(obs, mask, action, log_prob, ours, outcome)


class Learner:
    """Network, optimiser and games of one run.

    Args:
        config: the run; its time and decision limits are kept by `run`.
    """

    def __init__(self, config: TrainConfig) -> None:
        self.config = config
        torch.manual_seed(config.seed)
        torch.set_num_threads(config.threads)
        self.network = PolicyNetwork(config.hidden)
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5)
        self.decisions = self.games = self.rounds = 0
        self._noise = torch.Generator().manual_seed(config.seed)
        self._rng = np.random.default_rng(config.seed)
        players = config.table()[1]
        self._v = uno_env.vec(config.training_rules(), config.num_envs, players, config.seed)
        self._v.reset()
        self._batch = Batch(config.steps, config.num_envs)

    def round(self, progress: float) -> None:
        """Play one batch and learn from it; `progress` from 0 to 1 moves the schedules."""
        self.games += collect(self._v, self.network, self._batch, self._noise)
        with torch.inference_mode():
            _, value = self.network(torch.tensor(self._v.obs), torch.tensor(self._v.mask))
        advantage, known = credit(self._batch, self._v.actor, value.numpy(), self.config.gae_lambda)
        lesson = make_lesson(self._batch, advantage, known)
        for group in self.optimizer.param_groups:
            group["lr"] = _between(
                self.config.learning_rate, self.config.final_learning_rate, progress
            )
        entropy = _between(self.config.entropy, self.config.final_entropy, progress)
        for _ in range(self.config.epochs):
            for part in lesson.minibatches(self.config.minibatch, self._rng):
                self._learn(part, entropy)
        self.decisions += self._batch.action.size
        self.rounds += 1

    def _learn(self, part: Lesson, entropy_weight: float) -> None:
        """One gradient step of the clipped objective."""
        logits, value = self.network(part.obs, part.mask)
        log_probs = logits.log_softmax(-1)
        chosen = log_probs.gather(1, part.action[:, None])[:, 0]
        ratio = (chosen - part.log_prob).exp()
        clipped = ratio.clamp(1 - self.config.clip, 1 + self.config.clip)
        gain = torch.minimum(ratio * part.advantage, clipped * part.advantage).mean()
        entropy = -(log_probs.exp() * log_probs).sum(-1).mean()
        miss = nn.functional.mse_loss(value, part.outcome)
        loss = self.config.value_weight * miss - gain - entropy_weight * entropy
        if not torch.isfinite(loss):
            raise FloatingPointError(
                f"the loss is {loss.item()} after {self.decisions} decisions; "
                "try a smaller learning_rate"
            )
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.config.max_gradient)
        self.optimizer.step()


def run(learner: Learner, after_round: Callable[[float, float], None]) -> None:
    """Learn until the time or the decisions of the config are used up.

    Args:
        after_round: called with the part of the budget used and the seconds since the start.
    """
    config, start = learner.config, time.monotonic()
    progress = 0.0
    while progress < 1:
        learner.round(progress)
        elapsed = time.monotonic() - start
        by_time = elapsed / (60 * config.minutes) if config.minutes else 0.0
        by_count = learner.decisions / config.decisions if config.decisions else 0.0
        progress = min(1.0, max(by_time, by_count))
        after_round(progress, elapsed)


def _between(first: float, last: float, progress: float) -> float:
    return first + (last - first) * progress
