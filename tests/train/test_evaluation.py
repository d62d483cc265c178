"""What counts as ahead, and results over several kinds of tables."""

from io import StringIO

import pytest

pytest.importorskip("torch")

from rich.console import Console
from uno_agents.simple import GreedyAgent, RandomAgent
from uno_arena.benchmark.field import mean_result, standard_error
from uno_arena.evaluate import Result, evaluate
from uno_train.evaluation import lead, measure
from uno_train.report import show_results
from uno_train.tables import TableConfig

import uno_env


def result(rate, half, chance=0.5):
    return Result(rate, rate - half, rate + half, 100, 200, chance)


def test_a_lead_is_counted_in_standard_errors():
    half = 1.959964 * 0.03
    newcomer, incumbent = {"greedy": result(0.56, half)}, {"greedy": result(0.50, half)}
    assert standard_error(newcomer["greedy"]) == pytest.approx(0.03)
    assert lead(newcomer, incumbent) == pytest.approx(0.06 / (0.03 * 2**0.5))
    assert lead(incumbent, newcomer) == -lead(newcomer, incumbent)


def test_anchors_count_together():
    half = 1.959964 * 0.02
    newcomer = {"greedy": result(0.60, half), "heuristic": result(0.48, half)}
    incumbent = {"greedy": result(0.58, half), "heuristic": result(0.50, half)}
    assert lead(newcomer, incumbent) == pytest.approx(0, abs=1e-9)


def test_tables_count_alike_and_their_errors_shrink():
    both = mean_result([result(0.6, 0.04), result(0.3, 0.04, chance=0.25)])
    assert both.rate == pytest.approx(0.45)
    assert both.chance == pytest.approx(0.375)
    assert both.high - both.rate == pytest.approx(0.04 / 2**0.5)
    assert (both.deals, both.games) == (200, 400)


def test_one_table_is_the_arena_s_own_result():
    rules = uno_env.Rules.preset("classic")
    found = measure(GreedyAgent(1), ["random"], [TableConfig(rules, 2)], 40, seed=9)
    assert found["random"] == evaluate(GreedyAgent(1), RandomAgent(10), rules, 2, 40, seed=9)


def test_results_of_house_rules_show_their_numbers_in_a_narrow_terminal():
    rules = uno_env.Rules.preset("classic").replace(
        seven_swap=True, zero_pass=True, stacking="equal_or_higher"
    )
    rows = [(TableConfig(rules, players), "heuristic", result(0.56, 0.01)) for players in (2, 4)]
    console = Console(width=80, record=True, file=StringIO())
    show_results(console, rows, "shown")
    assert console.export_text().count("55.0 to 57.0 %") == 2
