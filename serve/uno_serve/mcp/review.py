"""Reviewing a finished game: where a bot would have decided otherwise, and how sure it was."""

from typing import Any

from uno_env.text.language import Language, words_of

from ..api import protocol as p
from ..client import Client
from ..tables.review import past_decisions

BATCH = 32
MOST_FOUND = 10


def review(
    client: Client, record: dict[str, Any], seat: int, bot: str | None, lang: Language
) -> dict[str, Any]:
    """The decisions of a seat in which a bot disagrees, those it is surest of first.

    Args:
        client: the server that has the bot.
        record: what the replay of a finished table holds.
        seat: whose decisions.
        bot: who judges; the server's default if None.
        lang: language of the words.
    """
    asked, words = list(past_decisions(record, seat)), words_of(lang)
    found = []
    for first in range(0, len(asked), BATCH):
        part = asked[first : first + BATCH]
        requests = [
            {"view": view, "advice": True} | ({"bot": bot} if bot else {}) for _, view, _ in part
        ]
        answers = client.act_batch(requests)
        for (number, view, chosen), answer in zip(part, answers, strict=True):
            if isinstance(answer, p.ActResponse) and answer.action != chosen:
                names = [words.say("seat", seat=other) for other in range(view["num_players"])]
                found.append(
                    {
                        "decision": number,
                        "phase": view["phase"],
                        "hand": words.cards(view["hand"]),
                        "you_chose": words.action(chosen, view, names),
                        "bot_would": words.action(answer.action, view, names),
                        "bot_probability": _probability(answer, answer.action),
                        "yours_probability": _probability(answer, chosen),
                    }
                )
    found.sort(key=lambda row: row["yours_probability"] - row["bot_probability"])
    return {
        "decisions": len(asked),
        "agreed": len(asked) - len(found),
        "disagreements": found[:MOST_FOUND],
    }


def _probability(answer: p.ActResponse, action: str) -> float:
    for option in answer.legal or ():
        if option.action == action:
            return option.probability or 0.0
    return 1.0 if action == answer.action else 0.0
