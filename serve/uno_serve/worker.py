"""One of several processes of `uno-serve --workers N`, started by the supervisor.

It reads its task from standard input as one line of JSON, writes a line to standard output when it
is ready, and stops when standard input ends: a supervisor that was killed leaves no workers behind.
"""

import json
import sys
from dataclasses import asdict, dataclass
from typing import Any, Self

from .config import ConfigError, ServeConfig
from .logs import LogFormat, set_up_logs
from .run import Listeners, MakeOwnership, bind, lease_ownership, listen, run
from .tables.leases import Process
from .tables.ownership import Host, HostedBy

READY = "worker is ready: "
HOST_ID = "host"
"""The id of the worker that hosts all tables, where the database is no PostgreSQL."""
RESTART_SECONDS = 20.0
"""Within which that worker is back after a crash, for the patience of the others."""


@dataclass(frozen=True)
class Task:
    """What a worker is told.

    Attributes:
        config: all options, with the port that was found.
        number: which of the workers it is.
        log_level: as on the command line.
        log_format: as on the command line.
        host_port: relay port of the worker that hosts all tables; None with PostgreSQL, and if
            there are no tables.
        secret: what the workers show each other; with PostgreSQL it is in the database.
    """

    config: dict[str, Any]
    number: int
    log_level: str
    log_format: LogFormat
    host_port: int | None = None
    secret: str = ""

    def to_json(self) -> str:
        """One line."""
        return json.dumps(asdict(self)) + "\n"

    @classmethod
    def from_json(cls, line: str) -> Self:
        """The task of such a line."""
        return cls(**json.loads(line))


def _workplace(task: Task, config: ServeConfig) -> tuple[Listeners, MakeOwnership | None]:
    """The sockets of a worker, and which tables are its own."""
    listeners = listen(config, is_worker=True)
    if task.host_port is None:
        return listeners, lease_ownership(config, listeners)
    process = Process(HOST_ID, f"http://127.0.0.1:{task.host_port}")
    if task.number == 0:
        listeners.relay = bind("127.0.0.1", task.host_port, is_shared=True)
        listeners.relay.listen()
        return listeners, lambda _: Host(process, task.secret)
    return listeners, lambda _: HostedBy(process, task.secret, RESTART_SECONDS)


def main() -> int:
    """Run a worker; returns its exit code."""
    from .api.app import create_app

    task = Task.from_json(sys.stdin.readline())
    set_up_logs(task.log_level, task.log_format)
    try:
        config = ServeConfig.from_dict(task.config)
        if task.host_port is not None and task.number > 0:
            # The database is the first worker's.
            config = config.replace(db="sqlite://")
        listeners, ownership = _workplace(task, config)
        app, service = create_app(config, ownership)
    except (ConfigError, ValueError, OSError) as error:
        print(f"uno-serve: {error}", file=sys.stderr)
        return 2

    def ready(address: str) -> None:
        print(READY + address, flush=True)

    return run(config, app, service, listeners, ready, until=sys.stdin.read)


if __name__ == "__main__":
    sys.exit(main())
