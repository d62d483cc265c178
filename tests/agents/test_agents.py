"""Agents: legal everywhere, as good as their docstrings say, found by their spec strings."""

import gymnasium
import numpy as np
import pytest
from uno_agents.base import Agent, AgentError, BatchAgent
from uno_agents.registry import BUILT_IN, make_agent

import uno_env
from uno_env.actions import CALL_UNO, CATCH, CHALLENGE, DRAW, KEEP, NUM_ACTIONS, TAKE
from uno_env.cards import NUM_FACES

TABLES = [
    (variant, players)
    for variant in uno_env.VARIANTS
    for players in range(2, 11)
    if uno_env.Rules.preset(variant).min_players
    <= players
    <= uno_env.Rules.preset(variant).max_players
    and not (variant == "teams" and players % 2)
]


@pytest.mark.parametrize("spec", BUILT_IN)
def test_batches_are_legal_on_every_preset_and_table_size(spec):
    variants, players = zip(*TABLES, strict=True)
    v = uno_env.vec(list(variants), 4 * len(TABLES), list(players), seed=5)
    v.reset()
    agent = make_agent(spec, seed=1)
    assert isinstance(agent, Agent)
    assert isinstance(agent, BatchAgent)
    ended = np.zeros(v.num_envs, int)
    for _ in range(600):
        v.step(agent.act_batch(v.obs, v.mask))  # an illegal one raises
        ended += v.done > 0
    assert ended.sum() > v.num_envs
    if spec == "greedy":
        assert (ended.reshape(4, -1).sum(axis=0) > 0).all()


@pytest.mark.parametrize("spec", BUILT_IN)
@pytest.mark.parametrize(("variant", "players"), TABLES[::3])
def test_views_are_answered_with_legal_texts(spec, variant, players):
    game = uno_env.Game(variant, players, seed=3)
    agent = make_agent(spec, seed=2)
    for _ in range(60):
        if game.over:
            break
        legal = game.legal()
        action = agent.act(game.view(game.actor), legal)
        assert action in legal
        game.step(action)


def test_random_is_uniform():
    mask = np.zeros((30_000, NUM_ACTIONS), np.uint8)
    mask[:, [3, DRAW, CHALLENGE]] = 1
    obs = np.zeros((len(mask), uno_env.OBS_SIZE), np.uint8)
    ids = make_agent("random", seed=4).act_batch(obs, mask)
    counts = np.bincount(ids, minlength=NUM_ACTIONS)
    assert counts.sum() == counts[[3, DRAW, CHALLENGE]].sum()
    # Five standard deviations of a count with p = 1/3.
    assert np.abs(counts[[3, DRAW, CHALLENGE]] - 10_000).max() < 5 * np.sqrt(30_000 * 2 / 9)


def test_greedy_keeps_its_promises_in_play():
    v = uno_env.vec(["hyper_speed", "ig2000", "no_mercy"], 300, 4, seed=9)
    v.reset()
    agent = make_agent("greedy", seed=0)
    seen = {"play": 0, CALL_UNO: 0, CATCH: 0}
    for step in range(400):
        mask = v.mask.copy()
        ids = agent.act_batch(v.obs, mask)
        playable = mask[:, :NUM_FACES].any(axis=1)
        assert not np.isin(ids[playable], [DRAW, KEEP, TAKE, CHALLENGE]).any()
        seen["play"] += int((playable & (mask[:, DRAW] > 0)).sum())
        for promised in (CALL_UNO, CATCH):
            # A late call shares its decision with playing a card: then either is well.
            asked = (mask[:, promised] > 0) & ~playable
            assert (ids[asked] == promised).all()
            seen[promised] += int(asked.sum())
        # Greedy never stays silent, so now and then others must, for there to be a catch.
        v.step(v.random_actions() if step % 3 == 0 else ids)
    assert min(seen.values()) > 20, seen


def test_same_seed_same_answers():
    mask = np.ones((50, NUM_ACTIONS), np.uint8)
    first, again, other = (
        make_agent("random", seed=seed).act_batch(mask, mask).tolist() for seed in (1, 1, 2)
    )
    assert first == again != other


def test_unknown_spec_names_what_is_allowed(tmp_path):
    with pytest.raises(AgentError, match=r"'clever'.*random, greedy"):
        make_agent("clever")
    with pytest.raises(AgentError, match=r"model\.safetensors"):
        make_agent(str(tmp_path))


def test_spec_strings_reach_the_environments():
    env = gymnasium.make("uno_env/Uno-v0", variant="classic", num_players=3, opponents="greedy")
    env.reset(seed=1)
    for _ in range(20):
        action = int(np.flatnonzero(env.unwrapped.action_masks())[0])
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            break
    env.close()
