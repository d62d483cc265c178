"""Reports: what they say of games whose truth is known, in the terminal and as JSON."""

import dataclasses
import io
import json
import shlex

import numpy as np
import pytest
from rich.console import Console
from uno_arena.api import tournament
from uno_arena.config import ArenaConfig
from uno_arena.report.formatting import reproduce_command, variance_reduction_text, verdict_text
from uno_arena.report.report import FORMAT, render, to_json
from uno_arena.report.summary import summarise
from uno_arena.results import Entrant

from uno_env import Game, Rules

from .synthetic import synthetic_results

ELOS = {"strong": 120.0, "twin": 0.0, "other twin": 0.0}


def printed(results, width=160):
    console = Console(file=io.StringIO(), width=width)
    render(results, console)
    return console.file.getvalue()


@pytest.fixture(scope="module")
def three():
    return synthetic_results(ELOS, deals=400, ties=0.02, forfeits=(3, 8), cheats=("strong",))


def test_the_terminal_names_winners_ties_and_forfeits(three):
    text = printed(three)
    assert "strong †" in text
    assert "† sees the hidden cards" in text
    assert "Ranking (Bradley-Terry)" in text
    assert "2= " in text
    assert "tie (may need" in text
    assert "ValueError: no such card" in text
    assert "0.1.1" in text  # the forfeited game, as replay takes it
    assert "variance reduction" in text
    assert "Again: uno-arena strong twin 'other twin' --players 2 --deals 400" in text


def test_standings_of_known_players(three):
    table = summarise(three).tables[0]
    strong, *twins = table.standings
    assert (strong.agent, strong.rank, strong.is_tied) == ("strong", 1, False)
    assert {twin.rank for twin in twins} == {2}
    assert all(twin.is_tied for twin in twins)
    assert strong.lead.low > 0
    assert twins[0].lead.low < 0 < twins[0].lead.high
    assert strong.forfeits == 2
    assert table.games == 2400
    assert 20 < table.ties < 80


def test_matrix_mirrors_itself_with_two_sides(three):
    cells = {(cell.agent, cell.against): cell.rate for cell in summarise(three).tables[0].matrix}
    assert len(cells) == 6
    for (agent, against), rate in cells.items():
        back = cells[against, agent]
        assert rate.value + back.value == pytest.approx(1)
        assert rate.low + back.high == pytest.approx(1)


def test_rates_of_a_table_add_up(three):
    """Each side's wins are somebody's: mean shares of all agents average to the chance."""
    table = summarise(three).tables[0]
    assert np.mean([standing.rate.value for standing in table.standings]) == pytest.approx(0.5)


def test_mixed_tables_are_ranked_and_compared():
    results = synthetic_results(
        {"a": 150.0, "b": 50.0, "c": -50.0, "d": -150.0},
        players=4, schedule="mixed", deals=1500,
    )  # fmt: skip
    table = summarise(results).tables[0]
    assert table.pairings == ()
    assert [standing.agent for standing in table.standings] == ["a", "b", "c", "d"]
    cells = {(cell.agent, cell.against): cell.rate for cell in table.matrix}
    assert cells["a", "d"].low > 0.5 > cells["d", "a"].high
    # Between two agents at one table, 100 points are odds of 10 ** 0.25 to 1, less card effects.
    assert 0.55 < cells["a", "b"].value < 0.66


def test_too_few_deals_give_no_ranking_but_the_number_needed():
    results = synthetic_results(ELOS, deals=20)
    text = printed(results)
    assert "Ranking" not in text
    # Each agent meets two others on 20 deals.
    assert "No ranking from 40 deals: each agent needs at least 100, 60 more." in text
    data = json.loads(to_json(results))
    assert data["tables"][0]["model"] is None
    assert all(standing["rank"] is None for standing in data["tables"][0]["standings"])


def test_unfinished_and_empty_tournaments_say_so(three):
    assert "Not finished yet" in printed(dataclasses.replace(three, is_complete=False))
    empty = synthetic_results({"a": 0.0, "b": 0.0}, deals=1)
    assert "nothing to report" in printed(empty)
    assert json.loads(to_json(empty))["tables"] == []


def test_same_games_same_bytes_whenever_they_were_played(three):
    later = dataclasses.replace(three, created="2030-12-31T00:00:00+00:00", seconds=99.0)
    assert to_json(three) == to_json(later)
    assert to_json(three) != to_json(synthetic_results(ELOS, deals=400, seed=1))


def test_json_has_the_documented_shape(three):
    data = json.loads(to_json(three))
    assert data["format"] == FORMAT
    assert set(data) == {
        "format", "name", "seed", "code_version", "config", "is_complete", "is_sequential",
        "agents", "games", "tables", "forfeits", "command",
    }  # fmt: skip
    pairing = data["tables"][0]["pairings"][0]
    assert set(pairing["rate"]) == {"value", "low", "high"}
    assert pairing["rate"]["low"] <= pairing["rate"]["value"] <= pairing["rate"]["high"]
    assert data["forfeits"][0]["reason"] == "ValueError: no such card"
    assert data["tables"][0]["usage"]["strong"]["play"]["number"] > 0


def test_intervals_of_sequential_match_ups_are_anytime_valid(three):
    fixed = summarise(three).tables[0].pairings[0]
    ended = dataclasses.replace(
        three, config=three.config | {"until_clear": True}, stopped_early=(True, False, False)
    )
    pairing = summarise(ended).tables[0].pairings[0]
    assert pairing.rate.high - pairing.rate.low > 1.3 * (fixed.rate.high - fixed.rate.low)
    assert pairing.rate.value == pytest.approx(fixed.rate.value)
    assert verdict_text(pairing) == "better, stopped early"
    assert "anytime-valid" in printed(ended)


def test_turn_order_is_that_of_the_real_opening():
    """Players who win exactly when they begin: the report must find out who began."""
    results = synthetic_results({"a": 0.0, "b": 0.0}, deals=60, card_effect=0.0)
    table = results.games[0]
    rules = Rules.preset("classic")
    starters = np.array(
        [Game(rules=rules, num_players=2, seed=int(seed)).snapshot()["turn"] for seed in table.seed]
    )
    games = dataclasses.replace(table, share=np.eye(2)[starters])
    by_turn = summarise(dataclasses.replace(results, games=(games,))).tables[0].by_turn
    for first, second in by_turn.values():
        assert (first.value, second.value) == (1, 0)


def test_perfect_records_are_explained():
    results = synthetic_results({"a": 9000.0, "b": 0.0}, deals=150)
    assert "half a pseudo-win" in printed(results)


@pytest.mark.parametrize(
    "given",
    [
        {"agents": ["greedy", "my file.py:Bot"], "variant": ["no_mercy(stacking=none)"]},
        {"agents": ["a", "b"], "players": [2, 4], "until_clear": True, "deals": 77},
        {"agents": ["a", "b"], "sprt": [0.0, 20.0], "schedule": "first"},
    ],
)
def test_the_command_to_repeat_says_everything_that_differs_from_the_defaults(given, three):
    config = ArenaConfig(**given).model_dump(mode="json")
    entrants = tuple(Entrant(f"name of {spec}", spec) for spec in given["agents"])
    summary = summarise(dataclasses.replace(three, games=(), matchups=(), config=config))
    words = shlex.split(reproduce_command(dataclasses.replace(summary, agents=entrants)))
    assert words[:3] == ["uno-arena", *given["agents"]]
    for key, value in given.items():
        if key != "agents":
            flag = words.index(f"--{key.replace('_', '-')}")
            values = value if isinstance(value, list) else [] if value is True else [value]
            expected = list(map(str, values))
            assert words[flag + 1 : flag + 1 + len(expected)] == expected
    assert len([word for word in words if word.startswith("--")]) == len(given) - 1


def test_same_seed_same_report_of_real_games():
    def report():
        return to_json(tournament(["greedy", "random"], deals=120, players=2, seed=5))

    first = report()
    assert first == report()
    data = json.loads(first)
    assert [s["agent"] for s in data["tables"][0]["standings"]] == ["greedy", "random"]
    assert data["command"] == "uno-arena greedy random --players 2 --deals 120 --seed 5"
    usage = data["tables"][0]["usage"]
    # Greedy draws only when it must, so drawing is no decision of its own; random does both.
    assert usage["greedy"]["play"].get("draw", 0) < usage["random"]["play"]["draw"]


def test_variance_reduction_in_words():
    assert "variance reduction 1.56, intervals are 20 % narrower" in variance_reduction_text(1.5625)
    assert "10 % wider" in variance_reduction_text(0.826)
    assert "too few differ" in variance_reduction_text(None)
