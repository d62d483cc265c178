"""Invitations: the addresses at which other devices find this server, and QR codes of links."""

import contextlib
import io
import ipaddress
import socket
from typing import Any

import segno
from starlette.types import Scope

from ..config import ServeConfig
from .hosts import HostAllowList
from .rate_limit import client_address

_EVERY = ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound
_ANYWHERE = ("192.0.2.1", 9)
"""An address for documentation: nothing is sent, the system only says which way it would go."""


def reachable(scope: Scope, config: ServeConfig) -> dict[str, Any]:
    """Addresses of this server for other devices of its network.

    Only somebody at the same machine is told: others know an address that works.
    """
    port = (scope.get("server") or ("", config.port))[1]
    if not _is_loopback(client_address(scope)):
        return {"addresses": [], "loopback_only": False}
    hosts = local_addresses() if config.host in _EVERY else [config.host]
    hosts = [host for host in hosts if not _is_loopback(host)]
    names = [f"[{host}]" if ":" in host else host for host in hosts]
    allowed = HostAllowList(config.allowed_hosts)
    addresses = [f"http://{name}:{port}" for name in names if allowed.allows(name.encode())]
    return {"addresses": addresses, "loopback_only": not addresses}


def local_addresses() -> list[str]:
    """IPv4 addresses of this machine, the one towards the network first."""
    found: list[str] = []
    # Without a network, or on a machine whose own name is unknown, there is nothing to find.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_ANYWHERE)
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        entries = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found += [str(entry[4][0]) for entry in entries]
    return [host for host in dict.fromkeys(found) if not _is_loopback(host)]


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def qr_code(text: str) -> bytes:
    """A QR code as an SVG picture, dark on white with the quiet zone readers need."""
    out = io.BytesIO()
    code = segno.make(text, micro=False, error="m")
    code.save(out, kind="svg", scale=4, border=4, light="white", xmldecl=False)
    return out.getvalue()
