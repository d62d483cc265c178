"""Positions that differ only in their cards: set up once by way of a snapshot, then varied.

A front end asks about one position after another of the same rules, table and phase. Reading each
from scratch takes half a millisecond or more, most of it for cards that nobody knows. A template is
the engine's record of one such position; `Workspace.encode` writes the cards of another into a
copy. The hidden cards stay those of the template: neither an observation nor a mask depends on
them.
"""

from dataclasses import dataclass, field

import numpy as np

from ..actions import NUM_ACTIONS
from ..cards import COLORS, color_of, kind_of
from ..engine import single
from ..engine.state import SEAT_CALLED, SEAT_SIZE
from ..engine.tables import ROW
from ..game import Game
from ..rules.rules import Rules
from .snapshot import _fill_hand


@dataclass(frozen=True, slots=True)
class Cards:
    """What varies from position to position; cards are faces.

    Attributes:
        hand: of the seat to act.
        hand_sizes: of all seats.
        discard: the top card last.
        active_color: that of the top card if None.
        draw_pile_size: cards left to draw.
        drawn_card: the card that was just drawn, -1 for none.
        uno_called: seats that have called for their single card.
    """

    hand: list[int]
    hand_sizes: list[int]
    discard: list[int]
    active_color: str | None
    draw_pile_size: int
    drawn_card: int = -1
    uno_called: list[int] = field(default_factory=list)


class PositionTemplate:
    """The record of a position, which `Workspace` varies.

    Args:
        game: a game at that position.
    """

    def __init__(self, game: Game) -> None:
        self.phase, self.seat = game.phase, game.actor or 0
        self.record = game.engine_arrays.games[0].copy()


class Workspace:
    """A record in which positions of some rules are set up, one after another.

    Args:
        rules: of all of them.
    """

    def __init__(self, rules: Rules) -> None:
        self._game = Game.from_record(rules, "round")
        games, rule_table, _ = self._game.engine_arrays
        self._points: list[int] = rule_table["card_points"][0].tolist()
        # Views of single fields: writing through them is several times faster than by name.
        names = (
            "discard_size top_card card active_color color_before kind_before size_before "
            "draw_pile_size drawn_card uno_called actor card_player"
        )
        self._fields = {name: games[name] for name in names.split()}
        self._sizes, self._seats = games["hand_sizes"][0], games["seats"][0]
        self._discard, self._counts = games["discard"][0], games["discard_counts"][0]
        self._legal = games["legal"][0].view(np.uint8)

    def encode(self, template: PositionTemplate, cards: Cards) -> tuple[bytes, bytes] | None:
        """Observation and mask with these cards; None if the seat has nothing to decide then."""
        games, rules, logs = self._game.engine_arrays
        games[0] = template.record
        _fill_hand(games[0], self._points, template.seat, cards.hand)
        self._write_seats(cards)
        self._write_piles(cards)
        single.refresh_game(games, rules, logs, 0)
        if self._fields["actor"][0] != template.seat:
            return None
        mask = np.unpackbits(self._legal, bitorder="little")[:NUM_ACTIONS]
        if not mask.any():
            return None
        return self._game.observe(template.seat).tobytes(), mask.tobytes()

    def _write_seats(self, cards: Cards) -> None:
        n = len(cards.hand_sizes)
        self._sizes[:n] = self._seats[:n, SEAT_SIZE] = cards.hand_sizes
        self._fields["size_before"][0] = cards.hand_sizes[self._fields["card_player"][0]]
        self._seats[:n, SEAT_CALLED] = 0
        bits = 0
        for seat in cards.uno_called:
            bits |= 1 << seat
            self._seats[seat, SEAT_CALLED] = 1
        self._fields["uno_called"][0] = bits

    def _write_piles(self, cards: Cards) -> None:
        discard, fields = cards.discard, self._fields
        top, color = discard[-1], cards.active_color
        fields["discard_size"][0] = len(discard)
        self._discard[: len(discard)] = discard
        self._counts[:] = np.bincount(discard, minlength=ROW)
        fields["top_card"][0] = fields["card"][0] = top
        fields["active_color"][0] = color_of(top) if color is None else COLORS.index(color)
        has_under = len(discard) > 1
        fields["color_before"][0] = color_of(discard[-2]) if has_under else len(COLORS)
        fields["kind_before"][0] = kind_of(discard[-2]) if has_under else 0
        fields["draw_pile_size"][0] = cards.draw_pile_size
        fields["drawn_card"][0] = cards.drawn_card
