"""Hyper Speed: set-up, turns, UNO and the end of a round (HS-01 to HS-18)."""

from collections import Counter

import uno_env as uno

from .given import all_cards, deals, given, hand, knows, play, sizes, told

THREE = "blue-1 blue-2 blue-3"


def test_hs_01_deck_of_112_cards_with_a_special_wild():
    """The deck has 112 cards: the classic 108 and the Hyper Speed wilds."""
    deck = Counter(all_cards(deals("hyper_speed", 4, 1)[0]))
    assert deck.total() == 112
    assert len(deck) == 55
    assert deck["wild-hyper-speed"] == deck.total() - 108
    assert deck["wild"] == deck["wild-draw4"] == 4
    for color in ("red", "yellow", "green", "blue"):
        assert deck[f"{color}-0"] == 1
        assert all(deck[f"{color}-{number}"] == 2 for number in range(1, 10))
        assert all(deck[f"{color}-{kind}"] == 2 for kind in ("skip", "reverse", "draw2"))


def test_hs_02_first_seat_without_cards_wins():
    """The aim is to be the first to hold no card at all; one card left is not enough."""
    g = given("hyper_speed", ["red-7 red-8", "blue-1 blue-2", THREE], "red-5")
    play(g, "0: play red-7", "0: call-uno")
    assert not g.over
    play(g, "1: draw", "2: draw", "0: play red-8")
    assert g.over
    assert g.winners == (0,)


def test_hs_03_seeded_dealer_and_shuffle():
    """A dealer is picked and the deck shuffled, both by the seed, and everybody sees who deals."""
    games = deals("hyper_speed", 4, 40)
    assert {g.snapshot()["dealer"] for g in games} == {0, 1, 2, 3}
    assert len({tuple(g.snapshot()["draw_pile"]) for g in games}) == len(games)
    again = uno.Game("hyper_speed", num_players=4, seed=3)
    assert again.snapshot()["draw_pile"] == games[3].snapshot()["draw_pile"]
    for g in games[:5]:
        assert {g.view(seat)["dealer"] for seat in range(4)} == {g.snapshot()["dealer"]}


def test_hs_04_seven_cards_each_known_to_their_holder_only():
    """Each seat gets 7 cards; the others learn only how many it holds."""
    for g in deals("hyper_speed", 5, 5):
        assert sizes(g) == [7] * 5
        for seat in range(5):
            view = g.view(seat)
            assert view["hand_sizes"] == [7] * 5
            assert sorted(view["hand"]) == hand(g, seat)
            assert not any(knows(g, seat, other) for other in range(5) if other != seat)


def test_hs_05_rest_of_the_deck_is_a_hidden_draw_pile():
    """What is left after the deal and the opening is the face-down draw pile."""
    for g in deals("hyper_speed", 4, 5):
        now = g.snapshot()
        assert len(now["draw_pile"]) == 112 - 28 - len(now["discard"])
        assert g.view(0)["draw_pile_size"] == len(now["draw_pile"])
        assert "draw_pile" not in g.view(0)


def test_hs_06_opening_turns_cards_until_a_number_shows():
    """Cards are turned until a number appears; the special ones on the way do nothing."""
    ignored = 0
    for g in deals("hyper_speed", 4, 60):
        discard = g.snapshot()["discard"]
        assert discard[-1].split("-")[-1].isdigit()
        assert not any(card.split("-")[-1].isdigit() for card in discard[:-1])
        assert all(g.view(seat)["discard"] == discard for seat in range(4))
        assert g.phase == "play"
        assert sizes(g) == [7] * 4
        ignored += len(discard) > 1
    assert ignored


def test_hs_07_dealers_left_begins_clockwise():
    """The seat on the dealer's left takes the first turn and play runs clockwise."""
    for g in deals("hyper_speed", 4, 40):
        now = g.snapshot()
        assert g.actor == now["turn"] == (now["dealer"] + 1) % 4
        assert now["direction"] == 1


def test_hs_08_one_card_a_turn():
    """A turn lays one card at most, on the discard pile, even with two that fit."""
    g = given("hyper_speed", ["red-7 red-8 red-9", THREE, THREE], "red-5")
    play(g, "0: play red-7")
    assert g.actor == 1
    assert hand(g, 0) == ["red-8", "red-9"]
    assert g.snapshot()["discard"] == ["red-5", "red-7"]


def test_hs_09_match_by_color_number_or_symbol():
    """A card fits by colour, by number or by symbol; wilds fit always."""
    mine = "red-1 blue-5 blue-6 green-skip wild wild-draw4 wild-hyper-speed"
    g = given("hyper_speed", [mine, THREE, THREE], "red-5")
    wilds = {"play wild", "play wild-draw4", "play wild-hyper-speed"}
    assert set(g.legal()) == {"play red-1", "play blue-5", "draw"} | wilds
    g = given("hyper_speed", [mine, THREE, THREE], "red-skip")
    assert set(g.legal()) == {"play red-1", "play green-skip", "draw"} | wilds
    play(g, "0: play green-skip")
    assert all(g.view(seat)["top_card"] == "green-skip" for seat in range(3))


def test_hs_10_action_card_takes_effect_at_once():
    """An action card works as soon as it is laid, before anybody else decides anything."""
    g = given("hyper_speed", ["red-skip red-1 red-2", THREE, THREE, THREE], "red-5")
    play(g, "0: play red-skip")
    assert g.actor == 2
    g = given("hyper_speed", ["red-reverse red-1 red-2", THREE, THREE, THREE], "red-5")
    play(g, "0: play red-reverse")
    assert g.actor == 3


def test_hs_11_without_a_match_one_card_is_drawn_unseen():
    """A seat with no fitting card draws one card; the others see that it drew, not what."""
    g = given("hyper_speed", [THREE, "green-1 green-2 green-3", THREE], "red-5", "yellow-4 red-9")
    assert g.legal() == ["draw"]
    play(g, "0: draw")
    assert hand(g, 0) == ["blue-1", "blue-2", "blue-3", "yellow-4"]
    assert g.snapshot()["draw_pile"] == ["red-9"]
    for seat in (1, 2):
        assert "yellow-4" not in told(g, seat)
        assert g.view(seat)["hand_sizes"] == [4, 3, 3]
        assert any(e["type"] == "draw" and e["seat"] == 0 for e in g.view(seat)["events"])


def test_hs_12_a_playable_drawn_card_may_be_laid_or_kept():
    """A drawn card that fits may be played at once or kept; one that does not ends the turn."""
    g = given("hyper_speed", [THREE, THREE, THREE], "red-5", "red-9 yellow-4")
    play(g, "0: draw")
    assert (g.actor, g.phase) == (0, "play-drawn")
    assert set(g.legal()) == {"play red-9", "keep"}
    kept = play(g.clone(), "0: keep")
    assert kept.actor == 1
    assert "red-9" in hand(kept, 0)
    assert "red-9" not in told(kept, 1)
    play(g, "0: play red-9")
    assert g.actor == 1
    assert g.view(1)["top_card"] == "red-9"
    play(g, "1: draw")
    assert (g.actor, g.phase) == (2, "play")
    assert "yellow-4" in hand(g, 1)


def test_hs_12_a_drawn_card_by_option_must_or_cannot_be_played():
    """Options make playing a fitting drawn card compulsory, or forbid it."""
    hands = ["blue-1 blue-2 blue-3", THREE, THREE]
    g = given("hyper_speed", hands, "red-5", "red-9", rules={"play_drawn": "forced"})
    assert play(g, "0: draw").legal() == ["play red-9"]
    g = given("hyper_speed", hands, "red-5", "red-9", rules={"play_drawn": "never"})
    assert play(g, "0: draw").actor == 1


def test_hs_13_drawing_is_allowed_with_a_playable_card():
    """A seat may always draw instead of playing, whatever it holds."""
    g = given("hyper_speed", ["red-1 red-2 wild", THREE, THREE], "red-5", "red-9 yellow-4")
    assert "draw" in g.legal()
    play(g, "0: draw")
    assert set(g.legal()) == {"play red-9", "keep"}


def test_hs_14_play_passes_on_after_a_play_or_a_draw():
    """Once a seat has played, or drawn and decided on the drawn card, the next seat acts."""
    g = given("hyper_speed", ["red-7 red-8 red-9", THREE, THREE], "red-5", "yellow-4 red-1")
    play(g, "0: play red-7", "1: draw", "2: draw", "2: keep")
    assert (g.actor, g.phase) == (0, "play")


def test_hs_15_empty_draw_pile_is_rebuilt_from_the_discards():
    """When the draw pile is used up the discard pile is shuffled into a new one."""
    discard = "red-1 red-2 red-3 red-4 yellow-5"
    g = given("hyper_speed", [THREE, THREE, THREE], discard, "green-8")
    play(g, "0: draw", "1: draw")
    now = g.snapshot()
    drawn = [card for card in hand(g, 1) if card.startswith("red")]
    assert len(drawn) == 1
    assert sorted(drawn + now["draw_pile"]) == ["red-1", "red-2", "red-3", "red-4"]
    assert now["discard"] == ["yellow-5"]
    assert g.view(2)["draw_pile_size"] == 3


def test_hs_16_a_seat_down_to_one_card_may_call_uno():
    """The moment a seat is left with one card it calls UNO or stays silent; a call is public."""
    g = given("hyper_speed", ["red-7 blue-9", THREE, THREE], "red-5")
    play(g, "0: play red-7")
    assert (g.actor, g.phase) == (0, "uno-call")
    assert set(g.legal()) == {"call-uno", "stay-silent"}
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (1, "play")
    for seat in range(3):
        assert g.view(seat)["uno_called"] == [0]
        assert any(e["type"] == "uno-call" and e["seat"] == 0 for e in g.view(seat)["events"])


def test_hs_16_a_seat_back_at_one_card_calls_again():
    """A seat that drew and came back to one card owes a new call."""
    g = given("hyper_speed", ["blue-9", THREE, THREE], "red-5", "red-1 red-2", uno_called=[0])
    play(g, "0: draw")
    assert g.view(1)["uno_called"] == []
    play(g, "0: play red-1")
    assert (g.actor, g.phase) == (0, "uno-call")


def test_hs_17_a_silent_seat_may_be_caught_before_the_next_turn():
    """Before the next turn each opponent may catch a silent seat, which then draws 2."""
    g = given("hyper_speed", ["red-7 blue-9", THREE, THREE, THREE], "red-5", "green-1 green-2")
    play(g, "0: play red-7", "0: stay-silent")
    assert (g.actor, g.phase) == (1, "uno-catch")
    assert set(g.legal()) == {"catch", "ignore"}
    missed = play(g.clone(), "1: ignore", "2: ignore", "3: ignore")
    assert (missed.actor, missed.phase) == (1, "play")
    assert "catch" not in missed.legal()
    assert sizes(missed)[0] == 1
    play(g, "1: ignore", "2: catch")
    assert (g.actor, g.phase) == (1, "play")
    assert hand(g, 0) == ["blue-9", "green-1", "green-2"]
    for seat in range(4):
        assert g.view(seat)["hand_sizes"] == [3, 3, 3, 3]
        assert any(e["type"] == "catch" for e in g.view(seat)["events"])


def test_hs_18_last_card_wins_the_round_and_all_cards_are_dealt_anew():
    """Laying the last card wins the round; the next round of a match uses the whole deck again."""
    g = given("hyper_speed", ["red-7", THREE, THREE], "red-5")
    play(g, "0: play red-7")
    assert (g.over, g.phase, g.actor) == (True, "over", None)
    assert g.winners == (0,)
    assert g.legal() == []
    match = given("hyper_speed", ["red-7", THREE, THREE], "red-5", episode="match")
    play(match, "0: play red-7")
    assert not match.over
    assert sizes(match) == [7, 7, 7]
    assert len(all_cards(match)) == 112
