"""What a node of a cluster does: play one round of one shard of the games.

It is a pure function: the weights, the round and where the shard's games are decide every decision,
whichever process plays. So a round that is lost with its node is played again just the same.
"""

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from uno_arena.code_version import PACKAGES
from uno_arena.play.ray_cluster import check_code

from ..config import TrainConfig
from ..ppo import Learner, Played, Stage

CODE = (*PACKAGES, "uno_train")
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]
"""Tensors as they travel: arrays are read from the object store without a copy."""


class Order(NamedTuple):
    """One round to be played by all shards; put into the object store once."""

    number: int
    """Of the round."""

    progress: float
    stage: Stage
    weights: Arrays
    past: Arrays
    """The past self of this round; empty if there is none yet."""


class Answer(NamedTuple):
    """What a shard's round gave: the columns of a `Lesson`, and how much it was."""

    columns: list[npt.NDArray[Any]]
    played: Played


class Site(NamedTuple):
    """What stays the same for all rounds of a run."""

    code: str
    config: str
    """JSON of one shard's config."""


def play_shard(site: Site, shard: int, order: Order, before: Arrays) -> tuple[Answer, Arrays]:
    """Play a round: what it gave, and where the games are afterwards.

    Args:
        before: where they are now; empty to deal them.
    """
    check_code(site.code, CODE)
    learner = _learner(site.config)
    luck = shard_luck(learner.config.seed, shard)
    # First of all: who is in the pool decides who is seated when games are dealt.
    learner.league.past.pool = [as_tensors(order.past)] if order.past else []
    if before:
        learner.go_on_playing(as_tensors(before))
        learner.luck = learner.league.seed = luck
    else:
        learner.deal(luck)
    learner.rng = np.random.default_rng([luck, order.number])
    learner.noise.manual_seed(int(learner.rng.integers(1 << 62)))
    learner.network.load_state_dict(as_tensors(order.weights))
    learner.rounds = order.number
    lesson, played = learner.play(order.progress, order.stage)
    answer = Answer([column.numpy() for column in lesson], played)
    return answer, as_arrays(learner.playing())


@functools.lru_cache(maxsize=1)
def _learner(config: str) -> Learner:
    """Network, opponents and room for games, made once in each process."""
    return Learner(TrainConfig.model_validate_json(config))


def shard_luck(seed: int, shard: int) -> int:
    """The seed of a shard's deals, apart from those of all other shards."""
    words = np.random.SeedSequence([seed, shard]).generate_state(1, np.uint64)
    return int(words[0] >> np.uint64(2))


def as_arrays(tensors: Mapping[str, torch.Tensor]) -> Arrays:
    """Tensors on their way to another process; copies, since a learner goes on changing its own."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}


def as_tensors(arrays: Arrays) -> dict[str, torch.Tensor]:
    """Arrays that came from another process; copies, since the store's are read-only."""
    return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
