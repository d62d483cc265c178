"""The rules as a form needs them: presets, every rule, its allowed values."""

from functools import cache
from typing import Any, get_args

from annotated_types import Ge, Le

from uno_env import VARIANTS, Rules
from uno_env.render.words import VARIANT_WORDS
from uno_env.rules.presets import default_players
from uno_env.rules.rules import MAPPINGS


@cache
def rules_schema() -> dict[str, Any]:
    """All presets and all rules; `variant` itself is none of the switches."""
    switches = [_switch(name) for name in Rules.model_fields if name != "variant"]
    return {
        "variants": [_variant(name) for name in VARIANTS],
        "switches": switches,
        "groups": list(dict.fromkeys(switch["group"] for switch in switches)),
    }


def player_limits(rules: Rules) -> dict[str, int]:
    """The numbers of players a rule set allows."""
    sizes = [n for n in range(2, 11) if _allows(rules, n)]
    usual = max(default_players(rules.variant), rules.min_players)
    return {"least": sizes[0], "most": sizes[-1], "usual": min(usual, sizes[-1])}


def rule_values(rules: Rules) -> dict[str, Any]:
    """The value of every rule."""
    values = {name: getattr(rules, name) for name in Rules.model_fields}
    return values | {name: dict(getattr(rules, name)) for name in MAPPINGS}


def _allows(rules: Rules, n: int) -> bool:
    try:
        rules.check_players(n)
    except ValueError:
        return False
    return True


def _variant(name: str) -> dict[str, Any]:
    rules = Rules.preset(name)
    return {
        "name": name,
        "title": VARIANT_WORDS[name],
        "players": player_limits(rules),
        "cards": rules.deck.size,
        "rules": rule_values(rules),
    }


def _switch(name: str) -> dict[str, Any]:
    field = Rules.model_fields[name]
    extra: Any = field.json_schema_extra
    switch = {
        "name": name,
        "group": extra["group"],
        "description": field.description,
        "default": field.default,
    }
    if name in MAPPINGS:
        return switch | {"type": name, "default": dict(field.default)}
    if field.annotation is bool:
        return switch | {"type": "flag"}
    if field.annotation is int:
        least = next(limit.ge for limit in field.metadata if isinstance(limit, Ge))
        most = next(limit.le for limit in field.metadata if isinstance(limit, Le))
        return switch | {"type": "number", "least": least, "most": most}
    return switch | {"type": "choice", "values": list(get_args(field.annotation))}
