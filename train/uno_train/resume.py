"""The whole state of a run in one file, so that a killed run goes on as if nothing had happened.

Weights, optimiser, pool of past selves, seats, every running game and every generator are in it. It
is a safetensors file: reading it executes nothing, and it is replaced as a whole.
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
FORMAT = "uno_env-training-1"
CHANGEABLE = frozenset(
    "minutes decisions threads device learners anchors watch_every watch_deals patience save_every "
    "eval_deals".split()
)
"""What may be set anew for a resumed run: how long it runs, where, and how it is watched."""
COUNTERS = ("decisions", "games", "rounds", "voids")
Tensors = dict[str, Tensor]


def save_training(
    folder: Path, learner: Learner, notes: dict[str, Any], more: Tensors | None = None
) -> None:
    """Write the state of a run beside its last checkpoint.

    Args:
        notes: what the watcher wants back, as JSON.
        more: tensors it wants back.
    """
    facts = {
        "format": FORMAT,
        "uno_env_version": __version__,
        "observation_version": OBS_VERSION,
        "config": learner.config.model_dump(mode="json"),
        "seconds": learner.seconds,
        "rng": learner.rng.bit_generator.state,
        "pool": len(learner.league.past.pool),
        "notes": notes,
        **{name: getattr(learner, name) for name in COUNTERS},
    }
    tensors = {**_prefixed("more", more or {}), **_tensors(learner)}
    folder.mkdir(parents=True, exist_ok=True)
    octets = save(
        {name: tensor.cpu().contiguous() for name, tensor in tensors.items()},
        {"uno_env": json.dumps(facts)},
    )
    write_at_once(folder / TRAINING, octets)


def learned(learner: Learner) -> Tensors:
    """What gradient steps change: the weights, and what the optimiser keeps of them."""
    tensors = _prefixed("network", learner.network.state_dict())
    for index, kept in learner.optimizer.state_dict()["state"].items():
        tensors |= _prefixed(f"adam.{index}", kept)
    return tensors


def take_over(learner: Learner, tensors: Tensors) -> None:
    """Go on learning from what `learned` gave."""
    learner.network.load_state_dict(_part("network", tensors))
    optimizer = learner.optimizer.state_dict()
    optimizer["state"] = {
        index: kept
        for index in range(len(optimizer["param_groups"][0]["params"]))
        if (kept := _part(f"adam.{index}", tensors))
    }
    learner.optimizer.load_state_dict(optimizer)


def _tensors(learner: Learner) -> Tensors:
    tensors = learned(learner)
    for index, weights in enumerate(learner.league.past.pool):
        tensors |= _prefixed(f"pool.{index}", weights)
    return tensors | learner.playing()


def resume(
    folder: Path,
    config: TrainConfig | None = None,
    make: Callable[[TrainConfig], Learner] = Learner,
) -> tuple[Learner, dict[str, Any], Tensors]:
    """The learner of a saved run where it was, and what the watcher had noted.

    Args:
        config: the run as it is wanted now; only what is in CHANGEABLE may differ.
        make: the learner of a config.
    """
    path = folder / TRAINING
    tensors, facts = _read(path)
    saved = TrainConfig(**facts["config"])
    learner = make(_agreed(path, saved, config or saved))
    try:
        _restore(learner, tensors, facts)
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path} does not fit its own config: {error}") from None
    return learner, facts["notes"], _part("more", tensors)


def _read(path: Path) -> tuple[Tensors, dict[str, Any]]:
    if not path.is_file():
        raise CheckpointError(f"{path.parent} holds no {TRAINING}; there is no run to resume")
    try:
        with safe_open(path, "pt") as file:
            facts = json.loads((file.metadata() or {}).get("uno_env", "null"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError) as error:
        raise CheckpointError(f"{path} is no safetensors file or is damaged: {error}") from None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise CheckpointError(f"{path} was not written by uno-train (no {FORMAT!r} metadata)")
    for key, ours in (("uno_env_version", __version__), ("observation_version", OBS_VERSION)):
        if facts.get(key) != ours:
            raise CheckpointError(
                f"{path} was made with {key}={facts.get(key)!r}; this is {ours!r}. Start from its "
                "weights instead: --opponents or --warm-start take the folder as an agent"
            )
    return tensors, facts


def _agreed(path: Path, saved: TrainConfig, wanted: TrainConfig) -> TrainConfig:
    for name in TrainConfig.model_fields:
        before, now = getattr(saved, name), getattr(wanted, name)
        if before != now and name not in CHANGEABLE:
            raise CheckpointError(
                f"{path} was trained with {name}={before!r}, not {now!r}; a resumed run may only "
                f"change {', '.join(sorted(CHANGEABLE))}"
            )
    return wanted


def _restore(learner: Learner, tensors: Tensors, facts: dict[str, Any]) -> None:
    take_over(learner, tensors)
    league, device = learner.league, learner.device
    league.past.pool = [
        {name: tensor.to(device) for name, tensor in _part(f"pool.{index}", tensors).items()}
        for index in range(facts["pool"])
    ]
    learner.go_on_playing(tensors)
    learner.rng.bit_generator.state = facts["rng"]
    learner.seconds = facts["seconds"]
    for name in COUNTERS:
        setattr(learner, name, facts[name])


def _prefixed(prefix: str, tensors: dict[str, Any]) -> Tensors:
    return {f"{prefix}.{name}": torch.as_tensor(tensor) for name, tensor in tensors.items()}


def _part(prefix: str, tensors: Tensors) -> Tensors:
    start = f"{prefix}."
    names: Iterable[str] = (name for name in tensors if name.startswith(start))
    return {name.removeprefix(start): tensors[name] for name in names}
