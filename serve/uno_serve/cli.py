"""The command `uno-serve`: bots and tables over HTTP, and the page where people play.

`uno-serve --port 8000` prints the address when it is ready; Ctrl-C closes every stream and stops.
"""

import argparse
import asyncio
import logging
import math
import socket
import sys
import webbrowser
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from uno_env.command_line import CommandParser

from .config import ConfigError, ServeConfig, shipped_names
from .environment import PREFIX, command_option, environment_options
from .logs import set_up_logs

if TYPE_CHECKING:
    from .api.connections import ConnectionLimits

EXAMPLE = "uno-serve --port 8000 --db uno-serve.db"
STOP_SECONDS = 10
BACKLOG = 2_048
"""Connections that may wait to be accepted."""


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        example=EXAMPLE, prog="uno-serve", description="Serve UNO bots and tables over HTTP."
    )
    fields = ServeConfig.model_fields
    names = ", ".join(shipped_names())
    parser.add_argument("--config", help=f"a YAML file of options, or a shipped one: {names}")
    for name in ("host", "port", "db", "default_bot", "max_batch", "seed"):
        kind = int if name in ("port", "max_batch", "seed") else str
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
    names = ("host", "port", "db", "default_bot", "max_batch", "seed")
    changes: dict[str, Any] = {
        name: getattr(options, name) for name in names if getattr(options, name) is not None
    }
    bots = {name: bot.model_dump() for name, bot in config.bots.items()}
    for pair in options.bots:
        name, equals, spec = pair.partition("=")
        if not (name and equals and spec):
            raise ConfigError(f"--bots: {pair!r} is not of the form NAME=SPEC")
        bots[name] = {"spec": spec}
    return config.replace(**changes, bots=bots) if bots else config.replace(**changes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        import uvicorn  # noqa: F401 - says early what is missing

        from .api.app import create_app
    except ImportError as error:
        print(f"uno-serve needs {error.name}: pip install 'uno-env[serve]'", file=sys.stderr)
        return 2
    try:
        config = read_config(options)
        app, service = create_app(config)
        listener = _listen(config)
    except (ConfigError, ValueError, OSError) as error:
        print(f"uno-serve: {error}", file=sys.stderr)
        return 2
    set_up_logs(options.log_level, options.log_format)
    # It would log the paths of streams, and whoever knows a table's id may join it.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            return runner.run(_serve(config, app, service, listener, options.open))
    except KeyboardInterrupt:
        # Raised again by Ctrl-C after the shutdown.
        return 0


def _loop_factory() -> Any:
    """The fast event loop where there is one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _protocols(
    config: ServeConfig, app: Any, service: Any
) -> "tuple[dict[str, Any], ConnectionLimits]":
    """The protocol classes of a server: connection limits, and the fast path if it is on."""
    from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

    from .api.connections import ConnectionLimits, fit_to_descriptors
    from .api.fast_path import FastPath
    from .api.guarded_protocol import counted_streams, guarded_protocol
    from .api.http_protocol import fast_path_protocol

    proxies = config.trusted_proxies
    exempt: Any = ProxyHeadersMiddleware(app, proxies).trusted_hosts if proxies else ()
    limits = ConnectionLimits(config, exempt)
    fit_to_descriptors(limits)
    http: Any = guarded_protocol(limits)
    if config.fast_path:
        http = fast_path_protocol(FastPath(app, service), limits, config.max_body, proxies)
    classes = {"http": http, "ws": counted_streams(limits), "backlog": min(BACKLOG, limits.most)}
    return classes, limits


def _listen(config: ServeConfig) -> socket.socket:
    """A listening socket, so that the port is known, and refused, before anything starts."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((config.host, config.port))
    except OSError as error:
        listener.close()
        where = f"{config.host}:{config.port}"
        raise ConfigError(f"cannot listen on {where}: {error.strerror}") from None
    listener.listen(BACKLOG)
    return listener


async def _serve(
    config: ServeConfig, app: Any, service: Any, listener: socket.socket, opens_page: bool
) -> int:
    import uvicorn

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # Before uvicorn cuts the streams.
            await service.drain()
            await super().shutdown(sockets)

    protocols, limits = _protocols(config, app, service)
    server = Server(
        uvicorn.Config(
            app,
            **protocols,
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            ws_max_size=max(config.max_message * 4, 65_536),
            ws_ping_interval=20,
            timeout_keep_alive=math.ceil(config.idle_seconds),
            timeout_graceful_shutdown=STOP_SECONDS,
            proxy_headers=bool(config.trusted_proxies),
            forwarded_allow_ips=config.trusted_proxies or None,
        )
    )
    running = asyncio.create_task(server.serve(sockets=[listener]))
    watching = asyncio.create_task(limits.watch_descriptors(listener.fileno()))
    while not server.started and not running.done():
        await asyncio.sleep(0.05)
    if server.started:
        host, port = listener.getsockname()[:2]
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{port}/"
        print(f"uno-serve is ready: {address}", flush=True)
        if opens_page:
            webbrowser.open(address)
    try:
        await running
    finally:
        watching.cancel()
    return 0 if server.started else 1


if __name__ == "__main__":
    sys.exit(main())
