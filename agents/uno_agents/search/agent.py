"""Search agents: `search` looks ahead in deals that fit its view, `oracle` in the true one.

make_agent("search:sims=500")      500 simulations a decision: reproducible
make_agent("search:ms=50")         as many as 50 ms allow: not reproducible
make_agent("search:sims=500,policy=pretrained:classic")      begins from what a network would do
make_agent("oracle:sims=500")      sees every card: no fair opponent, but the ceiling of skill
"""

import hashlib
import json
from typing import NamedTuple

from uno_env.actions import action_id, action_text
from uno_env.game import Game
from uno_env.state_io.determinize import any_deal
from uno_env.state_io.view import View

from ..advice import Advice, advise
from ..base import Agent, AgentError
from .lookahead import Budget, Lookahead, Outlook

USUAL_SIMS = 500
UNLIKELY = 0.02
"""Actions that a policy finds less probable are not simulated."""
MOST_SIMS = 10_000_000
MOST_MS = 600_000.0

_NO_THOUGHT = frozenset({"call-uno", "catch"})
"""Never worth a simulation: a call costs nothing, a catch costs only the one caught."""


class Estimate(NamedTuple):
    """What a search thinks of one legal action.

    Attributes:
        action: its text.
        win: the chance to win with it, of the round, or of the match in a match.
        sims: simulations behind that number; with 0 it says nothing.
    """

    action: str
    win: float
    sims: int


class _Searcher:
    """What both agents share: the budget, the seed, the rooms to search in."""

    def __init__(self, sims: int | None, ms: float | None, seed: int) -> None:
        self._budget = Budget(*_checked(sims, ms))
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise AgentError(f"seed is {seed!r}; a whole number is needed")
        self._seed = seed
        self.lookahead = Lookahead()

    @property
    def _options(self) -> str:
        sims, ms = self._budget.sims, self._budget.ms
        return f"sims={sims}" if ms is None else f"ms={ms:g}"

    def _look(
        self, game: Game, legal: list[str], luck: str, knows_all: bool, favourite: str | None = None
    ) -> list[Outlook]:
        return self.lookahead.look(
            game._games,
            game._rules,
            game.rules.variant,
            [action_id(text) for text in legal],
            int(_hash(f"{self._seed} {luck}".encode()), 16),
            self._budget,
            knows_all,
            None if favourite is None else action_id(favourite),
        )


class SearchAgent(_Searcher):
    """Simulates each legal action in many deals that fit what its seat knows, and takes the best.

    The same view and seed give the same decision, whatever the hidden cards are and whatever was
    asked before (with `sims`; with `ms` the machine's speed decides how much is simulated).

    Args:
        sims: simulations a decision; 500 if neither is given.
        ms: milliseconds a decision instead.
        seed: with the view, fixes the deals it imagines.
        policy: an agent whose choice is kept unless another action surely leads it, instead of
            the heuristic's; what it finds very unlikely is not simulated.
    """

    def __init__(
        self,
        sims: int | None = None,
        ms: float | None = None,
        seed: int = 0,
        policy: Agent | None = None,
    ) -> None:
        super().__init__(sims, ms, seed)
        self._policy = policy

    def act(self, view: View, legal: list[str]) -> str:
        """The best of the legal actions."""
        if len(legal) == 1:
            return legal[0]
        for text in legal:
            if text in _NO_THOUGHT:
                return text
        return self.evaluate(view, legal)[0].action

    def evaluate(self, view: View, legal: list[str]) -> list[Estimate]:
        """An estimate for every legal action, the one it would take first.

        The first need not have the highest number: the choice of the heuristic, or of the policy,
        is kept unless another action leads it by more than chance explains.
        """
        if not legal:
            raise AgentError(f"seat {view['seat']} has nothing to decide: legal is empty")
        game = any_deal(view)
        unknown = sorted({action_id(text) for text in legal} - set(game.legal_ids()))
        if unknown:
            raise AgentError(f"{action_text(unknown[0])!r} is not legal in this view")
        if self._policy is None:
            return _estimates(self._look(game, legal, _digest(view), knows_all=False), legal)
        hint = advise(self._policy, view, legal)
        odds = hint.probabilities or {}
        likely = [text for text in legal if odds.get(text, 1.0) >= UNLIKELY or text == hint.action]
        found = self._look(game, likely, _digest(view), knows_all=False, favourite=hint.action)
        rest = [Estimate(text, 0.0, 0) for text in legal if text not in likely]
        return [*_estimates(found, likely), *rest]

    def advise(self, view: View, legal: list[str]) -> Advice:
        """The action with its chance to win."""
        best = self.evaluate(view, legal)[0]
        return Advice(best.action, None, best.win if best.sims else None)

    def __repr__(self) -> str:
        return f"<agent search:{self._options}>"


class OracleAgent(_Searcher):
    """The same search with the true cards and the true draw pile. It cheats, by design.

    Args:
        sims: simulations a decision; 500 if neither is given.
        ms: milliseconds a decision instead.
        seed: fixes how the rollouts break ties.
    """

    cheats = True

    def __init__(self, sims: int | None = None, ms: float | None = None, seed: int = 0) -> None:
        super().__init__(sims, ms, seed)

    def act_game(self, game: Game) -> str:
        """The best of the game's legal actions, all cards known."""
        legal = game.legal()
        if len(legal) == 1:
            return legal[0]
        return self.evaluate_game(game)[0].action

    def evaluate_game(self, game: Game) -> list[Estimate]:
        """An estimate for every legal action, the one it would take first."""
        if game.over:
            raise AgentError("the game is over: there is nothing to decide")
        legal = game.legal()
        found = self._look(game, legal, _hash(game._games.tobytes()), knows_all=True)
        return _estimates(found, legal)

    def act(self, view: View, legal: list[str]) -> str:
        """Refused: a view does not show the true cards."""
        raise AgentError(
            "oracle needs the game itself, act_game(game), and is given a view here: "
            "take search instead"
        )

    def __repr__(self) -> str:
        return f"<agent oracle:{self._options}, which sees all cards>"


def _checked(sims: object, ms: object) -> tuple[int | None, float | None]:
    if sims is not None and ms is not None:
        raise AgentError(f"sims is {sims} and ms is {ms}; give one of them")
    if ms is not None:
        if isinstance(ms, bool) or not isinstance(ms, (int, float)) or not 0 < ms <= MOST_MS:
            raise AgentError(f"ms is {ms!r}; a number above 0, up to {MOST_MS:,.0f}, is needed")
        return None, float(ms)
    if sims is None:
        sims = USUAL_SIMS
    if isinstance(sims, bool) or not isinstance(sims, int) or not 1 <= sims <= MOST_SIMS:
        raise AgentError(f"sims is {sims!r}; a whole number from 1 to {MOST_SIMS:,} is needed")
    return sims, None


def _digest(view: View) -> str:
    """What the seat knows now, as a short text; how the game came here is no part of it."""
    known = {key: value for key, value in view.items() if key != "events"}
    return _hash(json.dumps(known, sort_keys=True).encode())


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _estimates(found: list[Outlook], legal: list[str]) -> list[Estimate]:
    texts = {action_id(text): text for text in legal}
    return [Estimate(texts[one.action], one.win, one.sims) for one in found]
