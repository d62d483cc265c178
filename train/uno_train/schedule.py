"""The schedule of a run: which stage it is in, its learning rate and its loss coefficients."""

from enum import IntEnum

from .config import TrainConfig
from .losses import LossCoefs

IMITATION_TIME = 0.4
"""The most of a run's time that imitation takes, so that a slow machine gets to PPO too."""
FINAL_RATE = 0.05
"""Imitation and distillation end with this part of their learning rate."""


class Stage(IntEnum):
    """The stages of a run, in their order."""

    IMITATION = 0
    DISTILL = 1
    PPO = 2


def run_progress(config: TrainConfig, decisions: int, seconds: float) -> float:
    """The part of the budget that is used, from 0 to 1."""
    by_time = seconds / (60 * config.minutes) if config.minutes else 0.0
    by_count = decisions / config.decisions if config.decisions else 0.0
    return min(1.0, max(by_time, by_count))


def imitation_progress(config: TrainConfig, decisions: int, seconds: float) -> float:
    """The part of the imitation stage that is over, by decisions or by its share of the time."""
    if not config.imitation_teacher or not config.imitation_decisions:
        return 1.0
    by_time = seconds / (60 * config.minutes * IMITATION_TIME) if config.minutes else 0.0
    return min(1.0, max(by_time, decisions / config.imitation_decisions))


def learning_rate(config: TrainConfig, stage: Stage, progress: float, imitation: float) -> float:
    """Learning rate of Adam; it falls linearly over each stage.

    Args:
        progress: of the run.
        imitation: progress of the imitation stage.
    """
    if stage is Stage.IMITATION:
        first = config.imitation_learning_rate
        return _between(first, FINAL_RATE * first, imitation)
    if stage is Stage.DISTILL:
        first = config.distill_learning_rate
        return _between(first, FINAL_RATE * first, progress / config.distill_until)
    return _between(config.learning_rate, config.final_learning_rate, progress)


def loss_coefs(config: TrainConfig, progress: float) -> LossCoefs:
    """Coefficients of the loss at this part of the run."""
    return LossCoefs(
        config.value_coef,
        _between(config.entropy_coef, config.final_entropy_coef, progress),
        config.imitation_coef * (1 - progress),
    )


def _between(first: float, last: float, progress: float) -> float:
    return first + (last - first) * progress
