"""Decisions as answers: what `/v1/act`, a batch and a table's advice say alike."""

from typing import Any

from pydantic_core import to_json

from uno_env.actions import action_text

from ..bots.bots import Decision
from .question import Question, say


def act_answer(bot: str, action: str, number: int, seat: int, num_players: int) -> bytes:
    """The JSON of a plain decision."""
    return to_json(_plain(bot, action, number, say(action, seat, num_players)))


def _plain(bot: str, action: str, number: int, sentence: str) -> dict[str, Any]:
    return {"bot": bot, "action": action, "id": number, "sentence": sentence}


def decision_answer(
    bot: str, question: Question, decision: Decision, advice: bool, names: list[str] | None = None
) -> dict[str, Any]:
    """A decision with, if wanted, the probability of every legal action."""
    seat, num_players = question.seat, question.view["num_players"]
    phase = question.view["phase"]
    action = action_text(decision.action, phase)
    answer = _plain(bot, action, decision.action, say(action, seat, num_players, names))
    if not advice:
        return answer
    shares = decision.probabilities or {decision.action: 1.0}
    answer["legal"] = [
        {
            "action": text,
            "id": number,
            "sentence": say(text, seat, num_players, names),
            "probability": shares.get(number, 0.0),
        }
        for text, number in zip(question.legal, question.ids, strict=True)
    ]
    answer["win_estimate"] = decision.win_estimate
    return answer
