"""Three processes behind a stock balancer, and everything that can happen to them."""

import asyncio
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import httpx
import pytest
from uno_serve.api.rules_schema import player_limits

import uno_env as uno

from .cluster import Cluster
from .playing import bearer, eventually, new_table
from .server import ROOT
from .sitting import Sitter

pytestmark = pytest.mark.slow
WITH_PEOPLE, OF_BOTS = 70, 30
SHIPPED = ROOT / "deploy" / "haproxy" / "haproxy.cfg"


class Balancer:
    """Debian's haproxy with the configuration that we ship, on loopback."""

    def __init__(self, folder: Path, cluster: Cluster) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        text = SHIPPED.read_text().replace("bind :8000", f"bind 127.0.0.1:{port}")
        for number, server in enumerate(cluster.servers, start=1):
            text = text.replace(f"10.0.0.1{number}:8000", f"127.0.0.1:{server.port}")
        self.config = folder / "haproxy.cfg"
        self.config.write_text(text)
        self.url = f"http://127.0.0.1:{port}"

    def __enter__(self) -> "Balancer":
        self._process = subprocess.Popen([shutil.which("haproxy"), "-db", "-f", str(self.config)])
        eventually(self._answers, 30)
        return self

    def _answers(self) -> bool:
        try:
            return httpx.get(self.url + "/readyz").status_code == 200
        except httpx.TransportError:
            return False

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)


@pytest.fixture
def site(tmp_path) -> Iterator[tuple[Cluster, Balancer]]:
    if shutil.which("haproxy") is None:
        pytest.skip("there is no haproxy on this machine")
    with Cluster(tmp_path, 3) as cluster, Balancer(tmp_path, cluster) as balancer:
        yield cluster, balancer


def test_the_shipped_configuration_is_valid():
    if shutil.which("haproxy") is None:
        pytest.skip("there is no haproxy on this machine")
    check = [shutil.which("haproxy"), "-c", "-f", str(SHIPPED)]
    assert subprocess.run(check, capture_output=True).returncode == 0


def seats_of(variant: str) -> list[dict[str, str]]:
    """A person, and as few bots as the variant allows."""
    least = player_limits(uno.Rules.preset(variant))["least"]
    return [{"name": "Ana"}, *[{"kind": "bot"}] * (max(2, least) - 1)]


class Evening:
    """A hundred tables, and what has happened at them so far."""

    def __init__(self, cluster: Cluster, url: str) -> None:
        self.cluster, self.url = cluster, url
        with httpx.Client(base_url=url, timeout=60) as http:
            options: dict[str, Any] = {"episode": "match", "bot_delay": 0.3}
            self.tables = [
                new_table(http, variant=variant, seats=seats_of(variant), absent_seconds=None,
                          **options)
                for variant in islice(cycle(uno.VARIANTS), WITH_PEOPLE)
            ]  # fmt: skip
            self.alone = [
                new_table(http, seats=[{"kind": "bot"}] * 3, **options)["table"]
                for _ in range(OF_BOTS)
            ]
        self.sitters = [
            Sitter(url.replace("http", "ws"), table["table"], table["seats"][0]["token"], seed)
            for seed, table in enumerate(self.tables)
        ]

    def moves(self) -> dict[str, int]:
        """Stored moves by table."""
        counted = "SELECT table_id, count(*) FROM uno_moves GROUP BY table_id"
        return dict(self.cluster.postgres.query(counted))

    async def goes_on(self, seconds: float = 240.0) -> float:
        """Wait until every person, and every table of bots, has moved again; how long it took."""
        started = time.monotonic()
        accepted = [len(sitter.accepted) for sitter in self.sitters]
        moves = await asyncio.to_thread(self.moves)
        waiting = list(zip(self.sitters, accepted, strict=True))
        alone = set(self.alone)
        while waiting or alone:
            assert time.monotonic() - started < seconds, (len(waiting), len(alone))
            await asyncio.sleep(0.2)
            waiting = [(s, n) for s, n in waiting if len(s.accepted) <= n and not s.is_over]
            now = await asyncio.to_thread(self.moves)
            playing = await asyncio.to_thread(self._playing)
            alone = {name for name in alone & playing if now.get(name, 0) <= moves.get(name, 0)}
        return time.monotonic() - started

    def _playing(self) -> set[str]:
        query = "SELECT id FROM uno_tables WHERE status = 'playing'"
        return {row[0] for row in self.cluster.postgres.query(query)}

    def check(self) -> None:
        """Hold all that people were told against what is stored."""
        with httpx.Client(base_url=self.url, timeout=60) as http:
            for sitter in self.sitters:
                me = bearer(sitter.token)
                view = http.get(f"/v1/tables/{sitter.table}/view", headers=me).json()
                sitter.check(self.record(sitter.table), view)
        for table in self.alone:
            uno.Game.replay(self.record(table))

    def record(self, table: str) -> dict[str, Any]:
        """The game as it is stored; every number once, from 0 on."""
        query = self.cluster.postgres.query
        ((rules, players, episode, seed),) = query(
            f"SELECT rules, num_players, episode, seed FROM uno_games WHERE table_id = '{table}'"  # noqa: S608
        )
        moves = query(
            f"SELECT number, action FROM uno_moves WHERE table_id = '{table}' ORDER BY number"  # noqa: S608
        )
        assert [number for number, _ in moves] == list(range(len(moves)))
        actions = [action for _, action in moves]
        return {"rules": rules, "num_players": players, "episode": episode, "seed": int(seed),
                "actions": actions}  # fmt: skip


async def misfortunes(cluster: Cluster, evening: Evening) -> dict[str, float]:
    """What happens, and how long it took until everybody had moved again."""
    took = {"start": await evening.goes_on()}
    cluster.servers[0].kill()
    took["kill -9 of one"] = await evening.goes_on()
    await asyncio.to_thread(cluster.servers[0].start)
    took["its return"] = await evening.goes_on()
    for server in cluster.servers:
        assert await asyncio.to_thread(server.stop) == 0
        await asyncio.to_thread(server.start)
        took[f"restart of {cluster.servers.index(server)}"] = await evening.goes_on()
    await asyncio.to_thread(cluster.postgres.stop)
    await asyncio.to_thread(cluster.postgres.start)
    took["restart of PostgreSQL"] = await evening.goes_on()
    return took


def test_a_hundred_tables_survive_crashes_restarts_and_a_database_that_restarts(site):
    cluster, balancer = site
    evening = Evening(cluster, balancer.url)

    async def run() -> dict[str, float]:
        tasks = [asyncio.create_task(sitter.run()) for sitter in evening.sitters]
        try:
            return await misfortunes(cluster, evening)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            failed = [end for end in ended if isinstance(end, AssertionError)]
            assert not failed, failed[0]

    took = asyncio.run(run())
    print({name: round(seconds, 1) for name, seconds in took.items()})
    evening.check()
    accepted = sum(len(sitter.accepted) for sitter in evening.sitters)
    assert accepted > 7 * WITH_PEOPLE / 2
    assert any(sitter.connections > 1 for sitter in evening.sitters), "streams have resumed"
    assert "Traceback" not in cluster.log
