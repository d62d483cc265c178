"""Networks as agents: the compiled forward pass, probabilities, advice, play without torch."""

import json
import struct
import subprocess
import sys

import numpy as np
import pytest
from uno_agents.advice import Advice, AdvisingAgent, PolicyValueAgent, advise, win_estimate
from uno_agents.base import Agent, BatchAgent
from uno_agents.heuristic.agent import HeuristicAgent
from uno_agents.heuristic.kernels.features import R_TEAMS
from uno_agents.neural.agent import CheckpointError, NeuralAgent, load_network, torch_policy
from uno_agents.neural.mlp import MlpPolicy
from uno_agents.neural.weights import WEIGHTS_FILE, read_weights
from uno_agents.neural.zero_columns import without_zero_columns
from uno_agents.registry import make_agent

import uno_env

from .networks import lively, positions, save_lively, torch


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_lively(tmp_path_factory.mktemp("net") / "best")


@pytest.mark.parametrize("hidden", [(48, 32), (17,), (64, 24, 40)])
def test_the_compiled_pass_equals_torch(hidden):
    network = lively(hidden)
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    obs, mask = positions()
    ours, theirs = MlpPolicy(weights, hidden)(obs, mask), torch_policy(network)(obs, mask)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)
    # The positions must tell networks apart, or equality would say little.
    assert len(np.unique(ours[0].argmax(axis=1))) > 40


def test_rows_may_be_any_view_of_memory(folder):
    agent = make_agent(str(folder))
    obs, mask = positions(steps=5)
    straight = agent.act_batch(obs, mask)
    strided = agent.act_batch(obs[::2], mask[::2])
    assert (strided == straight[::2]).all()
    assert (agent.act_batch(np.asfortranarray(obs), np.asfortranarray(mask)) == straight).all()
    assert agent.act_batch(obs[:0], mask[:0]).shape == (0,)


def test_torch_network_and_agent_of_one_checkpoint_agree(folder):
    network, metadata = load_network(folder)
    agent = make_agent(str(folder))
    obs, mask = positions(steps=10)
    np.testing.assert_allclose(
        agent.policy(obs, mask)[0], torch_policy(network)(obs, mask)[0], rtol=1e-4, atol=1e-4
    )
    assert metadata == agent.metadata
    assert (NeuralAgent(network, {}).act_batch(obs, mask) == agent.act_batch(obs, mask)).all()


def test_rounding_does_not_decide_between_equal_actions():
    """Sums differ in their last bits from processor to processor."""

    def policy(obs, mask):
        logits = np.full(mask.shape, -1e9, np.float32)
        logits[:, [7, 20, 33]] = [[1.5, 1.500002, 1.0], [1.500002, 1.5, 1.0], [1.5, 1.6, 1.0]]
        return logits, np.zeros(len(mask), np.float32)

    agent = NeuralAgent(policy, {})
    obs, mask = np.zeros((3, 1280), np.uint8), np.ones((3, 208), np.uint8)
    assert agent.act_batch(obs, mask).tolist() == [7, 7, 20]


def test_probabilities_are_those_it_samples_by(folder):
    obs, mask = positions(steps=30)
    row = int(np.argmax(mask.sum(axis=1)))
    sampler = make_agent(f"{folder}:sample=1", seed=4)
    assert isinstance(sampler, PolicyValueAgent)
    shares, values = sampler.probabilities_batch(obs, mask)
    assert values.shape == (len(obs),)
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-5)
    assert not shares[mask == 0].any()
    count = 20_000
    rows = np.repeat(obs[row : row + 1], count, 0), np.repeat(mask[row : row + 1], count, 0)
    drawn = np.bincount(sampler.act_batch(*rows), minlength=shares.shape[1]) / count
    # Five standard deviations of a share of so many draws.
    assert np.abs(drawn - shares[row]).max() < 5 * 0.5 / np.sqrt(count)
    best = make_agent(str(folder)).act_batch(obs, mask)
    assert (best == shares.argmax(axis=1)).mean() > 0.99


@pytest.mark.parametrize("variant", uno_env.VARIANTS)
def test_advice_is_what_it_plays(folder, variant):
    agent = make_agent(str(folder))
    assert isinstance(agent, Agent) and isinstance(agent, BatchAgent)
    assert isinstance(agent, AdvisingAgent)
    game = uno_env.Game(variant, seed=5)
    for _ in range(25):
        view, legal = game.view(game.actor), game.legal()
        advice = advise(agent, view, legal)
        assert list(advice.probabilities) == legal
        assert sum(advice.probabilities.values()) == pytest.approx(1, abs=1e-5)
        assert advice.action == agent.act(view, legal)
        assert advice.probabilities[advice.action] == max(advice.probabilities.values())
        assert 0 <= advice.win_estimate <= 1
        game.step(advice.action)
        if game.over:
            break


def test_agents_without_advice_give_their_action():
    game = uno_env.Game("classic", 2, seed=1)
    found = advise(make_agent("greedy"), game.view(game.actor), game.legal())
    assert found == Advice(found.action, None, None)
    assert found.action in game.legal()


@pytest.mark.parametrize(
    ("variant", "players", "value", "chance"),
    [
        ("classic", 2, 0.0, 0.5), ("classic", 4, 1.0, 1.0), ("classic", 4, -1 / 3, 0.0),
        ("no_mercy", 4, 0.0, 0.25), ("teams", 4, 0.0, 0.5), ("teams", 6, -0.5, 0.0),
        ("classic", 2, 1.7, 1.0), ("classic", 2, -1.7, 0.0),
    ],
)  # fmt: skip
def test_expected_rewards_become_chances_to_win(variant, players, value, chance):
    view = uno_env.Game(variant, players, seed=1).view(0)
    assert win_estimate(value, view) == pytest.approx(chance)


def test_checkpoints_play_without_torch(folder):
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['torch', 'safetensors', 'onnxruntime']));"
        "import uno_env; from uno_agents.registry import make_agent;"
        f"agent = make_agent({str(folder)!r}); game = uno_env.Game('classic', 3, seed=1)\n"
        "while not game.over: game.step(agent.act(game.view(game.actor), game.legal()))\n"
        "print(len(game.record()['actions']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    agent, game = make_agent(str(folder)), uno_env.Game("classic", 3, seed=1)
    while not game.over:
        game.step(agent.act(game.view(game.actor), game.legal()))
    assert int(done.stdout) == len(game.record()["actions"])


def rewritten(path, change):
    """The file with another header over the same numbers."""
    octets = path.read_bytes()
    length = struct.unpack("<Q", octets[:8])[0]
    header = json.loads(octets[8 : 8 + length])
    change(header)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + octets[8 + length :]


def first_array(header):
    return header["trunk.0.weight"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda h: first_array(h).update(data_offsets=[0, 10**12]), "outside the file"),
        (lambda h: first_array(h).update(data_offsets=[-8, 8]), "outside the file"),
        (lambda h: first_array(h).update(data_offsets=[0, 4]), "damaged"),
        (lambda h: first_array(h).update(dtype="BF16"), "damaged"),
        (lambda h: first_array(h).update(shape=[-1, -1]), "damaged"),
        (lambda h: first_array(h).update(shape="long"), "damaged"),
        (lambda h: h.update({"trunk.0.weight": 7}), "damaged"),
        (lambda h: h.pop("value.bias"), r"value\.bias has shape None, \(1,\) is needed"),
        (lambda h: h.update(extra=h["value.bias"]), "extra has shape"),
        (lambda h: h.update(__metadata__={"uno_env": "{"}), "not written by uno-train"),
        (lambda h: h.pop("__metadata__"), "not written by uno-train"),
    ],
)
def test_forged_headers_are_refused(folder, tmp_path, change, message):
    path = tmp_path / WEIGHTS_FILE
    path.write_bytes(rewritten(folder / WEIGHTS_FILE, change))
    with pytest.raises(CheckpointError, match=message):
        make_agent(str(tmp_path))


def test_our_reader_reads_what_the_library_reads(folder):
    library = pytest.importorskip("safetensors.numpy")
    theirs = library.load_file(folder / WEIGHTS_FILE)
    ours, _ = read_weights(folder / WEIGHTS_FILE)
    assert ours.keys() == theirs.keys()
    assert all((ours[name] == theirs[name]).all() for name in ours)


def short_file(path, weights, metadata, change=lambda kept: kept):
    arrays, kept = without_zero_columns(weights)
    save = pytest.importorskip("safetensors.numpy").save_file
    save(arrays, path, {"uno_env": json.dumps(metadata | change(kept))})


def test_a_file_need_not_hold_columns_of_zeros(folder, tmp_path):
    weights, metadata = read_weights(folder / WEIGHTS_FILE)
    weights["trunk.0.weight"][:, 40:900] = 0
    path = tmp_path / "short.safetensors"
    short_file(path, weights, metadata)
    assert path.stat().st_size < 0.6 * (folder / WEIGHTS_FILE).stat().st_size
    again, about = read_weights(path)
    assert about == metadata
    assert all((again[name] == weights[name]).all() for name in weights)


@pytest.mark.parametrize(
    ("kept", "message"),
    [
        ([1, 2], r"kept_columns is \[1, 2\]; columns by the names"),
        ({"trunk.0.weight": [0, 1]}, "has 1340 columns, kept_columns 2"),
        ({"trunk.0.weight": [0, 0]}, "damaged"),
        ({"trunk.0.weight": [0, 5000]}, "damaged"),
        ({"trunk.0.weight": "all"}, "damaged"),
        ({"else": [0]}, "damaged"),
    ],
)
def test_damaged_columns_are_refused(folder, tmp_path, kept, message):
    weights, metadata = read_weights(folder / WEIGHTS_FILE)
    path = tmp_path / "short.safetensors"
    short_file(path, weights, metadata, lambda _: {"kept_columns": kept})
    with pytest.raises(CheckpointError, match=message):
        make_agent(str(path))


def test_half_precision_plays_nearly_the_same(folder, tmp_path):
    library = pytest.importorskip("safetensors.torch")
    weights, metadata = read_weights(folder / WEIGHTS_FILE)
    halves = {name: torch.from_numpy(array).half() for name, array in weights.items()}
    path = tmp_path / "small.safetensors"
    library.save_file(halves, path, {"uno_env": json.dumps(metadata)})
    assert path.stat().st_size < 0.52 * (folder / WEIGHTS_FILE).stat().st_size
    obs, mask = positions(steps=10)
    small, whole = make_agent(str(path)), make_agent(str(folder))
    same = small.act_batch(obs, mask) == whole.act_batch(obs, mask)
    assert same.mean() > 0.99


def test_the_heuristic_chooses_swaps_if_the_metadata_says_so(tmp_path):
    plain = make_agent(str(save_lively(tmp_path / "plain")))
    overridden = make_agent(str(save_lively(tmp_path / "overridden", override_swaps=True)))
    v = uno_env.vec("ig2000", 512, 6, seed=4)
    v.reset()
    swap = uno_env.action_id("swap +0 +1")
    asked = 0
    few = uno_env.vec("ig2000", 512, 4, seed=4)
    few.reset()
    for _ in range(30):
        assert (plain.act_batch(few.obs, few.mask) == overridden.act_batch(few.obs, few.mask)).all()
        few.step(few.random_actions())
    for _ in range(60):
        there = v.mask[:, swap] > 0
        one, two = plain.act_batch(v.obs, v.mask), overridden.act_batch(v.obs, v.mask)
        assert (one[~there] == two[~there]).all()
        rows = np.flatnonzero(there)
        asked += len(rows)
        for row in rows[:3]:
            alone = overridden.act_batch(v.obs[row : row + 1], v.mask[row : row + 1])
            assert alone == two[row], "other rows change nothing"
            probabilities, _ = overridden.probabilities_batch(
                v.obs[row : row + 1], v.mask[row : row + 1]
            )
            assert probabilities[0, two[row]] == 1
            obs, mask = v.obs[row : row + 1], v.mask[row : row + 1]
            choices = [HeuristicAgent(seed).act_batch(obs, mask)[0] for seed in range(8)]
            assert two[row] in choices
        v.step(v.random_actions())
    assert asked > 50


@pytest.mark.parametrize(("players", "decides"), [(7, False), (10, True)])
def test_the_heuristic_chooses_targets_of_many_if_the_metadata_says_so(tmp_path, players, decides):
    plain = make_agent(str(save_lively(tmp_path / "plain")))
    overridden = make_agent(str(save_lively(tmp_path / "overridden", override_targets=True)))
    v = uno_env.vec("all_wild", 256, players, seed=4)
    v.reset()
    target = uno_env.action_id("target +1")
    agrees = []
    for _ in range(40):
        there = v.mask[:, target] > 0
        one, two = plain.act_batch(v.obs, v.mask), overridden.act_batch(v.obs, v.mask)
        assert (one[~there] == two[~there]).all()
        assert decides or (one == two).all()
        obs, mask = v.obs[there], v.mask[there]
        if decides and len(obs):
            choices = [HeuristicAgent(seed).act_batch(obs, mask) for seed in range(8)]
            agrees += [each in some for each, *some in zip(two[there], *choices, strict=True)]
        v.step(v.random_actions())
    assert not decides or (len(agrees) > 50 and np.mean(agrees) > 0.98)


def test_the_heuristic_prior_yields_only_to_larger_differences_of_logits(tmp_path):
    obs, mask = positions(steps=10)
    teams = obs[:, R_TEAMS] > 0
    folders = {by: save_lively(tmp_path / str(by), heuristic_prior=by) for by in (0.0, 2.0, 1e6)}
    plain, biased, blind = (make_agent(str(folder)) for folder in folders.values())
    alone = plain.act_batch(obs[teams], mask[teams])
    assert (blind.act_batch(obs[teams], mask[teams]) == alone).all(), "not in Teams"
    obs, mask = obs[~teams], mask[~teams]
    heuristic_actions = blind.act_batch(obs, mask)
    free, with_prior = plain.act_batch(obs, mask), biased.act_batch(obs, mask)
    assert (with_prior == heuristic_actions).mean() - (free == heuristic_actions).mean() > 0
    assert ((with_prior == heuristic_actions) | (with_prior == free)).all()
    assert len(set(zip(with_prior != heuristic_actions, with_prior != free, strict=True))) == 3
    alone = [biased.act_batch(obs[i : i + 1], mask[i : i + 1])[0] for i in range(0, len(obs), 50)]
    assert (alone == with_prior[::50]).all(), "other rows change nothing"
    choices = [HeuristicAgent(seed).act_batch(obs, mask) for seed in range(12)]
    agrees = [one in some for one, *some in zip(heuristic_actions, *choices, strict=True)]
    assert np.mean(agrees) > 0.99


def test_checkpoints_with_old_metadata_keys_play_the_same(tmp_path):
    """Runs and ONNX files saved before the keys were renamed."""
    new = save_lively(tmp_path / "new", heuristic_prior=2.0, override_swaps=True)
    old = save_lively(tmp_path / "old", leans=2.0, leaves_swaps=True)
    plain = save_lively(tmp_path / "plain")
    now, before, without = (make_agent(str(folder)) for folder in (new, old, plain))
    assert before.metadata == now.metadata
    obs, mask = positions(steps=10)
    assert (before.act_batch(obs, mask) == now.act_batch(obs, mask)).all()
    assert (before.act_batch(obs, mask) != without.act_batch(obs, mask)).any()
