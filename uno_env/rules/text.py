"""Rules as text: the short command-line form, YAML files, and readable error messages."""

import difflib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

_MAPPINGS = ("deck", "points")
"""Rules that are mappings, written `deck.wild=8`."""
_WORDS = {"true": True, "false": False}
_FORM = re.compile(r"\s*([A-Za-z0-9_]+)\s*(?:\((.*)\))?\s*", re.DOTALL)


def format_rules(data: Mapping[str, Any]) -> str:
    """`{"variant": v, key: value, "deck": {...}}` as `v(key=value,deck.card=count)`."""
    rest = {key: value for key, value in data.items() if key not in ("variant", *_MAPPINGS)}
    pairs = [f"{key}={_text(rest[key])}" for key in sorted(rest)]
    for name in _MAPPINGS:
        pairs += [f"{name}.{card}={_text(n)}" for card, n in sorted(data.get(name, {}).items())]
    return f"{data['variant']}({','.join(pairs)})" if pairs else str(data["variant"])


def parse(text: str, error: type[ValueError]) -> dict[str, Any]:
    """The reverse of `format_rules`."""
    given: object = text
    found = _FORM.fullmatch(given) if isinstance(given, str) else None
    if not found:
        raise error(f"rules text {text!r} is not of the form variant(key=value,...)")
    data: dict[str, Any] = {"variant": found[1]}
    for pair in filter(None, (part.strip() for part in (found[2] or "").split(","))):
        key, equals, value = pair.partition("=")
        if not equals:
            raise error(f"rules text: {pair!r} is not of the form key=value")
        key = key.strip()
        place = data
        name, dot, card = key.partition(".")
        if dot and name in _MAPPINGS:
            place, key = data.setdefault(name, {}), card
        if key in place:
            raise error(f"rules text: {key!r} is given twice")
        place[key] = _value(value)
    return data


def read_yaml(path: Path, error: type[ValueError]) -> dict[str, Any]:
    """The mapping in a YAML file."""
    try:
        import yaml
    except ImportError:
        raise error("reading rules files needs PyYAML: pip install 'uno-env[yaml]'") from None
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise error(f"cannot read {path}: {problem.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise error(f"{path} is not valid YAML: {problem}") from None
    if not isinstance(data, dict):
        raise error(f"{path} must hold a mapping: a variant and what differs from it")
    for name in _MAPPINGS:
        if isinstance(data.get(name), dict):
            # YAML reads the kind `7` as a number.
            data[name] = {str(key): value for key, value in data[name].items()}
    return {str(key): value for key, value in data.items()}


def unknown_rule(name: str, known: Iterable[str]) -> str:
    """Message for a rule that does not exist, with the nearest ones that do."""
    near = difflib.get_close_matches(name, list(known), 3, 0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; see Rules.model_fields"
    return f"unknown rule {name!r}{hint}"


def explain(error: ValidationError) -> str:
    """One line per problem: the field, its value, what is allowed."""
    lines = []
    for problem in error.errors():
        where = ".".join(str(part) for part in problem["loc"])
        text = problem["msg"].removeprefix("Value error, ")
        if not where:
            lines.append(text)
        elif problem["type"] == "value_error":
            lines.append(f"{where}: {text}")
        else:
            lines.append(f"{where} is {problem['input']!r}: {text[0].lower()}{text[1:]}")
    return "; ".join(lines)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value(text: str) -> Any:
    text = text.strip()
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if re.fullmatch(r"-?\d+", text) else text
