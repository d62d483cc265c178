"""Determinisation for search: a full game consistent with everything one seat knows."""

from typing import Any

import numpy as np

from .cards import FACES, face_id
from .engine import batch
from .game import Game
from .rules import Rules
from .snapshot import load_snapshot
from .view import View

_SHARED = (
    "variant rules num_players episode dealer turn actor phase direction active_color color_before "
    "discard pending hyper_color drawn_card eliminated out uno_called points scores winners"
).split()


def determinize(view: View, rng: np.random.Generator) -> Game:
    """A game that agrees with the view: own hand, sizes, known cards, lacks, everything public.

    The hidden cards are drawn by `rng` from what the seat has not seen, so the same view and
    generator give the same game whatever the true cards are.

    Args:
        view: what `Game.view(seat)` returned, or the same after a trip through JSON.
        rng: the caller's generator.
    """
    seat = int(view["seat"])
    rules = Rules.from_dict({"variant": view["variant"], **view.get("rules", {})})
    game = load_snapshot(Game, _any_deal(view, rules, seat), is_imagined=True)
    if not game.over:
        stream = rng.integers(0, 2**64, 1, np.uint64)
        batch.redeal_batch(game._games, game._rules, 0, 1, seat, stream)
    game.seed = int(game._games["seed"][0])
    game._origin = game.snapshot()
    return game


def _any_deal(view: View, rules: Rules, seat: int) -> dict[str, Any]:
    """A snapshot in which the unseen cards lie anywhere."""
    known = {int(holder): cards for holder, cards in view.get("known", {}).items()}
    unseen = _unseen(view, rules, known)
    hands = []
    for other, size in enumerate(view["hand_sizes"]):
        if other == seat:
            hands.append(list(view["hand"]))
            continue
        hand = list(known.get(other, []))
        while len(hand) < size:
            hand.append(_next(unseen, rules))
        hands.append(hand)
    aside = [_next(unseen, rules) for _ in range(view.get("set_aside_size", 0))]
    pile = [_next(unseen, rules) for _ in range(view["draw_pile_size"])]
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
    if "clockwork" in view:
        # That others have chosen a card is known, not which: any of theirs stands in.
        chosen = [
            face_id(hands[other][0]) if choice >= 0 and other != seat else choice
            for other, choice in enumerate(view["clockwork"]["chosen"])
        ]
        snapshot["engine"] = {**view["clockwork"], "chosen": chosen}
        snapshot["rng"] = {"round": view["round"], "reshuffles": view["reshuffles"]}
    return snapshot


def _settle_hidden_poll(snapshot: dict[str, Any], view: View) -> None:
    """Seen from a seat that is not asked, a reaction window is taken to pass without a reaction."""
    if view.get("pending"):
        away = {*view.get("eliminated", []), *view.get("out", [])}
        n, seat = view["num_players"], view["turn"]
        seats = [(seat + view["direction"] * k) % n for k in range(1, n + 1)]
        facing = next(other for other in seats if other not in away)
        snapshot |= {"phase": "stack", "actor": facing, "turn": facing}
    elif snapshot.get("actor") is None:
        snapshot["actor"] = view["turn"]


def _unseen(view: View, rules: Rules, known: dict[int, list[str]]) -> list[int]:
    """Faces the seat has not seen, in face order."""
    counts = list(rules.deck.counts)
    seen = [*view["hand"], *view["discard"], *(card for cards in known.values() for card in cards)]
    for card in seen:
        counts[face_id(card)] -= 1
    return [face for face, count in enumerate(counts) for _ in range(count)]


def _next(unseen: list[int], rules: Rules) -> str:
    # A position set up by hand may hold fewer cards than its deck or more: then the deck's
    # first face stands in, so that sizes are right.
    if unseen:
        return FACES[unseen.pop()]
    return next(iter(rules.deck))
