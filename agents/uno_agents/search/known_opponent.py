"""Local best response: search against an opponent whose policy is known.

Lisy and Bowling 2017 (arXiv 1612.07547). The opponent's policy enters twice: the **belief** over
hidden cards weighs each sampled world by the probability with which the opponent would have made
its last play there, and in **rollouts** the opponent decides by its own policy. The searcher's own
seat is played on by `rollout_policy`, the opponent's policy again if none is given.
"""

from typing import Any

import numpy as np

from uno_env.actions import action_id
from uno_env.array_types import Doubles, Ints
from uno_env.engine import batch
from uno_env.envs.opponents import reset_agent
from uno_env.game import Game
from uno_env.state_io.determinize import any_deal
from uno_env.state_io.view import View
from uno_env.vector.vec import UnoVec

from ..base import BatchAgent
from .kernels.belief import take_back_plays

ALWAYS_TAKEN = frozenset({"call-uno", "catch"})
"""Taken without simulation: a call is free, and a catch costs only the seat that is caught."""
TREMBLE = 0.05
"""Weight of a world in which the opponent's policy would have played otherwise: policies that
answer with one action only look surer than they are."""
CANDIDATE_WORLDS = 4
"""Worlds that are weighed for each one that is kept."""
LEAD_ERRORS = 0.5
"""Standard errors by which an action must lead the rollout policy's own."""


class KnownOpponentSearch:
    """Simulates each legal action against the known opponent and takes the best.

    Args:
        opponent: the policy of every other seat.
        rollout_policy: of the own seat after the simulated action.
        sims: simulations a decision, shared among its actions.
        depth: decisions of a rollout; a game that is not over by then counts as the chance level.
        seed: fixes worlds and rollouts; with it the same view gives the same decision.
    """

    def __init__(
        self,
        opponent: BatchAgent,
        rollout_policy: BatchAgent | None = None,
        sims: int = 128,
        depth: int = 80,
        seed: int = 0,
    ) -> None:
        self._opponent, self._own = opponent, rollout_policy or opponent
        self._sims, self._depth = sims, depth
        self._vecs: dict[tuple[str, int], UnoVec] = {}
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """With a seed, decide as a new agent of that seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
            reset_agent(self._opponent, seed)
            reset_agent(self._own, seed + 1)

    def act(self, view: View, legal: list[str]) -> str:
        """The best of the legal actions."""
        if len(legal) == 1:
            return legal[0]
        for text in legal:
            if text in ALWAYS_TAKEN:
                return text
        returns, default = self.simulate(view, legal)
        lead = returns - returns[:, [default]]
        error = lead.std(axis=0) / np.sqrt(len(lead)) + 1e-9
        return legal[int((lead.mean(axis=0) - LEAD_ERRORS * error * (lead.any(axis=0))).argmax())]

    def simulate(self, view: View, legal: list[str]) -> tuple[Doubles, int]:
        """Returns (worlds, actions) of the seat, and the index of the rollout policy's action."""
        game, seat = any_deal(view), int(view["seat"])
        v = self._vec(game)
        worlds = self._worlds(v, game, seat, max(2, self._sims // len(legal)))
        ids = np.array([action_id(text) for text in legal])
        records = np.repeat(worlds, len(ids))
        actions = np.tile(ids, len(worlds))
        v.restore(_padded(records, v.num_envs))
        own = int(self._own.act_batch(v.obs[:1], v.mask[:1])[0])
        returns = self._roll_out(v, seat, actions, game.num_players)
        default = int(np.flatnonzero(ids == own)[0]) if own in ids else 0
        return returns.reshape(len(worlds), len(ids)), default

    def _vec(self, game: Game) -> UnoVec:
        """A batch for these rules and this table; actions never outnumber the simulations."""
        key = (game.rules.text(), game.num_players)
        if key not in self._vecs:
            self._vecs[key] = UnoVec(game.rules, max(256, 2 * self._sims), game.num_players)
            self._vecs[key].reset(0)
        return self._vecs[key]

    def _worlds(self, v: UnoVec, game: Game, seat: int, count: int) -> Any:
        """Worlds that fit what the seat knows, drawn by how well they explain the last play."""
        many = min(v.num_envs, CANDIDATE_WORLDS * count)
        records = np.repeat(game.engine_arrays.games, many)
        streams = self._rng.integers(0, 2**64, many, np.uint64)
        batch.determinize_batch(records, game.engine_arrays.rules, 0, many, seat, streams)
        before = records.copy()
        face = take_back_plays(before, game.engine_arrays.rules, seat)
        weights = np.ones(many)
        if face >= 0:
            weights = TREMBLE + self._probabilities(v, before, int(face))
        return records[self._rng.choice(many, count, p=weights / weights.sum())]

    def _probabilities(self, v: UnoVec, before: Any, face: int) -> Doubles:
        """How probably the opponent plays this face in each position."""
        v.restore(_padded(before, v.num_envs))
        obs, mask = v.obs[: len(before)], v.mask[: len(before)]
        if hasattr(self._opponent, "probabilities_batch") and getattr(
            self._opponent, "sample", False
        ):
            probabilities, _ = self._opponent.probabilities_batch(obs, mask)
            found: Doubles = probabilities[:, face].astype(float)
            return found
        taken: Doubles = (self._opponent.act_batch(obs, mask) == face).astype(float)
        return taken

    def _roll_out(self, v: UnoVec, seat: int, actions: Ints, num_players: int) -> Doubles:
        """Win shares of the seat after these first actions, each row with its own world."""
        used = len(actions)
        chance = 1.0 / num_players
        returns, over = np.full(used, chance), np.zeros(used, bool)
        ids = v.mask.argmax(axis=1)
        ids[:used] = actions
        for _ in range(self._depth):
            v.step(ids)
            ended = (v.done[:used] > 0) & ~over
            won = v.rewards[:used, seat]
            returns[ended] = np.where(v.void[:used], chance, won > 0)[ended]
            over |= ended
            if over.all():
                break
            ids = v.mask.argmax(axis=1)
            rows = np.flatnonzero(~over)
            mine = v.actor[rows] == seat
            for agent, part in ((self._own, rows[mine]), (self._opponent, rows[~mine])):
                if len(part):
                    ids[part] = agent.act_batch(v.obs[part], v.mask[part])
        return returns

    def __repr__(self) -> str:
        return f"<search against the known {self._opponent!r}>"


def _padded(records: Any, size: int) -> Any:
    """Records for a whole batch; rows behind them repeat the first and are not looked at."""
    # By index: concatenation would lay the fields of the records out anew.
    return records[np.arange(size) * (np.arange(size) < len(records))]
