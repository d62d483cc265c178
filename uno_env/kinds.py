"""Card kinds: one row says what a card is called, what it does and whether it opens a round.

A kind is what is printed on a card besides its colour. The engine reads this table, through the
record of a rule set: a rule such as `seven_swap` only adds an effect to a kind. A new card with
known effects is one more row at the end of its list, where ids are reserved: no id moves, so
observations, actions and checkpoints stay valid. Its picture is a drawing of
`render/glyphs.py`, its name in words stands in `text/en.json` and `text/fr.json`, and for the
page in `texts/cards_en.js` and `texts/cards_fr.js`; `python -m docs.make_pictures` draws anew.
"""

from enum import IntFlag, auto
from typing import NamedTuple

COLORED_SLOTS = 18
"""Ids of kinds that exist in each of the four colours, some of them reserved."""
WILD_SLOTS = 20
"""Ids of kinds without a colour, some of them reserved."""
NUMBERS = 10
"""The first kinds are the number cards 0 to 9."""


class Effect(IntFlag):
    """What a card does; the effects of a kind add up."""

    NONE = 0
    SKIP = auto()
    """The following seats, as many as the kind says, lose their turn."""
    REVERSE = auto()
    """The direction of play changes."""
    DRAW = auto()
    """The seat it faces draws cards and loses its turn, or answers where rules let it."""
    PLAY_AGAIN = auto()
    """Its player takes another turn at once."""
    DISCARD_COLOR = auto()
    """Its player lays all other cards of the colour with it."""
    HYPER = auto()
    """From now on each card of the colour named skips a seat."""
    ROULETTE = auto()
    """The next seat names a colour and draws until it shows."""
    SWAP_TWO = auto()
    """Its player may swap the hands of any two seats."""
    SWAP_OWN = auto()
    """Its player swaps hands with a seat of its choice."""
    MAY_DECLINE = auto()
    """That swap may be left undone."""
    PASS_HANDS = auto()
    """Every hand moves on to the following seat."""
    TEAM_PLAY = auto()
    """The partner plays at once."""
    TEAM_DRAW = auto()
    """The next seat and its partner draw cards."""
    TARGET_DRAW = auto()
    """A seat of the player's choice draws cards and keeps its turn."""
    CANCEL = auto()
    """Laid on a penalty, it ends it."""
    DEFLECT = auto()
    """Laid on a penalty, it passes it on as it is."""


class Kind(NamedTuple):
    """One row of the table.

    Attributes:
        name: its name in every language of the project's interfaces.
        effect: what it does, in all rule sets.
        draws: cards that a draw effect makes a seat draw.
        skips: seats that a skip passes over.
        may_open: whether it opens a round with its effect where the rules let action cards open.
        glyph: its drawing: a name of `render/glyphs.py`, or a text of digits and `+`.
    """

    name: str
    effect: Effect = Effect.NONE
    draws: int = 0
    skips: int = 0
    may_open: bool = False
    glyph: str = ""


E = Effect
COLORED_ROWS = (
    *(Kind(str(number), may_open=True, glyph=str(number)) for number in range(NUMBERS)),
    Kind("skip", E.SKIP, skips=1, may_open=True, glyph="skip"),
    Kind("reverse", E.REVERSE, may_open=True, glyph="reverse"),
    Kind("draw2", E.DRAW, draws=2, may_open=True, glyph="+2"),
    Kind("draw4", E.DRAW, draws=4, glyph="+4"),
    Kind("discard-all", E.DISCARD_COLOR, glyph="discard-all"),
    Kind("skip-all", E.PLAY_AGAIN, glyph="skip-all"),
)
WILD_ROWS = (
    Kind("wild", may_open=True, glyph="wild"),
    Kind("wild-draw4", E.DRAW, draws=4, glyph="+4"),
    Kind("wild-hyper-speed", E.HYPER, glyph="hyper-speed"),
    Kind("wild-reverse-draw4", E.REVERSE | E.DRAW, draws=4, glyph="reverse-draw4"),
    Kind("wild-draw6", E.DRAW, draws=6, glyph="+6"),
    Kind("wild-draw10", E.DRAW, draws=10, glyph="+10"),
    Kind("wild-roulette", E.ROULETTE, glyph="roulette"),
    Kind("wild-swap", E.SWAP_TWO, may_open=True, glyph="swap"),
    Kind("wild-team-play", E.TEAM_PLAY, glyph="team-play"),
    Kind("wild-team-draw2", E.TEAM_DRAW, draws=2, glyph="team-draw2"),
    Kind("wild-skip", E.SKIP, skips=1, glyph="skip"),
    Kind("wild-reverse", E.REVERSE, glyph="reverse"),
    Kind("wild-skip2", E.SKIP, skips=2, glyph="skip-two"),
    Kind("wild-draw2", E.DRAW, draws=2, glyph="+2"),
    Kind("wild-target-draw2", E.TARGET_DRAW, draws=2, glyph="target-draw2"),
    Kind("wild-forced-swap", E.SWAP_OWN, glyph="forced-swap"),
    Kind("wild-blank", glyph="blank"),
)
BLANK = "wild-blank"
"""The kind whose effect a rule set chooses."""
MAX_DRAWS = 15
"""Most cards a single card may make a seat draw."""

RESERVED = "reserved"


def _with_reserve(rows: tuple[Kind, ...], slots: int, start: str) -> tuple[Kind, ...]:
    if len(rows) > slots:
        raise ValueError(f"{len(rows)} kinds do not fit {slots} ids; raise ACTIONS_VERSION")
    spare = (Kind(f"{start}{RESERVED}{at}") for at in range(len(rows), slots))
    return (*rows, *spare)


KIND_TABLE = (
    *_with_reserve(COLORED_ROWS, COLORED_SLOTS, ""),
    *_with_reserve(WILD_ROWS, WILD_SLOTS, "wild-"),
)
"""Every kind by its id, reserved ones included."""
KINDS = tuple(kind.name for kind in KIND_TABLE)
COLORED_KINDS = tuple(kind.name for kind in COLORED_ROWS)
WILDS = tuple(kind.name for kind in WILD_ROWS)
NUM_KINDS = len(KINDS)
KIND_ID = {name: number for number, name in enumerate(KINDS)}
FIRST_ACTION_KIND = NUMBERS
FIRST_WILD_KIND = COLORED_SLOTS
