"""Rollouts: everybody at the tables acts; the learner's decisions are kept in a RolloutBuffer."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor
from uno_agents.base import BatchAgent
from uno_agents.neural.network import CanonicalInput, PolicyNetwork

from uno_env.array_types import Bytes, Floats, Ints
from uno_env.vector.vec import VOID, UnoVec

from .gae import Trajectories
from .labels import Labeller
from .opponent_pool import LEARNER, OpponentPool
from .policy import action_ids, add_prior, canonical_actions, encode, sample

TRUNCATION_REWARD = -1.0
"""A truncated game is a loss for all: were it neutral, drawing for ever would be safe."""
RANDOM_ACTION_RATE = 0.05
"""Probability of a random action while the teacher plays, so that the states it must recover from
are seen as well."""


class Timer:
    """Seconds by part of the work: `with timer("games"): ...`."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, part: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[part] += time.perf_counter() - start


class Decisions:
    """The learner's decisions of one rollout, in the order of time and of games.

    Args:
        capacity: the most decisions there can be.
        network: whose canonical inputs and actions are kept.
        with_q_values: whether search labels some decisions.
        hidden_width: columns of other hands, which only a critic sees.
    """

    def __init__(
        self,
        capacity: int,
        network: PolicyNetwork,
        device: torch.device,
        with_q_values: bool,
        hidden_width: int = 0,
    ) -> None:
        def column(*shape: int, kind: torch.dtype) -> Tensor:
            return torch.zeros((capacity, *shape), dtype=kind, device=device)

        self.inputs = column(len(network.inputs), kind=torch.uint8)
        self.mask = column(len(network.actions), kind=torch.uint8)
        self.action = column(kind=torch.int64)
        self.log_prob = column(kind=torch.float32)
        self.value = column(kind=torch.float32)
        self.hidden_hands = column(hidden_width, kind=torch.uint8)
        self.teacher_action = column(kind=torch.int64)
        self.q_values = column(len(network.actions) if with_q_values else 0, kind=torch.float32)
        self.is_labelled = column(kind=torch.bool)
        self.used = 0

    def add(self, encoded: CanonicalInput, value: Tensor) -> slice:
        """Rows for decisions with this input; the caller fills in the other columns."""
        rows = slice(self.used, self.used + len(value))
        self.inputs[rows], self.mask[rows], self.value[rows] = encoded.inputs, encoded.mask, value
        self.used = rows.stop
        return rows


class RolloutBuffer:
    """One rollout: the trajectories of the games, and the learner's decisions in them."""

    def __init__(
        self,
        steps: int,
        games: int,
        network: PolicyNetwork,
        device: torch.device,
        with_q_values: bool,
        hidden_width: int = 0,
    ) -> None:
        self.trajectories = Trajectories.empty(steps, games)
        self.decisions = Decisions(steps * games, network, device, with_q_values, hidden_width)
        self.truncated = 0


class HandsCritic(Protocol):
    """What a rollout needs of a critic that sees all hands (`critic.py`)."""

    def hidden_hands(self, v: UnoVec, rows: Ints, encoded: CanonicalInput, /) -> Tensor:
        """The hands of the other seats."""

    def __call__(self, inputs: Tensor, hidden_hands: Tensor, /) -> Tensor:
        """Values of positions."""


class RolloutActors(NamedTuple):
    """Who acts in a rollout, who labels it, and their random numbers.

    Attributes:
        teacher: labels the learner's decisions with its own action.
        heuristic_prior: logit bonus of the teacher's action.
        labeller: labels some of the decisions with action values.
        critic: estimates values instead of the network.
    """

    network: PolicyNetwork
    opponent_pool: OpponentPool
    teacher: BatchAgent | None
    heuristic_prior: float
    labeller: Labeller | None
    torch_rng: torch.Generator
    rng: np.random.Generator
    critic: HandsCritic | None = None


def collect(
    v: UnoVec, actors: RolloutActors, buffer: RolloutBuffer, teacher_plays: bool, timer: Timer
) -> None:
    """Fill the buffer.

    Args:
        teacher_plays: the teacher plays every seat; the learner only records its decisions.
    """
    trajectories, decisions = buffer.trajectories, buffer.decisions
    decisions.used = buffer.truncated = 0
    actions = np.zeros(v.num_envs, np.int64)
    for t in range(len(trajectories.actor)):
        who = np.zeros(v.num_envs, np.int8)
        if not teacher_plays:
            who = actors.opponent_pool.players_to_act(v.actor)
        is_learner = who == LEARNER
        trajectories.actor[t], trajectories.is_learner[t] = v.actor, is_learner
        rows = np.flatnonzero(is_learner)
        actions[is_learner] = _decide(v, actors, decisions, rows, teacher_plays, timer)
        trajectories.value[t] = 0
        with timer("opponents"):
            if not is_learner.all():
                actors.opponent_pool.act(who, v.obs, v.mask, actions, actors.torch_rng)
        with timer("games"):
            v.step(actions)
        trajectories.done[t], trajectories.rewards[t] = v.done > 0, v.rewards
        truncated = v.done == VOID
        trajectories.rewards[t, truncated] = TRUNCATION_REWARD
        buffer.truncated += int(truncated.sum())
        ended = np.flatnonzero(trajectories.done[t])
        if len(ended):
            if not teacher_plays:
                actors.opponent_pool.record(ended, trajectories.rewards[t, ended])
            actors.opponent_pool.assign_seats(ended, actors.rng)
    trajectories.value[trajectories.is_learner] = decisions.value[: decisions.used].cpu().numpy()


def _decide(
    v: UnoVec,
    actors: RolloutActors,
    decisions: Decisions,
    rows: Ints,
    teacher_plays: bool,
    timer: Timer,
) -> Ints:
    """The learner's decisions in these rows, kept in the buffer; their action ids."""
    if not len(rows):
        return np.zeros(0, np.int64)
    network = actors.network
    all_rows = len(rows) == v.num_envs
    obs, mask = (v.obs, v.mask) if all_rows else (v.obs[rows], v.mask[rows])
    with torch.inference_mode(), timer("network"):
        encoded = encode(network, obs, mask)
        logits, value = network.forward_canonical(encoded.inputs, encoded.mask)
        if actors.critic is not None:
            hidden_hands = actors.critic.hidden_hands(v, rows, encoded)
            value = actors.critic(encoded.inputs, hidden_hands)
        kept = decisions.add(encoded, value)
        if actors.critic is not None:
            decisions.hidden_hands[kept] = hidden_hands
        if actors.teacher is not None:
            ids = actors.teacher.act_batch(obs, mask)
            decisions.teacher_action[kept] = canonical_actions(network, encoded, ids)
            if teacher_plays:
                return _with_random_actions(ids, mask, actors.rng)
        logits = add_prior(logits, decisions.teacher_action[kept], actors.heuristic_prior)
        action, decisions.log_prob[kept] = sample(logits, actors.torch_rng)
        decisions.action[kept] = action
    if actors.labeller is not None:
        with torch.inference_mode(), timer("search"):
            certainty = logits.softmax(-1).amax(-1).cpu().numpy()
            _label(v, actors, actors.labeller, decisions, rows, kept, encoded, certainty)
    return action_ids(network, encoded, action)


def _label(
    v: UnoVec,
    actors: RolloutActors,
    labeller: Labeller,
    decisions: Decisions,
    rows: Ints,
    kept: slice,
    encoded: CanonicalInput,
    certainty: Floats,
) -> None:
    """Action values for some of the decisions just kept."""
    picked = labeller.pick(v.mask[rows], certainty, actors.rng)
    device = encoded.code.device
    decisions.is_labelled[kept] = torch.from_numpy(picked).to(device)
    chosen = np.flatnonzero(picked)
    if not len(chosen):
        return
    key = int(actors.rng.integers(1 << 62))
    places = torch.from_numpy(chosen).to(device)
    read = actors.network.raw_actions(encoded.code[places], encoded.seat_code[places])
    labelled = kept.start + places
    heuristic = decisions.teacher_action[labelled]
    decisions.q_values[labelled] = labeller.q_values(v, rows[chosen], key, read, heuristic)


def _with_random_actions(ids: Ints, mask: Bytes, rng: np.random.Generator) -> Ints:
    rows = np.flatnonzero(rng.random(len(ids)) < RANDOM_ACTION_RATE)
    actions = ids.copy()
    # Random numbers lie below 1, so adding 1 lifts every legal action above all others.
    actions[rows] = (rng.random((len(rows), mask.shape[1])) + mask[rows]).argmax(axis=1)
    return actions
