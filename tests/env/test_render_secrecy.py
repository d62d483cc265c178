"""No picture of a seat's knowledge depends on a card that is hidden from it."""

from typing import Any

import numpy as np
import pytest

import uno_env as uno
from uno_env.render import frames, render, save_replay
from uno_env.render.html import page

from ..engine.worlds import other_world
from .drawn_games import played

QUIET = "ignore pass keep draw accept take call-uno no-swap".split()


def disguised(events: list[dict[str, Any]], seat: int, rng: Any) -> list[dict[str, Any]]:
    """The same events with other cards where the seat may not know them."""
    changed = []
    for event in events:
        if "cards" in event and seat not in event["known_to"]:
            event = event | {"cards": [str(rng.choice(uno.CARDS)) for _ in event["cards"]]}
        if event["type"] == "cut":
            event = event | {"amount": int(rng.integers(1, 60))}
        changed.append(event)
    return changed


def two_worlds(game: uno.Game, seat: int, rng: Any) -> tuple[uno.Game, uno.Game]:
    """The game, and one that differs in what the seat cannot know; both with their history."""
    here = uno.Game.from_snapshot(game.snapshot())
    there = uno.Game.from_snapshot(other_world(game, seat, rng))
    here.events = list(game.events)
    there.events = disguised(game.events, seat, rng)
    return here, there


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_pictures_of_a_seat_are_equal_in_other_worlds(variant):
    rng = np.random.default_rng(1)
    differ = 0
    for seed, steps in enumerate((0, 7, 20, 45, 80, 130, 200)):
        game = played(variant, 4, seed, steps)
        for seat in range(4):
            here, there = two_worlds(game, seat, rng)
            assert render(here, "ansi", seat) == render(there, "ansi", seat)
            assert render(here, "svg", seat) == render(there, "svg", seat)
            differ += render(here, "svg", "all") != render(there, "svg", "all")
    assert differ >= 20, "worlds that do not differ prove nothing"


def test_pixels_of_a_seat_are_equal_in_other_worlds():
    rng = np.random.default_rng(2)
    for variant in ("no_mercy", "teams"):
        here, there = two_worlds(played(variant, 4, 3, 60), 1, rng)
        assert np.array_equal(render(here, "rgb_array", 1), render(there, "rgb_array", 1))
        assert not np.array_equal(
            render(here, "rgb_array", "all"), render(there, "rgb_array", "all")
        )


def play_on(game: uno.Game, seat: int, turns: int) -> None:
    """To the seat's next decision and past some more; the others show as little as they can."""
    for turn in range(turns + 1):
        while not game.over and game.actor != seat:
            step_quietly(game)
        if not game.over and turn < turns:
            game.step(game.legal()[0])  # a card where there is one: a draw would part the worlds


def step_quietly(game: uno.Game) -> None:
    """The least telling action, otherwise the first legal one."""
    legal = game.legal()
    game.step(next((action for action in QUIET if action in legal), legal[0]))


def test_replay_pages_are_equal_where_a_seat_was_told_the_same():
    """From two worlds on, games that give a seat the same news give it the same page."""
    rng = np.random.default_rng(3)
    compared = hidden = 0
    for variant in uno.VARIANTS:
        for seed in range(14):
            game = played(variant, 3 if variant != "teams" else 4, seed, 5 + 4 * seed)
            seat = seed % 3
            here = uno.Game.from_snapshot(game.snapshot())
            there = uno.Game.from_snapshot(other_world(game, seat, rng))
            play_on(here, seat, turns=2)
            play_on(there, seat, turns=2)
            # A hand it held after a swap is news too, though no event names its cards.
            news = ("events", "hand", "known")
            if any(here.view(seat)[key] != there.view(seat)[key] for key in news):
                continue
            pages = [page(list(frames(world, seat)), fps=2) for world in (here, there)]
            assert pages[0] == pages[1], (variant, seed)
            compared += len(here.events) > 2
            hidden += page(list(frames(here, "all")), 2) != page(list(frames(there, "all")), 2)
    assert compared >= 15 and hidden >= 15, (compared, hidden)


def test_a_page_does_not_hold_the_record(tmp_path):
    """Seed and actions would tell every card."""
    game = uno.Game("classic", 3, seed=918273645546372819)
    for _ in range(12):
        step_quietly(game)
    text = save_replay(game, tmp_path / "game.html", seat=2).read_text(encoding="utf-8")
    assert str(game.seed) not in text and '"actions"' not in text and "draw_pile" not in text
