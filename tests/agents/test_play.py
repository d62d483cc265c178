"""Playing in the terminal, with the answers of a person from a script."""

import io
import shlex

import pytest
from uno_agents.advice import Advice
from uno_agents.base import AgentError
from uno_agents.play import main, play, seating
from uno_agents.registry import list_agents, make_agent

import uno_env


class Everyone(dict):
    """The same agent at every seat."""

    def __missing__(self, seat):
        return self.setdefault(seat, make_agent("greedy"))


@pytest.mark.parametrize("variant", uno_env.VARIANTS)
def test_a_whole_game_can_be_played_by_numbers(variant, capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    game = uno_env.Game(variant, seed=11)
    asked = []

    def first_choice(prompt):
        asked.append(prompt)
        # One wrong answer in between must only be asked again.
        return "99" if len(asked) == 2 else "1"

    play(game, Everyone(), 0, first_choice)
    shown = capsys.readouterr().out
    assert game.over
    assert len(asked) > 2
    if "Your choice" in asked[1]:
        assert "'99' is not a choice." in shown
    assert "You" in shown
    assert "Otto" in shown
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
        play(game, Everyone(), 0, stop)
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
    assert main(["greedy", "greedy", "greedy", "--players", "3"]) == 2
    assert "3 agents for 2 seats; allowed: 1 to 2" in capsys.readouterr().err


def test_help_begins_with_an_example_and_lists_the_agents(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert shown.startswith("example: uno-play greedy")
    assert all(agent.name in shown for agent in list_agents())


def test_agents_are_dealt_out_clockwise():
    assert seating(["a"], 4, 0) == {1: "a", 2: "a", 3: "a"}
    assert seating(["a", "b"], 4, 2) == {3: "a", 0: "b", 1: "a"}


def test_the_same_cards_again_is_a_command_that_works(capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    words = ["greedy", "random", "--variant", "hyper_speed(hand_size=2)", "--players", "3"]
    games = []
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 500))
        assert main(words) == 0
        games.append(capsys.readouterr().out)
        words = shlex.split(games[-1].splitlines()[-1].partition("again: uno-play ")[2])
    assert games[0] == games[1]
    assert games[0].startswith("Otto: greedy; Mina: random\n")


def test_choices_count_from_one_and_zero_is_none(capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    game = uno_env.Game("classic", 2, seed=3)
    while game.actor != 0 or len(game.legal()) < 2:
        game.step(game.legal()[0])
    first = game.legal()[0]
    answers = iter(["0", str(len(game.legal()) + 1), "1", "q"])
    prompts = []

    def ask(prompt):
        prompts.append(prompt)
        return next(answers, "q")

    with pytest.raises(EOFError):
        play(game, Everyone(), 0, ask)
    assert "(1 to " in prompts[0]
    shown = capsys.readouterr().out
    assert "'0' is not a choice." in shown
    assert " 1 " in shown and "\n      0 " not in shown
    assert uno_env.action_id(first) in game.record()["actions"]


def test_a_question_mark_explains_the_game(capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    game = uno_env.Game("teams", 4, seed=3)
    answers = iter(["?", "q"])
    with pytest.raises(EOFError):
        play(game, Everyone(), 0, lambda prompt: next(answers))
    shown = capsys.readouterr().out
    assert "Your partner is Mina." in shown
    assert "partner, 7 cards" in shown  # at the table, too
    assert "Your cards" in shown and "Partners sit opposite" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_forced_move_waits_until_the_table_was_seen(capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    game = uno_env.Game.from_snapshot(
        {
            "variant": "no_mercy",
            "discard": ["red-5"],
            "draw_pile": ["blue-1"] * 20,
            "hands": [["green-1", "green-2"], ["green-9", "yellow-skip", "yellow-skip"]],
        }
    )
    assert len(game.legal()) == 1

    def ask(prompt):
        shown = capsys.readouterr().out
        assert "as you see it" in shown and "You have to play a card or draw" in shown
        assert game.record()["actions"] == [], "it was made before anybody saw the table"
        assert "You can only draw: press Enter" in prompt
        raise EOFError

    with pytest.raises(EOFError):
        play(game, Everyone(), 0, ask)


class Coach:
    """Always wants the last action, and is nearly sure of it."""

    def act(self, view, legal):
        return legal[-1]

    def advise(self, view, legal):
        shares = dict.fromkeys(legal, 0.0) | {legal[0]: 0.25, legal[-1]: 0.75}
        return Advice(legal[-1], shares, 0.625)


def test_the_coach_is_heard_before_each_choice(capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    game = uno_env.Game("classic", 2, seed=3)
    asked = []

    def first(prompt):
        asked.append(game.legal())
        return "1"

    play(game, Everyone(), 0, first, coach=Coach())
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Coach: ")]
    assert len(lines) == sum(len(legal) > 1 for legal in asked) > 3
    assert all("75%" in line and "you win 62% from here." in line for line in lines)
    game = uno_env.Game("classic", 2, seed=3)
    play(game, Everyone(), 0, lambda prompt: "1", coach=make_agent("greedy"))
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Coach: ")]
    assert lines and not any("%" in line for line in lines)


def test_an_illegal_choice_is_named(capsys, monkeypatch):
    class Wrong:
        def act(self, view, legal):
            return "play everything"

    game = uno_env.Game("classic", 2, seed=3)
    with pytest.raises(AgentError, match=r"Otto .*chose 'play everything'; allowed: "):
        play(game, {1: Wrong()}, 0, lambda prompt: "1")
    monkeypatch.setattr("uno_agents.play.make_agent", lambda spec, seed: Wrong())
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 500))
    assert main(["any"]) == 1
    assert "chose 'play everything'" in capsys.readouterr().err


def test_agents_that_see_the_whole_game_get_a_copy_of_it():
    class Peeking:
        cheats = True

        def __init__(self):
            self.hands = []

        def act_game(self, game):
            choice = game.legal()[0]
            self.hands.append(game.snapshot()["hands"])
            game.step(choice)
            return choice

    game, agent = uno_env.Game("classic", 2, seed=3), Peeking()
    play(game, {1: agent}, 0, lambda prompt: "1")
    assert game.over
    # Had it been the game itself, each of its choices would have been taken twice.
    assert len(agent.hands) == sum(event["seat"] == 1 for event in decisions(game))


def decisions(game):
    again = uno_env.Game.replay({**game.record(), "actions": []})
    for action in game.record()["actions"]:
        yield {"seat": again.actor}
        again.step(action)
