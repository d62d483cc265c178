"""Checks of a restored engine state against the rest of its position.

Kernels trust these numbers as indexes and loop bounds, so a wrong one must not come in.
"""

from typing import Any

from ..engine import state as codes
from ..engine.tables import PHASES
from .position import Position, SnapshotError

_STAGES = {
    "play": (codes.STAGE_TURN,),
    "play-drawn": (codes.STAGE_UNO,),
    "stack": (codes.STAGE_ADVANCE, codes.STAGE_TURN),
    "color": (codes.STAGE_CHOICES,),
    "challenge": (codes.STAGE_ADVANCE, codes.STAGE_TURN),
    "roulette-color": (codes.STAGE_ADVANCE, codes.STAGE_DRAW_HALVES),
    "swap-target": (codes.STAGE_CHOICES,),
    "swap-pair": (codes.STAGE_CHOICES, codes.STAGE_WIN_SWAP),
    "pass-card": (codes.STAGE_PASS_CARDS,),
    "give-half": (
        codes.STAGE_HALVES,
        codes.STAGE_DRAW_HALVES,
        codes.STAGE_UNO,
        codes.STAGE_FAULT_BACK,
    ),
    "exchange": (codes.STAGE_EXCHANGE, codes.STAGE_CHOICES),
    "team-play": (codes.STAGE_ADVANCE, codes.STAGE_TURN),
    "uno-call": (codes.STAGE_UNO,),
    "uno-catch": (codes.STAGE_UNO, codes.STAGE_LAST_CATCH, codes.STAGE_TURN_CATCH),
    "draw-target": (codes.STAGE_CHOICES,),
    "play-more": (codes.STAGE_PLAY_MORE,),
    "react": (codes.STAGE_WINDOW,),
    "opening-color": (codes.STAGE_OPEN_CHOICES,),
    "opening-swap": (codes.STAGE_OPEN_CHOICES,),
    "over": (codes.STAGE_OVER,),
}
"""What may come next after a decision of each phase."""


def check_engine_state(state: Any, position: Position) -> None:
    """Raise `SnapshotError` if the engine state cannot be in this position."""
    phase, n = position.phase, position.num_players
    holder = int(state["call_holder"])
    facing = int(state["facing"])
    faces_penalty = facing in (codes.FACING_STACK, codes.FACING_CHALLENGE, codes.FACING_DRAW)
    away = {*position.eliminated, *position.out}
    problems = {
        "stage": int(state["stage"]) not in _STAGES[phase],
        "after_uno": int(state["after_uno"])
        not in (codes.STAGE_WINDOW, codes.STAGE_ADVANCE, codes.STAGE_TURN),
        "after_window": int(state["after_window"]) not in _after_window(int(state["after_uno"])),
        "call_holder": phase in ("uno-call", "uno-catch") and holder not in set(range(n)) - away,
        "facing": phase != "over" and faces_penalty and position.pending is None,
        "facing_seat": facing != codes.FACING_NOTHING and int(state["facing_seat"]) in away,
        "passes": int(state["passes"]) > n,
        "steps": int(state["steps"]) > position.rules.max_steps,
        "round_winners": bool(state["round_winners"]) and phase not in ("over", "swap-pair"),
        "still_to_ask": bool(int(state["still_to_ask"]) & sum(1 << seat for seat in away)),
        "chosen_cards": not _choices_are_held(state, position),
        "fault_stage": int(state["stage"]) == codes.STAGE_FAULT_BACK and not _fault_fits(state),
    }
    for name, is_wrong in problems.items():
        if is_wrong:
            raise SnapshotError(f"engine_state.{name} cannot be so in phase {phase}")


def _after_window(after_uno: int) -> tuple[int, ...]:
    # A window that leads back to the drawn card, which leads to the window, would never end.
    return (
        (codes.STAGE_ADVANCE,)
        if after_uno == codes.STAGE_WINDOW
        else (codes.STAGE_ADVANCE, codes.STAGE_DRAWN)
    )


def _choices_are_held(state: Any, position: Position) -> bool:
    chosen = state["chosen_cards"][: position.num_players].tolist()
    return all(card < 0 or card in hand for card, hand in zip(chosen, position.hands, strict=True))


def _fault_fits(state: Any) -> bool:
    phase = PHASES[int(state["fault_phase"])]
    stage = int(state["fault_stage"])
    actor = int(state["fault_actor"])
    # A fault while giving a half returns to that half, never through this stage.
    return (
        phase not in ("over", "give-half")
        and stage in _STAGES[phase]
        and stage != codes.STAGE_FAULT_BACK
        and actor >= 0
    )
