"""SingleAgentVec: a batch with one learner in each game; the step plays the other seats.

The Gymnasium and Stable-Baselines3 environments wrap it.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

import numpy as np
import numpy.typing as npt

from ..array_types import Bytes, Ints, Words
from ..engine import batch
from ..engine import single_agent as vector
from ..engine.lowlevel.bits import key_words
from ..engine.mechanics.rewards import REWARDS
from ..engine.observation.layout import OBS_WORDS
from ..engine.state import new_records
from ..envs.opponents import opponent_seed, reset_agent
from ..envs.options import Illegal, Reward, agreed_rules
from ..game import Episode, IllegalAction
from ..rules.rules import Rules
from .layout import Players, Seeds, Variants, action_ids, rngs_of
from .opponents import Opponent, seat_opponents
from .vec import UnoVec
from .worker_pool import first_illegal

Seat = int | Literal["random", "rotate"]

_REASONS = ("", "won", "void", "illegal action")


class SingleAgentOptions(TypedDict, total=False):
    """Keyword arguments of `SingleAgentVec`, which the views pass on."""

    num_players: Players
    seed: Seeds
    threads: int
    episode: Episode
    reward: Reward
    rules: Rules | Sequence[Rules] | None
    opponents: Opponent | Sequence[Opponent]
    seat: Seat
    illegal: Illegal | None
    illegal_reward: float
    void_reward: float


class SingleAgentVec:
    """Games with one learner each.

    A game that ends before its learner had to decide is replaced and not reported. A learner
    that is eliminated or out of cards waits for the end of the game.

    Args:
        variant, num_envs, num_players, seed, threads, episode, reward, rules: as in `UnoVec`.
        opponents: who plays the other seats, partners included: `random` (compiled), an agent
            with `act_batch(obs, mask) -> ids`, its spec string, or such a function; or a list of
            them, assigned round-robin to the seats clockwise of the learner.
        seat: the learner's seat: a number, `rotate` (the next seat in each new game) or `random`.
        illegal: what an illegal action of the learner does: `terminate` its game, `raise`, or
            cost a `penalty` by the rules. When left out, the rules decide: a penalty where
            `fault_mode="penalty"`, else the end.
        illegal_reward: reward of a learner whose illegal action ended the game.
        void_reward: reward of the learner when nobody won.

    Attributes:
        obs: (num_envs, 1280) uint8, the observation of the learner, who is to act.
        mask: (num_envs, 208) uint8, its legal actions.
        final_obs: (num_envs, 1280) uint8, what the learner saw last where a game has just ended.
    """

    def __init__(
        self,
        variant: Variants = "classic",
        num_envs: int = 1,
        num_players: Players = None,
        seed: Seeds = 0,
        threads: int = 1,
        *,
        episode: Episode = "round",
        reward: Reward = "win",
        rules: Rules | Sequence[Rules] | None = None,
        opponents: Opponent | Sequence[Opponent] = "random",
        seat: Seat = "random",
        illegal: Illegal | None = None,
        illegal_reward: float = -1.0,
        void_reward: float = 0.0,
    ) -> None:
        agreed = _agreed(variant if rules is None else rules, illegal)
        self.games = UnoVec(
            agreed, num_envs, num_players, seed, threads, episode=episode, reward=reward
        )
        self.num_envs = self.games.num_envs
        self._players, self._outside = seat_opponents(opponents, int(self.games.num_players.max()))
        self._seat = self._checked_seat(seat)
        seating = "fixed" if isinstance(self._seat, int) else self._seat
        policy = vector.RAISE if illegal == "raise" else vector.TERMINATE
        self._modes = np.array(
            [REWARDS.index(reward), vector.SEATS.index(seating), policy], np.int64
        )
        # By how a game ended; the kernel writes the reward of a win.
        self._rewards = np.array([0.0, np.nan, void_reward, illegal_reward])
        self._learners = new_records(self.num_envs, vector.LEARNER)
        self._final_words = np.zeros((self.num_envs, OBS_WORDS), np.uint64)
        self._everybody = np.arange(self.num_envs)
        self.obs: Bytes = self.games.obs
        self.mask: Bytes = self.games.mask
        self.final_obs: Bytes = self._final_words.view(np.uint8)

    def _checked_seat(self, seat: Any) -> Any:
        if seat in ("random", "rotate"):
            return seat
        seats = int(self.games.num_players.min())
        whole = isinstance(seat, (int, np.integer)) and not isinstance(seat, bool)
        if not whole or not 0 <= seat < seats:
            raise ValueError(f"seat is {seat!r}; allowed: random, rotate, or 0 to {seats - 1}")
        return int(seat)

    # What the last step brought.

    @property
    def reward(self) -> npt.NDArray[np.float64]:
        """The learners' rewards: of games that have just ended, else zero."""
        done = self._learners["done"]
        return np.where(done == vector.WON, self._learners["reward"], self._rewards[done])

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """Which games have just ended with a winner, or by the learner's illegal action."""
        return self.done & ~self.truncated

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Which games have just ended void (CV-06)."""
        done: Ints = self._learners["done"]
        return np.equal(done, vector.VOID)

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which games have just ended."""
        done: Ints = self._learners["done"]
        return done > 0

    def reason(self, index: int) -> str:
        """How a game that has just ended did so."""
        return _REASONS[int(self._learners["done"][index])]

    @property
    def final_seat(self) -> Ints:
        """Where the learner sat in the game that ended last."""
        return self._learners["sat"].copy()

    @property
    def length(self) -> Ints:
        """Decisions of the learner in the game that ended last."""
        return self._learners["length"].copy()

    @property
    def seat(self) -> Ints:
        """Where each learner sits."""
        return self._learners["seat"].copy()

    # Playing.

    def reset(self, seed: Seeds | None = None) -> None:
        """Deal all games, seeded as `UnoVec.reset`, and play each up to its learner's turn."""
        self.games.reset(seed)
        learners, seeds = self._learners, self.games.seeds
        for field in ("moves", "waits", "done", "length", "reward"):
            learners[field] = 0
        learners["rng"] = rngs_of(seeds)
        learners["seat"] = self._first_seats(seeds)
        for number, asked in enumerate(self._outside):
            reset_agent(asked.agent, opponent_seed(int(seeds[0]), number))
        self._play(self._everybody, self._everybody, acting=0)

    def _first_seats(self, seeds: Words) -> Ints | int:
        sizes = self.games.num_players
        if isinstance(self._seat, int):
            return self._seat
        if self._seat == "rotate":
            return self._everybody % sizes
        word = key_words(seeds, 0, vector.SEAT_KEY) >> np.uint64(32)
        return (word * sizes.astype(np.uint64) >> np.uint64(32)).astype(np.int64)

    def step(self, actions: npt.ArrayLike) -> None:
        """Take an action in each game and play on to the learner's next decision.

        With `illegal="raise"` an illegal action raises `IllegalAction`; the games with illegal
        actions are left as they were, all others have moved.
        """
        self._learners["done"] = 0
        self._play(self._everybody, action_ids(actions, self.num_envs), acting=1)

    def _play(self, rows: Ints, actions: Ints, acting: int) -> None:
        wrong = self._advance(rows, actions, acting)
        while self._outside:
            waits = self._learners["waits"]
            waiting = np.flatnonzero(waits >= vector.OUTSIDE)
            if not waiting.size:
                break
            ids = self._ask(waiting, waits[waiting])
            index = self._advance(waiting, ids, 1)
            if index >= 0:
                error = self.games._illegal(int(waiting[index]), int(ids[index]))
                raise IllegalAction(f"an opponent's choice in {error}; reset before going on")
        if (self._learners["waits"] == vector.STUCK).any():
            raise RuntimeError(
                f"{batch.MAX_IDLE} games in a row ended before the learner could decide anything; "
                "change the rules or seat"
            )
        if wrong >= 0:
            raise self.games._illegal(wrong, int(actions[wrong]))

    def _advance(self, rows: Ints, actions: Ints, acting: int) -> int:
        games = self.games
        calls = [
            (
                *games.engine_arrays, rows, actions, *part, acting,
                self._modes, self._players, self._learners,
                games._obs_words, games._mask_words,
                self._final_words, games.rewards,
            )
            for part in games.thread_slices(len(rows))
        ]  # fmt: skip
        return first_illegal(games.run_in_threads(vector.advance, calls))

    def _ask(self, rows: Ints, waits: Ints) -> Ints:
        """The choices of opponents that are not compiled, each asked once for all its games."""
        ids = np.zeros(len(rows), np.int64)
        for number, asked in enumerate(self._outside, start=vector.OUTSIDE):
            mine = np.flatnonzero(waits == number)
            if mine.size:
                which = rows[mine]
                ids[mine] = action_ids(asked.act(self.obs[which], self.mask[which]), mine.size)
        return ids

    def close(self) -> None:
        """End the threads."""
        self.games.close()


def _agreed(given: Any, illegal: Illegal | None) -> list[Rules]:
    """The rules really played: faults cost cards, or do not, as `illegal` says."""
    items = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    return [agreed_rules(item, None, illegal)[0] for item in items]
