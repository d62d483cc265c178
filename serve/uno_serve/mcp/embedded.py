"""A `uno-serve` of one's own on loopback, for those who run `uno-mcp` without a server."""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

READY = "uno-serve is ready: "


class ServerFailed(RuntimeError):
    """The embedded server did not come up; the message has its last words."""


@contextlib.contextmanager
def embedded_server() -> Iterator[str]:
    """The address of a server on a free port of this machine; it ends with the context."""
    with tempfile.TemporaryDirectory(prefix="uno-mcp-") as folder:
        database = Path(folder) / "tables.db"
        # Its standard output must not mix with ours, which speaks the protocol.
        process = subprocess.Popen(  # noqa: S603 - our own module, a literal command
            [sys.executable, "-m", "uno_serve", "--port", "0", "--db", str(database)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield _address(process)
        finally:
            process.terminate()
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()


def _address(process: subprocess.Popen[str]) -> str:
    said = []
    for line in process.stdout or ():
        if line.startswith(READY):
            return line.removeprefix(READY).strip().rstrip("/")
        said.append(line)
    raise ServerFailed(f"uno-serve ended with code {process.wait()}: {''.join(said[-5:])}")
