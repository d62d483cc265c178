"""Watching a run: the progress bar, the learning curve, and checkpoints on the way."""

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from agents.base import batch_form
from agents.neural import NeuralAgent
from agents.registry import make_agent

from .checkpoint import describe_run, save_checkpoint
from .evaluate import Result, evaluate
from .ppo import Learner

SAVE_EVERY = 20.0
"""Seconds between two checkpoints."""
WATCH_SEED = 1


class Watch:
    """Follows a learner: call it after each round."""

    def __init__(self, learner: Learner, last: Path, console: Console, quiet: bool) -> None:
        self.curve: list[dict[str, Any]] = []
        self.learner, self._last = learner, last
        self._saved_at = self._measured_at = 0.0
        # Without a terminal there is no bar, so each point of the curve is a line instead.
        self._lines = console if not (quiet or console.is_terminal) else None
        self._progress = Progress(
            TextColumn("training"),
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TextColumn("{task.fields[facts]}"),
            console=console,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._progress.add_task("", total=1.0, facts="first games ...")

    def __enter__(self) -> Self:
        # From here on there is always a checkpoint to load.
        self.save()
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()
        # Stopped by hand or by an error: what was learned so far is kept.
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.save()

    def __call__(self, progress: float, elapsed: float) -> None:
        """Note a finished round."""
        if elapsed - self._measured_at >= self.learner.config.watch_every:
            self.measure(elapsed)
            self._measured_at = elapsed
            if self._lines:
                self._lines.print(f"{progress:4.0%}  {self._facts(progress, elapsed)}")
        if elapsed - self._saved_at >= SAVE_EVERY:
            self.save()
            self._saved_at = elapsed
        self._progress.update(self._task, completed=progress, facts=self._facts(progress, elapsed))

    def save(self) -> None:
        """Write the checkpoint `last`."""
        learner = self.learner
        about = describe_run(learner.config, learner.decisions)
        save_checkpoint(self._last, learner.network, about)

    def measure(self, elapsed: float) -> None:
        """Play against greedy for a point of the learning curve."""
        learner = self.learner
        rules, num_players = learner.config.table()
        agent = NeuralAgent(learner.network, {})
        greedy = batch_form(make_agent("greedy", seed=WATCH_SEED))
        deals = learner.config.watch_deals
        # New deals for each point, so that the curve is not one sample's luck.
        result = evaluate(agent, greedy, rules, num_players, deals, seed=learner.rounds)
        self.add_point(result, elapsed)

    def add_point(self, result: Result, elapsed: float | None = None) -> None:
        """A point of the learning curve: the agent as it is now against greedy."""
        seconds = None if elapsed is None else round(elapsed, 1)
        point = {"decisions": self.learner.decisions, "seconds": seconds}
        self.curve.append(point | result._asdict())

    def _facts(self, progress: float, elapsed: float) -> str:
        speed = self.learner.decisions / max(elapsed, 1e-9)
        left = round(elapsed * (1 - progress) / max(progress, 1e-9))
        facts = [f"{speed:,.0f} steps/s", f"{left // 60}:{left % 60:02} left"]
        if self.curve:
            now = self.curve[-1]
            half = 50 * (now["high"] - now["low"])
            facts.insert(1, f"wins {100 * now['rate']:.0f} ± {half:.0f} % against greedy")
        return ", ".join(facts)
