"""The network: colours are interchangeable, unused columns change nothing, the mask holds."""

from itertools import permutations, product

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from uno_agents.neural import canonical as colors  # noqa: E402
from uno_agents.neural.network import ILLEGAL_LOGIT, PolicyNetwork  # noqa: E402
from uno_train.policy import sample  # noqa: E402
from uno_train.rule_mixes import random_mixes  # noqa: E402
from uno_train.tables import TableConfig, coded_inputs, used_actions, used_inputs  # noqa: E402
from uno_train.weight_sharing import SharedPolicy, interchangeable_numbers  # noqa: E402

import uno_env  # noqa: E402
from uno_env.cards import face_id  # noqa: E402
from uno_env.engine.observation.layout import NEAR, OFFSETS  # noqa: E402


def played(variants, players, games=300, steps=25):
    v = uno_env.vec(variants, games, players, seed=1)
    v.reset()
    for _ in range(steps):
        v.step(v.random_actions())
    return torch.tensor(v.obs), torch.tensor(v.mask)


def lively(*arguments):
    torch.manual_seed(4)
    network = PolicyNetwork(*arguments)
    torch.nn.init.normal_(network.policy.weight)
    return network


def test_swapping_colours_swaps_the_policy_and_leaves_the_value():
    obs, mask = played(["classic", "teams", "ig2000", "no_mercy", "hyper_speed"], 4)
    network = lively([32])
    columns, choices = colors.permutation_tables()
    with torch.inference_mode():
        logits, value = network(obs, mask)
        for order in permutations(range(4)):
            code = colors.permutation_code(order)
            permuted, permuted_value = network(obs[:, columns[code]], mask[:, choices[code]])
            # Colours level in every respect keep their printed order, so a few rows may differ.
            same_value = torch.isclose(permuted_value, value, atol=1e-4)
            same_policy = torch.isclose(permuted, logits[:, choices[code]], atol=1e-3).all(1)
            assert (same_value & same_policy).float().mean() > 0.9


def test_sort_keys_are_whole_numbers_that_floats_hold():
    weights, bias = colors.sort_key_weights()
    assert (weights == np.round(weights)).all()
    hand = 200 * colors.IN_HAND
    assert hand + 255 * colors.DISCARDED + bias.max() < colors.ACTIVE
    assert 200 * colors.DISCARDED + bias.max() < colors.IN_HAND
    assert 2 * colors.ACTIVE < 2**24


def test_every_turn_is_a_permutation():
    for table in colors.permutation_tables():
        assert (np.sort(table, axis=1) == np.arange(table.shape[1])).all()


@pytest.mark.parametrize(("variant", "players"), [("classic", 2), ("teams", 4), ("ig2000", 6)])
def test_a_network_without_the_unused_columns_is_the_same_network(variant, players):
    tables = [TableConfig(uno_env.Rules.preset(variant), players)]
    narrow = lively([32], used_inputs(tables), used_actions(tables))
    assert len(narrow.inputs) < uno_env.OBS_SIZE
    full = narrow.widened()
    obs, mask = played(variant, players)
    with torch.inference_mode():
        logits, value = narrow(obs, mask)
        wide_logits, wide_value = full(obs, mask)
    assert torch.allclose(logits, wide_logits, atol=1e-4)
    assert torch.allclose(value, wide_value, atol=1e-4)


def test_unused_columns_are_always_zero_and_actions_never_legal():
    tables = [
        TableConfig(uno_env.Rules.preset(name), n) for name in uno_env.VARIANTS for n in (4, 6)
    ]
    for table in [*tables, *random_mixes(20, seed=8)]:
        obs, mask = played(table.rules, table.num_players, games=40, steps=60)
        network = PolicyNetwork([8])
        encoded = network.encode(obs, mask)
        unread = np.union1d(used_inputs([table]), coded_inputs())
        unused = np.setdiff1d(np.arange(obs.shape[1]), unread)
        assert not encoded.inputs[:, unused].any(), str(table)
        never = np.setdiff1d(np.arange(mask.shape[1]), used_actions([table]))
        assert not encoded.mask[:, never].any(), str(table)


def test_samples_fall_by_the_probabilities_and_are_never_illegal():
    logits = torch.tensor([[0.0, 1.0, ILLEGAL_LOGIT, 2.0, ILLEGAL_LOGIT]]).repeat(40_000, 1)
    choice, log_prob = sample(logits, torch.Generator().manual_seed(1))
    shares = torch.bincount(choice, minlength=5) / len(choice)
    expected = logits[0].softmax(-1)
    assert torch.allclose(shares, expected, atol=0.01)
    assert shares[2] == shares[4] == 0
    assert torch.allclose(log_prob, expected.log()[choice], atol=1e-5)


def shared(variant, players):
    tables = [TableConfig(uno_env.Rules.preset(variant), players)]
    torch.manual_seed(5)
    inputs, actions = used_inputs(tables), used_actions(tables)
    network = SharedPolicy([64, 64], inputs, actions, interchangeable_numbers(tables))
    torch.nn.init.normal_(network.policy.shared)
    return network, tables


@pytest.mark.parametrize(("variant", "players"), [("classic", 2), ("teams", 4), ("no_mercy", 3)])
def test_swapping_numbers_swaps_the_policy_and_leaves_the_value(variant, players):
    network, tables = shared(variant, players)
    first, second = 3, 5
    columns, choices = np.arange(uno_env.OBS_SIZE), np.arange(uno_env.NUM_ACTIONS)
    blocks = ("hand", "discards", *(f"known_{name}" for name in NEAR))
    for color, give in product(uno_env.COLORS, ("", "+give")):
        faces = [face_id(f"{color}-{number}{give}") for number in (first, second)]
        for table, start in ((choices, 0), *((columns, OFFSETS[name]) for name in blocks)):
            pair = start + np.array(faces)
            table[pair] = table[pair[::-1]]
    for name in ("top_kind", "drawn_kind"):
        pair = OFFSETS[name] + np.array([first, second])
        columns[pair] = columns[pair[::-1]]
    obs, mask = played(variant, players)
    with torch.inference_mode():
        logits, value = network(obs, mask)
        swapped, same_value = network(obs[:, columns], mask[:, choices])
    assert torch.allclose(value, same_value, atol=1e-4)
    assert torch.allclose(logits[:, choices], swapped, atol=1e-3)
    assert set(interchangeable_numbers(tables)) >= {1, 2, 3, 4, 5, 6, 8, 9}
    assert (0 in interchangeable_numbers(tables)) == (variant != "no_mercy")


def test_shared_weights_expand_to_an_ordinary_network():
    network, _ = shared("classic", 2)
    full = network.widened()
    assert type(full) is PolicyNetwork
    obs, mask = played("classic", 2)
    with torch.inference_mode():
        for before, after in zip(network(obs, mask), full(obs, mask), strict=True):
            assert torch.allclose(before, after, atol=1e-3)
    few, many = (sum(w.numel() for w in net.parameters()) for net in (network, full))
    assert few < many / 3
