"""`uno-arena AGENT AGENT ...`: its flags, its run, and what it writes."""

import argparse
import json
import sys
import typing
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from uno_agents.registry import agents_help

from uno_env.command_line import CommandParser

from .config import ArenaConfig, ConfigError, make_config, shipped_configs
from .play.entrants import name_agents
from .play.executors import Executor
from .play.ray_cluster import joined, read_address
from .results import TournamentResults
from .store.store import DATABASE, Store

EXAMPLE = "uno-arena heuristic greedy --variant no_mercy --players 4 --deals 2000"
INTERRUPTED = 130
"""Exit code of a command ended by Ctrl-C."""


def play_parser(other_commands: str) -> argparse.ArgumentParser:
    """One flag for each field of ArenaConfig, and where to play and what to write."""
    parser = CommandParser(
        example=EXAMPLE,
        prog="uno-arena",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Play agents against each other on duplicate deals and rank them.",
        epilog=f"agents:\n{agents_help()}\n\nother commands:\n{other_commands}",
    )
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="agent specs, see below")
    parser.add_argument("--config", metavar="NAME", help=(
        f"a shipped configuration ({', '.join(shipped_configs())}), or the path of a YAML file"
    ))  # fmt: skip
    for name, field in ArenaConfig.model_fields.items():
        if name != "agents":
            _add_field(parser, name, field)
    parser.add_argument(
        "--mixed", dest="config_schedule", action="store_const", const="mixed",
        help="short for --schedule mixed",
    )  # fmt: skip
    parser.add_argument("--workers", type=int, metavar="N", help=(
        "processes that play (1); 0 plays in this one, and does not stop an agent that hangs"
    ))  # fmt: skip
    parser.add_argument("--ray", nargs="?", const="", metavar="ADDRESS", help=(
        "play on a Ray cluster: HOST:PORT, auto for the one running here, or nothing to start "
        "one here with all cores or --workers of them"
    ))  # fmt: skip
    parser.add_argument("--db", default=DATABASE, help=f"where games are kept ({DATABASE})")
    parser.add_argument("--name", help="of the tournament in that file (made from the options)")
    parser.add_argument("--resume", action="store_true", help=(
        "resume the newest tournament of the file, or that of --name, with its own options"
    ))  # fmt: skip
    parser.add_argument(
        "--any-version",
        action="store_true",
        help="resume what another version of the code began",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    add_outputs(parser)
    return parser


def _add_field(parser: argparse.ArgumentParser, name: str, field: Any) -> None:
    default = field.default
    if isinstance(default, tuple):
        default = " ".join(map(str, default))
    shown = "" if default is None or default == "" or default is False else f" ({default})"
    options: dict[str, Any] = {
        "dest": f"config_{name}",
        "help": f"{field.description}{shown}".replace("%", "%%"),
    }
    if field.annotation is bool:
        options |= {"action": "store_const", "const": True}
    else:
        options["metavar"] = name.rpartition("_")[2].upper()
        if typing.get_origin(field.annotation) is tuple:
            options["nargs"] = "+"
        elif name == "sprt":
            options |= {"nargs": 2, "metavar": ("ELO", "ELO")}
    parser.add_argument(f"--{name.replace('_', '-')}", **options)


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """Flags of what to write."""
    parser.add_argument("--json", metavar="FILE", help="write the report as JSON; - prints it")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the report as a page")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="write pictures into a folder")


def play(options: argparse.Namespace) -> int:
    from rich.console import Console

    from .report.progress import ProgressBar
    from .run import run_tournament

    fewest = 0 if options.ray is None else 1
    if options.workers is not None and options.workers < fewest:
        raise ConfigError(f"--workers is {options.workers}; {fewest} or more are needed")
    if options.ray is not None:
        read_address(options.ray)  # before anything else, as it may be an agent
    config, name = _config(options)
    agents = name_agents(config.agents)
    with Store(options.db) as store, _cluster(options) as executor:
        name = name or config.identity(agents)
        try:
            with ProgressBar(list(agents), Console(stderr=True), options.quiet) as bar:
                results = run_tournament(
                    config,
                    agents,
                    store,
                    name=name,
                    workers=1 if options.workers is None else options.workers,
                    executor=executor,
                    any_version=options.any_version,
                    on_progress=bar,
                )
        except KeyboardInterrupt:
            if name not in store.names():
                raise
            _print_resume_hint(options.db, name)
            return INTERRUPTED
    write_outputs(results, options)
    return 0


@contextmanager
def _cluster(options: argparse.Namespace) -> Iterator[Executor | None]:
    """The cluster as an executor, if one was asked for."""
    if options.ray is None:
        yield None
        return
    from .play.ray_pool import RayPool

    with joined(options.ray, options.workers) as ray:
        yield RayPool(ray)


def _config(options: argparse.Namespace) -> tuple[ArenaConfig, str | None]:
    """The configuration given, and the name of the tournament if it has one."""
    given = {
        name: value
        for name in ArenaConfig.model_fields
        if (value := getattr(options, f"config_{name}", None)) is not None
    }
    if options.agents:
        given["agents"] = options.agents
    if not options.resume:
        if not given.get("agents") and not options.config:
            raise ConfigError(f"no agents; for example: {EXAMPLE}")
        return make_config(options.config, given), options.name
    with Store(options.db, must_exist=True) as store:
        stored = store.tournament(options.name)
        if any(not entrant.spec for entrant in store.entrants(stored["id"])):
            raise ConfigError(
                f"tournament {stored['name']!r} has agents that are objects of a program; "
                "only that program can resume it"
            )
    return make_config(options.config, {**json.loads(stored["config"]), **given}), stored["name"]


def _print_resume_hint(db: str, name: str) -> None:
    print(
        "\nStopped. Every finished chunk of games is kept; to resume:\n"
        f"  uno-arena --resume --db {db} --name {name}",
        file=sys.stderr,
    )


def write_outputs(results: TournamentResults, options: argparse.Namespace) -> None:
    """The report in the terminal and in the files named by flags."""
    from rich.console import Console

    from .report.report import render, to_json

    if options.json == "-":
        sys.stdout.write(to_json(results))
    elif options.json:
        Path(options.json).write_text(to_json(results), encoding="utf-8")
    render(results, Console(stderr=options.json == "-"))
    if options.html:
        from .report.html import write_page

        print(f"Page: {write_page(results, options.html)}", file=sys.stderr)
    if options.plots:
        from .report.plots import write_plots

        for path in write_plots(results, options.plots):
            print(f"Picture: {path}", file=sys.stderr)
