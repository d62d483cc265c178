"""No Mercy: the deck, the deal, the opening card and the table."""

from collections import Counter

import pytest

import uno_env as uno

from .given import all_cards, given

PHYSICAL = {
    "NM-49": "Copyright, contact and recycling notices of the sheet; nothing to play.",
}

SEEDS = range(80)


def is_number(card: str) -> bool:
    return card.split("-")[-1].isdigit()


def test_nm_01_deck_has_168_cards():
    """The game is played with 168 cards, and all of them are on the table."""
    rules = uno.Rules.preset("no_mercy")
    assert rules.deck.size == 168
    game = uno.Game("no_mercy", num_players=4, seed=1)
    assert len(all_cards(game)) == 168
    assert Counter(all_cards(game)) == Counter(dict(rules.deck))


def test_nm_03_classic_matching_with_four_extra_rules_and_tough_action_cards():
    """Cards match as in the classic game; four special rules and tougher cards come on top."""
    rules = uno.Rules.preset("no_mercy")
    assert rules.stacking == "equal_or_higher"
    assert rules.mercy_limit == 25
    assert rules.seven_swap and rules.zero_pass
    tough = ["draw4", "discard-all", "skip-all"]
    tough += ["wild-reverse-draw4", "wild-draw6", "wild-draw10", "wild-roulette"]
    assert all(rules.has(kind) for kind in tough)
    assert not rules.has("wild") and not rules.has("wild-draw4")
    game = given("no_mercy", ["red-1 blue-5 green-skip", "blue-1 blue-2 blue-3"], "red-5")
    assert set(game.legal()) == {"play red-1", "play blue-5"}
    game = given("no_mercy", ["red-1 blue-5 green-skip", "blue-1 blue-2 blue-3"], "yellow-skip")
    assert game.legal() == ["play green-skip"]


def test_nm_06_dealer_and_shuffle_come_from_the_seed():
    """The seed picks the dealer and shuffles the deck, so nobody has anything to decide."""
    games = [uno.Game("no_mercy", num_players=4, seed=seed) for seed in SEEDS]
    assert {game.snapshot()["dealer"] for game in games} == {0, 1, 2, 3}
    assert len({tuple(game.snapshot()["draw_pile"]) for game in games}) == len(SEEDS)
    again = uno.Game("no_mercy", num_players=4, seed=3).snapshot()
    assert again == games[3].snapshot()


@pytest.mark.parametrize("num_players", range(2, 7))
def test_nm_07_seven_cards_each(num_players: int):
    """Every seat is dealt seven cards."""
    game = uno.Game("no_mercy", num_players=num_players, seed=5)
    assert [len(held) for held in game.snapshot()["hands"]] == [7] * num_players


def test_nm_08_the_rest_is_the_face_down_draw_pile():
    """The cards left after the deal form a draw pile of which everybody sees only the size."""
    game = uno.Game("no_mercy", num_players=3, seed=5)
    state = game.snapshot()
    assert len(state["draw_pile"]) == 168 - 3 * 7 - len(state["discard"])
    for seat in range(3):
        view = game.view(seat)
        assert view["draw_pile_size"] == len(state["draw_pile"])
        assert "draw_pile" not in view


def test_nm_09_action_cards_are_turned_over_until_a_number_opens():
    """Action cards turned up at the opening are ignored until a number card shows."""
    buried = 0
    for seed in SEEDS:
        game = uno.Game("no_mercy", num_players=4, seed=seed)
        state = game.snapshot()
        *ignored, top = state["discard"]
        assert is_number(top)
        assert not any(is_number(card) for card in ignored)
        assert state["active_color"] == top.split("-")[0]
        assert state["pending"] is None and state["phase"] == "play"
        assert all(game.view(seat)["discard"] == state["discard"] for seat in range(4))
        buried += len(ignored)
    assert buried


@pytest.mark.parametrize("num_players", range(2, 7))
def test_nm_10_the_seat_left_of_the_dealer_starts_clockwise(num_players: int):
    """The seat to the dealer's left takes the first turn and play goes clockwise."""
    for seed in SEEDS:
        game = uno.Game("no_mercy", num_players=num_players, seed=seed)
        state = game.snapshot()
        assert game.actor == state["turn"] == (state["dealer"] + 1) % num_players
        assert state["direction"] == 1


def test_nm_r1_deck_counts_and_their_configuration():
    """The sheet lists only kinds, so the counts are the usual ones and each can be changed."""
    deck = uno.Rules.preset("no_mercy").deck
    per_color = {str(number): 2 for number in range(10)}
    per_color |= {"skip": 3, "reverse": 3, "draw2": 3, "draw4": 2, "skip-all": 2, "discard-all": 3}
    wilds = {"wild-reverse-draw4": 8, "wild-draw6": 4, "wild-draw10": 4, "wild-roulette": 8}
    colors = ("red", "yellow", "green", "blue")
    assert dict(deck) == {f"{c}-{kind}": n for c in colors for kind, n in per_color.items()} | wilds

    rules = uno.Rules.preset("no_mercy").replace(deck={"0": 1, "wild": 4})
    game = uno.Game(rules, num_players=2, seed=0)
    assert len(all_cards(game)) == 168
    assert all_cards(game).count("wild") == 4 and all_cards(game).count("red-0") == 1


def test_nm_r2_opening_zero_or_seven_has_no_effect():
    """A 0 or a 7 opens the round without moving hands, and ignored cards stay under the opener."""
    openers, ignored = set(), set()
    for seed in range(200):
        game = uno.Game("no_mercy", num_players=3, seed=seed)
        state = game.snapshot()
        ignored.update(state["discard"][:-1])
        number = state["discard"][-1].split("-")[-1]
        if number in "07":
            openers.add(number)
            assert game.phase == "play"
            assert game.actor == (state["dealer"] + 1) % 3
            assert not {"swap", "pass-hands"} & {event["type"] for event in game.events}
    assert openers == {"0", "7"}
    assert any(card.startswith("wild") for card in ignored)
    assert any(not card.startswith("wild") for card in ignored)


def test_nm_r20_two_to_six_players():
    """Two to six seats may play; other table sizes are refused."""
    for num_players in (1, 7):
        with pytest.raises(ValueError, match="num_players"):
            uno.Game("no_mercy", num_players=num_players)
    for num_players in range(2, 7):
        game = uno.Game("no_mercy", num_players=num_players)
        assert game.snapshot()["num_players"] == num_players
