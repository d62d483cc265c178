"""Search agents: `search` simulates in deals that fit its view, `oracle` in the true one.

make_agent("search:sims=500")      500 simulations a decision: reproducible
make_agent("search:ms=50")         as many as 50 ms allow: not reproducible
make_agent("search:sims=500,policy=pretrained:classic")      a network is the default policy
make_agent("search:sims=200,rollout=pretrained:classic,opponents=heuristic")     who plays rollouts
make_agent("search:sims=200,rollout=pretrained:classic,leaf=value,depth=4")      cut by its values
make_agent("oracle:sims=500")      sees every card; the others play as its rollouts do
"""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from uno_env.actions import action_id, action_text
from uno_env.envs.opponents import reset_agent
from uno_env.game import Game
from uno_env.state_io.determinize import any_deal
from uno_env.state_io.view import View

from ..advice import Advice, advise
from ..base import Agent, AgentError
from .monte_carlo import MonteCarloSearch
from .options import LINEAR, checked_budget, checked_depth, rollout_policies
from .prior import MIN_PROBABILITY
from .rollouts import RolloutPolicies
from .sequential_halving import ActionValue, Budget

_ALWAYS_TAKEN = frozenset({"call-uno", "catch"})
"""Taken without simulation: a call is free, and a catch costs only the seat that is caught."""

_KEY_FIELDS = (
    "seat", "phase", "hand", "hand_sizes", "top_card", "active_color", "direction", "pending",
    "draw_pile_size",
)  # fmt: skip
"""What of a view enters the random key. It only has to differ from position to position; a short
list keeps decisions the same when views get new fields."""


class Estimate(NamedTuple):
    """The estimated value of one legal action.

    Attributes:
        action: its text.
        q_value: its win probability, of the round, or of the match in a match.
        sims: simulations behind the value; with 0 it is meaningless.
    """

    action: str
    q_value: float
    sims: int


class _SearchBase:
    """What both agents share: the budget, the seed and the search."""

    def __init__(
        self,
        sims: int | None,
        ms: float | None,
        seed: int,
        policies: RolloutPolicies | None = None,
        depth: int | None = None,
    ) -> None:
        self._budget = Budget(*checked_budget(sims, ms))
        self.search = MonteCarloSearch(policies, checked_depth(depth))
        self._seed = 0
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """With a seed, decide as a new agent of that seed; nothing is kept between decisions."""
        if seed is None:
            return
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise AgentError(f"seed is {seed!r}; a whole number is needed")
        self._seed = seed

    @property
    def budget(self) -> Budget:
        """Simulations or milliseconds for one decision."""
        return self._budget

    @property
    def _options(self) -> str:
        sims, ms = self._budget.sims, self._budget.ms
        return f"sims={sims}" if ms is None else f"ms={ms:g}"

    def _evaluate(
        self,
        game: Game,
        legal: list[str],
        digest: str,
        knows_all: bool,
        default: str | None = None,
        probabilities: Mapping[str, float] | None = None,
    ) -> list[ActionValue]:
        by_id = {action_id(text): p for text, p in (probabilities or {}).items()}
        return self.search.evaluate(
            game.engine_arrays.games,
            game.engine_arrays.rules,
            game.rules.variant,
            [action_id(text) for text in legal],
            int(_hash(f"{self._seed} {digest}".encode()), 16),
            self._budget,
            knows_all,
            None if default is None else action_id(default),
            by_id or None,
        )


class SearchAgent(_SearchBase):
    """Simulates each legal action in many deals that fit what its seat knows and takes the best.

    The same view and seed give the same decision, whatever the hidden cards are and whatever was
    asked before (with `sims`; with `ms` the machine's speed decides how much is simulated).

    Args:
        sims: simulations a decision; 500 if neither is given.
        ms: milliseconds a decision instead.
        seed: with the view, fixes the sampled deals.
        policy: an agent whose action is the default, instead of the heuristic's. The probabilities
            of a network are the prior of the actions' values, and actions below 0.2 % are not
            simulated; without probabilities another action must lead by more than sampling noise.
        rollout: an agent that plays the rollouts, by batches; the heuristic if None.
        opponents: an agent that plays the other seats in them; `rollout` if None.
        leaf: `linear` values leaves by the hands of all seats; `value` by the value network of
            `rollout` or else of `policy`, at the first own decision after the cut.
        depth: decisions after which a rollout is cut; chosen by the budget if None.
    """

    def __init__(
        self,
        sims: int | None = None,
        ms: float | None = None,
        seed: int = 0,
        policy: Agent | None = None,
        rollout: Agent | None = None,
        opponents: Agent | None = None,
        leaf: str = LINEAR,
        depth: int | None = None,
    ) -> None:
        self._policy = policy
        policies = rollout_policies(policy, rollout, opponents, leaf)
        super().__init__(sims, ms, seed, policies, depth)

    def reset(self, seed: int | None = None) -> None:
        """With a seed, decide as a new agent of that seed, the policy included."""
        super().reset(seed)
        if seed is not None:
            reset_agent(self._policy, seed)

    def act(self, view: View, legal: list[str]) -> str:
        """The best of the legal actions."""
        if len(legal) == 1:
            return legal[0]
        for text in legal:
            if text in _ALWAYS_TAKEN:
                return text
        return self.evaluate(view, legal)[0].action

    def evaluate(self, view: View, legal: list[str]) -> list[Estimate]:
        """An estimate for every legal action, the one it would take first.

        The first need not have the highest value: the action of the heuristic, or of the policy,
        is kept unless another leads it by more than sampling noise, or than its prior.
        """
        if not legal:
            raise AgentError(f"seat {view['seat']} has nothing to decide: legal is empty")
        game = any_deal(view)
        unknown = sorted({action_id(text) for text in legal} - set(game.legal_ids()))
        if unknown:
            raise AgentError(f"{action_text(unknown[0])!r} is not legal in this view")
        if self._policy is None:
            return _estimates(self._evaluate(game, legal, _digest(view), knows_all=False), legal)
        default, probabilities, _ = advise(self._policy, view, legal)
        shares = probabilities or {}
        candidates = [
            text for text in legal if shares.get(text, 1.0) >= MIN_PROBABILITY or text == default
        ]
        values = self._evaluate(game, candidates, _digest(view), False, default, probabilities)
        rest = [Estimate(text, 0.0, 0) for text in legal if text not in candidates]
        return [*_estimates(values, candidates), *rest]

    def advise(self, view: View, legal: list[str]) -> Advice:
        """The action with its win probability."""
        best = self.evaluate(view, legal)[0]
        return Advice(best.action, None, best.q_value if best.sims else None)

    def __repr__(self) -> str:
        return f"<agent search:{self._options}>"


class OracleAgent(_SearchBase):
    """The same search with the true cards and the true draw pile. It cheats, by design.

    It has perfect information and takes its opponents for its rollout policy. That bounds nothing:
    against others a better answer may exist, even one that sees less.

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
        if game.actor is None:
            raise AgentError("the game is over: there is nothing to decide")
        legal = game.legal()
        digest = _digest(game.view(game.actor))
        values = self._evaluate(game, legal, digest, knows_all=True)
        return _estimates(values, legal)

    def act(self, view: View, legal: list[str]) -> str:
        """Refused: a view does not show the true cards."""
        raise AgentError(
            "oracle needs the game itself, act_game(game), and is given a view here: "
            "take search instead"
        )

    def __repr__(self) -> str:
        return f"<agent oracle:{self._options}, which sees all cards>"


def _digest(view: View) -> str:
    """A hash of the position as the seat sees it."""
    return _hash(json.dumps([view[field] for field in _KEY_FIELDS]).encode())


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _estimates(values: list[ActionValue], legal: list[str]) -> list[Estimate]:
    texts = {action_id(text): text for text in legal}
    return [Estimate(texts[each.action], each.q_value, each.sims) for each in values]
