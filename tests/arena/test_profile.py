"""The skill profile: agreement with search by phase."""

import json

import pytest
from uno_arena.benchmark.profile import ALL, skill_profile, to_json
from uno_arena.cli import main

from uno_env import Rules

from .bots import Acts, Thinks

CLASSIC = Rules.preset("classic")


def test_search_agrees_with_itself():
    """The same simulations and seed give the same decisions, so nothing is lost."""
    profile = skill_profile("search:sims=60", CLASSIC, 2, 2, sims=60, seed=0)
    assert profile.games == 4 and profile.forfeits == 0
    overall = profile.phases[0]
    assert overall.phase == ALL and overall.decisions > 20
    assert overall.decisions == sum(phase.decisions for phase in profile.phases[1:])
    assert overall.agreement.value < 1 or overall.regret == 0


def test_a_better_agent_agrees_more_and_loses_less():
    weak, strong = (
        skill_profile(spec, CLASSIC, 2, 10, sims=200) for spec in ("random", "heuristic")
    )
    assert weak.phases[0].agreement.high < strong.phases[0].agreement.low
    assert weak.phases[0].regret > strong.phases[0].regret > -0.01


def test_games_at_the_same_time_change_nothing():
    one, many = (skill_profile(Thinks(n), CLASSIC, 3, 3, sims=40) for n in (1, 6))
    assert one == many


def test_a_forfeit_ends_the_game_and_is_counted():
    profile = skill_profile(Acts("crash", after=3, every=0), CLASSIC, 2, 2, sims=20)
    assert profile.forfeits >= 1


def test_the_command_prints_and_writes(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    out = tmp_path / "profile.json"
    words = ["profile", "greedy", "--variant", "teams", "--deals", "2", "--sims", "30"]
    assert main([*words, "--json", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "greedy against heuristic: teams, 4 players, 4 games" in printed
    (profile,) = json.loads(out.read_text())["profiles"]
    assert profile["phases"][0]["phase"] == ALL
    assert 0 <= profile["phases"][0]["agreement"]["low"] <= 1
    again = skill_profile("greedy", Rules.preset("teams"), 4, 2, sims=30)
    assert to_json([again]) == out.read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--deals", "0"], "--deals is 0"),
        (["--variant", "chess"], "chess"),
        (["--opponent", "gredy"], "greedy"),
    ],
)
def test_wrong_words_are_refused(words, says, capsys):
    assert main(["profile", "greedy", *words]) == 2
    assert says in capsys.readouterr().err
