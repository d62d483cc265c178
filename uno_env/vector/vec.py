"""UnoVec: thousands of games a call, stepped by the compiled engine in arrays written in place.

    v = uno_env.vec("classic", num_envs=1024, num_players=4, seed=0)
    v.reset()
    v.step(v.random_actions())

Every array is allocated once and overwritten by the next call: copy what you keep.
"""

from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from ..actions import MAX_SEATS, NUM_ACTIONS, action_text
from ..array_types import Bytes, Floats, Ints, Words
from ..engine import batch
from ..engine.global_state import STATE_SIZE, write_states
from ..engine.histories import write_histories
from ..engine.lowlevel.addresses import BatchFrame
from ..engine.lowlevel.bits import splitmix64_words
from ..engine.mechanics.rewards import REWARDS
from ..engine.observation.history import HISTORY_FIELDS
from ..engine.observation.layout import MASK_WORDS, OBS_WORDS
from ..engine.rules_record import rules_table
from ..engine.state import STATE, new_records, new_rows
from ..engine.tables import PHASES
from ..envs.options import Reward, check_choice
from ..game import (
    EPISODES,
    NO_LOG,
    RECENT_LOG,
    EngineArrays,
    Episode,
    Game,
    IllegalAction,
    check_episode,
    check_history,
)
from ..rules.rules import Rules
from ..state_io.view import legal_texts
from .layout import Players, Seeds, Variants, action_ids, game_seeds, lay_out, rngs_of
from .worker_pool import WorkerPool

VOID = 2


class UnoVec:
    """A batch of games that step together; each is reset as it ends.

    Args:
        variant: preset, rules text or `Rules`; or a list of them, assigned round-robin: game i gets
            item i modulo the length of the list.
        num_envs: games in the batch.
        num_players: table size, the variant's usual one when left out; or a list, assigned alike.
        seed: one number that fixes every game and the random actions, or a list of game seeds.
        threads: how many threads share a step; results do not depend on it.
        episode: one round, or rounds until the match target.
        reward: `win`, `points` or `places`, as `Game.rewards`.
        rules: a `Rules` value, or a list of them, instead of `variant`.
        history: number of past events in `history`, 0 to 48.

    Attributes:
        obs: (num_envs, 1280) uint8, the observation of the seat to act. Steps write only what may
            have changed, so leave the rows as they are: copy them to change them.
        mask: (num_envs, 208) uint8, its legal actions.
        actor: (num_envs,) int64, the seat to act.
        done: (num_envs,) uint8, 1 where a game ended in the last step, 2 where it ended void.
        rewards: (num_envs, 10) float32 per absolute seat, of games that ended in the last step.
        history: (num_envs, history, 5) uint8, the last events the seat to act may know of, oldest
            first; see `uno_env.engine.observation.history`.
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
        history: int = 0,
    ) -> None:
        self._layout = lay_out(variant, num_players, num_envs, rules)
        self.num_envs = int(num_envs)
        self.episode: Episode = check_episode(episode)
        check_choice("reward", reward, REWARDS)
        self.reward: Reward = reward
        self._first_seeds: Words | None = game_seeds(seed, self.num_envs)
        self._rngs = rngs_of(self._first_seeds)
        self._workers = WorkerPool(threads, self.num_envs)
        self._allocate(check_history(history))

    def _allocate(self, history: int) -> None:
        size = self.num_envs
        self._games = new_records(size, STATE)
        self._rules = rules_table(self._layout.rule_sets)
        self._logs = RECENT_LOG if history else NO_LOG
        self._obs_words = new_rows(size, OBS_WORDS)
        self._mask_words = new_rows(size, MASK_WORDS)
        self._actions = np.zeros(size, np.int64)
        self.obs: Bytes = self._obs_words.view(np.uint8)
        self.mask: Bytes = self._mask_words.view(np.uint8)
        self.actor: Ints = np.full(size, -1, np.int64)
        self.done: Bytes = np.zeros(size, np.uint8)
        self.rewards: Floats = np.zeros((size, MAX_SEATS), np.float32)
        self.history: Bytes = np.zeros((size, history, len(HISTORY_FIELDS)), np.uint8)
        self._states: Bytes | None = None
        # The arguments of each thread's calls never change, so they are made once.
        self._known_slots = np.zeros(size, np.uint8)
        self._written = (self._obs_words, self._mask_words, self.actor, self._known_slots)
        ends = (self.done, self.rewards, REWARDS.index(self.reward))
        self._step_calls = [
            (*self.engine_arrays, *part, self._actions, *self._written, *ends)
            for part in self._workers.slices(size)
        ]
        self._workers.prepare_steps(self._step_calls, self._rngs)
        self._frame = BatchFrame(*self.engine_arrays, self._actions, *self._written, *ends[:2])
        self._step_games: Callable[[], int] = self._workers.step
        if self._workers.count == 1:
            call = (self._frame.argument, 0, size, ends[2])
            self._step_games = partial(batch.step_frame, *call)
        self._has_history = history > 0
        self._history_calls = [
            (self._games, *part, self.history) for part in self._workers.slices(size)
        ]
        self._random_call = (self._games, 0, size, self._rngs, self._actions)

    def run_in_threads(self, kernel: Callable[..., Any], calls: list[tuple[Any, ...]]) -> list[Any]:
        """Call a kernel with each thread's arguments, made for `thread_slices`."""
        return self._workers.run(kernel, calls)

    def thread_slices(self, size: int) -> list[tuple[int, int]]:
        """Where each thread's slice of so many games begins and ends."""
        return self._workers.slices(size)

    @property
    def engine_arrays(self) -> EngineArrays:
        """The arrays behind the batch, for kernels; what they write there is its state."""
        return EngineArrays(self._games, self._rules, self._logs)

    # Playing.

    def reset(self, seed: Seeds | None = None) -> None:
        """Deal all games: from `seed` if given, at first from the batch's own, later from each
        game's next seed.
        """
        if seed is not None:
            seeds = game_seeds(seed, self.num_envs)
            self._rngs[:] = rngs_of(seeds)
        else:
            seeds = splitmix64_words(self.seeds) if self._first_seeds is None else self._first_seeds
        self._first_seeds = None
        layout, match = self._layout, EPISODES.index(self.episode)
        whole = (0, self.num_envs)
        batch.deal_batch(*self.engine_arrays, *whole, layout.rule, layout.num_players, seeds, match)
        self.rewrite()

    def rewrite(self) -> None:
        """Write every row anew from its game; nothing counts as having just ended."""
        batch.observe_batch(self._games, self._rules, 0, self.num_envs, *self._written)
        if self._has_history:
            self._write_history()
        self.done[:] = 0
        self.rewards[:] = 0

    def step(self, actions: npt.ArrayLike) -> None:
        """Take an action id in each game; games that end are reset with their next seed.

        An illegal action raises `IllegalAction`, which names the first game it happened in. Games
        with illegal actions are left as they were; all others have moved.
        """
        if actions is not self._actions:
            self._actions[:] = action_ids(actions, self.num_envs)
        illegal = self._step_games()
        if self._has_history:
            self._write_history()
        if illegal >= 0:
            raise self._illegal(illegal, int(self._actions[illegal]))

    def _write_history(self) -> None:
        self._workers.run(write_histories, self._history_calls)

    def states(self) -> Bytes:
        """The global state of each game (num_envs, `uno_env.STATE_SIZE`), for centralised critics.

        It shows all hands, seats counted from the one to act; no agent may see it. The array is
        overwritten by the next call.
        """
        if self._states is None:
            self._states = np.zeros((self.num_envs, STATE_SIZE), np.uint8)
        write_states(self._games, 0, self.num_envs, self._states)
        return self._states

    def random_actions(self) -> Ints:
        """A uniformly random legal action for each game; overwritten by the next call, of
        `step` too.
        """
        if self._workers.count == 1:
            batch.random_actions(*self._random_call)
        else:
            self._workers.choose()
        return self._actions

    def _illegal(self, index: int, action: int) -> IllegalAction:
        state = self._games[index]
        if not state["num_players"]:
            return IllegalAction("no game has been dealt; call reset() before step()")
        known = 0 <= action < NUM_ACTIONS
        name = f" ({action_text(action, PHASES[int(state['phase'])])})" if known else ""
        return IllegalAction(
            f"game {index} of the batch: action {action}{name} is not legal for seat "
            f"{int(state['actor'])} in phase {PHASES[int(state['phase'])]}; "
            f"legal: {', '.join(legal_texts(state))}"
        )

    # Looking at the games.

    @property
    def num_players(self) -> Ints:
        """Table size of each game."""
        return self._layout.num_players.copy()

    @property
    def seeds(self) -> Words:
        """Seed of each running game: `Game(rules_of(i), num_players[i], seeds[i])` replays it."""
        return self._games["seed"].copy()

    @property
    def void(self) -> npt.NDArray[np.bool_]:
        """Which games ended without a winner in the last step."""
        return np.equal(self.done, VOID)

    def rules_of(self, index: int) -> Rules:
        """The rules of one game."""
        return self._layout.rule_sets[int(self._layout.rule[self._checked(index)])]

    def game(self, index: int) -> Game:
        """A `Game` in the same state; its events start here."""
        index = self._checked(index)
        if not self._games["num_players"][index]:
            raise IndexError(f"game {index} has not been dealt; call reset() first")
        game = Game.from_record(self.rules_of(index), self.episode, self._games[index])
        # The moves up to here are not kept, so a record of it starts from this position.
        game.start = game.snapshot()
        return game

    def _checked(self, index: int) -> int:
        if not 0 <= index < self.num_envs:
            raise IndexError(f"index is {index}; this batch has games 0 to {self.num_envs - 1}")
        return int(index)

    # Copies, for search.

    @property
    def state(self) -> npt.NDArray[np.void]:
        """A copy of all games, hidden cards included, for `restore`."""
        return self._games.copy()

    def restore(self, state: npt.NDArray[np.void]) -> None:
        """Go back to a `state` of this batch, or of one that plays the same rules and tables."""
        same = state.dtype == STATE and state.shape == self._games.shape
        for field, ours in (("rule", self._layout.rule), ("num_players", self._layout.num_players)):
            same = same and bool(np.array_equal(state[field], ours))
        if not same:
            raise ValueError("state is not of a batch with the same rules and table sizes")
        self._games[:] = state
        self.rewrite()

    def clone_from(self, game: Game) -> None:
        """Make every game of the batch a copy of one game, which must play the same rules."""
        if game.over or game.episode != self.episode:
            state = "over" if game.over else f"a {game.episode}"
            raise ValueError(f"game is {state}; a running {self.episode} is needed")
        for index, rules in enumerate(self._layout.rule_sets):
            if rules != game.rules:
                raise ValueError(f"game plays {game.rules.text()}, game {index} {rules.text()}")
        if not (self._layout.num_players == game.num_players).all():
            raise ValueError(f"game has {game.num_players} players; the batch has other tables")
        self._games[:] = game.engine_arrays.games
        self.rewrite()

    def close(self) -> None:
        """End the threads; the arrays stay readable."""
        self._workers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        names = ", ".join(rules.text() for rules in self._layout.rule_sets)
        return f"<UnoVec of {self.num_envs} games: {names}>"


vec = UnoVec
"""The batch by the name that sits beside `env` and `raw_env`."""
