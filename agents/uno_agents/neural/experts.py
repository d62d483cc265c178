"""Mixtures of experts: several networks in one checkpoint, each for a family of rules.

Beside its base network a checkpoint may hold experts (Jacobs et al. 1991,
https://doi.org/10.1162/neco.1991.3.1.79). The gate of an expert is a condition on the rules, such
as `team_mode=pairs` or `deck.wild-swap+deck.skip`, each part of which one byte of the observation
tells. The first expert whose gate holds decides, the base network everywhere else: a decision costs
one forward pass. An expert may also name cards that it does not know: it leaves decks that have
them to others, and have a heuristic prior of its own (`policy_overrides.py`).
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from uno_env.array_types import Bytes, Floats, Ints
from uno_env.engine.rule_vector import vector_layout
from uno_env.rules import Rules
from uno_env.rulesets import Combination, Condition

from .input_layout import LAYOUT

if TYPE_CHECKING:
    from .policy_overrides import Policy

HEURISTIC_PRIOR = "heuristic_prior"
"""Metadata key, of an expert's description as well: see `policy_overrides.py`."""
EXPERTS = "experts"
"""Metadata key of a mixture: a list with the gate of each expert and the shape of its network."""
MAX_EXPERTS = 16
BASE = 0
NEEDED, UNKNOWN = ("gate", "hidden", "seats_by_turn"), "unknown"
"""Keys of an expert's description, the last one if it does not know all cards."""


class Expert(NamedTuple):
    """An expert as the metadata describes it.

    Attributes:
        gate: the condition on the rules under which it decides.
        hidden: widths of its hidden layers.
        seats_by_turn: whether it reads seats in the order of turn.
        unknown: gates of which none may hold where it decides.
        heuristic_prior: logit bonus of the heuristic's action where it decides.
    """

    gate: str
    hidden: Sequence[int]
    seats_by_turn: bool
    unknown: Sequence[str] = ()
    heuristic_prior: float = 0.0

    def decides(self, rules: Rules) -> bool:
        """Whether it is for these rules."""
        holds = (Combination.from_text(gate).holds(rules) for gate in self.unknown)
        return Combination.from_text(self.gate).holds(rules) and not any(holds)

    def columns(self) -> "GateColumns":
        """The columns of the observation that say so."""
        unknown = [column for gate in self.unknown for column in gate_columns(gate)]
        return GateColumns(gate_columns(str(self.gate)), unknown)


class GateColumns(NamedTuple):
    """Columns of the observation: an expert decides where all of `on`, none of `off` are set."""

    on: Sequence[int]
    off: Sequence[int] = ()


def gate_columns(gate: str) -> list[int]:
    """The columns of the observation of which none is zero where a gate holds.

    Raises:
        ValueError: a part of the text is no condition, or none that a single byte tells.
    """
    return [_column(condition) for condition in Combination.from_text(gate).conditions]


def _column(condition: Condition) -> int:
    byte = str(condition)
    if condition.value is None:
        byte = condition.key.replace(".", " ", 1)
    elif condition.value is True:
        byte = condition.key
    layout = vector_layout()
    if byte not in layout:
        raise ValueError(
            f"'{condition}' is no gate: no byte of the observation says just that; deck.KIND, "
            "rule=true and named values of a rule, except its first, are gates"
        )
    return LAYOUT.offsets["rules"] + layout.index(byte)


def experts_of(metadata: Mapping[str, Any]) -> list[Expert]:
    """The experts that metadata describes, none for a single network.

    Raises:
        ValueError: the description is damaged.
    """
    entries = metadata.get(EXPERTS, [])
    if not isinstance(entries, list) or len(entries) > MAX_EXPERTS:
        raise ValueError(f"{EXPERTS} is {entries!r}; a list of at most {MAX_EXPERTS} is needed")
    experts = []
    for entry in entries:
        if not isinstance(entry, dict) or not {*NEEDED} <= {*entry}:
            raise ValueError(f"an expert is {entry!r}; it needs {', '.join(NEEDED)}")
        unknown = entry.get(UNKNOWN, [])
        if not isinstance(unknown, list):
            raise ValueError(f"{UNKNOWN} of an expert is {unknown!r}; a list of gates is needed")
        prior = entry.get(HEURISTIC_PRIOR, 0.0)
        if not isinstance(prior, (int, float)) or not math.isfinite(prior):
            raise ValueError(f"{HEURISTIC_PRIOR} of an expert is {prior!r}; a number is needed")
        gate, hidden, seats_by_turn = (entry[field] for field in NEEDED)
        expert = Expert(gate, hidden, seats_by_turn, [str(each) for each in unknown], prior)
        expert.columns()
        experts.append(expert)
    return experts


def expert_prefix(number: int) -> str:
    """What the names of an expert's arrays begin with."""
    return f"{EXPERTS}.{number}."


def split_weights(weights: Mapping[str, Floats], count: int) -> list[dict[str, Floats]]:
    """The arrays of the base network and of each expert, by their names in a single network."""
    prefixes = [expert_prefix(number) for number in range(count)]
    base = {name: array for name, array in weights.items() if not name.startswith(tuple(prefixes))}
    return [base] + [
        {
            name.removeprefix(prefix): array
            for name, array in weights.items()
            if name.startswith(prefix)
        }
        for prefix in prefixes
    ]


def route(obs: Bytes, columns: Sequence[GateColumns]) -> Ints:
    """Who decides each row: `BASE`, or one more than the number of the expert.

    Args:
        obs: observations (B, bytes).
        columns: of each expert.
    """
    chosen = np.full(len(obs), BASE)
    for number in reversed(range(len(columns))):
        on, off = (obs[:, list(part)] for part in columns[number])
        chosen[on.all(axis=1) & ~off.any(axis=1)] = number + 1
    return chosen


def deciding_network(experts: Sequence[Expert], rule_sets: Sequence[Rules]) -> int:
    """Who decides under all of these rules, as `route` numbers them; `BASE` if not one of them."""
    found = set()
    for rules in rule_sets:
        held = (number + 1 for number, expert in enumerate(experts) if expert.decides(rules))
        found.add(next(held, BASE))
    return found.pop() if len(found) == 1 else BASE


class MixturePolicy:
    """Asks the network that the rules of each row call for.

    Args:
        policies: the base network, then the experts.
        experts: their descriptions; the first whose gate holds counts.
    """

    def __init__(self, policies: Sequence["Policy"], experts: Sequence[Expert]) -> None:
        self._policies = tuple(policies)
        self._columns = [expert.columns() for expert in experts]

    def __call__(self, obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        """Masked logits (B, actions) and values (B,)."""
        chosen = route(obs, self._columns)
        present: list[int] = np.unique(chosen).tolist()
        if len(present) == 1:  # as in every game of one rule set
            return self._policies[present[0]](obs, mask)
        logits = np.empty(mask.shape, np.float32)
        values = np.empty(len(obs), np.float32)
        for number in present:
            rows = np.flatnonzero(chosen == number)
            logits[rows], values[rows] = self._policies[number](obs[rows], mask[rows])
        return logits, values
