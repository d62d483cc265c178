"""Remote agents: `http://host:port/bot`, a server of somebody else that decides for a seat.

Each decision is one POST of JSON: `{"view": ..., "legal": [...]}`, what `Game.view(seat)` and
`Game.legal()` give. The answer is `{"action": "play red-7"}`, one of the legal texts or its id. The
view is all that leaves this process: it holds nothing that the seat may not know.
"""

import contextlib
import http.client
import json
import socket
import threading
import weakref
from typing import Any
from urllib.parse import urlsplit

from uno_env.actions import action_id, action_text
from uno_env.state_io.view import View

from .base import AgentError

TIMEOUT = 10.0
"""Seconds to wait for an answer when a spec does not say."""
LONGEST_ANSWER = 1 << 20
HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


class RemoteError(AgentError):
    """A remote agent that does not answer, or answers with what is no legal action."""


class RemoteAgent:
    """Asks a server for every decision, over one connection that is kept open.

    Args:
        url: where to post to, `http://` or `https://`.
        timeout: seconds to wait for the connection, and for each whole answer.
    """

    def __init__(self, url: str, timeout: float = TIMEOUT) -> None:
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError as error:
            raise AgentError(f"agent {url!r}: {error}") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise AgentError(f"agent {url!r} is no URL such as http://localhost:8000/bot")
        self.url, self.timeout = url, timeout
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        self._connection = kind(parts.hostname, port, timeout=timeout)
        # Whoever drops an agent need not know that it holds a connection.
        weakref.finalize(self, self._connection.close)
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    def act(self, view: View, legal: list[str]) -> str:
        """The server's choice; an error names the server and what is wrong with its answer."""
        body = json.dumps({"view": view, "legal": legal}).encode()
        answer = self._read(self._post(body))
        if not isinstance(answer, dict) or "action" not in answer:
            raise RemoteError(f'{self.url} answered {_short(answer)}; {{"action": ...}} is needed')
        return self._legal(answer["action"], view, legal)

    def _post(self, body: bytes) -> bytes:
        """The body of the answer; a connection the server closed meanwhile is opened anew."""
        was_open = self._connection.sock is not None
        try:
            return self._ask(body)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError) as error:
            if not was_open:
                raise self._failed(error) from None
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(error) from None
        try:
            return self._ask(body)
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(error) from None

    def _ask(self, body: bytes) -> bytes:
        connection, late = self._connection, threading.Event()
        try:
            if connection.sock is None:
                connection.connect()
            # The socket's own limit is for each wait; a trickle of bytes would never reach it.
            clock = threading.Timer(self.timeout, _hang_up, (connection.sock, late))
            clock.start()
            try:
                connection.request("POST", self._path, body, HEADERS)
                answer = connection.getresponse()
                octets = answer.read(LONGEST_ANSWER + 1)
            finally:
                clock.cancel()
            if late.is_set():
                raise TimeoutError
        except BaseException as error:
            # Half an answer must not be taken for the next one.
            connection.close()
            if late.is_set() and isinstance(error, Exception):
                raise TimeoutError from error
            raise
        if len(octets) > LONGEST_ANSWER:
            connection.close()
            raise RemoteError(f"{self.url} answered more than {LONGEST_ANSWER} bytes")
        if answer.status != http.client.OK:
            text = _short(octets.decode(errors="replace"))
            raise RemoteError(f"{self.url} answered {answer.status} {answer.reason}: {text}")
        return octets

    def _failed(self, error: Exception) -> RemoteError:
        if isinstance(error, TimeoutError):
            return RemoteError(f"{self.url} did not answer within {self.timeout:g} seconds")
        if isinstance(error, socket.gaierror):
            return RemoteError(f"{self.url} cannot be reached: there is no such host")
        return RemoteError(f"{self.url} cannot be reached: {type(error).__name__}: {error}")

    def _read(self, octets: bytes) -> Any:
        try:
            return json.loads(octets)
        except (ValueError, RecursionError):
            text = _short(octets.decode(errors="replace"))
            raise RemoteError(f"{self.url} answered {text}, which is not JSON") from None

    def _legal(self, action: Any, view: View, legal: list[str]) -> str:
        """The answer as one of the legal texts."""
        text = action
        if isinstance(action, int) and not isinstance(action, bool):
            ids = [action_id(text) for text in legal]
            text = action_text(action, view["phase"]) if action in ids else None
        if not isinstance(text, str) or text not in legal:
            raise RemoteError(
                f"{self.url} chose {_short(action)}, which is not legal; "
                f"allowed: {', '.join(legal)}"
            )
        return text

    def close(self) -> None:
        """End the connection; the next decision opens a new one."""
        self._connection.close()

    def __repr__(self) -> str:
        return f"<remote agent {self.url}>"


def _hang_up(connection: socket.socket, late: threading.Event) -> None:
    late.set()
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return repr(text if len(text) <= 80 else f"{text[:77]}...")
