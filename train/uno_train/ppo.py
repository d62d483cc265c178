"""Self-play PPO on the vector env: one network plays every seat and learns from all of them.

Read it from top to bottom. In an iteration the learner collects a rollout against itself and its
opponents (`rollout.py`, `opponent_pool.py`), estimates advantages (`gae.py`) and takes gradient
steps on a loss (`losses.py`). The reward is winning or losing, or points. A run may begin with
imitation of a teacher and go on with search distillation before PPO takes over (`schedule.py`).
"""

import math
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from uno_agents.base import batch_form
from uno_agents.neural.network import PolicyNetwork
from uno_agents.registry import make_agent
from uno_agents.search.teacher import SearchTeacher

import uno_env

from .config import TrainConfig
from .critic import Critic
from .gae import compute_gae
from .label_policies import LabelPolicies
from .labels import Labeller, PolicyLabels
from .losses import (
    Batch,
    Metrics,
    distillation_loss,
    explained_variance,
    imitation_loss,
    make_batch,
    ppo_loss,
)
from .opponent_pool import OpponentPool, reseed
from .policy import encode
from .rollout import RolloutActors, RolloutBuffer, Timer, collect
from .schedule import Stage, imitation_progress, learning_rate, loss_coefs, run_progress
from .weight_average import WeightAverage
from .weight_sharing import make_network

TEACHER = 1 << 20
"""Apart from every opponent's number in the seeds."""


class TrainingFailed(RuntimeError):
    """The numbers of a run are not finite; what was saved before is good."""


class RolloutCounts(NamedTuple):
    """The learner's decisions of a rollout, games that ended, and those that were truncated."""

    decisions: int
    games: int
    truncated: int


class Learner:
    """Network, optimiser, opponents and games of one run.

    Args:
        config: the run; its time and decision limits are kept by `run`.
    """

    game_seed: int
    torch_rng: torch.Generator
    rng: np.random.Generator

    def __init__(self, config: TrainConfig) -> None:
        self.config = config
        self.device = torch.device(config.chosen_device())
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        tables = config.tables()
        self.network = make_network(config).to(self.device)
        self.average = None
        if config.average_decay:
            self.average = WeightAverage(self.network, config.average_decay)
        self.critic = None
        if config.critic == "all_hands":
            self.critic = Critic(self.network, tables, config.hidden).to(self.device)
        self.optimizer = torch.optim.Adam(self.parameters(), eps=1e-5, fused=True)
        self.decisions = self.games = self.iterations = self.truncated = 0
        self.seconds = 0.0
        self.timer = Timer()
        self.opponent_pool = OpponentPool(
            tables,
            config.num_envs,
            self.network,
            config.opponent_pool_share,
            config.batch_opponents(),
            config.seed,
            config.heuristic_prior,
            config.pfsp_power,
        )
        self.v = uno_env.vec(
            [table.rules.replace(auto_forced=True, max_steps=config.max_steps) for table in tables],
            config.num_envs,
            [table.num_players for table in tables],
            config.seed,
            min(config.threads, 2, config.num_envs),
            reward=config.reward,
        )
        teacher, distills = config.imitation_teacher, config.distill_until > 0
        self._teacher = batch_form(make_agent(teacher, config.seed)) if teacher else None
        rule_sets = [table.rules for table in tables]
        self._labeller = _labeller(config, rule_sets) if distills else None
        self._label_policies = LabelPolicies(config)
        self._buffer = RolloutBuffer(
            config.rollout_steps,
            config.num_envs,
            self.network,
            self.device,
            distills,
            0 if self.critic is None else self.critic.width,
        )
        self._replay: deque[Batch] = deque(maxlen=config.distill_replay)
        self.reset_games(config.seed)

    def reset_games(self, seed: int) -> None:
        """New games; the seed fixes their deals, seats and exploration."""
        self.game_seed = seed
        self.torch_rng = torch.Generator(self.device).manual_seed(seed)
        self.rng = np.random.default_rng(seed)
        self.v.reset(seed)
        self.opponent_pool.reset(seed, self.rng)

    def parameters(self) -> list[nn.Parameter]:
        """All that gradient steps change: the network, and its critic if it is apart."""
        critic = () if self.critic is None else self.critic.parameters()
        return [*self.network.parameters(), *critic]

    @property
    def played_network(self) -> PolicyNetwork:
        """What is evaluated and saved: the network, or the average of its weights."""
        if self.average is not None and self.average.steps:
            return self.average.network
        return self.network

    @property
    def imitation_progress(self) -> float:
        """The part of the imitation stage that is over."""
        return imitation_progress(self.config, self.decisions, self.seconds)

    def stage(self, progress: float) -> Stage:
        """The stage of the next iteration, at this part of the run."""
        if self.imitation_progress < 1:
            return Stage.IMITATION
        return Stage.DISTILL if progress < self.config.distill_until else Stage.PPO

    def iteration(self, progress: float) -> Metrics:
        """Collect one rollout and learn from it; `progress` from 0 to 1 moves the schedules."""
        stage = self.stage(progress)
        self.check_weights()
        batch, counts = self.collect(progress, stage)
        return self.update(batch, counts, progress, stage)

    def collect(self, progress: float, stage: Stage) -> tuple[Batch, RolloutCounts]:
        """Play one rollout; its decisions with their advantages."""
        config, buffer = self.config, self._buffer
        self.opponent_pool.start_iteration(self.iterations, self.rng)
        teacher_plays = stage is Stage.IMITATION
        coefs = loss_coefs(config, progress)
        is_used = stage is not Stage.PPO or coefs.imitation > 0 or config.heuristic_prior > 0
        teacher = self._teacher if is_used else None
        if teacher is not None:
            reseed(teacher, [self.game_seed, self.iterations, TEACHER])
        labeller = self._labeller if stage is Stage.DISTILL else None
        if labeller is not None:
            self._label_policies.give_to(labeller.search_teacher, self.network)
        actors = RolloutActors(
            self.network,
            self.opponent_pool,
            teacher,
            config.heuristic_prior,
            labeller,
            self.torch_rng,
            self.rng,
            self.critic,
        )
        collect(self.v, actors, buffer, teacher_plays, self.timer)
        with self.timer("advantages"):
            gae_lambda = 1.0 if teacher_plays else config.gae_lambda
            batch = self._batch(gae_lambda, labelled_only=stage is Stage.DISTILL)
        games = int(buffer.trajectories.done.sum())
        return batch, RolloutCounts(buffer.decisions.used, games, buffer.truncated)

    def _batch(self, gae_lambda: float, labelled_only: bool) -> Batch:
        """The rollout with the advantage of each decision."""
        with torch.inference_mode():
            encoded = encode(self.network, self.v.obs, self.v.mask)
            _, value = self.network.forward_canonical(encoded.inputs, encoded.mask)
            if self.critic is not None:
                hands = self.critic.hidden_hands(self.v, np.arange(self.v.num_envs), encoded)
                value = self.critic(encoded.inputs, hands)
        last_value = value.cpu().numpy()
        trajectories = self._buffer.trajectories
        advantage, known = compute_gae(trajectories, self.v.actor, last_value, gae_lambda)
        return make_batch(self._buffer, advantage, known, labelled_only)

    def update(self, batch: Batch, counts: RolloutCounts, progress: float, stage: Stage) -> Metrics:
        """Learn from a rollout, and count it."""
        with self.timer("learning"):
            metrics = self.gradient_steps(batch, progress, stage)
        self.decisions += counts.decisions
        self.games += counts.games
        self.truncated += counts.truncated
        self.iterations += 1
        if stage is not Stage.IMITATION and self.iterations % self.config.snapshot_every == 0:
            self.opponent_pool.snapshots.add(self.network, self.rng)
        return metrics

    def gradient_steps(self, batch: Batch, progress: float, stage: Stage) -> Metrics:
        """All gradient steps of an iteration; the mean of their metrics."""
        config, coefs = self.config, loss_coefs(self.config, progress)
        learned = self._with_replay(batch) if stage is Stage.DISTILL else batch
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(config, stage, progress, self.imitation_progress)
        compute_loss, size, epochs = {
            Stage.IMITATION: (imitation_loss, config.imitation_minibatch, 1),
            Stage.DISTILL: (distillation_loss, config.distill_minibatch, config.distill_epochs),
            Stage.PPO: (ppo_loss, config.minibatch, config.epochs),
        }[stage]
        steps = []
        for _ in range(epochs):
            for minibatch in learned.minibatches(size, self.rng):
                own = self._own_share(minibatch)
                loss, metrics = compute_loss(self.network, own, config, coefs)
                if self.critic is not None:
                    loss = loss + coefs.value * self.critic.loss(own)
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()  # type: ignore[no-untyped-call]
                metrics = self._all_reduce(metrics, len(own.action) / len(minibatch.action))
                self._check_loss(metrics)
                nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
                if self.critic is not None:
                    nn.utils.clip_grad_norm_(self.critic.parameters(), config.max_grad_norm)
                self.optimizer.step()
                if self.average is not None:
                    self.average.add(self.network)
                steps.append(metrics)
        mean = Metrics(*np.mean(steps, axis=0).tolist())
        return mean._replace(explained_variance=explained_variance(batch))

    def _with_replay(self, batch: Batch) -> Batch:
        """These labelled decisions and those of the rollouts before: a label costs far more to
        make than to learn from."""
        self._replay.append(batch)
        if len(self._replay) == 1:
            return batch
        return Batch(*(torch.cat(columns) for columns in zip(*self._replay, strict=True)))

    def _own_share(self, minibatch: Batch) -> Batch:
        """This process's share of a minibatch: all of it, unless learners are data-parallel."""
        return minibatch

    def _all_reduce(self, metrics: Metrics, share: float) -> Metrics:
        """Sum gradients and metrics over data-parallel learners, weighted by their shares."""
        return metrics

    def rollout_state(self) -> dict[str, torch.Tensor]:
        """Games, seats and the generator of exploration, to go on from there."""
        return {
            "games": torch.from_numpy(np.frombuffer(self.v.state.tobytes(), np.uint8).copy()),
            "seats": torch.from_numpy(self.opponent_pool.seats.copy()),
            "turns": torch.from_numpy(self.opponent_pool.turns.copy()),
            "torch_rng": self.torch_rng.get_state(),
            **self.opponent_pool.scores_state(),
        }

    def load_rollout_state(self, state: dict[str, torch.Tensor]) -> None:
        """Go on from what `rollout_state` gave."""
        pool = self.opponent_pool
        pool.seats[:], pool.turns[:] = state["seats"].numpy(), state["turns"].numpy()
        pool.load_scores_state(state)
        self.v.restore(np.frombuffer(state["games"].numpy().tobytes(), self.v.state.dtype))
        self.torch_rng.set_state(state["torch_rng"])

    def _check_loss(self, metrics: Metrics) -> None:
        if not math.isfinite(metrics.loss):
            raise self._failure(f"the loss is {metrics.loss}")

    def check_weights(self) -> None:
        """Raise unless every weight is a finite number."""
        if not all(bool(weights.isfinite().all()) for weights in self.network.parameters()):
            raise self._failure("some weights are not finite")

    def _failure(self, what: str) -> TrainingFailed:
        return TrainingFailed(
            f"{what} after {self.decisions} decisions; try a smaller learning_rate"
        )


def _labeller(config: TrainConfig, rule_sets: list[uno_env.Rules]) -> Labeller:
    """Who labels the decisions of a run."""
    return Labeller(
        SearchTeacher(rule_sets, config.distill_sims, config.threads, config.distill_depth),
        PolicyLabels(config.distill_from, rule_sets, config.distill_temperature)
        if config.distill_from
        else None,
        config.distill_share,
        config.distill_certain,
        config.label_margin,
    )


def run(learner: Learner, after_iteration: Callable[[float, Metrics], bool]) -> None:
    """Train until the time or the decisions of the config are used up.

    Args:
        after_iteration: called with the part of the budget used and the metrics; true ends the
            run early.
    """
    start = time.monotonic() - learner.seconds
    progress, stop = run_progress(learner.config, learner.decisions, learner.seconds), False
    while progress < 1 and not stop:
        metrics = learner.iteration(progress)
        learner.seconds = time.monotonic() - start
        progress = run_progress(learner.config, learner.decisions, learner.seconds)
        stop = after_iteration(progress, metrics)
