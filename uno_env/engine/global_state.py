"""The global state for centralised critics: all hands and the draw pile, PettingZoo's `state()`.

It shows what no seat may know, so it is for training alone and never part of an observation. Seats
are counted clockwise from the one to act, whose observation says all that is public.
"""

from typing import NamedTuple

from ..actions import MAX_SEATS
from ..cards import FACES
from .jit import always_inline, jit_entry
from .tables import ROW

NEXT_CARDS = 32
"""Cards from the top of the draw pile that are told in order."""


class StateBlock(NamedTuple):
    """A named stretch of the global state."""

    name: str
    size: int
    meaning: str


STATE_BLOCKS = (
    StateBlock("hands", MAX_SEATS * ROW, f"per seat, its cards by face ({FACES[0]} ...)"),
    StateBlock("draw_pile", ROW, "cards of the draw pile by face"),
    StateBlock("next_cards", NEXT_CARDS, "1 + face of the next cards of the draw pile, in order"),
    StateBlock("chosen_cards", MAX_SEATS, "per seat, 1 + face of the card it has chosen to pass"),
    StateBlock("actor", 1, "1 + the seat to act, 0 when the game is over"),
)
STATE_SIZE = sum(block.size for block in STATE_BLOCKS)
O_PILE = MAX_SEATS * ROW
O_NEXT = O_PILE + ROW
O_CHOSEN = O_NEXT + NEXT_CARDS
O_ACTOR = O_CHOSEN + MAX_SEATS


@always_inline
def write_global_state(s, out):
    """Write the cards of all seats, clockwise from the one to act, and of the draw pile."""
    for at in range(STATE_SIZE):
        out[at] = 0
    seat = max(s.actor, 0)
    for place in range(s.num_players):
        for face in range(ROW):
            out[place * ROW + face] = s.hands[seat, face]
        out[O_CHOSEN + place] = 1 + s.chosen_cards[seat]
        seat = seat + 1 if seat + 1 < s.num_players else 0
    out[O_ACTOR] = 1 + s.actor
    for i in range(s.draw_pile_size):
        out[O_PILE + s.draw_pile[i]] += 1
    for i in range(min(s.draw_pile_size, NEXT_CARDS)):
        out[O_NEXT + i] = 1 + s.draw_pile[s.draw_pile_size - 1 - i]


@jit_entry("global states")
def write_states(games, first, last, out):
    """The global states of a slice of games."""
    for i in range(first, last):
        write_global_state(games[i], out[i])
