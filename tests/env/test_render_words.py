"""Events, cards and actions in plain words."""

import re

import pytest

import uno_env as uno
from uno_env.engine.observation.event_log import EVENTS
from uno_env.engine.tables import PHASES
from uno_env.kinds import RESERVED
from uno_env.render import action_words, card_words, sentence, story
from uno_env.render.words import _TASKS, task_words

from .drawn_games import tables

NAMES = ["Ada", "Blaise", "Carl", "You"]
TOLD = {
    "hand": (
        {"seat": 0, "cards": ["red-1", "wild"], "points": 51},
        "Ada held red 1 and wild (51 points).",
    ),
    "deal": ({"seat": 1, "round": 0}, "Blaise dealt round 1."),
    "open": ({"seat": 1, "cards": ["red-7"]}, "The first card turned up: red 7."),
    "cut": ({"seat": 0}, "Ada cut the deck."),
    "play": ({"seat": 3, "cards": ["wild-draw4"]}, "You played wild +4."),
    "draw": ({"seat": 0, "count": 2}, "Ada drew 2 cards."),
    "keep": ({"seat": 3}, "You kept the drawn card."),
    "pass": ({"seat": 0}, "Ada passed."),
    "take": ({"seat": 0, "amount": 10}, "Ada took the penalty of 10 cards."),
    "color": ({"seat": 0, "color": "red"}, "Ada chose red."),
    "accept": ({"seat": 0, "amount": 1}, "Ada accepted 1 card."),
    "challenge": ({"seat": 0, "bluff": True}, "Ada challenged the wild +4: it was a bluff."),
    "roulette": ({"seat": 0, "color": "blue"}, "Ada named blue for the roulette."),
    "swap": ({"seat": 0, "other": 3}, "Ada and you swapped hands."),
    "no-swap": ({"seat": 0}, "Ada left all hands where they were."),
    "pass-hands": ({"seat": 0}, "Every hand moved one seat on."),
    "give": ({"seat": 0, "to": 2}, "Ada gave 1 card to Carl."),
    "uno-call": ({"seat": 0, "holder": 2}, "Ada called UNO for Carl."),
    "catch": ({"seat": 0, "holder": 1}, "Ada caught Blaise without an UNO call."),
    "jump-in": ({"seat": 0, "cards": ["red-7"]}, "Ada jumped in with red 7."),
    "sum": (
        {"seat": 0, "cards": ["red-1", "red-2"], "points": 3},
        "Ada laid the whole hand at once: red 1 and red 2, 3 points.",
    ),
    "discard-all": ({"seat": 0, "cards": ["red-skip"]}, "Ada threw off red skip."),
    "skip": ({"seat": 3}, "You lost a turn."),
    "reverse": ({"seat": 0, "direction": -1}, "Play turned anticlockwise."),
    "eliminate": ({"seat": 0, "amount": 25}, "Ada left the round with 25 cards: no mercy."),
    "out": ({"seat": 0}, "Ada went out."),
    "back": ({"seat": 0, "amount": 3}, "Ada came back with 3 cards."),
    "recycle": ({"seat": None, "count": 90}, "The discards became a new draw pile of 90 cards."),
    "team-play-failed": (
        {"seat": 0, "partner": 2},
        "Carl had no card to follow the Team Play with.",
    ),
    "fault": ({"seat": 0, "amount": 2}, "Ada tried something illegal, which costs 2 cards."),
    "round-end": ({"seat": None, "winners": [0, 2], "round": 1}, "Ada and Carl won round 2."),
    "match-end": ({"seat": None, "winners": [], "round": 1}, "The match ended without a winner."),
    "target": ({"seat": 0, "other": 3}, "Ada chose you to draw."),
}  # fmt: skip


def test_every_event_type_is_told():
    """`card` rows are part of the event before them and never an event."""
    assert set(TOLD) == set(EVENTS) - {"card"}


@pytest.mark.parametrize("kind", TOLD)
def test_sentence(kind):
    event, words = TOLD[kind]
    assert sentence({"type": kind, **event}, NAMES) == words


def test_other_readings_of_an_event():
    assert sentence({"type": "draw", "seat": 0, "count": 1, "cards": ["blue-draw2"]}, NAMES) == (
        "Ada drew blue +2."
    )
    assert sentence({"type": "hand", "seat": 0, "points": 0}, NAMES) == (
        "Ada showed the hand to the challenger."
    )
    assert sentence({"type": "uno-call", "seat": 1, "holder": 1}, NAMES) == "Blaise called UNO!"
    assert sentence({"type": "hand", "seat": 0, "cards": [], "points": 0}, NAMES) == (
        "Ada held no cards."
    )
    assert "no bluff" in sentence({"type": "challenge", "seat": 0, "bluff": False}, NAMES)


def test_you_are_addressed():
    said = {
        "You laid your whole hand at once: red 1 x2, 2 points.": {
            "type": "sum", "seat": 3, "cards": ["red-1", "red-1"], "points": 2
        },
        "You and Blaise won round 1.": {
            "type": "round-end", "seat": None, "winners": [3, 1], "round": 0
        },
        "You had no card to follow the Team Play with.": {
            "type": "team-play-failed", "seat": 1, "partner": 3
        },
        "You chose Carl to draw.": {"type": "target", "seat": 3, "other": 2},
    }  # fmt: skip
    for words, event in said.items():
        assert sentence(event, NAMES) == words


def test_an_unknown_event_is_an_error():
    with pytest.raises(ValueError, match="event type is 'card'; known: hand, deal"):
        sentence({"type": "card", "seat": 0}, NAMES)


def test_real_games_are_told_in_whole_sentences():
    kinds = set()
    for game in tables(steps=600):
        names = [f"P{seat}" for seat in range(game.num_players)]
        for event in [*game.events, *game.view(0)["events"]]:
            told = sentence(event, names)
            assert re.fullmatch(r"[A-Z][^{}_]*[.!]", told) and "None" not in told, (event, told)
            kinds.add(event["type"])
    assert len(kinds) > 20


def test_cards_thrown_off_together_are_told_together():
    thrown = [{"type": "discard-all", "seat": 0, "cards": [card]} for card in ("red-1", "red-2")]
    other = {"type": "discard-all", "seat": 1, "cards": ["red-3"]}
    told = story([*thrown, other], NAMES)
    assert told == ["Ada threw off red 1 and red 2.", "Blaise threw off red 3."]
    assert story([*thrown, other], NAMES, last=1) == told[1:]
    assert thrown[0]["cards"] == ["red-1"]


def test_cards_in_words():
    assert card_words("red-draw2") == "red +2"
    assert card_words("wild-reverse-draw4") == "reverse +4"
    assert card_words("wild-target-draw2") == "wild targeted +2"
    assert card_words("green-4+give") == "green 4 with give"
    assert len({card_words(card) for card in uno.CARDS}) == len(uno.CARDS)


def test_actions_in_words():
    assert action_words("target +2", 3, NAMES) == "choose Blaise"
    assert action_words("target +2", 3, NAMES, "swap-target") == "swap with Blaise"
    assert action_words("target +2", 3, NAMES, "draw-target") == "make Blaise draw"
    assert action_words("swap +0 +1", 2, NAMES) == "swap Carl and you"
    assert action_words("call-uno", 0, NAMES) == "call UNO"
    assert action_words("color red", 0, NAMES) == "choose red"
    names = [f"P{seat}" for seat in range(10)]
    actions = [text for text in uno.ACTIONS if RESERVED not in text]
    assert len({action_words(text, 4, names) for text in actions}) == len(actions)


def test_every_phase_has_its_task():
    assert set(_TASKS) == set(PHASES) - {"over"}
    view = {"phase": "over", "winners": [1, 3], "actor": None}
    assert task_words(view, NAMES) == "Blaise and You won"
    assert "without a winner" in task_words(view | {"winners": []}, NAMES)
