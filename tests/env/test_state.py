"""The global state for centralised critics: true, complete, and out of every agent's reach."""

import ast
import json
from pathlib import Path

import numpy as np
import pytest
import uno_agents

import uno_env
from uno_env.cards import face_id
from uno_env.engine.global_state import STATE_BLOCKS

from .playing import TABLES, eager


def blocks(state):
    """The state by block."""
    found, at = {}, 0
    for block in STATE_BLOCKS:
        found[block.name] = state[at : at + block.size]
        at += block.size
    return found


def check_state(game, state):
    told, truth = blocks(state), game.snapshot()
    n, first = game.num_players, game.actor or 0
    hands = told["hands"].reshape(10, -1)
    for place in range(10):
        held = truth["hands"][(first + place) % n] if place < n else []
        assert hands[place].nonzero()[0].tolist() == sorted(set(map(face_id, held)))
        assert hands[place].sum() == len(held)
    pile = [face_id(card) for card in truth["draw_pile"]]
    assert told["draw_pile"].tolist() == np.bincount(pile, minlength=hands.shape[1]).tolist()
    coming = [1 + face for face in pile[: len(told["next_cards"])]]
    assert told["next_cards"][: len(coming)].tolist() == coming
    assert told["actor"] == (0 if game.actor is None else 1 + game.actor)


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
def test_it_shows_all_cards_in_every_environment(variant, num_players):
    env = uno_env.env(variant, num_players=num_players)
    env.reset(seed=5)
    game = uno_env.Game(variant, num_players, seed=5)
    batch = uno_env.vec(variant, 2, num_players, seed=[5, 9])
    batch.reset()
    rng = np.random.default_rng(1)
    for _ in range(40):
        if game.over:
            break
        check_state(game, game.state())
        assert np.array_equal(batch.states()[0], game.state())
        state = env.state()
        assert env.state_space.contains(state)
        assert np.array_equal(state, np.concatenate([game.state(), game.observe(game.actor)]))
        action = eager(game.mask(), rng)
        env.step(action)
        game.step(int(action))
        if not game.over:
            batch.step([action, batch.mask[1].argmax()])


def test_it_can_be_asked_for_at_the_end_and_not_before_the_start():
    env = uno_env.env("classic")
    with pytest.raises(AssertionError, match="reset"):
        env.state()
    env.reset(seed=1)
    while not env.terminations[env.agent_selection]:
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert env.state_space.contains(env.state())


def test_describe_prints_every_block(capsys):
    uno_env.describe_state()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines[1:]] == [block.name for block in STATE_BLOCKS]
    assert sum(block.size for block in STATE_BLOCKS) == uno_env.STATE_SIZE


class Spy:
    """Takes whatever it is handed, and keeps it."""

    def __init__(self):
        self.handed = []

    def act(self, view, legal):
        self.handed.append(view)
        return legal[0]


class BatchSpy:
    def __init__(self):
        self.handed = []

    def act_batch(self, obs, mask):
        self.handed.append((obs, mask))
        return mask.argmax(axis=1)


def test_agents_are_handed_plain_data_that_leads_to_no_state():
    for spy in (Spy(), BatchSpy()):
        env = uno_env.envs.gymnasium_env.UnoEnv("no_mercy", 4, opponents=[spy] * 3, seat=0)
        _, info = env.reset(seed=3)
        for _ in range(20):
            _, _, ended, cut, info = env.step(int(env.action_masks().argmax()))
            json.dumps(info)
            if ended or cut:
                break
        assert spy.handed
        for handed in spy.handed:
            if isinstance(handed, dict):
                json.dumps(handed)
                assert "draw_pile" not in handed and "hands" not in handed
            else:
                assert all(array.dtype == np.uint8 for array in handed)
                assert handed[0].shape[1] == uno_env.OBS_SIZE


def test_no_agent_but_the_oracle_reads_states():
    """The source of the agents never names the global state or a true snapshot."""
    folder = Path(uno_agents.__file__).parent
    for path in folder.rglob("*.py"):
        names = {
            node.attr if isinstance(node, ast.Attribute) else node.module or ""
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Attribute | ast.ImportFrom)
        }
        assert not names & {"states", "write_states"}, path
        assert not any("global_state" in name for name in names), path
