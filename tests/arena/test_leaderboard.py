"""The leaderboard: ranks with ties on the same deals, submitted entries, our own page."""

import json
from pathlib import Path

import numpy as np
import pytest
from uno_arena.benchmark import leaderboard
from uno_arena.benchmark.agent_hash import agent_hash
from uno_arena.benchmark.entry_files import SHIPPED, EntryError, read_entries, write_entry
from uno_arena.benchmark.leaderboard import elo_above, ranked
from uno_arena.benchmark.leaderboard_entries import (
    LeaderboardEntry,
    TaskResult,
    entries_of,
    merged,
    opponents_digest,
)
from uno_arena.benchmark.leaderboard_page import page
from uno_arena.benchmark.task_opponents import OPPONENTS
from uno_arena.benchmark.tasks import TASKS, play_task
from uno_arena.benchmark.verify import verdicts
from uno_arena.cli import main
from uno_arena.stats.intervals import Estimate
from uno_arena.stats.sequential import elo_rate
from uno_arena.store.store import Store

TASK = TASKS["classic-2"]
PAGE = Path(__file__).parents[2] / "docs" / "leaderboard.md"


def made_up(agent, rate, deals=2000, seed=0, opponents=None, agent_hash="", **about):
    """An entry whose wins are drawn; the card effect of a deal is the same for every agent."""
    card_effect = np.random.default_rng(99).uniform(-0.3, 0.3, 2000)[:deals]
    draws = np.random.default_rng(seed).random((2, deals))
    wins = {
        opponent: {"classic": ((draws < rate + card_effect).sum(axis=0)).tolist()}
        for opponent in OPPONENTS
        if opponent != agent
    }
    opponents = opponents or opponents_digest(TASK.label)
    result = TaskResult(wins, 2, 0, 0, opponents, "0.0", "uno-arena ...", agent_hash)
    entry = LeaderboardEntry(agent, **about)
    entry.add(TASK.label, result)
    return entry


def test_ranks_are_shared_by_agents_that_cannot_be_told_apart():
    entries = [
        made_up("weak", 0.30, seed=1),
        made_up("strong", 0.60, seed=2),
        made_up("strong too", 0.605, seed=3),
        made_up("heuristic", 0.45, seed=4),
    ]
    placed = ranked(TASK, entries)
    assert {entry.name: (entry.rank, entry.is_tied) for entry in placed} == {
        "strong": (1, True),
        "strong too": (1, True),
        "heuristic": (3, False),
        "weak": (4, False),
    }
    assert placed[0].score.value >= placed[1].score.value
    # Against itself a member of the field wins the chance level.
    member = next(one for one in placed if one.name == "heuristic")
    others = [member.result.rate(name).value for name in OPPONENTS if name != "heuristic"]
    assert member.score.value == pytest.approx((sum(others) + 0.5) / len(OPPONENTS), abs=1e-9)


def test_a_score_on_verification_deals_that_is_clearly_lower_is_marked():
    honest, tuned = made_up("honest", 0.5, seed=1), made_up("tuned", 0.6, seed=1)
    for entry in (honest, tuned):
        (verified,) = made_up("x", 0.5, seed=7, agent_hash="abc").verification.values()
        entry.add(TASK.label, verified)
    placed = {one.name: one for one in ranked(TASK, [honest, tuned])}
    assert placed["tuned"].is_lower and not placed["honest"].is_lower
    assert placed["tuned"].score.value > 0.58 and placed["tuned"].verified.value < 0.52
    assert "▼" in page([tuned]).partition("## classic-2@2")[2]


def test_a_short_run_is_compared_on_the_deals_both_played():
    long, short = made_up("a", 0.6, seed=5), made_up("b", 0.6, deals=200, seed=5)
    # The same draws would be needed for the same wins; the first 200 deals have equal card effects.
    gap = long.tasks[TASK.label].above(short.tasks[TASK.label], OPPONENTS)
    mine = long.tasks[TASK.label].deal_shares(OPPONENTS)[:200]
    theirs = short.tasks[TASK.label].deal_shares(OPPONENTS)
    assert gap.value == pytest.approx(float(mine.mean() - theirs.mean()))


def test_results_against_other_opponents_are_left_out_and_said():
    entries = [made_up("old", 0.9, opponents="of another version"), made_up("new", 0.5, seed=1)]
    assert [entry.name for entry in ranked(TASK, entries)] == ["new"]
    assert "1 results against another version of the opponents are left out" in page(entries)


def test_elo_above_the_baseline_is_the_inverse_of_its_win_rate():
    for chance in (0.5, 0.25):
        rates = Estimate(*(elo_rate(elo, chance) for elo in (50.0, 20.0, 80.0)))
        assert elo_above(rates, chance, 1000) == pytest.approx((50, 20, 80))
    # Nothing won: half a game of 1,000 against 1,000.5.
    lost = elo_above(Estimate(0.0, 0.0, 0.002), 0.5, 1000)
    assert lost.value == pytest.approx(-400 * np.log10(1000.5 / 0.5))
    assert lost.low == lost.value < lost.high


def test_entries_survive_a_trip_through_files(tmp_path):
    entry = made_up("my bot", 0.55, about="by somebody", cheats=True)
    write_entry(entry, tmp_path / "entries" / "mine.json")
    (again,) = read_entries([tmp_path / "entries"])
    assert again == entry
    # Wins stand on one line each, so that a difference of two entries can be read.
    text = (tmp_path / "entries" / "mine.json").read_text()
    assert max(map(len, text.splitlines())) > 2000
    assert len(text.splitlines()) < 50


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: data.update(format="other"), "another format"),
        (lambda data: data.update(tasks={"chess@1": data["tasks"].popitem()[1]}), "unknown task"),
        (lambda data: data["tasks"][TASK.label].update(rotations=3), "do not fit"),
        (lambda data: data["tasks"][TASK.label]["wins"].update(me={}), "not those of the task"),
        (lambda data: data["tasks"][TASK.label].update(agent_hash="ab"), "only they"),
        (
            lambda data: data["tasks"][TASK.label]["wins"]["greedy"].update(classic=[1, 1]),
            "on the same deals",
        ),
        (
            lambda data: data["tasks"][TASK.label]["wins"]["greedy"].update(classic=[5, 1]),
            "numbers from 0 to 2",
        ),
        (lambda data: data.pop("agent"), "is no entry"),
    ],
)
def test_files_that_are_no_entries_are_refused(tmp_path, change, says):
    path = write_entry(made_up("x", 0.5, deals=20), tmp_path / "x.json")
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(EntryError, match=says):
        read_entries([path])


def test_merging_keeps_the_result_with_more_deals():
    long, short = made_up("a", 0.6, seed=1), made_up("a", 0.5, deals=200, seed=2)
    assert merged([short], [long])[0].tasks[TASK.label].deals == 2000
    assert merged([long], [short])[0].tasks[TASK.label].deals == 2000
    assert [entry.agent for entry in merged([long], [made_up("b", 0.5)])] == ["a", "b"]


def test_entries_of_a_database_and_the_page_by_one_command(tmp_path):
    db = tmp_path / "arena.db"
    with Store(db) as store:
        results = play_task(TASK, "random", store, quick=True)
        play_task(TASK, "random", store, quick=True, verification=True)
        (entry,) = entries_of(store)
    assert entry.verification[TASK.label].agent_hash == agent_hash("random")
    assert entry.verification[TASK.label].wins != entry.tasks[TASK.label].wins
    rate = entry.tasks[TASK.label].rate("heuristic")
    assert rate.value == pytest.approx(results.games[0].focal_shares().mean(), abs=1e-4)
    assert entry.tasks[TASK.label].command == "uno-arena bench classic-2 random --quick"
    target, mine = tmp_path / "page.md", tmp_path / "mine.json"
    write_entry(entry, mine)
    words = ["leaderboard", "--db", str(db), "--entries", str(mine), "--write"]
    assert main([*words, str(target)]) == 0
    text = target.read_text()
    assert "| 1 | random |" in text
    assert "Nobody has played it yet." in text
    assert "uno-arena bench all" in text


def test_the_page_of_this_project_is_what_its_entries_give():
    entries = read_entries([SHIPPED])
    current = {task.label for task in TASKS.values()}
    results = [
        (label, result)
        for entry in entries
        for label, result in entry.tasks.items()
        if label in current
    ]
    assert results
    if any(result.opponents != opponents_digest(label) for label, result in results):
        pytest.skip("the opponents have changed: play the entries again, see docs/leaderboard.md")
    assert PAGE.read_text(encoding="utf-8") == page(entries)
    assert {"random", "greedy", "heuristic"} <= {entry.agent for entry in entries}
    for task in TASKS.values():
        heuristic, greedy = (
            next(placed for placed in ranked(task, entries) if placed.name == name)
            for name in ("heuristic", "greedy")
        )
        assert heuristic.rank <= greedy.rank and heuristic.score.value > greedy.score.value
        assert heuristic.verified is not None


def test_rows_of_version_1_can_be_read(tmp_path):
    wins = {name: {"classic": [0, 1, 2]} for name in ("heuristic", "greedy")}
    result = {"wins": wins, "rotations": 2, "ties": 0, "forfeits": 0, "field": "abc",
              "code_version": "0.1", "command": "uno-arena bench classic-2 x"}  # fmt: skip
    row = {"format": "uno-arena-row-1", "agent": "x", "cheats": False, "fingerprint": "",
           "about": "", "tasks": {"classic-2@1": result}}  # fmt: skip
    (tmp_path / "x.json").write_text(json.dumps(row))
    (entry,) = read_entries([tmp_path])
    assert entry.tasks["classic-2@1"].rate("greedy").value == 0.5
    assert "1 results of version 1 of the tasks are left out" in page([entry])


def test_a_row_is_verified_by_playing_it_again(tmp_path, capsys):
    """A row is played again to the same wins; a changed number or a changed agent is found."""
    bot = tmp_path / "bot.py"
    bot.write_text("def bot(view, legal):\n    return legal[-1]\n")
    row = tmp_path / "row.json"
    words = ["bench", "llm-classic-2", f"{bot}:bot", "--quiet", "--workers", "0"]
    assert main([*words, "--db", str(tmp_path / "a.db"), "--entry", str(row)]) == 0
    again = ["verify", str(row), "--quiet", "--workers", "0"]
    assert main(again) == 0
    assert "llm-classic-2@1, 10 development deals: equal" in capsys.readouterr().out
    data = json.loads(row.read_text())
    wins = data["tasks"]["llm-classic-2@1"]["wins"]["greedy"]["classic"]
    wins[3] = (wins[3] + 1) % 3
    row.write_text(json.dumps(data))
    assert main(again) == 1
    assert "1 of 20 deals differ" in capsys.readouterr().out


def test_verification_refuses_an_agent_of_other_bytes():
    entry = made_up("x", 0.5, deals=200)
    (result,) = made_up("x", 0.5, deals=200, agent_hash=agent_hash("greedy")).verification.values()
    entry.add(TASK.label, result)
    by_deals = {found.deals: found.problem for found in verdicts(entry, "random", [TASK])}
    assert by_deals["verification"].startswith("the agent's hash is")
    assert "deals differ" in by_deals["development"]


def test_without_arguments_the_shipped_entries_are_printed(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.chdir(tmp_path)
    assert main(["leaderboard"]) == 0
    printed = capsys.readouterr().out
    assert all(f"{task.label}: chance level" in printed for task in TASKS.values())
    assert "heuristic" in printed


def test_entries_are_part_of_the_package():
    assert SHIPPED.parent == Path(leaderboard.__file__).parent


@pytest.mark.parametrize(
    ("name", "says"),
    [("no.json", "is no entry of the leaderboard"), ("empty", "holds no leaderboard entries")],
)
def test_a_missing_file_or_an_empty_folder_of_entries_is_an_error(capsys, tmp_path, name, says):
    (tmp_path / "empty").mkdir()
    assert main(["leaderboard", "--entries", str(tmp_path / name)]) == 2
    assert says in capsys.readouterr().err
