"""The heuristic at every table and in every phase: legal, fair, repeatable and strong."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uno_agents.heuristic.agent import HeuristicAgent
from uno_agents.heuristic.kernels.policy import choose
from uno_agents.simple import GreedyAgent
from uno_arena.evaluate import evaluate

import uno_env as uno
from uno_env.engine.tables import PHASES

from ..engine.strategies import Table, seat_counts, states, tables
from ..engine.worlds import two_worlds
from .heuristic_moves import moves

ROOT = Path(__file__).parents[2]

TABLES = [
    (variant, players)
    for variant in uno.VARIANTS
    for players in seat_counts(uno.Rules.preset(variant))
]
PHASES_MET = {
    *("play", "play-drawn", "stack", "color", "challenge", "roulette-color", "swap-target"),
    *("swap-pair", "pass-card", "give-half", "exchange", "team-play", "uno-call", "react"),
    *("opening-color", "opening-swap", "draw-target"),
}
"""All but `uno-catch`, which needs somebody who forgets to call, `play-more`, which needs a house
rule, and `over`."""


def test_plays_all_tables_in_all_phases():
    """An illegal action would be refused."""
    v = uno.vec([t[0] for t in TABLES], 20 * len(TABLES), [t[1] for t in TABLES], seed=5)
    v.reset()
    agent = HeuristicAgent(0)
    met: set[int] = set()
    ended = np.zeros(len(TABLES), int)
    for _ in range(600):
        met.update(v.engine_arrays.games["phase"].tolist())
        v.step(agent.act_batch(v.obs, v.mask))
        ended += (v.done == 1).reshape(-1, len(TABLES)).sum(axis=0)
    assert {PHASES[phase] for phase in met} == PHASES_MET
    assert (ended > 0).all(), "every table finished games"


@settings(max_examples=60)
@given(tables(), st.integers(0, 2**63))
def test_is_legal_under_any_rules(table, seed):
    """In games that others play, so that every strange position is met."""
    for game in states(table.game(), table.driver(), most=150):
        if game.actor is None:
            continue
        action = choose(game.observe(game.actor), game.mask(), np.uint64(seed))
        assert game.mask()[action], f"{uno.action_text(action, game.phase)} in {game.phase}"


@settings(max_examples=40)
@given(tables(), st.integers(0, 150), st.integers(0, 2**32 - 1))
def test_hidden_cards_change_nothing(table, steps, seed):
    if (worlds := two_worlds(table, steps, seed)) is None:
        return
    game, world = worlds
    here, there = (
        HeuristicAgent(seed).act(position.view(game.actor), position.legal())
        for position in (game, world)
    )
    assert here == there


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_one_view_and_one_row_get_one_answer(variant):
    table = Table(uno.Rules.preset(variant), 4, 11, 11, 0.9)
    for number, game in enumerate(states(table.game(), table.driver(), most=80)):
        if game.actor is None:
            break
        by_view = HeuristicAgent(number).act(game.view(game.actor), game.legal())
        rows = game.observe(game.actor)[None], game.mask()[None]
        assert uno.action_id(by_view) == HeuristicAgent(number).act_batch(*rows)[0]


def test_same_seed_same_answers():
    v = uno.vec("no_mercy", 64, 4, seed=3)
    v.reset()
    agents = [HeuristicAgent(seed) for seed in (9, 9, 10)]
    others_differ = False
    for _ in range(80):
        first, second, third = (agent.act_batch(v.obs, v.mask) for agent in agents)
        assert np.array_equal(first, second)
        others_differ |= not np.array_equal(first, third)
        v.step(first)
    assert others_differ, "the seed breaks no tie"


def test_plain_python_makes_the_same_moves():
    run = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.agents.heuristic_moves"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert run.stdout.splitlines() == moves()


def test_takes_rows_however_they_lie():
    v = uno.vec("classic", 32, 3, seed=3)
    v.reset()
    wide = np.zeros((32, uno.OBS_SIZE + 60), np.uint8)
    rows = wide[:, : uno.OBS_SIZE]
    rows[:] = v.obs
    assert not rows.flags.c_contiguous
    frozen = v.mask.copy()
    frozen.flags.writeable = False
    answers = HeuristicAgent(1).act_batch(v.obs, v.mask)
    assert np.array_equal(answers, HeuristicAgent(1).act_batch(rows, frozen))
    assert len(HeuristicAgent(1).act_batch(v.obs[:0], v.mask[:0])) == 0


@pytest.mark.parametrize(
    ("obs", "mask"),
    [
        ((3, uno.OBS_SIZE - 1), (3, uno.NUM_ACTIONS)),
        ((3, uno.OBS_SIZE), (2, uno.NUM_ACTIONS)),
        ((uno.OBS_SIZE,), (uno.NUM_ACTIONS,)),
    ],
)
def test_refuses_rows_of_another_shape(obs, mask):
    with pytest.raises(ValueError, match=r"is needed"):
        HeuristicAgent(0).act_batch(np.zeros(obs, np.uint8), np.zeros(mask, np.uint8))


@pytest.mark.parametrize(
    ("variant", "players", "least"),
    [
        ("classic", 2, 0.66),
        ("classic", 10, 0.13),
        ("hyper_speed", 3, 0.42),
        ("no_mercy", 6, 0.27),
        ("ig2000", 4, 0.31),
        ("loche", 2, 0.62),
        ("teams", 4, 0.70),
        ("teams", 8, 0.38),
    ],
)
def test_beats_greedy(variant, players, least):
    """Far below what it reaches, far above what chance gives: docs/agents.md has the numbers."""
    rules = uno.Rules.preset(variant)
    deals = 1200 // players
    result = evaluate(HeuristicAgent(1), GreedyAgent(2), rules, players, deals, seed=4)
    assert result.rate > least > 1.2 * result.chance
