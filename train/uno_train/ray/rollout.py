"""Rollout workers of a cluster: one task collects the rollout of one shard of the games.

A task is a pure function of weights, iteration and the state of the shard's games, whichever
process runs it. A rollout that is lost with its node is collected again just the same.
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
from ..ppo import Learner, RolloutCounts
from ..schedule import Stage

CODE = (*PACKAGES, "uno_train")
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]
"""Tensors as they travel: arrays are read from the object store without a copy."""


class RolloutTask(NamedTuple):
    """One iteration's rollout, of all shards; put into the object store once."""

    iteration: int
    progress: float
    stage: Stage
    weights: Arrays
    snapshot: Arrays
    """The snapshot that plays; empty if there is none yet."""


class RolloutResult(NamedTuple):
    """The rollout of a shard: the columns of a `Batch`, and its counts."""

    columns: list[npt.NDArray[Any]]
    counts: RolloutCounts


class RunInfo(NamedTuple):
    """What stays the same for all tasks of a run."""

    code: str
    """Digest of the code that must run on every node."""
    config: str
    """JSON of one shard's config."""


def play_shard(
    info: RunInfo, shard: int, task: RolloutTask, before: Arrays
) -> tuple[RolloutResult, Arrays]:
    """Collect the rollout of a shard; its result, and the state of its games afterwards.

    Args:
        before: the state of its games now; empty to deal them.
    """
    check_code(info.code, CODE)
    learner = _learner(info.config)
    seed = shard_seed(learner.config.seed, shard)
    # First of all: the pool decides who is seated when games are dealt.
    learner.opponent_pool.snapshots.pool = [as_tensors(task.snapshot)] if task.snapshot else []
    if before:
        learner.load_rollout_state(as_tensors(before))
        learner.game_seed = learner.opponent_pool.seed = seed
    else:
        learner.reset_games(seed)
    learner.rng = np.random.default_rng([seed, task.iteration])
    learner.torch_rng.manual_seed(int(learner.rng.integers(1 << 62)))
    learner.network.load_state_dict(as_tensors(task.weights))
    learner.iterations = task.iteration
    batch, counts = learner.collect(task.progress, task.stage)
    result = RolloutResult([column.numpy() for column in batch], counts)
    return result, as_arrays(learner.rollout_state())


@functools.lru_cache(maxsize=1)
def _learner(config: str) -> Learner:
    """Network, opponents and buffers, made once in each process."""
    return Learner(TrainConfig.model_validate_json(config))


def shard_seed(seed: int, shard: int) -> int:
    """The seed of a shard's deals, apart from those of all other shards."""
    words = np.random.SeedSequence([seed, shard]).generate_state(1, np.uint64)
    return int(words[0] >> np.uint64(2))


def as_arrays(tensors: Mapping[str, torch.Tensor]) -> Arrays:
    """Tensors on their way to another process; copies, since a learner goes on changing its own."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}


def as_tensors(arrays: Arrays) -> dict[str, torch.Tensor]:
    """Arrays that came from another process; copies, since the store's are read-only."""
    return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
