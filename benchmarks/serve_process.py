"""A `uno-serve` process on a core of its own, for the benchmark of the server."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

READY = "uno-serve is ready: "


class ServerProcess:
    """A server with limits off; a context manager.

    Args:
        folder: for its configuration and database.
        options: differences from the default configuration.
        cores: where it runs, and its workers if it has any.
        keep: limits that stay on.
    """

    def __init__(
        self, folder: Path, options: dict[str, Any], cores: Sequence[int] = (0,),
        keep: Sequence[str] = (),
    ) -> None:  # fmt: skip
        limits = {
            "requests_per_second": 0,
            "work_per_second": 0,
            "tables_per_minute": 0,
            "messages_per_second": 0,
            "max_tables_per_client": 0,
            "max_connections_per_address": 0,
        }
        limits = {name: value for name, value in limits.items() if name not in keep}
        self.config = folder / "serve.yaml"
        # JSON is YAML.
        self.config.write_text(json.dumps({**limits, **options}), encoding="utf-8")
        self.db = folder / "serve.db"
        self.cores = set(cores)

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(  # noqa: S603 - our own server
            [sys.executable, "-m", "uno_serve", "--config", str(self.config), "--port", "0",
             "--db", str(self.db)],
            stdout=subprocess.PIPE, text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
        # Before it starts workers, which inherit it.
        os.sched_setaffinity(self.process.pid, self.cores)
        line = self.process.stdout.readline() if self.process.stdout else ""
        if not line.startswith(READY):
            raise RuntimeError("the server did not start")
        self.port = int(line.removeprefix(READY).rstrip("/\n").rpartition(":")[2])
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=60)
        if self.process.stdout:
            self.process.stdout.close()

    def wait_for(self, bot: str) -> None:
        """Ask a bot until it answers: one with a process of its own has to start first."""
        import httpx

        position = {"hand": ["red-5"], "top_card": "red-9", "hand_sizes": [1, 2]}
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=60) as http:
            while http.post("/v1/act", json={"bot": bot, "position": position}).is_error:
                time.sleep(0.5)

    def cpu_seconds(self) -> float:
        """Processor time that it and its workers have used."""
        ticks = 0
        for pid in self._pids():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def _pids(self) -> list[int]:
        pid = self.process.pid
        # A process is the child of the thread that started it.
        lists = Path(f"/proc/{pid}/task").glob("*/children")
        return [pid, *(int(worker) for path in lists for worker in path.read_text().split())]

    def memory(self) -> int:
        """Bytes it has in memory."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
