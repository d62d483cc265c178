"""The two records of the engine: a game (`STATE`) and a rule set (`RULES`), and their codes.

One game is one record of plain numbers, so a batch is a NumPy array and a clone is a copy of
bytes. Byte rows that are copied whole also exist as overlapping 64-bit words.
"""

from typing import Any, get_args

import numpy as np

from ..actions import MAX_SEATS
from ..kinds import MAX_DRAWS, NUM_KINDS
from ..rules.rules import Rules
from .jit import IS_COMPILED
from .tables import LEGAL_WORDS, ROW

RULE_VECTOR = 160
"""Bytes of the rule-conditioning block of the observation."""

SEAT_ROW = 16
"""Bytes of what everybody may know of one seat; see SEAT_* below."""

PILE_CAPACITY = 512
MAX_HAND = 250
"""Most cards in a hand: sizes are bytes of the observation. A hand that large draws no more."""

SMALL_TABLE = 4
"""Tables of at most this size take shorter paths and fewer cache lines."""
FAR_KNOWN = 192
"""Room for what a seat knows of far hands; see `observation/known_block.py`."""
EVENT_RING = 96
"""Events a game remembers for the history form of the observation."""

# Columns of the public row of a seat.
(
    SEAT_SIZE,
    SEAT_CALLED,
    SEAT_IN_PLAY,
    SEAT_SCORE,
    SEAT_MISSING,
) = range(5)
SEAT_LAST_COLOR = 8
SEAT_PLAYED = 12
SEAT_DREW = 13
SEAT_TOOK = 14
SEAT_CARDS_PLAYED = 15

# What comes next when no decision is pending.
(
    STAGE_CHOICES,
    STAGE_EFFECTS,
    STAGE_HALVES,
    STAGE_DRAW_HALVES,
    STAGE_DRAWN,
    STAGE_UNO,
    STAGE_WINDOW,
    STAGE_ADVANCE,
    STAGE_TURN,
    STAGE_EXCHANGE,
    STAGE_LAST_CATCH,
    STAGE_GO_OUT,
    STAGE_WIN_SWAP,
    STAGE_PASS_CARDS,
    STAGE_OPEN_CHOICES,
    STAGE_OPEN_EFFECTS,
    STAGE_FAULT_BACK,
    STAGE_OVER,
    STAGE_PLAY_MORE,
    STAGE_TURN_CATCH,
) = range(20)
STAGE_FIRST_COLD = STAGE_EXCHANGE

# Choices a card asks of its player, as bits.
CHOICE_SWAP = 1
CHOICE_TARGET = 2
CHOICE_COLOR = 4
CHOICE_EXCHANGE = 8
CHOICE_VICTIM = 16

# What the next seat meets in its first step.
(
    FACING_NOTHING,
    FACING_STACK,
    FACING_CHALLENGE,
    FACING_ROULETTE,
    FACING_TEAM_PLAY,
    FACING_DRAW,
) = range(6)

# How a card came to be played.
BY_TURN, BY_JUMP_IN, BY_MORE = range(3)

# The first lines hold what every step touches: a batch is bound by the cache lines it reads.
NUMBERS = (
    "pending_amount pending_value contestable half_left draw_pile_size set_aside_size "
    "discard_size equal_cards direction rounds_before turns recycled num_players n_live "
    "match has_known"
).split()
"""Numbers that go into the observation together. Where they could grow beyond sixteen bits they
stop at `MOST_TURNS`, which is far beyond what an observation tells."""
MOST_TURNS = 30_000
_SMALL = (
    "actor phase stage turn finished live passes known_observers known_holders "
    "active_color hyper_color top_card top_player "
    "color_before kind_before penalty_before size_before "
    "card_player card drawn_card choices facing facing_seat skips plays_again advance_from "
    "after_uno after_window "
    "pending_source was_bluff "
    "uno_called hands_changed calls_owed first_to_call seats_drew newest_card "
    "out_seats call_holder"
).split()
_COLD_SCALARS = (
    "half_giver eliminated last_asked still_to_ask is_last_card "
    "fault_phase fault_actor fault_stage random_draws is_void winners round_winners "
    "round_no reshuffles "
    "victim events_used dealer silent_seats"
).split()

LINE = 64
"""Bytes of a cache line; rows that are copied whole begin on one."""


def _fields() -> list[tuple[str, Any, tuple[int, ...]]]:
    return [
        *((name, np.int16, ()) for name in NUMBERS),
        ("legal", np.int64, (LEGAL_WORDS,)),
        # The last public actions, the newest in the lowest byte; see `observation/recent.py`.
        ("recent_seats", np.uint64, ()),
        ("recent_acts", np.uint64, ()),
        ("recent_counts", np.uint64, ()),
        ("rule", np.int32, ()),
        ("steps", np.int32, ()),
        *((name, np.int16, ()) for name in _SMALL),
        ("hand_sizes", np.int16, (MAX_SEATS,)),
        # Which faces a hand has: (lo, hi), see tables.py.
        ("hand_sets", np.int64, (MAX_SEATS, 2)),
        ("hand_points", np.int32, (MAX_SEATS,)),
        ("seats", np.uint8, (MAX_SEATS, SEAT_ROW)),
        ("hands", np.uint8, (MAX_SEATS, ROW)),
        ("discard_counts", np.uint8, (ROW,)),
        ("draw_pile", np.uint8, (PILE_CAPACITY,)),
        ("discard", np.uint8, (PILE_CAPACITY,)),
        ("seed", np.uint64, ()),
        *((name, np.int32, ()) for name in _COLD_SCALARS),
        ("points", np.int32, (MAX_SEATS,)),
        ("scores", np.int32, (MAX_SEATS,)),
        ("places", np.int32, (MAX_SEATS,)),
        ("chosen_cards", np.int32, (MAX_SEATS,)),
        ("set_aside", np.uint8, (ROW,)),
        # Who may know cards of each hand, and which; see `knowledge/known_cards.py`.
        ("knowers", np.int16, (MAX_SEATS,)),
        ("known_sets", np.int64, (MAX_SEATS, 2)),
        ("events", np.int64, (EVENT_RING,)),
        # Where the known cards of far seats are counted for an observation.
        ("far_known", np.uint8, (FAR_KNOWN,)),
        # Last, since a table of n seats uses n * n rows of it; see `knowledge/known_cards.py`.
        ("known", np.uint8, (MAX_SEATS * MAX_SEATS, ROW)),
    ]


def _state_dtype() -> np.dtype[Any]:
    names: list[str] = []
    formats: list[Any] = []
    offsets: list[int] = []
    at = 0
    for name, kind, shape in _fields():
        item = np.dtype((kind, shape))
        whole_lines = item.base == np.uint8 or name in ("hand_sets", "knowers")
        align = LINE if whole_lines else item.base.alignment
        at = -(-at // align) * align
        if item.base == np.uint8:
            names.append(name + "_words")
            formats.append(np.dtype((np.uint64, (*shape[:-1], shape[-1] // 8))))
            offsets.append(at)
        names.append(name)
        formats.append(item)
        offsets.append(at)
        at += item.itemsize
    # An odd number of lines: a power of two would put the same line of all games into few sets
    # of the cache.
    size = (-(-at // LINE) | 1) * LINE
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


STATE = _state_dtype()


def offset_of(field: str) -> int:
    """Where a field begins in the record of a game."""
    fields = STATE.fields
    return fields[field][1] if fields else 0


STATE_FIELDS = tuple(name for name in STATE.names or () if not name.endswith("_words"))

CODED = [name for name in Rules.model_fields if name not in ("variant", "deck", "points")]

RULES = np.dtype(
    [
        *((name, np.int32) for name in CODED),
        ("has_react", np.int32),
        ("has_teams", np.int32),
        ("answerable", np.int32),
        ("draw_limit", np.int32),
        ("plays_limited", np.int32),
        ("deck_size", np.int32),
        ("stays_lo", np.int64),
        ("stays_hi", np.int64),
        ("answers_lo", np.int64, (MAX_DRAWS + 1,)),
        ("answers_hi", np.int64, (MAX_DRAWS + 1,)),
        ("sheds_lo", np.int64),
        ("sheds_hi", np.int64),
        ("vector", np.uint64, (RULE_VECTOR // 8,)),
        ("deck", np.uint8, (ROW,)),
        ("cards_words", np.uint64, (PILE_CAPACITY // 8,)),
        ("effects", np.int32, (NUM_KINDS,)),
        ("draws", np.int32, (NUM_KINDS,)),
        ("skip_counts", np.int32, (NUM_KINDS,)),
        ("plain", np.uint8, (NUM_KINDS,)),
        ("card_points", np.int32, (ROW,)),
    ],
    align=True,
)


def new_records(count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Zeroed records; kernels run as plain Python need them to answer to attributes."""
    array: np.ndarray[Any, Any] = _whole_lines(count * dtype.itemsize).view(dtype)
    return array if IS_COMPILED else array.view(np.recarray)


def new_rows(count: int, words: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Rows of zeros to write observations or masks into."""
    return _whole_lines(count * words * 8).view(np.uint64).reshape(count, words)


def _whole_lines(size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Zeroed bytes that begin with a cache line."""
    padded = np.zeros(size + LINE, np.uint8)
    first = -padded.ctypes.data % LINE
    return padded[first : first + size]


def choices(field: str) -> tuple[str, ...]:
    """The allowed texts of a rule that is one of several words."""
    return tuple(get_args(Rules.model_fields[field].annotation))


def code(field: str, value: str) -> int:
    """The number that stands for a rule's word inside the engine."""
    return choices(field).index(value)


def coded(field: str, value: Any) -> int:
    """A rule's value as the engine's number."""
    return code(field, value) if isinstance(value, str) else int(value)


DRAW_UNTIL_PLAYABLE = code("draw_policy", "until_playable")
VOLUNTARY_ALWAYS = code("voluntary_draw", "always")
PLAY_DRAWN_FORCED = code("play_drawn", "forced")
PLAY_DRAWN_NEVER = code("play_drawn", "never")
SCOPE_ANY = code("play_after_draw_scope", "any_card")
HONEST_ALWAYS = code("plus4_legality", "anything")
HONEST_COLOR = code("plus4_legality", "no_active_color")
WILDS_COUNT_HYPER = code("challenge_wilds_count", "wild_and_hyper")
WILDS_COUNT_ALL = code("challenge_wilds_count", "all")
STACK_NONE = code("stacking", "none")
UNO_EXPLICIT = code("uno_call", "explicit")
UNO_AUTO = code("uno_call", "auto")
SUM_NONE = code("sum_out", "none")
SUM_NUMBERS = code("sum_out", "numbers")
