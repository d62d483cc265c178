"""Rule sets: fixed lists, valid rules, and nothing of a test that its training list has seen."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from uno_agents.registry import make_agent

import uno_env
from uno_env import Rules, RulesError
from uno_env.engine.rule_vector import LEFT_OUT, rule_vector
from uno_env.rulesets import (
    SPLITS,
    Combination,
    Condition,
    expand_variants,
    held_out,
    ruleset,
)
from uno_env.rulesets.splits import CHOICES, SIZES, TEST_SIZE, TRAIN_SIZE

PARTS = [(split, part) for split in SPLITS for part in ("train", "test")]


def lists(split):
    """The rules to train on, and those to test on."""
    both = uno_env.rulesets.split(split)
    assert both == (ruleset(f"ruleset:{split}/train"), ruleset(f"ruleset:{split}/test"))
    return both


def played(rules):
    """All that rules say, whatever preset they are named after."""
    return repr(sorted((key, value) for key, value in rules if key != "variant"))


def test_lists_do_not_change_unnoticed():
    """Whoever changes a split must count up VERSION, and then these digests."""
    digests = {}
    for split, part in PARTS:
        texts = "\n".join(rules.text() for rules in ruleset(f"ruleset:{split}/{part}"))
        digests[f"{split}/{part}"] = hashlib.sha256(texts.encode()).hexdigest()[:12]
    assert digests == DIGESTS


@pytest.mark.parametrize(("split", "part"), PARTS)
def test_rules_are_valid_different_and_playable_at_every_size(split, part):
    found = ruleset(f"ruleset:{split}/{part}")
    assert len(found) == (TRAIN_SIZE if part == "train" else TEST_SIZE)
    assert len({played(rules) for rules in found}) == len(found)
    for rules in found:
        assert Rules.from_text(rules.text()) == rules
        for size in SIZES:
            rules.check_players(size)


@pytest.mark.parametrize("split", SPLITS)
def test_nothing_leaks(split):
    train, test = lists(split)
    for combination in SPLITS[split].held_out:
        assert [rules.text() for rules in train if combination.holds(rules)] == []
        assert any(combination.holds(rules) for rules in test), combination
    for rules in test:
        assert any(combination.holds(rules) for combination in SPLITS[split].held_out)
    assert not {played(rules) for rules in train} & {played(rules) for rules in test}


def test_interpolation_tests_no_value_that_was_not_seen():
    train, test = lists("interpolation")
    for name in Rules.model_fields:
        if name not in ("variant", "deck"):
            assert {getattr(rules, name) for rules in test} <= {
                getattr(rules, name) for rules in train
            }, name
    for combination in SPLITS["interpolation"].held_out:
        for condition in combination.conditions:
            assert sum(condition.holds(rules) for rules in train) >= 3, condition


def test_values_of_a_test_are_numbers_of_rules_seen_with_others():
    train, _ = lists("values")
    for combination in SPLITS["values"].held_out:
        (condition,) = combination.conditions
        seen = set().union(*(values_of(rules, condition.key) for rules in train))
        assert type(condition.value) is int and seen and condition.value not in seen


def values_of(rules, key):
    """The value of a rule, or the numbers of copies of a kind's faces."""
    if not key.startswith("deck."):
        return {getattr(rules, key)}
    kind = key.removeprefix("deck.")
    return {count for face, count in rules.deck.items() if face in (kind, f"red-{kind}")}


def test_switches_of_a_test_were_off_in_all_of_training():
    train, _ = lists("switches")
    keys = {combination.conditions[0].key for combination in SPLITS["switches"].held_out}
    for key in keys:
        assert len({getattr(rules, key) for rules in train}) == 1, key


def test_cards_of_a_test_were_in_no_deck_of_training():
    train, _ = lists("cards")
    for combination in SPLITS["cards"].held_out:
        kind = combination.conditions[0].key.removeprefix("deck.")
        assert not any(rules.has(kind) for rules in train)


@pytest.mark.parametrize("split", SPLITS)
def test_an_agent_is_told_what_is_held_out(split):
    """Two rule sets that differ in what a split is about look different to an agent."""
    for combination in SPLITS[split].held_out:
        for condition in combination.conditions:
            assert condition.key.startswith("deck") or condition.key not in LEFT_OUT
    test = lists(split)[1]
    assert len({rule_vector(rules).tobytes() for rules in test}) == len(test)


@pytest.mark.parametrize("split", SPLITS)
def test_training_sees_every_other_choice(split):
    train, _ = lists(split)
    for key, values in SPLITS[split].seen.items():
        assert set(values) <= set(CHOICES[key])
        for value in values:
            assert any(Condition(key, value).holds(rules) for rules in train), (key, value)


@pytest.mark.parametrize("split", SPLITS)
def test_rules_of_a_test_are_played_to_the_end(split):
    test = lists(split)[1]
    rules = [one.replace(max_steps=2000) for one in test]
    v = uno_env.vec(rules, len(rules), 3, seed=6)
    v.reset()
    agent, ended, void = make_agent("greedy", 1), np.zeros(len(rules), int), 0
    for _ in range(900):
        v.step(agent.act_batch(v.obs, v.mask))
        ended += v.done > 0
        void += int(v.void.sum())
    assert (ended > 0).mean() > 0.9
    assert void < 0.05 * ended.sum()


def test_names_stand_for_texts_and_a_wrong_one_is_refused():
    texts = expand_variants(["classic", "ruleset:cards/test@1"])
    assert texts[0] == "classic" and len(texts) == 1 + TEST_SIZE
    for name in ("ruleset:cards", "ruleset:chess/test", "ruleset:cards/dev"):
        with pytest.raises(RulesError, match="ruleset:SPLIT/train"):
            ruleset(name)
    with pytest.raises(RulesError, match="version 1"):
        ruleset("ruleset:cards/test@9")
    with pytest.raises(RulesError, match="unknown split 'chess'; allowed: interpolation, "):
        uno_env.rulesets.split("chess")


def test_what_is_left_out_is_read_from_texts():
    both = Combination.from_text("jump_in=true+deck.wild-swap")
    assert both.holds(Rules.preset("ig2000")) and not both.holds(Rules.preset("classic"))
    assert str(both) == "jump_in=true+deck.wild-swap"
    assert held_out(["ruleset:cards", "hand_size=5"])[-1] == Combination.from_text("hand_size=5")
    for text, says in {
        "jumpin=true": "did you mean jump_in",
        "jump_in": "names no value",
        "jump_in=7": "jump_in is 7",
        "hand_size=99": "hand_size is 99",
        "deck.joker": "no kind of card",
        "deck=5": "unknown rule",
        "deck.wild=some": "number of copies",
        "ruleset:chess": "unknown split",
    }.items():
        with pytest.raises(RulesError, match=says):
            held_out([text])


@given(st.sampled_from(sorted(SPLITS)), st.integers(0, 10**6))
def test_a_condition_and_its_text_are_the_same(split, place):
    found = SPLITS[split].held_out
    combination = found[place % len(found)]
    assert Combination.from_text(str(combination)) == combination


DIGESTS = {
    "interpolation/train": "0188d1eccbf4",
    "interpolation/test": "b02ea124ab7e",
    "values/train": "e997abe7f7ab",
    "values/test": "c951a4252b49",
    "switches/train": "fd6382ebcb26",
    "switches/test": "d090f946b551",
    "cards/train": "97a867258f86",
    "cards/test": "e10e38939e97",
}
