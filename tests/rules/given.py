"""Positions in one line, and moves by name, for the rule tests."""

from typing import Any

import uno_env as uno

DRAW_PILE = ["yellow-9", "green-8", "blue-9", "red-9"] * 10
"""A long draw pile of cards that rarely match by accident; give `draw_pile` where draws matter."""


def given(
    variant: str,
    hands: list[str] | list[list[str]],
    top: str | list[str],
    draw_pile: list[str] | str | None = None,
    **more: Any,
) -> uno.Game:
    """A position: hands as space-separated cards, the top card (or the whole discard pile).

    `more` goes into the snapshot as it is (`rules`, `pending`, `active_color`, `dealer`, ...).
    """
    pile = DRAW_PILE if draw_pile is None else cards(draw_pile)
    return uno.Game.from_snapshot(
        {
            "variant": variant,
            "hands": [cards(hand) for hand in hands],
            "discard": cards(top),
            "draw_pile": pile,
            **more,
        }
    )


def cards(text: str | list[str]) -> list[str]:
    """`"red-5 wild"` as a list."""
    return text.split() if isinstance(text, str) else list(text)


def play(game: uno.Game, *moves: str) -> uno.Game:
    """Make moves; `"2: play red-5"` also checks that seat 2 is the one to act."""
    for move in moves:
        seat, colon, action = move.partition(": ")
        if colon:
            assert game.actor == int(seat), f"{move!r}: seat {game.actor} is to act"
        game.step(action if colon else move)
    return game


def hand(game: uno.Game, seat: int) -> list[str]:
    """The true hand of a seat, sorted by name."""
    return sorted(game.snapshot()["hands"][seat])


def sizes(game: uno.Game) -> list[int]:
    """Hand sizes by seat."""
    return [len(cards) for cards in game.snapshot()["hands"]]


def deals(variant: str, num_players: int = 4, seeds: int = 40, **rules: Any) -> list[uno.Game]:
    """Freshly dealt games, one a seed; `rules` are differences from the preset."""
    changed = uno.Rules.preset(variant).replace(**rules)
    return [uno.Game(changed, num_players=num_players, seed=seed) for seed in range(seeds)]


def all_cards(game: uno.Game) -> list[str]:
    """Every card on the table, wherever it lies, sorted by name."""
    now = game.snapshot()
    piles = [*now["hands"], now["draw_pile"], now["discard"], now.get("set_aside") or []]
    return sorted(card for pile in piles for card in pile)


def knows(game: uno.Game, seat: int, other: int) -> list[str]:
    """The cards `seat` knows to be in the hand of `other`, sorted by name."""
    known = game.view(seat)["known"]
    return sorted(known.get(other, known.get(str(other), [])))


def told(game: uno.Game, seat: int) -> str:
    """All that a seat is told, as one text (the rules and their deck left out)."""
    return str({key: value for key, value in game.view(seat).items() if key != "rules"})


def opened_by(
    variant: str, kind: str, num_players: int = 4, seeds: int = 40, **rules: Any
) -> list[uno.Game]:
    """Freshly dealt games whose opening card is of this kind (made frequent in the deck)."""
    games = deals(variant, num_players, seeds, **{"deck": {kind: 20}, **rules})
    found = [game for game in games if game.snapshot()["discard"][-1].endswith(kind)]
    assert found, f"no {kind} opened in {seeds} games"
    return found
