"""Routes of the people around a table: looking tables up, being ready, who sits where."""

import contextlib
from typing import Any

from fastapi import APIRouter

from ..errors import ApiError
from ..tables.state import table_info
from . import protocol as p
from . import table_protocol as tp
from .routes import CurrentService
from .table_routes import Credentials, TableId, offered_bot, own_seat, token_of

router = APIRouter(tags=["tables"])


@router.post("/v1/lookup", response_model=tp.LookupResponse)
async def lookup(request: tp.LookupRequest, service: CurrentService) -> Any:
    """Which of these tables are still there, and how they stand."""
    found = []
    for table_id in dict.fromkeys(request.tables):
        with contextlib.suppress(ApiError):
            found.append(table_info(await service.lobby.find(table_id)))
    return {"tables": found}


@router.post("/v1/tables/{table_id}/ready")
async def ready(
    table_id: TableId, request: tp.ReadyRequest, service: CurrentService, credentials: Credentials
) -> tp.Done:
    """Say in a waiting room that one is ready to begin, or not yet."""
    table, seat = await own_seat(service, table_id, credentials)
    await service.lobby.rooms.set_ready(table, seat, request.ready)
    return tp.Done()


@router.post("/v1/tables/{table_id}/seats/{seat}")
async def change_seat(
    table_id: TableId,
    seat: p.SeatNumber,
    request: tp.SeatChange,
    service: CurrentService,
    credentials: Credentials,
) -> tp.Done:
    """Put a bot on a seat or open it; only the host may, and a person there loses it."""
    token = token_of(credentials)
    table = await service.lobby.find(table_id)
    if not table.may_host(token):
        raise ApiError("wrong_token", "only the host changes who sits at a table")
    bot = offered_bot(request.bot, service)
    await service.lobby.rooms.change_seat(table, seat, request.kind, bot, request.name)
    return tp.Done()
