"""Games of batch agents: all of them at once, one call an agent and step for all its games.

Nothing is kept but arrays: who won, the points, and one byte for each action.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from uno_env import Rules
from uno_env.actions import NUM_ACTIONS, action_text
from uno_env.array_types import Bytes, Ints
from uno_env.engine import batch
from uno_env.engine.observation.event_log import new_logs
from uno_env.engine.observation.layout import MASK_WORDS, OBS_WORDS
from uno_env.engine.rules_record import rules_table
from uno_env.engine.state import STATE, new_records
from uno_env.game import EPISODES, Episode
from uno_env.state_io.view import legal_texts

from ..stats.usage_stats import CHOICE_OF, PHASES, no_counts
from .kernels.batch import REFUSED, RUNNING, advance

INITIAL_CAPACITY = 256
NO_ACTION = -1


class BatchActions(NamedTuple):
    """Action ids for rows of observations, and by row why there is none (its id is NO_ACTION)."""

    ids: Ints
    faults: Mapping[int, str]


Records: TypeAlias = np.ndarray[Any, Any]
"""Engine records, one a game."""

ActFunction = Callable[[int, Bytes, Bytes], BatchActions]
"""Calls an agent: (instance, observations, masks) to actions."""


class Played(NamedTuple):
    """How games went, one row each."""

    winners: Ints
    """(G,) bits of the winning seats."""

    points: Ints
    """(G, players) points of the round, totals of a match."""

    void: npt.NDArray[np.bool_]
    at_fault: Ints
    """(G,) seat that chose no legal action, -1 if all did."""

    faults: dict[int, str]
    """By game, what was wrong with that choice."""

    actions: list[bytes]
    counts: Ints
    """(instances, phases, choices) how often each was chosen."""


def play_batch(
    rules: Rules,
    num_players: int,
    episode: Episode,
    seeds: npt.NDArray[np.uint64],
    instances: Ints,
    act: ActFunction,
) -> Played:
    """Play one game for each seed to its end.

    Args:
        rules: what is played.
        num_players: seats of every table.
        episode: rounds or matches.
        seeds: (G,) seeds of the games.
        instances: (G, players) which agent instance plays each seat, from 0.
        act: calls an agent instance.
    """
    games = _GameBatch(rules, num_players, episode, instances)
    games.deal(seeds)
    return _play_on(games, act)


def play_positions(
    rules: Rules, num_players: int, positions: Records, instances: Ints, act: ActFunction
) -> Played:
    """Play rounds on from positions to their end, otherwise as `play_batch`.

    Args:
        positions: (G,) engine records, none of them finished; they are left as they are.
    """
    games = _GameBatch(rules, num_players, "round", instances)
    games.games[:] = positions
    return _play_on(games, act)


def _play_on(games: "_GameBatch", act: ActFunction) -> Played:
    while games.advance():
        for instance, (first, last) in enumerate(pairwise(games.starts.tolist())):
            if last > first:
                actions = act(instance, games.obs[first:last], games.mask[first:last])
                games.actions[first:last] = actions.ids
                for row, reason in actions.faults.items():
                    games.faults[int(games.rows[first + row])] = reason
    return games.played()


class _GameBatch:
    """The arrays of all games, as the kernel steps them."""

    def __init__(
        self,
        rules: Rules,
        num_players: int,
        episode: Episode,
        instances: Ints,
    ) -> None:
        size = len(instances)
        self.num_players, self.episode = num_players, episode
        self.pending = 0
        self.steps = 0
        self.faults: dict[int, str] = {}
        self.games = new_records(size, STATE)
        self.rules = rules_table([rules])
        self.logs = new_logs(0)
        self.instances = np.ascontiguousarray(instances, np.int64)
        num_instances = int(instances.max()) + 1
        self.status = np.full(size, RUNNING, np.int64)
        self.refused = np.zeros(size, np.int64)
        self.rows = np.zeros(size, np.int64)
        self.actions = np.zeros(size, np.int64)
        self.trace = np.zeros((size, INITIAL_CAPACITY), np.uint8)
        self.lengths = np.zeros(size, np.int64)
        self.counts = no_counts(num_instances)
        self.starts = np.zeros(num_instances + 1, np.int64)
        self.words = np.zeros((size, OBS_WORDS), np.uint64)
        self.mask_words = np.zeros((size, MASK_WORDS), np.uint64)
        self.obs: Bytes = self.words.view(np.uint8)
        self.mask: Bytes = self.mask_words.view(np.uint8)[:, :NUM_ACTIONS]

    def deal(self, seeds: npt.NDArray[np.uint64]) -> None:
        """Deal every game anew."""
        size = len(seeds)
        all_alike = np.zeros(size, np.int64), np.full(size, self.num_players, np.int64)
        match = EPISODES.index(self.episode)
        batch.deal_batch(self.games, self.rules, self.logs, 0, size, *all_alike, seeds, match)

    def advance(self) -> int:
        """Take the actions and write the next observations; how many there are."""
        # No game has more actions than there were steps.
        if self.steps == self.trace.shape[1]:
            self.trace = np.concatenate([self.trace, np.zeros_like(self.trace)], axis=1)
        self.steps += 1
        self.pending = advance(
            self.games, self.rules, self.logs, self.instances, CHOICE_OF, self.status, self.refused,
            self.rows, self.actions, self.pending, self.trace, self.lengths, self.counts,
            self.starts, self.words, self.mask_words,
        )  # fmt: skip
        return self.pending

    def played(self) -> Played:
        """How all games went, once none is running."""
        refused = self.status == REFUSED
        at_fault = np.where(refused, self.games["actor"], -1).astype(np.int64)
        for i in np.flatnonzero(refused).tolist():
            if i not in self.faults:
                state = self.games[i]
                phase = PHASES[int(state["phase"])]
                self.faults[i] = illegal_text(int(self.refused[i]), phase, legal_texts(state))
        scores = self.games["scores" if self.episode == "match" else "points"]
        return Played(
            self.games["winners"].astype(np.int64),
            scores[:, : self.num_players].astype(np.int64),
            self.games["is_void"] > 0,
            at_fault,
            dict(sorted(self.faults.items())),
            [
                row[:length].tobytes()
                for row, length in zip(self.trace, self.lengths.tolist(), strict=True)
            ],
            self.counts,
        )


def illegal_text(action: int, phase: str, legal: Iterable[str]) -> str:
    """What is wrong with an action id, in words."""
    name = f" ({action_text(action, phase)})" if 0 <= action < NUM_ACTIONS else ""
    return f"illegal action {action}{name} in phase {phase}; legal: {', '.join(legal)}"
