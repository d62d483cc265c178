"""IG 2000: deck, deal and the effect of the opening card."""

from collections import Counter
from collections.abc import Callable

import pytest

import uno_env as uno

from .given import given, hand, sizes

PHYSICAL = {
    "IG-11": "Nobody is shown a hand before the opening card lies there, so peeking cannot happen.",
    "IG-62": "The two cards for peeking never fall due: see IG-11.",
    "IG-69": "Seats decide one after the other, so everybody always has time to sort a big draw.",
}

COLORS = ("red", "yellow", "green", "blue")


def kind(card: str) -> str:
    """What a card is apart from its colour; a wild is its own kind."""
    color, _, rest = card.partition("-")
    return rest if color in COLORS else card


def anything(_: uno.Game) -> bool:
    """No further wish."""
    return True


def opened(
    wanted: str, seats: int = 4, where: Callable[[uno.Game], bool] = anything, **changes: object
) -> uno.Game:
    """The first seeded deal that opens with this kind, no seat having a reaction to it."""
    rules = uno.Rules.preset("ig2000").replace(**changes)
    for seed in range(5000):
        g = uno.Game(rules, num_players=seats, seed=seed)
        now = g.snapshot()
        top = now["discard"][-1]
        alone = not any(top in cards for cards in now["hands"])
        if kind(top) == wanted and alone and g.phase != "react" and where(g):
            return g
    raise AssertionError(f"no deal opens with {wanted}")


def after_dealer(g: uno.Game, places: int) -> int:
    """The seat so many places clockwise from the dealer."""
    now = g.snapshot()
    return (now["dealer"] + places) % now["num_players"]


def test_ig_04_ig_r1_deck_has_112_cards():
    """The deck is the itemised list of 112 cards, four UNO cards included, and not 108."""
    deck = {f"{c}-{k}": 2 for c in COLORS for k in [*range(1, 10), "skip", "reverse", "draw2"]}
    deck |= {f"{c}-0": 1 for c in COLORS} | {"wild": 4, "wild-draw4": 4, "wild-swap": 4}
    assert dict(uno.Rules.preset("ig2000").deck) == deck
    now = uno.Game("ig2000", num_players=5, seed=3).snapshot()
    everything = Counter(now["draw_pile"] + now["discard"] + [c for h in now["hands"] for c in h])
    assert everything == deck
    assert everything.total() == 112


def test_ig_06_first_dealer_is_random():
    """Chance picks the first dealer: with enough seeds every seat gets the job."""
    dealers = {uno.Game("ig2000", num_players=4, seed=s).snapshot()["dealer"] for s in range(80)}
    assert dealers == {0, 1, 2, 3}


def test_ig_08_seven_cards_each():
    """Every seat starts with seven cards."""
    for seats in range(2, 11):
        assert sizes(uno.Game("ig2000", num_players=seats, seed=seats)) == [7] * seats


def test_ig_10_one_card_is_turned_from_the_draw_pile():
    """After the deal one card, and only one, moves from the draw pile to the discard pile."""
    shown = set()
    for seed in range(60):
        now = uno.Game("ig2000", num_players=4, seed=seed).snapshot()
        assert len(now["discard"]) == 1
        assert len(now["draw_pile"]) == 112 - 4 * 7 - 1
        shown.add(kind(now["discard"][0]))
    assert shown & {"skip", "reverse", "draw2", "wild", "wild-draw4", "wild-swap"}


@pytest.mark.parametrize(
    ("card", "phase", "places"),
    [
        ("7", "play", 1),
        ("draw2", "stack", 1),
        ("skip", "play", 2),
        ("reverse", "play", 3),
        ("wild", "opening-color", 1),
        ("wild-draw4", "opening-color", 0),
        ("wild-swap", "opening-swap", 1),
    ],
)
def test_ig_12_opening_card_takes_effect(card, phase, places):
    """The opening card is never replaced: if it is special, its effect strikes the first player."""
    g = opened(card)
    assert g.phase == phase
    assert g.actor == after_dealer(g, places)


def test_ig_13_dealer_names_the_color_of_an_opening_plus4():
    """When a +4 opens, the dealer says which colour it counts as."""
    g = opened("wild-draw4")
    assert g.phase == "opening-color"
    assert g.actor == after_dealer(g, 0)
    assert g.legal() == [f"color {c}" for c in COLORS]
    assert g.snapshot()["active_color"] is None
    g.step("color green")
    assert g.snapshot()["active_color"] == "green"


def test_ig_14_dealers_left_begins_clockwise():
    """With a number on the table the seat left of the dealer begins and turns go clockwise."""
    g = opened("4")
    now = g.snapshot()
    assert g.phase == "play"
    assert g.actor == now["turn"] == after_dealer(g, 1)
    assert now["direction"] == 1
    assert now["active_color"] == now["discard"][0].partition("-")[0]


def test_ig_28_opening_plus2_hits_dealers_left():
    """An opening +2 is aimed at the dealer's left, and the seat after it plays first."""
    g = opened("draw2")
    left = after_dealer(g, 1)
    assert (g.actor, g.phase) == (left, "stack")
    assert g.snapshot()["pending"]["amount"] == 2
    assert "challenge" not in g.legal()
    g.step("take")
    assert sizes(g)[left] == 9
    if g.phase == "react":
        g.step("pass")
    assert (g.actor, g.phase) == (after_dealer(g, 2), "play")


def test_ig_32_opening_reverse_starts_at_dealers_right():
    """An opening Reverse lets the dealer's right begin, and play runs counter-clockwise."""
    g = opened("reverse")
    assert g.actor == after_dealer(g, 3)
    assert g.snapshot()["direction"] == -1
    assert g.phase == "play"


def test_ig_32_counter_clockwise_goes_on_until_the_next_reverse():
    """After an opening Reverse turns keep going to the right."""
    g = opened("reverse", jump_in=False, sum_out="none")
    g.step("draw")
    if g.phase == "play-drawn":
        g.step("keep")
    assert g.actor == after_dealer(g, 2)


def test_ig_34_opening_skip_passes_over_dealers_left():
    """An opening Skip costs the dealer's left its turn; the seat after it begins."""
    g = opened("skip")
    assert (g.actor, g.phase) == (after_dealer(g, 2), "play")
    assert sizes(g) == [7] * 4


def test_ig_37_opening_joker_is_coloured_by_the_starter():
    """When a Joker opens, the dealer's left names the colour and then takes its turn."""
    g = opened("wild")
    left = after_dealer(g, 1)
    assert (g.actor, g.phase) == (left, "opening-color")
    assert g.legal() == [f"color {c}" for c in COLORS]
    g.step("color blue")
    assert (g.actor, g.phase) == (left, "play")
    assert g.snapshot()["active_color"] == "blue"


def test_ig_46_opening_plus4_cannot_be_contested():
    """An opening +4 faces the dealer's left, who cannot contest it; its left plays first."""
    g = opened("wild-draw4")
    left = after_dealer(g, 1)
    g.step("color yellow")
    assert (g.actor, g.phase) == (left, "stack")
    pending = g.snapshot()["pending"]
    assert pending["amount"] == 4
    assert not pending["contestable"]
    assert "challenge" not in g.legal()
    g.step("take")
    assert sizes(g)[left] == 11
    if g.phase == "react":
        g.step("pass")
    assert (g.actor, g.phase) == (after_dealer(g, 2), "play")


def test_ig_50_opening_uno_card_swap_then_color_then_turn():
    """When a UNO card opens, the dealer's left may exchange two hands, names a colour and plays."""
    g = opened("wild-swap")
    left = after_dealer(g, 1)
    assert (g.actor, g.phase) == (left, "opening-swap")
    pairs = [f"swap +{i} +{j}" for i in range(4) for j in range(i + 1, 4)]
    assert g.legal() == [*pairs, "no-swap"]
    before = g.snapshot()["hands"]
    g.step("no-swap")
    assert g.snapshot()["hands"] == before
    assert (g.actor, g.phase) == (left, "opening-color")
    g.step("color red")
    assert (g.actor, g.phase) == (left, "play")
    assert g.snapshot()["active_color"] == "red"


def test_ig_c17_opening_swap_comes_before_the_color():
    """The starter of an opening UNO card picks the colour looking at the hand it swapped in."""
    g = opened("wild-swap")
    left, other = after_dealer(g, 1), after_dealer(g, 3)
    mine, theirs = hand(g, left), hand(g, other)
    assert mine != theirs
    g.step("swap +0 +2")
    assert (g.actor, g.phase) == (left, "opening-color")
    assert hand(g, left) == theirs
    assert hand(g, other) == mine
    assert sorted(g.view(left)["hand"]) == theirs
    g.step("color green")
    assert (g.actor, g.phase) == (left, "play")


def test_ig_r8_opening_penalty_may_be_answered():
    """Whoever faces the opening +2 or +4 may stack or cancel it like any other."""
    for card, answer, total in (("draw2", "draw2", 4), ("draw2", "wild-draw4", 6)):
        g = opened(card, where=lambda g, a=answer: any(a in text for text in g.legal()))
        g.step(next(text for text in g.legal() if answer in text))
        while g.phase in ("color", "react"):
            g.step("color red" if g.phase == "color" else "pass")
        assert (g.actor, g.phase) == (after_dealer(g, 2), "stack")
        assert g.snapshot()["pending"]["amount"] == total


def test_ig_r8_a_joker_cancels_the_opening_plus4():
    """The first player may wipe out an opening +4 with a Joker."""
    g = opened("wild-draw4", where=lambda g: "wild" in hand(g, after_dealer(g, 1)))
    g.step("color red")
    g.step("play wild")
    g.step("color blue")
    while g.phase == "react":
        g.step("pass")
    assert g.snapshot()["pending"] is None
    assert (g.actor, g.phase) == (after_dealer(g, 2), "play")


def test_ig_r8_option_opening_penalty_not_answerable():
    """With `opening_penalty_answerable=False` the first player simply draws and loses its turn."""
    g = opened("draw2", opening_penalty_answerable=False, jump_in=False, sum_out="none")
    assert sizes(g)[after_dealer(g, 1)] == 9
    assert (g.actor, g.phase) == (after_dealer(g, 2), "play")


def test_ig_r13_jump_in_on_the_opening_card():
    """The twin of the opening card may be laid at once, as if the dealer had played that card."""
    seen = 0
    for seed in range(400):
        g = uno.Game("ig2000", num_players=4, seed=seed)
        top = g.snapshot()["discard"][-1]
        if g.phase == "react" and kind(top).isdigit():
            assert "jump-in" in g.legal()
            seen += 1
            seat = g.actor
            assert top in hand(g, seat)
            g.step("jump-in")
            assert (g.actor, g.phase) == ((seat + 1) % 4, "play")
            assert g.snapshot()["discard"] == [top, top]
    assert seen > 3


def test_ig_r13_opening_poll_order():
    """On the opening card the dealer's left is asked first and the dealer last."""
    rules = uno.Rules.preset("ig2000").replace(deck={"*": 0, "red-1": 99})
    g = uno.Game(rules, num_players=4, seed=1)
    for places in (1, 2, 3, 4):
        assert (g.actor, g.phase) == (after_dealer(g, places), "react")
        g.step("pass")
    assert (g.actor, g.phase) == (after_dealer(g, 1), "play")


def test_ig_r13_window_follows_the_opening_color():
    """On a black opener the reactions are offered only once its colour has been named."""
    rules = uno.Rules.preset("ig2000").replace(deck={"*": 0, "wild": 99, "red-1": 1})
    g = uno.Game(rules, num_players=3, seed=1)
    assert (g.actor, g.phase) == (after_dealer(g, 1), "opening-color")
    g.step("color red")
    assert (g.actor, g.phase) == (after_dealer(g, 1), "react")


def test_ig_r13_option_no_reaction_on_the_opening_card():
    """With `jump_in_on_opening=False` nobody is asked before the first turn."""
    rules = uno.Rules.preset("ig2000").replace(deck={"*": 0, "red-1": 99})
    g = uno.Game(rules.replace(jump_in_on_opening=False), num_players=4, seed=1)
    assert (g.actor, g.phase) == (after_dealer(g, 1), "play")


def test_ig_c15_opening_plus2_answered():
    """A +2 of another colour on the opening +2 sends four cards to the next seat."""
    g = opened("draw2", where=lambda g: "draw2" in " ".join(hand(g, g.actor)))
    top = g.snapshot()["discard"][-1]
    answer = next(text for text in g.legal() if text.endswith("draw2"))
    assert not answer.endswith(top)
    g.step(answer)
    while g.phase == "react":
        g.step("pass")
    assert (g.actor, g.phase) == (after_dealer(g, 2), "stack")
    assert g.snapshot()["pending"]["amount"] == 4


def test_ig_c16_opening_reverse_with_two_seats():
    """At a table of two an opening Reverse makes the dealer's opponent begin."""
    g = opened("reverse", seats=2)
    assert (g.actor, g.phase) == (after_dealer(g, 1), "play")
    assert g.snapshot()["direction"] == -1


def test_ig_r23_two_seat_reverse_plays_again():
    """With two seats whoever lays a Reverse acts again; `literal` only turns the direction."""
    hands = ["red-reverse green-6 green-8", "blue-1 blue-6 blue-8"]
    g = given("ig2000", hands, "red-5")
    g.step("play red-reverse")
    assert (g.actor, g.phase) == (0, "play")
    g = given("ig2000", hands, "red-5", rules={"two_player_reverse": "literal"})
    g.step("play red-reverse")
    assert (g.actor, g.phase) == (1, "play")
    assert g.snapshot()["direction"] == -1


def test_ig_r24_two_to_ten_seats():
    """The game seats two to ten players."""
    for seats in (2, 10):
        assert uno.Game("ig2000", num_players=seats, seed=0).snapshot()["num_players"] == seats
    for seats in (1, 11):
        with pytest.raises(ValueError, match="num_players"):
            uno.Game("ig2000", num_players=seats, seed=0)
