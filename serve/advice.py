"""The coach: what a bot would do in the place of the person who is asked."""

from typing import Any

from uno_env.history import visible_events

from .answers import decision_answer
from .errors import ApiError
from .question import Question
from .seats import Seat
from .service import Service
from .table import HostedTable


async def table_advice(
    service: Service, table: HostedTable, seat: Seat, name: str | None
) -> dict[str, Any]:
    """The advice of a bot for the decision a seat is asked for."""
    bot = await service.bots.get(name or service.config.default_bot)
    game = table.running
    if table.asked is not seat:
        raise ApiError("not_your_decision", "this seat has nothing to decide now")
    view = game.view(seat.number)
    view["events"] = visible_events(table.stage.history, seat.number)
    question = Question.of_game(game, view)
    decision = await bot.decide(question, advice=True)
    return decision_answer(bot.name, question, decision, True, table.names)
