"""`--init-from SPEC`: start a run from the weights of a trained agent instead of random ones."""

from pathlib import Path

import torch
from torch import Tensor
from uno_agents.neural.agent import load_network
from uno_agents.neural.experts import HEURISTIC_PRIOR
from uno_agents.neural.network import PolicyNetwork
from uno_agents.pretrained import pretrained_path
from uno_agents.specs import parse_spec

from .config import ConfigError, TrainConfig
from .weight_sharing import SharedLinear

TOLERANCE = 1e-2
"""Largest difference of weights that count as shared: files hold half-precision numbers."""


def load_initial_weights(network: PolicyNetwork, config: TrainConfig) -> None:
    """Copy the weights of `init_from` into the network of a run.

    Columns and actions that the run's tables do not use are left out, which changes nothing about
    how it plays there; nor do further layers, which begin as the identity (Net2DeeperNet, Chen et
    al. 2016).
    """
    rule_sets = [table.rules for table in config.tables()]
    source, metadata = load_network(_path(config.init_from), rule_sets)
    depth, last = len(source.hidden), source.hidden[-1]
    further = config.hidden[depth:]
    if (*source.hidden, *[last] * len(further)) != tuple(config.hidden):
        widths = " ".join(map(str, source.hidden))
        raise ConfigError(
            f"init_from {config.init_from!r} has hidden layers of {widths}; add --hidden {widths}"
            f" (or further layers of {last})"
        )
    if source.seats_by_turn != config.seats_by_turn:
        wanted = str(source.seats_by_turn).lower()
        raise ConfigError(
            f"init_from {config.init_from!r} was trained with seats_by_turn {wanted}; "
            f"add --seats-by-turn {wanted}"
        )
    # Packing may add a prior for play; what counts is how the weights were trained.
    prior = float(metadata.get("config", metadata).get(HEURISTIC_PRIOR) or 0)
    if prior != config.heuristic_prior:
        raise ConfigError(
            f"init_from {config.init_from!r} was trained with heuristic_prior {prior:g}; "
            f"add --heuristic-prior {prior:g}"
            + (" --imitation-teacher heuristic --imitation-decisions 0" if prior else "")
        )
    dense = dict(source.state_dict())
    dense["trunk.0.weight"] = dense["trunk.0.weight"][:, network.inputs]
    for name in ("policy.weight", "policy.bias"):
        dense[name] = dense[name][network.actions]
    for place in range(depth, depth + len(further)):
        # Outputs of a ReLU pass a second one unchanged.
        dense[f"trunk.{2 * place}.weight"], dense[f"trunk.{2 * place}.bias"] = (
            torch.eye(last),
            torch.zeros(last),
        )
    with torch.no_grad():
        for name, tensor in dense.items():
            layer, _, part = name.rpartition(".")
            _assign(network.get_submodule(layer), part, tensor, config)


def _path(spec: str) -> Path:
    """The weights file or folder of a spec."""
    parsed = parse_spec(spec)
    if parsed.options:
        raise ConfigError(f"init_from is {spec!r}; weights have no options")
    return pretrained_path(parsed.argument) if parsed.name == "pretrained" else Path(parsed.target)


def _assign(layer: torch.nn.Module, part: str, dense: Tensor, config: TrainConfig) -> None:
    """Write dense weights into a layer, which may share them across numbers."""
    if not isinstance(layer, SharedLinear):
        target: Tensor = getattr(layer, part)
        target.copy_(dense)
        return
    shared, index = (
        (layer.shared, layer.index) if part == "weight" else (layer.shared_bias, layer.bias_index)
    )
    dense = dense.to(shared.device)
    sums = torch.zeros_like(shared).index_add_(0, index.flatten(), dense.flatten())
    counts = torch.bincount(index.flatten(), minlength=len(shared))
    shared.copy_(sums / counts.clamp(min=1))
    if (shared[index] - dense).abs().max() > TOLERANCE:
        raise ConfigError(
            f"the weights of init_from {config.init_from!r} are not shared across numbers as this "
            "run would share them; add --share-number-weights false"
        )
