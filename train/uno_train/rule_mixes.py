"""Random rule mixes: valid house rules drawn from a seed, for an agent that plays them all.

A mix is a preset with some of its rules replaced: any switch that changes how a round is played,
and the number of cards of any kind. Switches of matches and of the engine are left out.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, get_args, get_origin

import numpy as np

from uno_env import VARIANTS, Rules, RulesError
from uno_env.kinds import FIRST_ACTION_KIND, KINDS, RESERVED
from uno_env.rulesets import Combination
from uno_env.rulesets.conditions import DECK
from uno_env.rulesets.splits import CHOICES as SPLIT_CHOICES

from .tables import TableConfig

NUMBERS_DRAWN = {
    "deck_copies": (1, 2),
    "hand_size": (5, 7, 9),
    "draw_count": (1, 2, 3),
    "blank_draws": (1, 3, 5),
    "challenge_fail_draw": (4, 6, 8),
    "challenge_success_draw": (2, 4, 6),
    "challenge_surcharge": (0, 50),
    "mercy_limit": (0, 20, 25, 30),
    "uno_penalty": (1, 2, 4),
    "team_play_fail_draw": (0, 2, 4),
}
"""Rules that are numbers, and what they are replaced by."""
LEFT_OUT_GROUPS = ("engine", "score")
"""Switches without a meaning for a round that is played to win."""
LEFT_OUT = ("first_dealer", "between_rounds", "next_dealer", "cut")
"""The same, of the group that also has the hand size."""
MOST_OF_A_FACE = {"wild": 6, "wild-draw4": 6, "wild-roulette": 8, "wild-reverse-draw4": 8}
MOST_COPIES = 4
"""Cards of a face that a changed deck has at most, if not as above."""
MOST_CHANGES = 12
"""Most rules that are replaced. Many depend on another and change nothing alone."""
DECK_SHARE = 0.3
"""Share of mixes with another deck."""


def switch_values() -> dict[str, tuple[Any, ...]]:
    """Every rule that may be replaced, and what by."""
    found: dict[str, tuple[Any, ...]] = dict(NUMBERS_DRAWN)
    for name, field in Rules.model_fields.items():
        extra = field.json_schema_extra
        group = extra.get("group") if isinstance(extra, dict) else None
        if name in LEFT_OUT or group in LEFT_OUT_GROUPS:
            continue
        if field.annotation is bool:
            found[name] = (False, True)
        elif get_origin(field.annotation) is Literal:
            found[name] = get_args(field.annotation)
    return found


CHOICES = switch_values()
"""Rules that may be replaced, and what by."""
POPULAR = frozenset(name for name in SPLIT_CHOICES if not name.startswith(DECK))
"""Rules that people change most, which the splits vary as well."""
DECK_KINDS = tuple(kind for kind in KINDS[FIRST_ACTION_KIND:] if RESERVED not in kind)
"""Kinds whose number in the deck may change: all but number cards."""
MOST_TRIES, FEWEST_ASKED = 200, 25
"""Mixes drawn for each one asked for, before it is clear that too much is excluded; of a few that
are asked for, as many as for this number, since luck matters more."""


def random_mixes(
    count: int,
    seed: int,
    exclude: Sequence[Combination] = (),
    require: Sequence[Combination] = (),
    popular: float = 1.0,
    most: int = MOST_CHANGES,
) -> list[TableConfig]:
    """So many different mixes, each at a table of a random size that it allows.

    Args:
        count: how many.
        seed: fixes them.
        exclude: what none of them may have; mixes that do are drawn anew.
        require: each has all of these.
        popular: how many times as often a rule of `POPULAR` is replaced as another one.
        most: rules that a mix replaces, at most; those that contradict others are skipped.
    """
    return list(_drawn(count, seed, tuple(exclude), tuple(require), popular, most))


@cache
def _drawn(
    count: int,
    seed: int,
    exclude: tuple[Combination, ...],
    require: tuple[Combination, ...],
    popular: float,
    most: int,
) -> tuple[TableConfig, ...]:
    """What `random_mixes` gives, drawn once: a run asks for its tables several times, and families
    of rules that are seldom drawn take a minute."""
    rng = np.random.default_rng([seed, 0x1713])
    found: dict[Rules, TableConfig] = {}
    tries = 0
    while len(found) < count:
        tries += 1
        if tries > MOST_TRIES * max(count, FEWEST_ASKED):
            raise ValueError(
                f"only {len(found)} of {count} rule mixes found; exclude less than "
                f"{', '.join(map(str, exclude)) or 'nothing'}, require less than "
                f"{', '.join(map(str, require)) or 'nothing'}"
            )
        rules = random_mix(rng, popular, most)
        if not any(combination.holds(rules) for combination in exclude) and all(
            combination.holds(rules) for combination in require
        ):
            found.setdefault(rules, TableConfig(rules, _random_size(rules, rng)))
    return tuple(found.values())


def random_mix(rng: np.random.Generator, popular: float = 1.0, most: int = MOST_CHANGES) -> Rules:
    """A preset with some rules replaced; replacements that contradict the others are skipped."""
    rules = Rules.preset(str(rng.choice(VARIANTS)))
    if rng.random() < DECK_SHARE:
        rules = _replaced(rules, "deck", _deck_change(rng))
    for name in _replaced_names(rng, popular, most):
        rules = _replaced(rules, name, _choice(CHOICES[name], rng))
    return rules


def _replaced_names(rng: np.random.Generator, popular: float, most: int) -> list[str]:
    """Rules to replace, in a random order."""
    names = list(CHOICES)
    if popular == 1:
        order = rng.permutation(names)
        return [str(name) for name in order[: int(rng.integers(1, most + 1))]]
    shares = np.array([popular if name in POPULAR else 1.0 for name in names])
    count = int(rng.integers(1, most + 1))
    chosen = rng.choice(names, count, replace=False, p=shares / shares.sum())
    return [str(name) for name in chosen]


def _replaced(rules: Rules, name: str, value: Any) -> Rules:
    try:
        new = rules.replace(**{name: value})
        new.check_players(new.min_players)
    except RulesError:
        return rules
    return new


def _deck_change(rng: np.random.Generator) -> dict[str, int]:
    kinds = [str(kind) for kind in rng.permutation(DECK_KINDS)[: int(rng.integers(1, 4))]]
    return {kind: int(rng.integers(0, MOST_OF_A_FACE.get(kind, MOST_COPIES) + 1)) for kind in kinds}


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
