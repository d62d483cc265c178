"""No Mercy: sevens, zeros, skips, reverses, discard all and the roulette."""

from collections import Counter
from functools import partial

from .given import cards, given, hand, knows, play, sizes

nm = partial(given, "no_mercy")

LOW = "blue-1 blue-3 blue-5"
MIXED = "green-2 green-4 yellow-6 yellow-8"


def test_nm_27_a_seven_swaps_hands_with_a_chosen_seat():
    """Whoever lays a 7 has to swap hands with a seat of its choice, and play goes on as before."""
    game = nm([f"red-7 {MIXED}", LOW, "red-1 red-2 red-3"], "red-5")
    play(game, "0: play red-7")
    assert (game.actor, game.phase) == (0, "swap-target")
    assert set(game.legal()) == {"target +1", "target +2"}
    play(game, "0: target +2")
    assert hand(game, 0) == ["red-1", "red-2", "red-3"]
    assert hand(game, 2) == sorted(cards(MIXED))
    assert game.actor == 1 and game.snapshot()["direction"] == 1
    assert game.view(1)["hand_sizes"] == [3, 3, 4]
    assert knows(game, 0, 2) == sorted(cards(MIXED))
    assert knows(game, 2, 0) == ["red-1", "red-2", "red-3"]
    assert knows(game, 1, 0) == knows(game, 1, 2) == []


def test_nm_27_an_eliminated_seat_is_no_target():
    """Only seats still in play can be chosen for the swap."""
    hands = [f"red-7 {MIXED}", LOW, "", "red-1 red-2 red-3"]
    game = play(nm(hands, "red-5", eliminated=[2]), "0: play red-7")
    assert set(game.legal()) == {"target +1", "target +3"}


def test_nm_28_a_zero_passes_all_hands_on():
    """A 0 moves every hand to the following seat in the direction of play."""
    hands = [f"red-0 {MIXED}", LOW, "red-1 red-2 red-3"]
    game = play(nm(hands, "red-5"), "0: play red-0")
    assert [hand(game, seat) for seat in range(3)] == [
        ["red-1", "red-2", "red-3"],
        sorted(cards(MIXED)),
        cards(LOW),
    ]
    assert (game.actor, game.phase) == (1, "play")
    assert knows(game, 0, 1) == sorted(cards(MIXED))
    assert knows(game, 1, 2) == cards(LOW)
    assert knows(game, 0, 2) == []

    game = play(nm(hands, "red-5", direction=-1), "0: play red-0")
    assert hand(game, 2) == sorted(cards(MIXED))
    assert hand(game, 1) == ["red-1", "red-2", "red-3"]
    assert hand(game, 0) == cards(LOW)
    assert game.actor == 2


def test_nm_31_skip():
    """A skip makes the next seat lose its turn."""
    game = play(nm([f"red-skip {MIXED}", LOW, LOW], "red-5"), "0: play red-skip")
    assert (game.actor, game.phase) == (2, "play")
    game = play(nm([f"red-skip {MIXED}", LOW], "red-5"), "0: play red-skip")
    assert (game.actor, game.phase) == (0, "play")


def test_nm_32_reverse():
    """A reverse turns the direction of play round."""
    hands = [f"red-reverse {MIXED}", LOW, f"blue-reverse {MIXED}"]
    game = play(nm(hands, "red-5"), "0: play red-reverse")
    assert game.actor == 2 and game.snapshot()["direction"] == -1
    play(game, "2: play blue-reverse")
    assert game.actor == 0 and game.snapshot()["direction"] == 1


def test_nm_33_reverse_with_two_seats():
    """With two seats whoever lays a reverse plays again."""
    game = play(nm([f"red-reverse {MIXED}", LOW], "red-5"), "0: play red-reverse")
    assert (game.actor, game.phase) == (0, "play")


def test_nm_33_two_player_reverse_literal_option():
    """With `two_player_reverse="literal"` the other of two seats is next after a reverse."""
    rules = {"two_player_reverse": "literal"}
    game = nm([f"red-reverse {MIXED}", LOW], "red-5", rules=rules)
    play(game, "0: play red-reverse")
    assert game.actor == 1 and game.snapshot()["direction"] == -1


def test_nm_34_discard_all_takes_every_card_of_its_color():
    """A discard all lays every card of its colour in the hand along with it, without a choice."""
    game = nm([f"red-discard-all red-4 red-skip {MIXED}", LOW, LOW], "red-5")
    play(game, "0: play red-discard-all")
    assert hand(game, 0) == sorted(cards(MIXED))
    assert (game.actor, game.phase) == (1, "play")


def test_nm_35_the_extra_cards_go_under_the_discard_all():
    """The cards laid along go face up under the discard all, which is the card to follow."""
    game = nm([f"red-discard-all red-4 red-skip {MIXED}", LOW, LOW], "red-5")
    play(game, "0: play red-discard-all")
    for seat in range(3):
        view = game.view(seat)
        assert view["top_card"] == view["discard"][-1] == "red-discard-all"
        assert Counter(view["discard"][1:-1]) == Counter(["red-4", "red-skip"])
        assert view["active_color"] == "red"


def test_nm_36_skip_everyone():
    """After a skip everyone all others are passed over and its player has another whole turn."""
    game = nm([f"red-skip-all red-1 {MIXED}", LOW, LOW, LOW], "red-5")
    play(game, "0: play red-skip-all")
    assert (game.actor, game.phase) == (0, "play")
    play(game, "0: play red-1")
    assert game.actor == 1

    game = nm([f"red-skip-all {MIXED}", LOW, LOW], "red-5", draw_pile="blue-9 red-9 red-8")
    play(game, "0: play red-skip-all", "0: draw", "0: keep")
    assert game.actor == 1 and sizes(game) == [6, 3, 3]


def test_nm_42_the_victim_of_a_roulette_names_the_color():
    """After a colour roulette the next seat names a colour, openly and before anything else."""
    game = play(nm([f"wild-roulette {MIXED}", LOW, LOW], "red-5"), "0: play wild-roulette")
    assert (game.actor, game.phase) == (1, "roulette-color")
    assert set(game.legal()) == {"color red", "color yellow", "color green", "color blue"}
    assert game.view(0)["active_color"] == "red"  # until another is named
    play(game, "1: color green")
    assert all(game.view(seat)["active_color"] == "green" for seat in range(3))


def test_nm_43_roulette_reveals_until_the_color_is_printed():
    """Cards are revealed from the draw pile until one, not a wild, shows the named colour."""
    draw_pile = "red-1 wild-draw6 yellow-2 green-6 blue-9"
    game = nm([f"wild-roulette {MIXED}", LOW, LOW], "red-5", draw_pile=draw_pile)
    play(game, "0: play wild-roulette", "1: color green")
    assert game.snapshot()["draw_pile"] == ["blue-9"]
    revealed = ["red-1", "wild-draw6", "yellow-2", "green-6"]
    for seat in range(3):
        seen = [card for event in game.view(seat)["events"] for card in event.get("cards") or []]
        assert seen[-4:] == revealed


def test_nm_44_the_victim_takes_the_revealed_cards_and_loses_its_turn():
    """The victim of a roulette takes all revealed cards, as all can see, and loses its turn."""
    draw_pile = "red-1 wild-draw6 yellow-2 green-6 blue-9"
    game = nm([f"wild-roulette {MIXED}", LOW, LOW], "red-5", draw_pile=draw_pile)
    play(game, "0: play wild-roulette", "1: color green")
    revealed = ["green-6", "red-1", "wild-draw6", "yellow-2"]
    assert hand(game, 1) == sorted([*cards(LOW), *revealed])
    assert (game.actor, game.phase) == (2, "play")
    assert knows(game, 0, 1) == knows(game, 2, 1) == revealed


def test_nm_r10_a_last_seven_or_zero_wins_first():
    """Going out with a 7 or a 0 wins before any hand is moved."""
    for card in ("red-7", "red-0"):
        game = play(nm([card, LOW, MIXED], "red-5"), f"0: play {card}")
        assert game.winners == (0,)
        assert hand(game, 1) == cards(LOW) and hand(game, 2) == sorted(cards(MIXED))


def test_nm_r10_last_card_7_0_resolve_option():
    """With `last_card_7_0="resolve"` the hands move first and the seat left without cards wins."""
    rules = {"last_card_7_0": "resolve"}
    game = play(nm(["red-7", LOW, MIXED], "red-5", rules=rules), "0: play red-7")
    assert (game.actor, game.phase) == (0, "swap-target")
    play(game, "0: target +2")
    assert hand(game, 0) == sorted(cards(MIXED)) and hand(game, 2) == []
    assert game.over and game.winners == (2,)

    game = play(nm(["red-0", LOW, MIXED], "red-5", rules=rules), "0: play red-0")
    assert [hand(game, seat) for seat in range(3)] == [sorted(cards(MIXED)), [], cards(LOW)]
    assert game.over and game.winners == (1,)


def test_nm_r11_a_last_draw_card_or_roulette_wins_without_effect():
    """Going out with a draw card or a roulette wins at once and nobody draws."""
    for card in ("red-draw4", "wild-reverse-draw4", "wild-draw6", "wild-draw10", "wild-roulette"):
        game = play(nm([card, ["blue-1"] * 20, LOW], "red-5"), f"0: play {card}")
        assert game.over and game.winners == (0,)
        assert sizes(game) == [0, 20, 3]
        assert game.snapshot()["eliminated"] == []


def test_nm_r12_two_seats_in_play_make_a_game_of_two():
    """When eliminations leave two seats, the two-player effects of reverse cards hold."""
    hands = [f"red-reverse wild-reverse-draw4 {MIXED}", LOW, ""]
    position = nm(hands, "red-5", eliminated=[2])
    assert play(position.clone(), "0: play red-reverse").actor == 0
    game = play(position.clone(), "0: play wild-reverse-draw4", "0: color green")
    assert (game.actor, game.phase) == (0, "stack")

    literal = nm(hands, "red-5", eliminated=[2], rules={"two_player_by": "initial"})
    assert play(literal.clone(), "0: play red-reverse").actor == 1
    game = play(literal.clone(), "0: play wild-reverse-draw4", "0: color green")
    assert (game.actor, game.phase) == (1, "stack")


def test_nm_r18_discard_all_leaves_wilds_and_takes_other_discard_alls():
    """Wilds have no colour and stay in the hand, a second discard all of the colour goes along."""
    held = f"red-discard-all red-discard-all wild-draw6 wild-roulette {MIXED}"
    game = play(nm([held, LOW, LOW], "red-5"), "0: play red-discard-all")
    assert hand(game, 0) == sorted([*cards(MIXED), "wild-draw6", "wild-roulette"])
    assert game.snapshot()["discard"] == ["red-5", "red-discard-all", "red-discard-all"]
    assert (game.actor, game.phase) == (1, "play")


def test_nm_r19_the_uno_protocol_runs_before_the_extra_turn():
    """After a skip everyone a silent seat can be caught before its own extra turn begins."""
    draw_pile = "green-1 green-2 green-3"
    game = nm(["red-skip-all blue-2", LOW, LOW], "red-5", draw_pile=draw_pile)
    play(game, "0: play red-skip-all")
    assert (game.actor, game.phase) == (0, "uno-call")
    play(game, "0: stay-silent", "1: ignore")
    assert (game.actor, game.phase) == (2, "uno-catch")
    play(game, "2: catch")
    assert (game.actor, game.phase) == (0, "play")
    assert hand(game, 0) == ["blue-2", "green-1", "green-2"]


def test_nm_r21_a_roulette_cannot_be_answered():
    """A colour roulette has no value, so no draw card wards it off."""
    victim = "wild-draw10 wild-draw6 red-draw4 wild-roulette"
    game = play(nm([f"wild-roulette {MIXED}", victim, LOW], "red-5"), "0: play wild-roulette")
    assert game.snapshot()["pending"] is None
    assert all(action.startswith("color ") for action in game.legal())


def test_nm_c9_a_last_seven_swaps_nothing():
    """A seat whose last card is a 7 has won and keeps its empty hand."""
    game = play(nm(["blue-7", LOW], "red-7"), "0: play blue-7")
    assert game.over and game.winners == (0,) and sizes(game) == [0, 3]


def test_nm_c10_the_swapped_seat_calls_uno():
    """If a 7 leaves the other seat with one card, that seat has to call or may be caught."""
    game = nm(
        ["red-7 green-2", ["blue-1"] * 10, LOW], "red-5", draw_pile="yellow-1 yellow-2 yellow-3"
    )
    play(game, "0: play red-7", "0: target +1")
    assert sizes(game) == [10, 1, 3]
    assert (game.actor, game.phase) == (1, "uno-call")
    play(game, "1: stay-silent", "2: ignore")
    assert (game.actor, game.phase) == (0, "uno-catch")
    play(game, "0: catch")
    assert hand(game, 1) == ["green-2", "yellow-1", "yellow-2"]
    assert (game.actor, game.phase) == (1, "play")


def test_nm_c11_a_passed_single_card_has_to_be_called_anew():
    """A seat that gets a one-card hand by a 0 has to call, even if its former holder had."""
    game = play(nm(["red-0 green-2", LOW, MIXED], "red-5"), "0: play red-0")
    assert sizes(game) == [4, 1, 3]
    assert (game.actor, game.phase) == (1, "uno-call")

    called = nm([f"red-0 {MIXED}", LOW, "green-2"], "red-5", uno_called=[2])
    play(called, "0: play red-0")
    assert sizes(called) == [1, 4, 3]
    assert called.snapshot()["uno_called"] == []
    assert (called.actor, called.phase) == (0, "uno-call")


def test_nm_c12_an_eliminated_seat_takes_no_part_in_a_pass():
    """Hands go round among the seats in play and pass over an eliminated one."""
    hands = [f"red-0 {MIXED}", "", LOW, "red-1 red-2 red-3"]
    game = play(nm(hands, "red-5", eliminated=[1]), "0: play red-0")
    assert hand(game, 2) == sorted(cards(MIXED))
    assert hand(game, 3) == cards(LOW)
    assert hand(game, 0) == ["red-1", "red-2", "red-3"]
    assert hand(game, 1) == [] and game.actor == 2


def test_nm_c13_discard_all_can_empty_the_hand():
    """A discard all may empty the hand, which wins without a call, or leave one card to call."""
    game = play(nm(["red-discard-all red-1 red-2", LOW], "red-5"), "0: play red-discard-all")
    assert game.over and game.winners == (0,)
    game = nm(["red-discard-all red-1 red-2 blue-2", LOW], "red-5")
    play(game, "0: play red-discard-all")
    assert (game.actor, game.phase) == (0, "uno-call") and sizes(game) == [1, 3]


def test_nm_c14_cards_laid_along_have_no_effect():
    """A draw four and a 7 that go under a discard all neither cost cards nor swap hands."""
    game = nm([f"red-discard-all red-draw4 red-7 {MIXED}", LOW, LOW], "red-5")
    play(game, "0: play red-discard-all")
    assert (game.actor, game.phase) == (1, "play")
    assert game.snapshot()["pending"] is None
    assert hand(game, 0) == sorted(cards(MIXED)) and hand(game, 1) == cards(LOW)
    assert game.view(1)["top_card"] == "red-discard-all"


def test_nm_c16_a_roulette_ends_when_no_card_is_left():
    """If the named colour never shows, the victim takes every card there is to reveal."""
    hands = [f"wild-roulette {MIXED}", LOW, LOW]
    game = nm(hands, "yellow-1 blue-9 red-5", draw_pile="red-1 yellow-2")
    play(game, "0: play wild-roulette", "1: color green")
    taken = ["blue-9", "red-1", "red-5", "yellow-1", "yellow-2"]
    assert hand(game, 1) == sorted([*cards(LOW), *taken])
    state = game.snapshot()
    assert state["draw_pile"] == [] and state["discard"] == ["wild-roulette"]
    assert game.actor == 2 and state["active_color"] == "green"

    hands[1] = ["blue-1"] * 20
    game = nm(hands, "yellow-1 blue-9 red-5", draw_pile="red-1 yellow-2")
    play(game, "0: play wild-roulette", "1: color green")
    assert game.snapshot()["eliminated"] == [1] and game.actor == 2


def test_nm_c17_roulette_with_two_seats():
    """With two seats the opponent names and draws, and the player of a roulette plays again."""
    game = nm([f"wild-roulette {MIXED}", LOW], "red-5", draw_pile="red-1 yellow-2 blue-9")
    play(game, "0: play wild-roulette", "1: color yellow")
    assert sizes(game) == [4, 5]
    assert (game.actor, game.phase) == (0, "play")
    assert set(game.legal()) == {"play yellow-6", "play yellow-8"}


def test_nm_c18_skip_everyone_with_a_last_card_that_does_not_fit():
    """After a skip everyone a last card that does not fit means drawing until one does."""
    game = nm(["red-skip-all blue-2", LOW, LOW], "red-5", draw_pile="green-1 yellow-2 red-8")
    play(game, "0: play red-skip-all", "0: call-uno")
    assert (game.actor, game.phase) == (0, "play") and game.legal() == ["draw"]
    play(game, "0: draw")
    assert set(game.legal()) == {"play red-8", "keep"} and sizes(game) == [4, 3, 3]


def test_nm_c23_the_color_of_the_roulette_is_followed():
    """The seat after a roulette has to follow the colour that the victim named."""
    hands = [f"wild-roulette {MIXED}", LOW, "red-2 green-2 blue-2"]
    game = nm(hands, "green-5", draw_pile="red-1 red-3")
    play(game, "0: play wild-roulette", "1: color red")
    assert game.actor == 2 and game.legal() == ["play red-2"]


def test_nm_c25_an_unwelcome_seven_has_to_be_played():
    """If a 7 is the only fitting card it has to be laid and the swap cannot be refused."""
    game = nm([f"red-7 {MIXED}", ["blue-1"] * 9, ["blue-3"] * 9], "red-5")
    assert game.legal() == ["play red-7"]
    play(game, "0: play red-7")
    assert set(game.legal()) == {"target +1", "target +2"}
