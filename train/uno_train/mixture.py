"""`uno-train mixture`: put trained networks together as one agent, a mixture of experts.

    uno-train mixture runs/all/best --expert team_mode=pairs=runs/teams/best --out runs/mixture

The first network is the base. Each expert decides where its gate, a condition on the rules, holds
(`uno_agents.neural.experts`); `GATE+known-cards` leaves decks with cards that it never met to
others. Networks are trained apart from each other and joined as they are
(branch, train, merge: Li et al. 2022, https://arxiv.org/abs/2208.03306).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from uno_agents.neural.experts import (
    EXPERTS,
    HEURISTIC_PRIOR,
    UNKNOWN,
    expert_prefix,
    gate_columns,
    split_weights,
)
from uno_agents.neural.input_layout import LAYOUT
from uno_agents.neural.weights import (
    WEIGHTS_FILE,
    CheckpointError,
    layout_of,
    read_own_weights,
    read_weights,
    reads_seats_by_turn,
    weights_path,
)
from uno_agents.pretrained import pretrained_path

from uno_env import Rules
from uno_env.array_types import Floats
from uno_env.cards import kind_of
from uno_env.command_line import CommandParser
from uno_env.kinds import KINDS
from uno_env.rulesets.conditions import DECK, JOIN

from .config import ConfigError
from .rule_mixes import DECK_KINDS

KNOWN_CARDS = "known-cards"
"""Part of a gate: every kind of card in the deck is one that the expert was trained with."""
SHARED_KEYS = (
    "format",
    "observation_version",
    "observation_size",
    "num_actions",
    "uno_env_version",
)
"""What the metadata of a mixture says of all its networks."""
EXAMPLE = (
    "uno-train mixture runs/all/best --expert team_mode=pairs=runs/teams/best --out runs/mixture"
)


class Checkpoint(NamedTuple):
    """Arrays and metadata of a weights file."""

    weights: Mapping[str, Floats]
    metadata: Mapping[str, Any]


def join(base: Checkpoint, experts: Mapping[str, Checkpoint]) -> Checkpoint:
    """One checkpoint of a base network and experts by their gates; the first that holds decides."""
    for part in (base, *experts.values()):
        _check_single(part.metadata)
    weights, entries = dict(base.weights), []
    for number, (words, expert) in enumerate(experts.items()):
        gate, unknown = _read_gate(words, expert.metadata)
        prefix = expert_prefix(number)
        weights |= {f"{prefix}{name}": array for name, array in expert.weights.items()}
        about = expert.metadata
        entries.append(
            {
                "gate": gate,
                "hidden": about["hidden"],
                "seats_by_turn": reads_seats_by_turn(about),
                **({UNKNOWN: unknown} if unknown else {}),
                **({HEURISTIC_PRIOR: prior} if (prior := about.get(HEURISTIC_PRIOR)) else {}),
                **{key: about[key] for key in ("command", "commit", "config") if key in about},
                "decisions": about.get("decisions", 0),
            }
        )
    return Checkpoint(weights, {**base.metadata, EXPERTS: entries})


def base_of(checkpoint: Checkpoint) -> Checkpoint:
    """The base network of a mixture by itself; a single network as it is."""
    about = checkpoint.metadata
    base, *_ = split_weights(checkpoint.weights, len(about.get(EXPERTS, [])))
    return Checkpoint(base, {key: value for key, value in about.items() if key != EXPERTS})


def expert_of(checkpoint: Checkpoint, words: str) -> Checkpoint:
    """The expert of a mixture by the gate it was joined with, by itself."""
    about, gate = checkpoint.metadata, _without_known_cards(words)
    entries = about.get(EXPERTS, [])
    numbers = [number for number, entry in enumerate(entries) if entry["gate"] == gate]
    if not numbers:
        raise ConfigError(f"there is no expert for {gate!r}; train it: --experts without names")
    _, *experts = split_weights(checkpoint.weights, len(entries))
    shared = {key: value for key, value in about.items() if key in SHARED_KEYS}
    return Checkpoint(experts[numbers[0]], {**shared, **entries[numbers[0]]})


def _without_known_cards(words: str) -> str:
    return JOIN.join(part for part in words.split(JOIN) if part != KNOWN_CARDS)


def _read_gate(words: str, metadata: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The gate of an expert, and the cards that it does not know if it is to know them all."""
    gate = _without_known_cards(words)
    gate_columns(gate)
    if KNOWN_CARDS not in words.split(JOIN):
        return gate, []
    if "tables" not in metadata:  # it was an expert of a mixture before
        return gate, list(metadata.get(UNKNOWN, []))
    decks = {Rules.from_text(rules).deck.counts for rules, _ in metadata["tables"]}
    known = {kind_of(face) for deck in decks for face, count in enumerate(deck) if count}
    return gate, [f"{DECK}{kind}" for kind in DECK_KINDS if KINDS.index(kind) not in known]


def _check_single(metadata: Mapping[str, Any]) -> None:
    if metadata.get(EXPERTS):
        raise CheckpointError("a mixture cannot be part of another one; name its networks instead")
    if "network" in metadata:
        raise CheckpointError(f"a network of your own, {metadata['network']}, cannot be an expert")
    if layout_of(metadata) is not LAYOUT:
        raise CheckpointError(
            f"a network of observation version {metadata['observation_version']} cannot be part of "
            f"a mixture; version {LAYOUT.version} is needed"
        )


def read_checkpoint(place: str, own_only: bool = False) -> Checkpoint:
    """The checkpoint of `pretrained:NAME`, of a folder or of a weights file.

    Args:
        own_only: leave out experts whose arrays are in other files.
    """
    name = place.removeprefix("pretrained:")
    path = pretrained_path(name) if name != place else weights_path(place)
    return Checkpoint(*(read_own_weights if own_only else read_weights)(path))


def _gate_and_place(word: str) -> tuple[str, str]:
    """`GATE=CHECKPOINT`, where the gate may have an equals sign of its own."""
    gate, equals, place = word.rpartition("=")
    if not equals or not gate or not place:
        raise ConfigError(
            f"--expert {word!r} is not GATE=CHECKPOINT, as team_mode=pairs=runs/teams/best is"
        )
    return gate, place


def main(words: Sequence[str]) -> int:
    """Write the checkpoint folder and say how to play it."""
    from .checkpoint import write_checkpoint

    parser = CommandParser(
        example=EXAMPLE,
        prog="uno-train mixture",
        description="Join trained networks as a mixture of experts, gated by the rules.",
    )
    parser.add_argument("base", help="decides where no gate holds: a folder, or pretrained:NAME")
    parser.add_argument(
        "--expert",
        action="append",
        required=True,
        metavar="GATE=CHECKPOINT",
        help="an expert and the rules it is for; may be given several times",
    )
    parser.add_argument("--out", type=Path, required=True, help="the checkpoint folder to write")
    options = parser.parse_args(words)
    named = [_gate_and_place(word) for word in options.expert]
    experts = {gate: read_checkpoint(place) for gate, place in named}
    if len(experts) < len(named):
        raise ConfigError("two experts have the same gate")
    joined = join(read_checkpoint(options.base), experts)
    write_checkpoint(options.out, joined.weights, dict(joined.metadata))
    count = len(experts)
    print(f"{options.out / WEIGHTS_FILE}: a base network and {count} expert{'s'[: count != 1]}")
    print(f"It plays as it is: uno-play {options.out}")
    return 0
