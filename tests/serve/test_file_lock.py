"""An SQLite file serves one process: a second one is refused, and nothing is left behind."""

import asyncio
import subprocess
import sys

import httpx
import pytest
from uno_serve.config import database_url
from uno_serve.tables.storage import Store

from .server import ROOT, Server

CONFIG = "default_bot: greedy\nfallback_bot: random\n"


def test_a_second_process_is_refused_and_a_killed_one_leaves_no_lock(tmp_path):
    first = Server(tmp_path, CONFIG).start()
    try:
        command = [sys.executable, "-m", "uno_serve", "--port", "0", "--db"]
        second = subprocess.run(
            [*command, str(tmp_path / "tables.db")], cwd=ROOT, capture_output=True, text=True,
            timeout=60,
        )  # fmt: skip
        assert second.returncode == 2 and second.stdout == ""
        assert f"in use by process {first.process.pid}" in second.stderr
        assert "PostgreSQL" in second.stderr and "Traceback" not in second.stderr
        made = httpx.post(first.url + "/v1/tables", json={}).json()
    finally:
        first.kill()
    first.start()
    try:
        assert httpx.get(f"{first.url}/v1/tables/{made['table']}").status_code == 200
    finally:
        first.stop()


def test_one_process_may_open_it_again_after_closing(tmp_path):
    url = database_url(str(tmp_path / "x.db"))
    store = Store(url)
    with pytest.raises(ValueError, match="an SQLite file serves one process"):
        Store(url)
    asyncio.run(store.close())
    asyncio.run(Store(url).close())


def test_a_link_to_the_same_file_is_the_same_file(tmp_path):
    store = Store(database_url(str(tmp_path / "x.db")))
    (tmp_path / "link.db").symlink_to(tmp_path / "x.db")
    with pytest.raises(ValueError, match="in use by process"):
        Store(database_url(str(tmp_path / "link.db")))
    asyncio.run(store.close())


def test_databases_in_memory_have_no_lock(tmp_path):
    stores = [Store("sqlite://") for _ in range(2)]
    for store in stores:
        asyncio.run(store.close())
