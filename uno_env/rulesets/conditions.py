"""Conditions on rules, as texts: what a split holds out and what rule mixes leave out.

`jump_in=true` is a rule and its value, `deck.wild-roulette` a kind in the deck, `deck.draw2=5` a
kind with so many copies of a face. `jump_in=true+seven_swap=true` is a combination: all of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError

from ..cards import kind_of
from ..kinds import KIND_ID, RESERVED
from ..rules.rules import MAPPINGS, Rules, RulesError
from ..rules.text import parse, unknown_rule

DECK = "deck."
JOIN = "+"


@dataclass(frozen=True)
class Condition:
    """A rule with a value, or a kind of card in the deck.

    Args:
        key: a field of `Rules`, or `deck.KIND`.
        value: what it must be; None, for a kind, is any number of copies above 0.
    """

    key: str
    value: Any = None

    @classmethod
    def from_text(cls, text: str) -> "Condition":
        """Read `rule=value`, `deck.kind` or `deck.kind=copies`."""
        key, equals, word = (part.strip() for part in text.partition("="))
        if key.startswith(DECK):
            kind = key.removeprefix(DECK)
            if kind not in KIND_ID or RESERVED in kind:
                raise RulesError(f"{text!r}: there is no kind of card {kind!r}")
            if not equals:
                return cls(key)
            if not word.isdigit():
                raise RulesError(f"{text!r}: a number of copies is needed, not {word!r}")
            return cls(key, int(word))
        if key not in Rules.model_fields or key in MAPPINGS:
            raise RulesError(unknown_rule(key, Rules.model_fields))
        if not equals:
            raise RulesError(f"{text!r} names no value; write {key}=VALUE")
        return cls(key, _typed(key, word))

    def holds(self, rules: Rules) -> bool:
        """Whether the rules meet it."""
        if not self.key.startswith(DECK):
            return bool(getattr(rules, self.key) == self.value)
        kind = KIND_ID[self.key.removeprefix(DECK)]
        counts = {n for face, n in enumerate(rules.deck.counts) if n and kind_of(face) == kind}
        return bool(counts) if self.value is None else self.value in counts

    def change(self) -> Mapping[str, Any]:
        """The change of rules that makes it hold; a kind in any number has none of its own."""
        if not self.key.startswith(DECK):
            return {self.key: self.value}
        if self.value is None:
            raise RulesError(f"{self} does not say how many copies")
        return {"deck": {self.key.removeprefix(DECK): self.value}}

    def __str__(self) -> str:
        if self.value is None:
            return self.key
        value = str(self.value).lower() if isinstance(self.value, bool) else self.value
        return f"{self.key}={value}"


@dataclass(frozen=True)
class Combination:
    """Conditions that are met together."""

    conditions: tuple[Condition, ...]

    @classmethod
    def from_text(cls, text: str) -> "Combination":
        """Read conditions joined by `+`."""
        return cls(tuple(Condition.from_text(part) for part in text.split(JOIN)))

    def holds(self, rules: Rules) -> bool:
        """Whether the rules meet all of it."""
        return all(condition.holds(rules) for condition in self.conditions)

    def __str__(self) -> str:
        return JOIN.join(map(str, self.conditions))


def _typed(key: str, word: str) -> Any:
    """A value of a rule as `Rules` holds it; one that is not allowed is an error."""
    value = parse(f"classic({key}={word})", RulesError)[key] if key != "variant" else word
    field = Rules.model_fields[key]
    allowed: Any = Annotated[field.annotation, field]
    try:
        TypeAdapter(allowed).validate_python(value, strict=True)
    except ValidationError as error:
        raise RulesError(f"{key} is {value!r}: {error.errors()[0]['msg']}") from None
    return value
