"""Reaction windows: fixed pauses that hide whether anybody has a hidden decision to make.

A seat that may jump in, or play the card it has drawn, holds certain cards; if the table waited for
it and else went on at once, the wait would tell everybody. So after each move after which somebody
might be asked, whoever might look on waits equally long. All seats that are asked decide during
that time, at once; their decisions are made in the order of the rules shortly before its end, and
everybody sees the outcome at its end.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from uno_env import Game
from uno_env.actions import KEEP, PASS
from uno_env.engine.tables import HIDDEN_PHASE_NAMES

from ..errors import ApiError

MARGIN_SECONDS, MARGIN_SHARE = 0.15, 0.25
"""Decisions are due so long, or this share of the window, before its end: storing them takes a
while, and the end must not depend on it."""


def is_hidden(game: Game) -> bool:
    """Whether nobody but the seat to act may know of the decision to make."""
    return game.phase in HIDDEN_PHASE_NAMES


def is_silent(action: int) -> bool:
    """Whether an action in a hidden decision changes nothing that others see."""
    return action in (PASS, KEEP)


def silent_action(game: Game) -> int:
    """The action that counts if the seat to act does not answer."""
    legal = game.legal_ids()
    return next((action for action in legal if is_silent(action)), legal[0])


def hidden_questions(game: Game) -> "dict[int, Question]":
    """A question for each seat that is asked if all before it do nothing."""
    questions: dict[int, Question] = {}
    while is_hidden(game) and game.actor is not None and game.actor not in questions:
        silent = silent_action(game)
        questions[game.actor] = Question(game.clone(), silent)
        if not is_silent(silent):
            break
        game = game.clone()
        game.step(silent)
    return questions


@dataclass
class Question:
    """What one seat is asked during a window.

    Attributes:
        game: the game if all before it do nothing.
        silent: the action that counts if it does not answer.
        answer: the action it has chosen.
        made: the number of the move, once it is stored.
    """

    game: Game
    silent: int
    answer: int | None = None
    made: "asyncio.Future[int] | None" = None

    def accept(self, move: int) -> None:
        """The answer is stored as a move of this number."""
        if self.made is not None and not self.made.done():
            self.made.set_result(move)

    def refuse(self, error: ApiError) -> None:
        """The answer came to nothing."""
        if self.made is not None and not self.made.done():
            self.made.set_exception(error)
            # Retrieved here, in case nobody waits any more.
            self.made.exception()


@dataclass
class ReactionWindow:
    """An open window.

    Attributes:
        begins, ends: by the monotonic clock.
        seat, action: the move that opened it, as far as everybody may know; None after a deal.
        waits_for: people whose answers end the window early, because nobody else looks on.
        questions: by seat.
    """

    begins: float
    ends: float
    seat: int | None = None
    action: str | None = None
    waits_for: frozenset[int] = frozenset()
    questions: dict[int, Question] = field(default_factory=dict)

    @property
    def answers_until(self) -> float:
        """When answers are due."""
        return self.ends - min(MARGIN_SECONDS, MARGIN_SHARE * (self.ends - self.begins))

    @property
    def is_answered(self) -> bool:
        """Whether everybody has answered for whom alone the table waits."""
        asked = [self.questions[seat] for seat in self.waits_for if seat in self.questions]
        return all(question.answer is not None for question in asked)

    def answer(self, seat: int, action: int) -> "asyncio.Future[int]":
        """Keep the answer of a seat; the number of its move follows when it is stored."""
        question = self.questions[seat]
        if question.answer not in (None, action):
            raise ApiError("stale_move", "this seat has decided already")
        question.answer = action
        if question.made is None:
            question.made = asyncio.get_running_loop().create_future()
        return question.made

    def close(self) -> None:
        """Refuse the answers that came to nothing."""
        for question in self.questions.values():
            question.refuse(ApiError("not_your_decision", "somebody else was first"))

    def public(self, now: float) -> dict[str, Any]:
        """What everybody is told, whether anybody is asked or not."""
        seconds = round(max(0.0, self.ends - now), 2)
        return {"seat": self.seat, "action": self.action, "seconds": seconds}
