"""The standard benchmark: fixed tasks, the same cards for everybody, results in the database."""

import hashlib

import pytest
from uno_arena.benchmark.agent_hash import agent_hash
from uno_arena.benchmark.task import FULL, QUICK, Task, TaskError
from uno_arena.benchmark.task_opponents import OPPONENTS, OPPONENTS_1
from uno_arena.benchmark.tasks import (
    GROUPS,
    LLM_TASKS,
    OLD_TASKS,
    TASKS,
    play_task,
    task_of,
    tasks_named,
)
from uno_arena.cli import main
from uno_arena.play.matchup import deal_seeds
from uno_arena.store.load import load_results
from uno_arena.store.store import Store

from uno_env import VARIANTS, Rules
from uno_env.rulesets import ruleset


def test_tasks_do_not_change_unnoticed():
    """Whoever changes a task must count up its version, and then this digest."""
    definition = [
        (task.label, task.players, task.rule_texts, task.episode, task.seed, FULL, QUICK, OPPONENTS)
        for task in TASKS.values()
    ]
    digest = hashlib.sha256(repr(definition).encode()).hexdigest()
    assert digest[:16] == "672f9a24e1a50348"


def test_tasks_of_version_1_are_what_they_were():
    definition = [
        (task.label, task.players, task.rules, task.seed, FULL, QUICK, OPPONENTS_1)
        for task in OLD_TASKS.values()
    ]
    digest = hashlib.sha256(repr(definition).encode()).hexdigest()
    assert digest[:16] == "6400e0d76afd9395"
    assert task_of("classic-2@1") is OLD_TASKS["classic-2@1"]
    assert task_of("classic-2@2") is TASKS["classic-2"]
    assert task_of("classic-2@3") is None


def test_tasks_for_language_models_do_not_change_unnoticed():
    """Their labels fix the deals; whoever changes one must count up its version."""
    definition = [
        (task.label, task.players, task.rules, task.seed, task.size) for task in LLM_TASKS.values()
    ]
    digest = hashlib.sha256(repr(definition).encode()).hexdigest()
    assert digest[:16] == "e3e42a1c3fd2eda6"


def test_every_preset_has_a_small_task_for_language_models():
    assert {task.rules[0] for task in LLM_TASKS.values()} == set(VARIANTS)
    for task in LLM_TASKS.values():
        assert task.config("x").deals == task.config("x", quick=True).deals == 10
    assert tasks_named("llm") == list(LLM_TASKS.values())
    assert not set(LLM_TASKS) & set(TASKS)


def test_a_task_for_language_models_is_played_and_ranked(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")
    words = ["bench", "llm-classic-2", "random", "--quiet", "--workers", "0"]
    assert main([*words, "--db", str(tmp_path / "arena.db")]) == 0
    assert "llm-classic-2@1: chance level 50.0 %" in capsys.readouterr().out


def test_every_preset_has_a_task_and_rules_are_canonical():
    assert {Rules.from_text(task.rule_texts[0]).variant for task in TASKS.values()} >= set(VARIANTS)
    for task in TASKS.values():
        for text in task.rule_texts:
            rules = Rules.from_text(text)
            assert rules.text() == text
            rules.check_players(task.players)
            sides = task.players // 2 if rules.team_mode == "pairs" else task.players
            assert task.chance == 1 / sides


def test_deals_of_tasks_differ_and_a_quick_run_plays_the_first_of_them():
    seeds = {task.seed for task in TASKS.values()}
    assert len(seeds) == len(TASKS)
    task = TASKS["mixed"]
    full, quick = task.config("random"), task.config("random", quick=True)
    assert (full.deals, quick.deals) == (FULL // 8, QUICK // 8)
    assert full.seed == quick.seed
    assert list(deal_seeds(full.seed, 0, quick.deals)) == list(
        deal_seeds(full.seed, 0, full.deals)[: quick.deals]
    )
    assert Task("classic-2", 2, ("classic",), version=3).seed != TASKS["classic-2"].seed


def test_opponents_do_not_play_themselves():
    others = [name for name in OPPONENTS if name != "greedy"]
    assert TASKS["classic-4"].config("greedy").agents == ("greedy", *others)
    assert TASKS["classic-4"].config("x").agents == ("x", *OPPONENTS)
    assert {"heuristic", "greedy"} <= set(OPPONENTS)


def test_presets_matches_and_unseen_rules_are_tasks():
    assert set(TASKS) == set(GROUPS["presets"]) | set(GROUPS["matches"]) | set(GROUPS["rules"])
    assert TASKS["classic-4-match"].config("x").episode == "match"
    assert "all_wild-4" in GROUPS["presets"]
    assert TASKS["rules-cards"].config("x").deals == FULL // len(ruleset("ruleset:cards/test"))


def test_verification_deals_follow_from_the_bytes_of_the_agent(tmp_path):
    task, other = TASKS["classic-2"], TASKS["classic-4"]
    bots = [tmp_path / name / "bot.py" for name in ("a", "b", "c")]
    for bot, text in zip(bots, ("x = 1", "x = 1", "x = 2"), strict=True):
        bot.parent.mkdir()
        bot.write_text(text)
    first, copy, changed = (agent_hash(f"{bot}:Bot") for bot in bots)
    assert first == copy != changed
    assert first != agent_hash(f"{bots[0]}:Rival") != agent_hash(f"{bots[0]}:Bot:speed=2")
    assert task.verification_seed(first) == task.verification_seed(copy)
    seeds = {task.verification_seed(first), task.verification_seed(changed), task.seed}
    assert len(seeds | {other.verification_seed(first), other.seed}) == 5
    assert task.config("x", agent_hash=first).seed == task.verification_seed(first)
    # What is built in is its spec and the release; a shipped network is its weights.
    specs = ("heuristic", "greedy", "search:sims=20", "search:sims=30", "pretrained:classic")
    assert len({agent_hash(spec) for spec in specs}) == 5


def test_tasks_by_name():
    assert tasks_named("all") == list(TASKS.values())
    assert [task.name for task in tasks_named("teams-4,classic-2")] == ["teams-4", "classic-2"]
    with pytest.raises(TaskError, match="unknown task 'classic'; allowed: all, presets, matches"):
        tasks_named("classic")


def test_everybody_plays_the_same_cards(tmp_path):
    task = TASKS["teams-4"]
    with Store(tmp_path / "arena.db") as store:
        seeds = []
        for agent in ("random", "greedy"):
            results = play_task(task, agent, store, quick=True)
            assert results.is_complete
            seeds.append(results.games[0].seed)
        assert (seeds[0] == seeds[1]).all()
        assert store.names() == [
            task.tournament(agent, quick=True) for agent in ("random", "greedy")
        ]
        # Again costs nothing and changes nothing.
        again = play_task(task, "greedy", store, quick=True)
        assert (again.games[0].share == results.games[0].share).all()


def test_the_command_plays_and_prints_the_ranking(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")
    db, entry = tmp_path / "arena.db", tmp_path / "entry.json"
    words = ["bench", "classic-2", "random", "--quick", "--quiet", "--workers", "0"]
    assert main([*words, "--db", str(db), "--entry", str(entry)]) == 0
    printed = capsys.readouterr()
    assert "classic-2@2: chance level 50.0 %" in printed.out
    assert f"Entry: {entry}" in printed.err
    assert entry.is_file()
    task, used = TASKS["classic-2"], agent_hash("random")
    with Store(db) as store:
        names = [task.tournament("random", True, verification) for verification in (False, True)]
        assert store.names() == names
    for name, config in zip(
        names, (task.config("random", True), task.config("random", True, used)), strict=True
    ):
        assert load_results(db, name).config == config.model_dump(mode="json")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["bench", "chess-2", "random"], "unknown task 'chess-2'"),
        (["bench", "classic-2", "random", "greedy", "--entry", "x.json"], "one agent"),
        (["bench", "classic-2", "random", "--no-verification", "--entry", "x"], "verification"),
    ],
)
def test_wrong_words_are_refused(words, says, capsys):
    assert main(words) == 2
    assert says in capsys.readouterr().err
