"""`engine_state`: how far the engine is between two decisions, in words instead of its own codes.

A snapshot carries all of it, a view what its seat may know. The table `FIELDS` is the one place
that says which numbers leave the engine, under which key and in which form. A key that is left
out has the value that the phase implies.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from ..cards import FACES, UnknownCard, face_id
from ..engine.state import STAGE_ADVANCE, STAGE_TURN
from ..engine.tables import PHASES
from ..kinds import MAX_DRAWS
from ..rules.deck import MAX_CARDS
from .position import SnapshotError

STAGES = (
    "choices",
    "effects",
    "halves",
    "draw-halves",
    "drawn",
    "uno",
    "window",
    "advance",
    "turn",
    "exchange",
    "last-catch",
    "go-out",
    "win-swap",
    "pass-cards",
    "open-choices",
    "open-effects",
    "fault-back",
    "over",
    "play-more",
    "turn-catch",
)
"""What the engine does next, in the order of its `STAGE_` codes."""
CHOICES = ("swap", "target", "color", "exchange", "victim")
"""Choices a card asks of its player, in the order of the engine's `CHOICE_` bits."""
FACING = (None, "stack", "challenge", "roulette", "team-play", "draw")
HIDDEN_CARD = "hidden"
"""Stands in a view for a card that another seat has chosen."""


class Form(Protocol):
    """How one number of the engine is written."""

    def write(self, number: int) -> Any:
        """The number as JSON."""

    def read(self, value: Any, num_players: int) -> int:
        """The number again; a ValueError says what is allowed."""


class Word(NamedTuple):
    """One of several words."""

    words: Sequence[str | None]

    def write(self, number: int) -> str | None:
        """The word of a code."""
        return self.words[number]

    def read(self, value: Any, num_players: int) -> int:
        """The code of a word."""
        if not isinstance(value, (str, type(None))) or value not in self.words:
            allowed = ("null" if word is None else word for word in self.words)
            raise ValueError(f"allowed: {', '.join(allowed)}")
        return self.words.index(value)


class Words(NamedTuple):
    """A set of words, kept as bits."""

    words: tuple[str, ...]

    def write(self, number: int) -> list[str]:
        """The words whose bits are set."""
        return [word for bit, word in enumerate(self.words) if number >> bit & 1]

    def read(self, value: Any, num_players: int) -> int:
        """The bits of a list of words."""
        if not isinstance(value, list) or not all(word in self.words for word in value):
            raise ValueError(f"a list of {', '.join(self.words)} is needed")
        return sum(1 << self.words.index(word) for word in set(value))


class Seats:
    """A set of seats, kept as bits."""

    def write(self, number: int) -> list[int]:
        """The seats whose bits are set."""
        return [seat for seat in range(10) if number >> seat & 1]

    def read(self, value: Any, num_players: int) -> int:
        """The bits of a list of seats."""
        if not isinstance(value, list) or not all(_is_int(s, 0, num_players - 1) for s in value):
            raise ValueError(f"a list of seats 0 to {num_players - 1} is needed")
        return sum(1 << seat for seat in set(value))


class Seat(NamedTuple):
    """A seat; null for none where that can be."""

    may_be_none: bool = True

    def write(self, number: int) -> int | None:
        """The seat, None for -1."""
        return None if number < 0 else number

    def read(self, value: Any, num_players: int) -> int:
        """The seat, -1 for None."""
        if value is None and self.may_be_none:
            return -1
        if not _is_int(value, 0, num_players - 1):
            none = " or null" if self.may_be_none else ""
            raise ValueError(f"a seat 0 to {num_players - 1}{none} is needed")
        return int(value)


class Count(NamedTuple):
    """A whole number."""

    most: int

    def write(self, number: int) -> int:
        """As it is."""
        return number

    def read(self, value: Any, num_players: int) -> int:
        """As it is."""
        if not _is_int(value, 0, self.most):
            raise ValueError(f"an integer, allowed: 0 to {self.most}")
        return int(value)


class Flag:
    """True or false."""

    def write(self, number: int) -> bool:
        """1 is true."""
        return bool(number)

    def read(self, value: Any, num_players: int) -> int:
        """True is 1."""
        if not isinstance(value, bool):
            raise ValueError("true or false is needed")
        return int(value)


class Card:
    """A card; null for none."""

    def write(self, number: int) -> str | None:
        """The card's name, None for -1."""
        return None if number < 0 else FACES[number]

    def read(self, value: Any, num_players: int) -> int:
        """The face, -1 for None."""
        if value is None:
            return -1
        try:
            return face_id(value)
        except UnknownCard as error:
            raise ValueError(f"null is allowed, or a card: {error}") from None


def _is_int(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


class Field(NamedTuple):
    """One key of `engine_state`.

    Attributes:
        key: its name there, and that of the engine's field.
        form: how it is written.
        meaning: one line for the documentation.
        is_public: whether everybody at the table may know it, so that views carry it.
    """

    key: str
    form: Form
    meaning: str
    is_public: bool = True


MOST_STEPS = 2**31 - 1
FIELDS = (
    Field("stage", Word(STAGES), "what the engine does after the decision"),
    Field("card_player", Seat(False), "seat whose card is being resolved"),
    Field("penalty_before", Count(MAX_DRAWS), "penalty value under the top card, 0: none"),
    Field("size_before", Count(MAX_CARDS), "its player's hand size after playing it"),
    Field("choices", Words(CHOICES), "what the card still asks of its player"),
    Field("facing", Word(FACING), "what the next seat has to respond to"),
    Field("facing_seat", Seat(), "the seat that has to respond"),
    Field("skips", Count(2 * MAX_CARDS), "seats to pass over"),
    Field("equal_cards", Count(MAX_CARDS), "equal cards played in this turn before the last one"),
    Field("victim", Seat(), "seat chosen to draw"),
    Field("silent_seats", Seats(), "seats that may be caught until their own turn"),
    Field("plays_again", Flag(), "the same seat plays once more"),
    Field("advance_from", Seat(False), "seat from which the turn moves on"),
    Field("after_uno", Word(STAGES), "stage after UNO calls"),
    Field("after_window", Word(STAGES), "stage after reactions"),
    Field("passes", Count(10), "seats in a row that had nothing to do"),
    Field("hands_changed", Seats(), "seats whose hand changed in this turn"),
    Field("calls_owed", Seats(), "seats still to be asked for an UNO call"),
    Field("first_to_call", Seat(), "seat that is asked first"),
    Field("call_holder", Seat(), "seat whose last card an UNO decision is about"),
    Field("last_asked", Seat(), "seat asked last whether it catches"),
    Field("is_last_card", Flag(), "the catch is about a card that went out"),
    Field("seats_drew", Seats(), "seats that drew in this turn"),
    Field("has_known", Flag(), "some seat may know cards of another hand"),
    Field("round_winners", Seats(), "winners of a round that is being closed"),
    Field("was_bluff", Flag(), "the draw four was a bluff; in a view only to its player"),
    Field("steps", Count(MOST_STEPS), "decisions taken in this round", False),
    Field("newest_card", Card(), "card drawn last", False),
    Field("still_to_ask", Seats(), "seats still to be asked in this window", False),
    Field("fault_phase", Word(PHASES), "phase that a fault interrupted", False),
    Field("fault_actor", Seat(), "seat that committed it", False),
    Field("fault_stage", Word(STAGES), "stage to return to", False),
    Field("is_void", Flag(), "ended without a winner", False),
)  # fmt: skip
CHOSEN = "chosen_cards"
CHOSEN_MEANING = 'per seat, the card it has chosen to give, or null; "hidden" where not its own'
KEYS = {field.key: field for field in FIELDS}
_PUBLIC = tuple(field for field in FIELDS if field.is_public)


def full_engine_state(state: Any) -> dict[str, Any]:
    """All of it, for a snapshot."""
    told = {field.key: field.form.write(int(state[field.key])) for field in FIELDS}
    told[CHOSEN] = _chosen(state)
    return told


def public_engine_state(state: Any, seat: int, has_hidden_choice: bool) -> dict[str, Any]:
    """What a seat may know of it, for a view: what `determinize` needs to go on from here."""
    told = {field.key: field.form.write(int(state[field.key])) for field in _PUBLIC}
    if has_hidden_choice:
        # As if the turn of the seat that is asked had just begun.
        told["stage"] = STAGES[STAGE_TURN]
        told["after_uno"] = told["after_window"] = STAGES[STAGE_ADVANCE]
    told["was_bluff"] = bool(state["was_bluff"]) and int(state["pending_source"]) == seat
    # That a seat has chosen is public, what it chose is its own.
    told[CHOSEN] = [
        card if other == seat or card is None else HIDDEN_CARD
        for other, card in enumerate(_chosen(state))
    ]
    return told


def _chosen(state: Any) -> list[str | None]:
    chosen = state["chosen_cards"][: int(state["num_players"])].tolist()
    return [None if card < 0 else FACES[card] for card in chosen]


def set_engine_state(state: Any, told: dict[str, Any], num_players: int) -> None:
    """Write it into a game's record; an error names the key that is wrong."""
    for key, value in told.items():
        if key == CHOSEN:
            state["chosen_cards"][:num_players] = _read_chosen(value, num_players)
            continue
        field = KEYS.get(key)
        if field is None:
            known = ", ".join((*KEYS, CHOSEN))
            raise SnapshotError(f"engine_state.{key} is unknown; known: {known}")
        try:
            state[field.key] = field.form.read(value, num_players)
        except ValueError as error:
            raise SnapshotError(f"engine_state.{key} is {str(value)[:60]}; {error}") from None


def _read_chosen(value: Any, num_players: int) -> list[int]:
    if not isinstance(value, list) or len(value) != num_players:
        raise SnapshotError(f"engine_state.{CHOSEN} must be a list of {num_players} cards or nulls")
    try:
        return [Card().read(card, num_players) for card in value]
    except ValueError as error:
        raise SnapshotError(f"engine_state.{CHOSEN}: {error}") from None
