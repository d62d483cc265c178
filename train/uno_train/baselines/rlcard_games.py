"""RLCard's own UNO as the games of a baseline: it stands in for `Games` (extra `bench`).

Every row awaits a decision of the seat to act, as in `uno_env.vec`. The observation is that of a
position set up from what RLCard shows the seat (`uno_arena.benchmark.rlcard.position`), so a
learner knows nothing that RLCard's own learners could not know. Two things differ from RLCard's
interface:

- A wild and its colour are two decisions here and one action there. The action goes to RLCard
  when both are known.
- States with one legal action are played at once, as `auto_forced` does in our game. They count as
  frames: a *frame* is one step of RLCard's game, whoever acts and however few choices there are.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import rlcard
from uno_agents.rlcard_bot import their_card
from uno_arena.benchmark.rlcard import position

from uno_env import Game, action_text
from uno_env.actions import MAX_SEATS, NUM_ACTIONS
from uno_env.array_types import Bools, Floats, Ints
from uno_env.envs.observation_spec import OBS_SIZE

from .games import MAX_STEPS, VOID_REWARD


class RlcardTable:
    """One game of RLCard's, up to the next state with a choice."""

    def __init__(self, seed: int) -> None:
        self._env = rlcard.make("uno", {"seed": seed})
        self.frames = 0
        self.deal()

    def deal(self) -> None:
        """A new game; in the rare one that ends without any choice, the one after it."""
        self._decided = 0
        state, _ = self._env.reset()
        if not self._await_choice(state):
            self.deal()

    def _await_choice(self, state: dict[str, Any]) -> bool:
        """Play what is forced; False if the game ends on the way."""
        while not self._env.is_over():
            legal = state["raw_legal_actions"]
            self._wild = ""
            if len(set(legal)) > 1:  # a card held twice is listed twice
                self.game = position(state)
                self._lay_forced_wild()
                if not self.game.over:
                    return True
            state = self._act(legal[0])
        return False

    def _lay_forced_wild(self) -> None:
        """If all actions are colours of one wild, only the colour is left to choose.

        Nor is it if the wild is the last card: our position is then over.
        """
        legal = self.game.legal()
        if len(legal) == 1:
            self._lay(legal[0].removeprefix("play "))

    def _lay(self, wild: str) -> None:
        """Lay a wild in our position, which then asks for the colour."""
        self._wild = wild
        self.game.step(f"play {wild}")

    def _act(self, action: str) -> dict[str, Any]:
        self.frames += 1
        state: dict[str, Any] = self._env.step(action, raw_action=True)[0]
        return state

    def step(self, action: int) -> Sequence[float] | None:
        """Take an action of ours; both seats' rewards if the game is over."""
        text = action_text(action, self.game.phase)
        card = text.removeprefix("play ")
        if text.startswith("color "):
            theirs = their_card(self._wild, text.removeprefix("color "))
        elif card.startswith("wild"):
            self._lay(card)
            if self.game.phase == "color":
                return None
            theirs = their_card(card)  # the last card: no colour is asked for
        else:
            theirs = their_card(card)
        self._decided += 1
        if self._await_choice(self._act(theirs)):
            # RLCard has no limit of its own; a wild and its colour are two decisions of ours.
            return [VOID_REWARD, VOID_REWARD] if self._decided >= MAX_STEPS // 2 else None
        payoffs: Sequence[float] = self._env.get_payoffs()
        return payoffs


class RlcardGames:
    """A batch of RLCard's games in which the learner has both seats.

    Args:
        num_envs: games in the batch.
        seed: fixes all their cards.
    """

    def __init__(self, num_envs: int, seed: int) -> None:
        seeds = np.random.default_rng(seed).integers(0, 2**31, num_envs)
        self._tables = [RlcardTable(each) for each in seeds.tolist()]
        self.v = SimpleNamespace(
            num_envs=num_envs,
            obs=np.zeros((num_envs, OBS_SIZE), np.uint8),
            mask=np.zeros((num_envs, NUM_ACTIONS), np.uint8),
            actor=np.zeros(num_envs, np.int64),
        )
        for row, table in enumerate(self._tables):
            self._show(row, table.game)

    @property
    def frames(self) -> int:
        """Steps of RLCard's game so far, in all rows."""
        return sum(table.frames for table in self._tables)

    def learner_rows(self) -> Ints:
        """All of them."""
        return np.arange(len(self._tables))

    def step(self, rows: Ints, actions: Ints) -> tuple[Bools, Floats]:
        """Act in these rows; which games ended, and the rewards (games, 10) in them."""
        done = np.zeros(len(self._tables), bool)
        rewards = np.zeros((len(self._tables), MAX_SEATS), np.float32)
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            table = self._tables[row]
            payoffs = table.step(action)
            if payoffs is not None:
                done[row], rewards[row, :2] = True, payoffs
                table.deal()
            self._show(row, table.game)
        return done, rewards

    def _show(self, row: int, game: Game) -> None:
        seat = game.actor
        if seat is None:
            raise RuntimeError("a row shows a game that awaits a decision")
        self.v.obs[row], self.v.mask[row] = game.observe(seat), game.mask()
        self.v.actor[row] = seat
