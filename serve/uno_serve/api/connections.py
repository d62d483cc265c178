"""How many connections are open, in all and from each address, and what happens beyond the limits.

A connection beyond a limit is not closed at once: it may still ask for `/healthz`. A few such
connections are kept, and the one that has waited longest gives way to the next, so that
connections which never send a request cannot keep a health check out.
"""

import asyncio
import errno
import logging
import os
import time
from collections import Counter, OrderedDict
from collections.abc import Container
from typing import Protocol

from ..config import ServeConfig
from ..errors import ApiError
from ..metrics import REFUSED

_log = logging.getLogger("uno_serve.connections")
WATCH_SECONDS = 1.0
HEALTH_RESERVE = 16
"""Connections beyond the limits that may wait for their request."""
LOG_SECONDS = 10.0
DESCRIPTORS_FOR_THE_REST = 64
"""File descriptors that the database, the bots and the event loop need."""


class Connection(Protocol):
    """What the limits need of a connection."""

    def abandon(self) -> None:
        """Close a connection whose request has not arrived."""


class ConnectionLimits:
    """Counts open connections by address.

    Args:
        config: the limits.
        exempt: addresses of trusted proxies, which speak for many clients.
    """

    def __init__(self, config: ServeConfig, exempt: Container[str] = ()) -> None:
        self.header_seconds, self.write_seconds = config.header_seconds, config.write_seconds
        self.most = config.max_connections + config.extra_connections
        self.most_per_address = config.max_connections_per_address
        self.relay_port: int | None = None
        """Connections to it come from other processes, for whose clients no limit is reached."""
        self._exempt = exempt
        self._addresses: Counter[str] = Counter()
        self._open: dict[object, str] = {}
        self._reserve: OrderedDict[object, Connection] = OrderedDict()
        self._warnings = RateLimitedLog(LOG_SECONDS)

    def __len__(self) -> int:
        return len(self._open)

    def open(
        self, key: object, address: str, connection: Connection, port: int | None = None
    ) -> ApiError | None:
        """Count a new connection to a port; the error if all it may ask for is its health."""
        if port is not None and port == self.relay_port:
            return None
        error = self._refusal(address)
        if error is None:
            self._open[key] = address
            self._addresses[address] += 1
            return None
        REFUSED.labels(error.code).inc()
        self._warnings.warn(error.code, f"{error.message}; the latest from {address}")
        self._reserve[key] = connection
        if len(self._reserve) > HEALTH_RESERVE:
            _, oldest = self._reserve.popitem(last=False)
            oldest.abandon()
        return error

    def _refusal(self, address: str) -> ApiError | None:
        is_one_client = bool(self.most_per_address) and address not in self._exempt
        if is_one_client and self._addresses[address] >= self.most_per_address:
            message = f"this address has its {self.most_per_address} connections open"
            return ApiError("too_many_connections", message, retry_after=self.header_seconds)
        if len(self._open) >= self.most:
            message = f"all {self.most} connections of the server are open"
            return ApiError("busy", message, retry_after=self.header_seconds)
        return None

    def close(self, key: object) -> None:
        """A connection has ended."""
        self._reserve.pop(key, None)
        address = self._open.pop(key, None)
        if address is not None:
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    def timed_out(self, address: str) -> None:
        """Log a connection whose headers did not arrive in time."""
        REFUSED.labels("header_timeout").inc()
        message = f"no complete headers within {self.header_seconds:g} s"
        self._warnings.warn("header_timeout", f"{message}; the latest from {address}")

    def unread(self, address: str) -> None:
        """Log a connection whose client did not read its response."""
        REFUSED.labels("unread").inc()
        message = f"a response was not read within {self.write_seconds:g} s"
        self._warnings.warn("unread", f"{message}; the latest from {address}")

    async def watch_descriptors(self, file: int) -> None:
        """Log when there are no file descriptors left.

        The event loop closes connections that it cannot accept without a word.
        """
        while True:
            try:
                os.close(os.dup(file))
            except OSError as error:
                if error.errno == errno.EBADF:
                    return  # the server stops and has closed it
                name = errno.errorcode.get(error.errno or 0, "")
                message = f"no connection can be accepted: {error.strerror} ({name}, `ulimit -n`)"
                self._warnings.warn("accept", message)
            await asyncio.sleep(WATCH_SECONDS)


class RateLimitedLog:
    """Warnings, at most one of a kind every so many seconds, with the number left out.

    Args:
        seconds: between two lines of a kind.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last: dict[str, float] = {}
        self._skipped: Counter[str] = Counter()

    def warn(self, kind: str, message: str) -> None:
        """Log a warning, or count it for the next line."""
        now = time.monotonic()
        if now - self._last.get(kind, -self._seconds) < self._seconds:
            self._skipped[kind] += 1
            return
        self._last[kind] = now
        skipped = self._skipped.pop(kind, 0)
        more = f" ({skipped} more since the last line)" if skipped else ""
        _log.warning("%s: %s%s", kind, message, more)


def fit_to_descriptors(limits: ConnectionLimits) -> None:
    """Raise the limit of file descriptors as far as allowed, or lower that of connections."""
    try:
        import resource
    except ImportError:  # not on Windows, which has no such limit
        return
    needed = limits.most + HEALTH_RESERVE + DESCRIPTORS_FOR_THE_REST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    allowed = needed if hard == resource.RLIM_INFINITY else min(hard, needed)
    if allowed > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    if soft < needed:
        most = max(1, soft - HEALTH_RESERVE - DESCRIPTORS_FOR_THE_REST)
        _log.warning(
            "file descriptors are limited to %d: at most %d connections instead of %d "
            "(raise `ulimit -n`, or lower max_connections and extra_connections)",
            soft, most, limits.most,
        )  # fmt: skip
        limits.most = most
