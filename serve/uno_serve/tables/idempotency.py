"""Idempotency keys: a request that is repeated gets the response of the first one again."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from ..errors import ApiError

KEPT_SECONDS = 3_600.0
MAX_KEYS = 10_000


class IdempotentResponses:
    """The responses of the last hour by client and key, in memory: they hold tokens."""

    def __init__(self) -> None:
        self._responses: OrderedDict[tuple[str, str], tuple[float, Any, asyncio.Task[Any]]]
        self._responses = OrderedDict()

    async def get(
        self, client: str, key: str, request: Any, create: Callable[[], Awaitable[Any]]
    ) -> Any:
        """The response to a request, made now unless it was made under the same key.

        A failed request is forgotten, so that it can be repeated.
        """
        self._forget_old()
        known = self._responses.get((client, key))
        if known is not None and known[1] != request:
            raise ApiError("key_in_use", "this Idempotency-Key belongs to another request")
        if known is None:
            task = asyncio.ensure_future(_awaited(create))
            self._responses[client, key] = (time.monotonic(), request, task)
            task.add_done_callback(lambda done: self._keep_if_good(client, key, done))
        else:
            task = known[2]
        return await asyncio.shield(task)

    def _keep_if_good(self, client: str, key: str, done: "asyncio.Task[Any]") -> None:
        if done.cancelled() or done.exception() is not None:
            self._responses.pop((client, key), None)

    def _forget_old(self) -> None:
        before = time.monotonic() - KEPT_SECONDS
        while self._responses:
            oldest = next(iter(self._responses.values()))
            if oldest[0] > before and len(self._responses) < MAX_KEYS:
                return
            self._responses.popitem(last=False)


async def _awaited(create: Callable[[], Awaitable[Any]]) -> Any:
    return await create()
