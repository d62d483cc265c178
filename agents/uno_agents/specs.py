"""Spec strings: how an agent is named, `TARGET` or `TARGET:key=value,key=value`.

The target is a name (`search`), a name with an argument (`pretrained:classic`), a path
(`runs/x/best`, `bot.onnx`), a file and a class (`my_file.py:MyBot`) or a URL. Options come last and
are written alike for all of them: `search:sims=500`, `runs/x/best:sample=1`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from .base import AgentError

_PAIR = r"[A-Za-z_]\w*=[^,=]*"
# The first colon after which nothing but options follows, so that ports, classes and arguments,
# which have no equals sign, stay in the target.
_OPTIONS = re.compile(rf":({_PAIR}(?:,{_PAIR})*)$")
_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


@dataclass(frozen=True, slots=True)
class Spec:
    """A spec string taken apart; the options are texts still."""

    text: str
    target: str
    options: Mapping[str, str]

    @property
    def name(self) -> str:
        """The target up to its first colon."""
        return self.target.partition(":")[0]

    @property
    def argument(self) -> str:
        """The target after its first colon."""
        return self.target.partition(":")[2]


def parse_spec(text: object) -> Spec:
    """Take a spec string apart; refuses what is no text, empty, or names an option twice."""
    if not isinstance(text, str) or not text.strip():
        raise AgentError(f"agent spec is {text!r}; a text such as 'greedy' is needed")
    whole = text.strip()
    found = _OPTIONS.search(whole)
    if found is None:
        return Spec(whole, whole, {})
    pairs = [pair.split("=") for pair in found[1].split(",")]
    options = dict(pairs)
    if len(options) < len(pairs):
        raise AgentError(f"agent {whole!r} names an option twice")
    return Spec(whole, whole[: found.start()], options)


def split_specs(text: str) -> list[str]:
    """The specs of a list written with commas: `greedy,search:sims=50,ms=20,runs/a/best`.

    A `key=value` after a spec that has options is one more of its options.
    """
    specs: list[str] = []
    for part in text.split(","):
        if specs and re.fullmatch(_PAIR, part.strip()) and _OPTIONS.search(specs[-1]):
            specs[-1] += f",{part.strip()}"
        else:
            specs.append(part.strip())
    return specs


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a kind of agents.

    Attributes:
        kind: `int`, `float`, `bool` or `str`; the type of its value.
        least, most: bounds of a number.
        most_shared: the largest number where specs come from strangers; `most` if None.
    """

    name: str
    kind: type
    meaning: str
    least: float = 0
    most: float = float("inf")
    most_shared: float | None = None

    def read(self, text: str, spec: Spec, allow_local: bool) -> Any:
        """The value of a text, or an error that says what is allowed."""
        if self.kind is bool:
            if text.lower() in _TRUE + _FALSE:
                return text.lower() in _TRUE
            raise self._refused(text, spec, "1 or 0")
        if self.kind is str:
            return text
        shared = not allow_local and self.most_shared is not None
        most = self.most_shared if shared and self.most_shared is not None else self.most
        try:
            number = self.kind(text)
        except ValueError:
            number = float("nan")
        # Not a number fails this comparison too.
        if not self.least <= number <= most:
            what = "a whole number" if self.kind is int else "a number"
            top = "" if most == float("inf") else f" to {most:,}"
            raise self._refused(text, spec, f"{what} from {self.least}{top}")
        return number

    def _refused(self, text: str, spec: Spec, allowed: str) -> AgentError:
        return AgentError(f"agent {spec.text!r}: {self.name} is {text!r}; allowed: {allowed}")


def read_options(spec: Spec, known: tuple[Option, ...], allow_local: bool) -> dict[str, Any]:
    """The options of a spec as typed values; only those that were given."""
    by_name = {option.name: option for option in known}
    values = {}
    for key, text in spec.options.items():
        if key not in by_name:
            allowed = ", ".join(by_name) or "none"
            raise AgentError(
                f"agent {spec.text!r} has no option {key!r}; allowed: {allowed}"
                f"{did_you_mean(key, by_name)}"
            )
        values[key] = by_name[key].read(text, spec, allow_local)
    return values


def did_you_mean(word: str, known: Any) -> str:
    """A sentence with the nearest of the known words, or nothing."""
    close = get_close_matches(word, list(known), n=2, cutoff=0.6)
    return f". Did you mean {' or '.join(close)}?" if close else ""
