"""Rollouts: one batch of decisions played by everybody at the tables; the learner's are kept."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from uno_agents.base import BatchAgent
from uno_agents.neural.network import CanonicalInput, PolicyNetwork
from uno_agents.search.teacher import SearchTeacher

from uno_env.array_types import Ints
from uno_env.vector.vec import VOID, UnoVec

from .canonical_input import see, turned
from .gae import Course
from .opponent_pool import LEARNER, League
from .sampling import leaning, sample
from .timer import Clock

VOID_REWARD = -1.0
"""A game that was cut off is a loss for all: were it neutral, drawing for ever would be safe."""
USUAL_CHOICES = 3
"""Actions of a decision that is studied as often as the config says."""
STRAY = 0.05
"""How often a game that a teacher plays takes a random turn, to see how the teacher would go on."""


class Decisions:
    """The learner's decisions of one batch, in the order of time and of games.

    Args:
        room: the most decisions there can be.
        network: whose turned columns and actions are kept.
        studies: whether some decisions are studied.
    """

    def __init__(
        self, room: int, network: PolicyNetwork, device: torch.device, studies: bool
    ) -> None:
        def column(*shape: int, kind: torch.dtype) -> Tensor:
            return torch.zeros((room, *shape), dtype=kind, device=device)

        self.inputs = column(len(network.inputs), kind=torch.uint8)
        self.mask = column(len(network.actions), kind=torch.uint8)
        self.action = column(kind=torch.int64)
        self.log_prob = column(kind=torch.float32)
        self.value = column(kind=torch.float32)
        self.advice = column(kind=torch.int64)
        self.worth = column(len(network.actions) if studies else 0, kind=torch.float32)
        self.is_studied = column(kind=torch.bool)
        self.used = 0

    def add(self, sight: CanonicalInput, value: Tensor) -> slice:
        """Room for decisions with this sight; the rest of the columns is the caller's to fill."""
        rows = slice(self.used, self.used + len(value))
        self.inputs[rows], self.mask[rows], self.value[rows] = sight.inputs, sight.mask, value
        self.used = rows.stop
        return rows


class Batch:
    """One batch: the course of the games, and the learner's decisions in them."""

    def __init__(
        self, steps: int, games: int, network: PolicyNetwork, device: torch.device, studies: bool
    ) -> None:
        self.course = Course.empty(steps, games)
        self.decisions = Decisions(steps * games, network, device, studies)
        self.voids = 0


class Crew(NamedTuple):
    """Who plays: the learner's network, the others, and their luck; and who gives lessons.

    Attributes:
        teacher: is asked what it would do in the learner's place.
        leans: logits by which the teacher's action leads beside the network.
        scholar: finds out what every action is worth, in a `share` of the decisions.
    """

    network: PolicyNetwork
    league: League
    teacher: BatchAgent | None
    leans: float
    scholar: SearchTeacher | None
    share: float
    noise: torch.Generator
    rng: np.random.Generator


def collect(v: UnoVec, crew: Crew, batch: Batch, taught: bool, clock: Clock) -> None:
    """Fill the batch.

    Args:
        taught: the teacher plays every seat, and the learner only watches.
    """
    course, decisions = batch.course, batch.decisions
    decisions.used = batch.voids = 0
    actions = np.zeros(v.num_envs, np.int64)
    for t in range(len(course.actor)):
        who = np.zeros(v.num_envs, np.int8) if taught else crew.league.players(v.actor)
        ours = who == LEARNER
        course.actor[t], course.ours[t] = v.actor, ours
        actions[ours] = _decide(v, crew, decisions, np.flatnonzero(ours), taught, clock)
        course.value[t] = 0
        with clock("opponents"):
            if not ours.all():
                crew.league.answer(who, v.obs, v.mask, actions, crew.noise)
        with clock("games"):
            v.step(actions)
        course.done[t], course.rewards[t] = v.done > 0, v.rewards
        void = v.done == VOID
        course.rewards[t, void] = VOID_REWARD
        batch.voids += int(void.sum())
        ended = np.flatnonzero(course.done[t])
        if len(ended):
            crew.league.seat(ended, crew.rng)
    course.value[course.ours] = decisions.value[: decisions.used].cpu().numpy()


def _decide(
    v: UnoVec, crew: Crew, decisions: Decisions, rows: Ints, taught: bool, clock: Clock
) -> Ints:
    """The learner's decisions in these rows, kept in the batch; their action ids."""
    if not len(rows):
        return np.zeros(0, np.int64)
    network = crew.network
    whole = len(rows) == v.num_envs
    obs, mask = (v.obs, v.mask) if whole else (v.obs[rows], v.mask[rows])
    with torch.inference_mode(), clock("network"):
        sight = see(network, obs, mask)
        logits, value = network.forward_canonical(sight.inputs, sight.mask)
        kept = decisions.add(sight, value)
        if crew.teacher is not None:
            advice = crew.teacher.act_batch(obs, mask)
            decisions.advice[kept] = turned(network, sight, advice)
        if taught:
            return _with_strays(advice, mask, crew.rng)
        logits = leaning(logits, decisions.advice[kept], crew.leans)
        choice, decisions.log_prob[kept] = sample(logits, crew.noise)
        decisions.action[kept] = choice
        raw = network.read_actions[sight.code].gather(1, choice[:, None])[:, 0]
    if crew.scholar is not None:
        with torch.inference_mode(), clock("study"):
            _study(v, crew, decisions, rows, kept, sight)
    ids: Ints = raw.cpu().numpy()
    return ids


def _study(
    v: UnoVec, crew: Crew, decisions: Decisions, rows: Ints, kept: slice, sight: CanonicalInput
) -> None:
    """What every action is worth, in some of the decisions just kept.

    The more actions there are, the more there is to find out: whom to swap with is asked rarely.
    """
    choices = v.mask[rows].sum(axis=1)
    picked = crew.rng.random(len(rows)) < crew.share * choices / USUAL_CHOICES
    decisions.is_studied[kept] = torch.from_numpy(picked).to(sight.code.device)
    places = np.flatnonzero(picked)
    if crew.scholar is None or not len(places):
        return
    found = crew.scholar.q_values(v, rows[places], int(crew.rng.integers(1 << 62)))
    turn = crew.network.read_actions[sight.code[places]]
    worths = torch.from_numpy(found).to(turn.device).gather(1, turn)
    decisions.worth[kept.start + torch.from_numpy(places).to(turn.device)] = worths


def _with_strays(advice: Ints, mask: npt.NDArray[np.uint8], rng: np.random.Generator) -> Ints:
    strays = np.flatnonzero(rng.random(len(advice)) < STRAY)
    actions = advice.copy()
    # Random numbers lie below 1, so adding 1 lifts every legal action above all others.
    actions[strays] = (rng.random((len(strays), mask.shape[1])) + mask[strays]).argmax(axis=1)
    return actions
