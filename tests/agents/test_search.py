"""Search: legal everywhere, fair, repeatable, within its budget, and able to see what is coming."""

import json
import threading
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uno_agents.advice import Advice
from uno_agents.base import Agent, AgentError, CheatingAgent
from uno_agents.registry import make_agent
from uno_agents.search.agent import OracleAgent, SearchAgent

import uno_env as uno
from uno_env.engine.tables import PHASES

from ..engine.strategies import Table, seat_counts, states, tables
from ..engine.worlds import two_worlds
from ..rules.given import given as position

SEARCH = SearchAgent(sims=40)


def chosen(game: uno.Game, sims: int = 1500, seed: int = 0) -> str:
    """What a search does for the seat to act."""
    return SearchAgent(sims=sims, seed=seed).act(game.view(game.actor), game.legal())


# Legal and fair.


@settings(max_examples=25)
@given(tables(), st.integers(0, 2**32))
def test_is_legal_under_any_rules(table, seed):
    """In games that others play, so that every strange position is met."""
    agent = SearchAgent(sims=12, seed=seed)
    for number, game in enumerate(states(table.game(), table.driver(), most=150)):
        if game.actor is not None and number % 5 == 0:
            assert agent.act(game.view(game.actor), game.legal()) in game.legal()


def test_plays_all_tables_in_all_phases():
    met: Counter[tuple[str, str]] = Counter()
    seats = [(v, n) for v in uno.VARIANTS for n in seat_counts(uno.Rules.preset(v))]
    # The last tables only for an opening card that lets somebody swap hands.
    for variant, players in [*seats, *[("ig2000", 10)] * 40]:
        seed = sum(met.values())
        # The driver sometimes stays silent, so that there is something to catch.
        table = Table(uno.Rules.preset(variant), players, seed, seed, 0.9)
        for game in states(table.game(), table.driver(), most=250):
            if game.actor is None or met[variant, game.phase] >= 4:
                continue
            met[variant, game.phase] += 1
            found = SEARCH.evaluate(game.view(game.actor), game.legal())
            assert sorted(one.action for one in found) == sorted(game.legal())
    # Laying more equal cards needs a house rule.
    assert {phase for _, phase in met} == set(PHASES) - {"over", "play-more"}


@settings(max_examples=40)
@given(tables(), st.integers(0, 150), st.integers(0, 2**32 - 1))
def test_hidden_cards_change_nothing(table, steps, seed):
    if (worlds := two_worlds(table, steps, seed)) is None:
        return
    game, world = worlds
    here, there = (
        SEARCH.evaluate(there.view(game.actor), there.legal()) for there in (game, world)
    )
    assert here == there


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_same_view_same_decision_whatever_was_asked_before(variant):
    table = Table(uno.Rules.preset(variant), 4, 5, 5, 0.9)
    games = [game.clone() for game in states(table.game(), table.driver(), most=40)]
    views = [(game.view(game.actor), game.legal()) for game in games if game.actor is not None]
    one, two = SearchAgent(sims=60, seed=3), SearchAgent(sims=60, seed=3)
    forth = [one.evaluate(*asked) for asked in views]
    back = [two.evaluate(*json.loads(json.dumps(asked))) for asked in views[::-1]]
    assert forth == back[::-1]
    other = [SearchAgent(sims=60, seed=4).evaluate(*asked) for asked in views]
    assert other != forth, "another seed imagines other deals"


def test_the_view_and_the_game_are_left_alone():
    game = Table(uno.Rules.preset("no_mercy"), 4, 2, 2, 0.9).game()
    before, view = game.snapshot(), game.view(game.actor)
    kept = json.dumps(view)
    SEARCH.evaluate(view, game.legal())
    OracleAgent(sims=40).act_game(game)
    assert game.snapshot() == before and json.dumps(view) == kept


def test_threads_do_not_disturb_each_other():
    game = Table(uno.Rules.preset("classic"), 4, 2, 2, 0.9).game()
    asked = game.view(game.actor), game.legal()
    agent = SearchAgent(sims=400)
    alone = agent.evaluate(*asked)
    together: list[object] = []
    threads = [
        threading.Thread(target=lambda: together.append(agent.evaluate(*asked))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [alone] * 4


# The budget.


@pytest.mark.parametrize("sims", [1, 2, 3, 7, 50, 333])
def test_sims_are_never_exceeded_and_nearly_all_used(sims):
    hand = "red-1 red-2 blue-5 wild wild-draw4 red-skip"
    game = position("classic", [hand, "blue-1 blue-2"], "red-5")
    found = SearchAgent(sims=sims).evaluate(game.view(0), game.legal())
    used = sum(one.sims for one in found)
    assert 0 < used <= sims
    assert used >= sims - 2 * len(found)
    assert found[0].sims == max(one.sims for one in found)


def test_more_time_means_more_simulations():
    game = position("classic", ["red-1 red-2 blue-5 wild", "blue-1 blue-2 green-4"], "red-5")
    asked = game.view(0), game.legal()
    SearchAgent(ms=1).evaluate(*asked)
    few, many = (sum(one.sims for one in SearchAgent(ms=ms).evaluate(*asked)) for ms in (1, 100))
    assert 0 < few < many


def test_estimates_are_chances():
    """They agree with each other, and with how the position was set up."""
    ahead = position("classic", ["red-1 red-2", "blue-1 " * 12], "red-5")
    behind = position("classic", ["red-1 " * 12, "red-2"], "red-5", uno_called=[1])
    for game, least, most in ((ahead, 0.6, 1.0), (behind, 0.0, 0.4)):
        found = SearchAgent(sims=400).evaluate(game.view(0), game.legal())
        assert all(0.0 <= one.q_value <= 1.0 for one in found)
        assert least <= found[0].q_value <= most
    advice = SearchAgent(sims=400).advise(ahead.view(0), ahead.legal())
    assert advice.win_estimate == pytest.approx(found_win(ahead))


# Guided by a policy.


class Wants:
    """Weighs what it is told to, and nothing else."""

    def __init__(self, probabilities):
        self.probabilities = probabilities

    def act(self, view, legal):
        return max(legal, key=lambda text: self.probabilities.get(text, 0.0))

    def advise(self, view, legal):
        probabilities = {text: self.probabilities.get(text, 0.0) for text in legal}
        return Advice(self.act(view, legal), probabilities)


def test_a_policy_s_choice_stands_unless_another_action_surely_leads():
    game = position("classic", ["red-1 red-2 blue-5 green-7", "blue-1 blue-2 green-4"], "red-5")
    asked = game.view(0), game.legal()
    for wanted in ("play red-1", "play red-2", "play blue-5"):
        guided = SearchAgent(sims=2, policy=Wants({wanted: 1.0}))
        assert guided.act(*asked) == wanted
        found = guided.evaluate(*asked)
        assert sorted(one.action for one in found) == sorted(game.legal())
        assert [one.sims for one in found[1:]] == [0] * (len(found) - 1), "all others are unlikely"


def test_search_overrules_a_policy_that_throws_the_game_away():
    game = position("classic", ["red-1", "blue-1 blue-2 green-4"], "red-5")
    policy = Wants({"draw": 0.9, "play red-1": 0.1})
    assert SearchAgent(sims=100, policy=policy).act(game.view(0), game.legal()) == "play red-1"


def test_a_policy_is_named_by_its_spec():
    game = position("classic", ["red-1 red-2 blue-5 green-7", "blue-1 blue-2 green-4"], "red-5")
    asked = game.view(0), game.legal()
    # One simulation overrules nobody.
    agent = make_agent("search:sims=1,policy=heuristic", seed=3)
    assert agent.act(*asked) in {make_agent("heuristic", seed).act(*asked) for seed in range(20)}
    with pytest.raises(AgentError, match="is not allowed here"):
        make_agent("search:sims=60,policy=runs/x/best", allow_local=False)
    with pytest.raises(AgentError, match="unknown agent 'heuristics'"):
        make_agent("search:policy=heuristics")


def found_win(game: uno.Game) -> float:
    """The estimate of the action a search takes."""
    return SearchAgent(sims=400).evaluate(game.view(game.actor), game.legal())[0].q_value


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sims": 0}, "sims is 0"),
        ({"sims": -3}, "sims is -3"),
        ({"sims": 2.5}, "sims is 2.5"),
        ({"sims": True}, "sims is True"),
        ({"sims": 10**9}, "up to|to 10,000,000"),
        ({"ms": 0}, "ms is 0"),
        ({"ms": float("nan")}, "ms is nan"),
        ({"ms": "5"}, "ms is '5'"),
        ({"sims": 5, "ms": 5}, "one of them"),
        ({"seed": "x"}, "seed is 'x'"),
    ],
)
@pytest.mark.parametrize("kind", [SearchAgent, OracleAgent])
def test_bad_arguments_are_refused(kind, options, message):
    with pytest.raises(AgentError, match=message):
        kind(**options)


def test_positions_without_a_decision_are_refused():
    game = position("classic", ["red-1 red-2", "blue-1 blue-2"], "red-5")
    with pytest.raises(AgentError, match="legal is empty"):
        SEARCH.evaluate(game.view(1), [])
    with pytest.raises(AgentError, match="'play blue-1' is not legal"):
        SEARCH.evaluate(game.view(0), ["play blue-1"])


def test_weighs_only_what_it_is_asked():
    game = position("classic", ["red-1 red-2 wild", "blue-1 blue-2"], "red-5")
    for legal in (["play wild"], ["play red-2", "play wild"]):
        found = SEARCH.evaluate(game.view(0), legal)
        assert sorted(one.action for one in found) == legal


# Seeing what is coming.

ALONE = [variant for variant in uno.VARIANTS if variant != "teams"]
WITH_PLAIN_WILDS = [variant for variant in ALONE if variant not in ("no_mercy", "all_wild")]


def known(holder: int, cards: str, seats: tuple[int, ...] = (0,)) -> list[dict[str, object]]:
    """Cards that some seats know to be in a hand."""
    return [{"holder": holder, "card": card, "seats": list(seats)} for card in cards.split()]


@pytest.mark.parametrize("variant", ALONE)
def test_does_not_hand_over_the_win(variant):
    """The other's last card is known: the three would let it follow."""
    game = position(
        variant,
        ["red-3 red-9 red-8 yellow-1", "blue-3"],
        "red-5",
        uno_called=[1],
        known=known(1, "blue-3"),
    )
    assert chosen(game) != "play red-3"


@pytest.mark.parametrize("variant", WITH_PLAIN_WILDS)
@pytest.mark.parametrize("last", uno.COLORS)
def test_does_not_name_the_colour_of_the_last_card(variant, last):
    game = position(
        variant,
        ["wild red-1 yellow-1 green-1 blue-1", f"{last}-6"],
        f"{last}-4",
        uno_called=[1],
        known=known(1, f"{last}-6"),
    )
    game.step("play wild")
    assert game.phase == "color" and chosen(game) != f"color {last}"


@pytest.mark.parametrize("variant", ALONE)
def test_takes_two_turns_at_once_to_win(variant):
    """A skip among two means another turn, and then the last card fits."""
    game = position(variant, ["red-skip red-6", "red-1"], "red-2", uno_called=[1])
    assert chosen(game) == "play red-skip"


@pytest.mark.parametrize("variant", WITH_PLAIN_WILDS)
@pytest.mark.parametrize("is_bluff", [True, False])
def test_challenges_the_bluff_it_can_see(variant, is_bluff):
    """At stakes high enough to matter: a hand of nine is not much worse than one of seven."""
    hand = "blue-1 blue-2 blue-4 yellow-1 " + ("red-4" if is_bluff else "yellow-8")
    stakes = "challenge_surcharge" if variant in ("ig2000", "loche") else "challenge_fail_draw"
    game = position(
        variant,
        ["green-1 green-2 green-3", hand],
        "red-5 wild-draw4",
        active_color="green",
        color_before="red",
        pending={"amount": 4, "value": 4, "source": 1, "contestable": True},
        known=known(1, hand),
        rules={stakes: 200 if stakes == "challenge_surcharge" else 12},
    )
    accept = "accept" if "accept" in game.legal() else "take"
    assert chosen(game) == ("challenge" if is_bluff else accept)


def test_answers_rather_than_be_eliminated():
    game = position(
        "no_mercy",
        ["wild-draw10 " + "blue-1 " * 15, "green-1 " * 9, "green-2 " * 9],
        "red-draw4 wild-draw10",
        active_color="red",
        pending={"amount": 14, "value": 10, "source": 2},
    )
    assert chosen(game) == "play wild-draw10"


def test_swaps_for_the_smallest_hand():
    hands = ["red-7 " + "blue-1 " * 8, "green-1 " * 9, "green-2 green-3", "green-4 " * 9]
    game = position("no_mercy", hands, "red-2")
    game.step("play red-7")
    assert chosen(game) == "target +2"


@pytest.mark.parametrize("variant", ["ig2000", "loche"])
def test_jumps_in_to_get_ahead(variant):
    hands = ["red-4 blue-1 blue-2", "green-1 green-2", "red-4 red-4 blue-3"]
    game = position(variant, hands, "red-5")
    game.step("play red-4")
    assert (game.actor, game.phase) == (2, "react")
    assert chosen(game) == "jump-in"


@pytest.mark.parametrize("variant", ["ig2000", "loche"])
def test_sums_to_win(variant):
    hands = ["red-4 blue-1 blue-2", "green-1 green-2", "green-1 blue-3"]
    game = position(variant, hands, "red-5")
    game.step("play red-4")
    assert (game.actor, game.phase) == (2, "react")
    assert chosen(game) == "sum"


def test_a_team_wins_together():
    """The partner is out: the last card that fits ends the round, a draw would bring it back."""
    game = position("teams", ["red-4", "green-1 green-2", "", "blue-1 blue-2"], "red-5", out=[2])
    assert chosen(game) == "play red-4"


def test_a_match_counts_points():
    """Far behind in the round, the seat gets rid of fifty points before the other goes out."""
    game = position(
        "ig2000",
        ["wild red-1 red-2 yellow-3 yellow-4 green-6 green-8", "red-9"],
        "red-5",
        episode="match",
        uno_called=[1],
        scores=[480, 300],
        known=known(1, "red-9"),
    )
    found = SearchAgent(sims=300).evaluate(game.view(0), game.legal())
    assert found[0].action == "play wild"


# The oracle.


def test_the_oracle_says_that_it_cheats():
    oracle = make_agent("oracle:sims=20")
    assert isinstance(oracle, CheatingAgent) and oracle.cheats
    assert not isinstance(make_agent("search:sims=20"), CheatingAgent)
    assert isinstance(oracle, Agent) and "sees all cards" in repr(oracle)
    game = uno.Game("classic", num_players=2, seed=1)
    with pytest.raises(AgentError, match="act_game"):
        oracle.act(game.view(game.actor), game.legal())


@pytest.mark.parametrize("variant", WITH_PLAIN_WILDS)
def test_only_the_oracle_knows_the_last_card(variant):
    oracle, search = OracleAgent(sims=100), SearchAgent(sims=100)
    named = []
    for last in uno.COLORS:
        hands = ["wild red-1 yellow-1 green-1 blue-1", f"{last}-6"]
        game = position(variant, hands, "red-4", uno_called=[1])
        game.step("play wild")
        assert oracle.act_game(game) != f"color {last}"
        named.append(search.act(game.view(0), game.legal()))
    assert len(set(named)) == 1, "a fair search cannot tell these deals apart"


def test_the_oracle_plays_whole_games():
    oracle = OracleAgent(sims=10)
    for variant in uno.VARIANTS:
        game = uno.Game(variant, num_players=4, seed=3)
        while not game.over:
            game.step(oracle.act_game(game))
        with pytest.raises(AgentError, match="over"):
            oracle.evaluate_game(game)
