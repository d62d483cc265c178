"""Policy networks without torch: how trained agents play.

The forward pass is a compiled kernel that skips zeros and illegal actions. Tests compare it with
`uno_agents.neural.network.PolicyNetwork`.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from uno_env.array_types import Bytes, Floats, Ints

from . import canonical as colors
from . import sum_features as sums
from . import turn_order
from .input_layout import LAYOUT, InputLayout
from .kernels.forward import forward


class MlpPolicy:
    """A `PolicyNetwork` without torch: observations and masks to masked logits and values.

    Args:
        weights: arrays by their names in the network's state dict.
        hidden: widths of the hidden layers.
        layout: the observation version it was trained on.
        seats_by_turn: whether it reads seats in the order of turn.
    """

    def __init__(
        self,
        weights: Mapping[str, Floats],
        hidden: Sequence[int],
        layout: InputLayout = LAYOUT,
        seats_by_turn: bool = True,
    ) -> None:
        check_shapes(weights, hidden, layout)
        self._num_actions = layout.num_actions
        layers = [weights[f"trunk.{2 * depth}.weight"].T for depth in range(len(hidden))]
        # Input scales are folded into the first layer.
        layers[0] = layers[0] * input_scales(layout)[:, None]
        biases = [weights[f"trunk.{2 * depth}.bias"] for depth in range(len(hidden))]
        columns, choices = colors.permutation_tables(layout)
        self._tables = (
            *colors.sort_key_weights(layout),
            *sums.row_weights(layout),
            sums.feature_table(),
            *_seat_tables(layout, seats_by_turn),
            np.argsort(columns, axis=1).astype(np.int16),
            np.argsort(choices, axis=1).astype(np.int16),
            np.array([layout.obs_size + sums.NUM_SUMS, *hidden], np.int64),
            np.ascontiguousarray(np.concatenate([_padded(rows, max(hidden)) for rows in layers])),
            np.stack([_padded(bias, max(hidden)) for bias in biases]),
            _joined(weights["policy.weight"], weights["value.weight"]),
            _joined(weights["policy.bias"], weights["value.bias"]),
        )

    def __call__(self, obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        """Masked logits (B, actions) and values (B,)."""
        logits = np.empty((len(obs), self._num_actions), np.float32)
        values = np.empty(len(obs), np.float32)
        # The kernel is compiled for contiguous arrays only.
        obs, mask = np.ascontiguousarray(obs, np.uint8), np.ascontiguousarray(mask, np.uint8)
        forward(obs, mask, *self._tables, logits, values)
        return logits, values


def _seat_tables(layout: InputLayout, seats_by_turn: bool) -> tuple[Ints, Ints, Ints, Ints]:
    """What the code of the seats is read from, and by code where columns and actions go."""
    if not seats_by_turn:
        columns, actions = np.arange(layout.obs_size)[None], np.arange(layout.num_actions)[None]
        return np.zeros(0, np.int64), np.zeros(0, np.int64), columns, actions
    read = turn_order.code_columns()
    columns, actions = (np.argsort(table, axis=1) for table in turn_order.order_tables())
    return read, turn_order.code_weights()[read].astype(np.int64), columns, actions


def input_scales(layout: InputLayout = LAYOUT) -> Floats:
    """The factor of each input column."""
    return np.concatenate([layout.scales, np.ones(sums.NUM_SUMS, np.float32)])


def _padded(array: Floats, width: int) -> Floats:
    """Rows padded with zeros to one width, so that all layers fit in one array."""
    missing = width - array.shape[-1]
    return np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, missing)]).astype(np.float32)


def _joined(policy: Floats, value: Floats) -> Floats:
    return np.ascontiguousarray(np.concatenate([policy, value]), np.float32)


def expected_shapes(
    hidden: Sequence[int], layout: InputLayout = LAYOUT
) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the arrays of a network."""
    shapes: dict[str, tuple[int, ...]] = {}
    inputs, actions = layout.obs_size + sums.NUM_SUMS, layout.num_actions
    for depth, (before, after) in enumerate(pairwise((inputs, *hidden))):
        shapes[f"trunk.{2 * depth}.weight"] = (after, before)
        shapes[f"trunk.{2 * depth}.bias"] = (after,)
    shapes |= {"policy.weight": (actions, hidden[-1]), "policy.bias": (actions,)}
    return shapes | {"value.weight": (1, hidden[-1]), "value.bias": (1,)}


def check_shapes(
    weights: Mapping[str, Floats], hidden: Sequence[int], layout: InputLayout = LAYOUT
) -> None:
    """Refuse arrays that are not those of a network with these hidden layers."""
    needed = expected_shapes(hidden, layout)
    found = {name: array.shape for name, array in weights.items()}
    wrong = sorted(name for name in {*needed, *found} if needed.get(name) != found.get(name))
    if wrong:
        name = wrong[0]
        raise ValueError(
            f"the weights do not fit the network: {name} has shape {found.get(name)}, "
            f"{needed.get(name)} is needed"
        )
