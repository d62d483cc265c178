"""Checks of a restored engine state against the rest of its position.

Kernels trust these numbers as indexes and loop bounds, so a wrong one must not come in.
"""

from typing import Any

from ..engine import state as codes
from ..engine.tables import PHASES
from .engine_state import CHOSEN, FIELDS
from .position import Position, SnapshotError

_STAGES = {
    "play": (codes.G_TURN,),
    "play-drawn": (codes.G_UNO,),
    "stack": (codes.G_ADVANCE, codes.G_TURN),
    "color": (codes.G_CHOICES,),
    "challenge": (codes.G_ADVANCE, codes.G_TURN),
    "roulette-color": (codes.G_ADVANCE, codes.G_DRAW_HALVES),
    "swap-target": (codes.G_CHOICES,),
    "swap-pair": (codes.G_CHOICES, codes.G_WIN_SWAP),
    "pass-card": (codes.G_PASS_CARDS,),
    "give-half": (codes.G_HALVES, codes.G_DRAW_HALVES, codes.G_UNO, codes.G_FAULT_BACK),
    "exchange": (codes.G_EXCHANGE, codes.G_CHOICES),
    "team-play": (codes.G_ADVANCE, codes.G_TURN),
    "uno-call": (codes.G_UNO,),
    "uno-catch": (codes.G_UNO, codes.G_LAST_CATCH),
    "react": (codes.G_WINDOW,),
    "opening-color": (codes.G_OPEN_CHOICES,),
    "opening-swap": (codes.G_OPEN_CHOICES,),
    "over": (codes.G_OVER,),
}
"""What may come next after a decision of each phase."""
_KEY_OF = {field.name: field.key for field in FIELDS} | {"chosen": CHOSEN}


def check_engine_state(state: Any, position: Position) -> None:
    """Raise `SnapshotError` if the engine state cannot be in this position."""
    phase, n = position.phase, position.num_players
    holder = int(state["holder"])
    facing = int(state["facing"])
    faces_penalty = facing in (codes.FACE_STACK, codes.FACE_CHALLENGE)
    away = {*position.eliminated, *position.out}
    problems = {
        "stage": int(state["stage"]) not in _STAGES[phase],
        "after_uno": int(state["after_uno"]) not in (codes.G_WINDOW, codes.G_ADVANCE, codes.G_TURN),
        "after_window": int(state["after_window"]) not in _after_window(int(state["after_uno"])),
        "holder": phase in ("uno-call", "uno-catch") and holder not in set(range(n)) - away,
        "facing": phase != "over" and faces_penalty and position.pending is None,
        "face_seat": facing != codes.FACE_NOTHING and int(state["face_seat"]) in away,
        "skips": int(state["skips"]) > n,
        "passes": int(state["passes"]) > n,
        "steps": int(state["steps"]) > position.rules.max_steps,
        "round_winners": bool(state["round_winners"]) and phase not in ("over", "swap-pair"),
        "poll": bool(int(state["poll"]) & sum(1 << seat for seat in away)),
        "chosen": not _choices_are_held(state, position),
        "fault_stage": int(state["stage"]) == codes.G_FAULT_BACK and not _fault_fits(state),
    }
    for name, is_wrong in problems.items():
        if is_wrong:
            raise SnapshotError(f"engine_state.{_KEY_OF[name]} cannot be so in phase {phase}")


def _after_window(after_uno: int) -> tuple[int, ...]:
    # A window that leads back to the drawn card, which leads to the window, would never end.
    return (codes.G_ADVANCE,) if after_uno == codes.G_WINDOW else (codes.G_ADVANCE, codes.G_DRAWN)


def _choices_are_held(state: Any, position: Position) -> bool:
    chosen = state["chosen"][: position.num_players].tolist()
    return all(card < 0 or card in hand for card, hand in zip(chosen, position.hands, strict=True))


def _fault_fits(state: Any) -> bool:
    phase = PHASES[int(state["fault_phase"])]
    stage = int(state["fault_stage"])
    actor = int(state["fault_actor"])
    return (
        phase != "over" and stage in _STAGES[phase] and stage != codes.G_FAULT_BACK and actor >= 0
    )
