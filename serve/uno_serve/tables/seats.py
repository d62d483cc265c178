"""Seats of a hosted table: who sits there, by which secret, and whether anybody is there."""

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass
from typing import Any, Self


def new_token() -> str:
    """A secret nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is kept of a token: who reads the store cannot sit down."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_token(token: str, kept: str | None) -> bool:
    """Whether a token is the one whose hash is kept; takes the same time for every wrong one."""
    return hmac.compare_digest(token_hash(token), kept or "")


@dataclass
class Seat:
    """One seat.

    Attributes:
        bot: who plays here if no person does.
        secret: hash of the person's token; None for a bot and for an open seat.
        moves_before: decisions of this seat in the earlier games of the table.
        streams: streams that are open now.
        last_seen: when a person last called with the token.
    """

    number: int
    kind: str
    name: str | None = None
    bot: str | None = None
    is_open: bool = False
    secret: str | None = None
    moves_before: int = 0
    streams: int = 0
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

    def seen(self) -> None:
        """The person has just called."""
        self.last_seen = time.monotonic()

    def is_present(self, absent_seconds: float | None) -> bool:
        """Whether the person is there; the table of a null waits for ever."""
        if self.streams > 0 or absent_seconds is None:
            return True
        return time.monotonic() - self.last_seen < absent_seconds

    def claim(self, name: str | None) -> str:
        """A person sits down; returns the token, which is kept nowhere."""
        token = new_token()
        self.is_open, self.secret, self.name = False, token_hash(token), name or self.name
        self.seen()
        return token

    def give_up(self, bot: str) -> None:
        """The person leaves for good; a bot takes the seat."""
        self.kind, self.bot, self.secret = "bot", bot, None

    def stored(self) -> dict[str, Any]:
        """What is kept."""
        names = ("number", "kind", "name", "bot", "is_open", "secret", "moves_before")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def restored(cls, data: dict[str, Any]) -> Self:
        """A seat as it was kept; whoever sat there has a while to come back."""
        return cls(**data, last_seen=time.monotonic())
