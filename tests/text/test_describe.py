"""`describe`: a text for every decision of every variant, in both languages, nothing hidden."""

import json
import re
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uno_env as uno
from uno_env.engine.observation.event_log import EVENTS
from uno_env.engine.tables import PHASES
from uno_env.kinds import COLORED_KINDS, WILDS
from uno_env.text import count_tokens, describe, rules_summary
from uno_env.text.language import LANGUAGES, words_of

from ..engine.strategies import Driver, Table, states, tables
from ..engine.worlds import other_world


def games(variant, players, seeds):
    """Every position of some games, with a player that tries unusual actions."""
    for seed in seeds:
        game = uno.Game(variant, players, seed, ("round", "match")[seed % 2])
        driver = Driver(seed, 0.8)
        for _ in range(150):
            if game.over:
                break
            yield game
            game.step(driver.choose(game))
        yield game


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_every_position_of_every_variant_has_a_text(variant, lang):
    for game in games(variant, 4, range(4)):
        for seat in range(4):
            view = game.view(seat)
            text = describe(view, lang, "long")
            assert "{" not in text and "None" not in text
            numbered = re.findall(r"^(\d+)\. ([a-z].*?) \(", text, re.MULTILINE)
            assert [action for _, action in numbered] == view["legal"]
            assert [int(number) for number, _ in numbered] == list(range(1, len(numbered) + 1))


def test_a_text_is_the_same_after_a_journey_as_json():
    for game in games("no_mercy", 4, range(2)):
        view = game.view(0)
        assert describe(json.loads(json.dumps(view))) == describe(view)


@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(table=tables(), moment=st.integers(0, 120), seed=st.integers(0, 2**32 - 1))
def test_hidden_cards_change_no_text(table: Table, moment: int, seed: int):
    """The text of a seat is the same in a world where only cards hidden from it differ."""
    game = table.game()
    for _ in states(game, table.driver(), most=moment):
        pass
    rng = np.random.default_rng(seed)
    for seat in range(game.num_players):
        try:
            other = uno.Game.from_snapshot(other_world(game, seat, rng))
        except uno.SnapshotError:
            continue  # a team play tells the table that its player has a card to follow with
        here, there = game.view(seat), other.view(seat)
        here["events"] = there["events"] = []  # a snapshot has no past
        assert describe(here, form="long") == describe(there, form="long")


def test_short_text_in_full():
    game = uno.Game.from_snapshot(
        {
            "variant": "classic",
            "hands": [["red-1", "red-1", "wild"], ["blue-2"], ["green-3", "green-4"]],
            "discard": ["red-5"],
            "draw_pile": ["yellow-7"] * 30,
            "uno_called": [1],
        }
    )
    assert describe(game.view(0)).splitlines() == [
        "UNO, Classic. You are Seat 0.",
        "Your hand (3): red 1 x2, wild",
        "Table: top card red 5; active colour red; play goes clockwise; draw pile 30",
        "Players:",
        "- Seat 0 (you): 3 cards",
        "- Seat 1 (next): 1 card; called UNO",
        "- Seat 2: 2 cards",
        "Since your last action:",
        "- Nothing.",
        "Decide: Play a card",
        "Legal actions:",
        "1. play red-1 (Play red 1)",
        "2. play wild (Play wild)",
        "Answer with the number of one action.",
    ]


def test_only_what_happened_since_ones_own_action_is_told():
    game = uno.Game("classic", 3, seed=4)
    while len(game.view(0)["events"]) < 20 or game.actor != 0:
        game.step(game.legal()[0])
    text = describe(game.view(0))
    told = text.partition("Since your last action:\n")[2].partition("\nDecide")[0]
    assert 0 < len(told.splitlines()) < 12


def test_names_stand_in_the_text():
    text = describe(uno.Game("teams", 4, seed=0).view(1), names=["Ada", "Ben", "Cy", "Di"])
    assert "You are Ben." in text and "- Di (partner)" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lang": "de"}, "allowed: en, fr"),
        ({"form": "tiny"}, "allowed: short, long"),
        ({"names": ["a"]}, "1 names for 2 seats"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        describe(uno.Game("classic", 2, seed=0).view(0), **options)


def test_languages_have_the_same_keys():
    """What one language can say the other can too."""
    english, french = (words_of(lang).catalogue for lang in ("en", "fr"))
    for key, value in english.items():
        if isinstance(value, dict):
            assert set(value) == set(french[key]), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_templates_of_both_languages_take_the_same_values(lang):
    for key in ("rules", "describe", "tasks", "watched_tasks", "actions"):
        for name, text in words_of(lang).catalogue[key].items():
            fields = set(re.findall(r"\{(\w+)\}", text))
            assert fields == set(re.findall(r"\{(\w+)\}", words_of("en").catalogue[key][name]))


def test_every_special_card_of_a_deck_is_explained():
    for variant in uno.VARIANTS:
        rules = uno.Rules.preset(variant)
        told = " ".join(rules_summary(rules, 4))
        for kind, name in words_of("en").catalogue["wilds"].items():
            assert (f"{name}:" in told) == rules.has(kind), (variant, kind)


def test_house_rules_are_told():
    rules = uno.Rules.preset("classic").replace(uno_penalty=4, hyper_cumulative=True, jump_in=True)
    told = rules_summary(rules)
    assert any("draws 4" in line for line in told)
    assert any("identical card" in line for line in told)
    assert any("skips two players" in line for line in told)
    assert any("fait passer deux joueurs" in line for line in rules_summary(rules, lang="fr"))


def test_every_card_phase_event_and_value_has_words():
    for lang in LANGUAGES:
        words = words_of(lang)
        assert set(words.catalogue["variants"]) == set(uno.VARIANTS)
        assert set(words.catalogue["wilds"]) == set(WILDS)
        assert {words.kind(kind) for kind in COLORED_KINDS} >= set(
            words.catalogue["kinds"].values()
        )
        assert len({words.card(card) for card in uno.CARDS}) == len(uno.CARDS)
        for tasks in ("tasks", "watched_tasks"):
            assert set(words.catalogue[tasks]) == set(PHASES) - {"over"}
        told = {key.partition("-")[0] for key in words.catalogue["events"]}
        assert {kind.partition("-")[0] for kind in EVENTS} - {"card"} == told


def test_wilds_that_keep_the_colour_choose_none():
    kept = uno.Rules.preset("classic").replace(wild_color="keep", deck={"wild-skip": 2})
    named = kept.replace(wild_color="name")
    for rules, chooses in ((kept, False), (named, True)):
        told = " ".join(rules_summary(rules, 4))
        assert ("you choose the colour" in told) is chooses
        assert ("leave the colour" in told) is not chooses
    assert "colours play no part" in " ".join(rules_summary(uno.Rules.preset("all_wild")))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_blank_is_explained_by_its_effect(lang):
    field = uno.Rules.model_fields["blank_effect"]
    blank = words_of(lang).card("wild-blank")
    told = set()
    for effect in get_args(field.annotation):
        for color in ("name", "keep"):
            rules = uno.Rules.preset("classic").replace(
                deck={"wild-blank": 4}, blank_effect=effect, blank_draws=5, wild_color=color
            )
            told.add(*(line for line in rules_summary(rules, 4, lang) if line.startswith(blank)))
    assert len(told) == 2 * len(get_args(field.annotation))
    assert sum("5" in line for line in told) == 4


def test_points_of_single_kinds_are_told():
    rules = uno.Rules.preset("classic").replace(points={"skip": 5, "7": 70, "wild-draw4": 60})
    assert "Exceptions: 7 = 70, skip = 5, wild +4 = 60." in rules_summary(rules)
    assert "Exceptions: wild = 20." in rules_summary(uno.Rules.preset("all_wild"), match=True)
    assert not any("Exceptions" in line for line in rules_summary(uno.Rules(), match=True))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"challenge": "anyone"}, "after it any other player, may challenge"),
        ({"challenge": "none", "stacking": "same_value"}, "one of the same value"),
        ({"challenge": "none", "deflection": "both"}, "a reverse sends it back"),
        ({"multiple_play": True}, "further cards of the same number or symbol"),
        ({"play_on": True}, "play on for places"),
        ({"jump_in": True, "jump_in_match": "symbol"}, "an action card of the same symbol"),
        ({"deck_copies": 2}, "a deck of 216"),
        ({"next_dealer": "loser"}, "has the most points deals"),
    ],
)
def test_new_house_rules_are_told_once(change, words):
    rules = uno.Rules.preset("classic").replace(**change)
    told = rules_summary(rules)
    assert sum(words in line for line in told) == 1
    assert len(rules_summary(rules, lang="fr")) == len(told)


def test_pointing_at_a_seat_is_said_by_what_it_does():
    hands = [["wild-target-draw2", "wild", "wild"], ["wild"] * 3, ["wild"] * 3]
    position = {"variant": "all_wild", "discard": ["wild"], "draw_pile": ["wild"] * 9}
    game = uno.Game.from_snapshot(position | {"hands": hands})
    game.step("play wild-target-draw2")
    assert "1. target +1 (Make Seat 1 draw)" in describe(game.view(0))
    assert "1. target +1 (Faire piocher Place 1)" in describe(game.view(0), "fr")
    game.step("target +1")
    assert "Seat 0 chose you to draw." in describe(game.view(1))
    assert "Place 0 a dirigé la pioche contre vous." in describe(game.view(1), "fr")


def test_token_counts_grow_with_the_text():
    view = uno.Game("no_mercy", 4, seed=1).view(0)
    short, long = (count_tokens(describe(view, form=form)) for form in ("short", "long"))
    assert 60 < short < 400 < long + 100 and short < long
    assert count_tokens("") == 0
