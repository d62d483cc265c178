"""A learner that shares each gradient step with others like it, by torch.distributed.

All of them have the same weights and the same luck, so they cut a lesson into the same minibatches.
Each takes its part of every minibatch; the gradients are added up, weighted by the parts, and all
take the same step. So what is learned is what one learner would learn, up to rounding.
"""

import os
from datetime import timedelta

import torch
import torch.distributed as dist

from .config import TrainConfig
from .ppo import Learner
from .update import Facts, Lesson

PATIENCE = timedelta(seconds=120)
"""How long one waits for the others at a gradient step."""


def without_games(config: TrainConfig) -> TrainConfig:
    """The config of a learner that plays nothing itself: games as few and short as can be."""
    few = {"num_envs": len(config.tables()), "shards": 0, "steps": 2}
    return config.model_copy(update=few)


class PartLearner(Learner):
    """One of several learners.

    Args:
        config: the run.
        rank: which one it is, from 0.
    """

    def __init__(self, config: TrainConfig, rank: int) -> None:
        super().__init__(without_games(config))
        self.rank, self._of = rank, config.learners

    def meet(self, address: str) -> None:
        """Wait until all have come to the address (HOST:PORT) of the first."""
        if address.startswith("127."):
            os.environ["GLOO_SOCKET_IFNAME"] = "lo"
        dist.init_process_group(
            "nccl" if self.device.type == "cuda" else "gloo",
            f"tcp://{address}",
            PATIENCE,
            rank=self.rank,
            world_size=self._of,
        )

    def _own(self, part: Lesson) -> Lesson:
        return Lesson(*(column[self.rank :: self._of] for column in part))

    def _agree(self, facts: Facts, share: float) -> Facts:
        gradients = [w.grad for w in self.network.parameters() if w.grad is not None]
        told = torch.tensor(facts, device=self.device)
        # One message for all: what is sent is little, and each message has its price.
        flat = torch.cat([*(gradient.flatten() for gradient in gradients), told]) * share
        dist.all_reduce(flat)
        sizes = [*(gradient.numel() for gradient in gradients), len(told)]
        parts = torch.split(flat, sizes)
        for gradient, part in zip(gradients, parts, strict=False):
            gradient.copy_(part.view_as(gradient))
        return Facts(*parts[-1].tolist())
