"""The moving average of the weights, which a run evaluates and saves."""

import pytest

torch = pytest.importorskip("torch")

from uno_agents.neural.network import PolicyNetwork  # noqa: E402
from uno_agents.neural.weights import WEIGHTS_FILE, read_weights  # noqa: E402
from uno_train.cli import main as uno_train  # noqa: E402
from uno_train.config import make_config  # noqa: E402
from uno_train.ppo import Learner  # noqa: E402
from uno_train.weight_average import WeightAverage  # noqa: E402

TINY = [
    "--variant", "hyper_speed", "--players", "2", "--hidden", "20", "--num-envs", "32",
    "--rollout-steps", "8", "--minibatch", "64", "--minutes", "0", "--threads", "1",
    "--eval-deals", "10", "--curve-deals", "4", "--eval-decisions", "1000", "--save-every", "0",
    "--quiet",
]  # fmt: skip


def filled(number):
    network = PolicyNetwork((4,))
    with torch.no_grad():
        for weights in network.parameters():
            weights.fill_(number)
    return network


def test_the_average_forgets_what_it_began_with_and_follows_slowly_later():
    average = WeightAverage(filled(100.0), decay=0.9)
    average.add(filled(2.0))
    assert average.network.value.bias.item() == 2.0
    for _ in range(300):
        average.add(filled(2.0))
    average.add(filled(3.0))
    assert average.network.value.bias.item() == pytest.approx(2.1)


def test_a_run_saves_the_average_and_resumes_with_it(tmp_path):
    words = [*TINY, "--average-decay", "0.9", "--out"]
    assert uno_train([*words, str(tmp_path / "parts"), "--decisions", "1500"]) == 0
    resumed = ["--resume", "--out", str(tmp_path / "parts"), "--decisions", "3000", "--quiet"]
    assert uno_train(resumed) == 0
    assert read_weights(tmp_path / "parts" / "last" / WEIGHTS_FILE)[1]["decisions"] >= 3000


def test_the_state_of_an_average_is_all_of_it():
    one, other = (WeightAverage(filled(number), decay=0.5) for number in (1.0, 5.0))
    for number in (1.0, 3.0, 4.0):
        one.add(filled(number))
    other.load_state(one.state())
    for average in (one, other):
        average.add(filled(7.0))
    assert other.network.value.bias.item() == one.network.value.bias.item()


def test_what_plays_is_the_average():
    flags = {"average_decay": 0.99, "players": [2], "num_envs": 16, "minibatch": 16}
    learner = Learner(make_config(None, flags | {"hidden": [20]}))
    assert learner.played_network is learner.network
    learner.iteration(0.0)
    assert learner.played_network is not learner.network
    ours, theirs = learner.played_network.state_dict(), learner.network.state_dict()
    assert any(not torch.equal(ours[name], theirs[name]) for name in ours)
