"""Restoring the engine state of a position: as its snapshot says, or as its phase implies."""

from typing import Any

from ..cards import color_of, kind_of
from ..engine import single
from ..engine.state import (
    CHOICE_COLOR,
    CHOICE_SWAP,
    STAGE_ADVANCE,
    STAGE_DRAW_HALVES,
    STAGE_HALVES,
    STAGE_OPEN_CHOICES,
    STAGE_OVER,
    STAGE_PASS_CARDS,
    STAGE_PLAY_MORE,
    STAGE_TURN,
    STAGE_UNO,
    STAGE_WINDOW,
)
from .engine_checks import check_engine_state
from .engine_state import set_engine_state
from .position import OPENING, Position
from .seat_rows import set_seat_rows

_OWN_CARD = ("color", "swap-target", "swap-pair", "draw-target", "exchange")


def restore_engine_state(games: Any, rules: Any, position: Position) -> None:
    """Set the engine's progress: from the snapshot's `engine_state`, or as the phase implies."""
    state = games[0]
    _set_defaults(state, position)
    set_seat_rows(state, position)
    if position.engine_state is not None:
        state["steps"] = position.turns
        set_engine_state(state, position.engine_state, position.num_players)
        check_engine_state(state, position)
        return
    phase = position.phase
    if phase in _OWN_CARD:
        single.begin_card(games, rules, 0)
        if phase == "color":
            state["choices"] = CHOICE_COLOR
        _restore_pending(state, position)
    elif phase == "challenge":
        single.judge_wild_draw4(games, rules, 0)
    elif phase in OPENING:
        _opening(state, position)
    if phase == "stack" and position.pending and position.pending["contestable"]:
        single.judge_wild_draw4(games, rules, 0)


def _set_defaults(state: Any, position: Position) -> None:
    n, turn = position.num_players, position.turn
    phase = position.phase
    laid_by_actor = (*_OWN_CARD, "play-more", "uno-call", "uno-catch", "react")
    player = turn if phase in laid_by_actor else (turn - position.direction) % n
    if position.pending:
        player = position.pending["source"]
    if phase in OPENING:
        player = position.dealer
    for name in (
        "call_holder",
        "last_asked",
        "first_to_call",
        "facing_seat",
        "fault_actor",
        "newest_card",
        "victim",
    ):
        state[name] = -1
    state["chosen_cards"][:] = -1
    state["half_giver"] = position.actor if phase == "give-half" else -1
    state["half_left"] = position.cards_to_give
    state["card_player"] = player
    state["top_player"] = player if position.player is None else position.player
    state["turns"] = position.turns
    state["card"] = state["top_card"]
    state["advance_from"] = turn
    state["after_uno"] = state["after_window"] = STAGE_ADVANCE
    under = kind_of(position.discard[-2]) if len(position.discard) > 1 else 0
    state["kind_before"] = under if position.kind_before is None else position.kind_before
    state["size_before"] = len(position.hands[player])
    stages = {
        "give-half": STAGE_HALVES,
        "over": STAGE_OVER,
        "play-more": STAGE_PLAY_MORE,
        "play-drawn": STAGE_UNO,
        "uno-call": STAGE_UNO,
        "uno-catch": STAGE_UNO,
        "react": STAGE_WINDOW,
        "roulette-color": STAGE_DRAW_HALVES,
    }
    state["stage"] = stages.get(phase, STAGE_TURN)
    if phase in ("uno-call", "uno-catch"):
        state["call_holder"] = position.actor if phase == "uno-call" else player
        state["after_uno"] = STAGE_WINDOW


def _restore_pending(state: Any, position: Position) -> None:
    if position.pending:
        state["pending_amount"] = position.pending["amount"]
        state["pending_value"] = position.pending["value"]


def _opening(state: Any, position: Position) -> None:
    state["stage"] = STAGE_PASS_CARDS if position.phase == "pass-card" else STAGE_OPEN_CHOICES
    state["advance_from"] = position.dealer
    state["turn"] = (position.dealer + 1) % position.num_players
    if color_of(position.discard[-1]) == 4:
        state["choices"] = CHOICE_COLOR | (CHOICE_SWAP if position.phase == "opening-swap" else 0)
