"""Work: what a decision is expected to cost in processor time, and what each client may ask for.

A decision of a network in a batch costs microseconds, one of `search:sims=5000` a tenth of a
second: limits that count requests would treat them alike. The first estimate follows from the
agent (simulations x players); measured times correct it.
"""

import time
from collections import OrderedDict
from typing import Any

from ..config import ServeConfig
from ..errors import ApiError

CHEAP_SECONDS = 0.001
"""A single decision below this counts as a request and nothing more."""
LEAST_SECONDS = 0.0001
"""What each decision of a batch counts for at least: reading it costs as much."""
SIM_SECONDS, SIM_PLAYER_SECONDS = 8e-6, 1.5e-6
"""One simulation of `search`: for itself, and for each player; measured on one core."""
SHORT_BODY = 16_384
"""Bytes of a request that is read for nothing."""
BYTE_SECONDS = 2e-8
"""Reading one byte of a longer one, measured on one core."""
_SMOOTHING = 0.1
_MAX_CORRECTION = 100.0
MAX_CLIENTS = 20_000


class WorkEstimate:
    """What one decision of a bot is expected to cost.

    Args:
        agent: the bot's agent, if it runs here.
    """

    def __init__(self, agent: Any = None) -> None:
        self._budget = getattr(agent, "budget", None)
        self._correction = 1.0

    def seconds(self, num_players: int = 4) -> float:
        """Processor time of one decision at a table of this size."""
        return self._prior(num_players) * self._correction

    def _prior(self, num_players: int) -> float:
        if self._budget is None:
            return LEAST_SECONDS
        if self._budget.ms is not None:
            return float(self._budget.ms) / 1000
        return float(self._budget.sims * (SIM_SECONDS + num_players * SIM_PLAYER_SECONDS))

    def measured(self, seconds: float, num_players: int = 4) -> None:
        """A decision has taken so long: later estimates follow slowly."""
        ratio = seconds / self._prior(num_players)
        correction = self._correction + _SMOOTHING * (ratio - self._correction)
        # Never far below the first estimate: decisions without a choice cost nothing.
        self._correction = min(max(correction, 0.5), _MAX_CORRECTION)


class WorkBudget:
    """A token bucket of processor seconds for each client.

    Args:
        config: `work_per_second` and `work_burst`.
    """

    def __init__(self, config: ServeConfig) -> None:
        self._rate, self.burst = config.work_per_second, config.work_burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, seconds: float) -> None:
        """Charge a client, or raise `too_much_work`."""
        if not self._rate or not seconds:
            return
        now = time.monotonic()
        tokens, before = self._buckets.get(client, (self.burst, now))
        tokens = min(self.burst, tokens + (now - before) * self._rate)
        if seconds > tokens:
            raise self._refusal(seconds, tokens)
        self._buckets[client] = tokens - seconds, now
        self._buckets.move_to_end(client)
        if len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)

    def _refusal(self, seconds: float, tokens: float) -> ApiError:
        details = {"work": round(seconds, 3), "left": round(tokens, 3), "most": self.burst}
        if seconds > self.burst:
            message = f"this asks for {seconds:.1f} s of work; at most {self.burst:g} s at once"
            return ApiError("too_much_work", message, **details)
        message = f"this asks for {seconds:.1f} s of work; {max(tokens, 0):.1f} s are left"
        retry_after = (seconds - tokens) / self._rate
        return ApiError("too_much_work", message, retry_after=retry_after, **details)


def single_charge(seconds: float) -> float:
    """What one decision is charged: nothing if it is cheap."""
    return seconds if seconds >= CHEAP_SECONDS else 0.0


def reading_charge(size: int) -> float:
    """What reading a body of so many bytes is charged."""
    return size * BYTE_SECONDS if size > SHORT_BODY else 0.0


def batch_charge(seconds: list[float]) -> float:
    """What a batch of decisions is charged."""
    return sum(max(each, LEAST_SECONDS) for each in seconds)
