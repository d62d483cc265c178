"""Secrecy as a property: what a seat is shown never depends on cards it cannot know."""

import json
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uno_env as uno
from uno_env.cards import FACES

from .strategies import Table, states, tables
from .worlds import color_count, known_to, other_world, untold

MOMENTS = st.integers(0, 150)
CARD = re.compile("|".join(sorted(map(re.escape, FACES), key=len, reverse=True)))


def at_moment(table: Table, steps: int) -> uno.Game:
    """The table's game after some steps, or at its end if it has fewer."""
    game = table.game()
    for _ in states(game, table.driver(), most=steps):
        pass
    return game


def check_worlds_look_alike(game: uno.Game, rng: np.random.Generator) -> int:
    """Every seat sees the same in a world where only cards hidden from it differ."""
    before = game.snapshot()
    moved = 0
    for seat in range(game.num_players):
        world = other_world(game, seat, rng)
        try:
            other = uno.Game.from_snapshot(world)
        except uno.SnapshotError as error:
            # Who is asked for a team play has a card for it, as everybody can tell.
            assert game.phase == "team-play" and seat != game.actor, error
            continue
        moved += world["hands"] != before["hands"]
        assert untold(other.view(seat)) == untold(game.view(seat)), f"view of seat {seat}"
        assert np.array_equal(other.observe(seat), game.observe(seat)), f"observation of {seat}"
        if seat == game.actor:
            assert other.legal() == game.legal() and (other.mask() == game.mask()).all()
    return moved


@settings(max_examples=60)
@given(tables(), MOMENTS, st.integers(0, 2**32 - 1))
def test_nothing_shown_depends_on_hidden_cards(table, steps, seed):
    check_worlds_look_alike(at_moment(table, steps), np.random.default_rng(seed))


@pytest.mark.slow
@settings(max_examples=30, derandomize=False)
@given(tables(), st.integers(0, 2**32 - 1))
def test_nothing_shown_depends_on_hidden_cards_at_any_step(table, seed):
    rng = np.random.default_rng(seed)
    for number, game in enumerate(states(table.game(), table.driver(), most=300)):
        if number % 3 == 0:
            check_worlds_look_alike(game, rng)


def test_other_worlds_do_differ():
    """The property above would be empty if no card ever moved."""
    rng = np.random.default_rng(0)
    for variant in uno.VARIANTS:
        game = at_moment(Table(uno.Rules.preset(variant), 4, 3, 3, 0.9), 12)
        assert check_worlds_look_alike(game, rng) == 4, variant


QUIET = "ignore pass keep draw accept take call-uno no-swap".split()
"""What a seat does that wants to show as little as possible, most wanted first."""


def quiet_action(game: uno.Game) -> str:
    """The least telling action, otherwise the first legal one."""
    legal = game.legal()
    return next((action for action in QUIET if action in legal), legal[0])


def until_asked(game: uno.Game, seat: int) -> uno.Game:
    """Others play on quietly until the seat has to decide, or the game is over."""
    while not game.over and game.actor != seat:
        game.step(quiet_action(game))
    return game


@settings(max_examples=120)
@given(tables(episodes=("round",)), MOMENTS, st.integers(0, 2**32 - 1), st.data())
def test_same_news_same_view(table, steps, seed, data):
    """Two worlds that told a seat the same things since they parted still look alike to it."""
    game = at_moment(table, steps)
    seat = data.draw(st.sampled_from(range(game.num_players)))
    here = uno.Game.from_snapshot(game.snapshot())
    there = uno.Game.from_snapshot(other_world(game, seat, np.random.default_rng(seed)))
    # Once quietly and, if that told nothing new, once more: hidden steps add up.
    for _ in range(3):
        if until_asked(here, seat).over or until_asked(there, seat).over:
            return
        if here.view(seat)["events"] != there.view(seat)["events"]:
            return
        assert here.view(seat) == there.view(seat)
        assert np.array_equal(here.observe(seat), there.observe(seat))
        assert here.legal() == there.legal()
        action = quiet_action(here)
        here.step(action)
        there.step(action)


def check_knowledge_is_true(game: uno.Game) -> None:
    """Cards a seat is told to be in a hand are there, colours said to be rare are rare."""
    hands = game.snapshot()["hands"]
    for seat in range(game.num_players):
        view = game.view(seat)
        assert view["hand"] == hands[seat]
        assert view["hand_sizes"] == [len(hand) for hand in hands]
        for holder in range(game.num_players):
            wrong = Counter(known_to(view, holder)) - Counter(hands[holder])
            assert not wrong, f"seat {seat} knows {wrong} of seat {holder}: {hands[holder]}"
        for holder, bounds in view["missing_colors"].items():
            for color, most in bounds.items():
                held = color_count(hands[int(holder)], color)
                assert held <= most, f"seat {holder} holds {held} {color}, said at most {most}"


@settings(max_examples=50)
@given(tables())
def test_known_cards_and_missing_colors_are_true(table):
    for game in states(table.game(), table.driver(), most=60):
        check_knowledge_is_true(game)


@pytest.mark.slow
@settings(max_examples=120, derandomize=False)
@given(tables())
def test_known_cards_and_missing_colors_are_true_in_depth(table):
    for game in states(table.game(), table.driver(), most=400):
        check_knowledge_is_true(game)


def check_events_keep_secrets(game: uno.Game, seat: int) -> None:
    """By kind of event, not by its own list of knowers: which cards a seat may read of."""
    shown = game.view(seat)["events"]
    spinning = False
    for event in shown:
        kind = event["type"]
        if (kind == "draw" and event["seat"] != seat and not spinning) or (
            kind == "give" and seat not in (event["seat"], event["to"])
        ):
            assert "cards" not in event, f"seat {seat} reads {event}"
        elif kind == "keep":
            assert event["seat"] == seat, f"seat {seat} reads {event}"
        elif kind == "cut":
            assert "amount" not in event, f"seat {seat} reads {event}"
        # Cards turned by a roulette are public; its draws follow it, recycling in between.
        spinning = kind == "roulette" or (spinning and kind in ("draw", "recycle"))
    check_hands_shown(game, seat)


def check_hands_shown(game: uno.Game, seat: int) -> None:
    """A hand is shown at the end of a round, or to whoever challenged its holder."""
    challenger, ended = None, False
    for event in game.view(seat)["events"]:
        if event["type"] == "challenge":
            challenger = event["seat"]
        elif event["type"] == "hand" and not ended:
            allowed = {challenger, event["seat"]}
            everybody = game.rules.challenge_reveal == "all"
            assert everybody or seat in allowed or "cards" not in event, event
        ended = event["type"] == "round-end" or (ended and event["type"] == "hand")


@settings(max_examples=60)
@given(tables())
def test_events_show_only_what_a_seat_saw(table):
    game = table.game()
    for _ in states(game, table.driver()):
        pass
    for seat in range(game.num_players):
        check_events_keep_secrets(game, seat)


@settings(max_examples=20)
@given(tables(), MOMENTS)
def test_asking_on_the_way_shows_the_same_events_as_asking_once(table, steps):
    asked, unasked = table.game(), table.game()
    for _ in zip(
        states(asked, table.driver(), most=steps),
        states(unasked, table.driver(), most=steps),
        strict=True,
    ):
        early = [asked.view(seat)["events"] for seat in range(asked.num_players)]
        twin = asked.clone()
        assert [twin.view(seat)["events"] for seat in range(twin.num_players)] == early
        early[0].clear()  # a view belongs to whoever asked for it
    for seat in range(asked.num_players):
        assert asked.view(seat)["events"] == unasked.view(seat)["events"]


@settings(max_examples=40)
@given(tables(), MOMENTS)
def test_refusals_name_no_hidden_card(table, steps):
    """The text of an IllegalAction names the action and cards of the actor's own hand only."""
    game = at_moment(table, steps)
    if game.over or game.rules.fault_mode == "penalty":
        return
    hand = set(game.view(game.actor)["hand"])
    for number in range(uno.NUM_ACTIONS):
        if not game.mask()[number]:
            with pytest.raises(uno.IllegalAction) as refusal:
                game.step(number)
            named = set(CARD.findall(str(refusal.value)))
            assert named <= hand | set(CARD.findall(uno.action_text(number))), refusal.value


@settings(max_examples=20)
@given(tables(), MOMENTS)
def test_views_are_json_and_leave_the_game_alone(table, steps):
    game = at_moment(table, steps)
    before = game.snapshot()
    for seat in range(game.num_players):
        view = game.view(seat)
        json.dumps(view)
        view["hand"].clear()
        view["discard"].append("wild")
        view["scores"][0] = -1
        game.observe(seat)[:] = 7
    assert game.snapshot() == before
    assert all(game.view(seat)["hand"] == before["hands"][seat] for seat in range(game.num_players))


def test_an_honest_answer_says_nothing_of_the_colour():
    """Under a penalty a +4 is honest without another answer, whatever colours are held."""
    game = uno.Game.from_snapshot(
        {
            "variant": "ig2000",
            "rules": {"challenge_wilds_count": "all"},
            "hands": [["wild-draw4", "red-1", "red-2"], ["blue-1", "blue-2"], ["blue-3", "blue-4"]],
            "discard": ["red-draw2"],
            "draw_pile": ["green-1"] * 30,
            "pending": {"amount": 2, "value": 2, "source": 2},
        }
    )
    for action in ("play wild-draw4", "color blue", "challenge"):
        game.step(action)
    assert next(event for event in game.events if event["type"] == "challenge")["bluff"] is False
    check_knowledge_is_true(game)
