"""One real server for all tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from uno_serve.client import Client

from ..agents.networks import save_lively
from .remote import RemoteBot
from .server import Server

HERE = Path(__file__).parent

CONFIG = f"""
requests_per_second: 0
tables_per_minute: 0
replays_per_minute: 0
max_tables_per_client: 0
messages_per_second: 0
work_per_second: 0
react_seconds: null
bot_react_seconds: 0.02
bot_seconds: 10
max_streams_per_seat: 3
bots:
  hangs: {{spec: "{HERE}/bad_bots.py:hangs", timeout: 0.5}}
  crashes: {{spec: "{HERE}/bad_bots.py:crashes"}}
  lies: {{spec: "{HERE}/bad_bots.py:lies"}}
  remote: {{spec: "REMOTE"}}
  far-away: {{spec: "http://127.0.0.1:9/bot"}}
  chatty: {{spec: "{HERE}/bad_bots.py:Chatty", description: "prints a lot"}}
  network: {{spec: "NETWORK"}}
"""


@pytest.fixture(scope="session")
def remote() -> Iterator[RemoteBot]:
    bot = RemoteBot()
    yield bot
    bot.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, remote: RemoteBot) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("serve")
    network = save_lively(folder / "network", hidden=(16, 16))
    config = CONFIG.replace("REMOTE", remote.url).replace("NETWORK", str(network))
    running = Server(folder, config).start()
    yield running
    running.stop()
    assert not any("Traceback" in line for line in running.log), "".join(running.log)


@pytest.fixture(scope="session")
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def client(server: Server) -> Iterator[Client]:
    with Client(server.url, timeout=60) as client:
        yield client
