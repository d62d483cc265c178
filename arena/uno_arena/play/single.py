"""Games of agents that are asked move by move, one game after another."""

import time
from collections import Counter
from collections.abc import Iterator

from uno_env import Game

from ..stats.decisions import CHOICE_OF, PHASES
from .agent_calls import Fault, Seated
from .chunk import ChunkSpec, GameRow
from .heartbeat import BUILDING, NOBODY, Pulse

_PHASE = {phase: number for number, phase in enumerate(PHASES)}


class Guests:
    """The agents of a chunk, each built when it is first asked and timed when it answers."""

    def __init__(self, spec: ChunkSpec, pulse: Pulse) -> None:
        self._spec, self._pulse = spec, pulse
        self._seated: dict[int, Seated] = {}
        self._has_moved: set[int] = set()

    def on(self, chair: int) -> Seated:
        """Who sits on a chair."""
        if chair not in self._seated:
            entrant = self._spec.entrant_of(chair)
            self._pulse.asks(BUILDING, entrant, self._spec.start_timeout)
            self._seated[chair] = Seated(lambda: self._spec.make_agent(chair))
        return self._seated[chair]

    def allowance(self, chair: int) -> float:
        """Seconds for the next move; the first may take longer, for code that compiles or loads."""
        limit = self._spec.move_timeout
        is_first = chair not in self._has_moved
        self._has_moved.add(chair)
        return max(limit, self._spec.start_timeout) if limit and is_first else limit

    def answer(self, chair: int, game: Game, seat: int, number: int) -> int:
        """The action of the seat to act in a game, or `Fault`."""
        guest = self.on(chair)
        limit = self.allowance(chair)
        self._pulse.asks(number, seat, limit)
        asked = time.monotonic()
        action = guest.answer(game, seat)
        if limit and time.monotonic() - asked > limit:
            raise Fault(too_late(limit))
        return action


def too_late(limit: float) -> str:
    """The reason of a forfeit by time."""
    return f"no answer within {limit:g} s"


def play_rows(spec: ChunkSpec, pulse: Pulse) -> Iterator[GameRow]:
    """Play the games of a chunk from `first_game` on."""
    guests = Guests(spec, pulse)
    for number in range(spec.first_game, spec.num_games):
        yield _play_game(spec, guests, number, pulse)
    pulse.rests()


def _play_game(spec: ChunkSpec, guests: Guests, number: int, pulse: Pulse) -> GameRow:
    game = _deal(spec, number)
    chairs = spec.layout.chair[number].tolist()
    counts: Counter[tuple[int, int, int]] = Counter()
    pulse.starts()
    while (seat := game.actor) is not None:
        try:
            action = guests.answer(chairs[seat], game, seat, number)
        except Fault as fault:
            return _row(game, number, counts, seat, str(fault))
        counts[spec.entrant_at(number, seat), _PHASE[game.phase], int(CHOICE_OF[action])] += 1
        game.step(action)
        pulse.acted(action)
    return _row(game, number, counts)


def stopped_row(spec: ChunkSpec, number: int, seat: int, actions: bytes, reason: str) -> GameRow:
    """The row of a game whose agent had to be stopped, from the actions before that."""
    game = _deal(spec, number)
    counts: Counter[tuple[int, int, int]] = Counter()
    for action in actions:
        actor = game.actor
        if actor is None:
            break
        counts[spec.entrant_at(number, actor), _PHASE[game.phase], int(CHOICE_OF[action])] += 1
        game.step(action)
    return _row(game, number, counts, seat, reason)


def _deal(spec: ChunkSpec, number: int) -> Game:
    matchup = spec.matchup
    seed = int(spec.layout.seed[number])
    return Game(spec.rules, matchup.num_players, seed, matchup.episode)


def _row(
    game: Game,
    number: int,
    counts: Counter[tuple[int, int, int]],
    forfeit_seat: int = NOBODY,
    reason: str = "",
) -> GameRow:
    scores = game.scores if game.episode == "match" else game.points
    winners = sum(1 << seat for seat in game.winners)
    actions = bytes(game.record()["actions"])
    return GameRow(
        number, winners, tuple(scores), game.void, forfeit_seat, reason, actions, counts
    )  # fmt: skip
