"""The opponent pool: who sits where. The learner, snapshots of it, and fixed opponents by spec.

Each game has a row of the seat table. In self-play the learner has every seat; otherwise it has one
seat (in Teams: one team), the next one in each new game, and one snapshot or one opponent has all
the others.

Opponents may be prioritised (PFSP, Vinyals et al. 2019): with score s of the learner against one,
from 0 to 1 and 0.5 for equals, it is drawn in proportion to its share times (1 - s)^p.
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
from uno_env.array_types import Bytes, Floats, Ints
from uno_env.envs.opponents import reset_agent

from .opponent_scores import OpponentScores
from .policy import action_ids, add_prior, canonical_actions, encode, sample
from .tables import TableConfig

Weights = dict[str, torch.Tensor]

LEARNER, SNAPSHOT = 0, 1
"""Numbers in the seat table; fixed opponents follow from 2 on."""
POOL_SIZE = 12


class SnapshotPool:
    """Snapshots of the learner; one of them, drawn anew for each iteration, plays.

    One at a time, so that all snapshots at all tables cost a single network call a step.
    """

    def __init__(
        self, network: PolicyNetwork, heuristic_prior: float = 0.0, pfsp_power: float = 0.0
    ) -> None:
        self.network = copy.deepcopy(network)
        self.heuristic_prior = heuristic_prior
        self.pfsp_power = pfsp_power
        self.pool: list[Weights] = []
        self.scores = OpponentScores(POOL_SIZE)
        self.playing = 0
        """The number of the snapshot that plays."""

    def add(self, network: PolicyNetwork, rng: np.random.Generator) -> None:
        """Add the present learner; a random snapshot leaves when the pool is full."""
        if len(self.pool) == POOL_SIZE:
            leaving = int(rng.integers(POOL_SIZE))
            self.pool.pop(leaving)
            self.scores.leave(leaving)
        self.scores.renew(len(self.pool))
        self.pool.append({name: w.detach().clone() for name, w in network.state_dict().items()})

    def load_random(self, rng: np.random.Generator) -> None:
        """Draw the snapshot that plays."""
        if self.pfsp_power:
            weights = self.scores.weights(self.pfsp_power, len(self.pool))
            self.playing = int(rng.choice(len(self.pool), p=weights / weights.sum()))
        else:
            self.playing = int(rng.integers(len(self.pool)))
        self.network.load_state_dict(self.pool[self.playing])

    def act(self, obs: Bytes, mask: Bytes, torch_rng: torch.Generator) -> Ints:
        """Actions sampled from its policy."""
        network = self.network
        with torch.inference_mode():
            encoded = encode(network, obs, mask)
            logits, _ = network.forward_canonical(encoded.inputs, encoded.mask)
            if self.heuristic_prior:
                prior = canonical_actions(network, encoded, heuristic_actions(obs, mask))
                logits = add_prior(logits, prior, self.heuristic_prior)
            action, _ = sample(logits, torch_rng)
            return action_ids(network, encoded, action)


class Opponent(NamedTuple):
    """A fixed opponent and the share of games it plays."""

    spec: str
    share: float
    agent: BatchAgent


class OpponentPool:
    """The seat table of a batch of games, and everybody who sits there.

    Args:
        tables: the kinds of tables; game i is at table i modulo their number.
        games: number of games.
        network: the learner's, of which snapshots are taken.
        snapshot_share: share of games against a snapshot.
        opponents: share of games for each agent spec; the rest is self-play.
        seed: fixes the seats and the opponents' random numbers.
        heuristic_prior: logit bonus of the heuristic's action, as for the learner.
        pfsp_power: how strongly opponents and snapshots are prioritised; 0 for not at all.
    """

    def __init__(
        self,
        tables: Sequence[TableConfig],
        games: int,
        network: PolicyNetwork,
        snapshot_share: float,
        opponents: Mapping[str, float],
        seed: int,
        heuristic_prior: float = 0.0,
        pfsp_power: float = 0.0,
    ) -> None:
        self.snapshots = SnapshotPool(network, heuristic_prior, pfsp_power)
        self.opponents = [
            Opponent(spec, share, batch_form(make_agent(spec, seed)))
            for spec, share in opponents.items()
        ]
        shares = [0.0, snapshot_share, *(opponent.share for opponent in self.opponents)]
        shares[LEARNER] = max(0.0, 1 - sum(shares))
        self._shares = np.array(shares) / sum(shares)
        self._cumulative_shares = np.cumsum(shares) / sum(shares)
        self._pfsp_power = pfsp_power
        self.scores = OpponentScores(len(self.opponents))
        self.seed = seed
        rotations = np.array([table.rotations for table in tables])
        self._rotations = rotations[np.arange(games) % len(tables)]
        # Games that start together start with the learner on different seats.
        self._first_turns = np.arange(games) // len(tables)
        self.turns = self._first_turns.copy()
        """How many seatings each game has had; it decides where the learner sits."""
        self.seats = np.zeros((games, MAX_SEATS), np.int8)

    def reset(self, seed: int, rng: np.random.Generator) -> None:
        """Assign seats in all games, which begin together."""
        self.seed = seed
        self.turns[:] = self._first_turns
        self.assign_seats(np.arange(len(self.turns)), rng)

    def assign_seats(self, games: Ints, rng: np.random.Generator) -> None:
        """Assign the seats of these games anew."""
        draws = rng.random(len(games))
        kind = np.searchsorted(self._cumulative_shares, draws, side="right")
        kind = kind.clip(max=len(self._cumulative_shares) - 1)
        kind[(kind == SNAPSHOT) & (not self.snapshots.pool)] = LEARNER
        self.turns[games] += 1
        learner = self.turns[games] % self._rotations[games]
        seat = np.arange(MAX_SEATS) % self._rotations[games][:, None]
        self.seats[games] = np.where(seat == learner[:, None], LEARNER, kind[:, None])

    def record(self, games: Ints, rewards: Floats) -> None:
        """Note how the learner did in games that ended, before their seats are assigned anew.

        A game that one snapshot began and another ended counts for the latter.
        """
        if not self._pfsp_power:
            return
        who = self.seats[games].max(axis=1)
        learner = self.turns[games] % self._rotations[games]
        own = rewards[np.arange(len(games)), learner]
        for kind in np.unique(who[who != LEARNER]).tolist():
            if kind == SNAPSHOT:
                self.snapshots.scores.add(self.snapshots.playing, own[who == kind])
            else:
                self.scores.add(kind - SNAPSHOT - 1, own[who == kind])

    def _prioritise(self) -> None:
        """Divide the share of all fixed opponents by how badly the learner does against each."""
        if not self._pfsp_power or not self.opponents:
            return
        first = SNAPSHOT + 1
        weights = self._shares[first:] * self.scores.weights(self._pfsp_power)
        if weights.sum() > 0:
            shares = self._shares.copy()
            shares[first:] = shares[first:].sum() * weights / weights.sum()
            self._cumulative_shares = np.cumsum(shares)

    def scores_state(self) -> Weights:
        """The scores, to go on from there; nothing if opponents are not prioritised."""
        if not self._pfsp_power:
            return {}
        playing = np.array([float(self.snapshots.playing)])
        known = {"opponents": self.scores.state(), "snapshots": self.snapshots.scores.state()}
        known["playing"] = playing
        return {f"scores_{name}": torch.from_numpy(array) for name, array in known.items()}

    def load_scores_state(self, state: Mapping[str, torch.Tensor]) -> None:
        """Go on from what `scores_state` gave."""
        if self._pfsp_power and "scores_playing" in state:
            self.scores.load(state["scores_opponents"].numpy())
            self.snapshots.scores.load(state["scores_snapshots"].numpy())
            self.snapshots.playing = int(state["scores_playing"])

    def players_to_act(self, actor: Ints) -> npt.NDArray[np.int8]:
        """Who is to act in each game."""
        return self.seats[np.arange(len(actor)), actor]

    def start_iteration(self, iteration: int, rng: np.random.Generator) -> None:
        """Draw the snapshot that plays; reseed the opponents, so that a resumed run is the same."""
        shares = self._cumulative_shares
        if self.snapshots.pool and shares[SNAPSHOT] > shares[LEARNER]:
            self.snapshots.load_random(rng)
        self._prioritise()
        for number, opponent in enumerate(self.opponents):
            reseed(opponent.agent, [self.seed, iteration, number])

    def act(
        self,
        who: npt.NDArray[np.int8],
        obs: Bytes,
        mask: Bytes,
        actions: Ints,
        torch_rng: torch.Generator,
    ) -> None:
        """Write the actions of everybody but the learner."""
        rows = np.flatnonzero(who == SNAPSHOT)
        if len(rows):
            actions[rows] = self.snapshots.act(obs[rows], mask[rows], torch_rng)
        for number, opponent in enumerate(self.opponents, SNAPSHOT + 1):
            rows = np.flatnonzero(who == number)
            if len(rows):
                actions[rows] = opponent.agent.act_batch(obs[rows], mask[rows])


def reseed(agent: Any, numbers: Sequence[int]) -> bool:
    """Seed an agent by several numbers; False if it takes no seed.

    They are packed into one integer, which NumPy expands to the same entropy as the sequence.
    """
    seed, shift = 0, 0
    for number in numbers:
        seed |= number << shift
        shift += 32 * max(1, -(-number.bit_length() // 32))
    return reset_agent(agent, seed)
