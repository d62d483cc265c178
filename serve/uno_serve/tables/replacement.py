"""What a table is told when a weaker bot has decided instead of its own."""

from dataclasses import dataclass
from typing import Any


@dataclass
class Replacement:
    """The decisions of one seat in this game that another bot has made.

    Attributes:
        by: the bot that decided; None for the first legal action.
        reason: an error code: `bot_timeout`, `bot_failed`, `busy`, `too_much_work`.
        decisions: how many.
        is_latest: the seat's latest decision is one of them.
    """

    by: str | None
    reason: str
    decisions: int = 0
    is_latest: bool = True

    def again(self, by: str | None, reason: str) -> None:
        """Another decision was made by a bot that is not the seat's own."""
        self.by, self.reason, self.is_latest = by, reason, True
        self.decisions += 1

    def public(self) -> dict[str, Any]:
        """What everybody at the table is told."""
        return {
            "by": self.by,
            "reason": self.reason,
            "decisions": self.decisions,
            "latest": self.is_latest,
        }
