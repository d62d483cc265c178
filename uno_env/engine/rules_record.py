"""A `Rules` value as the engine's record, and the rule vector agents are conditioned on."""

from functools import lru_cache
from typing import Any

import numpy as np

from ..cards import COLORED_KINDS, FIRST_GIVE, KINDS, NUM_FACES, kind_of
from ..rules.rules import Rules
from .state import CODED, PILE_CAPACITY, RULE_VECTOR, RULES, choices, coded, new_records
from .tables import WILD_HI

# One byte per switch of the vector: rules that change what the best move is. A rule of several
# words with more than two values takes one byte per value but the first.
_FLAGS = (
    "voluntary_draw",
    "draw_policy",
    "play_drawn",
    "plus4_legality",
    "challenge",
    "challenge_surcharge",
    "stacking",
    "seven_swap",
    "zero_pass",
    "jump_in",
    "sum_out",
    "mercy_limit",
    "uno_call",
    "last_card_effects",
    "scoring_mode",
    "team_mode",
    "two_player_reverse",
    "challenge_wilds_count",
    "bluff_allowed",
    "uno_late_call",
    "wild_only_when_stuck",
)

STAYS = {"always": (0, 0), "only_without_match": (-1, ~WILD_HI), "never": (-1, -1)}
"""The set of faces that keep a seat which could play them from drawing instead."""


def vector_layout() -> list[str]:
    """The meaning of each byte of the rule vector."""
    names = [f"deck {kind}" for kind in KINDS] + ["deck +give"]
    for field in _FLAGS:
        words = choices(field)
        if words:
            names += [f"{field}={word}" for word in words[1:]]
        else:
            names.append(field)
    return names + ["spare"] * (RULE_VECTOR - len(names))


def rule_vector(rules: Rules) -> np.ndarray[Any, Any]:
    """What an agent is told about the rules, as bytes."""
    values = [rules.deck.kind_total(kind) for kind in range(len(KINDS))]
    values.append(sum(rules.deck.counts[FIRST_GIVE:]))
    for field in _FLAGS:
        value = getattr(rules, field)
        words = choices(field)
        values += [int(value == word) for word in words[1:]] if words else [int(value)]
    if len(values) > RULE_VECTOR:
        raise ValueError(f"{len(values)} numbers do not fit the {RULE_VECTOR} of the rule vector")
    vector = np.zeros(RULE_VECTOR, np.uint8)
    vector[: len(values)] = np.minimum(values, 255)
    return vector


@lru_cache(maxsize=4096)
def _rules_bytes(rules: Rules) -> bytes:
    record = np.zeros(1, RULES)
    for field in CODED:
        record[field] = coded(field, getattr(rules, field))
    record["has_react"] = rules.jump_in or rules.sum_out != "none"
    record["has_teams"] = rules.team_mode == "pairs"
    swaps = rules.seven_swap or rules.zero_pass or rules.has("wild-swap")
    record["hands_move"] = swaps or rules.has("wild-roulette")
    record["draw_limit"] = rules.mercy_limit if rules.mercy_check == "immediate" else 0
    wilds_limited = rules.wild_only_when_stuck or not rules.bluff_allowed
    record["plays_limited"] = wilds_limited or not rules.finish_on_action
    record["deck_size"] = rules.deck.size
    record["stays_lo"], record["stays_hi"] = STAYS[rules.voluntary_draw]
    record["vector"] = rule_vector(rules).view(np.uint64)
    record["deck"][0, : len(rules.deck.counts)] = rules.deck.counts
    cards = np.zeros(PILE_CAPACITY, np.uint8)
    cards[: rules.deck.size] = np.repeat(np.arange(len(rules.deck.counts)), rules.deck.counts)
    record["cards_words"] = cards.view(np.uint64)
    record["plain"][0, :10] = (
        rules.team_mode == "none" and not rules.jump_in and rules.sum_out == "none"
    )
    record["plain"][0, 0] &= not rules.zero_pass
    record["plain"][0, 7] &= not rules.seven_swap
    colored = len(COLORED_KINDS)
    for face in range(NUM_FACES):
        kind = kind_of(face)
        points = kind if kind < 10 else rules.value_action if kind < colored else rules.value_wild
        record["card_points"][0, face] = points
    return record.tobytes()


def rules_table(rule_sets: list[Rules]) -> np.ndarray[Any, Any]:
    """The records of several rule sets; games name theirs by its index."""
    data = b"".join(_rules_bytes(rules) for rules in rule_sets)
    table = new_records(len(rule_sets), RULES)
    table.view(np.uint8).reshape(-1)[:] = np.frombuffer(data, np.uint8)
    return table
