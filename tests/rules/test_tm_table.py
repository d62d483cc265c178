"""UNO Teams!: the table, the deal, the turn and the UNO call (TM-01 to TM-24)."""

from collections import Counter

import numpy as np
import pytest

import uno_env as uno

from .given import all_cards, given, hand, knows, play, sizes

PHYSICAL = {
    "TM-43": "Symbols for colour-blind players are print; an observation names colours by index.",
}


def is_number(card: str) -> bool:
    """Whether a card name is that of a number card."""
    return card.partition("-")[2].removesuffix("+give").isdigit()


def after_opening_pass(game: uno.Game) -> uno.Game:
    """Every seat gives its first legal card."""
    while game.phase == "pass-card":
        game.step(game.legal()[0])
    return game


@pytest.mark.parametrize("num_players", [4, 6, 8])
def test_tm_01_the_deck_has_112_cards(num_players):
    """The game is played with 112 cards, whatever the size of the table."""
    assert len(all_cards(uno.Game("teams", num_players=num_players, seed=1))) == 112


def test_tm_02_the_first_team_without_cards_wins():
    """The team that gets rid of all its cards before the others has won."""
    g = given("teams", ["red-5", "green-1 green-2", "", "blue-1 blue-2"], "red-9", out=[2])
    play(g, "0: play red-5")
    assert g.over
    assert g.winners == (0, 2)


def test_tm_03_partners_stay_together_for_the_whole_match():
    """Seats play in fixed pairs, so a whole match is won by two seats facing each other."""
    rules = uno.Rules.preset("teams").replace(match_target=150)
    rng = np.random.default_rng(3)
    g = uno.Game(rules, num_players=4, seed=3, episode="match")
    while not g.over:
        assert g.scores[0] == g.scores[2] and g.scores[1] == g.scores[3]
        plays = [action for action in g.legal() if action.startswith("play")]
        g.step(str(rng.choice(plays or g.legal())))
    assert g.winners in ((0, 2), (1, 3))


def test_tm_04_one_empty_hand_does_not_win():
    """A team wins only when both of its seats are out of cards, not when one of them is."""
    g = given("teams", ["red-5", "green-1 green-2", "blue-3", "blue-1 blue-2"], "red-9")
    play(g, "0: play red-5")
    assert not g.over
    assert g.winners == ()
    play(g, "1: draw")
    assert (g.actor, g.phase) == (2, "play")


def test_tm_05_a_single_card_must_be_announced():
    """Whoever comes down to a single card owes a UNO call for it."""
    g = given(
        "teams", ["red-5 red-6", "green-1 green-2", "blue-3 blue-4", "blue-1 blue-2"], "red-9"
    )
    play(g, "0: play red-5")
    assert (g.actor, g.phase) == (0, "uno-call")


@pytest.mark.parametrize("num_players", [4, 6, 8])
def test_tm_06_partners_sit_opposite(num_players):
    """The partner of a seat is the one straight across the table, whatever its size."""
    g = uno.Game("teams", num_players=num_players, seed=5)
    before = [Counter(cards) for cards in g.snapshot()["hands"]]
    given_card = {}
    while g.phase == "pass-card":
        seat, action = g.actor, g.legal()[-1]
        given_card[seat] = Counter([action.removeprefix("give ")])
        g.step(action)
    for seat, cards in enumerate(g.snapshot()["hands"]):
        partner = (seat + num_players // 2) % num_players
        assert Counter(cards) == before[seat] - given_card[seat] + given_card[partner]


def test_tm_07_seeded_dealer_and_shuffle():
    """The seed chooses who deals first and shuffles the deck, the same way each time."""
    games = [uno.Game("teams", num_players=4, seed=seed).snapshot() for seed in range(40)]
    assert {state["dealer"] for state in games} == {0, 1, 2, 3}
    assert len({tuple(state["draw_pile"]) for state in games}) == 40
    assert uno.Game("teams", num_players=4, seed=7).snapshot() == games[7]


def test_tm_08_seven_cards_each():
    """Every seat is dealt seven cards."""
    for num_players in (4, 6, 8):
        assert sizes(uno.Game("teams", num_players=num_players, seed=2)) == [7] * num_players


def test_tm_09_the_rest_is_the_face_down_draw_pile():
    """What is not dealt or turned up forms the draw pile, of which a seat sees only the size."""
    g = uno.Game("teams", num_players=4, seed=2)
    state = g.snapshot()
    assert len(state["draw_pile"]) == 112 - 28 - len(state["discard"])
    assert g.view(0)["draw_pile_size"] == len(state["draw_pile"])
    assert "draw_pile" not in g.view(0)


def test_tm_10_action_cards_are_ignored_as_opening_card():
    """Cards are turned up until a number shows; action cards turned before it do nothing."""
    ignored = 0
    for seed in range(60):
        g = uno.Game("teams", num_players=4, seed=seed)
        *below, top = g.snapshot()["discard"]
        assert is_number(top)
        assert not any(is_number(card) for card in below)
        assert sizes(g) == [7] * 4
        assert g.view(0)["discard"] == [*below, top]
        ignored += len(below)
    assert ignored


def test_tm_11_every_seat_passes_one_card_to_its_partner():
    """Before the first turn each seat must pick one of its cards for its partner, all at once."""
    g = uno.Game("teams", num_players=4, seed=11)
    start = g.snapshot()
    order, chosen = [], {}
    while g.phase == "pass-card":
        seat = g.actor
        assert set(g.legal()) == {f"give {card}" for card in start["hands"][seat]}
        assert g.snapshot()["hands"] == start["hands"]
        order.append(seat)
        chosen[seat] = g.legal()[0].removeprefix("give ")
        g.step(g.legal()[0])
    assert order == [(start["dealer"] + k) % 4 for k in range(1, 5)]
    gifts = [event for event in g.events if event["type"] == "give"]
    assert len(gifts) == 4
    for event in gifts:
        partner = (event["seat"] + 2) % 4
        assert sorted(event["known_to"]) == sorted([event["seat"], partner])
        assert event["cards"] == [chosen[event["seat"]]]
    for seat in range(4):
        partner, stranger = (seat + 2) % 4, (seat + 1) % 4
        assert knows(g, seat, partner) == [chosen[seat]]
        assert knows(g, stranger, seat) == []


def test_tm_12_the_seat_left_of_the_dealer_begins():
    """After the opening pass the seat at the dealer's left begins and play goes clockwise."""
    for seed in range(8):
        g = after_opening_pass(uno.Game("teams", num_players=4, seed=seed))
        state = g.snapshot()
        assert (g.actor, g.phase) == ((state["dealer"] + 1) % 4, "play")
        assert state["direction"] == 1


def test_tm_13_one_card_a_turn():
    """A turn lays a single card, then the next seat acts."""
    hands = ["red-5 red-6 red-7", "green-1 green-2", "blue-3 blue-4", "blue-1 blue-2"]
    g = play(given("teams", hands, "red-9"), "0: play red-5")
    assert hand(g, 0) == ["red-6", "red-7"]
    assert g.snapshot()["discard"][-1] == "red-5"
    assert (g.actor, g.phase) == (1, "play")


def test_tm_14_a_card_follows_by_color_value_symbol_or_as_a_wild():
    """A card may be laid if it shares colour, number or symbol with the top card, or is wild."""
    mine = "red-9 blue-4 yellow-4+give green-skip blue-3 wild wild-team-play wild-team-draw2"
    others = ["green-1 green-2"] * 3
    g = given("teams", [mine, *others], "red-4")
    faces = "red-9 blue-4 yellow-4+give wild wild-team-play wild-team-draw2".split()
    assert set(g.legal()) == {"draw", *(f"play {face}" for face in faces)}
    g = given("teams", ["green-skip green-4 red-1", *others], "red-skip")
    assert set(g.legal()) == {"draw", "play green-skip", "play red-1"}


def test_tm_15_an_action_card_takes_effect_when_laid():
    """The effect of an action card happens right after it has been laid."""
    hands = ["red-skip red-6 red-7", "green-1 green-2", "blue-3 blue-4", "blue-1 blue-2"]
    g = play(given("teams", hands, "red-9"), "0: play red-skip")
    assert (g.actor, g.phase) == (2, "play")


def test_tm_16_without_a_match_draw_one():
    """A seat with nothing to lay draws one card."""
    hands = ["green-1 green-2", "green-3 green-4", "blue-3 blue-4", "blue-1 blue-2"]
    g = given("teams", hands, "red-9", ["blue-7", "blue-8", "blue-9"])
    assert g.legal() == ["draw"]
    play(g, "0: draw")
    assert hand(g, 0) == ["blue-7", "green-1", "green-2"]
    assert g.actor == 1


def test_tm_17_a_playable_drawn_card_may_be_laid_or_kept():
    """A drawn card that fits may be laid at once or kept."""
    hands = ["green-1 green-2", "green-3 green-4", "blue-3 blue-4", "blue-1 blue-2"]
    g = play(given("teams", hands, "red-9", ["red-7", "blue-8", "blue-9"]), "0: draw")
    assert (g.actor, g.phase) == (0, "play-drawn")
    assert set(g.legal()) == {"play red-7", "keep"}
    kept = play(g.clone(), "0: keep")
    assert hand(kept, 0) == ["green-1", "green-2", "red-7"]
    assert kept.actor == 1
    laid = play(g, "0: play red-7")
    assert laid.snapshot()["discard"][-1] == "red-7"
    assert hand(laid, 0) == ["green-1", "green-2"]


def test_tm_18_drawing_is_always_allowed():
    """A seat may draw although it holds a card it could lay."""
    hands = ["red-1 green-2", "green-3 green-4", "blue-3 blue-4", "blue-1 blue-2"]
    g = given("teams", hands, "red-9", ["blue-7", "red-8", "blue-9"])
    assert set(g.legal()) == {"play red-1", "draw"}
    play(g, "0: draw")
    assert (g.actor, g.phase) == (1, "play")


def test_tm_19_the_turn_ends_after_a_play_or_a_draw():
    """Once a seat has laid or drawn its card the next seat is to act."""
    hands = ["red-1 green-2 green-5", "green-3 green-4", "blue-3 blue-4", "blue-1 blue-2"]
    g = given("teams", hands, "red-9", ["blue-7", "blue-8", "blue-9"])
    assert play(g.clone(), "0: play red-1").actor == 1
    assert play(g, "0: draw").actor == 1


def test_tm_20_an_empty_draw_pile_is_made_new_from_the_discards():
    """When the draw pile runs out the discards, except the top one, are shuffled into a new one."""
    hands = ["green-1 green-2", "green-3 green-4", "yellow-3 yellow-4", "yellow-1 yellow-2"]
    g = given("teams", hands, ["blue-1", "blue-2", "blue-3", "red-9"], [])
    play(g, "0: draw")
    state = g.snapshot()
    assert state["discard"] == ["red-9"]
    drawn = Counter(state["hands"][0]) - Counter(hands[0].split())
    assert Counter(state["draw_pile"]) + drawn == Counter(["blue-1", "blue-2", "blue-3"])
    assert sum(drawn.values()) == 1


def test_tm_21_a_partner_s_hand_is_hidden():
    """Partners cannot show each other their cards: a view holds the partner's hand size only."""
    mine, b, d = "red-1 green-2 green-5", "green-3 green-4", "blue-1 blue-2"
    one = given("teams", [mine, b, "blue-3 blue-4 wild", d], "red-9", ["red-7", "red-8"])
    two = given("teams", [mine, b, "red-7 red-8 wild", d], "red-9", ["blue-3", "blue-4"])
    assert one.view(0) == two.view(0)
    assert one.view(0)["hand_sizes"] == [3, 2, 3, 2]
    assert sorted(one.view(0)["hand"]) == ["green-2", "green-5", "red-1"]


def test_tm_22_only_the_player_of_a_wild_takes_part_in_the_color_choice():
    """While a wild awaits its colour the partner has nothing to say."""
    hands = ["wild green-2 green-5", "green-3 green-4", "blue-3 blue-4", "blue-1 blue-2"]
    g = play(given("teams", hands, "red-9"), "0: play wild")
    assert (g.actor, g.phase) == (0, "color")
    assert g.view(2)["legal"] == []


def test_tm_23_the_holder_or_its_partner_calls():
    """A seat with one card may call UNO, and if it stays silent its partner may call for it."""
    hands = ["red-1 green-2", "green-3 green-4 red-4", "blue-3 blue-4", "blue-1 blue-2"]
    g = play(given("teams", hands, "red-9"), "0: play red-1")
    assert set(g.legal()) == {"call-uno", "stay-silent"}
    own = play(g.clone(), "0: call-uno")
    play(g, "0: stay-silent")
    assert (g.actor, g.phase) == (2, "uno-call")
    assert set(g.legal()) == {"call-uno", "stay-silent"}
    play(g, "2: call-uno")
    for game in (own, g):
        assert game.snapshot()["uno_called"] == [0]
        assert game.view(3)["uno_called"] == [0]
        assert (game.actor, game.phase) == (1, "play")


def test_tm_24_opponents_catch_a_forgotten_call():
    """If neither partner calls before the next seat acts an opponent may make the holder draw 2."""
    hands = ["red-1 green-2", "green-3 green-4 red-4", "blue-3 blue-4", "blue-1 blue-2"]
    g = play(given("teams", hands, "red-9"), "0: play red-1", "0: stay-silent", "2: stay-silent")
    assert (g.actor, g.phase) == (1, "uno-catch")
    assert set(g.legal()) == {"catch", "ignore"}
    caught = play(g.clone(), "1: catch")
    assert sizes(caught) == [3, 3, 2, 2]
    assert (caught.actor, caught.phase) == (1, "play")
    play(g, "1: ignore")
    assert (g.actor, g.phase) == (3, "uno-catch")
    play(g, "3: ignore")
    assert sizes(g) == [1, 3, 2, 2]
    assert (g.actor, g.phase) == (1, "play")
