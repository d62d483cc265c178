"""Log lines with the id of the request they belong to, as text or as JSON."""

import json
import logging
import re
import secrets
from contextvars import ContextVar
from itertools import count
from typing import Literal

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being answered, or of the stream."""
_VALID_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_PREFIX, _NUMBERS = secrets.token_hex(4), count(1)
_TALKATIVE = ("httpcore", "httpx", "uvicorn.error", "websockets")
"""They would log the addresses of tables, and whoever knows a table's id may join it."""
LogFormat = Literal["text", "json"]


def request_id(given: bytes = b"") -> str:
    """The id a client sent as `X-Request-Id`, if it is a short plain word, or a new one."""
    if given and _VALID_ID.fullmatch(given):
        return given.decode()
    return f"{_PREFIX}-{next(_NUMBERS):x}"


class _WithRequestId(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = REQUEST_ID.get() or "-"
        return True


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": getattr(record, "request_id", "-"),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


def set_up_logs(level: str, log_format: LogFormat) -> None:
    """Send all log lines to stderr."""
    handler = logging.StreamHandler()
    handler.addFilter(_WithRequestId())
    text = logging.Formatter("%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s")
    handler.setFormatter(JsonFormatter() if log_format == "json" else text)
    logging.basicConfig(level=level.upper(), handlers=[handler])
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
