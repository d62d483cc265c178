"""The field and cross-play commands: every member, the mean, and a matrix in three forms."""

import json

import pytest
from uno_agents.field import field_members
from uno_agents.levels.slips import BEGINNER, SlipRates
from uno_arena.benchmark.calibrate_levels import Meter, elo_of, mean_elo, slip_for
from uno_arena.benchmark.cross_play import cross_play, markdown
from uno_arena.benchmark.field import Deals, evaluate_on_field, mean_result
from uno_arena.cli import main
from uno_arena.evaluate import Result

import uno_env

pytest.importorskip("rich")
pytest.importorskip("matplotlib")

CLASSIC = uno_env.Rules.preset("classic")


def test_the_field_command_reports_each_member_and_the_mean(tmp_path, capsys):
    file = tmp_path / "field.json"
    words = f"field greedy --players 2 --deals 10 --slow-deals 2 --json {file}"
    assert main(words.split()) == 0
    assert "mean of the field" in capsys.readouterr().out
    report = json.loads(file.read_text())["agents"]["greedy"]
    assert list(report["members"]) == [m.spec for m in field_members(variants=["classic"])]
    rates = [member["rate"] for member in report["members"].values()]
    assert report["mean"]["rate"] == pytest.approx(sum(rates) / len(rates))
    assert report["mean"]["low"] < report["mean"]["rate"] < report["mean"]["high"]


def test_members_get_deals_of_their_own():
    deals = Deals(50, 2, seed=3)
    twice = evaluate_on_field("heuristic", ["greedy", "greedy"], CLASSIC, 2, deals)
    first = evaluate_on_field("heuristic", ["greedy"], CLASSIC, 2, deals)
    assert twice["greedy"] != first["greedy"]


def test_the_mean_of_independent_results_is_surer_than_each():
    results = [Result(0.5, 0.4, 0.6, 10, 20, 0.5), Result(0.7, 0.6, 0.8, 10, 20, 0.5)]
    mean = mean_result(results)
    assert mean.rate == pytest.approx(0.6)
    assert mean.high - mean.low == pytest.approx(0.2 / 2**0.5)
    assert (mean.deals, mean.games) == (20, 40)


def test_cross_play_writes_table_picture_and_json(tmp_path, capsys):
    out = tmp_path / "out" / "x"
    words = f"cross-play greedy heuristic random --players 2 --deals 30 --quiet --out {out}"
    assert main(words.split()) == 0
    assert capsys.readouterr().out.startswith("| row against a table of column")
    assert (out.parent / "x.png").read_bytes().startswith(b"\x89PNG")
    data = json.loads((out.parent / "x.json").read_text())
    cells = {(cell["agent"], cell["against"]): cell for cell in data["cells"]}
    assert len(cells) == 6
    for (row, column), cell in cells.items():
        assert cell["low"] <= cell["rate"] <= cell["high"]
        assert cell["rate"] + cells[column, row]["rate"] == pytest.approx(1)
    assert cells["heuristic", "random"]["low"] > 0.5


def test_with_more_sides_every_cell_is_played():
    matrix = cross_play(["greedy", "random"], CLASSIC, 3, Deals(60, 2, 1))
    one, other = matrix.cells["greedy", "random"], matrix.cells["random", "greedy"]
    assert one.rate + other.rate != pytest.approx(1)
    assert one.rate > matrix.chance > other.rate
    assert matrix.mean("greedy") == one.rate
    assert "| 1 `greedy` |  |" in markdown(matrix)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("cross-play greedy", "two or more are needed"),
        ("cross-play greedy nobody", "unknown agent 'nobody'"),
        ("field greedy --field field:7", "no field 'field:7'"),
        ("field greedy --deals 1", "--deals is 1; 2 or more"),
        ("field greedy --variant poker", "unknown variant 'poker'"),
    ],
)
def test_what_cannot_be_played_is_refused(words, says, capsys):
    assert main(words.split()) == 2
    assert says in capsys.readouterr().err


def test_elo_of_a_rate_is_zero_at_the_chance_level_of_every_table():
    for chance in (1 / 2, 1 / 4, 1 / 10):
        assert elo_of(chance, chance) == pytest.approx(0)
    # A side of ten times the strength of each of three others wins 10 of 13 games.
    assert elo_of(10 / 13, 1 / 4) == pytest.approx(400)
    results = [Result(0.5, 0.4, 0.6, 1, 2, 0.5), Result(0.25, 0.2, 0.3, 1, 2, 0.25)]
    assert mean_elo(results).value == 0.0


def test_slip_rates_are_read_off_a_curve():
    assert slip_for(-50, (0.0, 0.1, 0.3), (0.0, -40.0, -60.0)) == pytest.approx(0.2)
    assert slip_for(30, (0.0, 0.1), (50.0, 10.0)) == pytest.approx(0.05)
    assert slip_for(99, (0.0, 0.1), (50.0, 10.0)) == 0.0


@pytest.mark.slow
def test_more_slips_are_less_strength():
    meter = Meter(100, 2, seed=1)
    elos = [meter.elo("heuristic", BEGINNER.scaled(slip)).value for slip in (0.0, 0.3, 0.7)]
    assert elos == sorted(elos, reverse=True)
    assert meter.elo("heuristic", SlipRates()).value == elos[0]
