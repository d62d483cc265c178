"""A critic that sees all hands, for training only: asymmetric actor-critic (Pinto et al. 2017).

Whether a decision was good is easier to tell with all cards on the table, so advantages by such a
critic have less variance (perfect-information distillation, PerfectDou, Yang et al. 2022). The
policy never sees more than its seat may know, and the saved network keeps its own value head.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn
from uno_agents.neural import canonical, turn_order
from uno_agents.neural.network import CanonicalInput, PolicyNetwork

from uno_env.array_types import Ints
from uno_env.cards import NUM_FACES
from uno_env.vector.vec import UnoVec

from .losses import Batch
from .tables import TableConfig, used_faces

HAND_SCALE = 0.25
"""As in the block `hand` of the observation."""


class Critic(nn.Module):
    """Values of positions by the policy's input and the hands of all other seats.

    Args:
        network: the policy it helps; both read the same canonicalised observations.
        tables: those of the run, for the number of seats and the faces in play.
        hidden: widths of the hidden layers.
    """

    read_faces: Tensor
    scales: Tensor

    def __init__(
        self, network: PolicyNetwork, tables: Sequence[TableConfig], hidden: Sequence[int]
    ) -> None:
        super().__init__()
        faces = used_faces(tables)
        self.others = max(table.num_players for table in tables) - 1
        self.width = self.others * len(faces)
        orders = np.array([turn_order.order_of(code) for code in range(turn_order.NUM_CODES)])
        self._orders = orders[:, 1 : self.others + 1]
        columns, _ = canonical.permutation_tables()
        # The hand is the first block of an observation, so its columns are faces.
        read_faces = torch.from_numpy(columns[:, :NUM_FACES][:, faces])
        self.register_buffer("read_faces", read_faces, persistent=False)
        self.register_buffer("scales", network.scales.clone(), persistent=False)
        layers: list[nn.Module] = []
        for before, after in pairwise((len(network.inputs) + self.width, *hidden)):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.Linear(hidden[-1], 1))

    def hidden_hands(self, v: UnoVec, rows: Ints, encoded: CanonicalInput) -> Tensor:
        """Hands of the other seats (B, width), in the order and with the colours of the input."""
        actor, players = v.actor[rows].astype(np.int64), v.num_players[rows].astype(np.int64)
        places = self._orders[encoded.seat_code.cpu().numpy()]
        seats = (actor[:, None] + places) % players[:, None]
        hands = v.engine_arrays.games["hands"][rows][np.arange(len(rows))[:, None], seats]
        hands[places >= players[:, None]] = 0
        read = self.read_faces[encoded.code][:, None, :].expand(-1, self.others, -1)
        return torch.from_numpy(hands).to(read.device).gather(2, read).flatten(1)

    def forward(self, inputs: Tensor, hidden_hands: Tensor) -> Tensor:
        """Values (B,) of canonicalised inputs and the other hands, both bytes."""
        known = torch.cat([inputs * self.scales, hidden_hands * HAND_SCALE], 1)
        values: Tensor = self.layers(known).squeeze(-1)
        return values

    def loss(self, batch: Batch) -> Tensor:
        """Mean squared error of its values."""
        return nn.functional.mse_loss(self(batch.inputs, batch.hidden_hands), batch.returns)
