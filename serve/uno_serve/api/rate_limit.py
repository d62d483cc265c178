"""Rate limits: a token bucket for each client."""

import time
from collections import OrderedDict

from starlette.types import Scope

from ..errors import ApiError

MAX_CLIENTS = 20_000


class RateLimiter:
    """A token bucket for each client: so many requests a second on average, so many at once.

    Args:
        rate: tokens a second; 0 for no limit.
        burst: size of a bucket.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str) -> bool:
        """Whether `take` would succeed."""
        return not self._rate or self._tokens(client, time.monotonic()) >= 1

    def _tokens(self, client: str, now: float) -> float:
        tokens, before = self._buckets.get(client, (self._burst, now))
        return min(self._burst, tokens + (now - before) * self._rate)

    def take(self, client: str, message: str) -> None:
        """Take a token, or raise `too_many_requests` with the time until the next one."""
        if not self._rate:
            return
        now = time.monotonic()
        tokens = self._tokens(client, now)
        self._buckets[client] = (max(tokens - 1, 0.0) if tokens >= 1 else tokens, now)
        self._buckets.move_to_end(client)
        if len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        if tokens < 1:
            retry_after = (1 - tokens) / self._rate
            raise ApiError("too_many_requests", message, retry_after=retry_after)


def client_address(scope: Scope) -> str:
    """The address that limits count by."""
    return scope["client"][0] if scope.get("client") else "unknown"
