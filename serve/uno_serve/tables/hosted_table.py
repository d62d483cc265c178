"""A hosted table: one game after another, who sits at it, and what each of them has been shown.

Nothing here waits or stores; `uno_serve.tables.lobby` does both around it.
"""

import asyncio
import secrets
import time
from typing import Any

from uno_env import Game, Rules
from uno_env.actions import action_id
from uno_env.state_io.replay import ReplayError

from ..api.errors import ApiError
from ..api.question import Question
from ..bots.encode import GIVE_IDS, PLAY_IDS
from .seats import Seat, is_token
from .setup import TableSetup
from .shown import HIDDEN, Stage, Viewer
from .storage import StoredTable

WAITING, PLAYING, OVER, CLOSED = "waiting", "playing", "over", "closed"
FAULT = -1
_KNOWN_TEXTS = {*PLAY_IDS, *GIVE_IDS}


class HostedTable:
    """One table in memory.

    Args:
        table_id: its unguessable name.
        setup: what is played, and how long anybody may take.
        seats: who sits where.
    """

    def __init__(self, table_id: str, setup: TableSetup, seats: list[Seat]) -> None:
        self.id, self.setup, self.seats = table_id, setup, seats
        self.status = WAITING
        self.game_number = 0
        self.game: Game | None = None
        self.stage = Stage()
        self.rematch: set[int] = set()
        self.lock = asyncio.Lock()
        self.public_version = 0
        self.is_stale = False
        self.spectators = 0
        self.last_used = time.monotonic()
        self.asked_at = 0.0
        self._decided = [0] * len(seats)
        self._accepted: list[tuple[int, int] | None] = [None] * len(seats)
        self._bells: set[asyncio.Event] = set()

    # Who is there.

    @property
    def names(self) -> list[str]:
        """A name for every seat."""
        return [seat.label for seat in self.seats]

    @property
    def persons(self) -> list[Seat]:
        """Seats where people sit."""
        return [seat for seat in self.seats if seat.is_person]

    @property
    def is_unattended(self) -> bool:
        """Whether only bots sit here."""
        return not any(seat.kind == "human" for seat in self.seats)

    def seat_of(self, token: str) -> Seat:
        """The seat of a token, or an error."""
        # Every seat is tried, so the time tells nothing about which one came close.
        found = [seat for seat in self.seats if is_token(token, seat.secret)]
        if not found:
            raise ApiError("wrong_token", "this token opens no seat of this table")
        return found[0]

    def is_host(self, token: str) -> bool:
        """Whether a token is the host's."""
        return is_token(token, self.setup.host)

    def bot_for(self, seat: Seat) -> str | None:
        """The bot that decides for a seat now, or None where a person does."""
        if not seat.is_person:
            return seat.bot
        present = seat.is_present(self.setup.absent_seconds)
        return None if present else self.setup.stand_in

    # Playing.

    @property
    def running(self) -> Game:
        """The game that goes on, or an error that says why there is none."""
        if self.status == CLOSED:
            raise ApiError("closed", "the table was closed")
        if self.game is None or self.status == WAITING:
            raise ApiError("not_started", "the table waits for open seats")
        return self.game

    @property
    def asked(self) -> Seat | None:
        """Who has to decide."""
        actor = self.game.actor if self.game and self.status == PLAYING else None
        return None if actor is None else self.seats[actor]

    @property
    def is_hidden(self) -> bool:
        """Whether the question is one that nobody else may know of."""
        return self.game is not None and self.game.phase in HIDDEN

    def move_of(self, seat: Seat) -> int:
        """The number of the next decision of a seat."""
        return seat.moves_before + self._decided[seat.number] + 1

    @property
    def deadline(self) -> float | None:
        """When the time of the person who is asked runs out."""
        if self.game is None or self.asked is None:
            return None
        is_reaction = self.game.phase == "react"
        limit = self.setup.react_seconds if is_reaction else self.setup.move_seconds
        return None if limit is None else self.asked_at + limit

    def question(self, seat: Seat) -> Question:
        """What the seat that has to decide is asked, with all it may know."""
        game = self.running
        view = game.view(seat.number)
        view["events"] = self.stage.heard(seat.number)
        return Question.of_game(game, view, f"{self.stage.number} {seat.number}")

    def deal(self, seed: int | None = None) -> dict[str, Any]:
        """Begin the next game, to be shown by `publish`; returns its record."""
        for seat in self.seats:
            seat.moves_before += self._decided[seat.number]
        self.game_number += 1
        rules = Rules.from_text(self.setup.rules)
        seed = secrets.randbits(64) if seed is None else seed
        game = Game(rules, self.setup.num_players, seed=seed, episode=self.setup.episode)
        self._begin(game)
        return game.record()

    def _begin(self, game: Game) -> None:
        self.game, self.status, self.rematch = game, PLAYING, set()
        self._decided = [0] * len(self.seats)
        viewers: list[Viewer] = [seat.number for seat in self.seats if seat.kind == "human"]
        self.stage = Stage([*viewers, None] if self.setup.spectators else viewers, self.stage)
        self.stage.listen(game)

    def check(self, seat: Seat, action: str | int, move: int | None) -> int | None:
        """The id of a permitted move; None if it is the accepted one repeated; else an error."""
        game = self.running
        number = _number(action)
        if move is not None and self._accepted[seat.number] == (move, number):
            return None
        if self.asked is not seat:
            raise ApiError("not_your_decision", "this seat has nothing to decide now")
        now = self.move_of(seat)
        if move is not None and move != now:
            message = f"move is {move}, but this is decision {now} of the seat"
            raise ApiError("stale_move", message, move=now)
        # `play` and `give` share ids, not meanings, so a text must itself be legal.
        legal: list[Any] = game.legal() if isinstance(action, str) else game.legal_ids()
        if action in legal:
            return number
        if game.rules.fault_mode == "penalty":
            return FAULT
        raise ApiError("illegal_action", f"{action!r} is not legal now", legal=game.legal())

    def apply(self, number: int) -> int:
        """Make a checked move, to be shown by `publish`; returns its place in the record."""
        seat = self.asked
        if seat is None:
            raise ApiError("not_your_decision", "nobody has to decide")
        game = self.running
        game.step(number)
        self._accepted[seat.number] = (self.move_of(seat), number)
        self._decided[seat.number] += 1
        self.stage.listen(game)
        return sum(self._decided) - 1

    def publish(self, acted: Seat | None = None) -> None:
        """Show what has come of a move or a deal, once it is stored."""
        game = self.running
        self.asked_at = time.monotonic()
        if game.over:
            self.status = OVER
        asked = self.asked
        is_person = asked is not None and asked.is_person
        move = self.move_of(asked) if asked is not None and is_person else None
        self.stage.show(game, move, self.asked_at, None if acted is None else acted.number)
        self.ring()

    # Coming back.

    def restore(self, kept: StoredTable) -> None:
        """Come back to where the stored moves lead."""
        self.status, self.game_number = kept.status, kept.game
        if kept.record is not None and kept.status != CLOSED:
            self._replay(kept.record)

    def take_back(self) -> None:
        """Undo the last move, which could not be stored."""
        record = self.running.record()
        self._replay({**record, "actions": record["actions"][:-1]})

    def _replay(self, record: dict[str, Any]) -> None:
        """Make every move of a record anew; each viewer is shown what it had been shown last."""
        open_at = _last_open(record)
        game = Game.replay({**record, "actions": []})
        self._begin(game)
        self._accepted = [None] * len(self.seats)
        if open_at == 0:
            self.publish()
        for place, number in enumerate(record["actions"], start=1):
            seat = self.asked
            if seat is None:
                raise ReplayError("the record goes on after its end")
            self.apply(number)
            if place >= open_at:
                self.publish(seat)

    # Bells: everybody who waits for something to happen here.

    def version_for(self, viewer: Viewer) -> tuple[int, int, int]:
        """Changes when there is something new to send to a viewer."""
        return self.game_number, self.public_version, self.stage.version(viewer)

    def changed(self) -> None:
        """Something changed that everybody may know: who is there, who wants a rematch."""
        self.public_version += 1
        self.ring()

    def add_bell(self, bell: asyncio.Event) -> None:
        """Ring it from now on whenever something changes."""
        self._bells.add(bell)

    def remove_bell(self, bell: asyncio.Event) -> None:
        """Stop ringing it."""
        self._bells.discard(bell)

    def ring(self) -> None:
        """Something changed."""
        for bell in self._bells:
            bell.set()

    def drop(self) -> None:
        """The store knows better: whoever is here has to come back."""
        self.is_stale = True
        self.ring()

    def close(self) -> None:
        """Nobody plays here any more."""
        self.status = CLOSED
        self.changed()

    def stored(self) -> StoredTable:
        """What is kept besides the moves."""
        return StoredTable(
            id=self.id, status=self.status, unattended=self.is_unattended,
            setup=self.setup.model_dump(), seats=[seat.stored() for seat in self.seats],
            touched=0.0, game=self.game_number,
        )  # fmt: skip


def _number(action: str | int) -> int:
    if isinstance(action, int):
        return action
    if action not in _KNOWN_TEXTS:
        raise ApiError("illegal_action", f"{action[:60]!r} is no action at all")
    return action_id(action)


def _last_open(record: dict[str, Any]) -> int:
    """Moves of a record up to the last one after which no hidden question was open."""
    game = Game.replay({**record, "actions": []})
    last = 0
    for place, number in enumerate(record["actions"], start=1):
        game.step(number)
        game.events = []
        if game.phase not in HIDDEN:
            last = place
    return last
