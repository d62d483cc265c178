"""IG 2000: jump-in and sum."""

import pytest

import uno_env as uno

from .given import given, hand, opened_by, play, sizes

FILL = "blue-1 green-6 green-8"


def test_ig_63_jump_in_with_an_identical_card():
    """A seat may lay the exact twin of the card just laid out of turn; play goes on from there."""
    g = given("ig2000", [f"red-7 {FILL}", FILL, f"red-7 {FILL}", f"blue-7 {FILL}"], "red-5")
    play(g, "0: play red-7")
    assert (g.actor, g.phase) == (2, "react")
    assert set(g.legal()) == {"jump-in", "pass"}
    play(g, "2: jump-in")
    assert g.snapshot()["discard"][-2:] == ["red-7", "red-7"]
    assert sizes(g) == [3, 3, 3, 4]
    assert (g.actor, g.phase) == (3, "play")
    jumps = [event for event in g.events if event["type"] == "jump-in"]
    assert [event["seat"] for event in jumps] == [2]


def test_ig_63_declining_a_jump_in():
    """A seat that lets its twin be keeps it, and the turn goes to the usual seat."""
    g = given("ig2000", [f"red-7 {FILL}", FILL, f"red-7 {FILL}"], "red-5")
    play(g, "0: play red-7", "2: pass")
    assert (g.actor, g.phase) == (1, "play")
    assert sizes(g) == [3, 3, 4]


@pytest.mark.parametrize("special", ["red-skip", "red-reverse", "red-draw2", "wild", "wild-swap"])
def test_ig_63_specials_have_twins_too(special):
    """Specials may be jumped on by the same special, coloured ones only in the same colour."""
    held = f"{special} {FILL} blue-skip blue-reverse blue-draw2"
    g = given("ig2000", [f"{special} {FILL}", FILL, held], "red-5")
    play(g, f"0: play {special}")
    if g.phase == "swap-pair":
        play(g, "0: no-swap")
    if g.phase == "color":
        play(g, "0: color red")
    assert (g.actor, g.phase) == (2, "react")
    other = f"blue-{special.partition('-')[2]}" if special.startswith("red") else "wild-draw4"
    g = given("ig2000", [f"{special} {FILL}", FILL, f"{other} {FILL}"], "red-5")
    play(g, f"0: play {special}")
    if g.phase == "swap-pair":
        play(g, "0: no-swap")
    if g.phase == "color":
        play(g, "0: color red")
    assert g.phase != "react"


def test_ig_64_sum_ends_the_round():
    """A seat whose numbers total the card just laid may lay them all and win, no UNO needed."""
    g = given("ig2000", [f"red-9 {FILL}", FILL, "green-4 blue-3 yellow-2"], "red-5")
    play(g, "0: play red-9")
    assert (g.actor, g.phase) == (2, "react")
    assert set(g.legal()) == {"sum", "pass"}
    declined = play(g.clone(), "2: pass")
    assert (declined.actor, declined.phase) == (1, "play")
    play(g, "2: sum")
    assert g.over
    assert g.winners == (2,)
    assert hand(g, 2) == []
    assert list(g.points) == [15, 15, 0]
    laid = ["blue-3", "green-4", "yellow-2"]
    assert sorted(g.snapshot()["discard"][-3:]) == laid
    assert [event["seat"] for event in g.events if event["type"] == "sum"] == [2]
    for watcher in (0, 1):
        seen = [event.get("cards", []) for event in g.view(watcher)["events"]]
        assert laid in [sorted(shown) for shown in seen]


@pytest.mark.parametrize(
    "held", ["green-4 blue-3", "green-4 blue-5 red-1", "green-4 blue-5 red-skip"]
)
def test_ig_64_sum_must_be_exact_and_of_numbers(held):
    """A hand that totals more or less, or holds a special, may not be laid as a sum."""
    g = given("ig2000", [f"red-9 {FILL}", FILL, held], "red-5")
    play(g, "0: play red-9")
    assert (g.actor, g.phase) == (1, "play")


def test_ig_64_a_sum_leaves_no_call_behind():
    """A call made for a single card lapses when that card is laid as a sum."""
    g = given("ig2000", [f"red-6 {FILL}", FILL, "blue-6"], "red-5", uno_called=[2])
    play(g, "0: play red-6", "2: sum")
    assert g.winners == (2,)
    assert g.snapshot()["uno_called"] == []
    assert g.view(0)["uno_called"] == []
    assert uno.Game.from_snapshot(g.snapshot()).snapshot() == g.snapshot()


def test_ig_65_one_card_at_a_time():
    """Two identical cards are laid one after the other, the second as a jump-in of its own."""
    g = given("ig2000", [f"red-7 red-7 {FILL}", FILL, FILL], "red-5")
    play(g, "0: play red-7")
    assert sizes(g) == [4, 3, 3]
    assert (g.actor, g.phase) == (0, "react")
    play(g, "0: jump-in")
    assert sizes(g) == [3, 3, 3]
    assert (g.actor, g.phase) == (1, "play")


def test_ig_66_player_of_the_card_reacts_last():
    """Nobody lays a card and a sum in one go: the others may react before the card's player."""
    g = given("ig2000", ["red-7 blue-5 green-2", FILL, "green-3 blue-4 red-0"], "red-5")
    play(g, "0: play red-7")
    assert (g.actor, g.phase) == (2, "react")
    assert "sum" in g.legal()
    play(g, "2: pass")
    assert (g.actor, g.phase) == (0, "react")
    assert "sum" in g.legal()


@pytest.mark.parametrize("reaction", ["jump-in", "sum"])
def test_ig_67_one_may_wait_for_a_draw(reaction):
    """A seat may hold its reaction back until the seat to act has drawn; the drawn card is kept."""
    held = f"red-7 {FILL}" if reaction == "jump-in" else "green-4 blue-3"
    g = given("ig2000", [f"red-7 {FILL}", FILL, FILL, held], "red-5")
    play(g, "0: play red-7", "3: pass", "1: draw")
    assert (g.actor, g.phase) == (3, "react")
    play(g, f"3: {reaction}")
    assert sizes(g)[1] == 4
    if reaction == "sum":
        assert g.winners == (3,)
    else:
        assert (g.actor, g.phase) == (0, "play")


WITH_JUMP_IN = {"jump_in": True, "uno_call": "off"}


def test_ig_r28_jump_in_on_a_plus2_that_cannot_be_answered():
    """Without stacking a jump-in on a +2 hits the seat after the jumper, and nobody else draws."""
    hands = [f"red-draw2 {FILL}", FILL, f"red-draw2 {FILL}", FILL]
    g = given("classic", hands, "red-5", rules=WITH_JUMP_IN)
    play(g, "0: play red-draw2")
    assert (g.actor, g.phase, sizes(g)) == (2, "react", [3, 3, 4, 3])
    assert g.snapshot()["pending"]["amount"] == 2
    declined = play(g.clone(), "2: pass")
    assert sizes(declined) == [3, 5, 4, 3]
    # IG-67: the window opens again after the draw; what was drawn stays drawn.
    assert (declined.actor, declined.phase) == (2, "react")
    play(declined, "2: pass")
    assert (declined.actor, declined.phase) == (2, "play")
    play(g, "2: jump-in")
    assert sizes(g) == [3, 3, 3, 5]
    assert (g.actor, g.phase) == (0, "play")
    assert g.snapshot()["pending"] is None


def test_ig_r28_a_plus4_laid_by_a_jump_in_waits_for_the_next_one():
    """Without stacking three +4 in a row by jump-in make one seat draw four cards, once."""
    hands = [f"wild-draw4 {FILL}", f"wild-draw4 {FILL}", f"wild-draw4 {FILL}", FILL]
    g = given("classic", hands, "red-5", rules=WITH_JUMP_IN)
    play(g, "0: play wild-draw4", "0: color blue", "1: jump-in", "1: color red")
    assert sizes(g) == [3, 3, 4, 3]
    play(g, "2: jump-in", "2: color green")
    assert sizes(g) == [3, 3, 3, 7]
    assert (g.actor, g.phase) == (0, "play")


def test_ig_r28_jump_in_on_an_opening_plus2():
    """An opening +2 without an answer is drawn only when nobody jumps in on it."""
    rules = {**WITH_JUMP_IN, "jump_in_after_draw": False}
    games = [g for g in opened_by("classic", "draw2", **rules) if g.phase == "react"]
    assert games
    for g in games:
        assert sizes(g) == [7, 7, 7, 7]
        jumper = g.actor
        declined = g.clone()
        for after in (declined, play(g, "jump-in")):
            while after.phase == "react":
                play(after, "pass")
        left = (g.snapshot()["dealer"] + 1) % 4
        assert sizes(declined)[left] == 9
        assert sum(sizes(declined)) == 30
        assert sizes(g)[(jumper + 1) % 4] == 9
        assert sum(sizes(g)) == 29


@pytest.mark.parametrize("jumps", [False, True])
def test_ig_r28_tm_37_jump_in_on_a_super_team_card(jumps):
    """A Super Team wild that is jumped in on hits only the team after the jumper."""
    hands = [f"wild-team-draw2 {FILL}", f"wild-team-draw2 {FILL}", FILL, FILL]
    g = given("teams", hands, "red-5", rules={**WITH_JUMP_IN, "jump_in_after_draw": False})
    play(g, "0: play wild-team-draw2", "0: color blue")
    assert (g.actor, g.phase, sizes(g)) == (1, "react", [3, 4, 3, 3])
    play(g, *(["1: jump-in", "1: color red"] if jumps else ["1: pass"]))
    assert sizes(g) == ([5, 3, 5, 3] if jumps else [3, 6, 3, 5])
    assert (g.actor, g.phase) == ((3, "play") if jumps else (2, "play"))


def test_ig_68_jump_in_on_a_plus4():
    """A jumped-in +4 sends the whole amount to the seat after the jumper, less what was drawn."""
    hands = [f"wild-draw4 {FILL}", FILL, f"wild-draw4 {FILL}", FILL]
    g = given("ig2000", hands, "red-5")
    play(g, "0: play wild-draw4", "0: color blue")
    at_once = play(g.clone(), "2: jump-in", "2: color green")
    assert (at_once.actor, at_once.phase) == (3, "stack")
    assert at_once.snapshot()["pending"]["amount"] == 8
    assert sizes(at_once)[1] == 3
    play(g, "2: pass", "1: take", "2: jump-in", "2: color green")
    assert (g.actor, g.phase) == (3, "stack")
    assert g.snapshot()["pending"]["amount"] == 4
    assert sizes(g)[1] == 7


def test_ig_r10_one_may_jump_in_on_oneself():
    """The player of a card may lay its twin at once; `jump_in_self=False` forbids it."""
    hands = [f"red-7 red-7 {FILL}", FILL, FILL]
    g = play(given("ig2000", hands, "red-5"), "0: play red-7")
    assert (g.actor, g.phase) == (0, "react")
    g = given("ig2000", hands, "red-5", rules={"jump_in_self": False})
    play(g, "0: play red-7")
    assert (g.actor, g.phase) == (1, "play")


@pytest.mark.parametrize("direction", [1, -1])
def test_ig_r11_poll_order(direction):
    """Reactions are offered in turn order, the player of the card coming last."""
    g = given("ig2000", [f"wild wild {FILL}"] + [f"wild {FILL}"] * 3, "red-5", direction=direction)
    play(g, "0: play wild", "0: color red")
    for place in (1, 2, 3, 4):
        assert (g.actor, g.phase) == (place * direction % 4, "react")
        g.step("pass")
    assert (g.actor, g.phase) == (direction % 4, "play")


def test_ig_r11_a_zero_has_no_twin():
    """In this deck a 0 of one colour exists once, so no seat can ever jump in on it."""
    deck = uno.Rules.preset("ig2000").deck
    assert [deck[f"{color}-0"] for color in ("red", "yellow", "green", "blue")] == [1] * 4
    assert max(deck[card] for card in deck if not card.startswith("wild")) == 2


def test_ig_r11_option_random_race():
    """With `race="random"` chance decides who is asked first."""
    rules = uno.Rules.preset("ig2000").replace(deck={"*": 0, "red-1": 99}, race="random")
    first = set()
    for seed in range(60):
        g = uno.Game(rules, num_players=4, seed=seed)
        assert g.phase == "react"
        first.add((g.actor - g.snapshot()["dealer"]) % 4)
    assert len(first) > 2


def test_ig_r12_the_window_stays_open_until_the_next_card():
    """Reactions are offered after the play and after each draw, until another card covers it."""
    g = given("ig2000", [f"red-7 {FILL}", FILL, f"red-2 {FILL}", f"red-7 {FILL}"], "red-5")
    play(g, "0: play red-7", "3: pass", "1: draw", "3: pass")
    assert (g.actor, g.phase) == (2, "play")
    late = play(g.clone(), "2: draw", "3: jump-in")
    assert late.actor == 0
    play(g, "2: play red-2")
    assert (g.actor, g.phase) == (3, "play")


def test_ig_r12_the_window_precedes_the_drawn_card():
    """After a turn draw the others are asked before the drawer decides about its card."""
    draw_pile = "red-3 blue-9"
    g = given("ig2000", [f"red-7 {FILL}", FILL, f"red-7 {FILL}"], "red-5", draw_pile)
    play(g, "0: play red-7", "2: pass", "1: draw")
    assert (g.actor, g.phase) == (2, "react")
    play(g, "2: pass")
    assert (g.actor, g.phase) == (1, "play-drawn")
    assert set(g.legal()) == {"play red-3", "keep"}


def test_ig_r12_the_window_follows_a_whole_penalty_draw():
    """While a penalty is drawn nobody is asked; the window opens when it is complete."""
    g = given("ig2000", [f"wild-draw4 {FILL}", FILL, f"wild-draw4 {FILL}"], "red-5")
    play(g, "0: play wild-draw4", "0: color blue", "2: pass", "1: take")
    assert sizes(g)[1] == 7
    assert (g.actor, g.phase) == (2, "react")


def test_ig_r12_option_no_window_after_a_draw():
    """With `jump_in_after_draw=False` there is one window only, right after the play."""
    rules = {"jump_in_after_draw": False}
    g = given("ig2000", [f"red-7 {FILL}", FILL, f"red-7 {FILL}"], "red-5", rules=rules)
    play(g, "0: play red-7", "2: pass", "1: draw")
    assert (g.actor, g.phase) == (2, "play")


def test_ig_r14_a_jumped_in_plus4_is_honest():
    """A +4 laid by a jump-in cannot be contested; `jump_in_plus4_contestable=True` allows it."""
    hands = [f"wild-draw4 {FILL}", FILL, f"wild-draw4 wild {FILL}", FILL]
    g = given("ig2000", hands, "red-5")
    play(g, "0: play wild-draw4", "0: color blue", "2: jump-in", "2: color green")
    assert not g.snapshot()["pending"]["contestable"]
    assert "challenge" not in g.legal()
    g = given("ig2000", hands, "red-5", rules={"jump_in_plus4_contestable": True})
    play(g, "0: play wild-draw4", "0: color blue", "2: jump-in", "2: color green")
    assert "challenge" in g.legal()
    # Seat 2 holds a Joker, its other answer to the +4 it jumped on.
    play(g, "3: challenge")
    assert sizes(g) == [3, 3, 4 + 12, 3]


def test_ig_r15_sum_targets_numbers_only():
    """Only a number card can be equalled by a sum, and a special is never worth its points here."""
    g = given("ig2000", [f"red-skip {FILL}", FILL, "red-9 red-8 blue-3"], "red-5")
    play(g, "0: play red-skip")
    assert (g.actor, g.phase) == (2, "play")
    g = given("ig2000", [f"red-skip {FILL}", FILL, "blue-reverse"], "red-5", uno_called=[2])
    play(g, "0: play red-skip")
    assert (g.actor, g.phase) == (2, "play")


@pytest.mark.parametrize(
    ("laid", "held"), [("red-6", "blue-6"), ("red-3", "blue-0 green-3 red-0"), ("red-0", "blue-0")]
)
def test_ig_r15_single_cards_and_zeros(laid, held):
    """One card of the same number is a sum, and a 0 weighs nothing."""
    g = given("ig2000", [f"{laid} {FILL}", FILL, held], "red-5")
    play(g, f"0: play {laid}", "2: sum")
    assert g.winners == (2,)


def test_ig_r16_sum_needs_no_turn():
    """A sum may be laid by any seat, wherever the turn is."""
    for seat in (1, 2, 3):
        hands = [f"red-9 {FILL}", FILL, FILL, FILL]
        hands[seat] = "green-4 blue-3 yellow-2"
        g = play(given("ig2000", hands, "red-5"), "0: play red-9", f"{seat}: sum")
        assert g.winners == (seat,)
