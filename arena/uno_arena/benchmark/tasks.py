"""The standard benchmark: named tasks with fixed rules, table size, deals and opponents.

`uno-arena bench classic-2 my_bot.py:Bot` plays an agent on the deals of a task against a table of
each opponent. Everybody plays the same cards, so results of different people compare.
A task never changes: another rule, deal or number is another version of it.
"""

import argparse
import hashlib
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from uno_env import Rules

from ..config import ArenaConfig, make_config
from ..play.entrants import name_agents
from ..results import TournamentResults
from ..store.store import DATABASE, Store

OPPONENTS = ("heuristic", "greedy")
"""Who fills the rest of the table: the baseline first, then a weaker one."""
FULL, QUICK = 2000, 200
"""Deals of a run and of a quick one, which plays the first of the same deals."""


class TaskError(ValueError):
    """A task that does not exist."""


@dataclass(frozen=True)
class Task:
    """One game, or several by turns, at one table size.

    Args:
        name: what it is called on the command line.
        players: table size.
        rules: rules texts; each is played.
        version: counts up when anything about the task changes.
        size: deals of a run, where they are not `FULL` and `QUICK`.
    """

    name: str
    players: int
    rules: tuple[str, ...]
    version: int = 1
    size: int | None = None

    @property
    def label(self) -> str:
        """Name and version, as results are filed under."""
        return f"{self.name}@{self.version}"

    @property
    def seed(self) -> int:
        """Fixes the deals; derived from the label, so that nobody chose it."""
        digest = hashlib.sha256(f"uno-arena task {self.label}".encode()).digest()
        return int.from_bytes(digest[:4], "big")

    @property
    def chance(self) -> float:
        """The chance level 1/n: all rules of a task have the same number of sides."""
        return 2 / self.players if self.is_team else 1 / self.players

    @property
    def is_team(self) -> bool:
        """Whether sides are teams of two."""
        return Rules.from_text(self.rules[0]).team_mode == "pairs"

    def deals(self, quick: bool) -> int:
        """Deals of each of its rules."""
        return (self.size or (QUICK if quick else FULL)) // len(self.rules)

    def config(self, agent: str, quick: bool = False) -> ArenaConfig:
        """The tournament of one agent: alone against a table of each opponent."""
        opponents = [opponent for opponent in OPPONENTS if opponent != agent]
        return make_config(
            None,
            {
                "agents": (agent, *opponents),
                "variant": self.rules,
                "players": (self.players,),
                "deals": self.deals(quick),
                "seed": self.seed,
                "schedule": "first",
            },
        )

    def tournament(self, agent: str, quick: bool = False) -> str:
        """What that tournament is called in a database."""
        return f"bench {self.label}{' quick' if quick else ''}: {agent}"

    def command(self, agent: str, quick: bool = False) -> str:
        """The command that plays it."""
        words = ["uno-arena", "bench", self.name, agent, *(["--quick"] if quick else [])]
        return shlex.join(words)


HOUSE_RULES = (
    "classic(seven_swap=true,stacking=equal_or_higher,zero_pass=true)",
    "classic(bluff_allowed=false,challenge=none,voluntary_draw=never)",
    "classic(draw_policy=until_playable,jump_in=true,sum_out=numbers)",
    "hyper_speed(hand_size=5,hyper_cumulative=true)",
    "hyper_speed(stacking=draw2_draw4_with_joker_cancel,voluntary_draw=never)",
    "no_mercy(mercy_limit=20,seven_swap=false)",
    "no_mercy(play_drawn=forced,stacking=none)",
    "ig2000(jump_in=false,uno_call=auto)",
)
"""Rules that no agent was trained on in particular: what the mixed task plays by turns."""

TASKS = {
    task.name: task
    for task in (
        Task("classic-2", 2, ("classic",)),
        Task("classic-4", 4, ("classic",)),
        Task("hyper_speed-4", 4, ("hyper_speed",)),
        Task("no_mercy-2", 2, ("no_mercy",)),
        Task("no_mercy-4", 4, ("no_mercy",)),
        Task("ig2000-4", 4, ("ig2000",)),
        Task("loche-4", 4, ("loche",)),
        Task("teams-4", 4, ("teams",)),
        Task("all_wild-4", 4, ("all_wild",)),
        Task("mixed", 4, HOUSE_RULES),
    )
}

LLM_DEALS = 10
LLM_TASKS = {
    task.name: task
    for task in (
        Task("llm-hyper_speed-2", 2, ("hyper_speed",), size=LLM_DEALS),
        Task("llm-classic-2", 2, ("classic",), size=LLM_DEALS),
        Task("llm-no_mercy-2", 2, ("no_mercy",), size=LLM_DEALS),
        Task("llm-ig2000-2", 2, ("ig2000",), size=LLM_DEALS),
        Task("llm-loche-2", 2, ("loche",), size=LLM_DEALS),
        Task("llm-teams-4", 4, ("teams",), size=LLM_DEALS),
        Task("llm-all_wild-2", 2, ("all_wild",), size=LLM_DEALS),
    )
}
"""Few deals, for agents whose decisions cost money; not part of the leaderboard's page."""

ALL_TASKS = TASKS | LLM_TASKS


def tasks_named(text: str) -> list[Task]:
    """Tasks by name, several with commas; `all` standard ones, or `llm`: those for models."""
    if text in ("all", "llm"):
        return list((TASKS if text == "all" else LLM_TASKS).values())
    names = text.split(",")
    for name in names:
        if name not in ALL_TASKS:
            raise TaskError(
                f"unknown task {name!r}; allowed: all, {', '.join(TASKS)}, llm, "
                f"{', '.join(LLM_TASKS)}"
            )
    return [ALL_TASKS[name] for name in names]


def play_task(
    task: Task, agent: str, store: Store, quick: bool = False, workers: int = 0, show: bool = False
) -> TournamentResults:
    """Play what is missing of an agent's run of a task."""
    from rich.console import Console

    from ..report.progress import ProgressBar
    from ..run import run_tournament

    config = task.config(agent, quick)
    agents = name_agents(config.agents)
    with ProgressBar(list(agents), Console(stderr=True), quiet=not show) as bar:
        return run_tournament(
            config,
            agents,
            store,
            name=task.tournament(agent, quick),
            workers=workers,
            on_progress=bar,
        )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena bench`."""
    parser.add_argument("task", help=(
        f"all, llm, or with commas: {', '.join(ALL_TASKS)}"
    ))  # fmt: skip
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="agent specs")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} deals instead of {FULL}")
    parser.add_argument("--db", default=DATABASE, help=f"where games are kept ({DATABASE})")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help=(
        "processes that play (1); 0 plays in this one, and does not stop an agent that hangs"
    ))  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument("--entry", type=Path, metavar="FILE", help=(
        "also write the agent's results as an entry for the leaderboard"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Play, then print the ranking of each task."""
    from rich.console import Console

    from .leaderboard import print_task
    from .leaderboard_entries import entries_of, write_entry

    tasks = tasks_named(options.task)
    if options.entry and len(options.agents) > 1:
        raise TaskError("--entry takes the results of one agent; name one")
    with Store(options.db) as store:
        for task in tasks:
            for agent in options.agents:
                play_task(task, agent, store, options.quick, options.workers, not options.quiet)
        entries = entries_of(store)
    for task in tasks:
        print_task(task, entries, Console())
    if options.entry:
        entry = next(entry for entry in entries if entry.agent == options.agents[0])
        print(f"Entry: {write_entry(entry, options.entry)}", file=sys.stderr)
    return 0
