"""Opponents of a run in words: agent specs with their shares, `heuristic=0.3,pretrained:x=0.1`."""

from collections.abc import Mapping
from typing import Any

from uno_agents.registry import option_names


def read_shares(given: Any) -> Any:
    """Shares of opponents from `a=0.3,b=0.1`, from `a,b` (half of the games in all), or a mapping.

    The share follows the last equals sign, unless that belongs to an option of the spec:
    `heuristic:style=bluffer=0.1` has the share 0.1, `search:sims=50` has none.
    """
    if isinstance(given, Mapping):
        return given
    parts = [given] if isinstance(given, str) else list(given or ())
    named = [_share(word) for part in parts for word in _words(part)]
    open_ones = [spec for spec, share in named if share is None]
    return {spec: 0.5 / len(open_ones) if share is None else share for spec, share in named}


def _words(text: str) -> list[str]:
    """The parts between commas; a further option of a spec stays with it."""
    words: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, _ = part.partition("=")
        if words and equals and ":" in words[-1] and key in option_names(words[-1]):
            words[-1] += f",{part}"
        else:
            words.append(part)
    return words


def _share(word: str) -> tuple[str, float | None]:
    spec, equals, number = word.rpartition("=")
    # What stands before the equals sign, back to the start of an option.
    key = spec.replace(",", ":").rpartition(":")[2]
    if not equals or (":" in spec and "=" not in key and key in option_names(spec)):
        return word, None
    try:
        return spec, float(number)
    except ValueError:
        return word, None
