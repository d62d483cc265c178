"""IG 2000: matches, the cut, gathering without a shuffle."""

from functools import cache

import numpy as np
import pytest

import uno_env as uno

from .given import sizes

SEATS = 4
SPECIAL = ("draw2", "wild-draw4", "wild-swap")


def choose(g: uno.Game, rng: np.random.Generator) -> str:
    """A simple seeded player: plays what it can, calls UNO, lets reactions be."""
    legal = g.legal()
    plays = [text for text in legal if text.startswith("play ")]
    return plays[rng.integers(len(plays))] if plays else legal[0]


def to_next_round(g: uno.Game, rng: np.random.Generator) -> tuple[dict, str]:
    """Play the round out; what was there before its last decision, and that decision."""
    dealer = g.snapshot()["dealer"]
    while True:
        before, action = g.snapshot(), choose(g, rng)
        g.step(action)
        if g.over or g.snapshot()["dealer"] != dealer:
            return before, action


def match(seed: int, **changes: object) -> uno.Game:
    """A new match."""
    rules = uno.Rules.preset("ig2000").replace(**changes)
    return uno.Game(rules, num_players=SEATS, seed=seed, episode="match")


def gathered(before: dict, card: str) -> list[set[str]]:
    """The gathered deck from the top, as what each place may hold (order in a hand is free)."""
    hands = [list(cards) for cards in before["hands"]]
    hands[before["actor"]] = []
    order = [(before["dealer"] + k) % SEATS for k in range(1, SEATS + 1)]
    losers = [{*hands[seat]} for seat in reversed(order) for _ in hands[seat]]
    discards = [*before["discard"], card]
    return [{c} for c in reversed(discards)] + losers + [{c} for c in before["draw_pile"]]


def cuts(before: dict, card: str, now: dict) -> list[int]:
    """Every place where a plain cut of the gathered deck explains the new round."""
    deck = gathered(before, card)
    after_deal = now["discard"] + now["draw_pile"]
    places = []
    for cut in range(len(deck)):
        order = deck[cut:] + deck[:cut]
        rest = order[len(deck) - len(after_deal) :]
        if all(c in allowed for c, allowed in zip(after_deal, rest, strict=True)):
            places.append(cut)
    return places


@cache
def second_rounds(**changes: object) -> tuple[list[int], ...]:
    """Explanations by a cut for second rounds that follow a plain winning card."""
    found = []
    for seed in range(30):
        g = match(seed, **changes)
        before, action = to_next_round(g, np.random.default_rng(seed))
        card = action.removeprefix("play ")
        plain = action.startswith("play ") and not card.endswith(SPECIAL)
        if plain and not g.over and sizes(g) == [7] * SEATS:
            found.append(cuts(before, card, g.snapshot()))
    assert len(found) > 5
    return tuple(found)


def test_ig_05_no_shuffle_between_rounds():
    """Cards are shuffled when the match starts; later rounds use the gathered cards, only cut."""
    assert all(second_rounds())


def test_ig_07_the_deck_is_cut_before_each_deal():
    """Before a deal the cards are cut at a random place, or not at all with `cut="none"`."""
    places = {cut for found in second_rounds() for cut in found}
    assert len(places) > 5
    assert 0 not in places
    assert all(0 in found for found in second_rounds(cut="none"))


def test_ig_r2_gathering_order_and_the_shuffle_option():
    """Draw pile, hands and discards are gathered in a fixed order; `shuffle` mixes them."""
    assert all(len(found) == 1 for found in second_rounds())
    assert not any(second_rounds(between_rounds="shuffle"))


def test_ig_r2_single_rounds_are_always_shuffled():
    """A single round starts from a full shuffle, so different seeds give different deals."""
    deals = {str(uno.Game("ig2000", num_players=4, seed=s).snapshot()["hands"]) for s in range(20)}
    assert len(deals) == 20


def perfect_deals(**changes: object) -> list[tuple[list[int], int]]:
    """Hand sizes and dealer of the first rounds that did not start with seven cards each."""
    starts = [match(seed, **changes) for seed in range(1500)]
    return [(sizes(g), g.snapshot()["dealer"]) for g in starts if sizes(g) != [7] * SEATS]


def test_ig_09_ig_c25_perfect_cut():
    """If the cut packet is dealt out exactly, all but the cutter (the dealer's right) draw two."""
    deals = perfect_deals()
    assert 3 <= len(deals) <= 40
    for hand_sizes, dealer in deals:
        expected = [9] * SEATS
        expected[(dealer - 1) % SEATS] = 7
        assert hand_sizes == expected


def test_ig_r3_perfect_cut_comes_before_the_opening_card():
    """The cards for a perfect cut are drawn before the opening card is turned."""
    for seed in range(1500):
        g = match(seed)
        if sizes(g) != [7] * SEATS:
            now = g.snapshot()
            assert len(now["discard"]) == 1
            assert len(now["draw_pile"]) == 112 - sum(sizes(g)) - 1
            kinds = [event["type"] for event in g.events]
            assert "open" not in kinds[: kinds.index("draw")]
            return
    raise AssertionError("no perfect cut")


def test_ig_r3_no_perfect_cut_without_a_cut():
    """Without a cut, and in single rounds, nobody ever starts with more than seven cards."""
    assert not perfect_deals(cut="none")
    assert all(sizes(uno.Game("ig2000", num_players=4, seed=s)) == [7] * 4 for s in range(600))


def test_ig_02_rounds_go_on_until_500():
    """A match is a series of rounds that ends once some total has reached 500."""
    for seed in range(3):
        g, rng, rounds = match(seed), np.random.default_rng(seed), 0
        while not g.over:
            assert max(g.snapshot()["scores"]) < 500
            to_next_round(g, rng)
            rounds += 1
        assert rounds > 1
        assert max(g.scores) >= 500
        assert list(g.winners) == [s for s in range(SEATS) if g.scores[s] == min(g.scores)]


def test_ig_23_scores_are_noted_and_the_next_round_is_dealt():
    """After a round its points are entered and the cards are dealt for the next one."""
    g = match(1)
    before, _ = to_next_round(g, np.random.default_rng(1))
    assert before["scores"] == [0] * SEATS
    now = g.snapshot()
    assert sum(score > 0 for score in now["scores"]) == SEATS - 1
    assert set(sizes(g)) <= {7, 9}
    assert len(now["discard"]) == 1
    assert not g.over


@pytest.mark.parametrize("seed", [0, 1])
def test_ig_24_the_deal_moves_to_the_left(seed):
    """The next round is dealt by the left neighbour of the dealer, who cuts the cards for it."""
    g, rng = match(seed), np.random.default_rng(seed)
    dealer = g.snapshot()["dealer"]
    for _ in range(3):
        to_next_round(g, rng)
        if g.over:
            break
        dealer = (dealer + 1) % SEATS
        assert g.snapshot()["dealer"] == dealer


def test_ig_24_the_old_dealer_is_the_cutter():
    """In later rounds a perfect cut spares the seat that dealt the round before."""
    # A small deck of numbers makes rounds short and perfect cuts frequent.
    deck = {"*": 0} | {str(number): 1 for number in range(1, 10)} | {"0": 2}
    rules = uno.Rules.preset("ig2000").replace(deck=deck)
    seen = 0
    for seed in range(150):
        g = uno.Game(rules, num_players=3, seed=seed, episode="match")
        old = g.snapshot()["dealer"]
        to_next_round(g, np.random.default_rng(seed))
        if not g.over and sizes(g) != [7] * 3:
            expected = [9] * 3
            expected[old] = 7
            assert sizes(g) == expected
            seen += 1
    assert seen
