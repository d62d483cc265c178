"""The policy network in torch: observation bytes in, a logit for each action and a value out.

The mask is applied inside, so an illegal action has probability zero whatever the weights are. The
layers read canonicalised inputs, with colours in a canonical order (`canonical.py`) and seats in
the order of turn (`turn_order.py`).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from uno_env.actions import NUM_ACTIONS
from uno_env.array_types import Ints
from uno_env.envs.observation_spec import OBS_SIZE

from . import canonical as colors
from . import sum_features as sums
from . import turn_order
from .input_layout import NUM_COLORS
from .mlp import input_scales

ILLEGAL_LOGIT = -1e9
POLICY_INIT_SCALE = 0.01
"""Scale of the policy head at initialisation: a nearly uniform policy explores all actions."""


class CanonicalInput(NamedTuple):
    """Canonicalised inputs and masks of a batch, and how each row's actions were permuted.

    Attributes:
        code: of each row's order of colours.
        seat_code: of each row's order of seats.
    """

    inputs: Tensor
    mask: Tensor
    code: Tensor
    seat_code: Tensor


class PolicyNetwork(nn.Module):
    """Fully connected layers with a policy head and a value head.

    Args:
        hidden: width of each hidden layer.
        inputs: the columns it reads, all of them if None: those of canonicalised observations,
            then the sum features. Leaving out columns that are always zero saves time.
        actions: the canonical actions it can choose, all of them if None.

    Attributes:
        seats_by_turn: whether it reads seats in the order of turn (`turn_order.py`) or
            clockwise, as the observation tells them.
    """

    seats_by_turn = True
    scales: Tensor
    key_weights: Tensor
    key_bias: Tensor
    total_key: Tensor
    start_key: Tensor
    sums: Tensor
    read_inputs: Tensor
    read_actions: Tensor
    write_actions: Tensor
    places: Tensor
    seat_weights: Tensor
    seat_columns: Tensor
    seat_actions: Tensor
    seat_places: Tensor

    def __init__(
        self,
        hidden: Sequence[int] = (256, 256),
        inputs: Ints | None = None,
        actions: Ints | None = None,
    ) -> None:
        super().__init__()
        self.hidden = tuple(hidden)
        self.inputs = np.arange(sums.INPUT_SIZE) if inputs is None else inputs
        self.actions = np.arange(NUM_ACTIONS) if actions is None else actions
        self._add_tables()
        layers: list[nn.Module] = []
        for before, after in pairwise((len(self.inputs), *self.hidden)):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self.trunk = nn.Sequential(*layers)
        self.policy = nn.Linear(self.hidden[-1], len(self.actions))
        self.value = nn.Linear(self.hidden[-1], 1)
        with torch.no_grad():
            self.policy.weight.mul_(POLICY_INIT_SCALE)
            self.policy.bias.zero_()

    def _add_tables(self) -> None:
        """Lookup tables that follow from the observation version, apart from the weights."""
        columns, choices = colors.permutation_tables()
        # Sum features have no colour, so permutations leave them in place.
        behind = np.tile(np.arange(OBS_SIZE, sums.INPUT_SIZE), (len(columns), 1))
        columns = np.hstack([columns, behind])
        total_key, start_key = sums.row_weights()
        self.reads_sums = bool((self.inputs >= OBS_SIZE).any())
        # Actions it cannot choose read an extra logit appended to the last.
        back = np.full(NUM_ACTIONS, len(self.actions))
        back[self.actions] = np.arange(len(self.actions))
        seat_columns, seat_actions = turn_order.order_tables()
        # Sum features have no seat.
        behind_seats = np.tile(np.arange(OBS_SIZE, sums.INPUT_SIZE), (len(seat_columns), 1))
        self.seat_inputs = turn_order.code_columns()
        weights, bias = colors.sort_key_weights()
        # The columns of the active colour lie apart from those of the cards: added separately.
        self.active = colors.active_columns()
        weights[self.active] = 0
        weights = weights[: int(np.flatnonzero(weights.any(axis=1))[-1]) + 1]
        tables: dict[str, npt.NDArray[Any]] = {
            "scales": input_scales()[self.inputs],
            "key_weights": weights,
            "key_bias": bias,
            "read_inputs": columns[:, self.inputs],
            "total_key": total_key,
            "start_key": start_key,
            "sums": sums.feature_table(),
            "read_actions": choices[:, self.actions],
            "write_actions": back[np.argsort(choices, axis=1)],
            "places": NUM_COLORS ** np.arange(NUM_COLORS),
            "seat_weights": turn_order.code_weights()[self.seat_inputs].astype(np.int64),
            "seat_columns": np.hstack([seat_columns, behind_seats]),
            "seat_actions": seat_actions,
            "seat_places": np.argsort(seat_actions, axis=1),
        }
        for name, table in tables.items():
            self.register_buffer(name, torch.tensor(table), persistent=False)

    def encode(self, obs: Tensor, mask: Tensor) -> CanonicalInput:
        """Canonicalise observations (B, 1280) and masks (B, 208), both uint8."""
        keys = obs[:, : len(self.key_weights)].float() @ self.key_weights + self.key_bias
        keys += obs[:, self.active].float() * colors.ACTIVE
        ranks = (keys[:, None, :] > keys[:, :, None]).sum(-1)
        code = (ranks * self.places).sum(-1)
        if self.reads_sums:
            obs = torch.cat([obs, self._sum_features(obs)], 1)
        seat_code = self._seat_code(obs)
        columns = self.seat_columns[seat_code].gather(1, self.read_inputs[code])
        actions = self.raw_actions(code, seat_code)
        return CanonicalInput(obs.gather(1, columns), mask.gather(1, actions), code, seat_code)

    def _seat_code(self, obs: Tensor) -> Tensor:
        if not self.seats_by_turn:
            return torch.zeros(len(obs), dtype=torch.int64, device=obs.device)
        code = (obs[:, self.seat_inputs].long() * self.seat_weights).sum(-1)
        return code.clamp(max=turn_order.NUM_CODES - 1)

    def raw_actions(self, code: Tensor, seat_code: Tensor) -> Tensor:
        """The action id of each canonical action (B, actions of the network)."""
        return self.seat_actions[seat_code].gather(1, self.read_actions[code])

    def canonical_places(self, canonical: CanonicalInput) -> Tensor:
        """The canonical action of each action id (B, 208), one past the last if it has none."""
        places = self.seat_places[canonical.seat_code]
        return self.write_actions[canonical.code].gather(1, places)

    def _sum_features(self, obs: Tensor) -> Tensor:
        octets = obs.float()
        start = (octets @ self.start_key).long()
        total = (octets @ self.total_key).long().clamp(max=sums.MAX_TOTAL)
        return self.sums[start + total]

    def forward_canonical(self, inputs: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Masked logits and values (B,) of canonicalised inputs and masks."""
        features = self.trunk(inputs * self.scales)
        logits = self.policy(features).masked_fill(mask == 0, ILLEGAL_LOGIT)
        return logits, self.value(features).squeeze(-1)

    def forward(self, obs: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Masked logits (B, 208) and values (B,) of observations and masks, both uint8."""
        canonical = self.encode(obs, mask)
        logits, value = self.forward_canonical(canonical.inputs, canonical.mask)
        logits = nn.functional.pad(logits, (0, 1)).gather(1, self.canonical_places(canonical))
        return logits.masked_fill(mask == 0, ILLEGAL_LOGIT), value

    def dense_weights(self) -> dict[str, Tensor]:
        """Weights and biases of the layers, on the CPU."""
        return {name: tensor.cpu() for name, tensor in self.state_dict().items()}

    def widened(self) -> "PolicyNetwork":
        """The same policy with all input columns and all actions."""
        full, weights = PolicyNetwork(self.hidden), self.dense_weights()
        full.seats_by_turn = self.seats_by_turn
        wide = {name: torch.zeros_like(tensor) for name, tensor in full.state_dict().items()}
        wide["trunk.0.weight"][:, self.inputs] = weights.pop("trunk.0.weight")
        for name in ("policy.weight", "policy.bias"):
            wide[name][self.actions] = weights.pop(name)
        full.load_state_dict(wide | weights)
        return full
