"""No Mercy: taking a turn, drawing, recycling, calling UNO, winning."""

from collections import Counter
from functools import partial

from .given import cards, given, hand, play, sizes

nm = partial(given, "no_mercy")

LOW = "blue-1 blue-2 blue-3"
"""Three cards that do not go on a red 5."""


def test_nm_02_shedding_all_cards_first_wins():
    """Whoever gets rid of all its cards first, or is the only seat left, has reached the goal."""
    game = play(nm(["red-1", LOW, LOW], "red-5"), "0: play red-1")
    assert game.over and game.winners == (0,)
    game = play(nm([["blue-1"] * 24, "red-1 red-2 red-3"], "red-5"), "0: draw")
    assert game.over and game.winners == (1,)


def test_nm_04_two_ways_to_win():
    """A round is won by an emptied hand or by the elimination of everybody else."""
    hands = ["wild-draw10 red-1", ["blue-1"] * 15]
    knocked_out = nm(hands, "red-5", rules={"uno_call": "off"})
    play(knocked_out, "0: play wild-draw10", "0: color red", "1: take")
    assert knocked_out.winners == (0,) and sizes(knocked_out)[0] == 1

    shed = nm(["red-2 red-1", "red-3 blue-3 blue-1"], "red-5", rules={"uno_call": "off"})
    play(shed, "0: play red-2", "1: play red-3", "0: play red-1")
    assert shed.winners == (0,) and sizes(shed) == [0, 2]


def test_nm_05_the_last_card_has_to_be_announced():
    """A seat that has announced its last card is safe, one that has not may be made to draw."""
    position = nm(["red-1 red-2", LOW, LOW], "red-5")
    called = play(position.clone(), "0: play red-1", "0: call-uno")
    assert (called.actor, called.phase) == (1, "play") and sizes(called) == [1, 3, 3]
    silent = play(position.clone(), "0: play red-1", "0: stay-silent", "1: catch")
    assert sizes(silent) == [3, 3, 3]


def test_nm_11_one_card_a_turn():
    """A turn lays a single card, even when the hand holds more that would fit."""
    game = play(nm(["red-1 red-2 red-3 red-4", LOW, LOW], "red-5"), "0: play red-1")
    assert game.actor == 1
    assert sizes(game) == [3, 3, 3]
    assert game.snapshot()["discard"] == ["red-5", "red-1"]


def test_nm_12_matching_by_color_number_symbol_or_wild():
    """A card fits by the active colour, by the top card's number or symbol, or as a wild."""
    held = "blue-2 green-7 red-skip wild-draw6 wild-roulette yellow-3"
    game = nm([held, LOW], "blue-7")
    fitting = {"play blue-2", "play green-7", "play wild-draw6", "play wild-roulette"}
    assert set(game.legal()) == fitting
    game = nm(["red-discard-all green-1 blue-skip-all", LOW], "yellow-discard-all")
    assert game.legal() == ["play red-discard-all"]
    game = nm(["red-draw4 green-1 blue-4", LOW], "wild-reverse-draw4", active_color="green")
    assert game.legal() == ["play green-1"]
    play(game, "0: play green-1")
    assert game.view(1)["top_card"] == "green-1"


def test_nm_13_an_action_card_takes_effect_when_laid():
    """Laying an action card brings about its effect at once, laying a number does not."""
    position = nm(["red-1 red-skip red-2 red-3", LOW, LOW], "red-5")
    assert play(position.clone(), "0: play red-1").actor == 1
    assert play(position.clone(), "0: play red-skip").actor == 2


def test_nm_14_draws_until_a_card_can_be_played():
    """A seat without a fitting card draws until one fits, and may then lay that one."""
    game = nm([LOW, LOW, LOW], "red-5", draw_pile="green-1 yellow-2 red-8 red-1")
    assert game.legal() == ["draw"]
    play(game, "0: draw")
    assert (game.actor, game.phase) == (0, "play-drawn")
    assert set(game.legal()) == {"play red-8", "keep"}
    assert hand(game, 0) == sorted([*cards(LOW), "green-1", "yellow-2", "red-8"])
    assert game.view(0)["drawn_card"] == "red-8"
    other = game.view(1)
    assert other["hand_sizes"] == [6, 3, 3] and other["drawn_card"] is None
    play(game, "0: play red-8")
    assert game.actor == 1 and game.view(1)["top_card"] == "red-8"
    assert sizes(game) == [5, 3, 3]


def test_nm_14_the_drawn_card_may_be_a_wild():
    """A wild ends the drawing, for it fits on anything."""
    game = nm([LOW, LOW], "red-5", draw_pile="green-1 wild-draw6 red-8")
    play(game, "0: draw")
    assert set(game.legal()) == {"play wild-draw6", "keep"}
    play(game, "0: play wild-draw6", "0: color green")
    assert game.snapshot()["pending"]["amount"] == 6 and game.actor == 1


def test_nm_15_the_next_seat_follows():
    """When a turn is over the next seat in the direction of play has its turn."""
    hands = ["red-1 red-2 red-3 red-4"] * 3
    game = nm(hands, "red-5")
    play(game, "0: play red-1", "1: play red-1", "2: play red-1", "0: play red-2")
    assert game.actor == 1
    game = nm(hands, "red-5", direction=-1)
    play(game, "0: play red-1", "2: play red-1", "1: play red-1", "0: play red-2")
    assert game.actor == 2


def test_nm_16_an_empty_draw_pile_is_rebuilt_from_the_discards():
    """When the draw pile runs out, discards and set-aside cards are shuffled into a new one."""
    game = nm(
        [LOW, LOW, ""],
        "green-1 yellow-2 red-8 red-5",
        draw_pile="",
        eliminated=[2],
        set_aside=["green-4"],
    )
    play(game, "0: draw")
    state = game.snapshot()
    assert game.phase == "play-drawn" and game.view(0)["drawn_card"] == "red-8"
    assert state["discard"] == ["red-5"] and state["set_aside"] == []
    mixed = Counter(state["draw_pile"]) + Counter(state["hands"][0]) - Counter(cards(LOW))
    assert mixed == Counter(["green-1", "yellow-2", "red-8", "green-4"])
    assert "recycle" in [event["type"] for event in game.events]


def test_nm_17_uno_call_when_one_card_is_left():
    """A seat that comes down to one card decides at once whether to call UNO for all to hear."""
    game = play(nm(["red-1 red-2", LOW, LOW], "red-5"), "0: play red-1")
    assert (game.actor, game.phase) == (0, "uno-call")
    assert set(game.legal()) == {"call-uno", "stay-silent"}
    play(game, "0: call-uno")
    assert (game.actor, game.phase) == (1, "play")
    assert all(game.view(seat)["uno_called"] == [0] for seat in range(3))


def test_nm_18_a_silent_seat_can_be_caught_before_the_next_turn():
    """Any opponent may catch a silent seat until the next turn begins, which costs it two cards."""
    position = nm(
        ["red-1 red-2", LOW, LOW], "red-5", draw_pile="green-1 green-2 green-3 green-4 red-9"
    )
    play(position, "0: play red-1", "0: stay-silent")
    assert (position.actor, position.phase) == (1, "uno-catch")
    assert set(position.legal()) == {"catch", "ignore"}

    caught = play(position.clone(), "1: ignore", "2: catch")
    assert hand(caught, 0) == ["green-1", "green-2", "red-2"]
    assert (caught.actor, caught.phase) == (1, "play")

    missed = play(position.clone(), "1: ignore", "2: ignore")
    assert sizes(missed) == [1, 3, 3]
    assert (missed.actor, missed.phase) == (1, "play")
    assert not {"catch", "ignore"} & set(missed.legal())


def test_nm_19_laying_the_last_card_ends_the_round_at_once():
    """The round is over the moment somebody lays its last card."""
    game = play(nm(["red-skip", LOW, LOW], "red-5"), "0: play red-skip")
    assert game.over and game.phase == "over" and game.actor is None
    assert game.winners == (0,) and sizes(game) == [0, 3, 3]
    assert not game.void


def test_nm_20_the_last_seat_standing_wins():
    """When all others are eliminated the remaining seat wins whatever it holds."""
    game = nm([["blue-1"] * 24, ["green-1"] * 20, ""], "red-5", eliminated=[2])
    play(game, "0: draw")
    assert game.over and game.winners == (1,)
    assert sizes(game)[1] == 20


def test_nm_21_a_new_round_starts_with_all_cards_and_all_seats():
    """After a round all cards are shuffled again and eliminated seats are back in."""
    game = nm(
        ["red-1", LOW, ""], "red-5", eliminated=[2], set_aside=["red-9"] * 25, episode="match"
    )
    dealer = game.snapshot()["dealer"]
    play(game, "0: play red-1")
    state = game.snapshot()
    assert not game.over
    assert sizes(game) == [7, 7, 7]
    assert state["eliminated"] == [] and state["set_aside"] == []
    dealt = sum(map(len, state["hands"])) + len(state["draw_pile"]) + len(state["discard"])
    assert dealt == 168
    assert state["dealer"] == (dealer + 1) % 3 and game.actor == (dealer + 2) % 3


def test_nm_r3_playing_the_drawn_card_is_optional():
    """The card that ended the drawing may be laid or kept, and no other card is offered."""
    game = nm([LOW, LOW, LOW], "red-5", draw_pile="green-1 red-8 red-1 red-2")
    play(game, "0: draw")
    assert set(game.legal()) == {"play red-8", "keep"}
    play(game, "0: keep")
    assert (game.actor, game.phase) == (1, "play")
    assert "red-8" in hand(game, 0) and game.view(1)["top_card"] == "red-5"


def test_nm_r3_play_drawn_forced():
    """With `play_drawn="forced"` the fitting drawn card has to be laid."""
    game = nm(
        [LOW, LOW, LOW], "red-5", draw_pile="green-1 red-8 red-1", rules={"play_drawn": "forced"}
    )
    play(game, "0: draw")
    assert game.legal() == ["play red-8"]
    play(game, "0: play red-8")
    assert game.actor == 1


def test_nm_r4_no_drawing_while_something_fits():
    """A seat that holds a fitting card, and a wild always fits, is not allowed to draw."""
    assert nm(["red-1 blue-2 blue-3", LOW], "red-5").legal() == ["play red-1"]
    assert nm(["wild-draw10 blue-2 blue-3", LOW], "red-5").legal() == ["play wild-draw10"]
    free = nm(["red-1 blue-2 blue-3", LOW], "red-5", rules={"voluntary_draw": "always"})
    assert set(free.legal()) == {"play red-1", "draw"}


def test_nm_r15_drawing_stops_when_no_card_is_left():
    """If the piles run dry before a card fits, the seat keeps what it drew and its turn is over."""
    game = nm([LOW, LOW, LOW], "red-5", draw_pile="green-1 yellow-2")
    play(game, "0: draw")
    assert (game.actor, game.phase) == (1, "play")
    assert sizes(game) == [5, 3, 3]
    assert game.legal() == ["pass"]
    play(game, "1: pass")
    assert game.actor == 2


def test_nm_r17_uno_is_judged_after_hands_have_moved():
    """Once hands have moved, every seat that then holds one new card has to call, no other."""
    game = nm(["red-7 blue-4 blue-6 blue-8", "green-1", LOW], "red-5", uno_called=[1])
    play(game, "0: play red-7", "0: target +1")
    assert (game.actor, game.phase) == (0, "uno-call")
    assert game.snapshot()["uno_called"] == []
    play(game, "0: call-uno")
    assert (game.actor, game.phase) == (1, "play")

    both = nm(["red-7 blue-4", "green-1", LOW], "red-5", uno_called=[1])
    play(both, "0: play red-7", "0: target +1", "0: call-uno")
    assert (both.actor, both.phase) == (1, "uno-call")
    play(both, "1: call-uno")
    assert (both.actor, both.phase) == (1, "play")
    assert sorted(both.snapshot()["uno_called"]) == [0, 1]


def test_nm_r22_the_top_card_is_not_recycled():
    """The card on top of the discard pile stays where it is when the rest is shuffled."""
    game = nm([LOW, LOW], "red-8 green-1 wild-draw6 red-5", draw_pile="")
    play(game, "0: draw")
    assert game.snapshot()["discard"] == ["red-5"]
    assert game.view(0)["top_card"] == "red-5" and game.view(0)["active_color"] == "red"
