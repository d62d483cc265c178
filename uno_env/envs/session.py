"""GameSession: a running game and its buffers, as the PettingZoo and Gymnasium envs step it.

The observation and mask of the seat to act are written in place; who hands them out copies them.
"""

from typing import Any, Literal

import numpy as np

from ..actions import NUM_ACTIONS
from ..array_types import Bytes, Mask
from ..engine import single
from ..engine.jit import progress, warm_up
from ..engine.lowlevel.addresses import Frame
from ..engine.lowlevel.bits import splitmix64_words
from ..engine.observation.layout import MASK_WORDS, OBS_WORDS
from ..engine.single import SEATS, step_and_observe
from ..engine.state import new_rows
from ..engine.tables import PHASES, SHOWN_PHASE
from ..game import NO_LOG, RECENT_LOG, Episode, Game
from ..rules.rules import Rules

_VIEWS = ("obs", "mask", "copy_obs", "copy_mask", "_frame", "_argument")


class GameSession:
    """One game at a time, dealt again and again into the same record.

    Args:
        rules: what is played.
        num_players: seats at the table.
        episode: a round or a match.
        with_events: keep the events, which views and pictures need and steps pay for.
        history: how many events an observation tells; steps pay for these too, but less.
    """

    def __init__(
        self,
        rules: Rules,
        num_players: int,
        episode: Episode,
        with_events: bool,
        history: int = 0,
    ) -> None:
        self.num_players = num_players
        self.with_events = with_events
        self.history = history
        self.decision = single.ENDED
        with progress.task((single.deal_game, single.observe_and_mask, step_and_observe)):
            self.game = Game(rules, num_players, episode=episode)
            self._connect()
            # All at once, so that no step waits for it.
            warm_up([(single.observe_and_mask, (0, 0)), (step_and_observe, (0, 0))])

    def _connect(self) -> None:
        """Make the buffers and every view of the record."""
        games, rules, logs = self.game.engine_arrays
        words, mask_words = new_rows(1, OBS_WORDS), new_rows(1, MASK_WORDS)
        self.obs: Bytes = words.view(np.uint8)[0]
        self.mask: Mask = mask_words.view(np.int8)[0, :NUM_ACTIONS]
        self.copy_obs, self.copy_mask = self.obs.copy, self.mask.copy
        logs = logs if self.with_events else self._quiet_log
        self._frame = Frame(games, rules, logs, words, mask_words)
        self._argument = self._frame.argument

    @property
    def _quiet_log(self) -> Any:
        """A log that keeps no events, or only the last few, in the record of the game."""
        return RECENT_LOG if self.history else NO_LOG

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
        self.game.deal_again(seed, None if self.with_events else self._quiet_log)
        self._observe_actor()

    def deal_next(self) -> None:
        """A new game from the seed that follows, the one a batch of games goes on with."""
        self.deal(int(splitmix64_words(np.array([self.game.seed], np.uint64))[0]))

    def step(self, action: int) -> int:
        """Take an action by its id; the next decision, or why there is none (see `single`)."""
        if self.with_events:
            return self._step_with_events(action)
        decision: int = step_and_observe(self._argument, action)
        if decision >= single.ENDED:
            self.decision = decision
        return decision

    def _step_with_events(self, action: int) -> int:
        self.game.clear_log()
        decision: int = step_and_observe(self._argument, action)
        if decision >= single.ENDED:
            self.decision = decision
            self.game.note_step(action)
        return decision

    @property
    def actor(self) -> int:
        """The seat to act, -1 when the game is over."""
        return self.decision % SEATS if self.decision >= 0 else -1

    def _observe_actor(self) -> None:
        actor = self.game.actor
        self.decision = single.ENDED if actor is None else self._write(actor)

    def _write(self, seat: int) -> int:
        return single.observe_and_mask(self._argument, seat)  # type: ignore[no-any-return]

    # What a seat may know.

    def observe(self, seat: int) -> tuple[Bytes, Mask]:
        """Fresh copies of the observation and mask of any seat."""
        if seat == self.actor:
            return self.copy_obs(), self.copy_mask()
        self._write(seat)
        other = self.copy_obs(), self.copy_mask()
        self._observe_actor()
        return other

    def phase(self, seat: int) -> str:
        """The phase as a seat may know it: another's hidden choice looks like its turn going on."""
        if self.decision < 0:
            return self.game.phase
        phase = self.decision // SEATS
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
