"""Determinised games: they agree with all that a seat knows, and with nothing else."""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uno_env as uno

from .strategies import Driver, Table, play_out, states, tables
from .worlds import color_count, known_to, other_world, untold

LUCK = st.integers(0, 2**32 - 1)
SAME = (
    "hand hand_sizes top_card active_color color_before direction discard draw_pile_size "
    "set_aside_size eliminated out uno_called pending hyper_color known missing_colors scores "
    "last_actions cards_played turns num_players "
    "episode rules variant round dealer"
).split()
DECISION = "phase actor turn legal drawn_card subject player cards_to_give kind_before".split()


def at_moment(table: Table, steps: int) -> uno.Game:
    """The table's game after some steps, or at its end if it has fewer."""
    game = table.game()
    for _ in states(game, table.driver(), most=steps):
        pass
    return game


def sample_world(view: dict, seed: int) -> uno.Game:
    """A game that could be, from the view as it arrives over a wire."""
    return uno.determinize(json.loads(json.dumps(view)), np.random.default_rng(seed))


def check_agrees(game: uno.Game, seat: int, seed: int) -> None:
    """The sampled game tells the seat what the true one does."""
    view = game.view(seat)
    sampled = sample_world(view, seed)
    told = sampled.view(seat)
    hidden_choice = view["phase"] != game.phase
    for key in (*SAME, *(() if hidden_choice else DECISION)):
        assert told[key] == view[key], f"{key} of seat {seat} in {game!r}"
    now = sampled.snapshot()
    for holder, hand in enumerate(now["hands"]):
        assert not Counter(known_to(view, holder)) - Counter(hand), "a known card is elsewhere"
    piles = [*now["hands"], now["draw_pile"], now["discard"], now["set_aside"]]
    cards = Counter(card for pile in piles for card in pile)
    assert cards == Counter(dict(game.rules.deck)), "cards were made up or lost"


@settings(max_examples=40)
@given(tables(), st.integers(0, 150), LUCK)
def test_it_agrees_with_the_view(table, steps, seed):
    game = at_moment(table, steps)
    for seat in range(game.num_players):
        check_agrees(game, seat, seed)


@pytest.mark.slow
@settings(max_examples=60, derandomize=False)
@given(tables(), LUCK)
def test_it_agrees_with_the_view_at_any_step(table, seed):
    for number, game in enumerate(states(table.game(), table.driver(), most=300)):
        if number % 3 == 0:
            for seat in range(game.num_players):
                check_agrees(game, seat, seed)


@settings(max_examples=40)
@given(tables(), st.integers(0, 150), LUCK)
def test_it_respects_what_a_seat_is_known_to_lack(table, steps, seed):
    game = at_moment(table, steps)
    if game.over:
        return  # nothing is left to be sampled
    for seat in range(game.num_players):
        view = game.view(seat)
        hands = sample_world(view, seed).snapshot()["hands"]
        for holder, bounds in view["missing_colors"].items():
            for color, most in bounds.items():
                held = color_count(hands[holder], color)
                assert held <= most, f"seat {holder} got {held} {color}, at most {most}"


@settings(max_examples=40)
@given(tables(), st.integers(0, 150), LUCK)
def test_it_is_encoded_as_the_true_game_is(table, steps, seed):
    """A network inside a search sees what it would see at the table."""
    game = at_moment(table, steps)
    for seat in range(game.num_players):
        view = game.view(seat)
        if view["phase"] == game.phase:
            sampled = sample_world(view, seed)
            assert np.array_equal(sampled.observe(seat), game.observe(seat)), f"seat {seat}"


def test_a_partner_asked_to_follow_can():
    """That a partner is asked after a Team Play shows that it holds something to play."""
    met = 0
    for seed in range(30):
        table = Table(uno.Rules.preset("teams"), 8, seed, seed, 0.7)
        for game in states(table.game(), table.driver(), most=150):
            if game.phase == "team-play":
                met += 1
                sampled = sample_world(game.view((game.actor + 1) % 8), seed)
                assert (sampled.phase, sampled.actor) == (game.phase, game.actor)
                assert sampled.legal()
    assert met > 20


def test_recycled_discards_are_remembered():
    """How often the discards were recycled is encoded, so the sampled game must know it too."""
    table = Table(uno.Rules.preset("hyper_speed"), 6, 0, 0, 0.0)
    for game in states(table.game(), table.driver()):
        if game.events[-1]["type"] == "recycle" or len(game.events) % 50 == 0:
            sampled = sample_world(game.view(game.actor or 0), 1)
            assert np.array_equal(sampled.observe(game.actor or 0), game.observe(game.actor or 0))
    assert any(event["type"] == "recycle" for event in game.events)


@settings(max_examples=40)
@given(tables(), st.integers(0, 150), LUCK)
def test_it_never_depends_on_the_true_cards(table, steps, seed):
    game = at_moment(table, steps)
    here = uno.Game.from_snapshot(game.snapshot())
    for seat in range(game.num_players):
        there = uno.Game.from_snapshot(other_world(game, seat, np.random.default_rng(seed)))
        assert untold(there.view(seat)) == untold(here.view(seat))
        one, two = sample_world(here.view(seat), seed), sample_world(there.view(seat), seed)
        assert one.snapshot() == two.snapshot()


@settings(max_examples=40)
@given(tables(), st.integers(0, 150), LUCK)
def test_it_plays_on_to_the_end(table, steps, seed):
    game = at_moment(table, steps)
    view = game.view(seed % game.num_players)
    sampled = sample_world(view, seed)
    for _ in states(sampled, Driver(seed, 0.8)):
        now = sampled.snapshot()
        piles = [*now["hands"], now["draw_pile"], now["discard"], now["set_aside"]]
        assert Counter(card for pile in piles for card in pile) == Counter(dict(game.rules.deck))
    assert sampled.over
    assert uno.Game.replay(sampled.record()).snapshot() == sampled.snapshot()


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_draws_differ_and_repeat(variant):
    game = at_moment(Table(uno.Rules.preset(variant), 4, 2, 2, 0.9), 8)
    view = game.view(0)
    worlds = {json.dumps(sample_world(view, seed).snapshot()["hands"]) for seed in range(12)}
    assert len(worlds) == 12
    assert sample_world(view, 3).snapshot() == sample_world(view, 3).snapshot()


def test_every_hidden_card_can_be_anywhere():
    """A card the seat has not seen turns up in every hand and in the draw pile."""
    game = at_moment(Table(uno.Rules.preset("classic"), 3, 4, 4, 0.9), 6)
    view = game.view(0)
    places = Counter()
    for seed in range(300):
        now = sample_world(view, seed).snapshot()
        for seat in (1, 2):
            places[seat] += "wild-draw4" in now["hands"][seat]
        places["pile"] += "wild-draw4" in now["draw_pile"]
    assert min(places[1], places[2], places["pile"]) > 10, places


def test_the_view_and_the_game_are_left_alone():
    game = at_moment(Table(uno.Rules.preset("teams"), 4, 4, 4, 0.9), 20)
    before, view = game.snapshot(), game.view(1)
    kept = json.dumps(view)
    play_out(uno.determinize(view, np.random.default_rng(0)), Driver(0, 0.8))
    assert game.snapshot() == before and json.dumps(view) == kept


def test_a_view_that_hides_more_cards_than_a_table_holds_is_refused():
    """Nobody is made to deal billions of cards."""
    view = uno.Game("classic", 2, seed=1).view(0)
    view["hand_sizes"][1] = 2**64 - 1
    with pytest.raises(uno.SnapshotError, match="too many"):
        uno.determinize(view, np.random.default_rng(0))


def test_a_reaction_to_the_last_card_of_a_seat_that_is_out():
    """To the others its turn goes on although it has no cards: somebody in play acts then."""
    rules = uno.Rules.preset("teams").replace(jump_in=True, hand_size=2, return_on_draw=False)
    game, rng = uno.Game(rules, 4, seed=76), np.random.default_rng(76)
    while (
        game.phase != "react" or game.view((game.actor + 1) % 4)["turn"] not in game.view(0)["out"]
    ):
        legal = game.legal()
        plays = [action for action in legal if action.startswith("play")]
        game.step(plays[0] if plays else legal[int(rng.integers(len(legal)))])
    for seat in range(4):
        world = uno.determinize(game.view(seat), np.random.default_rng(0))
        assert world.actor not in world.view(0)["out"] and world.legal()
