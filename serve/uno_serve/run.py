"""One process of a server: its sockets, its protocols, its event loop."""

import asyncio
import errno
import math
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .config import ConfigError, ServeConfig
from .tables.ownership import Ownership
from .tables.storage import Store

if TYPE_CHECKING:
    from .api.connections import ConnectionLimits

STOP_SECONDS = 10
PORT_ADVICE = "; choose another port, such as --port 8001, or UNO_SERVE_PORT=8001 make play"
BACKLOG = 2_048
"""Connections that may wait to be accepted."""
SWITCH_SECONDS = 0.0005
"""A thread that computes yields to the event loop so soon. A move takes some twenty turns of the
loop, each of which may have to wait for that: by Python's default of 5 ms, a tenth of a second."""
MakeOwnership = Callable[[Store], Ownership]


@dataclass
class Listeners:
    """The sockets of a process: for clients, and for other processes if there may be any."""

    public: socket.socket
    relay: socket.socket | None = None

    @property
    def address(self) -> str:
        """Where clients reach it."""
        return f"{url_of(self.public)}/"

    @property
    def all(self) -> list[socket.socket]:
        """Both."""
        return [self.public] if self.relay is None else [self.public, self.relay]


def url_of(listener: socket.socket) -> str:
    """The address of a socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def bind(host: str, port: int, is_shared: bool = False) -> socket.socket:
    """A socket with its port, which is refused before anything starts.

    Args:
        host: the address.
        port: the port; 0 for any free one.
        is_shared: other processes of this machine listen there too.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if is_shared:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        advice = PORT_ADVICE if error.errno == errno.EADDRINUSE else ""
        raise ConfigError(f"cannot listen on {host}:{port}: {error.strerror}{advice}") from None
    return bound


def listen(config: ServeConfig, is_worker: bool = False) -> Listeners:
    """The sockets of a process."""
    public = bind(config.host, config.port, is_worker)
    public.listen(BACKLOG)
    if not config.is_shared:
        return Listeners(public)
    relay = bind(config.relay_host, config.relay_port)
    relay.listen(BACKLOG)
    return Listeners(public, relay)


def lease_ownership(config: ServeConfig, listeners: Listeners) -> MakeOwnership | None:
    """The ownership of a process whose database others may use; None if it is alone."""
    from .tables.lease_ownership import LeaseOwnership

    relay = listeners.relay
    if relay is None:
        return None
    return lambda store: LeaseOwnership(store, url_of(relay), config.lease_seconds)


def run(
    config: ServeConfig, app: Any, service: Any, listeners: Listeners,
    on_ready: Callable[[str], None], until: Callable[[], Any] | None = None,
) -> int:  # fmt: skip
    """Serve until a signal comes, or `until` returns; the exit code."""
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            return runner.run(_serve(config, app, service, listeners, on_ready, until))
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
    config: ServeConfig, app: Any, service: Any, relay: socket.socket | None
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
    limits.relay_port = None if relay is None else relay.getsockname()[1]
    fit_to_descriptors(limits)
    http: Any = guarded_protocol(limits)
    if config.fast_path:
        http = fast_path_protocol(FastPath(app, service), limits, config.max_body, proxies)
    classes = {"http": http, "ws": counted_streams(limits), "backlog": min(BACKLOG, limits.most)}
    return classes, limits


def _with_relays(app: Any, service: Any, relay: socket.socket | None) -> Any:
    """The application with an entrance for other processes."""
    if relay is None:
        return app
    from .api.entrance import Entrance, RelayedSite

    return Entrance(app, RelayedSite(service.site, service), relay.getsockname()[1])


async def _serve(
    config: ServeConfig, app: Any, service: Any, listeners: Listeners,
    on_ready: Callable[[str], None], until: Callable[[], Any] | None,
) -> int:  # fmt: skip
    import uvicorn

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # Before uvicorn cuts the streams.
            await service.drain()
            await super().shutdown(sockets)

    protocols, limits = _protocols(config, app, service, listeners.relay)
    server = Server(
        uvicorn.Config(
            _with_relays(app, service, listeners.relay),
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
    running = asyncio.create_task(server.serve(sockets=listeners.all))
    while not server.started and not running.done():
        await asyncio.sleep(0.05)
    if server.started:
        on_ready(listeners.address)
    if until is not None:
        loop = asyncio.get_running_loop()

        def stop(_: object) -> None:
            server.should_exit = True

        loop.run_in_executor(None, until).add_done_callback(stop)
    watching = asyncio.create_task(limits.watch_descriptors(listeners.public.fileno()))
    try:
        await running
    finally:
        watching.cancel()
    return 0 if server.started else 1
