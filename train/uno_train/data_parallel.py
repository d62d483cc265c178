"""Data-parallel learners by torch.distributed: each takes its share of every minibatch.

All have the same weights and the same generator, so they cut a batch into the same minibatches. The
gradients are summed, weighted by the shares, and all take the same step. The result is that of one
learner, up to rounding.
"""

import os
from datetime import timedelta

import torch
import torch.distributed as dist

from .config import TrainConfig
from .losses import Batch, Metrics
from .ppo import Learner

TIMEOUT = timedelta(seconds=120)
"""How long a learner waits for the others at a gradient step."""


def without_games(config: TrainConfig) -> TrainConfig:
    """The config of a learner without rollouts of its own: as few and short games as possible."""
    few = {"num_envs": len(config.tables()), "shards": 0, "rollout_steps": 2}
    return config.model_copy(update=few)


class DataParallelLearner(Learner):
    """One of several data-parallel learners.

    Args:
        config: the run.
        rank: of this process, from 0.
    """

    def __init__(self, config: TrainConfig, rank: int) -> None:
        super().__init__(without_games(config))
        self.rank, self._world_size = rank, config.learners

    def connect(self, address: str) -> None:
        """Join the process group at the address (HOST:PORT) of rank 0."""
        if address.startswith("127."):
            os.environ["GLOO_SOCKET_IFNAME"] = "lo"
        dist.init_process_group(
            "nccl" if self.device.type == "cuda" else "gloo",
            f"tcp://{address}",
            TIMEOUT,
            rank=self.rank,
            world_size=self._world_size,
        )

    def _own_share(self, minibatch: Batch) -> Batch:
        return Batch(*(column[self.rank :: self._world_size] for column in minibatch))

    def _all_reduce(self, metrics: Metrics, share: float) -> Metrics:
        gradients = [w.grad for w in self.network.parameters() if w.grad is not None]
        scalars = torch.tensor(metrics, device=self.device)
        # One message for all: there is little to send, and each message has its latency.
        flat = torch.cat([*(gradient.flatten() for gradient in gradients), scalars]) * share
        dist.all_reduce(flat)
        sizes = [*(gradient.numel() for gradient in gradients), len(scalars)]
        parts = torch.split(flat, sizes)
        for gradient, part in zip(gradients, parts, strict=False):
            gradient.copy_(part.view_as(gradient))
        return Metrics(*parts[-1].tolist())
