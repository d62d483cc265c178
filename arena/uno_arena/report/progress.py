"""The progress bar of a tournament: games, time left, and the last match-up's win rate so far."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ..evaluate import Result
from ..run import TournamentProgress
from ..stats.intervals import MIN_DEALS


class ProgressBar:
    """Shows each `TournamentProgress`; use it in a `with` block.

    Args:
        names: what the entrants are called.
        console: where it is drawn.
        quiet: show nothing.
    """

    def __init__(self, names: Sequence[str], console: Console, quiet: bool = False) -> None:
        self._names = names
        self._bar = Progress(
            BarColumn(24),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            console=console,
            disable=quiet,
            transient=True,
        )
        self._task = self._bar.add_task("starting", total=0)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def __call__(self, progress: TournamentProgress) -> None:
        """Draw how far it is."""
        self._bar.update(
            self._task,
            completed=progress.games,
            total=progress.planned,
            description=self._description(progress),
        )

    def _description(self, progress: TournamentProgress) -> str:
        forfeits = f" [red]{progress.forfeits:,} forfeits[/red]" if progress.forfeits else ""
        matchup, shares = progress.matchup, progress.shares
        if matchup is None or shares is None or len(shares) < MIN_DEALS:
            return forfeits
        focal, opponent = (escape(self._names[entrant]) for entrant in matchup.lineup[:2])
        return f"{focal} against {opponent}: {Result.of_shares(shares)}{forfeits}"
