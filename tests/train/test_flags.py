"""Flags of uno-train: any opponents, rules files, initial weights, rewards, seeds, devices."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from uno_agents.neural.agent import compiled_policy  # noqa: E402
from uno_agents.neural.weights import CheckpointError, read_weights  # noqa: E402
from uno_agents.pretrained import pretrained_path  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402
from uno_train.cli import main  # noqa: E402
from uno_train.config import ConfigError, TrainConfig, make_config  # noqa: E402
from uno_train.initial_weights import load_initial_weights  # noqa: E402
from uno_train.opponent_shares import read_shares  # noqa: E402
from uno_train.ppo import Learner  # noqa: E402
from uno_train.weight_sharing import make_network  # noqa: E402

import uno_env  # noqa: E402

TINY = (
    "--num-envs 32 --rollout-steps 8 --hidden 24 --quiet --threads 1 --curve-deals 4 "
    "--eval-deals 4 --minutes 0 --decisions 300"
)
SMALL = {"num_envs": 32, "rollout_steps": 8, "hidden": (24,), "threads": 1}
NETWORK = '''
from torch import nn
from uno_agents.neural.network import PolicyNetwork


class Wide(PolicyNetwork):
    """A trunk with a normalisation and another activation."""

    def __init__(self, hidden, inputs=None, actions=None):
        super().__init__(hidden, inputs, actions)
        width = hidden[-1]
        self.trunk = nn.Sequential(
            nn.Linear(len(self.inputs), width), nn.LayerNorm(width), nn.SiLU()
        )


class NoNetwork:
    pass
'''


@pytest.mark.parametrize(
    ("words", "shares"),
    [
        ("pretrained:classic=0.9", {"pretrained:classic": 0.9}),
        ("heuristic:style=bluffer=0.1", {"heuristic:style=bluffer": 0.1}),
        ("heuristic:style=bluffer", {"heuristic:style=bluffer": 0.5}),
        ("field:1=0.3,greedy=0.2", {"field:1": 0.3, "greedy": 0.2}),
        ("search:sims=50,ms=3", {"search:sims=50,ms=3": 0.5}),
        ("search:sims=50,greedy=0.2", {"search:sims=50": 0.5, "greedy": 0.2}),
        ("runs/a/best:sample=1", {"runs/a/best:sample=1": 0.5}),
        ("runs/a/best:sample=1=0.2", {"runs/a/best:sample=1": 0.2}),
        ("my.py:Bot=0.3", {"my.py:Bot": 0.3}),
        ("my.py:Bot:depth=3", {"my.py:Bot:depth=3": 0.5}),
    ],
)
def test_a_share_follows_the_last_equals_sign_that_is_no_option(words, shares):
    assert read_shares(words) == shares


def test_a_field_divides_its_share_among_members_that_fit_and_play_batches():
    config = TrainConfig(opponents={"field:1": 0.6, "greedy": 0.1}, variant="no_mercy")
    shares = config.batch_opponents()
    assert sum(shares.values()) == pytest.approx(0.7)
    assert "frozen:no_mercy-1" in shares and "frozen:classic-1" not in shares
    assert not any(spec.startswith("search") for spec in shares)
    assert shares["greedy"] == pytest.approx(0.1 + shares["random"])


def test_rules_files_are_kept_as_text(tmp_path):
    file = tmp_path / "rules.yaml"
    file.write_text("variant: classic\nhand_size: 5\n")
    config = TrainConfig(variant=str(file))
    file.unlink()
    assert config.variant == ("classic(hand_size=5)",)
    assert config.tables()[0].rules.hand_size == 5
    with pytest.raises(ConfigError, match="cannot read"):
        make_config(None, {"variant": str(file)})


def test_points_are_rewards_and_such_values_are_no_win_probabilities(tmp_path):
    learner = Learner(TrainConfig(reward="points", **SMALL))
    assert learner.v.reward == "points"
    assert main([*TINY.split(), "--reward", "points", "--out", str(tmp_path)]) == 0
    game = uno_env.Game("classic", 2, seed=1)
    advice = make_agent(str(tmp_path / "last")).advise(game.view(game.actor), game.legal())
    assert advice.win_estimate is None and sum(advice.probabilities.values()) > 0.99


@pytest.mark.parametrize(
    ("device", "says"),
    [
        ("cuda:99", "device is cuda:99, but torch sees"),
        ("mps", "torch sees no Apple GPU"),
        ("tpu", "device is 'tpu'"),
    ],
)
def test_a_device_that_is_not_there_is_refused(device, says, capsys):
    if device == "mps" and torch.backends.mps.is_available():
        pytest.skip("there is one")
    assert main([*TINY.split(), "--device", device]) == 2
    assert says in capsys.readouterr().err


def test_wandb_that_is_not_installed_is_named(tmp_path, capsys):
    try:
        import wandb  # noqa: F401
    except ImportError:
        assert main([*TINY.split(), "--wandb", "--out", str(tmp_path)]) == 2
        assert "pip install 'uno-env[wandb]'" in capsys.readouterr().err
    else:
        pytest.skip("it is installed")


def test_wandb_offline_logs_a_run(tmp_path, monkeypatch):
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    assert main([*TINY.split(), "--wandb", "tests", "--out", str(tmp_path)]) == 0
    assert list(tmp_path.glob("wandb/offline-run-*/*.wandb"))


def test_seeds_make_a_run_each_and_a_summary(tmp_path, capsys):
    words = f"{TINY} --anchors greedy --seeds 3 4 --out {tmp_path}"
    assert main(words.split()) == 0
    assert "2 seeds (3 4), mean and standard deviation" in capsys.readouterr().out
    configs = [json.loads((tmp_path / f"seed-{s}" / "config.json").read_text()) for s in (3, 4)]
    assert [config["seed"] for config in configs] == [3, 4]
    summary = json.loads((tmp_path / "seeds.json").read_text())
    runs = [json.loads((tmp_path / f"seed-{s}" / "results.json").read_text()) for s in (3, 4)]
    rates = [run["results"][0]["rate"] for run in runs]
    found = summary["rates"]["classic-2 against random"]
    assert found["mean"] == pytest.approx(np.mean(rates))
    assert found["std"] == pytest.approx(np.std(rates, ddof=1))
    assert main([*TINY.split(), "--seeds", "3", "3"]) == 2


def initial_logits(config):
    """Positions, and what the network of a run gives them before it is trained."""
    network = make_network(config)
    load_initial_weights(network, config)
    v = uno_env.vec("classic", 64, 2, seed=2)
    v.reset()
    with torch.inference_mode():
        logits, _ = network(torch.from_numpy(v.obs), torch.from_numpy(v.mask))
    return v, logits


@pytest.mark.slow
@pytest.mark.parametrize("shared", [True, False])
def test_a_run_starts_from_the_weights_of_a_trained_agent(tmp_path, shared):
    words = f"{TINY} --seed 5 --share-number-weights {shared} --out {tmp_path / 'first'}"
    assert main(words.split()) == 0
    start = str(tmp_path / "first" / "last")
    config = TrainConfig(init_from=start, seed=9, share_number_weights=shared, **SMALL)
    v, logits = initial_logits(config)
    assert (logits.argmax(-1).numpy() == make_agent(start).act_batch(v.obs, v.mask)).all()
    assert main(f"{TINY} --init-from {start} --share-number-weights {shared} "
                f"--out {tmp_path / 'second'}".split()) == 0  # fmt: skip


def test_weights_of_another_shape_are_refused_with_what_to_do(tmp_path):
    assert main(f"{TINY} --out {tmp_path}".split()) == 0
    start = str(tmp_path / "last")
    wider = TrainConfig(init_from=start, **{**SMALL, "hidden": (32,)})
    with pytest.raises(ConfigError, match=r"add --hidden 24 \(or further layers of 24"):
        load_initial_weights(make_network(wider), wider)
    clockwise = TrainConfig(init_from=start, seats_by_turn=False, **SMALL)
    with pytest.raises(ConfigError, match="add --seats-by-turn true"):
        load_initial_weights(make_network(clockwise), clockwise)
    seven = "classic(seven_swap=true)"
    other = TrainConfig(init_from=start, variant=seven, **SMALL)
    with pytest.raises(ConfigError, match="--share-number-weights false"):
        load_initial_weights(make_network(other), other)


@pytest.mark.parametrize("shared", [True, False])
def test_further_layers_begin_as_the_identity(tmp_path, shared):
    sharing = f"--share-number-weights {shared}"
    assert main(f"{TINY} --seed 5 {sharing} --out {tmp_path}".split()) == 0
    start = str(tmp_path / "last")
    deeper = {**SMALL, "hidden": (24, 24, 24), "share_number_weights": shared}
    config = TrainConfig(init_from=start, seed=9, **deeper)
    v, logits = initial_logits(config)
    probs, _ = make_agent(start).probabilities_batch(v.obs, v.mask)
    assert np.allclose(logits.softmax(-1).numpy(), probs, atol=1e-3)


def test_a_prior_that_was_added_for_play_does_not_bind_a_run_that_goes_on():
    assert make_agent("pretrained:generalist").metadata["heuristic_prior"] > 0
    config = make_config("loche", {})
    assert (config.init_from, config.heuristic_prior) == ("pretrained:generalist", 0)
    network = make_network(config)
    load_initial_weights(network, config)
    v = uno_env.vec("loche", 64, 4, seed=2)
    v.reset()
    policy = compiled_policy(*read_weights(pretrained_path("generalist")))
    with torch.inference_mode():
        logits, _ = network(torch.from_numpy(v.obs), torch.from_numpy(v.mask))
    assert np.allclose(logits.numpy(), policy(v.obs, v.mask)[0], atol=1e-3)


def test_a_network_of_ones_own_is_trained_saved_and_played(tmp_path, capsys):
    file = tmp_path / "my_net.py"
    file.write_text(NETWORK)
    out = tmp_path / "run"
    assert main([*TINY.split(), "--network", f"{file}:Wide", "--out", str(out)]) == 0
    agent = make_agent(f"{out / 'best'}:network={file}:Wide")
    v = uno_env.vec("classic", 32, 2, seed=2)
    v.reset()
    ids = agent.act_batch(v.obs, v.mask)
    assert v.mask[np.arange(32), ids].all()
    with pytest.raises(CheckpointError, match=r"play it as .*:network="):
        make_agent(str(out / "best"))
    assert main(f"{TINY} --resume --decisions 600 --out {out}".split()) == 0
    capsys.readouterr()
    assert main([*TINY.split(), "--network", f"{file}:NoNetwork", "--out", str(out)]) == 2
    assert "a subclass of uno_agents.neural.network.PolicyNetwork" in capsys.readouterr().err


def test_evaluate_takes_the_field_as_anchor(capsys):
    words = "evaluate greedy --variant classic --players 2 --deals 4 --anchors field:1"
    assert main(words.split()) == 0
    shown = capsys.readouterr().out
    assert "frozen:classic-1" in shown and "heuristic:style=bluffer" in shown
