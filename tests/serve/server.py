"""A real `uno-serve` in a process of its own, on a free port."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).parents[2]
READY = "uno-serve is ready: "


class Server:
    """Started by `start`, stopped by `stop` or `kill`; may be started again on the same port."""

    def __init__(self, folder: Path, config: str, db: str | None = "tables.db") -> None:
        self.port = 0
        self.config = folder / "serve.yaml"
        self._db = [] if db is None else ["--db", str(folder / db)]
        self.config.write_text(config, encoding="utf-8")
        self.log: list[str] = []
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def stream_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/v1/tables"

    def start(self, *prefix: str, options: tuple[str, ...] = ()) -> "Server":
        """Start it, by way of another command such as `prlimit` if need be."""
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-m", "uno_serve", "--config", str(self.config),
             "--port", str(self.port), "--log-level", "info", *self._db, *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.log.append(line)
            if line.startswith(READY):
                self.port = int(line.removeprefix(READY).rstrip("/\n").rpartition(":")[2])
                threading.Thread(target=self._keep_log, daemon=True).start()
                return self
        self.kill()
        raise AssertionError("the server did not start:\n" + "".join(self.log))

    def _keep_log(self) -> None:
        assert self.process is not None and self.process.stdout is not None
        self.log.extend(self.process.stdout)

    def memory(self) -> int:
        """Bytes it has in memory."""
        assert self.process is not None
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> int:
        """Ask it to stop, as Ctrl-C does; its exit code."""
        return self._end(signal.SIGINT)

    def kill(self) -> int:
        """End it without a word."""
        return self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        code = self.process.wait(timeout=30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return code
