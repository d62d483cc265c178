"""The quiz: positions with a clear best action, and how many of them an agent answers right.

`uno-arena quiz SPEC ...` asks agents about every position of `quiz.json`. Long search with two
rollout policies agrees on the best action of each; `python -m benchmarks.make_quiz` finds them.
A position is kept as the deal and the actions that lead to it; agents get the view of its actor.
"""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from uno_env import Game
from uno_env.actions import action_text
from uno_env.envs.opponents import reset_agent
from uno_env.state_io.view import View
from uno_env.text import describe
from uno_env.text.language import Language

from ..play.agent_calls import Fault, GuardedAgent
from ..play.entrants import AgentLike, build_agent
from ..stats.intervals import Estimate, binomial_interval

FORMAT = "uno-quiz-2"
"""Of the file; other positions are another format."""
SHIPPED = Path(__file__).with_name("quiz.json")


class QuizError(ValueError):
    """A file that is no quiz, or a variant that it does not ask about."""


@dataclass(frozen=True)
class QuizPosition:
    """One question.

    Args:
        values: for each legal action its win probability by either rollout policy.
        seed: of the deal.
        actions: taken since the deal.
        replay: format of the record that the actions are of; 1 has the ids of the first table.
    """

    id: str
    variant: str
    players: int
    phase: str
    best: str
    values: dict[str, tuple[float, float]]
    seed: int
    actions: tuple[int, ...]
    replay: int | str = 1

    @cached_property
    def game(self) -> Game:
        """The game at this position."""
        return Game.replay(
            {
                "format": self.replay,
                "rules": self.variant,
                "num_players": self.players,
                "seed": self.seed,
                "episode": "round",
                "actions": list(self.actions),
            }
        )

    @property
    def seat(self) -> int:
        """Whose decision it is."""
        actor = self.game.actor
        if actor is None or self.game.legal() != list(self.values):
            raise QuizError(f"{self.id} leads to another position than its file says")
        return actor

    def view(self) -> View:
        """What the seat may know."""
        return self.game.view(self.seat)

    def prompt(self, lang: Language = "en") -> str:
        """The position as a language model reads it."""
        return describe(self.view(), lang)


@dataclass(frozen=True)
class Answer:
    """What an agent said to a question; without an action it forfeited, with the reason."""

    position: str
    variant: str
    action: str | None
    is_right: bool
    reason: str = ""


@dataclass(frozen=True)
class QuizScore:
    """All answers of an agent."""

    agent: str
    answers: tuple[Answer, ...]
    usage: dict[str, float] = field(default_factory=dict)

    def rate(self, variant: str | None = None) -> Estimate:
        """Share of questions answered right, of one variant or of all, with its interval."""
        right, asked = self.counts(variant)
        return binomial_interval(right, asked)

    def counts(self, variant: str | None = None) -> tuple[int, int]:
        """Right answers, and questions."""
        mine = [each for each in self.answers if variant in (None, each.variant)]
        return sum(each.is_right for each in mine), len(mine)

    @property
    def forfeits(self) -> int:
        """Questions without a legal answer."""
        return sum(each.action is None for each in self.answers)


def load_quiz(
    variants: Sequence[str] | None = None, path: str | Path = SHIPPED
) -> list[QuizPosition]:
    """The questions of a file, of all variants or of some."""
    data: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    if data.get("format") != FORMAT:
        raise QuizError(f"{path} has format {data.get('format')!r}; {FORMAT!r} is needed")
    known = data["variants"]
    for variant in variants or ():
        if variant not in known:
            raise QuizError(f"the quiz does not ask about {variant!r}; it has {', '.join(known)}")
    return [
        QuizPosition(
            **{key: value for key, value in each.items() if key not in ("values", "actions")},
            variant=variant,
            values={action: tuple(pair) for action, pair in each["values"].items()},
            actions=tuple(each["actions"]),
        )
        for variant in (variants or known)
        for each in known[variant]
    ]


def chance_of(positions: Sequence[QuizPosition]) -> float:
    """What a uniformly random choice gets right on average."""
    return sum(1 / len(position.values) for position in positions) / len(positions)


def take_quiz(agent: AgentLike, positions: Sequence[QuizPosition], seed: int = 0) -> QuizScore:
    """Ask an agent every question; one that is concurrent is asked several at the same time.

    The random numbers behind an answer follow from the seed and the question, not from the order.
    """
    guarded = GuardedAgent(lambda: build_agent(agent, seed))
    questions = list(enumerate(positions))
    if guarded.interface == "concurrent" and not guarded.broken:
        with ThreadPoolExecutor(guarded.agent.concurrency) as pool:
            answers = list(pool.map(lambda q: _answer(guarded, q[1], seed + q[0]), questions))
    else:
        answers = [_answer(guarded, position, seed + number) for number, position in questions]
    usage = getattr(guarded.agent, "usage", None)
    name = agent if isinstance(agent, str) else str(getattr(agent, "name", type(agent).__name__))
    return QuizScore(name, tuple(answers), dict(usage()) if callable(usage) else {})


def _answer(agent: GuardedAgent, position: QuizPosition, seed: int) -> Answer:
    asked = agent.for_game(seed)
    if asked.interface != "concurrent":
        reset_agent(asked.agent, seed)
    try:
        action = action_text(asked.act(position.game, position.seat), position.phase)
    except Fault as fault:
        return Answer(position.id, position.variant, None, False, str(fault))
    return Answer(position.id, position.variant, action, action == position.best)
