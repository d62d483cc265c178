"""Writing the observation of one seat, and the mask of its legal actions, as `layout.py` says."""

import numpy as np
import numpy.typing as npt

from ...actions import MAX_SEATS
from ...cards import NUM_FACES
from ..jit import always_inline
from ..knowledge.known_counts import known_counts_of
from ..lowlevel.bits import expand_bits
from ..lowlevel.simd import make_copy, make_copy_twice, narrow_numbers
from ..mechanics.seats import partner_of
from ..state import RULE_VECTOR, SMALL_TABLE
from ..tables import (
    COLOR_OF,
    FACE_GIVE,
    HIDDEN_PHASES,
    KIND_OF,
    P_GIVE_HALF,
    P_PLAY,
    P_UNO_CALL,
    P_UNO_CATCH,
)
from .layout import (
    COUNT_WORDS,
    MASK_WORDS,
    O_ACTIVE,
    O_BEFORE,
    O_DRAWN_COLOR,
    O_DRAWN_KIND,
    O_HYPER,
    O_KNOWN,
    O_PENDING,
    O_RULES,
    O_SEATS,
    O_SUBJECT,
    O_TABLE,
    O_TOP_GIVE,
    O_TOP_KIND,
    ROW_WORDS,
    SEAT_WORDS,
)

NUMBERS_BIT = 8 * (O_PENDING % 8)
CONTESTABLE = np.int64(255 << 16)


@always_inline
def shown_phase(s, seat):
    """The phase as this seat may see it: another's hidden choice looks like its turn going on."""
    if seat != s.actor and (HIDDEN_PHASES >> s.phase) & 1:
        return P_PLAY
    return s.phase


@always_inline
def subject_seat(s):
    """The seat the phase is about, -1 for none."""
    if s.phase == P_GIVE_HALF:
        return np.int64(partner_of(s, s.half_giver))
    subject = np.int64(s.pending_source if s.pending_amount else s.top_player)
    is_about_call = -np.int64((s.phase == P_UNO_CALL) | (s.phase == P_UNO_CATCH))
    return subject ^ ((subject ^ s.call_holder) & is_about_call)


HALVES = (0, COUNT_WORDS - 8)
"""Where two vectors of eight words begin in a row of counts; they overlap."""
copy_half = make_copy(8)
copy_row = make_copy(ROW_WORDS)
copy_seats_twice = make_copy_twice(SMALL_TABLE * SEAT_WORDS)
copy_known_counts = make_copy(SMALL_TABLE)
copy_rules = make_copy(RULE_VECTOR // 8)


# Functions that take rows of the caller's arrays are inlined: a call would count references.
@always_inline
def write_observation(s, r, seat, words):
    """Write the observation of a seat into a row of words."""
    # Vectors are longer than some blocks, or begin before them: the order of writing matters.
    if s.num_players <= SMALL_TABLE:
        _write_small_table(s, seat, words)
    else:
        _write_large_table(s, seat, words)
    copy_row(s.hands_words, seat * ROW_WORDS, words, 0)
    for at in HALVES:
        copy_half(s.discard_counts_words, at, words, COUNT_WORDS + at)
    _write_numbers(s, seat, words)
    _write_table(s, seat, words)
    copy_rules(r.vector, 0, words, O_RULES // 8)


@always_inline
def _write_numbers(s, seat, words):
    first, second = narrow_numbers(s)
    # A last card is laid without its penalty, so there is nothing to contest.
    first = first & ~(CONTESTABLE & -np.int64(s.pending_amount == 0))
    last = COUNT_WORDS - 1
    words[last] = s.hands_words[seat, last] | np.uint64(first << NUMBERS_BIT)
    words[COUNT_WORDS + last] = s.discard_counts_words[last] | np.uint64(second << NUMBERS_BIT)


@always_inline
def _write_small_table(s, seat, words):
    """Seats from the observer round: those after it, those before it, then nothing."""
    n = s.num_players
    first, before = O_SEATS // 8, n - seat
    # The line once so that the observer comes first, once so that the others follow.
    copy_seats_twice(s.seats_words, words, first - seat * SEAT_WORDS, first + before * SEAT_WORDS)
    first += n * SEAT_WORDS
    for i in range(first, first + (MAX_SEATS - 2) * SEAT_WORDS):
        words[i] = 0
    # Without a test whether anything is known: the branch is unpredictable, zeros are cheap.
    first, counts = O_KNOWN // 8, known_counts_of(seat)
    copy_known_counts(s.known_counts, counts + seat, words, first)
    copy_known_counts(s.known_counts, counts, words, first + before)
    for i in range(first + n, first + n + MAX_SEATS - 2):
        words[i] = 0


@always_inline
def _write_large_table(s, seat, words):
    for i in range(O_SEATS // 8, O_TABLE // 8):
        words[i] = 0
    n = s.num_players
    known, counts = O_KNOWN // 8, known_counts_of(seat)
    other = seat
    for at in range(O_SEATS // 8, O_SEATS // 8 + SEAT_WORDS * n, SEAT_WORDS):
        a, b = s.seats_words[other, 0], s.seats_words[other, 1]
        words[at] = a
        words[at + 1] = b
        words[known] = np.uint64(s.known_counts[counts + other])
        known += 1
        other += 1
        other &= -np.int64(other < n)


@always_inline
def relative_seat(s, seat, other):
    """Seats clockwise from `seat` to `other`."""
    return _seat_offset(s.num_players, seat, other)


@always_inline
def _seat_offset(n, seat, other):
    offset = np.int64(other) - np.int64(seat)
    # The sign as a mask: which of two seats comes first is unpredictable.
    return offset + (n & (offset >> 63))


# The blocks from `phase` to `spare` are bytes 0 or 1, so they are put together as the bits of two
# words and spelled at once. What a face says there, no face being the last one:
NO_FACE = NUM_FACES
TABLE_BITS = 64


def _table_bits(indices: list[int]) -> npt.NDArray[np.int64]:
    """Two words with a bit for each of some indices of the observation."""
    words = [0, 0]
    for index in indices:
        word, bit = divmod(index - O_TABLE, TABLE_BITS)
        words[word] |= 1 << bit
    return np.array(words, np.uint64).view(np.int64)


def _top_indices(face: int) -> list[int]:
    return [O_TOP_KIND + int(KIND_OF[face])] + [O_TOP_GIVE] * (face >= FACE_GIVE)


def _drawn_indices(face: int) -> list[int]:
    color = int(COLOR_OF[face])
    return [O_DRAWN_KIND + int(KIND_OF[face])] + [O_DRAWN_COLOR + color] * (color < 4)


TOP_BITS = np.array([_table_bits(_top_indices(face))[0] for face in range(NUM_FACES)])
DRAWN_BITS = np.array(
    [_table_bits(_drawn_indices(face)) for face in range(NUM_FACES)] + [_table_bits([])]
)
ONE = np.int64(1)


def _color_indices(colors: tuple[int, ...]) -> list[int]:
    # No colour is the fifth.
    blocks = zip((O_ACTIVE, O_HYPER, O_BEFORE), colors, strict=True)
    return [block + color for block, color in blocks if color < 4]


COLOR_BITS = np.array([_table_bits(_color_indices(three))[0] for three in np.ndindex(5, 5, 5)])
"""What the active colour, that of hyper mode and the one before say, as digits to base 5."""


@always_inline
def _write_table(s, seat, words):
    # A mask instead of a branch, as above.
    is_shown = -np.int64((seat == s.turn) & (s.drawn_card >= 0))
    drawn = NO_FACE + ((s.drawn_card - NO_FACE) & is_shown)
    first = ONE << np.int64(shown_phase(s, seat))
    first |= TOP_BITS[s.top_card] | DRAWN_BITS[drawn, 0]
    first |= COLOR_BITS[25 * s.active_color + 5 * s.hyper_color + s.color_before]
    subject = subject_seat(s)
    bit = O_SUBJECT - O_TABLE - TABLE_BITS + _seat_offset(s.num_players, seat, subject)
    second = DRAWN_BITS[drawn, 1] | (np.int64(subject >= 0) << np.int64(bit))
    expand_bits(first, words, O_TABLE // 8)
    # Longer than the blocks; the rules are written after it.
    expand_bits(second, words, (O_TABLE + TABLE_BITS) // 8)


@always_inline
def write_mask(s, words):
    """Spell the legal set as 0/1 bytes."""
    for word in range(3):
        expand_bits(s.legal[word], words, 8 * word)


@always_inline
def clear_mask(words):
    """A seat not to act has no legal action."""
    for i in range(MASK_WORDS):
        words[i] = 0
