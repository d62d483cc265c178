"""The coach: what a bot would do in the place of the person who is asked."""

from typing import Any

from ..api.answers import decision_answer
from ..api.errors import ApiError
from ..service import Service
from ..tables.hosted_table import HostedTable
from ..tables.seats import Seat


async def table_advice(
    service: Service, table: HostedTable, seat: Seat, name: str | None
) -> dict[str, Any]:
    """The advice of a bot for the decision a seat is asked for."""
    bot = await service.bots.get(name or service.config.default_bot)
    if table.asked is not seat:
        table.running  # noqa: B018 - says why nobody is asked
        raise ApiError("not_your_decision", "this seat has nothing to decide now")
    question = table.question(seat)
    decision = await bot.decide(question, advice=True)
    return decision_answer(bot.name, question, decision, True, table.names)
