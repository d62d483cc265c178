"""Routes of hosted tables: setting one up, sitting down, playing, leaving."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic_core import to_json

from uno_env import Rules, RulesError
from uno_env.envs.options import table_size

from ..errors import ApiError
from ..service import Service
from ..tables.hosted_table import CLOSED, OVER, HostedTable
from ..tables.names import BOT_NAMES, distinct_name
from ..tables.setup import Seat, TableSetup, new_token, token_hash
from ..tables.state import state_message, table_info
from . import protocol as p
from . import table_protocol as tp
from .abandoned import while_connected
from .decisions import table_advice
from .rate_limit import client_address
from .routes import NEEDS_KEY, CurrentService, read_rules

router = APIRouter(tags=["tables"])
TableId = Annotated[str, Path(min_length=1, max_length=40, examples=["c8Jw0mUSyh2Ko6mPpk9h1Q"])]
_SPARSE: Any = {"response_model_exclude_unset": True}
_bearer = HTTPBearer(auto_error=False, description="The token of a seat, or of the host.")
IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=16,
        max_length=100,
        pattern=r"^[\x21-\x7e]+$",
        description="A random text: the same request with the same key gets the same table.",
    ),
]


def _credentials(
    request: Request,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> HTTPAuthorizationCredentials | None:
    """The caller's token; whoever sends the header but no token made a mistake."""
    if credentials is None and "authorization" in request.headers:
        raise ApiError("token", "the header must be: Authorization: Bearer TOKEN")
    return credentials


Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_credentials)]


@router.post("/v1/tables", status_code=201, response_model=tp.TableCreated, **_SPARSE, **NEEDS_KEY)
async def create(
    request: tp.TableRequest,
    service: CurrentService,
    raw: Request,
    idempotency_key: IdempotencyKey = None,
) -> Any:
    """Set up a table; the only response that holds the tokens of all its people."""
    client = client_address(raw.scope)
    if idempotency_key is None:
        return await _create(request, service, client)
    return await service.created_tables.get(
        client, idempotency_key, request, lambda: _create(request, service, client)
    )


async def _create(request: tp.TableRequest, service: Service, client: str) -> dict[str, Any]:
    rules = read_rules(request.rules, request.variant)
    seats, tokens = _seats(request, rules, service)
    host = new_token()
    setup = TableSetup(
        rules=rules.text(),
        num_players=len(seats),
        episode=request.episode,
        move_seconds=request.move_seconds,
        react_seconds=_react_seconds(request, service),
        absent_seconds=request.absent_seconds,
        stand_in=offered_bot(request.stand_in, service),
        bot_react_seconds=service.config.bot_react_seconds,
        bot_delay=service.config.bot_delay if request.bot_delay is None else request.bot_delay,
        spectators=request.spectators,
        seeded=request.seed is not None,
        seed=request.seed,
        host=token_hash(host),
        waiting_room=request.waiting_room,
        host_seat=min(tokens, default=None),
    )
    table = await service.lobby.create(setup, seats, client)
    created = [_created(seat, tokens.get(seat.number)) for seat in seats]
    return {"table": table.id, "host_token": host, "seats": created}


def _react_seconds(request: tp.TableRequest, service: Service) -> float | None:
    """Length of a reaction window: null is an answer, too."""
    is_given = "react_seconds" in request.model_fields_set
    return request.react_seconds if is_given else service.config.react_seconds


def _seats(
    request: tp.TableRequest, rules: Rules, service: Service
) -> tuple[list[Seat], dict[int, str]]:
    """The seats requested, the rest bots, and the tokens of the creator's."""
    wanted = request.seats if request.seats is not None else [tp.SeatRequest()]
    given = request.num_players
    try:
        size = len(wanted) if given is None and len(wanted) > 1 else given
        size = table_size(rules, size)
    except RulesError as error:
        raise ApiError("rules", str(error)) from None
    if len(wanted) > size:
        raise ApiError("invalid", f"seats has {len(wanted)} entries, num_players is {size}")
    seats: list[Seat] = []
    tokens: dict[int, str] = {}
    given_names = [entry.name for entry in wanted if entry.name]
    for number in range(size):
        entry = wanted[number] if number < len(wanted) else tp.SeatRequest(kind="bot")
        if entry.kind == "bot":
            seats.append(Seat(number, "bot", entry.name, offered_bot(entry.bot, service)))
            if request.waiting_room and entry.name is None:
                seats[-1].name = distinct_name(None, given_names, BOT_NAMES)
                given_names.append(seats[-1].name)
            continue
        seat = Seat(number, "human", entry.name, is_open=True)
        if not entry.open:
            others = [name for name in given_names if name != entry.name]
            others += [other.name for other in seats if other.name]
            tokens[number] = seat.claim(distinct_name(entry.name, others))
        seats.append(seat)
    return seats, tokens


def offered_bot(name: str | None, service: Service) -> str:
    name = name or service.config.default_bot
    service.bots.check(name)
    return name


def _created(seat: Seat, token: str | None) -> dict[str, Any]:
    created = {"seat": seat.number, "kind": seat.kind, "name": seat.name, "open": seat.is_open}
    if seat.bot is not None:
        created["bot"] = seat.bot
    return created if token is None else created | {"token": token}


def token_of(credentials: HTTPAuthorizationCredentials | None) -> str:
    if credentials is None:
        raise ApiError("token", "this call needs a token: Authorization: Bearer TOKEN")
    return credentials.credentials


async def own_seat(
    service: Service, table_id: str, credentials: HTTPAuthorizationCredentials | None
) -> tuple[HostedTable, Seat]:
    """The table and the seat of the caller, who counts as present."""
    token = token_of(credentials)
    table = await service.lobby.find(table_id)
    seat = table.seat_of(token)
    was_away = table.bot_for(seat) is not None
    seat.seen()
    if was_away:
        table.public_change()
    return table, seat


@router.get("/v1/tables/{table_id}", response_model=tp.TableInfo)
async def info(table_id: TableId, service: CurrentService) -> Any:
    """Rules, seats and status; nothing of the cards."""
    return table_info(await service.lobby.find(table_id))


@router.post("/v1/tables/{table_id}/join")
async def join(table_id: TableId, request: tp.JoinRequest, service: CurrentService) -> tp.Joined:
    """Take an open seat."""
    table = await service.lobby.find(table_id)
    seat, token = await service.lobby.join(table, request.name, request.seat)
    return tp.Joined(table=table.id, seat=seat.number, token=token)


@router.get("/v1/tables/{table_id}/view", response_class=Response,
            responses={200: {"model": tp.State, "content": {"application/json": {}}}})  # fmt: skip
async def view(
    table_id: TableId,
    service: CurrentService,
    credentials: Credentials,
    events_from: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> Response:
    """What the seat of the token may know now; without a token, what a spectator may."""
    if credentials is None:
        table = await service.lobby.find(table_id)
        if not table.setup.spectators:
            raise ApiError("no_spectators", "this table is not open to spectators")
        viewer, table.has_audience = None, True
    else:
        table, seat = await own_seat(service, table_id, credentials)
        viewer = seat.number
    message = state_message(table, viewer, events_from, whole=True)
    return Response(to_json(message), media_type="application/json")


@router.post("/v1/tables/{table_id}/act")
async def act(
    table_id: TableId, request: tp.MoveRequest, service: CurrentService, credentials: Credentials
) -> tp.Accepted:
    """Make a move; the response comes when it is stored."""
    table, seat = await own_seat(service, table_id, credentials)
    move = await service.lobby.act(table, seat, request.action, request.move)
    return tp.Accepted(move=move)


@router.post("/v1/tables/{table_id}/advice", response_model=p.ActResponse, **_SPARSE)
async def advice(
    table_id: TableId,
    request: tp.AdviceRequest,
    service: CurrentService,
    credentials: Credentials,
    raw: Request,
) -> Any:
    """What a bot advises."""
    table, seat = await own_seat(service, table_id, credentials)
    client = client_address(raw.scope)
    return await while_connected(raw, table_advice(service, table, seat, request.bot, client))


@router.post("/v1/tables/{table_id}/leave")
async def leave(table_id: TableId, service: CurrentService, credentials: Credentials) -> tp.Done:
    """Give the seat to the stand-in for good."""
    table, seat = await own_seat(service, table_id, credentials)
    await service.lobby.leave(table, seat)
    return tp.Done()


@router.post("/v1/tables/{table_id}/rematch")
async def rematch(table_id: TableId, service: CurrentService, credentials: Credentials) -> tp.Done:
    """Ask for another game with the same people."""
    token = token_of(credentials)
    table = await service.lobby.find(table_id)
    seat = None if table.is_host(token) else table.seat_of(token)
    if seat is not None:
        seat.seen()
    await service.lobby.request_rematch(table, seat)
    return tp.Done()


@router.get("/v1/tables/{table_id}/replay")
async def replay(table_id: TableId, service: CurrentService) -> tp.Replay:
    """The record of a game that is over, from which it can be played again move by move."""
    table = await service.lobby.find(table_id)
    if table.status not in (OVER, CLOSED):
        raise ApiError("not_over", "a replay shows every card, so it comes after the end")
    return tp.Replay(record=table.running.record(), names=table.names)


@router.post("/v1/tables/{table_id}/pace")
async def pace(
    table_id: TableId, request: tp.PaceRequest, service: CurrentService, credentials: Credentials
) -> tp.Done:
    """Let the bots play faster or slower; only the host may."""
    token = token_of(credentials)
    table = await service.lobby.find(table_id)
    if not table.may_host(token):
        raise ApiError("wrong_token", "only the host's token sets the pace of a table")
    await service.lobby.set_bot_delay(table, request.bot_delay)
    return tp.Done()


@router.delete("/v1/tables/{table_id}")
async def close(table_id: TableId, service: CurrentService, credentials: Credentials) -> tp.Done:
    """Close the table for everybody; only the host may."""
    token = token_of(credentials)
    table = await service.lobby.find(table_id)
    if not table.is_host(token):
        raise ApiError("wrong_token", "only the host's token closes a table")
    await service.lobby.close_table(table)
    return tp.Done()
