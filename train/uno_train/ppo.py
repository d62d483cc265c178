"""Self-play PPO on the vector env: one network plays every seat and learns from all of them.

Read it from top to bottom: a learner plays a round against itself and its league (`rollout.py`,
`league.py`), every decision gets its credit (`credit.py`), and the network takes gradient steps
(`learn.py`). The reward is winning or losing. A run may begin with rounds in which a teacher plays
and the network imitates it, and go on with rounds in which search studies what the network does.
"""

import math
import time
from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from uno_agents.base import batch_form
from uno_agents.neural.network import PolicyNetwork
from uno_agents.registry import make_agent
from uno_agents.search.teacher import SearchTeacher

import uno_env

from .canonical_input import see
from .config import TrainConfig
from .gae import credit
from .opponent_pool import League, reseed
from .rollout import Batch, Crew, collect
from .tables import live_actions, live_inputs
from .timer import Clock
from .update import (
    Facts,
    Lesson,
    Weights,
    imitation_step,
    make_lesson,
    policy_step,
    study_step,
)
from .weight_sharing import TiedPolicy, tied_numbers

WARM_TIME = 0.4
"""The most of a run's time that imitation takes, so that a slow machine learns by play too."""
WARM_FALL = 0.05
"""To what part the step size of imitation and study falls, so that they end on fine differences."""
TEACHER = 1 << 20
"""Apart from every opponent's number in the seeds."""


class Stage(IntEnum):
    """What the rounds of a part of a run are for."""

    IMITATE = 0
    STUDY = 1
    PLAY = 2


class TrainingFailed(RuntimeError):
    """The numbers of a run are not finite; what was saved before is good."""


class Played(NamedTuple):
    """How much a batch was: the learner's decisions, games that ended, and those cut off."""

    decisions: int
    games: int
    voids: int


class Learner:
    """Network, optimiser, league and games of one run.

    Args:
        config: the run; its time and decision limits are kept by `run`.
    """

    luck: int
    noise: torch.Generator
    rng: np.random.Generator

    def __init__(self, config: TrainConfig) -> None:
        self.config = config
        self.device = torch.device(config.chosen_device())
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        tables = config.tables()
        self.network = make_network(config).to(self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5, fused=True)
        self.decisions = self.games = self.rounds = self.voids = 0
        self.seconds = 0.0
        self.clock = Clock()
        self.league = League(
            tables,
            config.num_envs,
            self.network,
            config.past,
            config.opponents,
            config.seed,
            config.leans,
        )
        self.v = uno_env.vec(
            [table.rules.replace(auto_forced=True, max_steps=config.max_steps) for table in tables],
            config.num_envs,
            [table.num_players for table in tables],
            config.seed,
            min(config.threads, 2, config.num_envs),
        )
        teacher, studies = config.warm_start, config.study_until > 0
        self._teacher = batch_form(make_agent(teacher, config.seed)) if teacher else None
        rule_sets = [table.rules for table in tables]
        self._scholar = (
            SearchTeacher(rule_sets, config.study_sims, config.threads) if studies else None
        )
        self._batch = Batch(config.steps, config.num_envs, self.network, self.device, studies)
        self.deal(config.seed)

    def deal(self, luck: int) -> None:
        """New games; `luck` fixes their deals, seats and exploration."""
        self.luck = luck
        self.noise = torch.Generator(self.device).manual_seed(luck)
        self.rng = np.random.default_rng(luck)
        self.v.reset(luck)
        self.league.begin(luck, self.rng)

    @property
    def warmed(self) -> float:
        """The part of the imitation that is over, by decisions or by its share of the time."""
        config = self.config
        if not config.warm_start or not config.warm_decisions:
            return 1.0
        by_time = self.seconds / (60 * config.minutes * WARM_TIME) if config.minutes else 0.0
        return min(1.0, max(by_time, self.decisions / config.warm_decisions))

    def stage(self, progress: float) -> Stage:
        """What the next round is for, at this part of the run."""
        if self.warmed < 1:
            return Stage.IMITATE
        return Stage.STUDY if progress < self.config.study_until else Stage.PLAY

    def round(self, progress: float) -> Facts:
        """Play one batch and learn from it; `progress` from 0 to 1 moves the schedules."""
        stage = self.stage(progress)
        self.check_weights()
        lesson, played = self.play(progress, stage)
        return self.learn(lesson, played, progress, stage)

    def play(self, progress: float, stage: Stage) -> tuple[Lesson, Played]:
        """Play one batch; its decisions with their credit."""
        config = self.config
        self.league.new_round(self.rounds, self.rng)
        taught = stage is Stage.IMITATE
        advised = stage is not Stage.PLAY or self._weights(progress).teacher > 0 or config.leans > 0
        teacher = self._teacher if advised else None
        if teacher is not None:
            reseed(teacher, [self.luck, self.rounds, TEACHER])
        scholar = self._scholar if stage is Stage.STUDY else None
        lessons = (teacher, config.leans, scholar, config.study_share)
        crew = Crew(self.network, self.league, *lessons, self.noise, self.rng)
        batch = self._batch
        collect(self.v, crew, batch, taught, self.clock)
        with self.clock("credit"):
            lesson = self._lesson(1.0 if taught else config.gae_lambda, stage is Stage.STUDY)
        return lesson, Played(batch.decisions.used, int(batch.course.done.sum()), batch.voids)

    def learn(self, lesson: Lesson, played: Played, progress: float, stage: Stage) -> Facts:
        """Learn from a batch that was played, and count it."""
        with self.clock("learning"):
            facts = self._learn(lesson, progress, stage)
        self.decisions += played.decisions
        self.games += played.games
        self.voids += played.voids
        self.rounds += 1
        if stage is not Stage.IMITATE and self.rounds % self.config.remember_every == 0:
            self.league.past.remember(self.network, self.rng)
        return facts

    def playing(self) -> dict[str, torch.Tensor]:
        """Where the games, the seats and the exploration are, to go on from there."""
        return {
            "games": torch.from_numpy(np.frombuffer(self.v.state.tobytes(), np.uint8).copy()),
            "seats": torch.from_numpy(self.league.seats.copy()),
            "turns": torch.from_numpy(self.league.turns.copy()),
            "noise": self.noise.get_state(),
        }

    def go_on_playing(self, kept: dict[str, torch.Tensor]) -> None:
        """Go on from what `playing` gave."""
        league = self.league
        league.seats[:], league.turns[:] = kept["seats"].numpy(), kept["turns"].numpy()
        self.v.restore(np.frombuffer(kept["games"].numpy().tobytes(), self.v.state.dtype))
        self.noise.set_state(kept["noise"])

    def _lesson(self, lam: float, studied: bool) -> Lesson:
        """The batch with the credit of each decision."""
        with torch.inference_mode():
            sight = see(self.network, self.v.obs, self.v.mask)
            _, value = self.network.forward_canonical(sight.inputs, sight.mask)
        course = self._batch.course
        advantage, known = credit(course, self.v.actor, value.cpu().numpy(), lam)
        return make_lesson(self._batch, advantage, known, studied)

    def _weights(self, progress: float) -> Weights:
        config = self.config
        return Weights(
            config.value_weight,
            _between(config.entropy, config.final_entropy, progress),
            config.teacher_weight * (1 - progress),
        )

    def _learn(self, lesson: Lesson, progress: float, stage: Stage) -> Facts:
        """All gradient steps of a round; the mean of their facts."""
        config, weights = self.config, self._weights(progress)
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate(progress, stage)
        step, size, epochs = {
            Stage.IMITATE: (imitation_step, config.warm_minibatch, 1),
            Stage.STUDY: (study_step, config.study_minibatch, config.study_epochs),
            Stage.PLAY: (policy_step, config.minibatch, config.epochs),
        }[stage]
        facts = []
        for _ in range(epochs):
            for part in lesson.minibatches(size, self.rng):
                own = self._own(part)
                loss, numbers = step(self.network, own, config, weights)
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()  # type: ignore[no-untyped-call]
                numbers = self._agree(numbers, len(own.action) / len(part.action))
                self._check(numbers)
                nn.utils.clip_grad_norm_(self.network.parameters(), config.max_gradient)
                self.optimizer.step()
                facts.append(numbers)
        return Facts(*np.mean(facts, axis=0).tolist())

    def _own(self, part: Lesson) -> Lesson:
        """This process's part of a minibatch: all of it, unless several learn together."""
        return part

    def _agree(self, facts: Facts, share: float) -> Facts:
        """Meet those who have the other shares of the minibatch, about gradients and facts."""
        return facts

    def _rate(self, progress: float, stage: Stage) -> float:
        """Step size of Adam now; it falls over each stage."""
        config = self.config
        if stage is Stage.IMITATE:
            first = config.warm_learning_rate
            return _between(first, WARM_FALL * first, self.warmed)
        if stage is Stage.STUDY:
            first = config.study_learning_rate
            return _between(first, WARM_FALL * first, progress / config.study_until)
        return _between(config.learning_rate, config.final_learning_rate, progress)

    def _check(self, facts: Facts) -> None:
        if not math.isfinite(facts.loss):
            raise self._failure(f"the loss is {facts.loss}")

    def check_weights(self) -> None:
        """Raise unless every weight is a finite number."""
        if not all(bool(weights.isfinite().all()) for weights in self.network.parameters()):
            raise self._failure("some weights are not finite")

    def _failure(self, what: str) -> TrainingFailed:
        return TrainingFailed(
            f"{what} after {self.decisions} decisions; try a smaller learning_rate"
        )


def make_network(config: TrainConfig) -> PolicyNetwork:
    """The network of a run, fresh."""
    tables = config.tables()
    inputs, actions = live_inputs(tables), live_actions(tables)
    if config.tie_numbers:
        return TiedPolicy(config.hidden, inputs, actions, tied_numbers(tables))
    return PolicyNetwork(config.hidden, inputs, actions)


def run(learner: Learner, after_round: Callable[[float, Facts], bool]) -> None:
    """Learn until the time or the decisions of the config are used up.

    Args:
        after_round: called with the part of the budget used and the facts of the round; true
            ends the run early.
    """
    progress, stop = learner_progress(learner), False
    start = time.monotonic() - learner.seconds
    while progress < 1 and not stop:
        facts = learner.round(progress)
        learner.seconds = time.monotonic() - start
        progress = learner_progress(learner)
        stop = after_round(progress, facts)


def learner_progress(learner: Learner) -> float:
    """The part of the budget that is used, from 0 to 1."""
    config = learner.config
    by_time = learner.seconds / (60 * config.minutes) if config.minutes else 0.0
    by_count = learner.decisions / config.decisions if config.decisions else 0.0
    return min(1.0, max(by_time, by_count))


def _between(first: float, last: float, progress: float) -> float:
    return first + (last - first) * progress
