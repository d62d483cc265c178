"""Tiny games: hidden cards stay hidden, NashConv falls under CFR+, known values, the agent file."""

import dataclasses
import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from uno_agents.registry import make_agent  # noqa: E402
from uno_train.baselines.cfr import CfrPlus, solve  # noqa: E402
from uno_train.baselines.cli import main  # noqa: E402
from uno_train.tiny import cli, games  # noqa: E402
from uno_train.tiny.nash_conv import Evaluation, policy_of  # noqa: E402
from uno_train.tiny.tree import GameTree, build_tree  # noqa: E402


@pytest.fixture
def few(monkeypatch):
    """The tiny tasks with fewer deals."""
    small = {name: dataclasses.replace(task, deals=150) for name, task in games.TINY.items()}
    monkeypatch.setattr(games, "TINY", small)
    monkeypatch.setattr(cli, "TINY", small)
    return small


def pennies(payoffs):
    """A matrix game as a tree: player 0 chooses a row, player 1, who does not see it, a column."""
    rows = len(payoffs)
    parent = [-1, *[0] * rows, *(1 + r for r in range(rows) for _ in range(rows))]
    slot = [-1, *range(rows), *(rows + c for _ in range(rows) for c in range(rows))]
    ends = rows * rows
    return GameTree(
        parent=np.array(parent),
        slot=np.array(slot),
        depth=np.array([0, *[1] * rows, *[2] * ends]),
        player=np.array([0, *[1] * rows, *[-1] * ends]),
        state=np.array([0, *[1] * rows, *[-1] * ends]),
        value=np.array([*[0.0] * (1 + rows), *np.ravel(payoffs)]),
        first_slot=np.array([0, rows, 2 * rows]),
        state_player=np.array([0, 1]),
        level=np.array([0, 0]),
        actions=np.arange(2 * rows),
        obs=np.zeros((2, 1), np.uint8),
        mask=np.ones((2, 2 * rows), np.uint8),
        deals=np.array([1, 1]),
        num_deals=1,
    )


def test_nash_conv_of_a_matrix_game_is_known():
    tree = pennies([[1, -1], [-1, 1]])
    evaluation = Evaluation(tree)
    assert evaluation.nash_conv(tree.uniform()) == 0
    always = np.array([1.0, 0, 0.5, 0.5])
    assert evaluation.game_value(always) == 0 and evaluation.nash_conv(always) == 1


def test_cfr_finds_the_equilibrium_of_a_matrix_game():
    """Row 0 against column 0 pays two: the first row is played in two of five games."""
    tree = pennies([[2, -1], [-1, 1]])
    solver = CfrPlus(tree)
    for _ in range(400):
        solver.iterate()
    policy = solver.average_policy()
    assert policy == pytest.approx([0.4, 0.6, 0.4, 0.6], abs=0.02)
    assert solver.evaluation.nash_conv(policy) < 0.01
    assert solver.evaluation.game_value(policy) == pytest.approx(0.2, abs=0.01)


def test_a_tiny_game_is_solved_and_its_agent_plays(few, tmp_path):
    result = solve("tiny-skips", 60, tmp_path)
    first, last = result["curve"][0]["nash_conv"], result["curve"][-1]["nash_conv"]
    assert first > 0.2 and last < 0.1 * first
    tree = build_tree(few["tiny-skips"].game())
    agent = make_agent(f"{tmp_path}/agent.py:Tabular", 1)
    played = Evaluation(tree).nash_conv(policy_of(tree, agent, draws=200))
    # Its table is kept by observation, which sums up the past, and it is asked 200 times.
    assert played < 0.5 * first
    ids = agent.act_batch(tree.obs, tree.mask)
    assert tree.mask[np.arange(len(ids)), ids].all()


def test_the_commands(few, tmp_path, capsys):
    out, found = tmp_path / "runs", tmp_path / "found.json"
    assert main(["cfr", "--task", "tiny-numbers", "--decisions", "20", "--out", str(out)]) == 0
    assert "cfr-tiny-numbers/agent.py:Tabular: NashConv 0.0" in capsys.readouterr().out
    assert cli.main(["tiny-numbers", "greedy", "--draws", "8", "--json", str(found)]) == 0
    values = json.loads(found.read_text())["nash_conv"]
    assert set(values) == {"uniform", "greedy"} and min(values.values()) > 0.05
    with pytest.raises(ValueError, match="unknown task 'classic-2'; cfr solves tiny-numbers"):
        main(["cfr", "--task", "classic-2"])


@pytest.mark.slow
@pytest.mark.parametrize("name", list(games.TINY))
def test_own_cards_do_not_tell_the_deal(name):
    deals = build_tree(games.TINY[name].game()).deals_per_information_state()
    assert np.median(deals) >= 10
