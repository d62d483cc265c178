"""The text environment and how it reads answers."""

import pytest

import uno_env as uno
from uno_env.text import AnswerError, TextEnv, read_answer

LEGAL = ["play red-7", "play wild-draw4", "draw", "color blue", "swap +0 +2", "call-uno"]


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (2, "play wild-draw4"),
        ("3", "draw"),
        ("3.", "draw"),
        ("#3", "draw"),
        (" 1) ", "play red-7"),
        ("1. play red-7", "play red-7"),
        ("play red-7", "play red-7"),
        ("Play Red 7", "play red-7"),
        ("PLAY WILD DRAW4", "play wild-draw4"),
        ("call UNO!", "call-uno"),
        ("swap +0 +2", "swap +0 +2"),
        ('{"action": "draw"}', "draw"),
        ('{"thought": "low cards", "action": 4}', "color blue"),
        ('```json\n{"number": 2}\n```', "play wild-draw4"),
        ("I hold two reds, so 7 is best.\nAnswer: 1", "play red-7"),
        ("Let me think: 3 or 1?\n\n**Action: draw**", "draw"),
        ("Réponse : 3", "draw"),
        ("First 1, then I changed my mind.\nAnswer: 1\nAnswer: 3", "draw"),
        ("reasoning ...\n`play red-7`", "play red-7"),
    ],
)
def test_usual_answers_are_understood(answer, action):
    assert read_answer(answer, LEGAL) == action


@pytest.mark.parametrize(
    "answer",
    ["", "   ", "7", "0", 0, 7, "play blue-7", "I would rather not", "{}", '{"action": true}',
     '{"action": ', "1 or 2", "draw or play red-7", None, 1.0, True, "x" * 100_000],
)  # fmt: skip
def test_unusable_answers_say_what_is_allowed(answer):
    with pytest.raises(AnswerError, match=r"answer with a number from 1 to 6|is needed"):
        read_answer(answer, LEGAL)


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_whole_games_by_number(variant):
    env = TextEnv(variant, 4, seat=0)
    for seed in range(3):
        text, ended = env.reset(seed=seed), False
        assert "Rules:" in text
        while not ended:
            text, reward, terminated, truncated, info = env.step("1")
            ended = terminated or truncated
            assert info["action"] is not None and info["tokens"] > 0
        assert "The game is over." in text
        assert (reward > 0) == (0 in info["winners"])


def test_the_same_seed_gives_the_same_texts():
    def texts():
        env = TextEnv("no_mercy", 3, seat=1, lang="fr")
        return [env.reset(seed=5), *(env.step(1)[0] for _ in range(5))]

    assert texts() == texts()


def test_an_unusable_answer_is_asked_again_and_changes_nothing():
    env = TextEnv("classic", 2, seat=0, max_unusable=2)
    env.reset(seed=1)
    legal = env.legal
    for count in (1, 2):
        text, reward, terminated, truncated, info = env.step("whatever")
        assert "answer with a number" in text and text == info["error"]
        assert (reward, terminated, truncated, info["unusable"]) == (0.0, False, False, count)
        assert env.legal == legal and info["action"] is None
    assert env.step("once more")[3] is True


def test_an_unusable_answer_may_raise():
    env = TextEnv("classic", 2, unusable="raise")
    env.reset(seed=1)
    with pytest.raises(AnswerError):
        env.step("whatever")


def test_bad_options_are_named():
    with pytest.raises(ValueError, match="allowed: ask, raise"):
        TextEnv(unusable="forget")
    with pytest.raises(ValueError, match="allowed: en, fr"):
        TextEnv(lang="xx")
