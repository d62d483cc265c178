"""Several server processes on one PostgreSQL, all real, on loopback."""

from pathlib import Path

from .postgres import Postgres
from .server import Server

CONFIG = """
requests_per_second: 0
tables_per_minute: 0
replays_per_minute: 0
max_tables_per_client: 0
messages_per_second: 0
max_connections_per_address: 0
work_per_second: 0
default_bot: greedy
fallback_bot: random
lease_seconds: 3
react_seconds: 0.2
bot_react_seconds: 0.05
"""
TAKEOVER_SECONDS = 3 + 2
"""What docs/serving.md promises: the lease, and two seconds."""


class Cluster:
    """A context manager.

    Args:
        folder: for configurations.
        count: number of processes.
        config: more options.
    """

    def __init__(self, folder: Path, count: int, config: str = "") -> None:
        self.postgres = Postgres()
        self.servers = []
        for number in range(count):
            own = folder / f"process{number}"
            own.mkdir()
            text = f'{CONFIG}{config}\ndb: "{self.postgres.url}"\n'
            self.servers.append(Server(own, text, db=None))

    def __enter__(self) -> "Cluster":
        self.postgres.__enter__()
        try:
            for server in self.servers:
                server.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for server in self.servers:
            if server.process is not None:
                server.kill()
        self.postgres.__exit__()

    @property
    def log(self) -> str:
        return "".join(line for server in self.servers for line in server.log)

    def owner_of(self, table: str) -> str | None:
        """The id of the process that has a table."""
        found = self.postgres.query(f"SELECT owner FROM uno_leases WHERE name = '{table}'")  # noqa: S608
        return found[0][0] if found else None
