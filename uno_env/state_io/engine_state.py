"""The clockwork's own numbers in a snapshot: read, and checked against the rest of the position.

Kernels trust these numbers as indexes and loop bounds, so a wrong one must not come in.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..cards import FACES, KINDS
from ..engine import state as clock
from ..engine.state import STATE, STATE_FIELDS
from ..engine.tables import PHASES
from ..rules.deck import MAX_CARDS

if TYPE_CHECKING:
    from .position import Position

_LAST_STAGE = clock.G_OVER
_STAGES = {
    "play": (clock.G_TURN,),
    "play-drawn": (clock.G_UNO,),
    "stack": (clock.G_ADVANCE, clock.G_TURN),
    "color": (clock.G_CHOICES,),
    "challenge": (clock.G_ADVANCE, clock.G_TURN),
    "roulette-color": (clock.G_ADVANCE, clock.G_DRAW_HALVES),
    "swap-target": (clock.G_CHOICES,),
    "swap-pair": (clock.G_CHOICES, clock.G_WIN_SWAP),
    "pass-card": (clock.G_PASS_CARDS,),
    "give-half": (clock.G_HALVES, clock.G_DRAW_HALVES, clock.G_UNO, clock.G_FAULT_BACK),
    "exchange": (clock.G_EXCHANGE, clock.G_CHOICES),
    "team-play": (clock.G_ADVANCE, clock.G_TURN),
    "uno-call": (clock.G_UNO,),
    "uno-catch": (clock.G_UNO, clock.G_LAST_CATCH),
    "react": (clock.G_WINDOW,),
    "opening-color": (clock.G_OPEN_CHOICES,),
    "opening-swap": (clock.G_OPEN_CHOICES,),
    "over": (clock.G_OVER,),
}
"""What may come next after a decision of each phase."""


_FORMS = {name: (STATE[name].shape, STATE[name].base) for name in STATE_FIELDS}


def read_engine(state: Any, position: "Position", fields: tuple[str, ...]) -> None:
    """Set the clockwork from a snapshot's `engine`; errors name the number that is wrong."""
    engine = position.engine or {}
    allowed = _allowed(position)
    for name, value in engine.items():
        if name not in fields:
            raise _error(f"engine.{name} is unknown")
        shape, kind = _FORMS[name]
        low, high = allowed.get(name, (0, 255))
        if type(value) is int and shape == () and low <= value <= high:
            state[name] = value  # nearly all of them: arrays would take most of the time
            continue
        array = np.asarray(value)
        if array.shape != shape or array.dtype.kind not in "iu":
            raise _error(f"engine.{name} must be integers of shape {shape}")
        if array.min() < low or array.max() > high:
            raise _error(f"engine.{name} is {value}; allowed: {low} to {high}")
        state[name] = array.astype(kind)
    _check(state, position)


def _allowed(position: "Position") -> dict[str, tuple[int, int]]:
    """Lowest and highest value of each number at this table."""
    n = position.num_players
    live = sum(1 << seat for seat in range(n)) & ~sum(
        1 << seat for seat in (*position.eliminated, *position.out)
    )
    ranges = (
        ((0, n - 1), "player top_player move_from"),
        ((-1, n - 1), "holder asked uno_first face_seat half_giver fault_actor"),
        ((0, (1 << n) - 1), "changed owed drew round_winners"),
        ((0, live), "poll"),
        ((0, _LAST_STAGE), "stage after_uno after_window fault_stage"),
        ((0, 1), "again last_call bluff void"),
        ((0, n), "skips passes"),
        ((0, MAX_CARDS), "under_size half_left"),
        ((0, len(FACES) - 1), "card"),
        ((-1, len(FACES) - 1), "newest chosen"),
        ((0, len(KINDS) - 1), "under_kind"),
        ((0, len(PHASES) - 1), "fault_phase"),
        ((0, 10), "under_value"),
        ((0, 15), "todo"),
        ((0, clock.FACE_TEAM_PLAY), "facing"),
        ((0, position.rules.max_steps), "steps"),
        ((0, 2**31 - 1), "turns"),
    )
    return {name: limits for limits, names in ranges for name in names.split()}


def _check(state: Any, position: "Position") -> None:
    """What the numbers must say together."""
    phase, n = position.phase, position.num_players
    over = phase == "over"
    holder, giver = int(state["holder"]), int(state["half_giver"])
    facing = int(state["facing"])
    faces_penalty = facing in (clock.FACE_STACK, clock.FACE_CHALLENGE)
    away = {*position.eliminated, *position.out}
    problems = {
        "stage": int(state["stage"]) not in _STAGES[phase],
        "after_uno": int(state["after_uno"]) not in (clock.G_WINDOW, clock.G_ADVANCE, clock.G_TURN),
        "after_window": int(state["after_window"]) not in _after_window(int(state["after_uno"])),
        "card": not over and int(state["card"]) != position.discard[-1],
        "holder": phase in ("uno-call", "uno-catch") and holder not in set(range(n)) - away,
        "half_giver": giver != (position.actor if phase == "give-half" else -1),
        "half_left": not _half_fits(state, position),
        "facing": not over and faces_penalty and position.pending is None,
        "face_seat": facing != clock.FACE_NOTHING and int(state["face_seat"]) in away,
        "round_winners": bool(state["round_winners"]) and phase not in ("over", "swap-pair"),
        "poll": bool(int(state["poll"]) & sum(1 << seat for seat in away)),
        "chosen": not _choices_are_held(state, position),
        "fault_stage": int(state["stage"]) == clock.G_FAULT_BACK
        and not _fault_fits(state, position),
    }
    for name, wrong in problems.items():
        if wrong:
            value = state[name].tolist()
            raise _error(f"engine.{name} is {value}, which cannot be in phase {phase}")


def _after_window(after_uno: int) -> tuple[int, ...]:
    # A window that leads back to the drawn card, which leads to the window, would never end.
    return (clock.G_ADVANCE,) if after_uno == clock.G_WINDOW else (clock.G_ADVANCE, clock.G_DRAWN)


def _half_fits(state: Any, position: "Position") -> bool:
    left = int(state["half_left"])
    if position.phase != "give-half" or position.actor is None:
        return left == 0
    return 0 < left <= len(position.hands[position.actor])


def _choices_are_held(state: Any, position: "Position") -> bool:
    chosen = state["chosen"].tolist()
    hands = [*position.hands, *[[]] * (len(chosen) - position.num_players)]
    return all(card < 0 or card in hand for card, hand in zip(chosen, hands, strict=True))


def _fault_fits(state: Any, position: "Position") -> bool:
    phase = PHASES[int(state["fault_phase"])]
    stage = int(state["fault_stage"])
    actor = int(state["fault_actor"])
    return (
        phase != "over" and stage in _STAGES[phase] and stage != clock.G_FAULT_BACK and actor >= 0
    )


def _error(text: str) -> ValueError:
    from .position import SnapshotError

    return SnapshotError(text)
