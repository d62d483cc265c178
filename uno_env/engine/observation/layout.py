"""The layout of the encoded observation: named blocks of `OBS_SIZE` bytes, and the mask.

It is the single source of the docs table and of `uno_env.describe_observation()`. Seats are
relative to the observer (0 is the observer, 1 the seat clockwise of it). A change of layout bumps
OBS_VERSION.
"""

from typing import NamedTuple

from ...actions import MAX_SEATS
from ...cards import COLORS, FACES, KINDS, NUM_FACES
from ..state import RULE_VECTOR, SEAT_ROW
from ..tables import PHASES, ROW

OBS_VERSION = 1


class Block(NamedTuple):
    """A named stretch of the observation."""

    name: str
    size: int
    scale: int
    meaning: str


BLOCKS = (
    Block("hand", NUM_FACES, 4, f"own cards by face ({FACES[0]} ... {FACES[-1]})"),
    Block("pending_amount", 1, 16, "cards the seat facing the penalty owes"),
    Block("pending_value", 1, 10, "value of the last draw card"),
    Block("contestable", 1, 1, "whether that card may be challenged"),
    Block("cards_to_give", 1, 8, "cards of a half still to be given"),
    Block("draw_pile", 1, 128, "cards in the draw pile"),
    Block("set_aside", 1, 64, "cards of eliminated seats"),
    Block("discards", NUM_FACES, 4, "discards by face since the last recycling"),
    Block("clockwise", 1, 1, "direction of play"),
    Block("round", 1, 16, "rounds played before this one in the match"),
    Block("time", 1, 64, "turns of this round so far, in fours"),
    Block("recycled", 1, 4, "how often the discards were recycled"),
    Block("table_size", 1, 10, "seats at the table"),
    Block("in_play", 1, 10, "seats still in play"),
    Block(
        "seats",
        MAX_SEATS * SEAT_ROW,
        4,
        "per relative seat: hand size, UNO called, in play, score (255 = match target), four "
        "missing colours (1 + most cards of it the seat can hold, 0 unknown), colour of its last "
        "action (one-hot), last action a play (1 number, 2 action, 3 wild), cards drawn by it, "
        "penalty cards taken, cards played this round",
    ),
    Block(
        "known",
        MAX_SEATS * 8,
        4,
        "per relative seat, cards the observer knows to be in that hand: red, yellow, green, "
        "blue, wild, draw cards, sevens and zeros, all",
    ),
    Block("phase", len(PHASES), 1, "one-hot: " + ", ".join(PHASES)),
    Block("top_kind", len(KINDS), 1, "one-hot: " + ", ".join(KINDS)),
    Block("top_give", 1, 1, "top card bears the give symbol"),
    Block("active_color", 4, 1, "one-hot: " + ", ".join(COLORS)),
    Block("hyper_color", 4, 1, "one-hot colour of hyper mode"),
    Block("color_before", 4, 1, "one-hot active colour before the top card"),
    Block("drawn_kind", len(KINDS), 1, "one-hot kind of the drawn card, to its drawer"),
    Block("drawn_color", 4, 1, "one-hot colour of the drawn card, to its drawer"),
    Block("subject", MAX_SEATS, 1, "one-hot relative seat the phase is about"),
    Block("spare", 7, 1, "zero"),
    Block(
        "rules",
        RULE_VECTOR,
        8,
        "the rule set: deck counts by kind, then the switches (see engine/rules_record.py)",
    ),
)
OBS_SIZE = sum(block.size for block in BLOCKS)
OFFSETS = {}
_at = 0
for _block in BLOCKS:
    OFFSETS[_block.name] = _at
    _at += _block.size

O_PENDING = OFFSETS["pending_amount"]
O_DISCARDS = OFFSETS["discards"]
O_CLOCKWISE = OFFSETS["clockwise"]
O_SEATS = OFFSETS["seats"]
O_KNOWN = OFFSETS["known"]
O_PHASE = O_TABLE = OFFSETS["phase"]
O_TOP_KIND = OFFSETS["top_kind"]
O_TOP_GIVE = OFFSETS["top_give"]
O_ACTIVE = OFFSETS["active_color"]
O_HYPER = OFFSETS["hyper_color"]
O_BEFORE = OFFSETS["color_before"]
O_DRAWN_KIND = OFFSETS["drawn_kind"]
O_DRAWN_COLOR = OFFSETS["drawn_color"]
O_SUBJECT = OFFSETS["subject"]
O_RULES = OFFSETS["rules"]

OBS_WORDS = OBS_SIZE // 8
ROW_WORDS = ROW // 8
COUNT_WORDS = O_DISCARDS // 8
"""Words of a row of counts that enter the observation, with six bytes to spare."""
SEAT_WORDS = SEAT_ROW // 8
MASK_BYTES = 192
MASK_WORDS = MASK_BYTES // 8
