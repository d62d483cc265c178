"""Networks with a lively policy, saved as checkpoints, and positions of every kind of table."""

import numpy as np
import pytest

import uno_env

torch = pytest.importorskip("torch", reason="the train extra is not installed")

from uno_agents.neural.network import PolicyNetwork  # noqa: E402
from uno_train.checkpoint import save_checkpoint  # noqa: E402

TABLES = [
    (variant, players)
    for variant in uno_env.VARIANTS
    for players in range(2, 11)
    if uno_env.Rules.preset(variant).min_players
    <= players
    <= uno_env.Rules.preset(variant).max_players
    and not (variant == "teams" and players % 2)
]


def lively(hidden=(48, 32), seed=3):
    """A network whose choices differ from position to position."""
    torch.manual_seed(seed)
    network = PolicyNetwork(hidden)
    for layer in (*network.trunk, network.policy, network.value):
        if isinstance(layer, torch.nn.Linear):
            torch.nn.init.normal_(layer.weight, std=2 / layer.in_features**0.5)
            torch.nn.init.normal_(layer.bias, std=0.3)
    return network


def save_lively(folder, hidden=(48, 32), seed=3, **about):
    """Its checkpoint."""
    save_checkpoint(folder, lively(hidden, seed), {"rules": "classic", "num_players": 2, **about})
    return folder


def positions(steps=40, copies=2, seed=0):
    """Observations and masks of games of every variant and table size, some way in."""
    variants, players = zip(*TABLES, strict=True)
    v = uno_env.vec(list(variants), copies * len(TABLES), list(players), seed=seed)
    v.reset()
    seen = []
    for _ in range(steps):
        seen.append((v.obs.copy(), v.mask.copy()))
        v.step(v.random_actions())
    obs, mask = (np.concatenate(part) for part in zip(*seen, strict=True))
    return obs, mask
