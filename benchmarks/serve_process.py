"""A `uno-serve` process on a core of its own, for the benchmark of the server."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

READY = "uno-serve is ready: "


class ServerProcess:
    """A server with limits off; a context manager.

    Args:
        folder: for its configuration and database.
        options: differences from the default configuration.
        core: where it runs.
    """

    def __init__(self, folder: Path, options: dict[str, Any], core: int = 0) -> None:
        limits = {
            "requests_per_second": 0,
            "work_per_second": 0,
            "tables_per_minute": 0,
            "messages_per_second": 0,
            "max_tables_per_client": 0,
            "max_connections_per_address": 0,
        }
        self.config = folder / "serve.yaml"
        # JSON is YAML.
        self.config.write_text(json.dumps({**limits, **options}), encoding="utf-8")
        self.db = folder / "serve.db"
        self.core = core

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(  # noqa: S603 - our own server
            [sys.executable, "-m", "uno_serve", "--config", str(self.config), "--port", "0",
             "--db", str(self.db)],
            stdout=subprocess.PIPE, text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
        os.sched_setaffinity(self.process.pid, {self.core})
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
        """Processor time it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Bytes it has in memory."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
