"""Read an observation back: what it tells, under the keys of a view.

For debugging, and as the proof that the observation forgets nothing: at every decision the fields
read back equal those of `Game.view(seat)`, but for `LEFT_OUT`, which says why each may be missing.
"""

from typing import Any

import numpy as np

from ..cards import COLORS, FACES, FIRST_GIVE, GIVE_NUMBERS
from ..engine.observation.layout import (
    BLOCKS,
    FAR_COLORS,
    FAR_ROW,
    NEAR,
    OBS_SIZE,
    OFFSETS,
)
from ..engine.state import (
    SEAT_CALLED,
    SEAT_CARDS_PLAYED,
    SEAT_DREW,
    SEAT_IN_PLAY,
    SEAT_LAST_COLOR,
    SEAT_MISSING,
    SEAT_PLAYED,
    SEAT_ROW,
    SEAT_SCORE,
    SEAT_SIZE,
    SEAT_TOOK,
)
from ..engine.tables import PHASES
from ..kinds import COLORED_SLOTS, FIRST_WILD_KIND, KINDS
from .encode_view import near_seats
from .knowledge import act_name
from .seat_rows import PLAYS

LEFT_OUT = {
    "format": "a version, `OBS_VERSION` for observations",
    "variant": "a name; see `rules`",
    "rules": "encoded by the rule vector; the table below lists the rules it omits",
    "seat": "seats are relative to the observer",
    "actor": "only the seat to act decides; `asked` says whether it is the observer",
    "dealer": "who deals next changes no decision of this round",
    "discard": "encoded as counts by face: only the top card and the kind below it matter, "
    "and a recycled pile is shuffled",
    "eliminated": "encoded as `in_play`, together with `out`",
    "out": "encoded as `in_play`, together with `eliminated`",
    "points": "belong to the previous round",
    "scores": "in steps of the match target / 255",
    "winners": "set when there is nothing left to decide",
    "places": "the next place follows from `in_play`",
    "turns": "in fours, up to 255",
    "engine_state": "encoded where it matters (`equal_cards`, `penalty_before`, `card_left`, "
    "`skips`, `own_bluff`); the rest follows from phase and mask",
    "legal": "see the action mask",
    "events": "see the history form",
}
"""Fields of a view that an observation does not tell as they are, and why."""


def decode_observation(observation: Any, seat: int = 0) -> dict[str, Any]:
    """What an observation tells, under the keys of `Game.view`.

    Args:
        observation: uint8 of `OBS_SIZE`.
        seat: of the observer; seats are counted from it.
    """
    row = np.asarray(observation)
    if row.dtype != np.uint8 or row.shape != (OBS_SIZE,):
        raise ValueError(f"observation is {row.dtype} of shape {row.shape}; uint8 ({OBS_SIZE},)")
    told = {b.name: row[OFFSETS[b.name] : OFFSETS[b.name] + b.size].tolist() for b in BLOCKS}
    n = told["table_size"][0]
    active = _color(told["active_color"])
    pending = told["pending_amount"][0]
    subject = told["subject"].index(1) if any(told["subject"]) else None
    player = _seat(told["top_player"][0], seat, n)
    return {
        "num_players": n,
        "episode": "match" if told["match"][0] else "round",
        "phase": PHASES[told["phase"].index(1)],
        "asked": bool(told["asked"][0]),
        "hand": _cards(told["hand"]),
        "discards": _cards(told["discards"]),
        "top_card": _top_card(told, active),
        "active_color": active,
        "color_before": _color(told["color_before"]),
        "kind_before": KINDS[told["kind_before"][0] - 1],
        "hyper_color": _color(told["hyper_color"]),
        "direction": 1 if told["clockwise"][0] else -1,
        "turn": _seat(told["turn"][0], seat, n),
        "player": player,
        "subject": -1 if subject is None else (seat + subject) % n,
        "pending": _pending(told, pending),
        "drawn_card": _drawn_card(told),
        "cards_to_give": told["cards_to_give"][0],
        "draw_pile_size": told["draw_pile"][0],
        "set_aside_size": told["set_aside"][0],
        "round": told["round"][0],
        "reshuffles": told["recycled"][0],
        "equal_cards": told["equal_cards"][0],
        "penalty_before": told["penalty_before"][0],
        "size_before": told["card_left"][0],
        "skips": told["skips"][0],
        "own_bluff": bool(told["own_bluff"][0]),
        "known": _known(told, seat, n),
        "recent": _recent(told, seat, n),
        **_seats(told["seats"], seat, n),
    }


def _seat(place: int, seat: int, n: int) -> int:
    """An absolute seat, from one counted from the observer's own as 1."""
    return (seat + place - 1) % n


def _color(one_hot: list[int]) -> str | None:
    return COLORS[one_hot.index(1)] if any(one_hot) else None


def _cards(counts: list[int]) -> list[str]:
    return [FACES[face] for face, count in enumerate(counts) for _ in range(count)]


def _top_card(told: dict[str, list[int]], active: str | None) -> str:
    """A coloured card on top is of the active colour."""
    kind = told["top_kind"].index(1)
    name = KINDS[kind] if kind >= FIRST_WILD_KIND else f"{active}-{KINDS[kind]}"
    return name + "+give" * told["top_give"][0]


def _drawn_card(told: dict[str, list[int]]) -> str | None:
    """Kind and colour; whether it bears the give symbol is seen in the hand."""
    if not any(told["drawn_kind"]):
        return None
    kind, color = told["drawn_kind"].index(1), _color(told["drawn_color"])
    if color is None:
        return KINDS[kind]
    plain = COLORS.index(color) * COLORED_SLOTS + kind
    if told["hand"][plain]:
        return FACES[plain]
    return FACES[FIRST_GIVE + COLORS.index(color) * len(GIVE_NUMBERS) + kind - 1]


def _pending(told: dict[str, list[int]], amount: int) -> dict[str, Any] | None:
    if not amount:
        return None
    value, contestable = told["pending_value"][0], bool(told["contestable"][0])
    return {"amount": amount, "value": value, "contestable": contestable}


def _known(told: dict[str, list[int]], seat: int, n: int) -> dict[int, Any]:
    """By holder: the cards, or for a far seat counts by colour (wilds last) and by kind."""
    near = near_seats(n)
    known: dict[int, Any] = {}
    far = 0
    for place in range(1, n):
        holder = (seat + place) % n
        if place in near:
            known[holder] = _cards(told[f"known_{NEAR[near[place]]}"])
        else:
            row = told["known_far"][far * FAR_ROW : (far + 1) * FAR_ROW]
            pairs = row[FAR_COLORS:]
            kinds = [count for pair in pairs for count in (pair & 15, pair >> 4)]
            known[holder] = {
                "colors": row[:FAR_COLORS],
                "kinds": {KINDS[kind]: count for kind, count in enumerate(kinds) if count},
            }
            far += 1
    return known


def _recent(told: dict[str, list[int]], seat: int, n: int) -> list[dict[str, Any]]:
    columns = (told["recent_seats"], told["recent_acts"], told["recent_counts"])
    return [
        {"seat": _seat(place, seat, n), "act": act_name(act), "number": number}
        for place, act, number in zip(*columns, strict=True)
        if place
    ]


def _seats(flat: list[int], seat: int, n: int) -> dict[str, Any]:
    """The public rows, by absolute seat."""
    rows: list[Any] = [None] * n
    for place in range(n):
        rows[(seat + place) % n] = flat[place * SEAT_ROW : (place + 1) * SEAT_ROW]
    return {
        "hand_sizes": [row[SEAT_SIZE] for row in rows],
        "uno_called": [s for s, row in enumerate(rows) if row[SEAT_CALLED]],
        "in_play": [s for s, row in enumerate(rows) if row[SEAT_IN_PLAY]],
        "score_bytes": [row[SEAT_SCORE] for row in rows],
        "missing_colors": {s: bounds for s, row in enumerate(rows) if (bounds := _missing(row))},
        "last_actions": [
            {
                "color": _color(row[SEAT_LAST_COLOR:SEAT_PLAYED]),
                "play": PLAYS[row[SEAT_PLAYED]],
                "drawn": row[SEAT_DREW],
                "taken": row[SEAT_TOOK],
            }
            for row in rows
        ],
        "cards_played": [row[SEAT_CARDS_PLAYED] for row in rows],
    }


def _missing(row: list[int]) -> dict[str, int]:
    bounds = zip(COLORS, row[SEAT_MISSING:], strict=False)
    return {color: bound - 1 for color, bound in bounds if bound}
