"""Styles of the heuristic: one row of coefficients each, read by the one policy kernel.

A style is data. It changes a few coefficients of the plain heuristic (row 0, `coefficients.py`) and
nothing else, so every style plays every variant, phase and table size.
"""

from typing import NamedTuple

import numpy as np

from uno_env.kinds import FIRST_WILD_KIND, KIND_TABLE, Effect

from .coefficients import (
    BLUFF,
    CHALLENGE_AT,
    COLOR_OWN,
    DENY,
    DENY_ONE,
    DENY_TWO,
    FOLLOW,
    HIT,
    HOLD,
    STOP,
    SWAP,
)


class Style(NamedTuple):
    """One row: the coefficients that tell styles apart; the defaults are the plain heuristic's.

    Attributes:
        follow, deny, deny_two, deny_one, hit, stop, swap, bluff, challenge_at, color_own: as in
            `coefficients.py`. A negative `bluff` seeks bluffs; above 100, `challenge_at` never
            challenges.
        keep_color: gained by a card that leaves the active colour as it is.
        hold_wild, hold_draw: added to the value of keeping a wild, a card that makes others draw.
        save_wilds: 1 to draw rather than play a wild while at most half of the hand are wilds.
        swap_eagerness: cards by which a swap may be worse than none and is made all the same.
    """

    follow: int = FOLLOW
    deny: int = DENY
    deny_two: int = DENY_TWO
    deny_one: int = DENY_ONE
    hit: int = HIT
    stop: int = STOP
    swap: int = SWAP
    bluff: int = BLUFF
    challenge_at: int = CHALLENGE_AT
    color_own: int = COLOR_OWN
    keep_color: int = 0
    hold_wild: int = 0
    hold_draw: int = 0
    save_wilds: int = 0
    swap_eagerness: int = 0


PLAIN = 0
"""The number of the plain heuristic."""

STYLE_TABLE = {
    "plain": Style(),
    "aggressive": Style(hit=12, stop=12, hold_draw=-40, challenge_at=15),
    "hoarder": Style(hold_wild=200, save_wilds=1),
    "color-keeper": Style(keep_color=120, follow=12, deny=0, deny_two=0, deny_one=8),
    "bluffer": Style(bluff=-24),
    "never-challenger": Style(challenge_at=101),
    "swapper": Style(swap=60, swap_eagerness=4),
    "suspicious": Style(challenge_at=2),
    "blocker": Style(deny=90, deny_two=120, deny_one=240, color_own=4),
}
"""The styles by name; a number is the place in this table."""
STYLE_LINES = {
    "plain": "the heuristic itself",
    "aggressive": "plays penalties and skips as soon as it can",
    "hoarder": "keeps wilds to the end and would rather draw than play one",
    "color-keeper": "stays in the colour, whatever that lets the next seat do",
    "bluffer": "plays a wild draw four whenever that would be a bluff",
    "never-challenger": "takes every penalty without a challenge",
    "swapper": "swaps hands at every occasion, at a loss of up to four cards",
    "suspicious": "challenges at the slightest doubt",
    "blocker": "plays and names what the next seat lacks, not what it holds itself",
}
"""What each style does, for help texts."""

STYLES = np.array(list(STYLE_TABLE.values()), np.int64)
"""(styles, columns): read by the kernels."""
(
    FOLLOW_AT, DENY_AT, DENY_TWO_AT, DENY_ONE_AT, HIT_AT, STOP_AT, SWAP_AT, BLUFF_AT,
    CHALLENGE_AT_AT, COLOR_OWN_AT, KEEP_COLOR_AT, HOLD_WILD_AT, HOLD_DRAW_AT, SAVE_WILDS_AT,
    SWAP_EAGERNESS_AT,
) = range(len(Style._fields))  # fmt: skip
"""The columns."""

_DRAWING = Effect.DRAW | Effect.TEAM_DRAW | Effect.TARGET_DRAW
_IS_WILD = np.arange(len(KIND_TABLE)) >= FIRST_WILD_KIND
_MAKES_DRAW = np.array([bool(kind.effect & _DRAWING) for kind in KIND_TABLE])
STYLE_HOLD = (
    HOLD
    + np.outer(STYLES[:, HOLD_WILD_AT], _IS_WILD)
    + np.outer(STYLES[:, HOLD_DRAW_AT], _MAKES_DRAW)
)
"""(styles, kinds): the value of keeping a card."""
