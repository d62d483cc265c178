"""Game: one game by name. Texts in, texts out, over the same engine as everything else."""

from typing import Any, Literal, NamedTuple, Self

import numpy as np

from .actions import NUM_ACTIONS, action_id, action_text
from .engine import single
from .engine.global_state import STATE_SIZE, write_states
from .engine.histories import write_game_history
from .engine.mechanics.rewards import REWARDS
from .engine.observation.event_log import LOG_ROWS, new_logs
from .engine.observation.history import HISTORY_FIELDS, MAX_HISTORY
from .engine.observation.layout import OBS_WORDS
from .engine.rules_record import rules_table
from .engine.state import STATE, new_records
from .engine.step import ILLEGAL, OVER
from .engine.tables import PHASES
from .rules.presets import default_players
from .rules.rules import Rules, RulesError
from .state_io.events import Event, SeatEvents, read_events
from .state_io.view import View, legal_ids, legal_texts, make_view, seats_of

NO_LOG = new_logs(0)
"""A log of capacity 0: nothing is ever written, so all games share it."""

RECENT_LOG = new_logs(0, active=True)
"""One that only fills the ring of recent events in a game's record, for histories."""

Episode = Literal["round", "match"]
EPISODES = ("round", "match")


class IllegalAction(ValueError):
    """An action that is not legal now. Nothing has changed."""


class EngineArrays(NamedTuple):
    """The arrays that kernels take: games, rule sets and event logs, one row a game."""

    games: Any
    rules: Any
    logs: Any


class Game:
    """One game of any variant.

    Args:
        variant: name of a preset, a rules text (`no_mercy(stacking=none)`) or a `Rules` value.
        num_players: seats at the table; the variant's usual size when left out.
        seed: fixes the deal, every reshuffle and the first dealer.
        episode: one round, or rounds until the match target.
        rules: a `Rules` value instead of `variant`.
    """

    def __init__(
        self,
        variant: str | Rules = "classic",
        num_players: int | None = None,
        seed: int = 0,
        episode: Episode = "round",
        rules: Rules | None = None,
    ) -> None:
        self._allocate(resolve_rules(variant, rules), check_episode(episode))
        if num_players is None:
            num_players = max(default_players(self.rules.variant), self.rules.min_players)
        self.rules.check_players(num_players)
        self._deal(check_seed(seed), num_players, self._logs)
        self._read_log()

    def _allocate(self, rules: Rules, episode: Episode) -> None:
        self.rules = rules
        self.episode: Episode = episode
        self.seed = 0
        self.events: list[Event] = []
        self.actions: list[int] = []
        self.start: dict[str, Any] | None = None
        self._told: dict[int, SeatEvents] = {}
        self._games = new_records(1, STATE)
        self._rules = rules_table([rules])
        self._logs = new_logs(LOG_ROWS)
        self._obs_words = np.zeros((1, OBS_WORDS), np.uint64)
        self._obs = self._obs_words.view(np.uint8)

    def _deal(self, seed: int, num_players: int, logs: Any) -> None:
        match = EPISODES.index(self.episode)
        self.seed = seed
        single.deal_game(self._games, self._rules, logs, 0, 0, num_players, np.uint64(seed), match)

    # What is going on.

    @property
    def num_players(self) -> int:
        """Seats at the table."""
        return int(self._games["num_players"][0])

    @property
    def actor(self) -> int | None:
        """The seat to decide, None when the game is over."""
        actor = int(self._games["actor"][0])
        return None if actor < 0 else actor

    @property
    def phase(self) -> str:
        """The kind of decision awaited."""
        return PHASES[int(self._games["phase"][0])]

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return bool(self._games["finished"][0])

    @property
    def void(self) -> bool:
        """Whether it ended without a winner: a stalemate, or truncated."""
        return bool(self._games["is_void"][0])

    @property
    def winners(self) -> tuple[int, ...]:
        """Winning seats; a team wins together; empty while playing and when void."""
        return tuple(seats_of(self._games["winners"][0]))

    @property
    def points(self) -> list[int]:
        """Card points of the round that ended last, before any winner's reward."""
        return self._games["points"][0, : self.num_players].tolist()  # type: ignore[no-any-return]

    @property
    def scores(self) -> list[int]:
        """Running totals."""
        return self._games["scores"][0, : self.num_players].tolist()  # type: ignore[no-any-return]

    @property
    def places(self) -> list[int]:
        """Places under `play_on`, 1 for the seat that was out first; 0 where there is none yet."""
        return self._games["places"][0, : self.num_players].tolist()  # type: ignore[no-any-return]

    # What can be done.

    def legal(self) -> list[str]:
        """Legal actions as texts, in id order; empty when over."""
        return legal_texts(self._games[0])

    def legal_ids(self) -> list[int]:
        """Legal actions as ids, in order."""
        return legal_ids(self._games[0])

    def mask(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Legal actions as a 0/1 array over the global action table."""
        mask = np.zeros(NUM_ACTIONS, np.uint8)
        mask[self.legal_ids()] = 1
        return mask

    def step(self, action: str | int) -> None:
        """Take an action (text or id); an illegal one raises and changes nothing.

        With `fault_mode="penalty"` an illegal action costs cards instead (IG-60).
        """
        number = self.action_number(action)
        self.clear_log()
        status = single.step_game(self._games, self._rules, self._logs, 0, number)
        if status == OVER:
            raise IllegalAction(f"{self._name(action)}: the game is over")
        if status == ILLEGAL:
            raise IllegalAction(
                f"{self._name(action)} is not legal for seat {self.actor} in phase {self.phase}; "
                f"legal: {', '.join(self.legal())}"
            )
        self.note_step(number)

    def action_number(self, action: str | int) -> int:
        """The id of an action in the present phase; negative where it stands for none."""
        if isinstance(action, str):
            giving = action.startswith("give ")
            number = action_id(action)
            wrong_word = giving or action.startswith("play ")
            if wrong_word and action_text(number, self.phase) != action:
                # `play` and `give` share ids, not meanings: this id stands for no action here.
                return -1 - number
            return number
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise IllegalAction(f"action {action!r} is neither a text nor an id")
        number = int(action)
        return number if 0 <= number < NUM_ACTIONS else -1

    def _name(self, action: str | int) -> str:
        if isinstance(action, str):
            return repr(action)
        number = int(action)
        known = 0 <= number < NUM_ACTIONS
        return (
            f"action {number} ({action_text(number, self.phase)})" if known else f"action {number}"
        )

    def _read_log(self) -> None:
        used = int(self._logs["used"][0])
        self.events += read_events(self._logs["rows"][0, :used], self.num_players)

    # What a seat knows.

    def view(self, seat: int) -> View:
        """All that a seat may know, as a JSON-ready dict, and nothing else."""
        seat = self._check_seat(seat)
        told = self._told.get(seat)
        if told is None or told.source is not self.events:
            told = self._told[seat] = SeatEvents(self.events, seat)
        return make_view(self._games[0], self.rules, told.so_far(), seat)

    def observe(self, seat: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The encoded observation of a seat (see `uno_env.describe_observation`)."""
        single.observe_game(self._games, self._rules, 0, self._check_seat(seat), self._obs_words)
        row: np.ndarray[Any, np.dtype[np.uint8]] = self._obs[0].copy()
        return row

    def history(self, seat: int, length: int = MAX_HISTORY) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The last events a seat may know of, oldest first, as rows of numbers (length, 5).

        See `uno_env.engine.observation.history` for the columns.
        """
        rows = np.zeros((check_history(length), len(HISTORY_FIELDS)), np.uint8)
        write_game_history(self._games, 0, self._check_seat(seat), rows)
        return rows

    def state(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """All hands and the draw pile, for centralised critics: what no seat may know.

        Seats are counted from the one to act; `uno_env.describe_state` prints the layout.
        """
        rows = np.zeros((1, STATE_SIZE), np.uint8)
        write_states(self._games, 0, 1, rows)
        return rows.reshape(-1)

    def _check_seat(self, seat: int) -> int:
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)):
            raise ValueError(f"seat is {seat!r}; an integer is needed")
        if not 0 <= seat < self.num_players:
            raise ValueError(f"seat is {seat}; this table has seats 0 to {self.num_players - 1}")
        return int(seat)

    def rewards(self, mode: str = "win") -> list[float]:
        """Rewards per seat of a finished game (zeros before): `win`, `points` or `places`."""
        if mode not in REWARDS:
            raise ValueError(f"reward is {mode!r}; allowed: {', '.join(REWARDS)}")
        out = np.zeros(10, np.float64)
        if self.over:
            single.game_rewards(self._games, self._rules, 0, REWARDS.index(mode), out)
        return out[: self.num_players].tolist()  # type: ignore[no-any-return]

    # For environments and search, which step a game's record by kernels of their own.

    @classmethod
    def from_record(cls, rules: Rules, episode: Episode, record: Any = None) -> Self:
        """A game over a copy of an engine record, or over an empty one that is yet to be filled."""
        game = object.__new__(cls)
        game._allocate(rules, episode)
        if record is not None:
            game.copy_record(record)
        return game

    def copy_record(self, record: Any) -> None:
        """Take over the state of an engine record that plays the same rules."""
        self._games[0] = record
        self._games["rule"] = 0
        self.seed = int(self._games["seed"][0])

    @property
    def engine_arrays(self) -> EngineArrays:
        """The arrays behind this game; what kernels write there is this game's state."""
        return EngineArrays(self._games, self._rules, self._logs)

    def deal_again(self, seed: int, log: Any = None) -> None:
        """A new deal at the same table, into the same record; its events go to the game's log."""
        self.events, self.actions, self.start = [], [], None
        self.clear_log()
        self._deal(seed, self.num_players, self._logs if log is None else log)
        self._read_log()

    def clear_log(self) -> None:
        """Before a kernel steps the record: forget the events of the step before."""
        self._logs["used"] = 0

    def note_step(self, action: int) -> None:
        """After a kernel has stepped the record: keep the action and its events."""
        self.actions.append(action)
        self._read_log()

    # Copies and records.

    def clone(self) -> Self:
        """An independent copy."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._games = self._games.copy()
        twin.events = list(self.events)
        twin._told = {}
        twin.actions = list(self.actions)
        twin._logs = new_logs(LOG_ROWS)
        twin._obs_words = np.zeros_like(self._obs_words)
        twin._obs = twin._obs_words.view(np.uint8)
        return twin

    def snapshot(self) -> dict[str, Any]:
        """The full state, JSON-ready, hidden cards included."""
        from .state_io.snapshot import take_snapshot

        return take_snapshot(self)

    @classmethod
    def from_snapshot(cls, data: dict[str, Any], strict: bool = False) -> Self:
        """A game set up from a snapshot, whole or partial (see `uno_env.state_io.snapshot`)."""
        from .state_io.snapshot import load_snapshot

        return load_snapshot(cls, data, strict)

    def record(self) -> dict[str, Any]:
        """What `replay` needs: rules, players, seed (or the starting position) and actions."""
        from .state_io.replay import make_record

        return make_record(self)

    @classmethod
    def replay(cls, record: dict[str, Any], steps: int | None = None) -> Self:
        """Play a record again, whole or its first `steps` actions."""
        from .state_io.replay import run_record

        return run_record(cls, record, steps)

    def __repr__(self) -> str:
        where = "over" if self.over else f"seat {self.actor} in {self.phase}"
        return f"<Game {self.rules.text()}, {self.num_players} players, {where}>"


def resolve_rules(variant: str | Rules, rules: Rules | None = None) -> Rules:
    """The rules named by a preset, a rules text or a value."""
    if rules is not None:
        if not isinstance(rules, Rules):
            raise RulesError(f"rules is {rules!r}; a uno_env.Rules value is needed")
        return rules
    if isinstance(variant, Rules):
        return variant
    if not isinstance(variant, str):
        raise RulesError(f"variant is {variant!r}; a preset name or a uno_env.Rules is needed")
    return Rules.from_text(variant)


def check_history(length: int) -> int:
    """How many events a history has, or an error that says what is possible."""
    number: object = length
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
        raise ValueError(f"history is {length!r}; a number of events is needed")
    if not 0 <= length <= MAX_HISTORY:
        raise ValueError(f"history is {length}; 0 to {MAX_HISTORY} events can be told")
    return int(length)


def check_episode(episode: str) -> Episode:
    """The episode kind, or an error that names the allowed ones."""
    if episode not in EPISODES:
        raise ValueError(f"episode is {episode!r}; allowed: {', '.join(EPISODES)}")
    return episode  # type: ignore[return-value]


def check_seed(seed: int) -> int:
    """A seed in the engine's range."""
    number: object = seed
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
        raise ValueError(f"seed is {seed!r}; an integer from 0 to 2**64 - 1 is needed")
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed is {seed!r}; an integer from 0 to 2**64 - 1 is needed")
    return int(seed)
