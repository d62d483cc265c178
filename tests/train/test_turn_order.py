"""Seats in the order of turn: a mirrored table is the same table, and who is out comes last."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from uno_agents.neural import turn_order  # noqa: E402
from uno_agents.neural.agent import NeuralAgent, load_network, torch_policy  # noqa: E402
from uno_agents.neural.input_layout import LAYOUT  # noqa: E402
from uno_agents.neural.mlp import MlpPolicy  # noqa: E402
from uno_agents.neural.weights import read_weights, weights_path  # noqa: E402
from uno_train.checkpoint import save_checkpoint  # noqa: E402

from tests.agents.networks import lively, positions  # noqa: E402
from uno_env.actions import ACTIONS  # noqa: E402
from uno_env.engine.state import SEAT_IN_PLAY, SEAT_ROW  # noqa: E402
from uno_env.envs.observation_spec import observation_blocks  # noqa: E402

CLOCKWISE = LAYOUT.offsets["clockwise"]
SEATS = LAYOUT.offsets["seats"]


def codes(obs):
    return (obs.astype(np.int64) @ turn_order.code_weights().astype(np.int64)).astype(int)


def test_orders_and_tables_are_permutations():
    columns, actions = turn_order.order_tables()
    for code in range(turn_order.NUM_CODES):
        assert sorted(turn_order.order_of(code)) == list(range(10))
        assert (np.sort(columns[code]) == np.arange(LAYOUT.obs_size)).all()
        assert (np.sort(actions[code]) == np.arange(LAYOUT.num_actions)).all()


@pytest.mark.parametrize(
    ("size", "clockwise", "out", "order"),
    [
        (2, 0, (), [0, 1]),
        (4, 1, (), [0, 1, 2, 3]),
        (4, 0, (), [0, 3, 2, 1]),
        (4, 1, (1,), [0, 2, 3, 1]),
        (4, 0, (3, 2), [0, 1, 3, 2]),
        (3, 0, (2,), [0, 1, 2]),
        (6, 0, (1,), [0, 5, 4, 3, 2, 1]),
    ],
)
def test_the_next_to_play_comes_first(size, clockwise, out, order):
    bits = sum(
        bit for seat, bit in enumerate((2, 4, 8), start=1) if seat < size and seat not in out
    )
    code = 16 * size + clockwise + bits
    assert turn_order.order_of(code)[:size] == order


def test_a_mirrored_table_is_played_alike():
    """The same positions told the other way round have the same values and mirrored actions."""
    obs, mask = positions(steps=20)
    columns, actions = turn_order.order_tables()
    network = lively()
    clockwise = obs[:, CLOCKWISE] > 0
    size = obs[:, LAYOUT.offsets["table_size"]].astype(int)
    is_even = (size % 2 == 0) | (size <= 4)
    rows = np.flatnonzero(clockwise & is_even & (codes(obs) % 16 == _all_in_play(size)))
    assert len(rows) > 500
    mirror = 16 * size[rows] + _all_in_play(size[rows]) - 1
    told = np.take_along_axis(obs[rows], columns[mirror], axis=1)
    told[:, CLOCKWISE] = 0
    allowed = np.take_along_axis(mask[rows], actions[mirror], axis=1)
    # The bit itself is an input; it is made to count for nothing here.
    with torch.no_grad():
        network.trunk[0].weight[:, CLOCKWISE] = 0
    (logits, values), (other_logits, other_values) = (
        torch_policy(network)(obs[rows], mask[rows]),
        torch_policy(network)(told, allowed),
    )
    np.testing.assert_allclose(values, other_values, atol=1e-4)
    expected = np.take_along_axis(logits, actions[mirror], axis=1)
    np.testing.assert_allclose(other_logits, expected, rtol=1e-4, atol=1e-4)
    assert (told != obs[rows]).any(axis=1).mean() > 0.3


def _all_in_play(size):
    return 1 + 2 * (size > 1) + 4 * (size > 2) + 8 * (size > 3)


def test_every_column_of_a_seat_moves_with_it():
    """Swapping the neighbours of a table of four moves whatever the observation says of them."""
    names = {"subject", "seats", "known_next", "known_previous"}
    columns, _ = turn_order.order_tables()
    moved = np.flatnonzero(columns[16 * 4 + 14] != np.arange(LAYOUT.obs_size))
    inside = np.zeros(LAYOUT.obs_size, bool)
    for block in observation_blocks():
        if block.name in names:
            inside[block.offset : block.offset + block.size] = True
    assert inside[moved].all()
    # Neighbours are seats 1 and 3: a row, a mark and a block of faces each.
    assert len(moved) == 2 * (SEAT_ROW + 1 + 128)
    assert SEATS + SEAT_ROW + SEAT_IN_PLAY in moved


def test_targets_and_swaps_follow_their_seats():
    _, actions = turn_order.order_tables()
    table = actions[16 * 4 + 14]

    def read(text):
        return ACTIONS[table[ACTIONS.index(text)]]

    assert read("target +1") == "target +3"
    assert read("target +2") == "target +2"
    assert read("swap +0 +1") == "swap +0 +3"
    assert read("swap +1 +2") == "swap +2 +3"
    assert read("draw") == "draw"


def test_a_checkpoint_remembers_how_it_reads_seats(tmp_path):
    obs, mask = positions(steps=15)
    played = {}
    for by_turn in (True, False):
        network = lively()
        network.seats_by_turn = by_turn
        save_checkpoint(tmp_path / str(by_turn), network, {"rules": "classic"})
        weights, metadata = read_weights(weights_path(tmp_path / str(by_turn)))
        agent = NeuralAgent.load(tmp_path / str(by_turn))
        played[by_turn] = agent.policy(obs, mask)[0]
        np.testing.assert_allclose(
            played[by_turn], torch_policy(network)(obs, mask)[0], rtol=1e-4, atol=1e-4
        )
        again, _ = load_network(tmp_path / str(by_turn))
        assert again.seats_by_turn is by_turn
        compiled = MlpPolicy(weights, metadata["hidden"], seats_by_turn=by_turn)
        assert (compiled(obs, mask)[0] == played[by_turn]).all()
    assert (np.abs(played[True] - played[False]).max(axis=1) > 1e-3).mean() > 0.05
