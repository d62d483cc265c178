"""What callers say about each game of a batch, checked: rules, table size, seed, action.

Lists of rules and sizes are assigned round-robin: game i gets item i modulo the length of the list.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ..array_types import Ints, Words
from ..engine.lowlevel.bits import splitmix64_words
from ..game import check_seed, resolve_rules
from ..rules.presets import default_players
from ..rules.rules import Rules, RulesError

Variants = str | Rules | Sequence[str | Rules]
Players = int | None | Sequence[int | None] | Ints
Seeds = int | Sequence[int] | Words | Ints
Item = TypeVar("Item")


class Layout(NamedTuple):
    """The rule sets of a batch, and per game which of them it plays and at what table size."""

    rule_sets: list[Rules]
    rule: Ints
    num_players: Ints


def lay_out(
    variant: Variants,
    num_players: Players,
    num_envs: Any,
    rules: Rules | Sequence[Rules] | None = None,
) -> Layout:
    """Rules and table size of each game, checked."""
    whole = isinstance(num_envs, (int, np.integer)) and not isinstance(num_envs, bool)
    if not whole or num_envs < 1:
        raise ValueError(f"num_envs is {num_envs!r}; an integer of at least 1 is needed")
    option = "variant" if rules is None else "rules"
    named = _dealt_out(option, variant if rules is None else rules, num_envs)
    values = {id(item): resolve_rules(item, item if rules else None) for item in named}
    sizes = _dealt_out("num_players", num_players, num_envs)
    index: dict[Rules, int] = {}
    rule = np.zeros(num_envs, np.int64)
    players = np.zeros(num_envs, np.int64)
    # Lists repeat, so there are few different pairs of rules and size to check.
    checked: dict[tuple[int, Any], tuple[int, int]] = {}
    for i, (item, size) in enumerate(zip(named, sizes, strict=True)):
        pair = (id(item), size)
        if pair not in checked:
            value = values[id(item)]
            checked[pair] = (index.setdefault(value, len(index)), _table_size(value, size, i))
        rule[i], players[i] = checked[pair]
    return Layout(list(index), rule, players)


def _dealt_out(option: str, given: Any, num_envs: int) -> list[Any]:
    if isinstance(given, np.ndarray):
        given = given.tolist()
    items = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    if not 1 <= len(items) <= num_envs:
        raise ValueError(
            f"{option} lists {len(items)} items; 1 to num_envs={num_envs} are assigned round-robin"
        )
    return [items[i % len(items)] for i in range(num_envs)]


def _table_size(rules: Rules, size: Any, i: int) -> int:
    if size is None:
        return max(default_players(rules.variant), rules.min_players)
    number = int(size) if isinstance(size, np.integer) else size
    try:
        rules.check_players(number)
    except RulesError as error:
        raise RulesError(f"game {i} of the batch: {error}") from None
    return int(number)


def game_seeds(seed: Seeds, num_envs: int) -> Words:
    """The seed of each game: as listed, or derived from one number.

    Derived seeds are hashed, so that batches seeded 0 and 1 have no game in common.
    """
    if isinstance(seed, (Sequence, np.ndarray)):
        if len(seed) != num_envs:
            raise ValueError(f"seed lists {len(seed)} seeds; one for each of {num_envs} games")
        return np.array([check_seed(item) for item in seed], np.uint64)
    start = splitmix64_words(np.array([check_seed(seed)], np.uint64))
    return splitmix64_words(start ^ np.arange(num_envs, dtype=np.uint64))


def rngs_of(seeds: Words) -> Words:
    """The generators of random actions, one a game, unrelated to its cards."""
    return splitmix64_words(~seeds)


def action_ids(actions: npt.ArrayLike, num_envs: int) -> Ints:
    """Actions as the engine takes them: one integer for each game."""
    if type(actions) is np.ndarray and actions.dtype == np.int64 and actions.shape == (num_envs,):
        return actions
    ids = np.asarray(actions)
    if ids.dtype.kind not in "iu":
        raise TypeError(f"actions are {ids.dtype}; integer action ids are needed")
    if ids.shape != (num_envs,):
        raise ValueError(f"actions have shape {ids.shape}; ({num_envs},) is needed")
    return ids.astype(np.int64)
