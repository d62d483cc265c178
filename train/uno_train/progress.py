"""The progress bar of a run; without a terminal, a line for each point of the learning curve."""

from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from .ppo import Learner
from .schedule import Stage

STAGES = {Stage.IMITATION: "imitation", Stage.DISTILL: "distillation", Stage.PPO: "PPO"}


class ProgressBar:
    """Shows how far a run is, how fast, how well, and how long it will take.

    Args:
        console: where to.
        quiet: show nothing.
    """

    def __init__(self, console: Console, quiet: bool) -> None:
        self._lines = console if not (quiet or console.is_terminal) else None
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TextColumn("{task.fields[status]}"),
            console=console,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._progress.add_task("training", total=1.0, status="first rollout ...")

    def start(self) -> None:
        """Show the bar."""
        self._progress.start()

    def stop(self) -> None:
        """Leave it as it is."""
        self._progress.stop()

    def update(self, progress: float, learner: Learner, point: dict[str, Any] | None) -> None:
        """Move the bar."""
        stage, status = STAGES[learner.stage(progress)], describe(progress, learner, point)
        self._progress.update(self._task, completed=progress, status=status, description=stage)

    def line(self, progress: float, learner: Learner, point: dict[str, Any]) -> None:
        """A line instead of a bar."""
        if self._lines:
            self._lines.print(f"{progress:4.0%}  {describe(progress, learner, point)}")


def describe(progress: float, learner: Learner, point: dict[str, Any] | None) -> str:
    """Speed, win rates with 95 % intervals and time left."""
    elapsed = learner.seconds
    left = round(elapsed * (1 - progress) / max(progress, 1e-9))
    parts = [f"{learner.decisions / max(elapsed, 1e-9):,.0f} decisions/s"]
    for name, result in (point or {}).get("anchors", {}).items():
        half = 50 * (result["high"] - result["low"])
        parts.append(f"wins {100 * result['rate']:.1f} ± {half:.1f} % against {name}")
    return ", ".join([*parts, f"{left // 60}:{left % 60:02} left"])
