"""The games a baseline learns from: a batch of tables, and who sits where.

Three facts about the batch that every algorithm here builds on:

- **Every row awaits a decision.** `v.obs[i]`, `v.mask[i]` and `v.actor[i]` belong to the seat to
  act in game i. A game that ends is dealt anew in the same step, so the observation beside a `done`
  is the first of the next game, never the last of the old one.
- **`auto_forced=True`** takes decisions with a single legal action without asking. Between
  heuristics they are 39 % of all decisions in classic with two and 27 % in No Mercy with four;
  without them trajectories are shorter, and no strategy changes. The arena plays the same way, so
  policies meet the same positions there.
- **The mask** has one byte for each of the 208 action ids, 1 where legal. The network reads
  observations in a canonical colour order, so its own mask and logits are permuted and restricted
  to the actions that these tables can use: `network.encode` permutes the mask, `action_ids` maps
  chosen actions back.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from uno_agents.base import BatchAgent
from uno_agents.neural.network import PolicyNetwork

import uno_env
from uno_env.actions import MAX_SEATS
from uno_env.array_types import Bools, Floats, Ints
from uno_env.vector.vec import VOID

from ..opponent_pool import reseed
from ..tables import TableConfig, used_actions, used_inputs

MAX_STEPS = 500
"""Decisions after which a round is void. Long enough for every sensible game of two to ten."""
VOID_REWARD = -1.0
"""A void game is a loss for all: were it neutral, drawing for ever would be safe."""


class Opponent(NamedTuple):
    """Somebody the learner plays against, and the share of games."""

    agent: BatchAgent
    share: float


class Games:
    """A batch of games in which the learner has every seat, or one seat against opponents.

    Args:
        tables: rules and sizes; game i is at table i modulo their number.
        num_envs: games in the batch.
        seed: fixes deals and seats.
        opponents: nobody for self-play. Otherwise the learner has one seat (in Teams: one team),
            the next one in each new game, and one opponent, drawn by its share, has all the others.
    """

    def __init__(
        self,
        tables: Sequence[TableConfig],
        num_envs: int,
        seed: int,
        opponents: Sequence[Opponent] = (),
    ) -> None:
        self.v = uno_env.vec(
            [table.rules.replace(auto_forced=True, max_steps=MAX_STEPS) for table in tables],
            num_envs,
            [table.num_players for table in tables],
            seed,
        )
        self.v.reset()
        self.rng = np.random.default_rng([seed, 1])
        self.opponents = opponents
        self._seed, self._steps = seed, 0
        rotations = np.array([table.rotations for table in tables])
        self._rotations = rotations[np.arange(num_envs) % len(tables)]
        self._turns = np.arange(num_envs) // len(tables)
        # Who has each seat: -1 the learner, else the number of an opponent.
        self.seats = np.full((num_envs, MAX_SEATS), -1, np.int64)
        self._assign(np.arange(num_envs))

    def _assign(self, games: Ints) -> None:
        if not self.opponents:
            return
        shares = np.array([opponent.share for opponent in self.opponents])
        who = self.rng.choice(len(shares), len(games), p=shares / shares.sum())
        self._turns[games] += 1
        own = self._turns[games] % self._rotations[games]
        seat = np.arange(MAX_SEATS) % self._rotations[games][:, None]
        self.seats[games] = np.where(seat == own[:, None], -1, who[:, None])

    def learner_rows(self) -> Ints:
        """The games in which the learner is to act: all of them in self-play."""
        return np.flatnonzero(self.seats[np.arange(len(self.seats)), self.v.actor] < 0)

    def step(self, rows: Ints, actions: Ints) -> tuple[Bools, Floats]:
        """Act in the learner's rows; opponents act in the others.

        Returns which games ended, and the rewards (games, 10) of each seat in them. Rewards come at
        the end of a game only, to all seats at once, whoever made the last move.
        """
        v = self.v
        ids = np.zeros(v.num_envs, np.int64)
        ids[rows] = actions
        if len(rows) < v.num_envs:
            self._opponents_act(ids)
        v.step(ids)
        self._steps += 1
        done: Bools = v.done > 0
        rewards = v.rewards.copy()
        rewards[v.done == VOID] = VOID_REWARD
        self._assign(np.flatnonzero(done))
        return done, rewards

    def _opponents_act(self, ids: Ints) -> None:
        v = self.v
        who = self.seats[np.arange(v.num_envs), v.actor]
        for number, opponent in enumerate(self.opponents):
            rows = np.flatnonzero(who == number)
            if len(rows):
                # Seeded by the step, so that a resumed run goes on alike.
                reseed(opponent.agent, [self._seed, self._steps, number])
                ids[rows] = opponent.agent.act_batch(v.obs[rows], v.mask[rows])

    def state_dict(self) -> dict[str, Any]:
        """Every running game, seat and generator, to go on from there."""
        return {
            "games": torch.from_numpy(np.frombuffer(self.v.state.tobytes(), np.uint8).copy()),
            "seats": torch.from_numpy(self.seats.copy()),
            "turns": torch.from_numpy(self._turns.copy()),
            "steps": self._steps,
            "rng": self.rng.bit_generator.state,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from what `state_dict` gave."""
        self.v.restore(np.frombuffer(state["games"].numpy().tobytes(), self.v.state.dtype))
        self.seats[:], self._turns[:] = state["seats"].numpy(), state["turns"].numpy()
        self._steps = state["steps"]
        self.rng.bit_generator.state = state["rng"]


def seed_torch(seed: int) -> None:
    """Seed the initial weights; one thread, for results depend on their number."""
    torch.manual_seed(seed)
    # Small networks gain nothing by a second one, and threads that wait stall each other.
    torch.set_num_threads(1)


def make_network(tables: Sequence[TableConfig], hidden: Sequence[int]) -> PolicyNetwork:
    """A network with the inputs and actions that these tables use; it is exported at full width."""
    network = PolicyNetwork(hidden, used_inputs(tables), used_actions(tables))
    # Seats as the observation tells them, clockwise: the published results were made so.
    network.seats_by_turn = False
    return network


def random_legal(mask: Tensor, rng: torch.Generator) -> Tensor:
    """One of the legal actions of each row, uniformly."""
    # Random numbers lie below 1, so adding 1 lifts every legal action above all others.
    return (torch.rand(mask.shape, generator=rng) + mask).argmax(-1)


def epsilon_greedy(values: Tensor, mask: Tensor, epsilon: float, rng: torch.Generator) -> Tensor:
    """The best action of each row, or with probability epsilon a random legal one."""
    explores = torch.rand(len(values), generator=rng) < epsilon
    return torch.where(explores, random_legal(mask, rng), values.argmax(-1))
