"""Writing the observation of one seat, and the mask of its legal actions, as `layout.py` says.

A batch keeps one row for each game. What does not change from step to step is written once (the
rules, seats that are not at the table), what is known of other hands only where something is
known (`known_block.py`), all else in every step: `write_observation` writes a whole row,
`update_observation` what changes from step to step.
"""

import numpy as np
import numpy.typing as npt

from ...cards import COLORS, NUM_FACES
from ..jit import always_inline
from ..lowlevel.bits import expand_bits, expand_last_bits
from ..lowlevel.branch_hints import likely
from ..lowlevel.simd import make_copy, make_copy_twice, narrow_numbers
from ..mechanics.seats import partner_of
from ..state import RULE_VECTOR, SMALL_TABLE
from ..tables import (
    COLOR_OF,
    FACE_GIVE,
    HIDDEN_PHASES,
    KIND_OF,
    NO_COLOR,
    P_GIVE_HALF,
    P_PLAY,
    P_UNO_CALL,
    P_UNO_CATCH,
    ROW,
)
from .known_block import may_know, write_known
from .layout import (
    MASK_WORDS,
    O_ACTIVE,
    O_ASKED,
    O_BEFORE,
    O_DETAILS,
    O_DISCARDS,
    O_DRAWN_COLOR,
    O_DRAWN_KIND,
    O_HYPER,
    O_NUMBERS,
    O_RECENT,
    O_RULES,
    O_SEATS,
    O_SUBJECT,
    O_TABLE,
    O_TOP_GIVE,
    O_TOP_KIND,
    OBS_WORDS,
    SEAT_WORDS,
)
from .recent import relative_recent_seats

CONTESTABLE = np.int64(255 << 16)
ONE = np.int64(1)


@always_inline
def shown_phase(s, seat):
    """The phase as this seat may see it: another's hidden choice looks like its turn going on."""
    if seat != s.actor and (HIDDEN_PHASES >> np.int64(s.phase)) & 1:
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


ROW_WORDS = ROW // 8
copy_row = make_copy(ROW_WORDS)
copy_seats_twice = make_copy_twice(SMALL_TABLE * SEAT_WORDS)
copy_rules = make_copy(RULE_VECTOR // 8)


# Functions that take rows of the caller's arrays are inlined: a call would count references.
@always_inline
def write_observation(s, r, seat, words):
    """Write the observation of a seat into a row of words; returns its slots of known cards."""
    for i in range(OBS_WORDS):
        words[i] = 0
    copy_rules(r.vector, 0, words, O_RULES // 8)
    update_observation(s, seat, words)
    return write_known(s, seat, words, 0) if may_know(s, seat) else 0


@always_inline
def update_observation(s, seat, words):
    """Write the parts of a row that change from step to step, all but known cards."""
    # The vectors of the seats begin before their block: the order of writing matters.
    if likely(s.num_players <= SMALL_TABLE):
        _write_small_table(s, seat, words)
    else:
        _write_large_table(s, seat, words)
    copy_row(s.hands_words, seat * ROW_WORDS, words, 0)
    copy_row(s.discard_counts_words, 0, words, O_DISCARDS // 8)
    _write_table(s, seat, words)
    _write_numbers(s, seat, words)
    words[O_RECENT // 8] = relative_recent_seats(s, seat)
    words[O_RECENT // 8 + 1] = s.recent_acts
    words[O_RECENT // 8 + 2] = s.recent_counts


@always_inline
def _write_numbers(s, seat, words):
    first, second = narrow_numbers(s)
    # A last card is laid without its penalty, so there is nothing to contest.
    first = first & ~(CONTESTABLE & -np.int64(s.pending_amount == 0))
    words[O_NUMBERS // 8] = np.uint64(first)
    words[O_NUMBERS // 8 + 1] = np.uint64(second)
    details = np.int64(s.kind_before) + 1
    details |= np.int64(s.penalty_before) << 8
    details |= (1 + relative_seat(s, seat, s.turn)) << 16
    details |= (1 + relative_seat(s, seat, s.top_player)) << 24
    details |= np.int64(s.size_before) << 32
    details |= np.int64(s.skips) << 40
    details |= np.int64((s.was_bluff != 0) & (s.pending_source == seat)) << 48
    words[O_DETAILS // 8] = np.uint64(details)


@always_inline
def _write_small_table(s, seat, words):
    """Seats from the observer round: those after it, those before it, then nothing."""
    n = s.num_players
    first, before = O_SEATS // 8, n - seat
    # The line once so that the observer comes first, once so that the others follow.
    copy_seats_twice(s.seats_words, words, first - seat * SEAT_WORDS, first + before * SEAT_WORDS)
    first += n * SEAT_WORDS
    for i in range(first, first + SMALL_TABLE * SEAT_WORDS):
        words[i] = 0


@always_inline
def _write_large_table(s, seat, words):
    n = s.num_players
    other = seat
    for at in range(O_SEATS // 8, O_SEATS // 8 + SEAT_WORDS * n, SEAT_WORDS):
        a, b = s.seats_words[other, 0], s.seats_words[other, 1]
        words[at] = a
        words[at + 1] = b
        other += 1
        other &= -np.int64(other < n)


@always_inline
def relative_seat(s, seat, other):
    """Seats clockwise from `seat` to `other`."""
    offset = np.int64(other) - np.int64(seat)
    # The sign as a mask: which of two seats comes first is unpredictable.
    return offset + (s.num_players & (offset >> 63))


# The blocks from `phase` to `subject` are bytes 0 or 1, so they are put together as the bits of
# two words and spelled at once. What a face says there, no face being the last one:
NO_FACE = NUM_FACES
WORD_BITS = 64


def _table_bits(indices: list[int], word: int) -> np.int64:
    """A word with a bit for each of some indices of the observation, which must lie in it."""
    bits = 0
    for index in indices:
        at, bit = divmod(index - O_TABLE, WORD_BITS)
        if at != word:
            raise AssertionError(f"byte {index} of the observation is not in word {word}")
        bits |= 1 << bit
    return np.int64(np.array([bits], np.uint64).view(np.int64)[0])


def _top_indices(face: int) -> list[int]:
    return [O_TOP_KIND + int(KIND_OF[face])] + [O_TOP_GIVE] * (face >= FACE_GIVE)


def _drawn_indices(face: int) -> list[int]:
    color = int(COLOR_OF[face])
    return [O_DRAWN_KIND + int(KIND_OF[face])] + [O_DRAWN_COLOR + color] * (color < NO_COLOR)


def _color_indices(colors: tuple[int, ...]) -> list[int]:
    blocks = zip((O_ACTIVE, O_HYPER, O_BEFORE), colors, strict=True)
    return [block + color for block, color in blocks if color < NO_COLOR]


TOP_BITS: npt.NDArray[np.int64] = np.array(
    [_table_bits(_top_indices(face), 0) for face in range(NUM_FACES)]
)
DRAWN_BITS: npt.NDArray[np.int64] = np.array(
    [*(_table_bits(_drawn_indices(face), 1) for face in range(NUM_FACES)), 0]
)
BASE = len(COLORS) + 1
COLOR_BITS: npt.NDArray[np.int64] = np.array(
    [_table_bits(_color_indices(three), 1) for three in np.ndindex(BASE, BASE, BASE)]
)
"""What the active colour, that of hyper mode and the one before say, as digits to base 5."""
ASKED_BIT = np.int64(O_ASKED - O_TABLE)
SUBJECT_BIT = np.int64(O_SUBJECT - O_TABLE - WORD_BITS)


@always_inline
def _write_table(s, seat, words):
    # A mask instead of a branch, as above.
    is_shown = -np.int64((seat == s.turn) & (s.drawn_card >= 0))
    drawn = NO_FACE + ((s.drawn_card - NO_FACE) & is_shown)
    first = ONE << np.int64(shown_phase(s, seat))
    first |= TOP_BITS[s.top_card] | (np.int64(seat == s.actor) << ASKED_BIT)
    subject = subject_seat(s)
    second = DRAWN_BITS[drawn]
    second |= COLOR_BITS[BASE * BASE * s.active_color + BASE * s.hyper_color + s.color_before]
    bit = SUBJECT_BIT + relative_seat(s, seat, subject)
    second |= np.int64(subject >= 0) << np.int64(bit)
    expand_bits(first, words, O_TABLE // 8)
    expand_bits(second, words, (O_TABLE + WORD_BITS) // 8)


@always_inline
def write_mask(s, words):
    """Spell the legal set as 0/1 bytes."""
    for word in range(3):
        expand_bits(s.legal[word], words, 8 * word)
    expand_last_bits(s.legal[3], words, 24)


@always_inline
def clear_mask(words):
    """A seat not to act has no legal action."""
    for i in range(MASK_WORDS):
        words[i] = 0
