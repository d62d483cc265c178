"""Errors as callers see them: an HTTP status, a code for programs, a message for people."""

import json
from typing import Any

from .logs import REQUEST_ID

STATUS = {
    "bad_json": 400,
    "bad_request": 400,
    "api_key": 401,
    "token": 401,
    "wrong_token": 403,
    "no_spectators": 403,
    "not_found": 404,
    "no_such_table": 404,
    "method_not_allowed": 405,
    "header_timeout": 408,
    "not_your_decision": 409,
    "stale_move": 409,
    "illegal_action": 409,
    "no_open_seat": 409,
    "not_started": 409,
    "not_over": 409,
    "not_waiting": 409,
    "closed": 409,
    "key_in_use": 409,
    "too_large": 413,
    "not_json": 415,
    "wrong_host": 421,
    "invalid": 422,
    "unknown_bot": 422,
    "rules": 422,
    "position": 422,
    "too_many_requests": 429,
    "too_many_own_tables": 429,
    "too_much_work": 429,
    "too_many_connections": 429,
    "headers_too_large": 431,
    "abandoned": 499,
    "internal": 500,
    "bot_failed": 502,
    "too_many_tables": 503,
    "busy": 503,
    "moved": 503,
    "storage": 503,
    "bot_timeout": 504,
    "disk_full": 507,
}
"""Every code there is, with its status."""


class ApiError(Exception):
    """A request that was refused or failed, as the caller is told.

    Args:
        code: one of `STATUS`.
        message: a sentence for people.
        retry_after: seconds after which a retry may succeed, for the header `Retry-After`.
        details: anything else a program can use.
    """

    def __init__(
        self, code: str, message: str, retry_after: float | None = None, **details: Any
    ) -> None:
        super().__init__(message)
        self.code, self.message = code, message
        self.retry_after, self.details = retry_after, details

    @property
    def status(self) -> int:
        """The HTTP status that goes with the code."""
        return STATUS[self.code]

    def body(self) -> dict[str, Any]:
        """The JSON of the response."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.details:
            error["details"] = self.details
        if request_id := REQUEST_ID.get():
            error["request_id"] = request_id
        return {"error": error}

    def headers(self) -> dict[str, str]:
        """Headers of the response besides the usual ones."""
        if self.retry_after is None:
            return {}
        return {"Retry-After": str(max(1, round(self.retry_after)))}

    def response(self) -> tuple[list[tuple[bytes, bytes]], bytes]:
        """Headers and body of the whole response, encoded."""
        # Plain ASCII: what is quoted from a request may hold halves of characters.
        body = json.dumps(self.body()).encode()
        headers = [(key.lower().encode(), text.encode()) for key, text in self.headers().items()]
        return [*headers, *json_headers(body)], body


def json_headers(body: bytes) -> list[tuple[bytes, bytes]]:
    """The headers of a JSON body."""
    length = str(len(body)).encode()
    return [(b"content-type", b"application/json"), (b"content-length", length)]
