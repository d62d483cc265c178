"""The trainer: credit by hand, a task with a known best play, beating random, the command."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

import uno_env  # noqa: E402
from agents.neural import NeuralAgent  # noqa: E402
from agents.registry import make_agent  # noqa: E402
from agents.simple import GreedyAgent  # noqa: E402
from train.cli import main, train_parser  # noqa: E402
from train.config import ConfigError, TrainConfig, make_config  # noqa: E402
from train.evaluate import evaluate  # noqa: E402
from train.ppo import Batch, Learner, credit, run  # noqa: E402

SMALL = {"num_envs": 256, "steps": 16, "minibatch": 1024, "hidden": (64,), "threads": 1}


def credit_of(actors, values, ends, last_actor, last_value, lam):
    """Credit in one game: `ends` maps steps to the rewards of a game that ended there."""
    batch = Batch(len(actors), 1)
    batch.actor[:, 0], batch.value[:, 0] = actors, values
    for t, rewards in ends.items():
        batch.done[t, 0] = True
        batch.rewards[t, 0, : len(rewards)] = rewards
    last = (np.array([last_actor]), np.array([last_value], np.float32))
    advantage, known = credit(batch, *last, lam)
    return advantage[:, 0].tolist(), known[:, 0].tolist()


def test_each_seat_is_credited_with_its_own_outcome():
    # Seat 0 decides twice in a turn, seat 1 once, seat 0 ends the game; seat 1 begins the next.
    advantage, known = credit_of(
        [0, 0, 1, 0, 1], [0.1, 0.2, -0.3, 0.4, 0.0], {3: [1, -1]}, 1, 0.5, lam=1.0
    )
    assert advantage == pytest.approx([0.9, 0.8, -0.7, 0.6, 0.5])
    assert known == [True] * 5


def test_lambda_zero_looks_one_own_decision_ahead():
    advantage, _ = credit_of([0, 1, 0], [0.1, 0.0, 0.4], {2: [1, -1]}, 0, 0.0, lam=0.0)
    assert advantage == pytest.approx([0.3, -1.0, 0.6])


def test_a_last_decision_without_sequel_is_left_out():
    # The game goes on and seat 0 is to act: of seat 1's two decisions only the first has a sequel.
    advantage, known = credit_of([1, 0, 1], [0.2, 0.1, 0.6], {}, 0, 0.7, lam=0.5)
    assert known == [True, True, False]
    assert advantage == pytest.approx([0.4, 0.6, 0.0])


def test_a_seat_that_waits_gets_the_end_of_its_own_game_only():
    # Seat 2 never decides after the first step; two games end afterwards.
    advantage, _ = credit_of(
        [2, 0, 1], [0.0, 0.0, 0.0], {1: [1, -0.5, -0.5], 2: [-1, 1, 0]}, 0, 0, 1
    )
    assert advantage == pytest.approx([-0.5, 1.0, 1.0])


def test_forgetting_to_call_uno_is_unlearned_in_seconds():
    """Identity task: silence costs eight cards and is always seen by a catching opponent."""
    config = TrainConfig(
        variant="classic(uno_penalty=8,hand_size=2)",
        minutes=0,
        decisions=150_000,
        learning_rate=3e-3,
        final_learning_rate=1e-3,
        entropy=0.01,
        **SMALL,
    )
    learner = Learner(config)
    before, after = silence(learner), None
    run(learner, lambda progress, elapsed: None)
    after = silence(learner)
    assert before > 0.4
    assert after < 0.1, (before, after)


def silence(learner):
    """How probable the policy finds it to stay silent when it is to call UNO."""
    rules, players = learner.config.table()
    v = uno_env.vec(rules, 256, players, seed=99)
    v.reset()
    call, silent = uno_env.action_id("call-uno"), uno_env.action_id("stay-silent")
    found = []
    for _ in range(30):
        with torch.inference_mode():
            logits, _ = learner.network(torch.tensor(v.obs), torch.tensor(v.mask))
        asked = (v.mask[:, call] > 0) & (v.mask[:, silent] > 0)
        found.append(logits.softmax(-1).numpy()[asked, silent])
        v.step(v.random_actions())
    return float(np.concatenate(found).mean())


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run of the whole command, seconds long."""
    out = tmp_path_factory.mktemp("runs") / "tiny"
    words = "--minutes 0 --decisions 250000 --num-envs 256 --steps 16 --minibatch 1024 --hidden 64"
    words += " --watch-every 1 --watch-deals 50 --eval-deals 300 --quiet --seed 1 --threads 1"
    assert main([*words.split(), "--variant", "hyper_speed", "--out", str(out)]) == 0
    return out


def test_the_command_leaves_an_agent_that_beats_random(trained):
    results = json.loads((trained / "results.json").read_text())
    assert results["results"]["random"]["low"] > 0.5
    assert results["results"]["random"]["games"] == 600
    curve = results["curve"]
    assert curve[0]["decisions"] == 0
    assert curve[-1]["decisions"] >= 250_000
    assert len(curve) > 2
    assert curve[-1]["rate"] > curve[0]["rate"]
    assert (trained / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((trained / "config.json").read_text())["variant"] == "hyper_speed"


def test_the_trained_agent_is_a_spec_string_everywhere(trained):
    agent = make_agent(str(trained / "last"))
    assert agent.metadata["rules"] == "hyper_speed"
    variants = uno_env.VARIANTS
    v = uno_env.vec(list(variants), 60, [2, 3, 6, 4, 5, 4], seed=1)
    v.reset()
    for _ in range(100):
        v.step(agent.act_batch(v.obs, v.mask))


def test_same_seed_same_weights():
    def weights(seed):
        config = TrainConfig(seed=seed, minutes=0, decisions=8192, **SMALL)
        learner = Learner(config)
        run(learner, lambda progress, elapsed: None)
        return torch.cat([tensor.flatten() for tensor in learner.network.parameters()])

    first = weights(5)
    assert torch.equal(first, weights(5))
    assert not torch.equal(first, weights(6))


def test_interruption_leaves_a_loadable_checkpoint(tmp_path, monkeypatch):
    rounds = []
    whole_round = Learner.round

    def interrupted(self, progress):
        if len(rounds) == 2:
            raise KeyboardInterrupt
        rounds.append(whole_round(self, progress))

    monkeypatch.setattr(Learner, "round", interrupted)
    words = "--num-envs 64 --steps 8 --hidden 16 --quiet --threads 1".split()
    assert main([*words, "--out", str(tmp_path / "run")]) == 130
    assert make_agent(str(tmp_path / "run" / "last")).metadata["decisions"] == 2 * 64 * 8


def test_config_refuses_what_it_does_not_know(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text("learning_rat: 1\n")
    with pytest.raises(ConfigError, match=r"unknown key 'learning_rat'; allowed: variant"):
        make_config(file, {})
    with pytest.raises(ConfigError, match="gae_lambda is '2'"):
        make_config(None, {"gae_lambda": "2"})
    with pytest.raises(ConfigError, match="one of them must end the run"):
        make_config(None, {"minutes": 0})
    with pytest.raises(ConfigError, match="unknown variant 'poker'"):
        make_config(None, {"variant": "poker"})


def test_command_line_goes_over_the_file(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text("minutes: 7\nseed: 3\n")
    config = make_config(file, {"minutes": "2"})
    assert (config.minutes, config.seed, config.steps) == (2, 3, TrainConfig().steps)
    assert make_config("configs/train/quick.yaml", {}).table()[1] == 2


def test_help_begins_with_an_example_and_knows_every_field():
    text = train_parser().format_help()
    first = text.splitlines()[0]
    assert first.startswith("example: uno-train ")
    train_parser().parse_args(first.removeprefix("example: uno-train ").split())
    for field in TrainConfig.model_fields:
        assert f"--{field.replace('_', '-')}" in text


def test_agent_measured_is_not_sampled():
    """The most probable action is played, so the same question has one answer."""
    agent = NeuralAgent(Learner(TrainConfig(**SMALL)).network, {})
    rules = uno_env.Rules.preset("classic")
    results = [evaluate(agent, GreedyAgent(1), rules, 2, 20, seed=1) for _ in range(2)]
    assert results[0] == results[1]
