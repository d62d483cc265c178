"""The league: who sits where. The learner, its past selves, and fixed opponents by spec string.

Each game has a row of the seat table. A game of self-play has the learner on every seat; else one
seat (in Teams: one team) is the learner's, the next one in each new game, and the others are all
taken by one past self or one opponent.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from uno_agents.base import BatchAgent, batch_form
from uno_agents.neural.network import PolicyNetwork
from uno_agents.neural.policy_overrides import heuristic_actions
from uno_agents.registry import make_agent

from uno_env.actions import MAX_SEATS
from uno_env.array_types import Bytes, Ints

from .canonical_input import see, turned
from .sampling import leaning, sample
from .tables import Table

Weights = dict[str, torch.Tensor]

LEARNER, PAST = 0, 1
"""Numbers in the seat table; fixed opponents follow from 2 on."""
POOL_SIZE = 12


class PastSelf:
    """An earlier state of the learner, one at a time, drawn anew from the pool each round.

    One at a time, so that all past selves at all tables cost a single network call a step.
    """

    def __init__(self, network: PolicyNetwork, leans: float = 0.0) -> None:
        self.network = copy.deepcopy(network)
        self.leans = leans
        self.pool: list[Weights] = []

    def remember(self, network: PolicyNetwork, rng: np.random.Generator) -> None:
        """Put the present learner into the pool; a random one leaves when it is full."""
        if len(self.pool) == POOL_SIZE:
            self.pool.pop(int(rng.integers(POOL_SIZE)))
        self.pool.append({name: w.detach().clone() for name, w in network.state_dict().items()})

    def wake(self, rng: np.random.Generator) -> None:
        """Become one of the pool."""
        self.network.load_state_dict(self.pool[int(rng.integers(len(self.pool)))])

    def act(self, obs: Bytes, mask: Bytes, noise: torch.Generator) -> Ints:
        """Actions drawn from its policy."""
        with torch.inference_mode():
            sight = see(self.network, obs, mask)
            logits, _ = self.network.forward_canonical(sight.inputs, sight.mask)
            if self.leans:
                advice = turned(self.network, sight, heuristic_actions(obs, mask))
                logits = leaning(logits, advice, self.leans)
            choice, _ = sample(logits, noise)
            raw = self.network.read_actions[sight.code].gather(1, choice[:, None])[:, 0]
        ids: Ints = raw.cpu().numpy()
        return ids


class Opponent(NamedTuple):
    """A fixed opponent and the share of games it plays."""

    spec: str
    share: float
    agent: BatchAgent


class League:
    """The seat table of a batch of games, and everybody who sits there.

    Args:
        tables: the kinds of tables; game i is at table i modulo their number.
        games: number of games.
        network: the learner's, whose past is remembered.
        past_share: share of games against a past self.
        opponents: share of games for each agent spec; the rest is self-play.
        seed: fixes seats and the opponents' luck.
        leans: how much the learner leans on `heuristic`.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        games: int,
        network: PolicyNetwork,
        past_share: float,
        opponents: Mapping[str, float],
        seed: int,
        leans: float = 0.0,
    ) -> None:
        self.past = PastSelf(network, leans)
        self.opponents = [
            Opponent(spec, share, batch_form(make_agent(spec, seed)))
            for spec, share in opponents.items()
        ]
        shares = [0.0, past_share, *(opponent.share for opponent in self.opponents)]
        shares[LEARNER] = max(0.0, 1 - sum(shares))
        self._shares = np.cumsum(shares) / sum(shares)
        self.seed = seed
        rotations = np.array([table.rotations for table in tables])
        self._rotations = rotations[np.arange(games) % len(tables)]
        # Games that start together start with the learner on different seats.
        self._first_turns = np.arange(games) // len(tables)
        self.turns = self._first_turns.copy()
        self.seats = np.zeros((games, MAX_SEATS), np.int8)

    def begin(self, seed: int, rng: np.random.Generator) -> None:
        """Seat players in all games, which begin together."""
        self.seed = seed
        self.turns[:] = self._first_turns
        self.seat(np.arange(len(self.turns)), rng)

    def seat(self, games: Ints, rng: np.random.Generator) -> None:
        """Seat new players in these games."""
        draws = rng.random(len(games))
        kind = np.searchsorted(self._shares, draws, side="right").clip(max=len(self._shares) - 1)
        kind[(kind == PAST) & (not self.past.pool)] = LEARNER
        self.turns[games] += 1
        ours = self.turns[games] % self._rotations[games]
        seat = np.arange(MAX_SEATS) % self._rotations[games][:, None]
        self.seats[games] = np.where(seat == ours[:, None], LEARNER, kind[:, None])

    def players(self, actor: Ints) -> npt.NDArray[np.int8]:
        """Who is to act in each game."""
        return self.seats[np.arange(len(actor)), actor]

    def new_round(self, round_number: int, rng: np.random.Generator) -> None:
        """Draw the past self that plays; opponents' luck starts anew, for a resumed run too."""
        if self.past.pool and self._shares[PAST] > self._shares[LEARNER]:
            self.past.wake(rng)
        for number, opponent in enumerate(self.opponents):
            reseed(opponent.agent, [self.seed, round_number, number])

    def answer(
        self, who: npt.NDArray[np.int8], obs: Bytes, mask: Bytes, actions: Ints, noise: Any
    ) -> None:
        """Write the actions of everybody but the learner."""
        rows = np.flatnonzero(who == PAST)
        if len(rows):
            actions[rows] = self.past.act(obs[rows], mask[rows], noise)
        for number, opponent in enumerate(self.opponents, PAST + 1):
            rows = np.flatnonzero(who == number)
            if len(rows):
                actions[rows] = opponent.agent.act_batch(obs[rows], mask[rows])


def reseed(agent: Any, seed: list[int]) -> None:
    """Start an agent's own luck anew, in whatever attributes it keeps generators or streams."""
    fresh = np.random.default_rng(seed)
    for kept in vars(agent).values():
        if isinstance(kept, np.random.Generator):
            kept.bit_generator.state = fresh.bit_generator.state
        elif isinstance(kept, np.ndarray) and kept.dtype == np.uint64 and kept.size == 1:
            kept[:] = fresh.integers(0, 2**64, 1, np.uint64)
