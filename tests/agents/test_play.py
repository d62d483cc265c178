"""Playing in the terminal, with the answers of a person from a script."""

import io

import pytest

import uno_env
from agents.play import main, play
from agents.registry import make_agent


@pytest.mark.parametrize("variant", uno_env.VARIANTS)
def test_a_whole_game_can_be_played_by_numbers(variant, capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    game = uno_env.Game(variant, seed=11)
    asked = []

    def first_choice(prompt):
        asked.append(prompt)
        # One wrong answer in between must only be asked again.
        return "99" if len(asked) == 2 else "0"

    play(game, make_agent("greedy"), 0, first_choice)
    shown = capsys.readouterr().out
    assert game.over
    assert len(asked) > 2
    assert "'99' is not a choice." in shown
    assert "You" in shown
    assert "Agent 1" in shown
    assert shown.rstrip().count("\n") > 20


def test_other_hands_stay_hidden(capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    game = uno_env.Game.from_snapshot(
        {
            "variant": "classic",
            "discard": ["red-5"],
            "draw_pile": ["blue-1"] * 20,
            "hands": [["red-1", "red-2"], ["green-9", "yellow-skip", "yellow-skip"]],
        }
    )

    def stop(prompt):
        raise EOFError

    with pytest.raises(EOFError):
        play(game, make_agent("greedy"), 0, stop)
    shown = capsys.readouterr().out
    assert "play red 1" in shown
    assert "green 9" not in shown
    assert "skip" not in shown


def test_command_stops_by_q_and_refuses_bad_options(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert main(["greedy", "--seed", "1"]) == 1
    assert main(["greedy", "--seat", "5"]) == 2
    assert "--seat is 5; allowed: 0 to 1" in capsys.readouterr().err
    assert main(["nobody"]) == 2
    assert main(["greedy", "--variant", "poker"]) == 2
