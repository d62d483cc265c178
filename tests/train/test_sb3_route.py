"""`uno-train sb3`: MaskablePPO learns on our games; its zip is SB3's and an agent."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="the train extra is not installed")
contrib = pytest.importorskip("sb3_contrib", reason="the sb3 extra is not installed")

from uno_agents.registry import make_agent  # noqa: E402
from uno_train import sb3  # noqa: E402
from uno_train.cli import main  # noqa: E402

import uno_env  # noqa: E402

SMALL = (
    "--num-envs 64 --rollout-steps 16 --minibatch 512 --hidden 32 --threads 1 --deals 20 --quiet "
    "--seed 3"
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A game of chance but for one thing: forgetting to call UNO costs eight cards."""
    out = tmp_path_factory.mktemp("runs") / "deep" / "model.zip"
    words = f"{SMALL} --opponents self --steps 15000 --learning-rate 5e-3 --out {out}"
    assert main(["sb3", "--variant", "classic(uno_penalty=8,hand_size=2)", *words.split()]) == 0
    return out


def test_it_learns_to_call_uno(trained):
    v = uno_env.vec("classic(uno_penalty=8,hand_size=2)", 256, 2, seed=99)
    v.reset()
    agent = make_agent(str(trained))
    call, silent = uno_env.action_id("call-uno"), uno_env.action_id("stay-silent")
    found = []
    for _ in range(30):
        asked = (v.mask[:, call] > 0) & (v.mask[:, silent] > 0)
        found.append(agent.probabilities_batch(v.obs, v.mask)[0][asked, silent])
        v.step(v.random_actions())
    silence = np.concatenate(found)
    assert len(silence) > 100
    assert silence.mean() < 0.15


def test_the_zip_is_a_normal_one_of_sb3(trained):
    model = contrib.MaskablePPO.load(trained, device="cpu")
    v = uno_env.vec("classic", 64, 2, seed=5)
    v.reset()
    theirs, _ = model.predict(uno_env.scaled(v.obs), action_masks=v.mask, deterministic=True)
    assert (theirs == make_agent(str(trained)).act_batch(v.obs, v.mask)).mean() > 0.95
    assert [entry.name for entry in trained.parent.iterdir()] == ["model.zip"]


def test_interruption_keeps_what_was_learned(tmp_path, monkeypatch):
    def stop(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(sb3.BarCallback, "_on_rollout_end", stop)
    out = tmp_path / "model.zip"
    assert main(["sb3", *SMALL.split(), "--opponents", "greedy", "--out", str(out)]) == 130
    assert make_agent(str(out)).metadata["steps"] == 64 * 16


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--out model.pt", "SB3's files end in .zip"),
        ("--players 99", "num_players is 99"),
        ("--opponents nobody", "unknown agent 'nobody'"),
        ("--variant poker", "unknown variant 'poker'"),
    ],
)
def test_errors_are_sentences(words, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["sb3", *words.split()]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_help_begins_with_an_example_that_parses():
    first = sb3.make_parser().format_help().splitlines()[0]
    assert first.startswith("example: uno-train sb3 ")
    sb3.make_parser().parse_args(first.removeprefix("example: uno-train sb3 ").split())
