"""Requests and responses about tables and replays, as typed models."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints

from uno_env.actions import NUM_ACTIONS

from ..tables.reactions import Symbol
from .protocol import BotName, LegalAction, RequestModel, ResponseModel, SeatNumber

# Neither control characters nor those that turn the direction of text or break lines: a name must
# not change how the text around it reads.
_PRINTED = r"^[^\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+$"
Name = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=_PRINTED)]
Action = (
    Annotated[str, StringConstraints(min_length=1, max_length=60)]
    | Annotated[int, Field(ge=0, lt=NUM_ACTIONS)]
)
Status = Literal["waiting", "playing", "over", "closed"]
MAX_FRAMES = 200
MAX_REVIEWED = 20


class SeatRequest(RequestModel):
    """Who shall sit at a seat."""

    kind: Literal["human", "bot"] = "human"
    name: Name | None = None
    bot: BotName | None = None
    open: bool = False


class TableRequest(RequestModel):
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
    react_seconds: Annotated[float, Field(ge=0.1, le=60)] | None = Field(
        None, description="The server's own if left out; null for no reaction windows."
    )
    absent_seconds: Annotated[float, Field(ge=1, le=86_400)] | None = 60.0
    stand_in: BotName | None = None
    bot_delay: Annotated[float, Field(ge=0, le=10)] | None = None
    spectators: bool = True
    seed: Annotated[int, Field(ge=0, lt=2**64)] | None = None
    waiting_room: bool = False


class CreatedSeat(ResponseModel):
    """A seat of a new table; the token of a person who sits there already."""

    seat: int
    kind: str
    name: str | None
    bot: str | None = None
    open: bool = False
    token: str | None = None


class TableCreated(ResponseModel):
    """A new table with all its secrets."""

    table: str
    host_token: str
    seats: list[CreatedSeat]


class Replaced(ResponseModel):
    """Decisions of this game that a weaker bot has made for the seat's own."""

    by: str | None
    reason: str
    decisions: int
    latest: bool


class SeatInfo(ResponseModel):
    """Who sits at a seat."""

    seat: int
    kind: str
    name: str | None
    bot: str | None
    open: bool
    present: bool
    stand_in: bool
    ready: bool = False
    left: bool = False
    host: bool = False
    replaced: Replaced | None = None


class TableInfo(ResponseModel):
    """What anybody who knows the table's id may know."""

    table: str
    game: int
    status: Status
    variant: str
    rules: dict[str, Any]
    num_players: int
    episode: str
    waiting_room: bool = False
    seats: list[SeatInfo]


class LookupRequest(RequestModel):
    """Tables somebody knows the ids of."""

    tables: list[Annotated[str, StringConstraints(min_length=1, max_length=40)]] = Field(
        max_length=8
    )


class LookupResponse(ResponseModel):
    """Those of them that are still there."""

    tables: list[TableInfo]


class JoinRequest(RequestModel):
    """Somebody who wants an open seat."""

    name: Name | None = None
    seat: SeatNumber | None = None


class Joined(ResponseModel):
    """A seat and the token that opens it."""

    table: str
    seat: int
    token: str


class ReadyRequest(RequestModel):
    """Whether somebody in a waiting room is ready to begin."""

    ready: bool = True


class SeatChange(RequestModel):
    """Who shall sit at a seat from now on: a bot, or whoever comes."""

    kind: Literal["bot", "open"]
    bot: BotName | None = None
    name: Name | None = None


class MoveRequest(RequestModel):
    """A decision of a seat."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"action": "draw", "move": 1}]})

    action: Action
    move: Annotated[int, Field(ge=1, le=2**53)] | None = None


class Accepted(ResponseModel):
    """The move is stored."""

    accepted: Literal[True] = True
    move: int


class AdviceRequest(RequestModel):
    """A request for advice."""

    bot: BotName | None = None


class PaceRequest(RequestModel):
    """How long bots shall wait from now on."""

    bot_delay: Annotated[float, Field(ge=0, le=10)]


class Done(ResponseModel):
    """It was done."""

    done: Literal[True] = True


class Clock(ResponseModel):
    """Whose clock runs."""

    seat: int
    seconds: float


class Pause(ResponseModel):
    """A reaction window: the table waits equally long whether or not anybody is asked."""

    seat: int | None
    action: str | None
    seconds: float


class State(ResponseModel):
    """What a seat or a spectator may know now. See docs/serving.md."""

    type: Literal["state"]
    table: str
    game: int
    status: Status
    seat: int | None
    move: int | None
    legal: list[LegalAction]
    view: dict[str, Any] | None
    events: list[dict[str, Any]]
    events_from: int
    clock: Clock | None
    pause: Pause | None = None
    seats: list[SeatInfo]
    rematch: list[int]
    sheet: list[dict[str, Any]]
    seeded: bool


class Replay(ResponseModel):
    """A finished game, to keep and share."""

    record: dict[str, Any]
    names: list[str]


class ReplayRequest(RequestModel):
    """The frames of a replay to return."""

    record: dict[str, Any]
    first: Annotated[int, Field(ge=0, le=1_000_000, alias="from")] = 0
    count: Annotated[int, Field(ge=1, le=MAX_FRAMES)] = 100


class Frame(ResponseModel):
    """The table after an action, all cards open."""

    step: int
    action: str | None
    actor: int | None
    sentence: str | None
    view: dict[str, Any]
    hands: list[list[str]]
    events: list[dict[str, Any]]


class Frames(ResponseModel):
    """Frames of a replay."""

    steps: int
    num_players: int
    rules: str
    frames: list[Frame]


class ReviewRequest(RequestModel):
    """The decisions of a seat to review."""

    record: dict[str, Any]
    seat: SeatNumber
    first: Annotated[int, Field(ge=0, le=1_000_000, alias="from")] = 0
    count: Annotated[int, Field(ge=1, le=MAX_REVIEWED)] = MAX_REVIEWED


class ReviewedDecision(ResponseModel):
    """What was chosen, what was best, and the estimated chance of winning after each."""

    step: int
    phase: str
    pending: dict[str, Any] | None
    action: str
    best: str
    win: float | None
    best_win: float | None
    cost: float
    legal: list[dict[str, Any]]


class Review(ResponseModel):
    """A page of reviewed decisions."""

    seat: int
    total: int
    decisions: list[ReviewedDecision]


# Messages of a client on a stream.


class Hello(RequestModel):
    """The first message: who the client is."""

    type: str = Field(pattern="^hello$")
    token: str | None = Field(None, max_length=100)
    events_from: int = Field(0, ge=0, le=10_000_000)


class ClientMessage(RequestModel):
    """Any message after the hello."""

    type: str = Field(pattern="^(act|advice|rematch|leave|ping|reaction|ready|next-round)$")
    action: Action | None = None
    move: int | None = Field(None, ge=1, le=2**53)
    bot: BotName | None = None
    symbol: Symbol | None = None
    ready: bool = True
