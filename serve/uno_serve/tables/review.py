"""Reviewing a finished game: what each decision of a seat was worth, estimated by simulation.

Only what the seat could know enters an estimate: the search deals the hidden cards anew.
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from pydantic_core import to_json
from uno_agents.search.agent import SearchAgent

from uno_env import Game, ReplayError
from uno_env.state_io.view import View

from ..errors import ApiError

REVIEW_SIMS = 1_000
"""Simulations a decision, shared by its legal actions: 5 to 60 ms."""
CACHED_REVIEWS = 256
_ALWAYS_BEST = ("call-uno", "catch")
"""A call is free, and a catch costs only the seat that is caught."""


class PastDecision(NamedTuple):
    """A decision of a seat that had a choice.

    Attributes:
        step: number of the action in the record, from 1.
        view: what the seat knew.
        action: what it chose.
    """

    step: int
    view: View
    action: str


def past_decisions(record: dict[str, Any], seat: int) -> Iterator[PastDecision]:
    """Every decision of a seat that had more than one legal action."""
    whole = Game.replay(record)
    game = Game.replay({**record, "actions": []})
    for step, action in enumerate(whole.record()["actions"], start=1):
        if game.actor == seat and len(game.legal()) > 1:
            text = action if isinstance(action, str) else _text(game, action)
            # A fault, where the rules have a penalty for it, is no choice among the legal actions.
            if text is not None:
                yield PastDecision(step, game.view(seat), text)
        game.step(action)


def _text(game: Game, number: int) -> str | None:
    ids = game.legal_ids()
    return game.legal()[ids.index(number)] if number in ids else None


class Reviewer:
    """Reviews pages of decisions in one thread, and keeps the latest.

    Args:
        most_actions: of the longest record.
    """

    def __init__(self, most_actions: int) -> None:
        self._most_actions = most_actions
        # Its own thread, so that neither replays nor bots wait for it.
        self._thread = ThreadPoolExecutor(1, "reviews")
        self._bodies: OrderedDict[tuple[str, int, int, int], bytes] = OrderedDict()

    async def page(self, record: dict[str, Any], seat: int, first: int, count: int) -> bytes:
        """Decisions `first` to `first + count` of a seat, as JSON."""
        actions = record.get("actions")
        if not isinstance(actions, list) or len(actions) > self._most_actions:
            message = f"record.actions must be a list of at most {self._most_actions} actions"
            raise ApiError("invalid", message)
        key = (hashlib.sha256(to_json(record)).hexdigest(), seat, first, count)
        if key not in self._bodies:
            loop = asyncio.get_running_loop()
            self._bodies[key] = await loop.run_in_executor(self._thread, _body, record, *key[1:])
            while len(self._bodies) > CACHED_REVIEWS:
                self._bodies.popitem(last=False)
        return self._bodies[key]

    def close(self) -> None:
        """Stop the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _body(record: dict[str, Any], seat: int, first: int, count: int) -> bytes:
    return to_json(review_page(record, seat, first, count))


def review_page(record: dict[str, Any], seat: int, first: int, count: int) -> dict[str, Any]:
    """Decisions `first` to `first + count` of a seat, each with the chance of winning it left."""
    try:
        decisions = list(past_decisions(record, seat))
    except (ReplayError, ValueError, TypeError, KeyError) as error:
        raise ApiError("invalid", f"record: {error}") from None
    agent = SearchAgent(sims=REVIEW_SIMS)
    return {
        "seat": seat,
        "total": len(decisions),
        "decisions": [_judged(agent, each) for each in decisions[first : first + count]],
    }


def _judged(agent: SearchAgent, decision: PastDecision) -> dict[str, Any]:
    """A decision with the win probability of each legal action, the best one first."""
    legal = decision.view["legal"]
    estimates = agent.evaluate(decision.view, legal)
    best = next((text for text in legal if text in _ALWAYS_BEST), estimates[0].action)
    wins = {estimate.action: estimate.q_value for estimate in estimates if estimate.sims}
    win, best_win = wins.get(decision.action), wins.get(best)
    cost = 0.0
    if win is not None and best_win is not None and best != decision.action:
        cost = max(0.0, best_win - win)
    return {
        "step": decision.step,
        "phase": decision.view["phase"],
        "pending": decision.view["pending"],
        "action": decision.action,
        "best": best,
        "win": win,
        "best_win": best_win,
        "cost": cost,
        "legal": [{"action": text, "win": wins.get(text)} for text in legal],
    }
