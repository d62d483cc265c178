"""Random rule mixes: valid house rules drawn from a seed, for an agent that plays them all.

A mix is a preset with some of its rules replaced. Only rules that a player can see are drawn: the
observation shows them, so that a network can tell one mix from another.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from uno_env import VARIANTS, Rules, RulesError
from uno_env.rulesets import Combination

from .tables import TableConfig

CHOICES: Mapping[str, tuple[Any, ...]] = {
    "voluntary_draw": ("always", "only_without_match", "never"),
    "draw_policy": ("one", "until_playable"),
    "play_drawn": ("optional", "forced", "never"),
    "plus4_legality": ("anything", "no_active_color", "nothing_else"),
    "challenge": ("none", "target"),
    "bluff_allowed": (True, False),
    "challenge_surcharge": (0, 50),
    "stacking": ("none", "equal_or_higher", "draw2_draw4_with_joker_cancel"),
    "seven_swap": (True, False),
    "zero_pass": (True, False),
    "jump_in": (True, False),
    "sum_out": ("none", "numbers", "specials"),
    "mercy_limit": (0, 20, 25, 30),
    "uno_call": ("explicit", "auto", "off"),
    "uno_late_call": (True, False),
    "last_card_effects": ("none", "penalty_and_swap"),
    "two_player_reverse": ("play_again", "literal"),
    "wild_only_when_stuck": (True, False),
    "hand_size": (5, 7, 9),
}
"""Rules that may be replaced, and what by."""

DECK_KINDS = {
    "wild": 6,
    "wild-draw4": 6,
    "draw2": 4,
    "skip": 3,
    "reverse": 3,
    "wild-hyper-speed": 4,
    "wild-swap": 4,
    "draw4": 2,
    "discard-all": 3,
    "skip-all": 2,
    "wild-draw6": 4,
    "wild-draw10": 4,
    "wild-roulette": 8,
    "wild-reverse-draw4": 8,
}
"""Kinds whose number in the deck may change, and the most of a face."""

MOST_CHANGES = 6
MOST_TRIES = 200
"""Mixes drawn for each one asked for, before it is clear that too much is excluded."""


def random_mixes(count: int, seed: int, exclude: Sequence[Combination] = ()) -> list[TableConfig]:
    """So many different mixes, each at a table of a random size that it allows.

    Args:
        count: how many.
        seed: fixes them.
        exclude: what none of them may have; mixes that do are drawn anew.
    """
    rng = np.random.default_rng([seed, 0x1713])
    found: dict[Rules, TableConfig] = {}
    tries = 0
    while len(found) < count:
        tries += 1
        if tries > MOST_TRIES * count:
            raise ValueError(
                f"only {len(found)} of {count} rule mixes found; exclude less than "
                f"{', '.join(map(str, exclude))}"
            )
        rules = random_mix(rng)
        if not any(combination.holds(rules) for combination in exclude):
            found.setdefault(rules, TableConfig(rules, _random_size(rules, rng)))
    return list(found.values())


def random_mix(rng: np.random.Generator) -> Rules:
    """A preset with some rules replaced; replacements that contradict the others are skipped."""
    rules = Rules.preset(str(rng.choice(VARIANTS)))
    names = rng.permutation([*CHOICES, "deck"])[: int(rng.integers(1, MOST_CHANGES + 1))]
    for name in names:
        value = _deck_change(rng) if name == "deck" else _choice(CHOICES[name], rng)
        rules = _replaced(rules, str(name), value)
    return rules


def _replaced(rules: Rules, name: str, value: Any) -> Rules:
    try:
        new = rules.replace(**{name: value})
        new.check_players(new.min_players)
    except RulesError:
        return rules
    return new


def _deck_change(rng: np.random.Generator) -> dict[str, int]:
    kinds = rng.permutation(list(DECK_KINDS))[: int(rng.integers(1, 4))]
    return {str(kind): int(rng.integers(0, DECK_KINDS[str(kind)] + 1)) for kind in kinds}


def _choice(values: tuple[Any, ...], rng: np.random.Generator) -> Any:
    return values[int(rng.integers(len(values)))]


def _random_size(rules: Rules, rng: np.random.Generator) -> int:
    """A table size the rules allow, small ones more often, as people play."""
    sizes = []
    for size in range(rules.min_players, rules.max_players + 1):
        try:
            rules.check_players(size)
        except RulesError:
            continue
        sizes.append(size)
    shares = 1 / np.array(sizes)
    return int(rng.choice(sizes, p=shares / shares.sum()))
