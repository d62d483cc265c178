"""Units that begin as detectors: they fire on what they are named after, and nothing else."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from uno_train import tactical_units as units  # noqa: E402
from uno_train.config import ConfigError, make_config  # noqa: E402
from uno_train.tables import used_faces  # noqa: E402
from uno_train.weight_sharing import make_network  # noqa: E402

from uno_env.cards import face_id  # noqa: E402
from uno_env.engine.observation.layout import OFFSETS  # noqa: E402
from uno_env.envs.observation_spec import OBS_SIZE  # noqa: E402

NO_MERCY = {"share_number_weights": False, "tactical_units": True, "hidden": (160, 32)}
NEXT = 1


@pytest.fixture(scope="module")
def config():
    return make_config("no_mercy", NO_MERCY)


@pytest.fixture(scope="module")
def columns(config):
    return units.Columns(used_faces(config.tables()))


def observation(held, known=(), pending=0):
    """What the detectors read of an observation in which the next seat holds so many cards."""
    obs = np.zeros(OBS_SIZE)
    obs[OFFSETS["seats"] + units.SEAT_ROW * NEXT] = held
    obs[OFFSETS["pending_amount"]] = pending
    for face in known:
        obs[OFFSETS["known_next"] + face_id(face)] += 1
    return obs


def activations(detectors, obs):
    return [float(max(0.0, weights @ obs + bias)) for weights, bias in detectors]


def test_a_seat_that_can_win_on_a_colour_is_seen(columns):
    detectors = list(units._ways_to_win(columns, NEXT, "known_next"))
    red, red_sweep = 0, 1
    assert activations(detectors, observation(1, ["red-5"]))[red] == 1
    assert activations(detectors, observation(1, ["yellow-5"]))[red] == 0
    assert activations(detectors, observation(1))[red] == 0
    assert activations(detectors, observation(3, ["red-5", "red-6"]))[red] == 0
    sweep = observation(3, ["red-5", "red-6", "red-discard-all"])
    assert activations(detectors, sweep)[red_sweep] == 1
    assert activations(detectors, observation(2, ["red-5", "red-6"]))[red_sweep] == 0


@pytest.mark.parametrize(
    ("held", "known", "pending", "no_answer", "out"),
    [
        (1, ["red-5"], 0, 1, 0),
        (2, ["red-5"], 0, 0, 0),
        (1, ["red-draw2"], 0, 0, 0),
        (20, [], 3, 0, 1),
        (20, [], 2, 0, 0),
        (20, ["wild-draw6"], 3, 0, 0),
    ],
)
def test_a_penalty_without_an_answer_is_seen(columns, held, known, pending, no_answer, out):
    """Of a draw two: no answer to it, and elimination at 25 cards."""
    detectors = list(units._penalties(columns, NEXT, "known_next", mercy_limit=25))
    found = activations(detectors, observation(held, known, pending))
    assert found[:2] == [no_answer, out]


def test_a_network_begins_with_the_detectors_and_others_at_random(config, columns):
    network = make_network(config)
    weights, biases = zip(*units.tactical_units(columns, 25), strict=True)
    wanted = torch.tensor(np.array(weights), dtype=torch.float32)[:, network.inputs]
    first = network.trunk[0]
    assert torch.allclose(first.weight[: len(biases)] * network.scales, wanted)
    assert first.bias[: len(biases)].tolist() == list(biases)
    assert first.weight.detach()[len(biases) :].abs().max().item() < 0.1


def test_too_few_units_or_shared_weights_are_refused():
    with pytest.raises(ConfigError, match="share_number_weights: false"):
        make_config("no_mercy", NO_MERCY | {"share_number_weights": True})
    with pytest.raises(ValueError, match="or more in the first"):
        make_network(make_config("no_mercy", NO_MERCY | {"hidden": (64, 32)}))
