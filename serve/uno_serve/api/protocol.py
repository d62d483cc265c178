"""Requests and responses of the API as typed models, read by the OpenAPI page and the client.

Here is what needs no table; `uno_serve.api.table_protocol` has the rest.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from uno_env.actions import NUM_ACTIONS
from uno_env.rules.deck import MAX_CARDS

BotName = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Card = Annotated[str, StringConstraints(min_length=1, max_length=30)]
SeatNumber = Annotated[int, Field(ge=0, le=9)]
Count = Annotated[int, Field(ge=0, le=MAX_CARDS)]
Color = Literal["red", "yellow", "green", "blue"]
MAX_BATCH_REQUESTS = 256


class RequestModel(BaseModel):
    """A request: unknown keys and wrong types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ResponseModel(BaseModel):
    """A response; a newer server may add keys."""

    model_config = ConfigDict(extra="allow")


# Errors.


class Problem(ResponseModel):
    """One part of a request that is wrong."""

    where: str
    message: str


class ErrorBody(ResponseModel):
    """A code for programs and a message for people."""

    code: str
    message: str
    details: dict[str, Any] | None = None
    request_id: str | None = None


class ErrorResponse(ResponseModel):
    """Every response that is not a success."""

    error: ErrorBody


# One decision.


class Pending(RequestModel):
    """A pending draw penalty; only the amount is needed."""

    amount: Annotated[int, Field(ge=1, le=MAX_CARDS)]
    value: Annotated[int, Field(ge=1, le=10)] | None = None
    source: SeatNumber | None = None
    contestable: bool | None = None


class Position(RequestModel):
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


class ActRequest(RequestModel):
    """A decision to make for one seat, from its view or from a position."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"bot": "heuristic", "position": _POSITION, "advice": True}]
        }
    )

    bot: BotName | None = Field(None, description="Who decides; the default bot if left out.")
    view: dict[str, Any] | None = Field(None, description="What Game.view(seat) returned.")
    legal: list[str] | None = Field(
        None,
        max_length=NUM_ACTIONS,
        description="Legal actions, if not in the view: `http://` agents.",
    )
    position: Position | None = None
    advice: bool = Field(False, description="Also all legal actions with probabilities.")


class LegalAction(ResponseModel):
    """A legal action."""

    action: str
    id: int
    sentence: str


class ActionProbability(LegalAction):
    """A legal action and how often the bot would choose it."""

    probability: float | None


class ActResponse(LegalAction):
    """A decision."""

    bot: str
    legal: list[ActionProbability] | None = None
    win_estimate: float | None = None


class BatchRequest(RequestModel):
    """Many decisions at once."""

    requests: list[ActRequest] = Field(min_length=1, max_length=MAX_BATCH_REQUESTS)


class BatchResponse(ResponseModel):
    """One response or error for each request, in order."""

    answers: list[ActResponse | ErrorResponse]


# Information.


class BotEntry(ResponseModel):
    """A bot that may be named."""

    name: str
    description: str


class Level(ResponseModel):
    """A bot as people choose it: how well it plays, in words of each language."""

    name: str
    bot: str
    rating: int
    title: dict[str, str]
    line: dict[str, str]


class BotsResponse(ResponseModel):
    """All bots, the one used where none is named, and the levels from beginner to master."""

    bots: list[BotEntry]
    default: str
    levels: list[Level] = []


class Players(ResponseModel):
    """The numbers of players allowed."""

    least: int
    most: int
    usual: int


class Variant(ResponseModel):
    """A preset with the value of every rule."""

    name: str
    title: str
    titles: dict[str, str] = {}
    players: Players
    cards: int
    rules: dict[str, Any]
    unavailable: list[str] = []


class Switch(ResponseModel):
    """One rule, as a form shows it."""

    name: str
    group: str
    type: Literal["flag", "number", "choice", "deck", "points"]
    description: str
    default: Any
    values: list[Any] | None = None
    least: int | None = None
    most: int | None = None
    label: dict[str, str] = {}
    value_labels: dict[str, list[str]] | None = None


class Favourite(ResponseModel):
    """A house rule that people ask for first: its switch, and what turns it off and on."""

    name: str
    off: Any
    on: Any
    title: dict[str, str]
    line: dict[str, str]


class VariantsResponse(ResponseModel):
    """All presets and all rules."""

    variants: list[Variant]
    switches: list[Switch]
    groups: list[str]
    group_titles: dict[str, dict[str, str]] = {}
    favourites: list[Favourite] = []


class RulesRequest(RequestModel):
    """A combination of rules to validate."""

    rules: str | dict[str, Any] = Field(examples=[{"variant": "no_mercy", "stacking": "none"}])
    lang: Literal["en", "fr"] | None = Field(None, description="Also explain them.")
    num_players: Annotated[int, Field(ge=2, le=10)] | None = None
    match: bool = False


class RulesLine(ResponseModel):
    """A sentence, and whether it is a house rule."""

    text: str
    house: bool


class RulesSection(ResponseModel):
    """Sentences about one thing."""

    name: str
    title: str
    lines: list[RulesLine]


class CardText(ResponseModel):
    """What a kind of card does."""

    kind: str
    face: str
    name: str
    text: str
    points: int | None


class RulesPage(ResponseModel):
    """The rules in force, in words."""

    title: str
    sections: list[RulesSection]
    cards: list[CardText]


class RulesResponse(ResponseModel):
    """Rules that can be played, explained if a language was named."""

    text: str
    rules: dict[str, Any]
    players: Players
    page: RulesPage | None = None


class Reach(ResponseModel):
    """Under which addresses other devices reach this server."""

    addresses: list[str]
    loopback_only: bool


class Health(ResponseModel):
    """Health check."""

    status: Literal["ok", "stopping"]
    version: str
    tables: int
    connections: int


class Check(ResponseModel):
    """The result of one check."""

    ok: bool
    reason: str | None = None


class Readiness(ResponseModel):
    """Readiness check: 200 if the status is `ready`, otherwise 503."""

    status: Literal["ready", "not_ready", "stopping"]
    checks: dict[str, Check]
