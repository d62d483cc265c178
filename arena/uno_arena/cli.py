"""The command `uno-arena` (`python -m uno_arena`): play tournaments, report, replay, compare."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from uno_agents.base import AgentError

from uno_env.command_line import CommandParser

from .cli_play import (
    INTERRUPTED,
    add_outputs,
    play,
    play_parser,
    write_outputs,
)
from .config import ConfigError
from .play.worker_pool import WorkerError
from .store.schema import StoreError
from .store.store import Store

NEEDED = "uno-arena needs rich, scipy, choix and matplotlib: pip install 'uno-env[arena]'"
EXTRAS = ("rich", "scipy", "choix", "matplotlib")

COMMANDS = {
    "report": (
        "the report of a database",
        "uno-arena report arena.db --html arena.html",
    ),
    "list": ("the tournaments of a database", "uno-arena list arena.db"),
    "replay": ("one game again", "uno-arena replay arena.db 0.17.2 --out game.html"),
    "bench": ("standard benchmark tasks", "uno-arena bench classic-4 runs/x/best"),
    "leaderboard": ("the table of all agents", "uno-arena leaderboard"),
    "verify": ("a row of it played again", "uno-arena verify my-bot.json"),
    "record": ("games as a dataset for offline RL", "uno-arena record heuristic --format minari"),
    "quiz": ("positions with a clear best action", "uno-arena quiz heuristic llm:MODEL"),
    "profile": (
        "agreement with search by phase",
        "uno-arena profile llm:MODEL --variant classic --players 2 --deals 10",
    ),
    "best-response": (
        "how much an opponent wins who knows the agent",
        "uno-arena best-response heuristic --variant classic --players 2 --minutes 10",
    ),
    "field": (
        "an agent against each member of the field",
        "uno-arena field runs/x/best --players 2",
    ),
    "cross-play": (
        "a win matrix of agents or of the field",
        "uno-arena cross-play field:1 --players 2",
    ),
    "calibrate-levels": (
        "equal Elo steps for level:1 to level:8",
        "uno-arena calibrate-levels --deals 2000",
    ),
    "rlcard": ("RLCard's agent by its rules", "uno-arena rlcard heuristic"),
    "unoai": ("UnoAI's published results, and ours", "uno-arena unoai heuristic"),
}
MODULES = {
    "bench": "benchmark.tasks",
    "leaderboard": "benchmark.leaderboard",
    "verify": "benchmark.verify",
    "record": "benchmark.record",
    "quiz": "benchmark.quiz_report",
    "profile": "benchmark.profile",
    "best-response": "uno_train.best_response.cli",
    "field": "benchmark.field",
    "cross-play": "benchmark.cross_play",
    "calibrate-levels": "benchmark.calibrate_levels",
    "rlcard": "benchmark.rlcard",
    "unoai": "benchmark.unoai",
}
"""Commands that a module offers as `add_arguments(parser)` and `run(options)`: one of this package,
or one of `uno_train`, which is installed beside it and imports the arena, never the reverse."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words and words[0] in COMMANDS:
            return _command(words[0], words[1:])
        return play(play_parser(_other_commands()).parse_args(words))
    except KeyboardInterrupt:
        print("uno-arena: stopped", file=sys.stderr)
        return INTERRUPTED
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRAS:
            raise
        print(f"{NEEDED} (no module {error.name})", file=sys.stderr)
        return 2
    except (ConfigError, StoreError, AgentError, ValueError) as error:
        print(f"uno-arena: {error}", file=sys.stderr)
        return 2
    except (WorkerError, OSError) as error:
        print(f"uno-arena: {error}", file=sys.stderr)
        return 1


def _other_commands() -> str:
    return "\n".join(f"  {example:<52} {what}" for what, example in COMMANDS.values())


def _command(name: str, words: Sequence[str]) -> int:
    what, example = COMMANDS[name]
    parser = CommandParser(
        example=example, prog=f"uno-arena {name}", description=f"{what[0].upper()}{what[1:]}."
    )
    if name in MODULES:
        where = MODULES[name]
        absolute = where if where.startswith("uno_train.") else f"{__package__}.{where}"
        module = importlib.import_module(absolute)
        module.add_arguments(parser)
        return int(module.run(parser.parse_args(words)))
    parser.add_argument("db", help="the database")
    if name == "list":
        return _list(parser.parse_args(words))
    parser.add_argument("--name", help="the tournament (the newest)")
    if name == "report":
        add_outputs(parser)
        return _report(parser.parse_args(words))
    parser.add_argument("game", help="MATCHUP.DEAL.ROTATION, as the reports write it")
    parser.add_argument("--out", type=Path, help="write .json, .html, .gif or .mp4 instead of text")
    return _replay(parser.parse_args(words))


def _report(options: argparse.Namespace) -> int:
    from .store.load import load_results

    write_outputs(load_results(options.db, options.name), options)
    return 0


def _list(options: argparse.Namespace) -> int:
    from .store.load import load_results

    with Store(options.db, must_exist=True) as store:
        for name in store.names():
            results = load_results(store, name)
            state = "complete" if results.is_complete else "to be continued"
            agents = ", ".join(agent.name for agent in results.agents)
            tables = dict.fromkeys(f"{m.rules} with {m.num_players}" for m in results.matchups)
            print(f"{name}: {agents}; {', '.join(tables)}; {results.total_games:,} games, {state}")
    return 0


def _replay(options: argparse.Namespace) -> int:
    from .report.replay import replay

    print(replay(options.db, options.game, options.name, options.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
