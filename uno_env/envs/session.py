"""GameSession: a running game and its buffers, as the PettingZoo and Gymnasium envs step it.

The observation and mask of the seat to act are written in place; who hands them out copies them.
"""

from typing import Any, Literal

import numpy as np

from ..actions import NUM_ACTIONS
from ..array_types import Bytes, Mask
from ..engine import single
from ..engine.lowlevel.bits import splitmix64_words
from ..engine.observation.layout import MASK_WORDS, OBS_WORDS
from ..engine.single import REFUSED, step_and_observe
from ..engine.tables import PHASES, SHOWN_PHASE
from ..game import NO_LOG, Episode, Game
from ..rules.rules import Rules

_VIEWS = ("obs", "mask", "_actor", "_phase", "_record")


class GameSession:
    """One game at a time, dealt again and again into the same record.

    Args:
        rules: what is played.
        num_players: seats at the table.
        episode: a round or a match.
        with_events: keep the history, which views and pictures need and steps pay for.
    """

    def __init__(self, rules: Rules, num_players: int, episode: Episode, with_events: bool) -> None:
        self.num_players = num_players
        self.with_events = with_events
        self.game = Game(rules, num_players, episode=episode)
        self.actor = -1
        self._connect()

    def _connect(self) -> None:
        """Make the buffers and every view of the record."""
        games, rules, logs = self.game.engine_arrays
        self._words = np.zeros((1, OBS_WORDS), np.uint64)
        self._mask_words = np.zeros((1, MASK_WORDS), np.uint64)
        self.obs: Bytes = self._words.view(np.uint8)[0]
        self.mask: Mask = self._mask_words.view(np.int8)[0, :NUM_ACTIONS]
        logs = logs if self.with_events else NO_LOG
        self._record = (games, rules, logs, self._words, self._mask_words)
        # Reading a number through a memoryview is several times faster than through a record.
        self._actor = memoryview(games["actor"])
        self._phase = memoryview(games["phase"])

    def __getstate__(self) -> dict[str, Any]:
        """Views of one buffer would come back as separate arrays, so they are left out."""
        return {name: value for name, value in self.__dict__.items() if name not in _VIEWS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.game = self.game.clone()
        self._connect()
        self._observe_actor()

    # Playing.

    def deal(self, seed: int) -> None:
        """A new game."""
        self.game.deal_again(seed, self.with_events)
        self._observe_actor()

    def deal_next(self) -> None:
        """A new game from the seed that follows, the one a batch of games goes on with."""
        self.deal(int(splitmix64_words(np.array([self.game.seed], np.uint64))[0]))

    def step(self, action: int) -> bool:
        """Take an action by its id; whether it was legal (an illegal one changes nothing)."""
        if self.with_events:
            self.game.clear_log()
        actor = step_and_observe(*self._record, action)
        if actor == REFUSED:
            return False
        self.actor = actor
        if self.with_events:
            self.game.note_step(action)
        return True

    def _observe_actor(self) -> None:
        self.actor = self._actor[0]
        if self.actor >= 0:
            self._write(self.actor)

    def _write(self, seat: int) -> None:
        games, rules, _, words, mask = self._record
        single.observe_and_mask(games, rules, 0, seat, words, mask)

    # What a seat may know.

    def observe(self, seat: int) -> tuple[Bytes, Mask]:
        """Fresh copies of the observation and mask of any seat."""
        if seat == self.actor:
            return self.obs.copy(), self.mask.copy()
        self._write(seat)
        other = self.obs.copy(), self.mask.copy()
        self._observe_actor()
        return other

    def actor_phase(self) -> str:
        """The phase as the seat to act knows it."""
        return PHASES[self._phase[0]]

    def phase(self, seat: int) -> str:
        """The phase as a seat may know it: another's hidden choice looks like its turn going on."""
        phase = self._phase[0]
        return PHASES[phase if seat == self.actor else SHOWN_PHASE[phase]]

    # Pictures.

    def draw(self, mode: str, seat: int | Literal["all"]) -> Any:
        """Draw what a seat may know, or everything."""
        from ..render import render

        return render(self.game, mode, seat)

    def close(self) -> None:
        """Close the window."""
        from ..render import close

        close()
