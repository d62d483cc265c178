"""A `Rules` value as the engine's record: switches as numbers, and what each kind of card does.

Rules that give a card something to do (a seven that swaps, a blank, a skip that deflects) become
effects of its kind here, so kernels read one table and know no variant.
"""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cards import NUM_FACES, kind_of
from ..kinds import KIND_TABLE, MAX_DRAWS, NUM_KINDS, NUMBERS, Effect
from ..rules.rules import Rules
from .rule_vector import kind_points, rule_vector
from .state import CODED, MAX_HAND, PILE_CAPACITY, RULES, coded, new_records
from .tables import K_BLANK, K_REVERSE, K_SEVEN, K_SKIP, K_WILD, K_ZERO, WILD_HI

STAYS = {"always": (0, 0), "only_without_match": (-1, ~WILD_HI), "never": (-1, -1)}
"""The set of faces that keep a seat which could play them from drawing instead."""
JOKER_STACKING = "draw2_draw4_with_joker_cancel"


def kind_effects(rules: Rules) -> list[Effect]:
    """What each kind of card does under these rules."""
    effects = [kind.effect for kind in KIND_TABLE]
    if rules.seven_swap:
        effects[K_SEVEN] |= Effect.SWAP_OWN
        if rules.seven_swap_optional:
            effects[K_SEVEN] |= Effect.MAY_DECLINE
    if rules.zero_pass:
        effects[K_ZERO] |= Effect.PASS_HANDS
    if rules.stacking == JOKER_STACKING:
        effects[K_WILD] |= Effect.CANCEL
    for kind, name in ((K_SKIP, "skip"), (K_REVERSE, "reverse")):
        if rules.deflection in (name, "both"):
            effects[kind] |= Effect.DEFLECT
    if rules.blank_effect != "none":
        effects[K_BLANK] |= Effect[rules.blank_effect.upper()]
    return effects


def kind_draws(rules: Rules) -> list[int]:
    """How many cards each kind makes a seat draw."""
    draws = [kind.draws for kind in KIND_TABLE]
    if rules.blank_effect in ("draw", "target_draw"):
        draws[K_BLANK] = rules.blank_draws
    return draws


def _answers(rules: Rules, effects: list[Effect], draws: list[int]) -> npt.NDArray[np.int64]:
    """By the value of the last draw card, the faces that answer its penalty, as two words."""
    table = np.zeros((MAX_DRAWS + 1, 2), np.uint64)
    for value in range(1, MAX_DRAWS + 1):
        for face in range(NUM_FACES):
            kind = kind_of(face)
            stacks = bool(effects[kind] & Effect.DRAW) and {
                "none": False,
                "same_value": draws[kind] == value,
                "any_value": True,
            }.get(rules.stacking, draws[kind] >= value)
            if stacks or effects[kind] & (Effect.CANCEL | Effect.DEFLECT):
                table[value, face >> 6] |= np.uint64(1 << (face & 63))
    return table.view(np.int64)


def _faces_with(effects: list[Effect], wanted: Effect) -> tuple[int, int]:
    """The faces with an effect, as two words."""
    words = np.zeros(2, np.uint64)
    for face in range(NUM_FACES):
        if effects[kind_of(face)] & wanted:
            words[face >> 6] |= np.uint64(1 << (face & 63))
    lo, hi = words.view(np.int64).tolist()
    return lo, hi


def _plain_kinds(rules: Rules, effects: list[Effect]) -> list[bool]:
    """Kinds after which, but for the last cards of a hand, the turn simply passes on."""
    simple = (
        rules.team_mode == "none"
        and not rules.jump_in
        and rules.sum_out == "none"
        and not rules.multiple_play
        and rules.uno_catch_window != "until_own_turn"
    )
    return [simple and kind < NUMBERS and not effects[kind] for kind in range(NUM_KINDS)]


@lru_cache(maxsize=4096)
def _rules_bytes(rules: Rules) -> bytes:
    record = np.zeros(1, RULES)
    for field in CODED:
        record[field] = coded(field, getattr(rules, field))
    effects, draws, points = kind_effects(rules), kind_draws(rules), kind_points(rules)
    record["has_react"] = rules.jump_in or rules.sum_out != "none"
    record["has_teams"] = rules.team_mode == "pairs"
    record["answerable"] = rules.stacking != "none" or rules.deflection != "none"
    record["draw_limit"] = rules.mercy_limit if rules.mercy_check == "immediate" else 0
    if rules.cards.size > MAX_HAND and not record["draw_limit"]:
        record["draw_limit"] = MAX_HAND
    wilds_limited = rules.wild_only_when_stuck or not rules.bluff_allowed
    record["plays_limited"] = wilds_limited or not rules.finish_on_action
    record["deck_size"] = rules.cards.size
    record["stays_lo"], record["stays_hi"] = STAYS[rules.voluntary_draw]
    answers = _answers(rules, effects, draws)
    record["answers_lo"], record["answers_hi"] = answers[:, 0], answers[:, 1]
    record["sheds_lo"], record["sheds_hi"] = _faces_with(effects, Effect.DISCARD_COLOR)
    record["vector"] = rule_vector(rules).view(np.uint64)
    counts = rules.cards.counts
    record["deck"][0] = np.minimum(counts, 255)
    cards = np.zeros(PILE_CAPACITY, np.uint8)
    cards[: rules.cards.size] = np.repeat(np.arange(NUM_FACES), counts)
    record["cards_words"] = cards.view(np.uint64)
    record["effects"] = [effect.value for effect in effects]
    record["draws"] = draws
    record["skip_counts"] = [kind.skips or 1 for kind in KIND_TABLE]
    record["plain"] = _plain_kinds(rules, effects)
    record["card_points"] = [points[kind_of(face)] for face in range(NUM_FACES)]
    return record.tobytes()


def rules_table(rule_sets: list[Rules]) -> np.ndarray[Any, Any]:
    """The records of several rule sets; games name theirs by its index."""
    data = b"".join(_rules_bytes(rules) for rules in rule_sets)
    table = new_records(len(rule_sets), RULES)
    table.view(np.uint8).reshape(-1)[:] = np.frombuffer(data, np.uint8)
    return table
