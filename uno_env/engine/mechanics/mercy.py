"""Penalty draws, and the mercy rule that eliminates a hand grown too large."""

from ..jit import always_inline, cold, never_inline
from ..knowledge.known_cards import forget_hand
from ..lowlevel.branch_hints import unlikely
from ..observation.event_log import E_ELIMINATE, EVERYBODY, emit
from ..state import SEAT_MISSING
from ..tables import ROW
from .piles import clear_hand, draw_cards
from .places import winner_of_places
from .scoring import end_round
from .seats import set_called, set_live


@cold
def eliminate(s, r, log, seat):
    """NM-25, NM-26: the seat is out of the round, its cards are set aside."""
    emit(s, log, E_ELIMINATE, seat, s.hand_sizes[seat], EVERYBODY)
    for word in range(ROW // 8):
        s.set_aside_words[word] += s.hands_words[seat, word]
    s.set_aside_size += s.hand_sizes[seat]
    clear_hand(s, seat)
    forget_hand(s, seat, 0)
    for color in range(SEAT_MISSING, SEAT_MISSING + 4):
        s.seats[seat, color] = 0
    s.eliminated |= 1 << seat
    set_live(s, seat, False)
    set_called(s, seat, False)
    s.hands_changed &= ~(1 << seat)
    if s.n_live == 1:
        end_round(s, r, log, 1 << winner_of_places(s))


@always_inline
def check_mercy(s, r, log, seat):
    """Eliminate the seat if its hand has reached the limit. True if it was."""
    if r.mercy_limit and unlikely(s.hand_sizes[seat] >= r.mercy_limit):
        eliminate(s, r, log, seat)
        return True
    return False


@never_inline
def penalize(s, r, log, seat, count):
    """The seat draws `count` cards, at most to its elimination. Returns how many it drew."""
    drawn = draw_cards(s, r, log, seat, count, r.draw_limit)
    check_mercy(s, r, log, seat)
    return drawn
