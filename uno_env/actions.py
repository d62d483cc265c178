"""The one action table, equal in every variant: action ids and their texts.

A play and a gift of the same face share one id; the phase tells them apart. Ids without a text
are reserved: those of faces that do not exist yet, and the last few. They are never legal.
"""

from .cards import COLORS, FACES, NUM_FACES
from .kinds import RESERVED

ACTIONS_VERSION = 2
"""Raised when an id changes its meaning; a new card or action in a reserved id does not."""

MAX_SEATS = 10
SWAP_PAIRS = tuple((i, j) for i in range(MAX_SEATS) for j in range(i + 1, MAX_SEATS))

_NAMED: tuple[str, ...] = (
    *(f"play {face}" for face in FACES),
    "draw",
    "keep",
    "pass",
    "take",
    "accept",
    "challenge",
    *(f"color {color}" for color in COLORS),
    "call-uno",
    "stay-silent",
    "catch",
    "ignore",
    "jump-in",
    "sum",
    *(f"target +{k}" for k in range(1, MAX_SEATS)),
    *(f"swap +{i} +{j}" for i, j in SWAP_PAIRS),
    "no-swap",
)
NUM_ACTIONS = 208
ACTIONS: tuple[str, ...] = (
    *_NAMED,
    *(f"{RESERVED} {number}" for number in range(len(_NAMED), NUM_ACTIONS)),
)
"""The text of every action by its id, reserved ones included."""

_ACTION_ID = {text: number for number, text in enumerate(ACTIONS) if RESERVED not in text}
_GIVE_ID = {f"give {face}": number for number, face in enumerate(FACES) if RESERVED not in face}

DRAW = _ACTION_ID["draw"]
KEEP = _ACTION_ID["keep"]
PASS = _ACTION_ID["pass"]
TAKE = _ACTION_ID["take"]
ACCEPT = _ACTION_ID["accept"]
CHALLENGE = _ACTION_ID["challenge"]
COLOR_0 = _ACTION_ID["color red"]
TARGET_1 = _ACTION_ID["target +1"]
SWAP_0 = _ACTION_ID["swap +0 +1"]
NO_SWAP = _ACTION_ID["no-swap"]
CALL_UNO = _ACTION_ID["call-uno"]
STAY_SILENT = _ACTION_ID["stay-silent"]
CATCH = _ACTION_ID["catch"]
IGNORE = _ACTION_ID["ignore"]
JUMP_IN = _ACTION_ID["jump-in"]
SUM = _ACTION_ID["sum"]

GIVE_PHASES = frozenset({"pass-card", "give-half", "exchange"})


class UnknownAction(ValueError):
    """An action text or id that is not in the table."""


def action_id(text: str) -> int:
    """The id of an action text; `give CARD` has the id of `play CARD`."""
    number = None
    if isinstance(text, str):
        number = _ACTION_ID.get(text, _GIVE_ID.get(text))
    if number is None:
        raise UnknownAction(
            f"unknown action {text!r}; actions are texts such as 'play red-7', 'draw', "
            "'color blue', 'give red-4' (see uno_env.ACTIONS)"
        )
    return number


def action_text(number: int, phase: str | None = None) -> str:
    """The text of an action id; in a giving phase faces read `give CARD`."""
    if not 0 <= number < NUM_ACTIONS:
        raise UnknownAction(f"action id {number} is outside 0..{NUM_ACTIONS - 1}")
    if number < NUM_FACES and phase in GIVE_PHASES:
        return f"give {FACES[number]}"
    return ACTIONS[number]
