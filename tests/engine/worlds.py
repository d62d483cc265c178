"""Other worlds: positions that differ from a game only in cards that one seat cannot know."""

import copy
from collections import Counter
from typing import Any

import numpy as np

import uno_env as uno
from uno_env.cards import COLORS

from .strategies import states

Snapshot = dict[str, Any]
Place = tuple[str, int, int]


def known_to(view: dict[str, Any], seat: int) -> list[str]:
    """The cards of another seat's hand that the view names."""
    return list(view["known"].get(seat, view["known"].get(str(seat), [])))


def color_count(hand: list[str], color: str) -> int:
    """Cards of a hand with that printed colour."""
    return sum(card.startswith(color) for card in hand)


def two_worlds(table: Any, steps: int, seed: int) -> tuple[uno.Game, uno.Game] | None:
    """A game in play after so many steps, and one that its actor cannot tell from it."""
    game: uno.Game = table.game()
    for _ in states(game, table.driver(), most=steps):
        pass
    if game.actor is None:
        return None
    rng = np.random.default_rng(seed)
    return game, uno.Game.from_snapshot(other_world(game, game.actor, rng))


def other_world(game: uno.Game, observer: int, rng: np.random.Generator) -> Snapshot:
    """The game's snapshot with every card hidden from the observer put somewhere else.

    Sizes, the cards the observer knows and the colours it knows to be rare in a hand stay.
    """
    now, view = game.snapshot(), game.view(observer)
    world = copy.deepcopy(now)
    places = _hidden_places(world, view, observer)
    for _ in range(4):
        for place in places:
            _exchange(world, view, place, places[int(rng.integers(len(places)))])
    _forget_what_others_know(world, observer)
    _choose_hidden_cards_anew(world, view, observer, rng)
    return world


def _hidden_places(world: Snapshot, view: dict[str, Any], observer: int) -> list[Place]:
    places: list[Place] = []
    for seat, hand in enumerate(world["hands"]):
        if seat == observer:
            continue
        seen = Counter(known_to(view, seat))
        for index, card in enumerate(hand):
            if seen[card]:
                seen[card] -= 1
            else:
                places.append(("hands", seat, index))
    places += [("draw_pile", -1, index) for index in range(len(world["draw_pile"]))]
    return places + [("set_aside", -1, index) for index in range(len(world["set_aside"]))]


def _pile(world: Snapshot, place: Place) -> list[str]:
    return world["hands"][place[1]] if place[0] == "hands" else world[place[0]]


def _exchange(world: Snapshot, view: dict[str, Any], a: Place, b: Place) -> None:
    one, two = _pile(world, a), _pile(world, b)
    one[a[2]], two[b[2]] = two[b[2]], one[a[2]]
    if not all(_may_hold(world, view, place[1]) for place in (a, b) if place[0] == "hands"):
        one[a[2]], two[b[2]] = two[b[2]], one[a[2]]


def _may_hold(world: Snapshot, view: dict[str, Any], seat: int) -> bool:
    missing = view["missing_colors"].get(seat, {})
    hand = world["hands"][seat]
    return all(color_count(hand, color) <= missing.get(color, 250) for color in COLORS)


def _forget_what_others_know(world: Snapshot, observer: int) -> None:
    """Third parties' knowledge is hidden too, and would be false in the other world."""
    world["known"] = [
        entry
        for entry in world["known"]
        if observer in entry["seats"] or entry["holder"] == observer
    ]


def _choose_hidden_cards_anew(
    world: Snapshot, view: dict[str, Any], observer: int, rng: np.random.Generator
) -> None:
    """A card another seat drew or chose to give is as hidden as its hand; so is a verdict."""
    hands = world["hands"]
    if world["drawn_card"] is not None and world["turn"] != observer:
        world["drawn_card"] = str(rng.choice(hands[world["turn"]]))
    engine_state = world["engine_state"]
    chosen = engine_state["chosen_cards"]
    for seat, hand in enumerate(hands):
        if seat != observer and chosen[seat] is not None and hand:
            chosen[seat] = str(rng.choice(hand))
    if world["pending"] and world["pending"]["source"] != observer:
        engine_state["was_bluff"] = not engine_state["was_bluff"]


def untold(view: dict[str, Any]) -> dict[str, Any]:
    """A view without its events: a position set up from a snapshot has no history."""
    return {key: value for key, value in view.items() if key != "events"}
