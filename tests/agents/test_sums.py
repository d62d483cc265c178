"""What networks are told about hands that may be laid as a sum, against the engine itself."""

import numpy as np
import pytest
from uno_agents.neural import sum_features as sums
from uno_agents.neural.weights import WEIGHTS_FILE, read_weights
from uno_agents.registry import make_agent

import uno_env
from uno_env.actions import SUM
from uno_env.envs.observation_spec import observation_blocks

from .networks import positions, save_lively, torch

_AT = {block.name: block.offset for block in observation_blocks()}
REACT = _AT["phase"] + 14
KINDS = slice(_AT["top_kind"], _AT["top_kind"] + 26)


def answers(obs):
    """(B, questions, classes) for observations."""
    total, start = (obs @ key.astype(np.int64) for key in sums.row_weights())
    table = sums.feature_table()[start + np.minimum(total, sums.MAX_TOTAL)]
    return table.reshape(len(obs), sums.NUM_QUESTIONS, len(sums.POINTS))


def class_of(kind):
    return np.where(kind < 10, kind, np.where(kind < 16, 10, 11))


@pytest.mark.parametrize("variant", ["ig2000", "loche"])
def test_a_hand_that_totals_the_top_card_is_one_that_may_be_laid(variant):
    v = uno_env.vec(variant, 512, 4, seed=2)
    v.reset()
    laid = asked = 0
    for _ in range(150):
        rows = np.flatnonzero(v.obs[:, REACT])
        obs = v.obs[rows].astype(np.int64)
        top = class_of(obs[:, KINDS].argmax(axis=1))
        told = answers(obs)[np.arange(len(rows)), sums.IS, top]
        assert (told == v.mask[rows, SUM]).all()
        laid, asked = laid + int(told.sum()), asked + len(rows)
        v.step(v.random_actions())
    assert laid > 30 and asked > 2 * laid


def test_a_card_that_wins_by_the_sum_it_leaves_is_known():
    game = uno_env.Game.from_snapshot(
        {
            "variant": "loche",
            "hands": [["red-skip", "red-9", "blue-9", "blue-2"], ["green-1", "green-2"]],
            "discard": ["red-5"],
            "draw_pile": ["blue-3", "blue-4"],
        }
    )
    obs = game.observe(0).astype(np.int64)[None]
    wins = answers(obs)[0, sums.WINS]
    assert [sums.POINTS[card] for card in np.flatnonzero(wins)] == [20]
    game.step("play red-skip")
    assert "sum" in game.legal()


def test_rules_without_sums_are_told_nothing():
    obs, _ = positions(steps=5)
    has_sums = (obs @ sums.row_weights()[1].astype(np.int64)) > 0
    assert has_sums.any() and not has_sums.all()
    assert not answers(obs[~has_sums].astype(np.int64)).any()
    assert answers(obs[has_sums].astype(np.int64)).any()


def test_a_checkpoint_from_before_takes_no_notice_of_sums(tmp_path):
    library = pytest.importorskip("safetensors.torch")
    new = save_lively(tmp_path / "new")
    weights, _ = read_weights(new / WEIGHTS_FILE)
    with library.safe_open(new / WEIGHTS_FILE, "pt") as file:
        about = file.metadata()
    first = weights["trunk.0.weight"]
    old = weights | {"trunk.0.weight": first[:, : uno_env.OBS_SIZE].copy()}
    blind = weights | {"trunk.0.weight": np.pad(old["trunk.0.weight"], ((0, 0), (0, 60)))}
    for name, arrays in (("old", old), ("blind", blind)):
        tensors = {key: torch.from_numpy(array) for key, array in arrays.items()}
        library.save_file(tensors, tmp_path / f"{name}.safetensors", about)
    obs, mask = positions(steps=10)
    agents = [make_agent(str(tmp_path / f"{name}.safetensors")) for name in ("old", "blind")]
    told, *others = (agent.policy(obs, mask)[0] for agent in (make_agent(str(new)), *agents))
    assert (others[0] == others[1]).all()
    assert (told != others[0]).any(), "sums matter to one that reads them"
