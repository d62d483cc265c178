"""Prometheus metrics, served at `/metrics`."""

from functools import lru_cache

from prometheus_client import Counter, Gauge, Histogram

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)

REQUESTS = Counter("uno_requests", "HTTP requests", ["route", "status"])
REQUEST_SECONDS = Histogram(
    "uno_request_seconds", "Time to answer a request", ["route"], buckets=_SECONDS
)
REFUSED = Counter("uno_refused", "Requests and messages that were refused", ["code"])
ABANDONED = Counter("uno_abandoned", "Requests whose client did not wait for the response")
BATCH_SIZE = Histogram("uno_batch_size", "Decisions in one call of a bot", ["bot"], buckets=_SIZES)
BOT_TROUBLE = Counter("uno_bot_trouble", "Bots that hung or failed at a table", ["bot", "code"])
MOVES = Counter("uno_moves", "Moves made at tables", ["by"])
GAMES = Counter("uno_games", "Games that ended at tables", ["how"])
TABLES = Gauge("uno_tables", "Tables in memory", ["status"])
STREAMS = Gauge("uno_streams", "Open streams")
COMMITS = Histogram("uno_commit_moves", "Changes stored in one commit", buckets=_SIZES)
COMMIT_SECONDS = Histogram("uno_commit_seconds", "Time of one commit", buckets=_SECONDS)


def count_response(route: str, status: int, seconds: float) -> None:
    """Count a response and its latency."""
    responses, latency = _counters(route, status)
    responses.inc()
    latency.observe(seconds)


@lru_cache(maxsize=1024)
def _counters(route: str, status: int) -> tuple[Counter, Histogram]:
    """Cached, because looking a counter up costs more than counting."""
    return REQUESTS.labels(route, str(status)), REQUEST_SECONDS.labels(route)
