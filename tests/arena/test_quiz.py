"""The quiz: its file, its secrecy, exact scoring, the command."""

import json
from collections import Counter

import numpy as np
import pytest
from uno_arena.benchmark.quiz import (
    FORMAT,
    QuizError,
    QuizScore,
    chance_of,
    load_quiz,
    take_quiz,
)
from uno_arena.cli import main
from uno_arena.stats.intervals import binomial_interval

import uno_env as uno

from ..engine.worlds import other_world

POSITIONS = load_quiz()


class Knows:
    """Answers right except where it is told not to."""

    name = "knows"

    def __init__(self, wrong=(), fails=(), concurrency=None):
        self.best = {json.dumps(p.view()["hand"]) + p.prompt(): p for p in POSITIONS}
        self.wrong, self.fails = wrong, fails
        if concurrency:
            self.concurrency = concurrency

    def act(self, view, legal):
        position = self.best[json.dumps(view["hand"]) + uno.describe(view)]
        if position.id in self.fails:
            raise RuntimeError("no idea")
        if position.id in self.wrong:
            return next(action for action in legal if action != position.best)
        return position.best


def test_every_variant_has_ten_to_twenty_positions_of_several_phases():
    counts = Counter(position.variant for position in POSITIONS)
    assert set(counts) == set(uno.VARIANTS)
    assert all(10 <= count <= 20 for count in counts.values())
    for variant in counts:
        assert len({p.phase for p in POSITIONS if p.variant == variant}) >= 3
    assert len({position.id for position in POSITIONS}) == len(POSITIONS)
    assert len({(p.variant, p.seed) for p in POSITIONS}) == len(POSITIONS)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.id)
def test_a_position_is_what_its_file_says_and_both_opinions_agree(position):
    view = position.view()
    assert view["legal"] == list(position.values) and position.best in view["legal"]
    assert (view["phase"], view["num_players"]) == (position.phase, position.players)
    for opinion in (0, 1):
        values = {action: pair[opinion] for action, pair in position.values.items()}
        second = max(value for action, value in values.items() if action != position.best)
        assert values[position.best] - second >= 0.019


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.id)
def test_hidden_cards_change_no_question(position):
    """The prompt is the description of the view, the same wherever hidden cards lie."""
    assert position.prompt() == uno.describe(position.view())
    rng = np.random.default_rng(1)
    try:
        other = uno.Game.from_snapshot(other_world(position.game, position.seat, rng))
    except uno.SnapshotError:
        pytest.skip("a team play tells the table that its player has a card to follow with")
    here, there = position.view(), other.view(position.seat)
    here["events"] = there["events"] = []  # a snapshot has no past
    assert uno.describe(here) == uno.describe(there)


def test_scoring_is_exact_and_forfeits_count_as_wrong():
    first, second, third = (position.id for position in POSITIONS[:3])
    score = take_quiz(Knows(wrong=[first], fails=[second, third]), POSITIONS)
    assert score.counts() == (len(POSITIONS) - 3, len(POSITIONS))
    assert score.forfeits == 2
    reasons = {answer.reason for answer in score.answers if answer.action is None}
    assert reasons == {"RuntimeError: no idea"}
    variant = POSITIONS[0].variant
    right, asked = score.counts(variant)
    assert right == asked - 3
    assert score.rate(variant) == binomial_interval(right, asked)


def test_answers_do_not_depend_on_how_many_are_asked_at_once():
    one, many = Knows(wrong=["classic-1"]), Knows(wrong=["classic-1"], concurrency=8)
    assert take_quiz(one, POSITIONS) == take_quiz(many, POSITIONS)


@pytest.mark.parametrize("spec", ["random", "search:sims=20"])
def test_an_answer_does_not_depend_on_the_other_questions(spec):
    whole, half = take_quiz(spec, POSITIONS[:20]), take_quiz(spec, POSITIONS[:10])
    assert whole.answers[:10] == half.answers


def test_stronger_agents_answer_more():
    """In the order of their strength: greedy, heuristic, a trained network, search."""
    specs = ["greedy", "heuristic", "pretrained:generalist", "search:sims=200"]
    rates = [take_quiz(spec, POSITIONS).rate().value for spec in specs]
    assert rates == sorted(rates)
    assert rates[0] < 0.45 and rates[-1] > 0.9


def test_a_random_choice_is_near_chance():
    rates = [take_quiz("random", POSITIONS, seed=1000 * k).rate().value for k in range(10)]
    assert abs(np.mean(rates) - chance_of(POSITIONS)) < 0.06


def test_an_agent_that_cannot_be_built_answers_nothing():
    score = take_quiz("no_such_file.py:Bot", POSITIONS[:4])
    assert score.forfeits == 4 and "cannot be built" in score.answers[0].reason


def test_the_command_prints_and_writes(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    answers, questions = tmp_path / "answers.json", tmp_path / "questions.json"
    words = ["quiz", "greedy", "heuristic", "--variant", "classic", "teams"]
    assert main([*words, "--json", str(answers), "--questions", str(questions)]) == 0
    printed = capsys.readouterr().out
    assert f"Quiz ({FORMAT}): 30 positions" in printed and "heuristic" in printed
    data = json.loads(answers.read_text())
    assert data["format"] == "uno-quiz-report-1" and data["positions"] == 30
    assert [agent["agent"] for agent in data["agents"]] == ["greedy", "heuristic"]
    total = data["agents"][1]["total"]
    assert total["right"] == sum(answer["is_right"] for answer in data["agents"][1]["answers"])
    asked = json.loads(questions.read_text())["questions"]
    assert len(asked) == 30
    assert asked[0]["text"] == uno.describe(asked[0]["view"])
    assert not {"hands", "draw_pile", "seed"} & set(asked[0]["view"])


def test_wrong_words_are_refused(capsys, tmp_path):
    assert main(["quiz", "greedy", "--variant", "chess"]) == 2
    assert "does not ask about 'chess'" in capsys.readouterr().err
    assert main(["quiz", "gredy"]) == 2
    assert "greedy" in capsys.readouterr().err
    other = tmp_path / "quiz.json"
    other.write_text('{"format": "something-else"}')
    with pytest.raises(QuizError, match="something-else"):
        load_quiz(path=other)


def test_no_answers_have_no_rate_but_an_interval():
    assert QuizScore("x", ()).rate() == (0.0, 0.0, 1.0)
    low, high = binomial_interval(5, 10)[1:]
    assert (round(low, 3), round(high, 3)) == (0.237, 0.763)  # Wilson (1927), five of ten
