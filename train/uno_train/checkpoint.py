"""Writing checkpoints: one safetensors file with the metadata in its header, put in place at once.

`uno_agents.neural.agent` reads them. A run that is killed at any moment leaves the last whole file.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save
from uno_agents.neural.agent import FORMAT, WEIGHTS_FILE
from uno_agents.neural.experts import HEURISTIC_PRIOR
from uno_agents.neural.network import PolicyNetwork
from uno_agents.neural.weights import SEATS_BY_TURN

from uno_env import NUM_ACTIONS, OBS_SIZE, OBS_VERSION, __version__
from uno_env.array_types import Floats

from .config import TrainConfig


def describe_run(config: TrainConfig, decisions: int) -> dict[str, Any]:
    """What a checkpoint says about how it was made."""
    tables = config.own_tables()
    return {
        "rules": tables[0].rules.text(),
        "num_players": tables[0].num_players,
        "tables": [[table.rules.text(), table.num_players] for table in tables],
        "decisions": decisions,
        "command": " ".join(["uno-train", *sys.argv[1:]]),
        "commit": _commit(),
        "config": config.model_dump(mode="json"),
        HEURISTIC_PRIOR: config.heuristic_prior,
        "reward": config.reward,
        **({"network": config.network} if config.network else {}),
    }


def save_checkpoint(folder: Path, network: PolicyNetwork, about: dict[str, Any]) -> None:
    """Write a checkpoint folder; a reader sees the old file or the new one, never a part."""
    metadata = {
        "format": FORMAT,
        "uno_env_version": __version__,
        "observation_version": OBS_VERSION,
        "observation_size": OBS_SIZE,
        "num_actions": NUM_ACTIONS,
        "hidden": list(network.hidden),
        SEATS_BY_TURN: network.seats_by_turn,
        **about,
    }
    whole = network
    if "network" in about:
        # Only its own class can read its weights: with the columns and actions it was made for.
        metadata |= {"inputs": network.inputs.tolist(), "actions": network.actions.tolist()}
    else:
        whole = network.widened()
    weights = {name: tensor.cpu().numpy() for name, tensor in whole.state_dict().items()}
    write_checkpoint(folder, weights, metadata)


def write_checkpoint(folder: Path, weights: Mapping[str, Floats], metadata: dict[str, Any]) -> None:
    """Write arrays and metadata as a checkpoint folder."""
    octets = save(
        {name: np.ascontiguousarray(array) for name, array in weights.items()},
        {"uno_env": json.dumps(metadata)},
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_at_once(folder / WEIGHTS_FILE, octets)
    # For people; the loader reads the header.
    write_at_once(folder / "model.json", f"{json.dumps(metadata, indent=2)}\n".encode())


def write_at_once(path: Path, octets: bytes) -> None:
    """Replace a file as a whole."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            file.write(octets)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _commit() -> str | None:
    """The commit of the checkout this runs from, if it is one."""
    try:
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607 - whichever git the user has
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=5,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip() or None
