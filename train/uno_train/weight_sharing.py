"""Weight sharing across number cards: what is learned about one number holds for all of them.

A position in which every 3 is a 5 and every 5 a 3 calls for the same play with 3 and 5 swapped. So
half of each hidden layer belongs to the numbers, a few units each, and what one number's units do
with their own number, with the others and with everything else is the same for each number. This
only matters for training: expanded, it is an ordinary dense network, and is saved as one.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn
from uno_agents.neural.custom import load_network_class
from uno_agents.neural.network import POLICY_INIT_SCALE, PolicyNetwork
from uno_agents.neural.sum_features import INPUT_SIZE, NUM_QUESTIONS, feature_column

from uno_env.actions import NUM_ACTIONS
from uno_env.array_types import Ints
from uno_env.cards import COLORS, FIRST_GIVE, GIVE_NUMBERS
from uno_env.engine.observation.layout import NEAR
from uno_env.envs.observation_spec import observation_blocks
from uno_env.kinds import COLORED_SLOTS

from .config import NUMBERS, TrainConfig
from .tables import TableConfig, used_actions, used_inputs
from .tactical_units import add_tactical_units

BY_FACE = ("hand", "discards", *(f"known_{name}" for name in NEAR))
"""Blocks with a column for each face."""
ANY = -1
"""The number of a unit that belongs to no number."""
ELSEWHERE, SAME, OTHER = 0, 1, 2
"""How two units are related: one of them belongs to no number, both to one, to two."""


class Units(NamedTuple):
    """A layer's units: what each stands for, and the number it stands for it of."""

    role: Ints
    number: Ints


def interchangeable_numbers(tables: Sequence[TableConfig]) -> Ints:
    """Numbers with the same rules at these tables: not 0 and 7 where they move hands."""
    swaps = any(table.rules.seven_swap or table.rules.zero_pass for table in tables)
    return np.array([n for n in range(NUMBERS) if not (swaps and n in (0, 7))])


def input_units(inputs: Ints, numbers: Ints) -> Units:
    """The columns of the observation as units."""
    role, number = np.arange(INPUT_SIZE), np.full(INPUT_SIZE, ANY)
    for block in observation_blocks():
        if block.name in BY_FACE:
            _share_faces(role, number, block.offset, numbers)
        elif block.name in ("top_kind", "drawn_kind"):
            role[block.offset + numbers] = block.offset
            number[block.offset + numbers] = numbers
    for question in range(NUM_QUESTIONS):
        first = feature_column(question, 0)
        role[first + numbers], number[first + numbers] = first, numbers
    return Units(role[inputs], number[inputs])


def action_units(actions: Ints, numbers: Ints) -> Units:
    """The actions as units."""
    role, number = np.arange(NUM_ACTIONS), np.full(NUM_ACTIONS, ANY)
    _share_faces(role, number, 0, numbers)
    return Units(role[actions], number[actions])


def _share_faces(role: Ints, number: Ints, offset: int, numbers: Ints) -> None:
    """Faces of one colour, with the give symbol or without, have one role for all numbers."""
    for color in range(len(COLORS)):
        plain = offset + color * COLORED_SLOTS + numbers
        role[plain], number[plain] = offset + color * COLORED_SLOTS, numbers
        givable = numbers[numbers > 0]
        first = offset + FIRST_GIVE + color * len(GIVE_NUMBERS)
        role[first + givable - 1], number[first + givable - 1] = first, givable


def hidden_units(width: int, numbers: Ints) -> Units:
    """Half of the units belong to the numbers, the same roles for each."""
    roles = width // 2 // len(numbers)
    free = width - roles * len(numbers)
    return Units(
        np.concatenate([np.tile(np.arange(roles), len(numbers)), roles + np.arange(free)]),
        np.concatenate([np.repeat(numbers, roles), np.full(free, ANY)]),
    )


class SharedLinear(nn.Module):
    """A linear layer in which pairs of units that are related alike share their weight.

    Args:
        before: the units it reads.
        after: the units it writes.
    """

    index: Tensor
    bias_index: Tensor

    def __init__(self, before: Units, after: Units) -> None:
        super().__init__()
        number = after.number[:, None]
        related = np.where(number == before.number, SAME, OTHER)
        related[(number == ANY) | (before.number == ANY)] = ELSEWHERE
        roles = before.role.max() + 1
        pair = (after.role[:, None] * roles + before.role) * 3 + related
        shared, index = np.unique(pair, return_inverse=True)
        biases, bias_index = np.unique(after.role, return_inverse=True)
        self.register_buffer("index", torch.from_numpy(index.reshape(pair.shape)), persistent=False)
        self.register_buffer("bias_index", torch.from_numpy(bias_index), persistent=False)
        bound = 1 / np.sqrt(len(before.role))
        self.shared = nn.Parameter(torch.empty(len(shared)).uniform_(-bound, bound))
        self.shared_bias = nn.Parameter(torch.zeros(len(biases)))

    @property
    def weight(self) -> Tensor:
        """The dense weights."""
        return self.shared[self.index]

    @property
    def bias(self) -> Tensor:
        """The dense biases."""
        return self.shared_bias[self.bias_index]

    def forward(self, x: Tensor) -> Tensor:
        """As any linear layer."""
        return nn.functional.linear(x, self.weight, self.bias)


class SharedPolicy(PolicyNetwork):
    """A policy network whose weights are shared across numbers.

    Args:
        numbers: those that are alike.
    """

    def __init__(self, hidden: Sequence[int], inputs: Ints, actions: Ints, numbers: Ints) -> None:
        super().__init__(hidden, inputs, actions)
        layers = [
            input_units(inputs, numbers),
            *(hidden_units(width, numbers) for width in hidden),
        ]
        for depth in range(len(hidden)):
            self.trunk[2 * depth] = SharedLinear(layers[depth], layers[depth + 1])
        policy = SharedLinear(layers[-1], action_units(actions, numbers))
        with torch.no_grad():
            policy.shared.mul_(POLICY_INIT_SCALE)
        # Layers like any other to whoever only calls them.
        self.policy = cast(nn.Linear, policy)
        self.value = cast(
            nn.Linear, SharedLinear(layers[-1], Units(np.array([0]), np.array([ANY])))
        )

    def dense_weights(self) -> dict[str, Tensor]:
        """Weights of the equivalent dense network."""
        layers = {f"trunk.{2 * depth}": self.trunk[2 * depth] for depth in range(len(self.hidden))}
        layers |= {"policy": self.policy, "value": self.value}
        return {
            f"{name}.{part}": getattr(layer, part).detach().cpu()
            for name, layer in layers.items()
            for part in ("weight", "bias")
        }


def make_network(config: TrainConfig) -> PolicyNetwork:
    """The network of a run, with initial weights."""
    network = _new_network(config)
    network.seats_by_turn = config.seats_by_turn
    return network


def _new_network(config: TrainConfig) -> PolicyNetwork:
    tables = config.tables()
    inputs, actions = used_inputs(tables), used_actions(tables)
    if config.network:
        return load_network_class(config.network)(config.hidden, inputs, actions)
    if config.share_number_weights:
        return SharedPolicy(config.hidden, inputs, actions, interchangeable_numbers(tables))
    network = PolicyNetwork(config.hidden, inputs, actions)
    if config.tactical_units:
        add_tactical_units(network, tables)
    return network
