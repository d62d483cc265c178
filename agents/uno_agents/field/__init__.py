"""The field: frozen opponents that differ in style and strength, by version (`field:1`).

An agent that was trained and selected against one opponent may only have learned to beat that one.
The field is a set of opponents to train, evaluate and compare against instead. A version never
changes: its networks are copies in this folder (`frozen:classic-1`), whatever `pretrained:classic`
becomes, and another member is another version.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..base import AgentError
from ..neural.agent import NeuralAgent
from ..specs import did_you_mean

FOLDER = Path(__file__).parent
FIELD_VERSION = 1
"""The newest field."""
PREFIX = "field"


class FieldMember(NamedTuple):
    """One opponent.

    Attributes:
        spec: the agent spec.
        variant: the only preset it was made for; empty if it plays all of them.
        plays_batches: False for search, which decides one view at a time and cannot sit in
            training batches.
    """

    spec: str
    variant: str = ""
    plays_batches: bool = True


_VARIANTS = ("hyper_speed", "classic", "no_mercy", "ig2000", "loche", "teams")
_STYLES = (
    "aggressive", "hoarder", "color-keeper", "bluffer", "never-challenger", "swapper",
    "suspicious", "blocker",
)  # fmt: skip

FIELDS: dict[int, tuple[FieldMember, ...]] = {
    1: (
        FieldMember("random"),
        FieldMember("greedy"),
        FieldMember("heuristic"),
        *(FieldMember(f"heuristic:style={style}") for style in _STYLES),
        FieldMember("frozen:generalist-1"),
        *(FieldMember(f"frozen:{variant}-1", variant) for variant in _VARIANTS),
        FieldMember("search:sims=100", plays_batches=False),
    ),
}
"""The members of each version."""


def field_members(
    version: int = FIELD_VERSION, variants: Iterable[str] = (), batch_only: bool = False
) -> tuple[FieldMember, ...]:
    """The members of a version of the field.

    Args:
        variants: the presets that are played; networks of another preset are left out. Empty
            leaves out all that were made for a single one.
        batch_only: leave out members without `act_batch`.
    """
    if version not in FIELDS:
        raise AgentError(f"there is no field {version}; allowed: {', '.join(map(str, FIELDS))}")
    played = set(variants)
    return tuple(
        member
        for member in FIELDS[version]
        if (not member.variant or played == {member.variant})
        and (member.plays_batches or not batch_only)
    )


def field_version(spec: str) -> int | None:
    """The version that `field` or `field:1` names; None for every other spec."""
    name, _, version = spec.partition(":")
    if name != PREFIX:
        return None
    if not version:
        return FIELD_VERSION
    if not version.isdecimal() or int(version) not in FIELDS:
        allowed = ", ".join(f"{PREFIX}:{number}" for number in FIELDS)
        raise AgentError(f"there is no field {spec!r}; allowed: {allowed}")
    return int(version)


def expand_field(
    specs: Iterable[str], variants: Iterable[str] = (), batch_only: bool = False
) -> list[str]:
    """The specs with the members of a field in place of its name, each once."""
    played, found = list(variants), []
    for spec in specs:
        version = field_version(spec)
        if version is None:
            found.append(spec)
        else:
            found += [member.spec for member in field_members(version, played, batch_only)]
    return list(dict.fromkeys(found))


def load_frozen(name: str, seed: int = 0) -> NeuralAgent:
    """The frozen network of this name, such as `classic-1`."""
    known = sorted(path.stem for path in FOLDER.glob("*.safetensors"))
    if name not in known:
        raise AgentError(
            f"there is no frozen network {name!r}; allowed: {', '.join(known)}"
            f"{did_you_mean(name, known)}"
        )
    return NeuralAgent.load(FOLDER / f"{name}.safetensors", seed=seed)
