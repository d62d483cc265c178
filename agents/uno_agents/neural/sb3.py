"""Stable-Baselines3 files as agents: `model.zip`, the `MlpPolicy` of MaskablePPO and its kin.

SB3 keeps pickled objects in its files and unpickles them on loading, which runs whatever code they
hold. Nothing is unpickled here: the network is rebuilt from the weights, which torch reads as
numbers only, and from the plain-text entries of the JSON. SB3 itself is not needed.
"""

import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from uno_env.actions import NUM_ACTIONS
from uno_env.array_types import Bytes, Floats
from uno_env.envs.observation_spec import OBS_SIZE, OBS_VERSION, observation_scales

from .agent import NeuralAgent
from .kernels.forward import ILLEGAL_LOGIT
from .weights import CheckpointError

MAX_MEMBER = 1 << 28
"""Bytes of an archive member when unpacked; policies of this game are far smaller."""
POLICIES = ("sb3_contrib.common.maskable.policies", "stable_baselines3.common.policies")
# Arguments whose effect is visible in the weights, or that are read here.
PLAIN_ARGUMENTS = {
    "activation_fn", "net_arch", "normalize_images", "optimizer_class", "optimizer_kwargs",
    "ortho_init", "share_features_extractor",
}  # fmt: skip
Layer = tuple[Floats, Floats]


def _relu(x: Floats) -> None:
    np.maximum(x, 0, out=x)


def _tanh(x: Floats) -> None:
    np.tanh(x, out=x)


ACTIVATIONS: dict[str, Callable[[Floats], None]] = {"ReLU": _relu, "Tanh": _tanh}


class Sb3Policy:
    """Separate actor and critic networks of fully connected layers.

    Args:
        actor, critic: layers as (weights, bias), first layer first, the head last.
        activation: applied in place after every layer but the last.
        scales: what each byte is multiplied by.
    """

    def __init__(
        self,
        actor: Sequence[Layer],
        critic: Sequence[Layer],
        activation: Callable[[Floats], None],
        scales: Floats,
    ) -> None:
        self._actor, self._critic = actor, critic
        self._activation, self._scales = activation, scales

    def __call__(self, obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        """Masked logits (B, 208) and values (B,)."""
        inputs: Floats = obs * self._scales
        logits = np.where(mask != 0, self._forward(self._actor, inputs), ILLEGAL_LOGIT)
        return logits, self._forward(self._critic, inputs)[:, 0]

    def _forward(self, layers: Sequence[Layer], x: Floats) -> Floats:
        for depth, (weight, bias) in enumerate(layers):
            if depth:
                self._activation(x)
            x = x @ weight.T
            x += bias
        return x


def load_sb3(file: str | Path, sample: bool = False, seed: int = 0) -> NeuralAgent:
    """The agent of an SB3 file; refuses what is no plain MlpPolicy for these observations.

    Args:
        sample, seed: as for `NeuralAgent`.
    """
    path = Path(file)
    if not path.is_file():
        raise CheckpointError(f"there is no file {path}")
    try:
        with zipfile.ZipFile(path) as archive:
            about = _read_json(path, archive)
            weights = _read_weights(path, archive)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError) as error:
        raise CheckpointError(f"{path} is no file of SB3 or is damaged: {error}") from None
    scales, activation = _check(path, about)
    actor = _layers(path, weights, "policy_net", "action_net", NUM_ACTIONS)
    critic = _layers(path, weights, "value_net", "value_net", 1)
    if weights:
        raise CheckpointError(
            f"{path} has weights that an MlpPolicy has not: {', '.join(sorted(weights))}"
        )
    metadata = {"steps": about.get("num_timesteps"), "seed": about.get("seed"), "rules": "SB3"}
    return NeuralAgent(Sb3Policy(actor, critic, activation, scales), metadata, sample, seed)


def _member(path: Path, archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        size = archive.getinfo(name).file_size
    except KeyError:
        raise CheckpointError(f"{path} was not saved by SB3: it holds no {name!r}") from None
    if size > MAX_MEMBER:
        raise CheckpointError(f"{path}: {name} has {size} bytes; allowed: {MAX_MEMBER}")
    return archive.read(name)


def _read_json(path: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
    text = _member(path, archive, "data")
    try:
        about = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path}: its data is not JSON: {error}") from None
    if not isinstance(about, dict):
        raise CheckpointError(f"{path}: its data is no object of JSON")
    return about


def _read_weights(path: Path, archive: zipfile.ZipFile) -> dict[str, Floats]:
    """Named arrays; torch refuses everything in the pickle that is not a tensor."""
    import torch

    octets = io.BytesIO(_member(path, archive, "policy.pth"))
    try:
        tensors = torch.load(octets, map_location="cpu", weights_only=True)
        weights = {str(name): tensor.float().numpy() for name, tensor in tensors.items()}
    except Exception as error:  # whatever a file made by others may cause
        raise CheckpointError(
            f"{path}: its weights are damaged or more than weights "
            f"({type(error).__name__}); nothing of it was run"
        ) from None
    for name, array in weights.items():
        if not np.isfinite(array).all():
            raise CheckpointError(f"{path}: {name} holds numbers that are not finite")
    return weights


def _check(path: Path, about: Mapping[str, Any]) -> tuple[Floats, Callable[[Floats], None]]:
    """The scales of the bytes and the activation; refuses other spaces and other networks."""
    space, actions = _plain_text(about, "observation_space"), _plain_text(about, "action_space")
    scales = {"uint8": np.ones(OBS_SIZE, np.float32), "float32": observation_scales()}
    if space.get("_shape") != [OBS_SIZE] or space.get("dtype") not in scales:
        raise CheckpointError(
            f"{path} was trained on {space.get('dtype')} of shape {space.get('_shape')}; "
            f"the {OBS_SIZE} numbers of uno_env are needed, as uint8 or scaled to float32"
        )
    if space.get("version") != OBS_VERSION:
        raise CheckpointError(
            f"{path} was trained on observation version {space.get('version')}; "
            f"this version of uno_env has {OBS_VERSION}"
        )
    if str(actions.get("n")) != str(NUM_ACTIONS):
        raise CheckpointError(f"{path} has {actions.get('n')} actions; {NUM_ACTIONS} are needed")
    module = _plain_text(about, "policy_class").get("__module__")
    if module not in POLICIES:
        raise CheckpointError(
            f"{path} has a policy class of {module}; only SB3's own MlpPolicy can be read "
            "without running code"
        )
    arguments = _plain_text(about, "policy_kwargs")
    other = [key for key in arguments if not key.startswith(":") and key not in PLAIN_ARGUMENTS]
    if other:
        raise CheckpointError(
            f"{path} was made with policy_kwargs {', '.join(other)}; "
            f"allowed: {', '.join(sorted(PLAIN_ARGUMENTS))}"
        )
    return scales[space["dtype"]], _activation(path, arguments.get("activation_fn"))


def _plain_text(about: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The plain-text fields of an entry that SB3 has also pickled."""
    entry = about.get(key)
    return entry if isinstance(entry, dict) else {}


def _activation(path: Path, shown: Any) -> Callable[[Floats], None]:
    found = re.fullmatch(r"<class 'torch\.nn\.modules\.activation\.(\w+)'>", str(shown))
    name = "Tanh" if shown is None else found[1] if found else str(shown)
    if name not in ACTIVATIONS:
        raise CheckpointError(
            f"{path} has the activation {name}; allowed: {', '.join(ACTIVATIONS)}"
        )
    return ACTIVATIONS[name]


def _layers(
    path: Path, weights: dict[str, Floats], body: str, head: str, outputs: int
) -> list[Layer]:
    """Take the layers of one network out of `weights`, checking that each fits the next."""
    names = [f"mlp_extractor.{body}.{2 * depth}" for depth in range(len(weights))]
    names = [*(name for name in names if f"{name}.weight" in weights), head]
    layers = []
    width = OBS_SIZE
    for name in names:
        weight, bias = weights.pop(f"{name}.weight", None), weights.pop(f"{name}.bias", None)
        if weight is None or bias is None or weight.ndim != 2 or weight.shape[1] != width:
            raise CheckpointError(f"{path}: the layer {name} is missing or does not fit")
        width = outputs if name == head else weight.shape[0]
        if weight.shape[0] != width or bias.shape != (width,):
            raise CheckpointError(f"{path}: the layer {name} does not have {width} outputs")
        layers.append((weight, bias))
    return layers
