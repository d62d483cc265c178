"""The standard benchmark: its tasks by name, and `uno-arena bench`.

`uno-arena bench classic-2 my_bot.py:Bot` plays an agent on the deals of a task against a table of
each member of the field: first on development deals, which are the same for everybody, then on
verification deals, which follow from the agent's bytes.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from uno_env.rulesets import SPLITS

from ..play.entrants import AgentLike
from ..results import TournamentResults
from ..store.store import DATABASE, Store
from .agent_hash import agent_hash
from .task import FULL, QUICK, Task, TaskError
from .task_opponents import OPPONENTS_1

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
"""What the mixed task plays by turns."""
FREE_FOR_ALL = ("classic", "hyper_speed", "no_mercy", "ig2000", "loche", "all_wild")


def _by_name(tasks: Iterable[Task]) -> dict[str, Task]:
    return {task.name: task for task in tasks}


PRESET_TASKS = _by_name(
    [
        *(Task(f"{rules}-{size}", size, (rules,)) for rules in FREE_FOR_ALL for size in (2, 4)),
        Task("teams-4", 4, ("teams",)),
    ]
)
"""Each preset at its usual sizes."""
MATCH_TASKS = _by_name(
    Task(f"{rules}-4-match", 4, (rules,), episode="match") for rules in ("classic", "ig2000")
)
"""Rounds until the match target; who wins the match counts."""
RULE_TASKS = _by_name(
    [
        Task("mixed", 4, HOUSE_RULES),
        *(Task(f"rules-{split}", 4, (f"ruleset:{split}/test",)) for split in SPLITS),
    ]
)
"""House rules by turns; and the test rules of each split, for agents trained on its other part."""
TASKS = PRESET_TASKS | MATCH_TASKS | RULE_TASKS

LLM_DEALS = 10
LLM_TASKS = _by_name(
    Task(
        f"llm-{rules}-{size}", size, (rules,),
        version=1, size=LLM_DEALS, opponents=OPPONENTS_1, is_verified=False,
    )
    for rules, size in (
        ("hyper_speed", 2), ("classic", 2), ("no_mercy", 2), ("ig2000", 2), ("loche", 2),
        ("teams", 4), ("all_wild", 2),
    )
)  # fmt: skip
"""Few deals, for agents whose decisions cost money; not part of the leaderboard's page."""

GROUPS = {
    "all": TASKS,
    "presets": PRESET_TASKS,
    "matches": MATCH_TASKS,
    "rules": RULE_TASKS,
    "llm": LLM_TASKS,
}
"""Tasks by the name of their group."""
ALL_TASKS = TASKS | LLM_TASKS

_VERSION_1 = (
    ("classic", 2), ("classic", 4), ("hyper_speed", 4), ("no_mercy", 2), ("no_mercy", 4),
    ("ig2000", 4), ("loche", 4), ("teams", 4), ("all_wild", 4),
)  # fmt: skip
OLD_TASKS = {
    task.label: task
    for task in (
        *(
            Task(f"{rules}-{size}", size, (rules,), 1, opponents=OPPONENTS_1, is_verified=False)
            for rules, size in _VERSION_1
        ),
        Task("mixed", 4, HOUSE_RULES, 1, opponents=OPPONENTS_1, is_verified=False),
    )
}
"""Tasks of version 1 by label: their results can be read, they are not played any more."""


def task_of(label: str) -> Task | None:
    """The task of a label, of an older version too; None if there is none."""
    current = ALL_TASKS.get(label.partition("@")[0])
    return current if current and current.label == label else OLD_TASKS.get(label)


def tasks_named(text: str) -> list[Task]:
    """Tasks by name, several with commas; `all` standard ones, or another group of them."""
    if text in GROUPS:
        return list(GROUPS[text].values())
    names = text.split(",")
    for name in names:
        if name not in ALL_TASKS:
            raise TaskError(
                f"unknown task {name!r}; allowed: {', '.join(GROUPS)}, {', '.join(ALL_TASKS)}"
            )
    return [ALL_TASKS[name] for name in names]


def play_task(
    task: Task,
    agent: str,
    store: Store,
    quick: bool = False,
    workers: int = 0,
    show: bool = False,
    verification: bool = False,
    spec: AgentLike = None,
) -> TournamentResults:
    """Play what is missing of an agent's run of a task.

    Args:
        task: what is played.
        agent: its spec, or what it is called if `spec` is given.
        store: where games are kept.
        quick: a tenth of the deals.
        workers: processes that play; 0 plays in this one.
        show: a progress bar.
        verification: its verification deals instead of development deals.
        spec: the agent, if it is not found under its name.
    """
    from rich.console import Console

    from ..report.progress import ProgressBar
    from ..run import run_tournament

    spec = agent if spec is None else spec
    config = task.config(agent, quick, agent_hash(spec) if verification else "")
    agents = {name: spec if name == agent else name for name in config.agents}
    with ProgressBar(list(agents), Console(stderr=True), quiet=not show) as bar:
        return run_tournament(
            config,
            agents,
            store,
            name=task.tournament(agent, quick, verification),
            workers=workers,
            on_progress=bar,
        )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena bench`."""
    parser.add_argument("task", help=(
        f"{', '.join(GROUPS)}; or tasks, several with commas: {', '.join(ALL_TASKS)}"
    ))  # fmt: skip
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="agent specs")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} deals instead of {FULL}")
    parser.add_argument("--no-verification", action="store_true", help=(
        "play development deals only: half the time, and no row for the leaderboard"
    ))  # fmt: skip
    parser.add_argument("--db", default=DATABASE, help=f"where games are kept ({DATABASE})")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help=(
        "processes that play (1); 0 plays in this one, and does not stop an agent that hangs"
    ))  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument("--entry", type=Path, metavar="FILE", help=(
        "also write the agent's results as a row for the leaderboard"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Play, then print the ranking of each task."""
    from rich.console import Console

    from .entry_files import write_entry
    from .leaderboard import print_task
    from .leaderboard_entries import entries_of

    tasks = tasks_named(options.task)
    if options.entry and len(options.agents) > 1:
        raise TaskError("--entry takes the results of one agent; name one")
    if options.entry and options.no_verification:
        raise TaskError("--entry needs verification deals too; omit --no-verification")
    with Store(options.db) as store:
        for task in tasks:
            for agent in options.agents:
                for verification in (False, True):
                    if verification and (options.no_verification or not task.is_verified):
                        continue
                    play_task(
                        task, agent, store, options.quick, options.workers, not options.quiet,
                        verification,
                    )  # fmt: skip
        entries = entries_of(store)
    for task in tasks:
        print_task(task, entries, Console())
    if options.entry:
        entry = next(entry for entry in entries if entry.agent == options.agents[0])
        print(f"Entry: {write_entry(entry, options.entry)}", file=sys.stderr)
    return 0
