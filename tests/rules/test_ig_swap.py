"""IG 2000: the UNO card."""

from .given import given, hand, knows, play, sizes

FILL = "blue-1 green-6 green-8"


def test_ig_48_uno_card_exchanges_two_hands():
    """A UNO card exchanges the hands of any two seats, its player's among them if wished."""
    hands = [f"wild-swap {FILL}", "red-3 red-4 red-6", "yellow-3 yellow-4 yellow-6 yellow-7", FILL]
    g = given("ig2000", hands, "red-5")
    play(g, "0: play wild-swap")
    assert (g.actor, g.phase) == (0, "swap-pair")
    pairs = [f"swap +{i} +{j}" for i in range(4) for j in range(i + 1, 4)]
    assert g.legal() == [*pairs, "no-swap"]
    own = play(g.clone(), "0: swap +0 +2")
    assert hand(own, 0) == hands[2].split()
    assert hand(own, 2) == sorted(FILL.split())
    play(g, "0: swap +1 +2")
    assert hand(g, 1) == hands[2].split()
    assert hand(g, 2) == hands[1].split()
    assert hand(g, 0) == hand(g, 3) == sorted(FILL.split())
    assert list(g.view(3)["hand_sizes"]) == [3, 4, 3, 3]


def test_ig_48_pairs_are_counted_from_the_player():
    """The two seats of an exchange are named by their distance from whoever plays the UNO card."""
    hands = ["red-3 red-4 red-6", FILL, f"wild-swap {FILL}", "yellow-3 yellow-4 yellow-6"]
    g = given("ig2000", hands, "red-5", actor=2, turn=2)
    play(g, "2: play wild-swap", "2: swap +1 +2")
    assert hand(g, 0) == hands[3].split()
    assert hand(g, 3) == hands[0].split()


def test_ig_48_the_two_seats_know_each_others_cards():
    """After an exchange the two seats know what they gave away; nobody else learns anything."""
    hands = [f"wild-swap {FILL}", "red-3 red-4 red-6", "yellow-3 yellow-4 yellow-6", FILL]
    g = given("ig2000", hands, "red-5")
    play(g, "0: play wild-swap", "0: swap +1 +2", "0: color red")
    assert knows(g, 1, 2) == hands[1].split()
    assert knows(g, 2, 1) == hands[2].split()
    for watcher in (0, 3):
        assert not knows(g, watcher, 1)
        assert not knows(g, watcher, 2)
    assert "swap" in [event["type"] for event in g.view(3)["events"]]


def test_ig_49_the_exchange_may_be_declined():
    """The player of a UNO card may leave all hands where they are."""
    g = given("ig2000", [f"wild-swap {FILL}", FILL, "red-3 red-4 red-6"], "red-5")
    before = g.snapshot()["hands"][1:]
    play(g, "0: play wild-swap", "0: no-swap", "0: color blue")
    assert g.snapshot()["hands"][1:] == before
    assert (g.actor, g.phase) == (1, "play")


def test_ig_51_last_uno_card_exchanges_before_the_count():
    """A UNO card as last card still lets the winner exchange two hands before the count."""
    hands = ["wild-swap", "red-3 red-4", "wild yellow-6", "blue-1 blue-2"]
    g = given("ig2000", hands, "red-5", uno_called=[0])
    play(g, "0: play wild-swap")
    assert (g.actor, g.phase) == (0, "swap-pair")
    declined = play(g.clone(), "0: no-swap")
    assert declined.over
    assert list(declined.points) == [0, 7, 56, 3]
    play(g, "0: swap +2 +3")
    assert g.over
    assert g.winners == (0,)
    assert list(g.points) == [0, 7, 3, 56]


def test_ig_r9_color_after_a_uno_card():
    """After the exchange the player of a UNO card names the colour to follow."""
    g = given("ig2000", [f"wild-swap {FILL}", FILL, FILL], "red-5")
    play(g, "0: play wild-swap", "0: no-swap")
    assert (g.actor, g.phase) == (0, "color")
    play(g, "0: color green")
    assert g.snapshot()["active_color"] == "green"
    assert g.actor == 1


def test_ig_r9_option_the_color_stays():
    """With `uno_card_color="keep"` the colour before the UNO card stays in force."""
    rules = {"uno_card_color": "keep"}
    g = given("ig2000", [f"wild-swap {FILL}", FILL, FILL], "red-5", rules=rules)
    play(g, "0: play wild-swap", "0: no-swap")
    assert (g.actor, g.phase) == (1, "play")
    assert g.snapshot()["active_color"] == "red"


def test_ig_r9_uno_card_fits_everything_but_a_penalty():
    """A UNO card may be laid on any card, but it does not answer a pending +2 or +4."""
    g = given("ig2000", [f"wild-swap {FILL}", FILL, FILL], "red-skip")
    assert "play wild-swap" in g.legal()
    for top, value in (("red-draw2", 2), ("wild-draw4", 4)):
        g = given(
            "ig2000",
            [f"wild-swap {FILL}", FILL, FILL],
            top,
            active_color="red",
            phase="stack",
            pending={"amount": value, "value": value, "source": 2, "contestable": False},
        )
        assert g.legal() == ["take"]


def test_ig_r19_the_winner_swaps_only_losers():
    """The winner may exchange the hands of two losers but not take part with its own empty hand."""
    hands = ["wild-swap", "red-3 red-4", "wild yellow-6", "blue-1 blue-2"]
    g = given("ig2000", hands, "red-5", uno_called=[0])
    play(g, "0: play wild-swap")
    assert g.legal() == ["swap +1 +2", "swap +1 +3", "swap +2 +3", "no-swap"]


def test_ig_r19_nothing_to_swap_with_two_seats():
    """At a table of two a winning UNO card has no two losers to exchange."""
    g = given("ig2000", ["wild-swap", FILL], "red-5", uno_called=[0])
    play(g, "0: play wild-swap")
    if not g.over:
        assert g.legal() == ["no-swap"]
        play(g, "0: no-swap")
    assert g.over
    assert g.winners == (0,)


def test_ig_r27_a_fault_in_the_winners_exchange_undoes_the_win():
    """A fault while exchanging with the last card brings cards: the card counts as ordinary."""
    hands = ["wild-swap", "red-3 red-4", "wild yellow-6", "blue-1 blue-2"]
    rules = {"fault_mode": "penalty"}
    g = given("ig2000", hands, "red-5", uno_called=[0], rules=rules)
    play(g, "0: play wild-swap", "0: catch")
    assert (g.actor, g.phase, sizes(g)) == (0, "swap-pair", [2, 2, 2, 2])
    assert "swap +0 +1" in g.legal()
    play(g, "0: no-swap")
    assert (g.actor, g.phase) == (0, "color")
    play(g, "0: color green")
    assert not g.over
    assert (g.actor, g.phase) == (1, "play")


def test_ig_r27_a_single_card_from_such_a_fault_owes_a_call():
    """A fault that brings a single card puts its seat into the UNO situation."""
    hands = ["wild-swap", "red-3 red-4", "wild yellow-6"]
    rules = {"fault_mode": "penalty", "fault_draw": 1}
    g = given("ig2000", hands, "red-5", uno_called=[0], rules=rules)
    play(g, "0: play wild-swap", "0: catch", "0: no-swap", "0: color green")
    assert (g.actor, g.phase, sizes(g)) == (0, "uno-call", [1, 2, 2])


def test_ig_c19_winning_uno_card_moves_points_between_losers():
    """The winner's exchange changes who carries the points but not how many there are."""
    hands = ["wild-swap", "red-3", "wild yellow-6 yellow-7", "blue-1 blue-2"]
    g = given("ig2000", hands, "red-5", uno_called=[0])
    play(g, "0: play wild-swap")
    declined = play(g.clone(), "0: no-swap")
    play(g, "0: swap +1 +2")
    assert sizes(g) == [0, 3, 1, 2]
    assert sum(g.points) == sum(declined.points) == 3 + 63 + 3
    assert list(g.points) == [0, 63, 3, 3]
    assert list(declined.points) == [0, 3, 63, 3]
