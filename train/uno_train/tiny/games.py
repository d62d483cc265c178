"""The tasks `tiny-*`: shrunken decks whose whole game tree fits in memory.

A tiny game is a finite game: chance draws one of `deals` equally likely seeds, which fix the hands
and every later draw (`uno_env.adapters.openspiel`). With few distinct hands and many deals a
player's own cards say little about the others: each first information state is consistent with
dozens of deals, which `GameTree.deals_per_information_state` counts and a test asserts.
"""

from dataclasses import dataclass

from uno_env import Rules
from uno_env.adapters.openspiel import UnoGame

from ..config import ConfigError


@dataclass(frozen=True)
class TinyTask:
    """Rules on a deck of a few cards, and the number of deals."""

    name: str
    cards: tuple[tuple[str, int], ...]
    deals: int
    changes: tuple[tuple[str, object], ...]

    def rules(self) -> Rules:
        """The classic game with this deck."""
        classic = Rules.preset("classic")
        deck = {face: 0 for face, count in classic.deck.items() if count} | dict(self.cards)
        return classic.replace(deck=deck, auto_forced=True, **dict(self.changes))

    def game(self) -> UnoGame:
        """The game in OpenSpiel's terms."""
        return UnoGame(self.rules(), 2, self.deals)


_SHORT = (("uno_call", "off"), ("hand_size", 2), ("max_steps", 16), ("first_dealer", "last_seat"))
_NUMBERS = tuple((f"{color}-{number}", 2) for color in ("red", "yellow") for number in (1, 2))
_SKIPS = (("red-1", 3), ("yellow-1", 3), ("red-skip", 1), ("yellow-skip", 1))
_BLUFF = (("red-1", 3), ("yellow-2", 3), ("wild-draw4", 2))
# Without these the tree grows by a factor of three with each decision.
_NARROW = (
    ("wild_color", "keep"),
    ("challenge_fail_draw", 2),
    ("challenge_success_draw", 2),
    ("voluntary_draw", "never"),
    ("play_drawn", "forced"),
    ("max_steps", 10),
)

TINY = {
    task.name: task
    for task in (
        TinyTask("tiny-numbers", _NUMBERS, 4000, _SHORT),
        TinyTask("tiny-skips", _SKIPS, 4000, _SHORT),
        TinyTask("tiny-bluff", _BLUFF, 3000, (*_SHORT, *_NARROW)),
    )
}


def tiny_task(name: str) -> TinyTask:
    """A tiny task by name."""
    if name not in TINY:
        raise ConfigError(f"unknown task {name!r}; cfr solves {', '.join(TINY)}")
    return TINY[name]
