"""Shared conventions: deciders, masks, drawing, dead piles, episodes (CV-01 to CV-06, CV-11 on)."""

import numpy as np
import pytest

import uno_env as uno

from .given import all_cards, deals, given, hand, knows, play, sizes, told

THREE = "yellow-1 yellow-2 yellow-3"
VARIANTS = ("hyper_speed", "classic", "no_mercy", "ig2000", "loche", "teams")


def played(variant: str, seed: int, steps: int = 300) -> list[uno.Game]:
    """The positions of a game between random players."""
    rng = np.random.default_rng(seed)
    game = uno.Game(variant, num_players=4, seed=seed)
    positions = []
    while not game.over and len(positions) < steps:
        positions.append(game.clone())
        game.step(str(rng.choice(game.legal())))
    return positions


@pytest.mark.parametrize("variant", VARIANTS)
def test_cv_01_one_seat_decides_at_a_time(variant):
    """At every moment exactly one seat has a decision; the others have no action at all."""
    for g in played(variant, seed=1):
        asked = [seat for seat in range(4) if g.view(seat)["legal"]]
        assert asked == [g.actor]


def test_cv_01_simultaneous_choices_are_hidden_until_the_last():
    """Choices made at the same time are taken in turn, unseen, and take effect together."""
    g = uno.Game("teams", num_players=4, seed=0)
    assert g.phase == "pass-card"
    before = [hand(g, seat) for seat in range(4)]
    seats, given_away = [], {}
    while g.phase == "pass-card":
        assert [sorted(g.view(seat)["hand"]) for seat in range(4)] == before
        assert not any(knows(g, seat, (seat + 2) % 4) for seat in range(4))
        seats.append(g.actor)
        given_away[g.actor] = g.legal()[0].removeprefix("give ")
        g.step(g.legal()[0])
    assert sorted(seats) == [0, 1, 2, 3]
    for seat in range(4):
        partner = (seat + 2) % 4
        expected = [*before[seat], given_away[partner]]
        expected.remove(given_away[seat])
        assert hand(g, seat) == sorted(expected)


@pytest.mark.parametrize("variant", VARIANTS)
def test_cv_02_only_legal_actions_are_offered(variant):
    """The mask shows the legal actions and nothing else, is never empty, and others are refused."""
    for g in played(variant, seed=2, steps=120):
        legal = [uno.action_id(text) for text in g.legal()]
        assert legal
        assert [number for number, bit in enumerate(g.mask()) if bit] == legal
        wrong = next(n for n in range(len(uno.ACTIONS)) if n not in legal)
        before = g.snapshot()
        with pytest.raises(uno.IllegalAction):
            g.step(wrong)
        assert g.snapshot() == before


def test_cv_02_a_forced_draw_is_a_step_unless_automatic():
    """A seat that can only draw still takes that step, unless forced steps are automatic."""
    hands = ["red-7 red-8 red-9", "blue-1 blue-2 blue-3", "red-1 red-2 red-3"]
    g = given("classic", hands, "red-5", "green-8 green-9")
    play(g, "0: play red-7")
    assert (g.actor, g.legal()) == (1, ["draw"])
    play(g, "1: draw")
    assert (g.actor, g.phase) == (2, "play")
    g = given("classic", hands, "red-5", "green-8 green-9", rules={"auto_forced": True})
    play(g, "0: play red-7")
    assert (g.actor, g.phase) == (2, "play")
    assert "green-8" in hand(g, 1)


def test_cv_03_a_draw_goes_on_over_a_recycling_and_forgets_the_rest():
    """Cards are drawn one by one across a reshuffle; what the piles lack is never owed."""
    g = given(
        "classic", ["wild-draw4 blue-1 blue-2 blue-3", THREE, THREE], "green-7 red-5", "red-9"
    )
    play(g, "0: play wild-draw4", "0: color blue", "1: accept")
    assert hand(g, 1) == ["green-7", "red-5", "red-9", *THREE.split()]
    assert g.snapshot()["draw_pile"] == []
    assert g.snapshot()["pending"] is None
    assert (g.actor, g.phase) == (2, "play")


def test_cv_04_recycling_keeps_the_top_card_and_is_public():
    """All discards but the top become the new draw pile, named colours erased, in public."""
    discard = "green-1 wild green-2 wild"
    g = given("classic", ["red-1 red-2 red-3", THREE, THREE], discard, "", active_color="blue")
    play(g, "0: draw")
    now = g.snapshot()
    drawn = list(hand(g, 0))
    for card in ("red-1", "red-2", "red-3"):
        drawn.remove(card)
    assert sorted(drawn + now["draw_pile"]) == ["green-1", "green-2", "wild"]
    assert now["discard"] == ["wild"]
    assert now["active_color"] == "blue"
    for seat in range(3):
        assert any(e["type"] == "recycle" for e in g.view(seat)["events"])
        assert g.view(seat)["discard"] == ["wild"]
        assert g.view(seat)["draw_pile_size"] == 2


def test_cv_04_a_recycled_wild_names_no_color():
    """A wild that was reshuffled is blank again: its new player names a colour."""
    g = given("classic", ["blue-1 blue-2 blue-3", THREE, THREE], "wild red-5", "")
    play(g, "0: draw", "0: play wild")
    assert (g.actor, g.phase) == (0, "color")
    play(g, "0: color yellow")
    assert g.snapshot()["active_color"] == "yellow"


def test_cv_04_no_mercy_recycles_the_cards_set_aside():
    """Where cards were set aside they are shuffled in with the discards."""
    hands = ["blue-1 blue-2 blue-3", THREE, THREE]
    g = given("no_mercy", hands, "red-5", "", set_aside=["red-8"])
    assert g.view(0)["set_aside_size"] == 1
    play(g, "0: draw")
    assert (g.phase, g.snapshot()["drawn_card"]) == ("play-drawn", "red-8")
    assert g.snapshot()["set_aside"] == []


@pytest.mark.parametrize("variant", ["hyper_speed", "classic"])
def test_cv_05_nothing_to_draw_means_pass(variant):
    """With nothing left to draw the draw becomes a pass that costs nothing."""
    g = given(variant, ["blue-1 blue-2 blue-3", THREE, THREE], "red-5", "")
    assert g.legal() == ["pass"]
    play(g, "0: pass")
    assert (g.actor, sizes(g)) == (1, [3, 3, 3])


def test_cv_05_pass_follows_the_rules_of_drawing():
    """Passing is open to a seat that can play only where drawing would be."""
    hands = ["red-1 blue-2 blue-3", THREE, THREE]
    assert given("hyper_speed", hands, "red-5", "").legal() == ["play red-1", "pass"]
    assert given("classic", hands, "red-5", "").legal() == ["play red-1"]


def test_cv_06_a_round_of_passes_is_void():
    """When every seat in turn had to pass, the round ends with no winner and no points."""
    hands = ["blue-1 blue-2 blue-3", THREE, "green-1 green-2 red-3"]
    g = given("hyper_speed", hands, "red-5", "")
    play(g, "0: pass", "1: pass")
    assert not g.over
    stopped = play(g.clone(), "2: pass")
    assert (stopped.over, stopped.void, stopped.winners) == (True, True, ())
    assert stopped.actor is None
    assert stopped.points == stopped.scores == [0, 0, 0]
    play(g, "2: play red-3", "0: draw")
    assert not g.over


def test_cv_06_a_round_that_takes_too_long_is_void():
    """A round is cut off without a winner at the greatest number of decisions."""
    hands = ["blue-1 blue-2 blue-3", "blue-1 blue-2 blue-3"]
    g = given("classic", hands, "red-5", "green-8 " * 40, rules={"max_steps": 10})
    for _ in range(9):
        g.step("draw")
    assert not g.over
    g.step("draw")
    assert (g.over, g.void, g.winners) == (True, True, ())


def test_cv_11_after_a_draw_only_the_drawn_card_counts():
    """In the turn of a draw no card but the drawn one may be laid, unless an option says so."""
    hands = ["red-1 blue-2 blue-3", THREE, THREE]
    g = play(given("hyper_speed", hands, "red-5", "red-9 green-8"), "0: draw")
    assert g.legal() == ["play red-9", "keep"]
    assert g.view(0)["drawn_card"] == "red-9"
    assert g.view(1)["drawn_card"] is None
    option = {"play_after_draw_scope": "any_card"}
    g = given("hyper_speed", hands, "red-5", "red-9 green-8", rules=option)
    play(g, "0: draw")
    assert g.legal() == ["play red-1", "play red-9", "keep"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_cv_12_first_dealer_by_seed_then_one_seat_left(variant):
    """The seed picks the first dealer; in a match the deal then moves one seat to the left."""
    assert {g.snapshot()["dealer"] for g in deals(variant, 4, 40)} == {0, 1, 2, 3}
    hands = ["red-7", THREE, THREE, THREE] if variant != "teams" else ["red-7", THREE, "", THREE]
    more = {"out": [2]} if variant == "teams" else {"uno_called": [0]}
    g = given(variant, hands, "red-5", dealer=3, episode="match", **more)
    play(g, "0: play red-7")
    assert not g.over
    assert g.snapshot()["dealer"] == 0


def test_cv_13_baseline_public_information():
    """Everybody sees table, sizes, phase and scores; hands and drawn cards stay private."""
    hands = ["red-1 red-2", "blue-3 blue-4 blue-6", "green-3 green-4 wild-draw4"]
    more = {"scores": [5, 6, 7], "uno_called": [], "direction": -1, "dealer": 1}
    g = given("classic", hands, "green-9 red-5", "yellow-7 yellow-8", **more)
    public = {
        "num_players": 3,
        "hand_sizes": [2, 3, 3],
        "top_card": "red-5",
        "active_color": "red",
        "direction": -1,
        "phase": "play",
        "actor": 0,
        "turn": 0,
        "dealer": 1,
        "pending": None,
        "draw_pile_size": 2,
        "discard": ["green-9", "red-5"],
        "eliminated": [],
        "out": [],
        "uno_called": [],
        "scores": [5, 6, 7],
    }
    for seat in range(3):
        view = g.view(seat)
        assert {key: view[key] for key in public} == public
        assert view["hand"] == hand(g, seat)
        others = {card for other in range(3) if other != seat for card in hand(g, other)}
        assert not any(f"'{card}'" in told(g, seat) for card in others | {"yellow-7", "yellow-8"})


def test_cv_13_hidden_cards_change_nothing_a_seat_sees():
    """Exchanging cards a seat cannot see leaves its view exactly as it was."""
    one = given("ig2000", ["red-1 red-2 red-3", "blue-1 blue-2", THREE], "red-5", "green-1 green-2")
    two = given("ig2000", ["red-1 red-2 red-3", "green-1 yellow-1", "blue-1 blue-2 yellow-3"],
                "red-5", "green-2 yellow-2")  # fmt: skip
    assert one.view(0) == two.view(0)
    play(one, "0: play red-1")
    play(two, "0: play red-1")
    assert one.view(0) == two.view(0)


def test_cv_13_a_refused_reaction_is_not_public():
    """Nobody learns that another seat was asked for a reaction and declined."""
    hands = ["red-7 blue-1 blue-2", THREE, "red-7 green-1 green-2", THREE]
    g = play(given("ig2000", hands, "red-5"), "0: play red-7")
    assert (g.actor, g.phase) == (2, "react")
    asked = [g.view(seat) for seat in (0, 1, 3)]
    play(g, "2: pass")
    assert (g.actor, g.phase) == (1, "play")
    after = [g.view(seat) for seat in (0, 1, 3)]
    for before, now in zip(asked, after, strict=True):
        assert before["events"] == now["events"]
        # The seat whose turn it is only knows that it is not asked.
        waits = before["seat"] == before["turn"]
        assert (before["phase"], before["actor"]) == ("play", None if waits else before["turn"])
        assert before["legal"] == []
        assert (now["phase"], now["actor"]) == ("play", 1)


def test_cv_14_cards_moved_between_hands_are_known_to_giver_and_receiver():
    """When hands are exchanged both seats know the faces they gave; the others only the counts."""
    hands = ["red-7 blue-1 blue-2", "green-1 green-2 green-3 green-4", THREE]
    g = given("no_mercy", hands, "red-5")
    play(g, "0: play red-7", "0: target +1")
    assert hand(g, 0) == ["green-1", "green-2", "green-3", "green-4"]
    assert knows(g, 0, 1) == ["blue-1", "blue-2"]
    assert knows(g, 1, 0) == ["green-1", "green-2", "green-3", "green-4"]
    assert knows(g, 2, 0) == knows(g, 2, 1) == []
    assert "green-4" not in told(g, 2)
    assert "blue-2" not in told(g, 2)
    assert g.view(2)["hand_sizes"] == [4, 2, 3]
    swap = next(e for e in g.events if e["type"] == "swap")
    assert 2 not in swap.get("known_to", [])


def eager(game: uno.Game, rng: np.random.Generator) -> str:
    """A random move that lays a card whenever one can be laid."""
    legal = game.legal()
    return str(rng.choice([text for text in legal if text.startswith("play")] or legal))


@pytest.mark.parametrize("variant", VARIANTS)
def test_cv_15_round_or_match(variant):
    """An episode is one freshly shuffled round unless a whole match is asked for."""
    full = all_cards(uno.Game(variant, num_players=4, seed=99))
    for seed in range(3):
        rng = np.random.default_rng(seed)
        game = uno.Game(variant, num_players=4, seed=seed)
        assert all_cards(game) == full
        while not game.over:
            game.step(eager(game, rng))
        match = uno.Game(variant, num_players=4, seed=seed, episode="match")
        dealer = match.snapshot()["dealer"]
        while not match.over and match.snapshot()["dealer"] == dealer:
            match.step(eager(match, rng))
        assert not match.over
        assert any(event["type"] == "round-end" for event in match.events)
        assert all_cards(match) == full


def test_cv_15_a_single_round_knows_no_perfect_cut():
    """In a round episode the cards come from a full shuffle: no cut, no cards for a perfect one."""
    assert all(sizes(g) == [7] * 4 for g in deals("ig2000", 4, 100))


@pytest.mark.parametrize("variant", ["hyper_speed", "classic", "no_mercy"])
def test_cv_16_a_round_needs_only_a_winner_but_shows_its_score(variant):
    """A single round is decided by its winner; its score is there as extra information."""
    g = given(variant, ["red-7", "blue-9", "green-skip"], "red-5", scores=[0, 480, 0])
    play(g, "0: play red-7")
    assert g.over
    assert g.winners == (0,)
    assert g.points == [29, 0, 0]
    assert g.scores == [29, 480, 0]
