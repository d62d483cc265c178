"""Lists of rules by name: `ruleset:SPLIT/train`, `ruleset:SPLIT/test`, `@VERSION` if one insists.

The lists are drawn by a hash, not by a library's generator, so they are the same everywhere and
for as long as the version is.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from ..rules.rules import Rules, RulesError
from .conditions import DECK, Combination, Condition
from .splits import COPIES, SIZES, SPLITS, TEST_SIZE, TRAIN_SIZE, VERSION, Split

PREFIX = "ruleset:"
PARTS = ("train", "test")
MOST_CHANGES = 5
"""Most changes of a base; a rule set of a test has held-out ones beside them."""
MOST_HELD_OUT = 2


def is_ruleset(text: str) -> bool:
    """Whether a variant is the name of a list."""
    return text.startswith(PREFIX)


def ruleset(name: str) -> tuple[Rules, ...]:
    """The rules of a list, such as `ruleset:values/train`."""
    body, at, version = name.removeprefix(PREFIX).partition("@")
    split_name, _, part = body.partition("/")
    if split_name not in SPLITS or part not in PARTS:
        raise RulesError(
            f"unknown rule sets {name!r}; they are {PREFIX}SPLIT/train and {PREFIX}SPLIT/test "
            f"with SPLIT one of {', '.join(SPLITS)}"
        )
    if at and version != str(VERSION):
        raise RulesError(f"{name!r}: this release has version {VERSION} of the rule sets")
    return _drawn(split_name, part)


def split(name: str) -> tuple[tuple[Rules, ...], tuple[Rules, ...]]:
    """The rules to train on and those to test on of a split, such as `values`."""
    if name not in SPLITS:
        raise RulesError(f"unknown split {name!r}; allowed: {', '.join(SPLITS)}")
    return _drawn(name, "train"), _drawn(name, "test")


def expand_variants(variants: Iterable[str]) -> tuple[str, ...]:
    """Rules texts, with every name of a list replaced by the texts of its rules."""
    texts: list[str] = []
    for variant in variants:
        if is_ruleset(variant):
            texts += [rules.text() for rules in ruleset(variant)]
        else:
            texts.append(variant)
    return tuple(texts)


def held_out(texts: Sequence[str]) -> tuple[Combination, ...]:
    """Combinations from texts; `ruleset:values` stands for all that this split holds out."""
    found: list[Combination] = []
    for text in texts:
        if not is_ruleset(text):
            found.append(Combination.from_text(text))
            continue
        split_name = text.removeprefix(PREFIX)
        if split_name not in SPLITS:
            raise RulesError(f"unknown split {text!r}; allowed: {', '.join(SPLITS)}")
        found += SPLITS[split_name].held_out
    return tuple(found)


class HashStream:
    """Whole numbers drawn from a text by SHA-256 in counter mode."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._drawn = 0

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1; 64 bits are taken, so the bias is below 1e-16."""
        self._drawn += 1
        digest = hashlib.sha256(f"{self._text} {self._drawn}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % limit

    def choice(self, options: Sequence[Any]) -> Any:
        """One of several."""
        return options[self.below(len(options))]

    def sample(self, options: Iterable[Any], count: int) -> list[Any]:
        """Several different ones, in the order drawn."""
        rest = list(options)
        return [rest.pop(self.below(len(rest))) for _ in range(min(count, len(rest)))]


@cache
def _drawn(split_name: str, part: str) -> tuple[Rules, ...]:
    split = SPLITS[split_name]
    stream = HashStream(f"uno_env ruleset {split_name}/{part}@{VERSION}")
    candidates = _for_training(split, stream) if part == "train" else _for_test(split, stream)
    found: dict[Rules, None] = {}
    size = TRAIN_SIZE if part == "train" else TEST_SIZE
    while len(found) < size:
        found[next(candidates)] = None
    return tuple(found)


def _for_training(split: Split, stream: HashStream) -> Iterator[Rules]:
    """Rule sets without anything that is held out; the bases themselves come first."""
    yield from map(Rules.from_text, split.bases)
    while True:
        rules = _mixed(split, stream)
        if not any(combination.holds(rules) for combination in split.held_out):
            yield rules


def _for_test(split: Split, stream: HashStream) -> Iterator[Rules]:
    """Rule sets that each have something held out; every combination is somebody's turn."""
    while True:
        for combination in split.held_out:
            rules = _mixed(split, stream)
            others = stream.sample(split.held_out, stream.below(MOST_HELD_OUT))
            for chosen in (*others, combination):
                for condition in chosen.conditions:
                    rules = _changed(rules, condition, stream)
            if combination.holds(rules):
                yield rules


def _mixed(split: Split, stream: HashStream) -> Rules:
    """A base with some rules replaced by others that the split has seen."""
    rules = Rules.from_text(stream.choice(split.bases))
    for key in stream.sample(split.seen, 1 + stream.below(MOST_CHANGES)):
        rules = _changed(rules, Condition(key, stream.choice(split.seen[key])), stream)
    return rules


def _changed(rules: Rules, condition: Condition, stream: HashStream) -> Rules:
    """Rules that meet a condition, or the same ones where it contradicts the rest."""
    if condition.value is None and condition.key.startswith(DECK):
        condition = Condition(condition.key, stream.choice(COPIES))
    try:
        new = rules.replace(**condition.change())
        for size in SIZES:
            new.check_players(size)
    except RulesError:
        return rules
    return new
