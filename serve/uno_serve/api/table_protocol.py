"""Requests and answers about tables and replays, as typed models."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints

from .protocol import BotName, Message, Option, Reply, SeatNumber

_PRINTED = r"^[^\x00-\x1f\x7f]+$"
Name = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=_PRINTED)]
Action = (
    Annotated[str, StringConstraints(min_length=1, max_length=60)]
    | Annotated[int, Field(ge=0, le=184)]
)
Status = Literal["waiting", "playing", "over", "closed"]
MOST_FRAMES = 200


class SeatRequest(Message):
    """Who shall sit at a seat."""

    kind: Literal["human", "bot"] = "human"
    name: Name | None = None
    bot: BotName | None = None
    open: bool = False


class TableRequest(Message):
    """A table to set up."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"variant": "classic", "seats": [{"kind": "human", "name": "Ana"}, {"kind": "bot"}]}
            ]
        }
    )

    variant: str | None = Field(None, max_length=2000)
    rules: str | dict[str, Any] | None = None
    num_players: Annotated[int, Field(ge=2, le=10)] | None = None
    episode: Literal["round", "match"] = "round"
    seats: list[SeatRequest] | None = Field(None, max_length=10)
    move_seconds: Annotated[float, Field(ge=1, le=3600)] | None = None
    react_seconds: Annotated[float, Field(ge=1, le=60)] = 8.0
    absent_seconds: Annotated[float, Field(ge=1, le=86_400)] | None = 60.0
    stand_in: BotName | None = None
    bot_delay: Annotated[float, Field(ge=0, le=10)] | None = None
    spectators: bool = True
    seed: Annotated[int, Field(ge=0, lt=2**64)] | None = None


class CreatedSeat(Reply):
    """A seat of a new table; the token of a person who sits there already."""

    seat: int
    kind: str
    name: str | None
    bot: str | None = None
    open: bool = False
    token: str | None = None


class TableCreated(Reply):
    """A new table with all its secrets."""

    table: str
    host_token: str
    seats: list[CreatedSeat]


class SeatInfo(Reply):
    """Who sits at a seat."""

    seat: int
    kind: str
    name: str | None
    bot: str | None
    open: bool
    present: bool
    stand_in: bool


class TableInfo(Reply):
    """What anybody who knows the table's id may know."""

    table: str
    game: int
    status: Status
    variant: str
    rules: dict[str, Any]
    num_players: int
    episode: str
    seats: list[SeatInfo]


class JoinRequest(Message):
    """Somebody who wants an open seat."""

    name: Name | None = None
    seat: SeatNumber | None = None


class Joined(Reply):
    """A seat and the token that opens it."""

    table: str
    seat: int
    token: str


class MoveRequest(Message):
    """A decision of a seat."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"action": "draw", "move": 1}]})

    action: Action
    move: Annotated[int, Field(ge=1, le=2**53)] | None = None


class Accepted(Reply):
    """The move is stored."""

    accepted: Literal[True] = True
    move: int


class AdviceRequest(Message):
    """A wish for advice."""

    bot: BotName | None = None


class PaceRequest(Message):
    """How long bots shall wait from now on."""

    bot_delay: Annotated[float, Field(ge=0, le=10)]


class Done(Reply):
    """It was done."""

    done: Literal[True] = True


class Clock(Reply):
    """Whose time runs."""

    seat: int
    seconds: float


class State(Reply):
    """What a seat or a spectator may know now. See docs/serving.md."""

    type: Literal["state"]
    table: str
    game: int
    status: Status
    seat: int | None
    move: int | None
    legal: list[Option]
    view: dict[str, Any] | None
    events: list[dict[str, Any]]
    events_from: int
    clock: Clock | None
    seats: list[SeatInfo]
    rematch: list[int]
    sheet: list[dict[str, Any]]
    seeded: bool


class Replay(Reply):
    """A finished game, to keep and share."""

    record: dict[str, Any]
    names: list[str]


class ReplayRequest(Message):
    """A stretch of a replay to show."""

    record: dict[str, Any]
    first: Annotated[int, Field(ge=0, le=1_000_000, alias="from")] = 0
    count: Annotated[int, Field(ge=1, le=MOST_FRAMES)] = 100


class Frame(Reply):
    """The table after an action, all cards open."""

    step: int
    action: str | None
    actor: int | None
    sentence: str | None
    view: dict[str, Any]
    hands: list[list[str]]
    events: list[dict[str, Any]]


class Frames(Reply):
    """A stretch of a replay."""

    steps: int
    num_players: int
    rules: str
    frames: list[Frame]


# What a client says on a stream.


class Hello(Message):
    """Who the client is."""

    type: str = Field(pattern="^hello$")
    token: str | None = Field(None, max_length=100)
    events_from: int = Field(0, ge=0, le=10_000_000)


class Said(Message):
    """Anything a client says after its hello."""

    type: str = Field(pattern="^(act|advice|rematch|leave|ping)$")
    action: Action | None = None
    move: int | None = Field(None, ge=1, le=2**53)
    bot: BotName | None = None
