"""ServeConfig: everything the server depends on, typed and checked.

The same fields are the keys of a YAML file in `configs/serve` and, for the common ones, flags of
`uno-serve`, and all of them environment variables (`uno_serve.environment`). Precedence: default,
then file, then environment, then command line.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from uno_env.rules.text import explain, read_yaml
from uno_env.shipped_files import file_names, named_or_path, shipped_folder

from .levels import LEVELS, LevelConfig


class ConfigError(ValueError):
    """An unknown option, or a value that is not allowed."""


def _option(default: Any, text: str, **limits: Any) -> Any:
    return Field(default, description=text, **limits)


class BotConfig(BaseModel):
    """A bot the operator offers under a name: any agent spec, local files and URLs included."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    spec: str = _option(..., "agent spec: search:sims=500, bot.onnx, http://host/bot, my.py:MyBot")
    description: str = _option("", "one line for people who choose a bot", max_length=200)
    timeout: float | None = _option(None, "seconds for one decision", gt=0, le=600)


class ServeConfig(BaseModel):
    """Address, bots, storage and limits of a server."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = _option("127.0.0.1", "address to listen on; 0.0.0.0 for every network")
    port: int = _option(8000, "port to listen on; 0 for any free one", ge=0, le=65535)
    db: str = _option(
        "sqlite:///uno-serve.db", "where tables are stored: a file, or postgresql://USER@HOST/NAME"
    )
    workers: int = _option(
        1, "processes on this machine; several share the tables through PostgreSQL", ge=1, le=256
    )
    serves: Literal["all", "act"] = _option(
        "all", "`act` for decisions of bots only: no tables, no database, no page"
    )
    relay_host: str = _option(
        "127.0.0.1",
        "address at which other processes on the same PostgreSQL reach this one; never public",
        min_length=1,
    )
    relay_port: int = _option(0, "port for them; 0 for any free one", ge=0, le=65535)
    lease_seconds: float = _option(
        5.0, "seconds after which others take the tables of a process that died", ge=1, le=300
    )
    act_url: str = _option(
        "",
        "where bots decide: the address of processes with `serves: act`, or of their balancer",
        pattern=r"^(https?://.+)?$",
    )
    act_key: str = _option("", "API key for them")
    web: bool = _option(True, "serve the page at /")
    metrics: bool = _option(True, "serve Prometheus metrics at /metrics; hide them from players")
    api_keys: tuple[str, ...] = _option(
        (), "if any, /v1/act, replays and the creation of tables need one"
    )
    cors_origins: tuple[str, ...] = _option(
        (), "web sites whose pages may call this server from a browser"
    )
    trusted_proxies: str = _option(
        "", "addresses whose X-Forwarded-For is trusted, comma separated"
    )

    allowed_hosts: tuple[str, ...] = _option(
        (), "names in the Host header that are served, `*.example.org` for all below; any if empty"
    )

    bots: dict[str, BotConfig] = _option({}, "bots besides the built-in ones, by name")
    hide_bots: tuple[str, ...] = _option((), "built-in bots that are not offered")
    default_bot: str = _option(
        "heuristic", "plays where no bot is named, and stands in for absent people"
    )
    levels: tuple[LevelConfig, ...] = _option(
        LEVELS, "bots as people choose them on the page, the weakest first"
    )
    fallback_bot: str = _option("greedy", "decides at a table when another bot hangs or fails")
    bot_seconds: float = _option(
        5.0, "seconds for one decision of a bot without a timeout of its own", gt=0, le=600
    )
    bot_delay: float = _option(
        0.8, "seconds a bot waits before it moves, unless a table says otherwise", ge=0, le=10
    )
    react_seconds: float | None = _option(
        3.0,
        "seconds a table waits after a move after which people may have a hidden decision to make, "
        "unless the table says otherwise; null for no such pauses",
        ge=0.1,
        le=60,
    )
    bot_react_seconds: float = _option(
        0.5,
        "the same where only bots may have one",
        ge=0.01,
        le=10,
    )
    max_batch: int = _option(
        256, "largest batch of decisions in one call of a bot; 1 disables batching", ge=1, le=4096
    )
    fast_path: bool = _option(
        True, "answer full views to /v1/act without the web framework; false for its own route"
    )
    batch_wait: float = _option(
        0.0, "milliseconds to wait for more requests before an idle bot is called", ge=0, le=100
    )
    seed: int | None = _option(None, "seed of the bots; drawn when left out", ge=0)

    max_body: int = _option(1_048_576, "bytes of the largest request body", ge=1024, le=64 * 2**20)
    max_message: int = _option(8_192, "bytes of the largest message on a stream", ge=512, le=2**20)
    requests_per_second: float = _option(
        100.0, "requests one client may make a second, averaged; 0 for no limit", ge=0
    )
    messages_per_second: float = _option(
        50.0, "messages one stream may send a second, averaged; 0 for no limit", ge=0
    )
    requests_burst: int = _option(300, "requests one client may make at once", ge=1)
    work_per_second: float = _option(
        0.5,
        "processor seconds a second, averaged, that the bots of one client may be expected to "
        "need; 0 for no limit",
        ge=0,
    )
    work_burst: float = _option(
        10.0, "processor seconds of bots that one client may ask for at once", gt=0
    )
    tables_per_minute: float = _option(
        30.0, "tables one client may create a minute, averaged; 0 for no limit", ge=0
    )
    replays_per_minute: float = _option(
        120.0, "calls of /v1/replay one client may make a minute, averaged; 0 for no limit", ge=0
    )
    max_replay_actions: int = _option(
        20_000, "actions of the longest record that /v1/replay takes", ge=1, le=1_000_000
    )
    max_tables: int = _option(1_000, "tables in memory at a time", ge=1, le=100_000)
    max_tables_per_client: int = _option(
        100, "tables in memory, not over yet, that one client has created; 0 for no limit", ge=0
    )
    max_connections: int = _option(2_000, "streams at a time", ge=1, le=100_000)
    extra_connections: int = _option(
        1_000, "connections at a time besides the streams", ge=1, le=100_000
    )
    max_connections_per_address: int = _option(
        500,
        "connections one address may have open, streams included; trusted proxies have no limit; "
        "0 for no limit",
        ge=0,
    )
    header_seconds: float = _option(
        10.0, "seconds within which the headers of a request must arrive", gt=0, le=600
    )
    idle_seconds: float = _option(
        30.0, "seconds an idle connection is kept open for another request", gt=0, le=3600
    )
    write_seconds: float = _option(
        20.0, "seconds a client may leave a response unread", gt=0, le=600
    )
    max_streams_per_seat: int = _option(4, "streams one seat may have open", ge=1, le=100)
    max_spectators: int = _option(50, "streams of spectators a table may have", ge=0, le=10_000)
    max_waiting: int = _option(
        2_000, "decisions that may wait for one bot before more are refused", ge=1
    )
    max_moves: int = _option(20_000, "moves after which a game is closed", ge=100, le=1_000_000)
    park_seconds: float = _option(
        600.0,
        "seconds after which a table without people leaves memory; it stays in the store",
        gt=0,
    )
    keep_days: float = _option(
        14.0, "days after which an unused table is deleted from the store", gt=0
    )

    @field_validator("db")
    @classmethod
    def _url(cls, given: str) -> str:
        return database_url(given)

    @field_validator("relay_host")
    @classmethod
    def _reachable(cls, host: str) -> str:
        if host in ("0.0.0.0", "::"):  # noqa: S104 - refused
            raise ValueError("others connect to this address, so it must be that of an interface")
        return host

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use the same database."""
        return self.db.startswith("postgresql") and self.serves == "all"

    @field_validator("api_keys")
    @classmethod
    def _keys(cls, keys: tuple[str, ...]) -> tuple[str, ...]:
        if any(len(key) < 16 for key in keys):
            raise ValueError("an API key needs at least 16 characters")
        return keys

    @model_validator(mode="after")
    def _known_bots(self) -> Self:
        for name in self.bots:
            if not name or len(name) > 60 or not name.isprintable():
                raise ValueError(f"bots: {name!r} is no name of 1 to 60 printable characters")
        return self

    @classmethod
    def from_file(cls, name: str | Path) -> Self:
        """The configuration of a shipped name or in a YAML file."""
        try:
            path = named_or_path(name, _shipped_configs(), ".yaml")
        except ValueError as error:
            raise ConfigError(f"config: {error}") from None
        return cls.from_dict(read_yaml(path, ConfigError))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The configuration of a mapping; errors name the option."""
        try:
            return cls(**data)
        except ValidationError as error:
            raise ConfigError(explain(error)) from None

    def replace(self, **changes: Any) -> Self:
        """The same configuration with some options changed."""
        given = {name: getattr(self, name) for name in self.model_fields_set}
        return self.from_dict(given | changes)


def shipped_names() -> list[str]:
    """Names of the shipped configurations."""
    return file_names(_shipped_configs(), ".yaml")


def _shipped_configs() -> Path:
    return shipped_folder("uno_serve", "configs", "configs/serve")


def database_url(given: str) -> str:
    """An SQLAlchemy URL: a bare path is an SQLite file, PostgreSQL goes through psycopg."""
    if "://" not in given:
        return f"sqlite:///{given}"
    scheme, rest = given.split("://", 1)
    if scheme in ("postgres", "postgresql"):
        scheme = "postgresql+psycopg"
    if scheme not in ("sqlite", "postgresql+psycopg"):
        raise ValueError(f"{scheme}:// is not supported; allowed: a file, sqlite://, postgresql://")
    return f"{scheme}://{rest}"
