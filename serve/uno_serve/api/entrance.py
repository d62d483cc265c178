"""The two entrances of a process: the public one, and one for other processes of the cluster.

The second listens on a port of its own (`relay_host`, `relay_port`) and takes only requests with
the secret that all processes share. They were checked and counted where they came in.
"""

import hmac

from starlette.types import ASGIApp, Receive, Scope, Send

from ..config import ServeConfig
from ..errors import ApiError
from ..service import Service
from ..tables.ownership import Ownership
from .middleware import RequestMiddleware
from .relay import CLIENT, NOT_HOSTED, PROCESS, SECRET, table_of

_NO_LIMITS = {"requests_per_second": 0, "tables_per_minute": 0, "replays_per_minute": 0,
              "api_keys": (), "allowed_hosts": ()}  # fmt: skip


class Entrance:
    """Sends connections of the relay port one way, all others the other.

    Args:
        public: the application with its limits.
        relayed: the application for other processes.
        relay_port: the port at which they connect.
    """

    def __init__(self, public: ASGIApp, relayed: ASGIApp, relay_port: int) -> None:
        self._public, self._relayed, self._port = public, relayed, relay_port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_relayed = scope["type"] != "lifespan" and scope["server"][1] == self._port
        await (self._relayed if is_relayed else self._public)(scope, receive, send)


class RelayedSite:
    """Answers requests that another process passes on.

    Args:
        site: the application.
        service: its configuration, and which tables are its own.
    """

    def __init__(self, site: ASGIApp, service: Service) -> None:
        self._ownership = service.lobby.pool.ownership
        self._site = RequestMiddleware(
            _IfHosted(site, self._ownership), _without_limits(service.config)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        if not self._is_relay(headers):
            await _refuse(scope, receive, send)
            return
        client = headers.get(CLIENT, b"").decode("latin-1")
        relayed = {**scope, "client": (client, 0) if client else None}
        await self._site(relayed, receive, send)

    def _is_relay(self, headers: dict[bytes, bytes]) -> bool:
        secret, me = self._ownership.secret.encode(), self._ownership.process
        return (
            bool(secret)
            and hmac.compare_digest(headers.get(SECRET, b""), secret)
            and me is not None
            and headers.get(PROCESS) == me.id.encode()
        )


class _IfHosted:
    """Says so if a table is not hosted here."""

    def __init__(self, site: ASGIApp, ownership: Ownership) -> None:
        self._site, self._ownership = site, ownership

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = table_of(scope)
        try:
            is_here = name is None or await self._ownership.locate(name) is None
        except ApiError:
            is_here = False
        if is_here:
            await self._site(scope, receive, send)
        else:
            await _refuse(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """Tell another process that it is wrong here."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1012})
        return
    headers = [(b"content-length", b"0")]
    await send({"type": "http.response.start", "status": NOT_HOSTED, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _without_limits(config: ServeConfig) -> ServeConfig:
    return config.replace(**_NO_LIMITS)
