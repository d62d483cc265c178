"""Requests and answers of the API as typed models: the OpenAPI page and the client read them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

_PRINTED = r"^[^\x00-\x1f\x7f]+$"
Name = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=_PRINTED)]
BotName = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Card = Annotated[str, StringConstraints(min_length=1, max_length=30)]
SeatNumber = Annotated[int, Field(ge=0, le=9)]
Count = Annotated[int, Field(ge=0, le=250)]
Action = (
    Annotated[str, StringConstraints(min_length=1, max_length=60)]
    | Annotated[int, Field(ge=0, le=184)]
)
Color = Literal["red", "yellow", "green", "blue"]
MOST_IN_BATCH = 256
MOST_FRAMES = 200


class _Request(BaseModel):
    """What comes from the network: unknown keys and wrong types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _Answer(BaseModel):
    """What the server says; a newer one may say more."""

    model_config = ConfigDict(extra="allow")


# Errors.


class Problem(_Answer):
    """One part of a request that is wrong."""

    where: str
    message: str


class ErrorBody(_Answer):
    """A code for programs and a text for people."""

    code: str
    message: str
    details: dict[str, Any] | None = None


class ErrorAnswer(_Answer):
    """Every answer that is not a success."""

    error: ErrorBody


# One decision.


class Pending(_Request):
    """A draw penalty that waits; only the amount is needed."""

    amount: Annotated[int, Field(ge=1, le=250)]
    value: Annotated[int, Field(ge=1, le=10)] | None = None
    source: SeatNumber | None = None
    contestable: bool | None = None


class Position(_Request):
    """What a seat knows, as far as a front end easily can say it. See docs/serving.md."""

    variant: str | None = Field(None, max_length=2000, examples=["classic"])
    rules: str | dict[str, Any] | None = Field(None, examples=[{"stacking": "equal_or_higher"}])
    seat: SeatNumber | None = Field(None, description="The seat that asks; 0 when left out.")
    hand: list[Card] = Field(max_length=250, examples=[["red-5", "blue-skip", "wild"]])
    hand_sizes: list[Count] = Field(min_length=2, max_length=10, examples=[[3, 5, 1]])
    top_card: Card | None = Field(None, examples=["red-9"])
    discard: list[Card] | None = Field(None, max_length=250, description="Bottom first.")
    active_color: Color | None = Field(None, description="Needed with a wild on top.")
    phase: str | None = Field(None, max_length=20)
    pending: Pending | None = None
    drawn_card: Card | None = None
    direction: Literal[1, -1] | None = None
    turn: SeatNumber | None = None
    dealer: SeatNumber | None = None
    color_before: Color | None = None
    hyper_color: Color | None = None
    draw_pile_size: Count | None = None
    set_aside_size: Count | None = None
    eliminated: list[SeatNumber] | None = None
    out: list[SeatNumber] | None = None
    uno_called: list[SeatNumber] | None = None
    known: dict[str, list[Card]] | None = Field(None, examples=[{"2": ["red-7"]}])
    episode: Literal["round", "match"] | None = None
    points: list[int] | None = Field(None, max_length=10)
    scores: list[int] | None = Field(None, max_length=10)


_POSITION: Any = {"variant": "classic", "hand": ["red-5", "blue-skip", "wild"], "top_card": "red-9",
             "hand_sizes": [3, 5, 1]}  # fmt: skip


class ActRequest(_Request):
    """A decision to make for one seat, from its view or from a position."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"bot": "heuristic", "position": _POSITION, "advice": True}]
        }
    )

    bot: BotName | None = Field(None, description="Who decides; the default bot if left out.")
    view: dict[str, Any] | None = Field(None, description="What Game.view(seat) returned.")
    legal: list[str] | None = Field(
        None, max_length=185, description="Legal actions, if not in the view: `http://` agents."
    )
    position: Position | None = None
    advice: bool = Field(False, description="Also all legal actions with probabilities.")


class Option(_Answer):
    """A legal action."""

    action: str
    id: int
    sentence: str


class WeighedOption(Option):
    """A legal action and how often the bot would choose it."""

    probability: float | None


class ActAnswer(Option):
    """A decision."""

    bot: str
    legal: list[WeighedOption] | None = None
    win_estimate: float | None = None


class BatchRequest(_Request):
    """Many decisions at once."""

    requests: list[ActRequest] = Field(min_length=1, max_length=MOST_IN_BATCH)


class BatchAnswer(_Answer):
    """One answer or error for each request, in order."""

    answers: list[ActAnswer | ErrorAnswer]


# What there is.


class BotEntry(_Answer):
    """A bot that may be named."""

    name: str
    description: str


class BotsAnswer(_Answer):
    """All bots, and the one that is used where none is named."""

    bots: list[BotEntry]
    default: str


class Players(_Answer):
    """Table sizes."""

    least: int
    most: int
    usual: int


class Variant(_Answer):
    """A preset with the value of every switch."""

    name: str
    title: str
    players: Players
    cards: int
    rules: dict[str, Any]


class Switch(_Answer):
    """One rule, as a form shows it."""

    name: str
    group: str
    type: Literal["flag", "number", "choice", "deck"]
    description: str
    default: Any
    values: list[Any] | None = None
    least: int | None = None
    most: int | None = None


class VariantsAnswer(_Answer):
    """All presets and all switches."""

    variants: list[Variant]
    switches: list[Switch]
    groups: list[str]


class RulesRequest(_Request):
    """A composition of rules to check."""

    rules: str | dict[str, Any] = Field(examples=[{"variant": "no_mercy", "stacking": "none"}])


class RulesAnswer(_Answer):
    """Rules that can be played."""

    text: str
    rules: dict[str, Any]
    players: Players


class Health(_Answer):
    """Whether the server is well."""

    status: Literal["ok", "stopping"]
    version: str
    tables: int
    connections: int


# Tables.


class SeatRequest(_Request):
    """Who shall sit at a seat."""

    kind: Literal["human", "bot"] = "human"
    name: Name | None = None
    bot: BotName | None = None
    open: bool = False


class TableRequest(_Request):
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


class CreatedSeat(_Answer):
    """A seat of a new table; the token of a person who sits there already."""

    seat: int
    kind: str
    name: str | None
    bot: str | None = None
    open: bool = False
    token: str | None = None


class TableCreated(_Answer):
    """A new table with all its secrets."""

    table: str
    host_token: str
    seats: list[CreatedSeat]


class SeatInfo(_Answer):
    """Who sits at a seat."""

    seat: int
    kind: str
    name: str | None
    bot: str | None
    open: bool
    present: bool
    stand_in: bool


class TableInfo(_Answer):
    """What anybody who knows the table's id may know."""

    table: str
    game: int
    status: Literal["waiting", "playing", "over", "closed"]
    variant: str
    rules: dict[str, Any]
    num_players: int
    episode: str
    seats: list[SeatInfo]


class JoinRequest(_Request):
    """Somebody who wants an open seat."""

    name: Name | None = None
    seat: SeatNumber | None = None


class Joined(_Answer):
    """A seat and the token that opens it."""

    table: str
    seat: int
    token: str


class MoveRequest(_Request):
    """A decision of a seat."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"action": "draw", "move": 1}]})

    action: Action
    move: Annotated[int, Field(ge=1, le=2**53)] | None = None


class Accepted(_Answer):
    """The move is stored."""

    accepted: Literal[True] = True
    move: int


class AdviceRequest(_Request):
    """A wish for advice."""

    bot: BotName | None = None


class PaceRequest(_Request):
    """How long bots shall wait from now on."""

    bot_delay: Annotated[float, Field(ge=0, le=10)]


class Done(_Answer):
    """It was done."""

    done: Literal[True] = True


class Clock(_Answer):
    """Whose time runs."""

    seat: int
    seconds: float


class State(_Answer):
    """What a seat or a spectator may know now. See docs/serving.md."""

    type: Literal["state"]
    table: str
    game: int
    status: Literal["waiting", "playing", "over", "closed"]
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


class Replay(_Answer):
    """A finished game, to keep and share."""

    record: dict[str, Any]
    names: list[str]


class ReplayRequest(_Request):
    """A stretch of a replay to show."""

    record: dict[str, Any]
    first: Annotated[int, Field(ge=0, le=1_000_000, alias="from")] = 0
    count: Annotated[int, Field(ge=1, le=MOST_FRAMES)] = 100


class Frame(_Answer):
    """The table after an action, all cards open."""

    step: int
    action: str | None
    actor: int | None
    sentence: str | None
    view: dict[str, Any]
    hands: list[list[str]]
    events: list[dict[str, Any]]


class Frames(_Answer):
    """A stretch of a replay."""

    steps: int
    num_players: int
    rules: str
    frames: list[Frame]
