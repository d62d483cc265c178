"""The whole state of a run in one file, so that a killed run goes on as if nothing had happened.

It holds weights, optimiser, snapshots, seats, every running game and every generator. It is a
safetensors file: reading it executes nothing, and it is replaced as a whole.
"""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor
from uno_agents.neural.weights import CheckpointError

from uno_env import OBS_VERSION, __version__

from .checkpoint import write_at_once
from .config import TrainConfig
from .ppo import Learner

TRAINING = "training.safetensors"
FORMAT = "uno_env-training-2"
FORMATS = (FORMAT, "uno_env-training-1")
"""Formats that are told apart from foreign files; runs of the first read observation version 1."""
CHANGEABLE = frozenset(
    "minutes decisions threads device learners anchors eval_every eval_decisions curve_deals "
    "patience save_every eval_deals eval_field".split()
)
"""What a resumed run may change: how long it runs, where, and how it is evaluated."""
COUNTERS = ("decisions", "games", "iterations", "truncated")
Tensors = dict[str, Tensor]


def save_training(
    folder: Path, learner: Learner, evaluator: dict[str, Any], best: Tensors | None = None
) -> None:
    """Write the state of a run beside its last checkpoint.

    Args:
        evaluator: state of the evaluator, as JSON.
        best: weights of the best network so far.
    """
    metadata = {
        "format": FORMAT,
        "uno_env_version": __version__,
        "observation_version": OBS_VERSION,
        "config": learner.config.model_dump(mode="json"),
        "seconds": learner.seconds,
        "rng": learner.rng.bit_generator.state,
        "snapshots": len(learner.opponent_pool.snapshots.pool),
        "evaluator": evaluator,
        **{name: getattr(learner, name) for name in COUNTERS},
    }
    tensors = {**_prefixed("best", best or {}), **_tensors(learner)}
    folder.mkdir(parents=True, exist_ok=True)
    octets = save(
        {name: tensor.cpu().contiguous() for name, tensor in tensors.items()},
        {"uno_env": json.dumps(metadata)},
    )
    write_at_once(folder / TRAINING, octets)


def learner_tensors(learner: Learner) -> Tensors:
    """What gradient steps change: the weights, and the state of the optimiser."""
    tensors = _prefixed("network", learner.network.state_dict())
    if learner.critic is not None:
        tensors |= _prefixed("critic", learner.critic.state_dict())
    if learner.average is not None:
        tensors |= _prefixed("average", learner.average.state())
    for index, kept in learner.optimizer.state_dict()["state"].items():
        tensors |= _prefixed(f"adam.{index}", kept)
    return tensors


def load_learner_tensors(learner: Learner, tensors: Tensors) -> None:
    """Go on from what `learner_tensors` gave."""
    learner.network.load_state_dict(_part("network", tensors))
    if learner.critic is not None:
        learner.critic.load_state_dict(_part("critic", tensors))
    if learner.average is not None:
        learner.average.load_state(_part("average", tensors))
    optimizer = learner.optimizer.state_dict()
    optimizer["state"] = {
        index: kept
        for index in range(len(optimizer["param_groups"][0]["params"]))
        if (kept := _part(f"adam.{index}", tensors))
    }
    learner.optimizer.load_state_dict(optimizer)


def _tensors(learner: Learner) -> Tensors:
    tensors = learner_tensors(learner)
    for index, weights in enumerate(learner.opponent_pool.snapshots.pool):
        tensors |= _prefixed(f"snapshot.{index}", weights)
    return tensors | learner.rollout_state()


def resume(
    folder: Path,
    config: TrainConfig | None = None,
    make: Callable[[TrainConfig], Learner] = Learner,
) -> tuple[Learner, dict[str, Any], Tensors]:
    """The learner of a saved run where it was, the evaluator's state, and the best weights.

    Args:
        config: the run as it is wanted now; only what is in CHANGEABLE may differ.
        make: the learner of a config.
    """
    path = folder / TRAINING
    tensors, metadata = _read(path)
    # Runs from before that option read seats clockwise.
    saved = TrainConfig(**({"seats_by_turn": False} | metadata["config"]))
    learner = make(_agreed(path, saved, config or saved))
    try:
        _restore(learner, tensors, metadata)
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path} does not fit its own config: {error}") from None
    return learner, metadata["evaluator"], _part("best", tensors)


def _read(path: Path) -> tuple[Tensors, dict[str, Any]]:
    if not path.is_file():
        raise CheckpointError(f"{path.parent} holds no {TRAINING}; there is no run to resume")
    try:
        with safe_open(path, "pt") as file:
            metadata = json.loads((file.metadata() or {}).get("uno_env", "null"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError) as error:
        raise CheckpointError(f"{path} is no safetensors file or is damaged: {error}") from None
    if not isinstance(metadata, dict) or metadata.get("format") not in FORMATS:
        raise CheckpointError(f"{path} was not written by uno-train (no {FORMAT!r} metadata)")
    for key, ours in (("uno_env_version", __version__), ("observation_version", OBS_VERSION)):
        if metadata.get(key) != ours:
            raise CheckpointError(
                f"{path} was made with {key}={metadata.get(key)!r}; this is {ours!r}. Start from "
                "its weights instead: --opponents and --imitation-teacher take the folder as an "
                "agent"
            )
    return tensors, metadata


def _agreed(path: Path, saved: TrainConfig, wanted: TrainConfig) -> TrainConfig:
    for name in TrainConfig.model_fields:
        before, now = getattr(saved, name), getattr(wanted, name)
        if before != now and name not in CHANGEABLE:
            raise CheckpointError(
                f"{path} was trained with {name}={before!r}, not {now!r}; a resumed run may only "
                f"change {', '.join(sorted(CHANGEABLE))}"
            )
    return wanted


def _restore(learner: Learner, tensors: Tensors, metadata: dict[str, Any]) -> None:
    load_learner_tensors(learner, tensors)
    learner.opponent_pool.snapshots.pool = [
        {
            name: tensor.to(learner.device)
            for name, tensor in _part(f"snapshot.{index}", tensors).items()
        }
        for index in range(metadata["snapshots"])
    ]
    learner.load_rollout_state(tensors)
    learner.rng.bit_generator.state = metadata["rng"]
    learner.seconds = metadata["seconds"]
    for name in COUNTERS:
        setattr(learner, name, metadata[name])


def _prefixed(prefix: str, tensors: dict[str, Any]) -> Tensors:
    return {f"{prefix}.{name}": torch.as_tensor(tensor) for name, tensor in tensors.items()}


def _part(prefix: str, tensors: Tensors) -> Tensors:
    start = f"{prefix}."
    names: Iterable[str] = (name for name in tensors if name.startswith(start))
    return {name.removeprefix(start): tensors[name] for name in names}
