"""The view: everything one seat may know, as a JSON-ready dict, and nothing else.

It is the only thing a player, a bot or a browser is ever given. Another seat's hidden choice
(a `react` poll, what to do with a drawn card) shows as that turn still going on.
"""

from copy import deepcopy
from functools import lru_cache
from typing import Any

import numpy as np

from ..actions import action_text
from ..cards import COLORS, FACES, KINDS
from ..engine.tables import (
    P_GIVE_HALF,
    P_UNO_CALL,
    P_UNO_CATCH,
    PHASES,
    SHOWN_PHASE,
)
from ..rules.rules import Rules
from .engine_state import public_engine_state
from .events import Event
from .formats import VIEW_FORMAT
from .knowledge import known_hands, recent_actions
from .seat_rows import cards_played, last_actions, missing_colors

View = dict[str, Any]


def make_view(state: Any, rules: Rules, events: list[Event], seat: int) -> View:
    """The view of one seat of a game record; `events` are those that it may know."""
    n = int(state["num_players"])
    phase, actor = int(state["phase"]), int(state["actor"])
    if seat != actor and SHOWN_PHASE[phase] != phase:
        # The seat whose turn it is only knows that it is not asked.
        phase, actor = SHOWN_PHASE[phase], -1 if seat == int(state["turn"]) else int(state["turn"])
    return {
        "format": VIEW_FORMAT,
        "variant": rules.variant,
        "rules": rule_changes(rules),
        "episode": "match" if state["match"] else "round",
        "num_players": n,
        "seat": seat,
        "hand": cards_of(state["hands"][seat]),
        "hand_sizes": [int(size) for size in state["hand_sizes"][:n]],
        "top_card": FACES[int(state["top_card"])],
        "active_color": color_name(state["active_color"]),
        "color_before": color_name(state["color_before"]),
        "kind_before": KINDS[int(state["kind_before"])],
        "direction": int(state["direction"]),
        "phase": PHASES[phase],
        "actor": None if actor < 0 else actor,
        "turn": int(state["turn"]),
        "dealer": int(state["dealer"]),
        "player": int(state["top_player"]),
        "subject": _subject(state, phase),
        "pending": pending_of(state),
        "hyper_color": color_name(state["hyper_color"]),
        "drawn_card": _drawn(state, seat),
        "cards_to_give": int(state["half_left"]),
        "draw_pile_size": int(state["draw_pile_size"]),
        "discard": [FACES[face] for face in state["discard"][: int(state["discard_size"])]],
        "set_aside_size": int(state["set_aside_size"]),
        "eliminated": seats_of(state["eliminated"]),
        "out": seats_of(state["out_seats"]),
        "uno_called": seats_of(state["uno_called"]),
        "round": int(state["round_no"]),
        "turns": int(state["turns"]),
        "reshuffles": int(state["reshuffles"]),
        "points": [int(points) for points in state["points"][:n]],
        "scores": [int(score) for score in state["scores"][:n]],
        "winners": seats_of(state["winners"]),
        "known": known_hands(state, seat),
        "missing_colors": missing_colors(state),
        "last_actions": last_actions(state),
        "cards_played": cards_played(state),
        "recent": recent_actions(state),
        "places": [int(place) for place in state["places"][:n]],
        "engine_state": public_engine_state(state, seat, phase != int(state["phase"])),
        "legal": legal_texts(state) if seat == int(state["actor"]) else [],
        "events": events,
    }


def rule_changes(rules: Rules) -> dict[str, Any]:
    """What differs from the preset, as a dict of the caller's own."""
    return deepcopy(_rule_changes(rules))


@lru_cache(maxsize=256)
def _rule_changes(rules: Rules) -> dict[str, Any]:
    return {key: value for key, value in rules.to_dict().items() if key != "variant"}


def cards_of(counts: Any) -> list[str]:
    """Card names of a row of counts, in face order."""
    return [FACES[face] for face in np.flatnonzero(counts) for _ in range(int(counts[face]))]


def color_name(color: Any) -> str | None:
    """Name of a colour code, None for no colour."""
    return COLORS[int(color)] if int(color) < 4 else None


def seats_of(bits: Any) -> list[int]:
    """Seats of a bit set."""
    return [seat for seat in range(10) if int(bits) >> seat & 1]


def pending_of(state: Any) -> dict[str, Any] | None:
    """The penalty that waits, or None."""
    if not int(state["pending_amount"]):
        return None
    return {
        "amount": int(state["pending_amount"]),
        "value": int(state["pending_value"]),
        "source": int(state["pending_source"]),
        "contestable": bool(state["contestable"]),
    }


def legal_ids(state: Any) -> list[int]:
    """Legal action ids, in order."""
    words = state["legal"].astype("<i8").view(np.uint8)
    return [int(i) for i in np.flatnonzero(np.unpackbits(words, bitorder="little"))]


def legal_texts(state: Any) -> list[str]:
    """Legal actions as texts, in id order."""
    phase = PHASES[int(state["phase"])]
    return [action_text(number, phase) for number in legal_ids(state)]


def _subject(state: Any, phase: int) -> int:
    """The seat the phase is about, as in the encoded observation."""
    if phase in (P_UNO_CALL, P_UNO_CATCH):
        return int(state["call_holder"])
    if phase == P_GIVE_HALF:
        n = int(state["num_players"])
        return (int(state["half_giver"]) + n // 2) % n
    return int(state["pending_source"] if state["pending_amount"] else state["top_player"])


def _drawn(state: Any, seat: int) -> str | None:
    drawn = int(state["drawn_card"])
    return FACES[drawn] if drawn >= 0 and seat == int(state["turn"]) else None
