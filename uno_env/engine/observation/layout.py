"""The layout of the encoded observation: named blocks of `OBS_SIZE` bytes, and the mask.

It is the single source of the docs table and of `uno_env.describe_observation()`. Seats are
relative to the observer (0 is the observer, 1 the seat clockwise of it). A change of layout bumps
OBS_VERSION.
"""

from typing import NamedTuple

from ...actions import MAX_SEATS, NUM_ACTIONS
from ...cards import COLORS, FACES, NUM_FACES
from ...kinds import KINDS, NUM_KINDS
from ..state import RULE_VECTOR, SEAT_ROW
from ..tables import PHASES
from .recent import ACTS, RECENT

OBS_VERSION = 2

NEAR = ("next", "previous", "opposite")
"""Seats whose known cards are told by face: all of them up to a table of four."""
NEXT, PREVIOUS, OPPOSITE = range(len(NEAR))
FAR_SEATS = MAX_SEATS - 1 - len(NEAR)
FAR_COLORS = len(COLORS) + 1
FAR_ROW = FAR_COLORS + NUM_KINDS // 2
"""Bytes of a far seat's known cards: counts by colour, then two kinds to a byte."""
PHASE_SLOTS = 24
"""Phases, some of them reserved."""


class Block(NamedTuple):
    """A named stretch of the observation."""

    name: str
    size: int
    scale: int
    meaning: str


BLOCKS = (
    Block("hand", NUM_FACES, 4, f"own cards by face ({FACES[0]} ... {FACES[-1]})"),
    Block("discards", NUM_FACES, 4, "discards by face since the last recycling"),
    Block("phase", PHASE_SLOTS, 1, "one-hot: " + ", ".join(PHASES)),
    Block("top_kind", NUM_KINDS, 1, "one-hot: " + ", ".join(KINDS)),
    Block("top_give", 1, 1, "top card bears the give symbol"),
    Block("asked", 1, 1, "whether the observer is the seat to act"),
    Block("drawn_kind", NUM_KINDS, 1, "one-hot kind of the drawn card, to its drawer"),
    Block("drawn_color", 4, 1, "one-hot colour of the drawn card, to its drawer"),
    Block("active_color", 4, 1, "one-hot: " + ", ".join(COLORS)),
    Block("hyper_color", 4, 1, "one-hot colour of hyper mode"),
    Block("color_before", 4, 1, "one-hot active colour before the top card"),
    Block("subject", MAX_SEATS, 1, "one-hot relative seat the phase is about"),
    Block(
        "seats",
        MAX_SEATS * SEAT_ROW,
        4,
        "per relative seat: hand size, UNO called, in play, score (255 = match target), four "
        "missing colours (1 + most cards of it the seat can hold, 0 unknown), colour of its last "
        "action (one-hot), last action a play (1 number, 2 action, 3 wild), cards drawn by it, "
        "penalty cards taken, cards played this round",
    ),
    Block("pending_amount", 1, 16, "cards the seat facing the penalty owes"),
    Block("pending_value", 1, 10, "value of the last draw card"),
    Block("contestable", 1, 1, "whether that card may be challenged"),
    Block("cards_to_give", 1, 8, "cards of a half still to be given"),
    Block("draw_pile", 1, 128, "cards in the draw pile"),
    Block("set_aside", 1, 64, "cards of eliminated seats"),
    Block("discard_pile", 1, 128, "cards in the discard pile"),
    Block("equal_cards", 1, 4, "equal cards laid before the top card in this turn"),
    Block("clockwise", 1, 1, "direction of play"),
    Block("round", 1, 16, "rounds played before this one in the match"),
    Block("time", 1, 64, "turns of this round so far, in fours"),
    Block("recycled", 1, 4, "how often the discards were recycled"),
    Block("table_size", 1, 10, "seats at the table"),
    Block("in_play", 1, 10, "seats still in play"),
    Block("match", 1, 1, "whether rounds are played until the match target"),
    Block("any_known", 1, 1, "whether anybody may know cards of another hand"),
    Block("kind_before", 1, 16, "kind below the top card, 1 + its number"),
    Block("penalty_before", 1, 10, "value of the draw card below the top card, 0 for none"),
    Block("turn", 1, 10, "relative seat whose turn it is, 1 for the observer's own"),
    Block("top_player", 1, 10, "relative seat that laid the top card, 1 for the observer's own"),
    Block("card_left", 1, 16, "cards its player held after laying it"),
    Block("skips", 1, 2, "seats the card on top will pass over"),
    Block("own_bluff", 1, 1, "whether the draw four that waits is the observer's own bluff"),
    Block("reserved", 1, 1, "zero"),
    Block("recent_seats", RECENT, 10, "relative seats of the last actions, newest first, from 1"),
    Block(
        "recent_acts",
        RECENT,
        64,
        f"what they did: 1 + the face laid, or {NUM_FACES + 1} + {', '.join(ACTS)}",
    ),
    Block("recent_counts", RECENT, 4, "cards of that action, or 1 + the colour named with it"),
    *(
        Block(
            f"known_{name}",
            NUM_FACES,
            4,
            f"cards by face the observer knows in the hand of the {name} seat",
        )
        for name in NEAR
    ),
    Block(
        "known_far",
        FAR_SEATS * FAR_ROW,
        4,
        "cards known in the hands of the other seats: red, yellow, green, blue, wild, then by "
        "kind, two kinds to a byte (the first + 16 times the second, at most 15 each)",
    ),
    Block(
        "rules",
        RULE_VECTOR,
        8,
        "the rule set: cards by kind, points by kind, then the switches (engine/rule_vector.py)",
    ),
)
OBS_SIZE = sum(block.size for block in BLOCKS)
OFFSETS = {}
_at = 0
for _block in BLOCKS:
    OFFSETS[_block.name] = _at
    _at += _block.size

O_HAND = OFFSETS["hand"]
O_DISCARDS = OFFSETS["discards"]
O_KNOWN = OFFSETS["known_next"]
O_PHASE = O_TABLE = OFFSETS["phase"]
O_TOP_KIND = OFFSETS["top_kind"]
O_TOP_GIVE = OFFSETS["top_give"]
O_ASKED = OFFSETS["asked"]
O_DRAWN_KIND = OFFSETS["drawn_kind"]
O_DRAWN_COLOR = OFFSETS["drawn_color"]
O_ACTIVE = OFFSETS["active_color"]
O_HYPER = OFFSETS["hyper_color"]
O_BEFORE = OFFSETS["color_before"]
O_SUBJECT = OFFSETS["subject"]
O_SEATS = OFFSETS["seats"]
O_NUMBERS = O_PENDING = OFFSETS["pending_amount"]
O_CLOCKWISE = OFFSETS["clockwise"]
O_ANY_KNOWN = OFFSETS["any_known"]
O_TABLE_SIZE = OFFSETS["table_size"]
O_IN_PLAY = OFFSETS["in_play"]
O_DRAW_PILE = OFFSETS["draw_pile"]
O_SET_ASIDE = OFFSETS["set_aside"]
O_TURN = OFFSETS["turn"]
O_DETAILS = OFFSETS["kind_before"]
O_RECENT = OFFSETS["recent_seats"]
O_FAR = OFFSETS["known_far"]
O_RULES = OFFSETS["rules"]

OBS_WORDS = OBS_SIZE // 8
SEAT_WORDS = SEAT_ROW // 8
MASK_BYTES = NUM_ACTIONS
MASK_WORDS = MASK_BYTES // 8
