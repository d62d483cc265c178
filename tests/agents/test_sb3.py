"""SB3 files as agents: they choose as SB3 does, and nothing in them is ever run."""

import base64
import io
import json
import pickle
import sys
import zipfile
from pathlib import Path

import gymnasium
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the sb3 extra is not installed")
pytest.importorskip("stable_baselines3", reason="the sb3 extra is not installed")
contrib = pytest.importorskip("sb3_contrib", reason="the sb3 extra is not installed")

from stable_baselines3 import PPO  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv  # noqa: E402
from uno_agents.neural.agent import CheckpointError  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402

import uno_env  # noqa: E402
from uno_env.vector.sb3 import UnoVecEnv  # noqa: E402

from .networks import positions  # noqa: E402


def saved(path, scaled=True, kind=contrib.MaskablePPO, env=None, **policy):
    """An untrained model with weights large enough to have opinions."""
    env = env or UnoVecEnv("classic", 2, num_players=2, scaled=scaled)
    model = kind(
        "MlpPolicy", env, n_steps=8, batch_size=8, seed=1, device="cpu", policy_kwargs=policy
    )
    with torch.no_grad():
        for weights in model.policy.parameters():
            weights.add_(torch.randn_like(weights) * 0.3)
    model.save(path)
    return model


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    path = tmp_path_factory.mktemp("sb3") / "model.zip"
    saved(path, net_arch=[24], activation_fn=torch.nn.ReLU)
    return path


@pytest.mark.parametrize(
    ("scaled", "policy"),
    [
        (True, {"net_arch": [32, 16], "activation_fn": torch.nn.ReLU}),
        (False, {"net_arch": [16]}),
        (True, {"net_arch": {"pi": [20], "vf": [12, 8]}, "ortho_init": False}),
        (True, {"net_arch": []}),
    ],
)
def test_it_chooses_as_sb3_does(tmp_path, scaled, policy):
    model = saved(tmp_path / "model.zip", scaled, **policy)
    agent = make_agent(str(tmp_path / "model.zip"))
    obs, mask = positions(steps=10)
    seen = uno_env.scaled(obs) if scaled else obs
    theirs, _ = model.predict(seen, action_masks=mask, deterministic=True)
    shares, values = agent.probabilities_batch(obs, mask)
    rows = torch.from_numpy(seen)
    with torch.inference_mode():
        ours = model.policy.get_distribution(rows, mask).distribution.probs.numpy()
        expected = model.policy.predict_values(rows)[:, 0].numpy()
    # In single floats two actions can tie, and then either may come first.
    best = agent.act_batch(obs, mask)
    np.testing.assert_allclose(ours[range(len(obs)), best], ours[range(len(obs)), theirs], 1e-3)
    assert (best == theirs).mean() > 0.99
    np.testing.assert_allclose(shares, ours, atol=1e-3)
    np.testing.assert_allclose(values, expected, rtol=1e-3, atol=1e-3)


def test_plain_ppo_is_masked_here(tmp_path):
    """It does not know of masks, but the agent does."""
    env = DummyVecEnv([lambda: gymnasium.make("uno_env/Uno-v0", scaled=True)])
    saved(tmp_path / "ppo.zip", kind=PPO, env=env, net_arch=[8])
    obs, mask = positions(steps=5)
    ids = make_agent(str(tmp_path / "ppo.zip")).act_batch(obs, mask)
    assert mask[np.arange(len(mask)), ids].all()


def test_sb3_itself_is_not_needed(plain, monkeypatch):
    ours = [name for name in sys.modules if name.startswith(("stable_baselines3", "sb3_contrib"))]
    for name in ("uno_agents.neural.sb3", *ours):
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name in ("stable_baselines3", "sb3_contrib"):
        monkeypatch.setitem(sys.modules, name, None)
    game = uno_env.Game("classic", 2, seed=1)
    assert make_agent(str(plain)).act(game.view(game.actor), game.legal()) in game.legal()


class Trap:
    """Touches a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (Path.touch, (self.path,))


def rewritten(source, path, **parts):
    """The same zip with other parts; None leaves one out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            octets = parts[name] if name in parts else old.read(name)
            if octets is not None:
                new.writestr(name, octets)
    return str(path)


def data_of(source):
    with zipfile.ZipFile(source) as file:
        return json.loads(file.read("data"))


def as_torch(thing):
    buffer = io.BytesIO()
    torch.save(thing, buffer)
    return buffer.getvalue()


def test_no_pickle_in_it_is_ever_run(plain, tmp_path):
    sprung = tmp_path / "sprung"
    bomb = pickle.dumps(Trap(sprung))
    data = data_of(plain)
    for entry in data.values():
        if isinstance(entry, dict) and ":serialized:" in entry:
            entry[":serialized:"] = base64.b64encode(bomb).decode()
    parts = dict.fromkeys(("policy.optimizer.pth", "pytorch_variables.pth"), bomb)
    trapped = rewritten(plain, tmp_path / "a.zip", data=json.dumps(data), **parts)
    # What is not read cannot hurt: it plays, and the trap is not sprung.
    obs, mask = positions(steps=3)
    same = make_agent(trapped).act_batch(obs, mask) == make_agent(str(plain)).act_batch(obs, mask)
    assert same.all()
    for weights in (bomb, as_torch({"w": Trap(sprung)}), as_torch(Trap(sprung))):
        with pytest.raises(CheckpointError, match="nothing of it was run"):
            make_agent(rewritten(plain, tmp_path / "b.zip", **{"policy.pth": weights}))
    assert not sprung.exists()
    # The trap is a real one: SB3's own loading springs it.
    with pytest.raises(Exception, match=r".*"):
        contrib.MaskablePPO.load(trapped, device="cpu")
    assert sprung.exists()


def changed(data, key, **values):
    return data | {key: data[key] | values}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: changed(d, "observation_space", version=9), "observation version 9"),
        (lambda d: changed(d, "observation_space", _shape=[4]), r"shape \[4\]"),
        (lambda d: changed(d, "observation_space", dtype="float64"), "trained on float64"),
        (lambda d: changed(d, "action_space", n="61"), "has 61 actions; 208 are needed"),
        (lambda d: changed(d, "policy_class", __module__="mine"), "policy class of mine"),
        (lambda d: changed(d, "policy_kwargs", features_extractor_class="x"), "features_extractor"),
        (lambda d: changed(d, "policy_kwargs", activation_fn="<class 'torch.nn.modules."
                           "activation.GELU'>"), "activation GELU; allowed: ReLU, Tanh"),
        (lambda d: {}, "trained on None"),
        (lambda d: [1], "no object of JSON"),
    ],
)  # fmt: skip
def test_other_networks_are_refused(plain, tmp_path, change, message):
    data = json.dumps(change(data_of(plain)))
    with pytest.raises(CheckpointError, match=message):
        make_agent(rewritten(plain, tmp_path / "model.zip", data=data))


def test_weights_must_fit(plain, tmp_path):
    with zipfile.ZipFile(plain) as file:
        weights = torch.load(io.BytesIO(file.read("policy.pth")), weights_only=True)
    cases = [
        ({"action_net.weight": torch.zeros(3, 24)}, "action_net does not have 208 outputs"),
        ({"value_net.weight": torch.zeros(1, 9)}, "value_net is missing or does not fit"),
        ({"features_extractor.x": torch.zeros(2)}, "weights that an MlpPolicy has not"),
        ({"value_net.bias": torch.full((1,), torch.nan)}, "not finite"),
    ]
    for change, message in cases:
        parts = {"policy.pth": as_torch(weights | change)}
        with pytest.raises(CheckpointError, match=message):
            make_agent(rewritten(plain, tmp_path / "model.zip", **parts))


def test_what_is_no_file_of_sb3_is_refused(plain, tmp_path):
    path = tmp_path / "model.zip"
    path.write_bytes(b"no zip")
    with pytest.raises(CheckpointError, match="is no file of SB3"):
        make_agent(str(path))
    path.write_bytes(plain.read_bytes()[:-300])
    with pytest.raises(CheckpointError, match=r"is no file of SB3|not saved by SB3"):
        make_agent(str(path))
    for part in ("data", "policy.pth"):
        with pytest.raises(CheckpointError, match=f"holds no '{part}'"):
            make_agent(rewritten(plain, path, **{part: None}))
    with pytest.raises(CheckpointError, match="not JSON"):
        make_agent(rewritten(plain, path, data=b"{"))
