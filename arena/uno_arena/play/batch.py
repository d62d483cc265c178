"""Games of batch agents: all of them at once, every agent asked once a step for all its games.

Nothing is kept but arrays: who won, the points, and one byte for each action.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from uno_env import Rules
from uno_env.actions import NUM_ACTIONS, action_text
from uno_env.array_types import Bytes, Ints
from uno_env.engine import batch
from uno_env.engine.observation.encode import MASK_WORDS, OBS_WORDS
from uno_env.engine.observation.event_log import new_logs
from uno_env.engine.rules_record import rules_table
from uno_env.engine.state import STATE, new_records
from uno_env.game import EPISODES, Episode
from uno_env.state_io.view import legal_texts

from ..stats.decisions import CHOICE_OF, PHASES, no_counts
from .kernels.batch import REFUSED, RUNNING, advance

FIRST_ROOM = 256
NO_ANSWER = -1


class Answers(NamedTuple):
    """Action ids for rows of questions, and by row why there is none (its id is NO_ANSWER)."""

    ids: Ints
    faults: Mapping[int, str]


Ask = Callable[[int, Bytes, Bytes], Answers]
"""Asks who sits on a chair: (chair, observations, masks) to answers."""


class Played(NamedTuple):
    """How games went, one row each."""

    winners: Ints
    """(G,) bits of the winning seats."""

    points: Ints
    """(G, players) points of the round, totals of a match."""

    void: npt.NDArray[np.bool_]
    at_fault: Ints
    """(G,) seat that gave no legal answer, -1 if all did."""

    faults: dict[int, str]
    """By game, what was wrong with that answer."""

    actions: list[bytes]
    counts: Ints
    """(chairs, phases, choices) how often each was chosen."""


def play_batch(
    rules: Rules,
    num_players: int,
    episode: Episode,
    seeds: npt.NDArray[np.uint64],
    chairs: Ints,
    ask: Ask,
) -> Played:
    """Play one game for each seed to its end.

    Args:
        rules: what is played.
        num_players: seats of every table.
        episode: rounds or matches.
        seeds: (G,) seeds of the games.
        chairs: (G, players) who is asked for each seat; chairs count from 0.
        ask: answers the questions of a chair.
    """
    tables = _Tables(rules, num_players, episode, seeds, chairs)
    while tables.advance():
        for chair, (first, last) in enumerate(pairwise(tables.starts.tolist())):
            if last > first:
                answers = ask(chair, tables.obs[first:last], tables.mask[first:last])
                tables.actions[first:last] = answers.ids
                for row, reason in answers.faults.items():
                    tables.faults[int(tables.rows[first + row])] = reason
    return tables.played()


class _Tables:
    """The arrays of all games, as the kernel steps them."""

    def __init__(
        self,
        rules: Rules,
        num_players: int,
        episode: Episode,
        seeds: npt.NDArray[np.uint64],
        chairs: Ints,
    ) -> None:
        size = len(seeds)
        self.num_players, self.episode = num_players, episode
        self.asked = 0
        self.steps = 0
        self.faults: dict[int, str] = {}
        self.games = new_records(size, STATE)
        self.rules = rules_table([rules])
        self.logs = new_logs(0)
        self.chairs = np.ascontiguousarray(chairs, np.int64)
        num_chairs = int(chairs.max()) + 1
        self.status = np.full(size, RUNNING, np.int64)
        self.refused = np.zeros(size, np.int64)
        self.rows = np.zeros(size, np.int64)
        self.actions = np.zeros(size, np.int64)
        self.trace = np.zeros((size, FIRST_ROOM), np.uint8)
        self.lengths = np.zeros(size, np.int64)
        self.counts = no_counts(num_chairs)
        self.starts = np.zeros(num_chairs + 1, np.int64)
        self.words = np.zeros((size, OBS_WORDS), np.uint64)
        self.mask_words = np.zeros((size, MASK_WORDS), np.uint64)
        self.obs: Bytes = self.words.view(np.uint8)
        self.mask: Bytes = self.mask_words.view(np.uint8)[:, :NUM_ACTIONS]
        all_alike = np.zeros(size, np.int64), np.full(size, num_players, np.int64)
        match = EPISODES.index(episode)
        batch.deal_batch(self.games, self.rules, self.logs, 0, size, *all_alike, seeds, match)

    def advance(self) -> int:
        """Take the answers and write the next questions; how many there are."""
        # No game has more actions than there were steps.
        if self.steps == self.trace.shape[1]:
            self.trace = np.concatenate([self.trace, np.zeros_like(self.trace)], axis=1)
        self.steps += 1
        self.asked = advance(
            self.games, self.rules, self.logs, self.chairs, CHOICE_OF, self.status, self.refused,
            self.rows, self.actions, self.asked, self.trace, self.lengths, self.counts,
            self.starts, self.words, self.mask_words,
        )  # fmt: skip
        return self.asked

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
            self.games["void"] > 0,
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
