"""Levels for people: slips are those of people, rates are data, strength grows by equal steps."""

import json

import numpy as np
import pytest
from uno_agents.advice import advise
from uno_agents.base import AgentError, BatchAgent
from uno_agents.levels import FILE, NUM_LEVELS, levels
from uno_agents.levels.agent import make_level_agent
from uno_agents.levels.slips import BEGINNER, SlipRates, seen_actions
from uno_agents.registry import list_agents, make_agent
from uno_arena.evaluate import evaluate

import uno_env as uno

CALL, SILENT = uno.action_id("call-uno"), uno.action_id("stay-silent")


def rows_of(variant, steps=80, games=128):
    """Observations and masks of games among heuristics."""
    v = uno.vec(variant, games, 4, seed=5)
    v.reset()
    agent = make_agent("heuristic", 1)
    found = []
    for _ in range(steps):
        found.append((v.obs.copy(), v.mask.copy()))
        v.step(agent.act_batch(v.obs, v.mask))
    return tuple(np.concatenate(part) for part in zip(*found, strict=True))


def only(**rates):
    return SlipRates(**rates)


def test_without_slips_everything_is_seen():
    obs, mask = rows_of("classic", 10)
    assert (seen_actions(obs, mask, SlipRates(), np.random.default_rng(0)) == mask).all()


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_something_legal_is_always_seen(variant):
    obs, mask = rows_of(variant, 40)
    seen = seen_actions(obs, mask, SlipRates(*(1.0,) * len(BEGINNER)), np.random.default_rng(0))
    assert seen.any(axis=1).all()
    assert not (seen & ~mask & 1).any()


def test_a_forgotten_call_is_silence_and_as_frequent_as_its_rate():
    obs, mask = rows_of("classic")
    asked = mask[:, CALL] > 0
    agent = make_level_agent("x", make_agent("heuristic"), only(miss_call=0.3), 2)
    ids = agent.act_batch(obs[asked], mask[asked])
    assert set(ids.tolist()) == {CALL, SILENT}
    assert (ids == SILENT).mean() == pytest.approx(0.3, abs=0.1)


def test_the_wrong_colour_is_named():
    obs, mask = rows_of("classic")
    named = mask[:, uno.action_id("color red")] > 0
    held = np.zeros((len(obs), 4), int)
    for number, color in enumerate(uno.COLORS):
        faces = [i for i, face in enumerate(uno.cards.FACES) if face.startswith(color)]
        held[:, number] = obs[:, faces].sum(axis=1)
    ids = make_level_agent("x", make_agent("heuristic"), only(leave_color=1.0)).act_batch(
        obs[named], mask[named]
    )
    chosen = ids - uno.action_id("color red")
    assert ((chosen >= 0) & (chosen < 4)).all()
    assert (chosen != held[named].argmax(axis=1)).all()


def test_jump_ins_challenges_and_cards_are_overlooked():
    obs, mask = rows_of("ig2000")
    jump = uno.action_id("jump-in")
    rng = np.random.default_rng(1)
    assert mask[:, jump].any()
    assert not seen_actions(obs, mask, only(miss_reaction=1.0), rng)[:, jump].any()
    cards = slice(0, len(uno.cards.FACES))
    fewer = seen_actions(obs, mask, only(overlook_card=0.5), rng)[:, cards].sum()
    assert 0.3 < fewer / mask[:, cards].sum() < 0.95


def test_the_same_seed_makes_the_same_slips():
    obs, mask = rows_of("no_mercy", 20)
    first, second, other = (make_agent("level:2", seed) for seed in (7, 7, 8))
    ids = first.act_batch(obs, mask)
    assert (ids == second.act_batch(obs, mask)).all()
    assert (ids != other.act_batch(obs, mask)).any()
    first.reset(7)
    assert (ids == first.act_batch(obs, mask)).all()


def test_all_levels_are_agents_and_are_listed():
    names = [info.name for info in list_agents(allow_local=False)]
    game = uno.Game("no_mercy", 3, seed=4)
    for level in levels():
        assert level.spec in names
        agent = make_agent(level.spec, 1, allow_local=False)
        assert agent.act(game.view(game.actor), game.legal()) in game.legal()
        is_search = level.base.startswith("search")
        assert isinstance(agent, BatchAgent) != is_search
        assert (agent.budget is not None) == is_search
    with pytest.raises(AgentError, match=r"no level '9'; allowed: level:1 .* to level:8"):
        make_agent("level:9")
    with pytest.raises(AgentError, match="no level 'x'"):
        make_agent("level:x")


@pytest.mark.parametrize("level", levels()[-2:], ids=lambda level: level.spec)
def test_a_strong_level_advises_as_its_base_does(level):
    """The page's coach says how likely each action wins, so levels pass on what their base says."""
    game = uno.Game("classic", 2, seed=4)
    view, legal = game.view(game.actor), game.legal()
    assert sum(level.rates) == 0
    told = advise(make_agent(level.spec, 3), view, legal)
    assert told == advise(make_agent(level.base, 3), view, legal)
    assert told.win_estimate is not None
    # A search says how good its action is, a network how likely each of them is as well.
    is_search = level.base.startswith("search")
    assert (told.probabilities is None) == is_search
    assert is_search or set(told.probabilities) == set(legal)


def test_levels_are_data_in_equal_steps():
    data = json.loads(FILE.read_text("utf-8"))
    assert len(levels()) == NUM_LEVELS and data["command"].startswith("uno-arena calibrate-levels")
    targets = [entry["target"] for entry in data["levels"]]
    assert np.diff(targets) == pytest.approx([data["step"]] * (NUM_LEVELS - 1), abs=0.2)
    elos = [level.elo for level in levels()]
    assert elos == sorted(elos), "measured strength grows with the level"
    slips = [sum(level.rates) for level in levels() if level.base == "heuristic"]
    assert slips == sorted(slips, reverse=True)
    with pytest.raises(ValueError, match="unknown slip 'yawn'; allowed: miss_call"):
        SlipRates.from_mapping({"yawn": 1})


def test_a_stronger_level_wins_more():
    low, high = (make_agent(f"level:{number}", 1) for number in (1, 5))
    result = evaluate(high, low, uno.Rules.preset("classic"), 2, 400, seed=6)
    assert result.low > 0.5
