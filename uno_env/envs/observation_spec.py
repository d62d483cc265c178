"""The observation described: its table of named blocks, its space, and its scaled form.

Everything here is read from the encoder's own layout (`engine/observation/layout.py`).
"""

from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from ..actions import MAX_SEATS, NUM_ACTIONS
from ..array_types import Floats
from ..engine.global_state import STATE_BLOCKS, STATE_SIZE
from ..engine.observation.history import HISTORY_FIELDS
from ..engine.observation.layout import BLOCKS, OBS_SIZE, OBS_VERSION, OFFSETS
from ..engine.state import SEAT_ROW, SEAT_SCORE

__all__ = [
    "OBS_SIZE",
    "OBS_VERSION",
    "STATE_SIZE",
    "ObservationBlock",
    "describe_observation",
    "describe_state",
    "history_box",
    "observation_blocks",
    "observation_box",
    "observation_dict",
    "observation_scales",
    "scaled",
    "scaled_box",
    "state_box",
]


class ObservationBlock(NamedTuple):
    """One named block: where it starts, how long it is, what its numbers are divided by."""

    name: str
    offset: int
    size: int
    scale: int
    meaning: str


def observation_blocks() -> tuple[ObservationBlock, ...]:
    """The blocks in order; together they are the whole observation."""
    return tuple(
        ObservationBlock(block.name, OFFSETS[block.name], block.size, block.scale, block.meaning)
        for block in BLOCKS
    )


def describe_observation() -> None:
    """Print the table of blocks."""
    print(f"observation version {OBS_VERSION}: {OBS_SIZE} bytes")
    print(f"{'bytes':>9}  {'block':<15} {'scale':>5}  meaning")
    for block in observation_blocks():
        last = block.offset + block.size - 1
        where = f"{block.offset}-{last}" if block.size > 1 else str(block.offset)
        print(f"{where:>9}  {block.name:<15} {block.scale:>5}  {block.meaning}")


def describe_state() -> None:
    """Print the blocks of the global state (`Game.state`, `env.state`, `vec.states`)."""
    print(f"global state: {STATE_SIZE} bytes; env.state() adds the observation of the seat to act")
    at = 0
    for block in STATE_BLOCKS:
        print(f"{f'{at}-{at + block.size - 1}':>9}  {block.name:<15} {block.meaning}")
        at += block.size


def observation_scales() -> Floats:
    """What each byte is multiplied by when scaled: one over its block's scale.

    A seat's score alone is measured otherwise than the rest of its row: 255 is the match target.
    """
    scales = np.concatenate(
        [np.full(block.size, 1 / block.scale, np.float32) for block in observation_blocks()]
    )
    scores = OFFSETS["seats"] + SEAT_SCORE
    scales[scores : scores + MAX_SEATS * SEAT_ROW : SEAT_ROW] = 1 / 255
    return scales


_SCALES = observation_scales()


def scaled(obs: Any) -> Floats:
    """Observations (any shape that ends in `OBS_SIZE`) as float32, each block by its scale.

    Most numbers then lie between 0 and 1; large ones (a long round, a huge penalty) are not cut.
    """
    octets = np.asarray(obs)
    if octets.dtype != np.uint8 or octets.shape[-1:] != (OBS_SIZE,):
        raise ValueError(
            f"obs is {octets.dtype} of shape {octets.shape}; "
            f"uint8 of shape (..., {OBS_SIZE}) is needed"
        )
    floats: Floats = octets * _SCALES
    return floats


def observation_box() -> spaces.Box:
    """The space of encoded observations; its `version` is that of the layout."""
    return _with_version(spaces.Box(0, 255, (OBS_SIZE,), np.uint8))


def observation_dict(history: int = 0) -> spaces.Dict:
    """The space of observations that carry their mask, and a history of so many events."""
    mask = spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)
    blocks: dict[str, spaces.Space[Any]] = {"observation": observation_box(), "action_mask": mask}
    if history:
        blocks["history"] = history_box(history)
    return spaces.Dict(blocks)


def history_box(length: int) -> spaces.Box:
    """The space of histories of so many events."""
    return _with_version(spaces.Box(0, 255, (length, len(HISTORY_FIELDS)), np.uint8))


def state_box() -> spaces.Box:
    """The space of `env.state()`: the global state and the observation of the seat to act."""
    return _with_version(spaces.Box(0, 255, (STATE_SIZE + OBS_SIZE,), np.uint8))


def scaled_box() -> spaces.Box:
    """The space of scaled observations."""
    return _with_version(spaces.Box(np.zeros(OBS_SIZE, np.float32), 255 * _SCALES))


def _with_version(box: spaces.Box) -> spaces.Box:
    # An attribute, not a subclass: libraries compare the classes of spaces.
    box.version = OBS_VERSION  # type: ignore[attr-defined]
    return box
