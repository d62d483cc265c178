"""How a table is set up, as it is stored: rules, time limits, seats and the hashes of tokens."""

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict

PRESENT_SECONDS = 30.0
"""A person without a stream counts as present for so long after a call."""


def new_token() -> str:
    """A secret of 256 random bits."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is stored of a token, so that a leaked database opens no seat."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_token(token: str, stored: str | None) -> bool:
    """Whether a token is the one whose hash is stored, compared in constant time."""
    return hmac.compare_digest(token_hash(token), stored or "")


@dataclass
class Seat:
    """One seat.

    Attributes:
        bot: who plays here if no person does.
        secret: hash of the person's token; None for a bot and for an open seat.
        moves_before: decisions of this seat in the earlier games of the table.
        is_ready: the person wants to begin; asked for in a waiting room only.
        has_left: a person sat here and left for good.
        streams: streams that are open now.
        had_stream: the person follows by stream, so without one it is away.
        last_seen: when a person last called with the token.
    """

    number: int
    kind: str
    name: str | None = None
    bot: str | None = None
    is_open: bool = False
    secret: str | None = None
    moves_before: int = 0
    is_ready: bool = False
    has_left: bool = False
    streams: int = 0
    had_stream: bool = False
    last_seen: float = 0.0

    @property
    def is_person(self) -> bool:
        """Whether a person sits here."""
        return self.kind == "human" and not self.is_open

    @property
    def label(self) -> str:
        """A name for sentences."""
        kind = self.bot.partition(":")[0] if self.bot and self.kind == "bot" else "Seat"
        return self.name or f"{kind} {self.number}"

    @property
    def is_here(self) -> bool:
        """Whether the person is at the table now; without its stream it is away at once."""
        if self.streams > 0 or self.had_stream:
            return self.streams > 0
        return time.monotonic() - self.last_seen < PRESENT_SECONDS

    def seen(self) -> None:
        """The person has just called."""
        self.last_seen = time.monotonic()

    def is_present(self, absent_seconds: float | None) -> bool:
        """Whether the person is there; with None the table waits for ever."""
        if self.streams > 0 or absent_seconds is None:
            return True
        return time.monotonic() - self.last_seen < absent_seconds

    def absent_at(self, absent_seconds: float | None) -> float | None:
        """When the person counts as absent, unless it comes back; None for never."""
        is_kept = self.streams > 0 or absent_seconds is None
        return None if is_kept or absent_seconds is None else self.last_seen + absent_seconds

    def claim(self, name: str | None) -> str:
        """A person takes the seat; returns the token, which is stored nowhere."""
        token = new_token()
        self.is_open, self.secret, self.name = False, token_hash(token), name or self.name
        self.is_ready = self.has_left = self.had_stream = False
        self.seen()
        return token

    def give_up(self, bot: str) -> None:
        """The person leaves for good; a bot plays on in its name."""
        self.kind, self.bot, self.secret = "bot", bot, None
        self.has_left, self.is_ready = True, False

    def assign_bot(self, bot: str, name: str) -> None:
        """A bot takes the seat before the game begins."""
        self.kind, self.bot, self.secret, self.name = "bot", bot, None, name
        self.is_open = self.has_left = self.is_ready = False

    def open_up(self) -> None:
        """Whoever sits here makes room for another person."""
        self.kind, self.bot, self.secret, self.name = "human", None, None, None
        self.is_open, self.has_left, self.is_ready = True, False, False

    def stored(self) -> dict[str, Any]:
        """The stored columns."""
        names = ("number", "kind", "name", "bot", "is_open", "secret", "moves_before",
                 "is_ready", "has_left")  # fmt: skip
        return {name: getattr(self, name) for name in names}

    @classmethod
    def restored(cls, data: dict[str, Any]) -> Self:
        """A seat from the store; its person counts as just seen."""
        return cls(**data, last_seen=time.monotonic())


class TableSetup(BaseModel):
    """What was agreed when the table was created.

    Attributes:
        rules: canonical rules text.
        react_seconds: length of a reaction window in which people may be asked; None for none.
        bot_react_seconds: of one in which only bots may be.
        host: hash of the host's token.
        seed: of the first deal, if it was chosen.
        seeded: the first deal was chosen by the creator, who can work out every card.
        waiting_room: the first game begins when everybody is ready, not when every seat is taken.
        host_seat: the person who may fill and clear seats; another one once it has left.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rules: str
    num_players: int
    episode: Literal["round", "match"]
    move_seconds: float | None
    react_seconds: float | None
    absent_seconds: float | None
    stand_in: str
    bot_delay: float
    spectators: bool
    seeded: bool
    host: str
    seed: int | None = None
    waiting_room: bool = False
    host_seat: int | None = None
    bot_react_seconds: float = 0.5
