"""The command `uno-serve`: bots and tables over HTTP, and the page where people play.

`uno-serve --port 8000` prints the address when it is ready; Ctrl-C closes every stream and stops.
"""

import argparse
import sys
import webbrowser
from collections.abc import Sequence
from typing import Any

from uno_env.command_line import CommandParser

from .config import ConfigError, ServeConfig, shipped_names
from .environment import PREFIX, command_option, environment_options
from .logs import set_up_logs

EXAMPLE = "uno-serve --port 8000 --db uno-serve.db"
FLAGS = ("host", "port", "db", "workers", "serves", "default_bot", "max_batch", "seed")
"""Options that are flags, too."""


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        example=EXAMPLE, prog="uno-serve", description="Serve UNO bots and tables over HTTP."
    )
    fields = ServeConfig.model_fields
    names = ", ".join(shipped_names())
    parser.add_argument("--config", help=f"a YAML file of options, or a shipped one: {names}")
    for name in FLAGS:
        kind = int if name in ("port", "workers", "max_batch", "seed") else str
        usual = fields[name].default
        text = f"{fields[name].description}" + ("" if usual is None else f" ({usual})")
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, help=text)
    parser.add_argument(
        "--bots", nargs="+", metavar="NAME=SPEC", default=[],
        help="bots to offer besides the built-in ones: champion=runs/x/best mine=my_file.py:MyBot",
    )  # fmt: skip
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    level = command_option("log_level") or "warning"
    parser.add_argument("--log-level", default=level, help="debug, info, warning or error")
    parser.add_argument(
        "--log-format", default=command_option("log_format") or "text", choices=("text", "json"),
        help="lines of text or of JSON",
    )  # fmt: skip
    parser.epilog = f"Every option is also an environment variable: {PREFIX}PORT=8000."
    return parser


def read_config(options: argparse.Namespace) -> ServeConfig:
    """The configuration: defaults, then the file, then the environment, then the flags."""
    file = options.config or command_option("config")
    config = ServeConfig.from_file(file) if file else ServeConfig()
    config = config.replace(**environment_options())
    changes: dict[str, Any] = {
        name: getattr(options, name) for name in FLAGS if getattr(options, name) is not None
    }
    bots = {name: bot.model_dump() for name, bot in config.bots.items()}
    for pair in options.bots:
        name, equals, spec = pair.partition("=")
        if not (name and equals and spec):
            raise ConfigError(f"--bots: {pair!r} is not of the form NAME=SPEC")
        bots[name] = {"spec": spec}
    return config.replace(**changes, bots=bots) if bots else config.replace(**changes)


def open_page(address: str) -> None:
    """Open the page in a browser; where there is none, say what to do instead."""
    if not webbrowser.open(address):
        print(
            f"No browser was found on this machine: open {address} yourself. "
            "For browsers of other machines, start uno-serve with --host 0.0.0.0.",
            flush=True,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        import uvicorn  # noqa: F401 - says early what is missing

        from .api.app import create_app
        from .run import lease_ownership, listen, run
    except ImportError as error:
        print(f"uno-serve needs {error.name}: pip install 'uno-env[serve]'", file=sys.stderr)
        return 2

    def ready(address: str) -> None:
        print(f"uno-serve is ready: {address}", flush=True)
        if options.open:
            open_page(address)

    try:
        config = read_config(options)
        if config.workers > 1:
            from .supervisor import Supervisor

            return Supervisor(config, options.log_level, options.log_format, ready).run()
        listeners = listen(config)
        app, service = create_app(config, lease_ownership(config, listeners))
    except (ConfigError, ValueError, OSError) as error:
        print(f"uno-serve: {error}", file=sys.stderr)
        return 2
    set_up_logs(options.log_level, options.log_format)
    return run(config, app, service, listeners, ready)


if __name__ == "__main__":
    sys.exit(main())
