"""Winding up a position that was read: the clockwork as its snapshot says, or its phase implies."""

from typing import Any

from ..cards import color_of, kind_of
from ..engine import batch
from ..engine.state import (
    G_ADVANCE,
    G_DRAW_HALVES,
    G_HALVES,
    G_OPEN_CHOICES,
    G_OVER,
    G_PASS_CARDS,
    G_TURN,
    G_UNO,
    G_WINDOW,
    SEAT_SCORE,
    TODO_COLOR,
    TODO_SWAP,
)
from .engine_state import read_engine
from .position import OPENING, Position

_OWN_CARD = ("color", "swap-target", "swap-pair", "exchange")


def complete(games: Any, rules: Any, position: Position) -> None:
    """Set the clockwork: from the snapshot's `engine` numbers, or as the phase implies."""
    state = games[0]
    _clockwork_defaults(state, position)
    target = int(rules["match_target"][0])
    for seat, score in enumerate(position.scores):
        state["seats"][seat, SEAT_SCORE] = min(max(score * 255 // target, 0), 255)
    if position.engine is not None:
        from .snapshot import ENGINE_FIELDS

        read_engine(state, position, ENGINE_FIELDS)
        for seat, hand in enumerate(position.hands):
            called, live = (
                seat in position.uno_called,
                seat not in (*position.eliminated, *position.out),
            )
            state["seats"][seat, :3] = (len(hand), called, live)
        return
    phase, actor = position.phase, position.actor
    if phase in _OWN_CARD:
        batch.begin_card(games, rules, 0)
        if phase == "color":
            state["todo"] = TODO_COLOR
        _restore_pending(state, position)
    elif phase == "challenge":
        batch.judge_wild_draw4(games, rules, 0)
    elif phase in OPENING:
        _opening(state, position)
    elif phase == "give-half":
        state["stage"] = G_HALVES
        state["half_giver"] = actor
        state["half_left"] = len(position.hands[actor or 0]) // 2
    if phase == "stack" and position.pending and position.pending["contestable"]:
        batch.judge_wild_draw4(games, rules, 0)


def _clockwork_defaults(state: Any, position: Position) -> None:
    n, turn = position.num_players, position.turn
    laid_by_actor = (*_OWN_CARD, "uno-call", "uno-catch", "react")
    player = turn if position.phase in laid_by_actor else (turn - position.direction) % n
    if position.pending:
        player = position.pending["source"]
    if position.phase in OPENING:
        player = position.dealer
    for name in (
        "holder",
        "asked",
        "uno_first",
        "half_giver",
        "face_seat",
        "fault_actor",
        "newest",
    ):
        state[name] = -1
    state["chosen"][:] = -1
    state["player"] = state["top_player"] = player
    state["card"] = state["top"]
    state["move_from"] = turn
    state["after_uno"] = state["after_window"] = G_ADVANCE
    state["under_kind"] = kind_of(position.discard[-2]) if len(position.discard) > 1 else 0
    state["under_size"] = len(position.hands[player])
    stages = {
        "over": G_OVER,
        "play-drawn": G_UNO,
        "uno-call": G_UNO,
        "uno-catch": G_UNO,
        "react": G_WINDOW,
        "roulette-color": G_DRAW_HALVES,
    }
    state["stage"] = stages.get(position.phase, G_TURN)
    if position.phase in ("uno-call", "uno-catch"):
        state["holder"] = position.actor if position.phase == "uno-call" else player
        state["after_uno"] = G_WINDOW


def _restore_pending(state: Any, position: Position) -> None:
    if position.pending:
        state["pend_amount"] = position.pending["amount"]
        state["pend_value"] = position.pending["value"]


def _opening(state: Any, position: Position) -> None:
    state["stage"] = G_PASS_CARDS if position.phase == "pass-card" else G_OPEN_CHOICES
    state["move_from"] = position.dealer
    state["turn"] = (position.dealer + 1) % position.num_players
    if color_of(position.discard[-1]) == 4:
        state["todo"] = TODO_COLOR | (TODO_SWAP if position.phase == "opening-swap" else 0)
