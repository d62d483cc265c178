"""Whether the server can do its work: database, disk, bots."""

import asyncio
import os
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from sqlalchemy import make_url

from .errors import ApiError
from .service import Service

CHECK_SECONDS = 2.0
_PROBE_BYTES = 65_536


async def readiness(service: Service) -> dict[str, Any]:
    """The result of every check by name: `ok`, and the reason where it is false."""
    loop = asyncio.get_running_loop()
    folder = _database_folder(service.config.db)
    names = ("database", "disk", "bots")
    results = await asyncio.gather(
        _checked(service.store.ping()),
        _checked(loop.run_in_executor(None, _write_probe, folder)),
        _checked(_bots_loaded(service)),
    )
    checks = dict(zip(names, results, strict=True))
    is_ready = all(check["ok"] for check in results) and not service.is_stopping
    status = "stopping" if service.is_stopping else "ready" if is_ready else "not_ready"
    return {"status": status, "checks": checks}


async def _checked(check: Awaitable[None]) -> dict[str, Any]:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            await check
    except ApiError as error:
        return {"ok": False, "reason": error.message}
    except TimeoutError:
        return {"ok": False, "reason": f"no answer within {CHECK_SECONDS:g} s"}
    except OSError as error:
        return {"ok": False, "reason": error.strerror or type(error).__name__}
    return {"ok": True}


async def _bots_loaded(service: Service) -> None:
    for name in (service.config.default_bot, service.config.fallback_bot):
        if service.bots.ready(name) is None:
            raise ApiError("busy", f"bot {name!r} is not loaded")


def _database_folder(url: str) -> Path | None:
    """Where an SQLite file is; None for a database elsewhere or in memory."""
    parsed = make_url(url)
    is_file = parsed.drivername == "sqlite" and parsed.database not in (None, "", ":memory:")
    return Path(parsed.database or "").absolute().parent if is_file else None


def _write_probe(folder: Path | None) -> None:
    """Write and remove a file beside the database; without one the server writes no files."""
    if folder is None:
        return
    with tempfile.TemporaryFile(dir=folder) as probe:
        probe.write(b"\0" * _PROBE_BYTES)
        probe.flush()
        os.fsync(probe.fileno())
