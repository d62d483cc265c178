"""A hosted table: one game after another, who sits at it, and what each viewer may see.

Nothing here waits or stores; `uno_serve.tables.lobby` does both around it.
"""

import asyncio
import secrets
import time
from typing import Any

from uno_env import Game, Rules
from uno_env.actions import action_id
from uno_env.state_io.encode_view import GIVE_IDS, PLAY_IDS
from uno_env.state_io.replay import ReplayError

from ..bots.decision import DecisionRequest
from ..errors import ApiError
from .observable import Observable
from .pause import LastMove, ReactionRule, num_shown, pause_after
from .reaction_window import ReactionWindow, hidden_questions, is_hidden, silent_action
from .reactions import Reactions
from .replacement import Replacement
from .round_pause import RoundPause
from .schema import StoredTable
from .setup import Seat, TableSetup, is_token
from .visible_state import Viewer, VisibleStates

WAITING, PLAYING, OVER, CLOSED = "waiting", "playing", "over", "closed"
ILLEGAL = -1
"""The action stored for an illegal one where the rules have a penalty for it."""
_ACTION_TEXTS = {*PLAY_IDS, *GIVE_IDS}


class HostedTable(Observable):
    """One table in memory.

    Args:
        table_id: its unguessable name.
        setup: what is played, and the time limits.
        seats: who sits where.
        creator: the client by whose limit the table counts; unknown after a restart.
    """

    def __init__(
        self, table_id: str, setup: TableSetup, seats: list[Seat], creator: str | None = None
    ) -> None:
        super().__init__()
        self.creator = creator
        self.id, self.setup, self.seats = table_id, setup, seats
        self.status = WAITING
        self.game_number = 0
        self.game: Game | None = None
        self.visible = VisibleStates()
        self.rematch: set[int] = set()
        self.reactions = Reactions()
        self.pause = RoundPause()
        self.lock = asyncio.Lock()
        self.spectators = 0
        self.last_used = time.monotonic()
        self.decision_since = 0.0
        self.window: ReactionWindow | None = None
        self.has_audience = False
        self.replaced: dict[int, Replacement] = {}
        self._last = self._last_seen = LastMove()
        self._decisions = [0] * len(seats)
        self._accepted: list[tuple[int, int] | None] = [None] * len(seats)

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
        # Every seat is compared, so the time does not reveal which one came close.
        found = [seat for seat in self.seats if is_token(token, seat.secret)]
        if not found:
            raise ApiError("wrong_token", "this token opens no seat of this table")
        return found[0]

    def is_host(self, token: str) -> bool:
        """Whether a token is the host's."""
        return is_token(token, self.setup.host)

    def may_host(self, token: str) -> bool:
        """Whether a token is the host's, or that of the seat that is host now."""
        seat = self.setup.host_seat
        secret = None if seat is None else self.seats[seat].secret
        return self.is_host(token) or is_token(token, secret)

    @property
    def may_begin(self) -> bool:
        """Whether nobody has to be waited for any more."""
        if any(seat.is_open for seat in self.seats):
            return False
        is_ready = all(seat.is_ready and seat.is_here for seat in self.persons)
        return is_ready or not self.setup.waiting_room

    def bot_for(self, seat: Seat) -> str | None:
        """The bot that decides for a seat now, or None where a person does."""
        if not seat.is_person:
            return seat.bot
        present = seat.is_present(self.setup.absent_seconds)
        return None if present else self.setup.stand_in

    # Playing.

    @property
    def running(self) -> Game:
        """The game in progress or over, or an error that says why there is none."""
        if self.status == CLOSED:
            raise ApiError("closed", "the table was closed")
        if self.game is None or self.status == WAITING:
            raise ApiError("not_started", "the table waits for open seats")
        return self.game

    @property
    def to_act(self) -> Seat | None:
        """The seat that has to decide."""
        actor = self.game.actor if self.game and self.status == PLAYING else None
        return None if actor is None else self.seats[actor]

    @property
    def is_hidden(self) -> bool:
        """Whether nobody else may know of the decision to make."""
        return self.game is not None and is_hidden(self.game)

    def move_of(self, seat: Seat) -> int:
        """The number of the next decision of a seat."""
        return seat.moves_before + self._decisions[seat.number] + 1

    @property
    def deadline(self) -> float | None:
        """When the time of the person to act runs out."""
        if self.game is None or self.to_act is None:
            return None
        limit = self.setup.move_seconds
        return None if limit is None else self.decision_since + limit

    def decision_request(self, seat: Seat, game: Game | None = None) -> DecisionRequest:
        """The decision of a seat to act, with all it may know.

        Args:
            game: that of a question in a reaction window, if it is not the seat's turn yet.
        """
        game = game or self.running
        view = game.view(seat.number)
        view["events"] = self.visible.events_of_seat(seat.number)
        return DecisionRequest.from_game(game, view, f"{self.visible.id} {seat.number}")

    def deal(self, seed: int | None = None) -> dict[str, Any]:
        """Begin the next game, made visible by `publish`; returns its record."""
        for seat in self.seats:
            seat.moves_before += self._decisions[seat.number]
        self.game_number += 1
        rules = Rules.from_text(self.setup.rules)
        seed = secrets.randbits(64) if seed is None else seed
        game = Game(rules, self.setup.num_players, seed=seed, episode=self.setup.episode)
        self._begin(game)
        return game.record()

    def _begin(self, game: Game) -> None:
        if self.window is not None:
            self.window.close()
        self.game, self.status, self.rematch = game, PLAYING, set()
        self.window, self.replaced = None, {}
        self._last = self._last_seen = LastMove()
        self._rule = ReactionRule(game.rules)
        self._decisions = [0] * len(self.seats)
        viewers: list[Viewer] = [seat.number for seat in self.seats if seat.kind == "human"]
        viewers += [None] if self.setup.spectators else []
        self.visible = VisibleStates(viewers, self.visible)
        self.visible.collect_events(game)
        self.pause.begin_game()

    def check(self, seat: Seat, action: str | int, move: int | None) -> int | None:
        """The id of a permitted move; None if it repeats the accepted one; else an error."""
        game = self.running
        number = _action_id(action)
        if move is not None and self._accepted[seat.number] == (move, number):
            return None
        if self.window is not None:
            if seat.number not in self.window.questions:
                raise ApiError("not_your_decision", "this seat has nothing to decide now")
            game = self.window.questions[seat.number].game
        elif self.to_act is not seat:
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
            return ILLEGAL
        raise ApiError("illegal_action", f"{action!r} is not legal now", legal=game.legal())

    def apply(self, number: int) -> int:
        """Make a checked move, made visible by `publish`; returns its index in the record."""
        seat = self.to_act
        if seat is None:
            raise ApiError("not_your_decision", "nobody has to decide")
        game = self.running
        self._last = LastMove.before(game, number)
        if not self._last.is_silent:
            self._last_seen = self._last
        game.step(number)
        self._accepted[seat.number] = (self.move_of(seat), number)
        self._decisions[seat.number] += 1
        self.visible.collect_events(game)
        return sum(self._decisions) - 1

    def publish(self, acted: Seat | None = None) -> None:
        """Make the outcome of a stored move or deal visible, now or after a pause."""
        game, window = self.running, self.window
        if window is not None and self._last.is_silent:
            return
        seconds, waits_for = pause_after(
            self._last, game, self._rule, self.setup, self.persons, self.has_audience
        )
        if seconds and not game.over:
            self._open_window(acted, seconds, waits_for)
            if acted is not None and self._rule.drawer_sees_card(self._last, game):
                self.visible.show_to(acted.number, game, time.monotonic())
        elif window is None or game.over:
            self.close_window(acted)

    def _open_window(self, acted: Seat | None, seconds: float, waits_for: frozenset[int]) -> None:
        game, now = self.running, time.monotonic()
        begins = now
        if self.window is not None:
            # A reaction to a reaction: everybody has seen the first one when this window ends.
            begins = max(now, self.window.ends)
            self.window.close()
        self.window = ReactionWindow(
            begins, begins + seconds, self._last.seat, self._last.public_action, waits_for,
            hidden_questions(game),
        )  # fmt: skip
        questions = {seat: question.game for seat, question in self.window.questions.items()}
        moves = {seat: self.move_of(self.seats[seat]) for seat in questions}
        viewer = None if acted is None else acted.number
        self.visible.open_window(questions, moves, now, viewer)
        self.notify()

    def silent_action(self) -> int:
        """What counts if the seat to act does not answer a hidden question."""
        return silent_action(self.running)

    def note_decision(self, seat: Seat, by: str | None, reason: str | None) -> None:
        """Keep for everybody to see whether a weaker bot has decided for the seat's own.

        Args:
            by: who decided, None for nobody.
            reason: why it was not the seat's own bot, None if it was.
        """
        if reason is not None:
            self.replaced.setdefault(seat.number, Replacement(by, reason)).again(by, reason)
        elif seat.number in self.replaced:
            self.replaced[seat.number].is_latest = False

    def answer(self, seat: Seat, number: int) -> "asyncio.Future[int] | None":
        """Keep a checked answer in a reaction window; the number of the move when it is made."""
        if self.window is None:
            return None
        made = self.window.answer(seat.number, number)
        self.visible.answered(seat.number)
        self.notify()
        return made

    def close_window(self, acted: Seat | None = None) -> None:
        """The pause is over, if there was one: everybody sees the outcome."""
        if self.window is not None:
            self.window.close()
            self.window = None
        self._show(acted)

    def _show(self, acted: Seat | None) -> None:
        game = self.running
        if game.over:
            self.status = OVER
        is_looked_at = self.status == PLAYING and any(seat.streams for seat in self.persons)
        self.pause.publish(len(self.visible.sheet), is_looked_at and self.setup.bot_delay > 0)
        # Nobody's clock runs while the end of a round is looked at.
        self.decision_since = max(time.monotonic(), self.pause.until)
        seat = self.to_act
        move = self.move_of(seat) if seat is not None and seat.is_person else None
        self.visible.update(
            game, move, self.decision_since, None if acted is None else acted.number
        )
        self.notify()

    def end_pause(self, seat: Seat) -> None:
        """A person has seen the end of the round."""
        self.pause.ready(seat.number, {each.number for each in self.persons if each.streams})
        self.notify()

    # Storing and restoring.

    def stored(self) -> StoredTable:
        """What is stored besides the moves."""
        return StoredTable(
            id=self.id, status=self.status, unattended=self.is_unattended,
            setup=self.setup.model_dump(), seats=[seat.stored() for seat in self.seats],
            touched=0.0, game=self.game_number,
        )  # fmt: skip

    def restore(self, stored: StoredTable) -> None:
        """Replay the stored moves."""
        self.status, self.game_number = stored.status, stored.game
        if stored.record is not None and stored.status != CLOSED:
            self._replay(stored.record)

    def undo(self) -> None:
        """Take back the last move, which could not be stored."""
        record = self.running.record()
        self._replay({**record, "actions": record["actions"][:-1]})

    def _replay(self, record: dict[str, Any]) -> None:
        """Replay a record; each viewer ends with the visible state it had."""
        shown = num_shown(record, self.setup, self.persons, self.has_audience)
        self._begin(Game.replay({**record, "actions": []}))
        self._accepted = [None] * len(self.seats)
        acted = None
        if shown == 0:
            self._show(None)
        for number, action in enumerate(record["actions"], start=1):
            seat = self.to_act
            if seat is None:
                raise ReplayError("the record goes on after its end")
            if number > shown:
                if self.is_hidden:
                    # It has seen what it was asked.
                    self.visible.show_to(seat.number, self.running, time.monotonic())
                self.visible.answered(seat.number)
            self.apply(action)
            acted = acted if self._last.is_silent else seat
            if number == shown:
                self._show(seat)
        if shown < len(record["actions"]):
            # The reaction window begins anew.
            self._last = self._last_seen
            self.publish(acted)

    def version_for(self, viewer: Viewer) -> tuple[int, int, int]:
        """Changes when there is something new to send to a viewer."""
        return self.game_number, self.public_version, self.visible.version(viewer)

    def close(self) -> None:
        """End the table for everybody."""
        self.status = CLOSED
        self.public_change()


def _action_id(action: str | int) -> int:
    if isinstance(action, int):
        return action
    if action not in _ACTION_TEXTS:
        raise ApiError("illegal_action", f"{action[:60]!r} is no action at all")
    return action_id(action)
