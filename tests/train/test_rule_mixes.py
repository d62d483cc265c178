"""Random rule mixes: valid, varied, fixed by their seed, and playable to the end."""

import numpy as np
import pytest
from uno_agents.registry import make_agent
from uno_train.config import ConfigError, make_config
from uno_train.rule_mixes import CHOICES, DECK_KINDS, POPULAR, random_mixes

import uno_env
import uno_env.rulesets
from uno_env import Rules
from uno_env.engine.rule_vector import told_rules
from uno_env.rulesets import SPLITS, held_out


def test_the_seed_fixes_the_mixes_and_none_comes_twice():
    first = random_mixes(60, seed=1)
    assert first == random_mixes(60, seed=1)
    assert len({table.rules for table in first}) == 60
    others = {table.rules for table in random_mixes(60, seed=2)}
    assert len(others & {table.rules for table in first}) < 10


def test_mixes_use_every_preset_and_every_rule():
    mixes = random_mixes(1500, seed=3)
    assert {table.rules.variant for table in mixes} == set(uno_env.VARIANTS)
    for name, values in CHOICES.items():
        assert {getattr(table.rules, name) for table in mixes} >= set(values), name
    changed = [table.rules for table in mixes if "deck" in table.rules.to_dict()]
    assert len(changed) > 150
    for kind in DECK_KINDS:
        assert any(rules.has(kind) for rules in changed), kind
    assert {table.num_players for table in mixes} == set(range(2, 11))


def test_mixes_leave_out_what_they_are_told_to():
    for split in SPLITS:
        for table in random_mixes(60, 1, SPLITS[split].held_out):
            assert not any(one.holds(table.rules) for one in SPLITS[split].held_out)
    with pytest.raises(ValueError, match="of 5 rule mixes found; exclude less"):
        random_mixes(5, 1, held_out([f"variant={name}" for name in uno_env.VARIANTS]))


def test_mixes_have_what_is_required_of_them():
    required, excluded = held_out(["deck.discard-all"]), held_out(["team_mode=pairs"])
    for table in random_mixes(40, 1, excluded, required):
        assert table.rules.has("discard-all")
        assert table.rules.team_mode != "pairs"
    with pytest.raises(ValueError, match=r"require less than team_mode=pairs, variant=classic"):
        random_mixes(5, 1, (), held_out(["team_mode=pairs", "variant=classic", "hand_size=1"]))


def test_popular_rules_are_replaced_more_often():
    def share(popular):
        """Of rules that differ from the preset, those that are popular."""
        changed = [
            name
            for table in random_mixes(300, 2, popular=popular)
            for name in table.rules.to_dict()
            if name in CHOICES
        ]
        return np.mean([name in POPULAR for name in changed])

    assert set(CHOICES) > POPULAR
    assert share(4.0) > 1.5 * share(1.0)


def test_mixes_replace_no_more_rules_than_allowed():
    def changes(table):
        return [name for name in table.rules.to_dict() if name in CHOICES]

    few, many = (random_mixes(60, 3, most=most) for most in (2, 12))
    assert max(len(changes(table)) for table in few) == 2
    assert max(len(changes(table)) for table in many) > 4
    config = make_config(None, {"mixes": 30, "mix_changes": 1})
    assert all(len(changes(table)) <= 1 for table in config.tables())


def test_a_config_takes_lists_of_rules_and_leaves_out_what_they_hold_out():
    config = make_config(
        None, {"variant": "ruleset:cards/train", "mixes": 30, "mix_exclude": "ruleset:cards"}
    )
    assert [table.rules for table in config.own_tables()] == list(
        uno_env.rulesets.ruleset("ruleset:cards/train")
    )
    for table in config.tables():
        assert not any(one.holds(table.rules) for one in SPLITS["cards"].held_out)
    for wrong in ({"variant": "ruleset:chess/train"}, {"mix_exclude": "jumpin=true"}):
        with pytest.raises(ConfigError, match=r"ruleset:SPLIT|did you mean"):
            make_config(None, wrong)


def test_every_switch_that_a_player_is_told_is_drawn():
    """All but those of matches: a mix is played by rounds."""
    groups = {name: field.json_schema_extra["group"] for name, field in Rules.model_fields.items()}
    of_rounds = {name for name in told_rules() if groups[name] != "score"} - {"next_dealer"}
    assert set(CHOICES) >= of_rounds


def test_mixes_are_texts_that_can_be_read_back():
    for table in random_mixes(100, seed=4):
        assert Rules.from_text(table.rules.text()) == table.rules


def test_mixes_are_played_to_the_end():
    mixes = random_mixes(80, seed=5)
    rules = [table.rules.replace(max_steps=2000) for table in mixes]
    v = uno_env.vec(rules, 80, [table.num_players for table in mixes], seed=6)
    v.reset()
    agent, ended, void = make_agent("greedy", 1), np.zeros(80, int), np.zeros(80, int)
    for _ in range(900):
        v.step(agent.act_batch(v.obs, v.mask))
        ended += v.done > 0
        void += v.void
    assert (ended > 0).mean() > 0.9
    assert void.sum() < 0.05 * ended.sum()
