"""The command `uno-env` (`python -m uno_env`): `uno-env warm-up` compiles everything at once."""

import argparse
import sys
import time
from collections.abc import Sequence

from .command_line import CommandParser
from .engine.jit import IS_COMPILED
from .engine.jit.folder import cache_folder


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        return _warm_up(options)
    except KeyboardInterrupt:
        print("uno-env: stopped; what is compiled is kept", file=sys.stderr)
        return 130
    except ValueError as error:
        print(f"uno-env: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        example="uno-env warm-up",
        prog="uno-env",
        description="UNO and its variants as a reinforcement-learning environment.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    warm_up = commands.add_parser(
        "warm-up",
        example="uno-env warm-up --only env batch",
        help="compile everything now instead of on first use",
        description="Compile the engine, the agents and what else is installed; the result is "
        "cached for every process to come (UNO_ENV_CACHE_DIR chooses where).",
    )
    warm_up.add_argument(
        "--only", nargs="+", default=(), metavar="USE", help="such as game, env, batch, heuristic"
    )
    warm_up.add_argument(
        "--processes", type=int, choices=(1, 2), help="how many compile (2 on two cores or more)"
    )
    warm_up.add_argument("--help-out", action="store_true", help=argparse.SUPPRESS)
    return parser


def _warm_up(options: argparse.Namespace) -> int:
    from .first_use import help_out, warm_up

    if options.help_out:
        help_out(options.only)
        return 0
    if not IS_COMPILED:
        print("uno-env: NUMBA_DISABLE_JIT is set, so nothing is compiled", file=sys.stderr)
        return 1
    started = time.perf_counter()
    done = warm_up(options.only, options.processes)
    if done:
        print(f"ready: {', '.join(done)} ({time.perf_counter() - started:.1f} s)")
    else:
        print(f"all is compiled already, in {cache_folder()}")
    return 0
