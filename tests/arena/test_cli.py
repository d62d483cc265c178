"""The command: flags, files, reports, replays, and errors that say what is allowed."""

import json

import pytest
from uno_arena.cli import main

import uno_env

from .bots import spec

QUICK = ["--workers", "0", "--quiet"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, *words):
    """Exit code, standard output and standard error of a command."""
    code = main([str(word) for word in words])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_tournament_from_the_command_line(here, capsys):
    words = ["greedy", "random", "--variant", "no_mercy", "--players", "3", "--deals", "60", *QUICK]
    code, out, _ = run(capsys, *words, "--json", "a.json", "--html", "a.html")
    assert code == 0
    assert "no_mercy · 3 players" in out
    assert "greedy" in out
    data = json.loads((here / "a.json").read_text())
    assert data["games"] == 2 * 60 * 3
    assert data["config"]["variant"] == ["no_mercy"]
    assert "greedy" in (here / "a.html").read_text()
    # The same command again plays nothing, and reports the same bytes.
    code, _, _ = run(capsys, *words, "--json", "b.json")
    assert (here / "a.json").read_bytes() == (here / "b.json").read_bytes()
    code, _, _ = run(capsys, *words, "--json", "c.json", "--db", "other.db")
    assert (here / "a.json").read_bytes() == (here / "c.json").read_bytes()
    code, out, _ = run(capsys, "report", "arena.db", "--json", "-")
    assert out.encode() == (here / "a.json").read_bytes()


def test_the_command_in_a_report_plays_the_same_again(here, capsys):
    words = ["greedy", "random", "--deals", "20", "--until-clear", "--alpha", "0.1", *QUICK]
    _, out, _ = run(capsys, *words, "--mixed")
    assert out == ""  # refused: a mixed table has no focal
    _, out, _ = run(capsys, *words)
    (line,) = [line for line in out.splitlines() if line.startswith("Again: uno-arena ")]
    code, again, _ = run(capsys, *line.split()[2:], *QUICK)
    assert (code, again) == (0, out)
    _, listed, _ = run(capsys, "list", "arena.db")
    assert len(listed.splitlines()) == 1


def test_options_from_a_file(here, capsys):
    (here / "a.yaml").write_text("agents: [greedy, random]\nplayers: [2, 3]\ndeals: 10\nseed: 3\n")
    code, out, _ = run(capsys, "--config", "a.yaml", "--deals", "12", "--json", "-", *QUICK)
    assert code == 0
    config = json.loads(out)["config"]
    assert (config["players"], config["deals"], config["seed"]) == ([2, 3], 12, 3)
    (here / "a.yaml").write_text("agents: [greedy, random]\ndeels: 10\n")
    code, _, said = run(capsys, "--config", "a.yaml", *QUICK)
    assert code == 2
    assert "unknown key 'deels'; allowed: agents, variant" in said


def test_any_game_of_a_report_can_be_seen_again(here, capsys):
    run(capsys, "greedy", "random", "--deals", "4", *QUICK)
    code, out, _ = run(capsys, "replay", "arena.db", "0.3.1", "--out", "game.json")
    assert code == 0
    game = uno_env.Game.replay(json.loads((here / out.strip()).read_text()))
    assert game.over
    _, story, _ = run(capsys, "replay", "arena.db", "0.3.1")
    lines = story.splitlines()
    assert lines[0].startswith("classic, 2 players, one round, deal 3 (seed ")
    # In rotation 1 the first agent sits at seat 1.
    winner = ["random", "greedy"][game.winners[0]]
    assert f"Won by {winner} at seat {game.winners[0]}." in lines
    code, out, _ = run(capsys, "replay", "arena.db", "0.3.1", "--out", "game.html")
    assert "<html" in (here / "game.html").read_text()


def test_the_story_of_a_game_that_was_forfeited_says_why(here, capsys):
    crash = spec("Acts:kind=crash,after=0")
    run(capsys, "greedy", crash, "--deals", "2", *QUICK)
    code, out, _ = run(capsys, "replay", "arena.db", "0.0.1")
    assert code == 0
    assert f"{crash} at seat 0 forfeits: ZeroDivisionError: oops" in out.splitlines()


def test_a_named_tournament_keeps_its_options(here, capsys):
    words = ["greedy", "random", "--name", "mine", *QUICK]
    assert run(capsys, *words, "--deals", "10")[0] == 0
    code, _, said = run(capsys, *words, "--deals", "20")
    assert code == 2
    assert "deals is 20, was 10" in said
    code, _, said = run(capsys, "--resume", "--deals", "20", *QUICK)
    assert (code, "deals is 20, was 10" in said) == (2, True)
    assert run(capsys, "--resume", *QUICK)[0] == 0
    assert run(capsys, *words[:2], "--deals", "20", *QUICK)[0] == 0
    _, listed, _ = run(capsys, "list", "arena.db")
    first, second = listed.splitlines()
    assert first == "mine: greedy, random; classic with 2; 20 games, complete"
    assert "40 games, complete" in second
    assert run(capsys, "report", "arena.db", "--name", "mine")[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no agents; for example: uno-arena"),
        (["greedy"], "two or more are needed"),
        (["greedy", "randon"], "unknown agent 'randon'"),
        (["greedy", "random", "--players", "12"], "num_players is 12"),
        (["greedy", "random", "--deals", "many"], "deals is 'many'"),
        (["greedy", "random", "--workers", "-1"], "--workers is -1"),
        (["--resume", "--db", "none.db"], "no arena database none.db"),
        (["report", "none.db"], "no arena database none.db"),
        (["replay", "none.db", "1.2.3"], "no arena database none.db"),
    ],
)
def test_mistakes_are_explained(here, capsys, words, message):
    code, out, said = run(capsys, *words)
    assert (code, out) == (2, "")
    assert message in said
    assert not list(here.glob("none.db*"))


def test_help_starts_with_an_example_that_works(here, capsys):
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    text = capsys.readouterr().out
    first, *_ = text.splitlines()
    assert first.startswith("example: uno-arena ")
    assert "uno-arena replay" in text
    words = first.split()[2:]
    code, out, _ = run(capsys, *words[:-1], "30", *QUICK)
    assert code == 0
    assert "no_mercy · 4 players" in out
