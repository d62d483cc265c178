"""The rule vector: what an agent is told about the rules it plays, as bytes of the observation.

Every rule that can change a decision is in it: how many cards of each kind there are, then the
switches. Rules left out are listed with the reason.
"""

from typing import Any

import numpy as np

from ..cards import FIRST_GIVE
from ..kinds import FIRST_ACTION_KIND, FIRST_WILD_KIND, KINDS, NUM_KINDS, NUMBERS
from ..rules.rules import Rules
from .state import RULE_VECTOR, choices

LEFT_OUT = {
    "variant": "a name; the rules themselves are encoded",
    "deck": "encoded as counts by kind over all copies",
    "deck_copies": "part of the deck counts",
    "points": "encoded as points of each kind; number cards usually count their number",
    "value_action": "encoded as points of each kind",
    "value_wild": "encoded as points of each kind",
    "min_players": "the table size is a block of its own",
    "max_players": "the table size is a block of its own",
    "first_dealer": "settled before the first decision",
    "between_rounds": "settled between rounds, without a decision",
    "cut": "settled before the first decision of a round",
    "perfect_cut_draw": "settled before the first decision of a round",
    "opening_ignored": "settled before the first decision of a round",
    "opening_plus4": "settled before the first decision of a round; the phase shows the decision",
    "opening_policy": "settled before the first decision of a round",
    "opening_wild_color_by": "settled before the first decision of a round; the phase shows it",
    "opening_reverse_starter": "settled before the first decision of a round",
    "opening_penalty_answerable": "settled in the opening; the phase shows the decision",
    "jump_in_on_opening": "settled in the opening; the phase shows the decision",
    "opening_pass": "the phase shows it",
    "fault_mode": "the mask shows what is legal",
    "fault_draw": "the mask shows what is legal",
    "auto_forced": "automatic decisions need no observation",
    "max_steps": "a limit that normal rounds do not reach",
    "max_rounds": "a limit that normal matches do not reach",
}
"""Rules that are not in the vector, and why."""

SCALED = {
    "challenge_surcharge": 10,
    "elimination_bonus": 10,
    "match_target": 20,
}
"""Numbers too large for a byte are divided by this, rounded up."""
POINT_SCALE = 5
MAX_BYTE = 255
SCORED_KINDS = range(FIRST_ACTION_KIND, len(KINDS))
"""Kinds whose points are told."""


def kind_points(rules: Rules) -> list[int]:
    """Points of each kind left in a hand."""
    usual = [
        kind if kind < NUMBERS else rules.value_action if kind < FIRST_WILD_KIND
        else rules.value_wild
        for kind in range(NUM_KINDS)
    ]  # fmt: skip
    return [rules.points.get(KINDS[kind], points) for kind, points in enumerate(usual)]


def told_rules() -> list[str]:
    """The rules that are in the vector, in their order."""
    return [name for name in Rules.model_fields if name not in LEFT_OUT]


def vector_layout() -> list[str]:
    """The meaning of each byte of the rule vector."""
    names = [f"deck {kind}" for kind in KINDS] + ["deck +give"]
    names += [f"points {KINDS[kind]}" for kind in SCORED_KINDS]
    for field in told_rules():
        words = choices(field)
        names += [f"{field}={word}" for word in words[1:]] if words else [field]
    return names + ["reserved"] * (RULE_VECTOR - len(names))


def rule_vector(rules: Rules) -> np.ndarray[Any, Any]:
    """What an agent is told about the rules."""
    values = [rules.cards.kind_total(kind) for kind in range(len(KINDS))]
    values.append(sum(rules.cards.counts[FIRST_GIVE:]))
    points = kind_points(rules)
    values += [-(-points[kind] // POINT_SCALE) for kind in SCORED_KINDS]
    for field in told_rules():
        value = getattr(rules, field)
        words = choices(field)
        if words:
            values += [int(value == word) for word in words[1:]]
        else:
            values.append(-(-int(value) // SCALED.get(field, 1)))
    if len(values) > RULE_VECTOR:
        raise ValueError(f"{len(values)} numbers do not fit the {RULE_VECTOR} of the rule vector")
    vector = np.zeros(RULE_VECTOR, np.uint8)
    vector[: len(values)] = np.minimum(values, MAX_BYTE)
    return vector
