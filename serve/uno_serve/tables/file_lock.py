"""The lock that keeps a second process off an SQLite database.

SQLite itself would let both write: each would drive the same tables, and play against the other's
people. The operating system holds the lock for the life of the process, so none is left behind by
one that was killed.
"""

import os
import sys
from pathlib import Path
from typing import IO

from sqlalchemy import make_url


class FileLock:
    """Held from its creation to `release`, or to the end of the process.

    Args:
        database: the database file; the lock is a file beside it. Locking the database itself
            would interfere with SQLite's own locks.

    Raises:
        ValueError: another process holds it.
    """

    def __init__(self, database: Path) -> None:
        path = database.resolve()
        self._file = open(path.with_name(f"{path.name}.lock"), "a+", encoding="ascii")  # noqa: SIM115 - held open
        if not _try_lock(self._file):
            self._file.seek(0)
            holder = self._file.read(20).strip()
            self._file.close()
            who = f"process {holder}" if holder.isdigit() else "another process"
            raise ValueError(
                f"db: {database} is in use by {who}; an SQLite file serves one process: stop that "
                "one, or give several processes a PostgreSQL database (--db postgresql://...)"
            )
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()

    def release(self) -> None:
        """Let another process have the database."""
        self._file.close()


def lock_database(url: str) -> FileLock | None:
    """The lock of an SQLite file; None for a database in memory or elsewhere."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    return FileLock(Path(parsed.database or ""))


def _try_lock(file: IO[str]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
