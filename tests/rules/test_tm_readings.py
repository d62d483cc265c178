"""UNO Teams!: how the points the sheet leaves open are played (TM-R1 to TM-R22)."""

import numpy as np
import pytest

import uno_env as uno

from .given import given, hand, play, sizes

QUIET = {"uno_call": "off"}
OTHERS = ["green-3 green-4 green-6", "blue-3 blue-4 blue-6", "yellow-1 yellow-2 yellow-6"]

PHYSICAL = {
    "TM-R20": "A remark of the sheet without a rule of its own; effects of action cards are TM-15.",
}


def teams(hands: list[str], top: str = "red-9", draw_pile: str | None = None, **more) -> uno.Game:
    """A Teams position without UNO calls."""
    return given("teams", hands, top, draw_pile, rules={**QUIET, **more.pop("rules", {})}, **more)


def lively_move(game: uno.Game, rng: np.random.Generator) -> str:
    """A random move, a play where there is one (drawing at random never ends)."""
    plays = [action for action in game.legal() if action.startswith("play")]
    return str(rng.choice(plays or game.legal()))


def test_tm_r1_the_deck_is_an_assumption_that_can_be_changed():
    """Two of each 1 to 9 and action per colour, one even number in two with the give symbol."""
    deck = uno.Rules.preset("teams").deck
    assert deck.size == 112
    for color in ("red", "yellow", "green", "blue"):
        assert f"{color}-0" not in deck
        for number in range(1, 10):
            even = number % 2 == 0
            assert deck[f"{color}-{number}"] == (1 if even else 2)
            assert deck.get(f"{color}-{number}+give", 0) == (1 if even else 0)
        assert [deck[f"{color}-{kind}"] for kind in ("skip", "reverse", "draw2")] == [2, 2, 2]
    assert [deck[wild] for wild in ("wild", "wild-team-play", "wild-team-draw2")] == [4, 6, 6]
    other = uno.Rules.preset("teams").replace(deck={"1+give": 1, "1": 1, "wild": 6})
    assert (other.deck["blue-1+give"], other.deck.size) == (1, 114)


def test_tm_r2_four_six_or_eight_seats():
    """A table has four, six or eight seats, four if nothing is said."""
    assert len(uno.Game("teams", seed=0).snapshot()["hands"]) == 4
    for num_players in (4, 6, 8):
        assert not uno.Game("teams", num_players=num_players, seed=0).over
    for num_players in (2, 3, 5, 7, 10):
        with pytest.raises(ValueError, match="num_players"):
            uno.Game("teams", num_players=num_players, seed=0)


def test_tm_r3_the_giver_picks_the_half():
    """The giver picks the cards of a half; as an option chance does."""
    b, _, d = OTHERS
    hands = ["red-5", b, "blue-3 blue-4 blue-6 wild", d]
    g = play(teams(hands), "0: play red-5")
    assert (g.actor, g.phase, len(g.legal())) == (2, "give-half", 4)
    g = play(teams(hands, rules={"half_choice": "random"}), "0: play red-5")
    assert (g.actor, g.phase) == (1, "play")
    assert sizes(g) == [2, 3, 2, 3]
    assert sorted(hand(g, 0) + hand(g, 2)) == ["blue-3", "blue-4", "blue-6", "wild"]


def test_tm_r4_order_of_events_on_a_last_card():
    """On a last card come the win, the colour and the draws, the half, UNO, then the next turn."""
    b, _, d = OTHERS
    g = given("teams", ["wild-team-draw2", b, "blue-3 blue-4", d], "red-9")
    play(g, "0: play wild-team-draw2")
    assert (g.actor, g.phase) == (0, "color")
    play(g, "0: color green")
    assert (g.actor, g.phase) == (2, "give-half")
    assert sizes(g) == [0, 5, 2, 5]
    play(g, "2: give blue-3")
    assert (g.actor, g.phase) == (2, "uno-call")
    play(g, "2: call-uno", "0: call-uno")
    assert (g.actor, g.phase) == (2, "play")


def test_tm_r5_a_half_is_not_a_second_turn():
    """A seat that received a half waits for its next turn before it lays another card."""
    b, _, d = OTHERS
    g = play(teams(["red-5", b, "red-3 red-4 red-6 wild", d]), "0: play red-5")
    play(g, "2: give red-3", "2: give red-4")
    assert (g.actor, g.phase) == (1, "play")


def test_tm_r6_effects_hit_the_next_seat_in_play():
    """Seats that are out are passed over, so an action card may hit its player's own partner."""
    hands = ["red-skip green-1 green-2", "", "blue-3 blue-4", "yellow-1"]
    g = play(teams(hands, out=[1]), "0: play red-skip")
    assert (g.actor, g.phase) == (3, "play")


def test_tm_r6_effects_may_be_made_to_hit_opponents_only():
    """As an option a draw card passes over the partner and hits the next opponent in play."""
    hands = ["red-draw2 green-1 green-2", "", "blue-3 blue-4", "yellow-1"]
    g = teams(hands, out=[1], rules={"next_for_effects": "opponent"})
    play(g, "0: play red-draw2", "3: give yellow-1")
    assert sizes(g) == [2, 1, 2, 2]
    assert g.snapshot()["out"] == []
    # Whether the partner acts first or not, the seat that drew has lost its turn.
    if g.actor == 2:
        play(g, "2: draw")
    assert g.actor != 3


def test_tm_r7_a_uno_penalty_brings_the_partner_back():
    """Any card really drawn brings the partner back, the two cards of a missed UNO call too."""
    b, _, d = OTHERS
    g = given(
        "teams", ["", b, "blue-3", d], "red-9", "red-7 blue-7 blue-8", out=[0], turn=2, actor=2
    )
    play(g, "2: draw", "2: give blue-3", "2: play red-7")
    assert g.snapshot()["out"] == [2]
    play(g, "0: stay-silent", "2: stay-silent", "1: catch")
    assert (g.actor, g.phase) == (0, "give-half")
    play(g, "0: give blue-8")
    assert (hand(g, 0), hand(g, 2)) == (["blue-3", "blue-7"], ["blue-8"])
    assert g.snapshot()["out"] == []


def test_tm_r8_the_half_comes_before_the_drawn_card_is_played():
    """Drawing with the partner out passes the half first, then the drawn card, then UNO."""
    b, _, d = OTHERS
    g = given("teams", ["", b, "blue-3", d], "red-9", "red-7 blue-7", out=[0], turn=2, actor=2)
    play(g, "2: draw")
    assert g.phase == "give-half"
    play(g, "2: give blue-3")
    assert (g.actor, g.phase) == (2, "play-drawn")
    play(g, "2: keep")
    assert (g.actor, g.phase) == (2, "uno-call")
    play(g, "2: call-uno")
    assert (g.actor, g.phase) == (0, "uno-call")
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (3, "play")


def test_tm_r9_super_team_with_a_short_draw_pile():
    """If no card is left for the out partner of a Super Team's target, it is passed half a hand."""
    _, c, _ = OTHERS
    hands = ["wild-team-draw2 green-1 green-2", "blue-3", c, ""]
    g = teams(hands, "red-9", "blue-7", out=[3])
    play(g, "0: play wild-team-draw2", "0: color green")
    assert (g.actor, g.phase) == (1, "give-half")
    play(g, "1: give red-9")
    assert (hand(g, 1), hand(g, 3)) == (["blue-3", "blue-7"], ["red-9"])
    assert (g.actor, g.phase) == (2, "play")


def test_tm_r10_a_partner_that_can_follow_must():
    """After a Team Play the partner has no choice but to lay a card when it can."""
    b, _, d = OTHERS
    g = teams(["wild-team-play green-1 green-2", b, "blue-3 green-4 red-1", d])
    play(g, "0: play wild-team-play", "0: color blue")
    assert g.phase == "team-play"
    assert g.legal() == ["play blue-3"]


def test_tm_r11_the_partner_of_an_out_seat_holds_one_card():
    """A seat is out only while its hand is empty and its partner holds a single card."""
    seen = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        g = uno.Game("teams", num_players=4, seed=seed)
        while not g.over:
            if g.phase == "play":
                state = g.snapshot()
                held = [len(cards) for cards in state["hands"]]
                out = state["out"]
                assert out == [seat for seat in range(4) if held[seat] == 0]
                assert all(held[(seat + 2) % 4] == 1 for seat in out)
                seen += len(out)
            g.step(lively_move(g, rng))
    assert seen


def test_tm_r11_team_play_to_an_out_partner_under_other_rules():
    """Where a seat may be out beside a larger hand, a Team Play fails and brings it back."""
    b, _, d = OTHERS
    hands = ["", b, "wild-team-play blue-1 blue-3", d]
    g = teams(hands, draw_pile="red-1 red-2", out=[0], turn=2, rules={"going_out_half": False})
    play(g, "2: play wild-team-play", "2: color red")
    assert (g.actor, g.phase) == (2, "give-half")
    play(g, "2: give blue-1", "2: give red-1")
    assert (hand(g, 0), hand(g, 2)) == (["blue-1", "red-1"], ["blue-3", "red-2"])
    assert (g.actor, g.phase) == (1, "play")


def test_tm_r12_no_exchange_with_an_empty_hand():
    """The give symbol does nothing when one of the two partners has no card to give."""
    b, _, d = OTHERS
    hands = ["", b, "red-4+give blue-1 blue-3", d]
    g = teams(hands, out=[0], turn=2, rules={"going_out_half": False})
    play(g, "2: play red-4+give")
    assert (g.actor, g.phase) == (3, "play")
    assert sizes(g) == [0, 3, 2, 3]


def test_tm_r13_the_exchange_is_blind():
    """Neither partner sees the other's card before both have chosen."""
    g = play(teams(["red-4+give green-1 green-2", *OTHERS]), "0: play red-4+give")
    one, two = play(g.clone(), "0: give green-1"), play(g.clone(), "0: give green-2")
    assert one.snapshot()["hands"] == two.snapshot()["hands"] == g.snapshot()["hands"]
    for seat in (1, 2, 3):
        assert one.view(seat) == two.view(seat)


def test_tm_r14_a_transfer_makes_a_call_due():
    """Whoever is left with one card by a transfer owes a call, though it called for another."""
    b, _, d = OTHERS
    g = given("teams", ["red-4+give green-1", b, "blue-3", d], "red-9", uno_called=[2])
    play(g, "0: play red-4+give", "0: give green-1", "2: give blue-3")
    assert (g.actor, g.phase) == (0, "uno-call")
    assert g.snapshot()["uno_called"] == []
    play(g, "0: call-uno")
    assert (g.actor, g.phase) == (2, "uno-call")
    play(g, "2: call-uno")
    assert sorted(g.snapshot()["uno_called"]) == [0, 2]


def test_tm_r15_only_opponents_catch():
    """The partner is never asked to catch a silent seat, nor is an opponent that is out."""
    hands = ["red-5 red-6", "", "blue-3 blue-4", "yellow-1"]
    g = given("teams", hands, "red-9", out=[1], uno_called=[3])
    play(g, "0: play red-5", "0: stay-silent", "2: stay-silent")
    assert (g.actor, g.phase) == (3, "uno-catch")
    play(g, "3: ignore")
    assert (g.actor, g.phase) == (2, "play")


def test_tm_r16_the_give_symbol_does_not_match():
    """Two cards do not match just because both bear the give symbol."""
    mine = "red-4+give blue-2+give green-8+give yellow-2"
    g = given("teams", [mine, *OTHERS], "green-2+give")
    assert set(g.legal()) == {"play blue-2+give", "play green-8+give", "play yellow-2", "draw"}


def test_tm_r17_an_opening_card_with_the_symbol_exchanges_nothing():
    """An opening card with the give symbol starts no exchange, as nobody has laid it."""
    seen = 0
    for seed in range(60):
        g = uno.Game("teams", num_players=4, seed=seed)
        seen += g.snapshot()["discard"][-1].endswith("+give")
        while g.phase == "pass-card":
            g.step(g.legal()[0])
        assert g.phase == "play"
    assert seen


@pytest.mark.parametrize("card", ["red-draw2", "wild-team-draw2"])
def test_tm_r18_a_winning_draw_card_is_not_drawn(card):
    """A draw card that wins the round makes nobody draw before the count."""
    g = teams([card, "green-3 green-4", "", "yellow-1 yellow-2"], out=[2])
    play(g, f"0: play {card}")
    assert g.over
    assert sizes(g) == [0, 2, 0, 2]
    assert g.scores == [10, 0, 10, 0]


def test_tm_r19_three_teams():
    """With more than two teams the winners get the cards of all the others."""
    hands = ["red-5", "green-3", "blue-4 blue-skip", "", "yellow-6", "wild"]
    g = play(teams(hands, out=[3]), "0: play red-5")
    assert g.winners == (0, 3)
    assert g.scores == [83, 0, 0, 83, 0, 0]


@pytest.mark.parametrize(("direction", "following"), [(1, 4), (-1, 2)])
def test_tm_r21_team_play_passes_over_the_seats_between(direction, following):
    """A Team Play passes over the seats in between and leaves the direction as it is."""
    hands = ["wild-team-play red-1 red-2", *["red-3 red-4 red-6"] * 5]
    g = teams(hands, direction=direction)
    play(g, "0: play wild-team-play", "0: color red")
    assert (g.actor, g.phase) == (3, "team-play")
    play(g, "3: play red-4")
    assert (g.actor, g.phase) == (following, "play")
    assert g.snapshot()["direction"] == direction
    assert sizes(g) == [2, 3, 3, 2, 3, 3]


def test_tm_r22_holder_then_partner_then_opponents():
    """A missing call is put to the holder, then to its partner, then to the opponents in order."""
    hands = ["red-5 red-6", "red-1 green-3", "blue-3 blue-4", "yellow-1 yellow-3"]
    g = play(given("teams", hands, "red-9"), "0: play red-5")
    asked = []
    while g.phase in ("uno-call", "uno-catch"):
        asked.append((g.actor, g.phase))
        g.step("stay-silent" if g.phase == "uno-call" else "ignore")
    assert asked == [(0, "uno-call"), (2, "uno-call"), (1, "uno-catch"), (3, "uno-catch")]
    assert g.actor == 1
