"""`uno-train benchmark`: how much of the training loop's speed the games leave it.

PPO runs on the real games and on a recording of them that costs nothing to step, an iteration of
each in turn. The ratio of the two speeds matters; it hardly depends on the
machine.
"""

import statistics
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from uno_env.command_line import CommandParser

from .cli import add_config_flags, read_config
from .ppo import Learner
from .renamed_keys import RENAMED, refuse_old_flags

WARM_UP = 1
TARGET = 0.8


class Recording:
    """A batch of games that was played once; stepping it only turns the page.

    Args:
        v: the games to record.
        pages: how many steps.
    """

    def __init__(self, v: Any, pages: int) -> None:
        self.num_envs: int = v.num_envs
        self._pages = []
        for _ in range(pages):
            v.step(v.random_actions())
            page = (v.obs, v.mask, v.actor, v.done, v.rewards)
            self._pages.append(tuple(array.copy() for array in page))
        self._next = 0
        self.step(np.zeros(0, np.int64))

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """The next page, whatever the actions."""
        self.obs, self.mask, self.actor, self.done, self.rewards = self._pages[self._next]
        self._next = (self._next + 1) % len(self._pages)


def speed(learner: Learner) -> float:
    """Decisions a second of one iteration."""
    before, start = learner.decisions, time.perf_counter()
    learner.iteration(0.5)
    return (learner.decisions - before) / (time.perf_counter() - start)


def compare(config: Any, iterations: int) -> tuple[list[float], list[float], dict[str, float]]:
    """Speeds with the games and without their cost, and where the time with them went."""
    real, free = Learner(config), Learner(config)
    free.v = Recording(free.v, pages=config.rollout_steps)  # type: ignore[assignment]
    for learner in (real, free):
        for _ in range(WARM_UP):
            learner.iteration(0.5)
    real.timer.seconds.clear()
    pairs = [(speed(real), speed(free)) for _ in range(iterations)]
    return [a for a, _ in pairs], [b for _, b in pairs], dict(real.timer.seconds)


def main(words: Sequence[str]) -> int:
    """Run the comparison and print it."""
    parser = CommandParser(
        example="uno-train benchmark classic --threads 1 --iterations 9",
        prog="uno-train benchmark",
        description=__doc__,
    )
    parser.add_argument("--iterations", type=int, default=7, help="iterations of each kind (7)")
    add_config_flags(parser)
    refuse_old_flags(words, RENAMED | {"rounds": "iterations"})
    options = parser.parse_args(words)
    config = read_config(options).model_copy(update={"imitation_teacher": "", "distill_until": 0.0})
    real, free, parts = compare(config, max(1, options.iterations))
    ratio = statistics.median(a / b for a, b in zip(real, free, strict=True))
    widths = "x".join(map(str, config.hidden))
    tables = config.tables()
    where = str(tables[0]) if len(tables) == 1 else f"{len(tables)} table configs"
    print(f"{where}; network {widths}, {config.epochs} epochs, {config.threads} threads")
    print(f"with the games     {statistics.median(real):10,.0f} decisions/s")
    print(f"games cost nothing {statistics.median(free):10,.0f} decisions/s")
    print(f"ratio              {ratio:10.1%}   (at least {TARGET:.0%} is wanted)")
    whole = sum(parts.values())
    for name, seconds in sorted(parts.items(), key=lambda part: -part[1]):
        print(f"  {name:<16} {seconds / whole:10.1%}")
    return 0
