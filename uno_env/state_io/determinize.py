"""Determinisation for search: a full game consistent with everything one seat knows."""

from typing import Any

import numpy as np

from ..cards import FACES, face_id
from ..engine import batch
from ..game import Game
from ..rules.deck import MAX_CARDS
from ..rules.rules import Rules
from .engine_state import CHOSEN, HIDDEN_CARD
from .formats import VIEW_FORMAT, check_format
from .position import SnapshotError
from .snapshot import load_snapshot
from .snapshot_reader import rules_of
from .view import View

MOST_HIDDEN = 4 * MAX_CARDS
"""Cards of a position set up by hand that a view may hide; more is no position but an attack."""

_SHARED = (
    "variant rules num_players episode dealer turn actor phase direction active_color color_before "
    "kind_before player discard pending hyper_color drawn_card cards_to_give eliminated out "
    "uno_called points scores winners missing_colors last_actions cards_played recent places turns"
).split()


def determinize(view: View, rng: np.random.Generator) -> Game:
    """A game that agrees with the view: own hand, sizes, known cards, missing colours.

    The hidden cards are drawn by `rng` from what the seat has not seen, so the same view and
    generator give the same game whatever the true cards are.

    Args:
        view: what `Game.view(seat)` returned, or the same after a JSON round trip.
        rng: the caller's generator.
    """
    game = any_deal(view)
    if not game.over:
        stream = rng.integers(0, 2**64, 1, np.uint64)
        games, deck_rules, _ = game.engine_arrays
        batch.determinize_batch(games, deck_rules, 0, 1, int(view["seat"]), stream)
    game.seed = int(game.engine_arrays.games["seed"][0])
    game.start = game.snapshot()
    return game


def any_deal(view: View) -> Game:
    """A game of the view's sizes and public facts in which the unseen cards lie anywhere.

    It is no fair draw yet, and its actor may have nothing to play: the hidden cards are still to
    be dealt by the engine's `determinize`, once, or for every world of a search.
    """
    check_format(view, VIEW_FORMAT, SnapshotError)
    rules = rules_of(view["variant"], view.get("rules", {}))
    return load_snapshot(Game, _snapshot(view, rules, int(view["seat"])), is_placeholder=True)


def _snapshot(view: View, rules: Rules, seat: int) -> dict[str, Any]:
    known = {int(holder): cards for holder, cards in view.get("known", {}).items()}
    hidden = _hidden_cards(view, rules, known)
    hands = []
    for other, size in enumerate(view["hand_sizes"]):
        if other == seat:
            hands.append(list(view["hand"]))
            continue
        hand = list(known.get(other, []))
        hands.append(hand + [hidden.pop() for _ in range(size - len(hand))])
    aside = [hidden.pop() for _ in range(view.get("set_aside_size", 0))]
    pile = [hidden.pop() for _ in range(view["draw_pile_size"])]
    snapshot = {key: view[key] for key in _SHARED if key in view}
    if snapshot.get("phase") == "play":
        _settle_hidden_poll(snapshot, view)
    snapshot |= {
        "hands": hands,
        "set_aside": aside,
        "draw_pile": pile,
        "known": [
            {"holder": holder, "card": card, "seats": [seat]}
            for holder, cards in known.items()
            for card in cards
        ],
    }
    if "engine_state" in view:
        # That others have chosen a card is known, not which: any of theirs stands in.
        chosen = [
            hands[other][0] if card == HIDDEN_CARD else card
            for other, card in enumerate(view["engine_state"][CHOSEN])
        ]
        snapshot["engine_state"] = {**view["engine_state"], CHOSEN: chosen}
        snapshot["rng"] = {"round": view["round"], "reshuffles": view["reshuffles"]}
    return snapshot


def _settle_hidden_poll(snapshot: dict[str, Any], view: View) -> None:
    """Seen from a seat that is not asked, a reaction window is taken to pass without a reaction."""
    away = {*view.get("eliminated", []), *view.get("out", [])}
    if snapshot.get("actor") is None:
        snapshot["actor"] = view["turn"]
    if view.get("pending"):
        facing = _next_in_play(view, away)
        snapshot |= {"phase": "stack", "actor": facing, "turn": facing}
    elif snapshot["actor"] in away:
        # It has laid its last card and is out: the turn goes on.
        following = _next_in_play(view, away)
        snapshot |= {"actor": following, "turn": following}


def _next_in_play(view: View, away: set[int]) -> int:
    n, seat = int(view["num_players"]), int(view["turn"])
    seats = [(seat + int(view["direction"]) * k) % n for k in range(1, n + 1)]
    return next(other for other in seats if other not in away)


def _hidden_cards(view: View, rules: Rules, known: dict[int, list[str]]) -> list[str]:
    """As many cards as are hidden from the seat, in face order."""
    counts = list(rules.cards.counts)
    met = [card for cards in known.values() for card in cards]
    for card in (*view["hand"], *view["discard"], *met):
        counts[face_id(card)] -= 1
    unseen = [FACES[face] for face, count in enumerate(counts) for _ in range(count)] or [
        card for card, count in rules.cards.items() for _ in range(count)
    ]
    others = sum(view["hand_sizes"]) - view["hand_sizes"][view["seat"]]
    places = others - len(met) + view.get("set_aside_size", 0) + view["draw_pile_size"]
    if places > MOST_HIDDEN:
        raise SnapshotError(f"hand_sizes and draw_pile_size: {places} cards are hidden, too many")
    if places != len(unseen):
        # A position set up by hand may hold fewer cards than its deck, or more: keep the mixture.
        unseen = [unseen[place * len(unseen) // places] for place in range(places)]
    return unseen
