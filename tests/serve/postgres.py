"""A real PostgreSQL server of the tests' own, which may be stopped and started again."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest


class Postgres:
    """Reached by a socket in a folder of its own; a context manager."""

    def __init__(self) -> None:
        if shutil.which("postgres") is None or shutil.which("initdb") is None:
            pytest.skip("there is no postgres on this machine")
        # Not pytest's folder: sockets need a short path.
        self._folder = Path(tempfile.mkdtemp(prefix="uno-pg-"))
        self._prefix = _as_someone_else(self._folder)
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"postgresql://uno@/postgres?host={self._folder}"

    @property
    def log(self) -> str:
        return (self._folder / "log").read_text(errors="replace")

    def __enter__(self) -> "Postgres":
        data = str(self._folder / "data")
        make = [*self._prefix, "initdb", "-D", data, "-U", "uno", "-A", "trust", "--no-sync"]
        subprocess.run(make, check=True, capture_output=True)
        return self.start()

    def start(self) -> "Postgres":
        data = str(self._folder / "data")
        run = [*self._prefix, "postgres", "-D", data, "-k", str(self._folder), "-h", ""]
        with open(self._folder / "log", "ab") as log:
            self._process = subprocess.Popen(run, stdout=log, stderr=log)
        self._wait()
        return self

    def stop(self) -> None:
        """Cut every connection and stop, as `pg_ctl stop -m fast` does."""
        assert self._process is not None
        self._process.send_signal(2)
        self._process.wait(timeout=30)
        self._process = None

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def dump(self) -> str:
        """Everything in the database, as text."""
        url = self.url.replace("postgresql://uno@/postgres?host=", "")
        command = ["pg_dump", "-h", url, "-U", "uno", "postgres"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def query(self, text: str) -> list[tuple]:
        import psycopg

        with psycopg.connect(f"user=uno dbname=postgres host={self._folder}") as connection:
            return connection.execute(text).fetchall()

    def _wait(self) -> None:
        import psycopg

        for _ in range(300):
            try:
                psycopg.connect(f"user=uno dbname=postgres host={self._folder}").close()
                return
            except psycopg.OperationalError:
                time.sleep(0.1)
        raise AssertionError("postgres did not start:\n" + self.log)


def _as_someone_else(folder: Path) -> list[str]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return ["setpriv", "--reuid", "nobody", "--regid", str(nobody.pw_gid), "--clear-groups"]
