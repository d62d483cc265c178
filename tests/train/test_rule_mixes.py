"""Random rule mixes: valid, varied, fixed by their seed, and playable to the end."""

import numpy as np
from uno_agents.registry import make_agent
from uno_train.rule_mixes import CHOICES, DECK_KINDS, random_mixes

import uno_env
from uno_env import Rules
from uno_env.engine.rule_vector import told_rules


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
