"""A position: every key of a snapshot filled in, and the checks that they fit together."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..cards import COLORS, FACES, color_of, face_id
from ..rules.deck import MAX_CARDS
from ..rules.rules import Rules

OPENING = ("pass-card", "opening-color", "opening-swap")
"""Phases of the opening card."""


class SnapshotError(ValueError):
    """A snapshot that is malformed or contradicts itself; the text names the key."""


@dataclass
class Position:
    """A snapshot with every key filled in."""

    rules: Rules
    num_players: int
    episode: str
    hands: list[list[int]]
    draw_pile: list[int]
    discard: list[int]
    set_aside: list[int]
    dealer: int
    direction: int
    eliminated: list[int]
    out: list[int]
    turn: int
    actor: int | None
    phase: str
    active_color: str | None
    color_before: str | None
    pending: dict[str, Any] | None
    hyper_color: str | None
    drawn_card: str | None
    uno_called: list[int]
    points: list[int]
    scores: list[int]
    winners: list[int]
    known: list[tuple[int, int, int]]
    missing_colors: dict[int, dict[str, int]]
    last_actions: list[dict[str, Any]]
    cards_played: list[int]
    recent: list[dict[str, Any]]
    places: list[int]
    player: int | None
    kind_before: int | None
    cards_to_give: int
    turns: int
    rng: dict[str, int]
    engine_state: dict[str, Any] | None


def check_position(position: Position, strict: bool) -> None:
    """Raise `SnapshotError` if the keys contradict each other; `strict` counts the deck too."""
    _check_cards(position, strict)
    _check_table(position)


def _check_cards(position: Position, strict: bool) -> None:
    piles = [*position.hands, position.draw_pile, position.discard, position.set_aside]
    every = [face for pile in piles for face in pile]
    if len(every) > MAX_CARDS:
        raise SnapshotError(f"hands and piles hold {len(every)} cards; at most {MAX_CARDS}")
    if not strict:
        return
    counts = np.bincount(every, minlength=len(FACES))
    for face, count in enumerate(position.rules.cards.counts):
        if counts[face] != count:
            raise SnapshotError(
                f"strict: {counts[face]} of {FACES[face]} in hands and piles, the deck has {count}"
            )


def _check_table(position: Position) -> None:
    top_color = color_of(position.discard[-1])
    if top_color < 4 and position.active_color != COLORS[top_color]:
        raise SnapshotError(
            f"active_color is {position.active_color}, but the top card is "
            f"{FACES[position.discard[-1]]}"
        )
    unnamed = position.phase in (
        *OPENING, "color", "swap-pair", "swap-target", "draw-target", "play-more", "over",
        "roulette-color",
    )  # fmt: skip
    named = position.rules.wild_color == "name"
    if position.active_color is None and named and not unnamed:
        raise SnapshotError("active_color is null; name a colour for the wild on top")
    if position.phase == "over":
        return
    away = {*position.eliminated, *position.out}
    if len(away) >= position.num_players:
        raise SnapshotError("eliminated and out leave nobody in play")
    for seat, hand in enumerate(position.hands):
        _check_hand(position, seat, hand, seat in away)
    if position.phase in ("stack", "challenge") and position.pending is None:
        raise SnapshotError(f"pending is null, but phase is {position.phase}")
    if position.pending is not None and position.phase == "play":
        raise SnapshotError("pending is set, but phase is play; the seat facing it is in stack")
    if position.phase == "play-drawn":
        if position.drawn_card is None:
            raise SnapshotError("drawn_card is null, but phase is play-drawn")
        if face_id(position.drawn_card) not in position.hands[position.turn]:
            raise SnapshotError(f"drawn_card {position.drawn_card} is not in the drawer's hand")
    if position.hyper_color is not None and position.hyper_color != position.active_color:
        raise SnapshotError(
            f"hyper_color is {position.hyper_color}, active_color {position.active_color}"
        )


def _check_hand(position: Position, seat: int, hand: list[int], away: bool) -> None:
    mid_play = position.phase not in ("play", "play-drawn", "stack", "challenge")
    if away and hand:
        raise SnapshotError(f"hands[{seat}] holds cards, but the seat is eliminated or out")
    if not away and not hand and not mid_play:
        raise SnapshotError(f"hands[{seat}] is empty; list the seat in eliminated or out")
    limit = position.rules.mercy_limit
    if limit and len(hand) >= limit:
        raise SnapshotError(f"hands[{seat}] holds {len(hand)} cards; mercy_limit is {limit}")
    if seat in position.uno_called and len(hand) != 1:
        raise SnapshotError(f"uno_called names seat {seat}, who holds {len(hand)} cards")
