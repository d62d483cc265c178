"""The rules as a form needs them: presets, every rule, its allowed values."""

from functools import cache
from typing import Any, get_args

from annotated_types import Ge, Le

from uno_env import VARIANTS, Rules
from uno_env.render.words import VARIANT_WORDS
from uno_env.rules.presets import default_players
from uno_env.rules.rules import MAPPINGS
from uno_env.text.language import LANGUAGES, words_of
from uno_env.text.rules_words import FAVOURITES, rules_words, switch_words, value_words


@cache
def rules_schema() -> dict[str, Any]:
    """All presets and all rules; `variant` itself is none of the switches."""
    switches = [_switch(name) for name in Rules.model_fields if name != "variant"]
    return {
        "variants": [_variant(name) for name in VARIANTS],
        "switches": switches,
        "groups": list(dict.fromkeys(switch["group"] for switch in switches)),
        "group_titles": {lang: rules_words(lang)["groups"] for lang in LANGUAGES},
        "favourites": [_favourite(name, *values) for name, values in FAVOURITES.items()],
    }


def _favourite(name: str, off: Any, on: Any) -> dict[str, Any]:
    words = {lang: rules_words(lang)["favourites"][name] for lang in LANGUAGES}
    return {
        "name": name,
        "off": off,
        "on": on,
        "title": {lang: title for lang, (title, _) in words.items()},
        "line": {lang: line for lang, (_, line) in words.items()},
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
        "title": VARIANT_WORDS.get(name, name),
        "titles": {lang: words_of(lang).variant(name) for lang in LANGUAGES},
        "players": player_limits(rules),
        "cards": rules.cards.size,
        "rules": rule_values(rules),
        "unavailable": [favourite for favourite in FAVOURITES if not _can_change(rules, favourite)],
    }


def _can_change(rules: Rules, favourite: str) -> bool:
    """Whether a preset can be played with this favourite the other way round."""
    off, on = FAVOURITES[favourite]
    try:
        rules.replace(**{favourite: on if getattr(rules, favourite) == off else off})
    except ValueError:
        return False
    return True


def _switch(name: str) -> dict[str, Any]:
    field = Rules.model_fields[name]
    extra: Any = field.json_schema_extra
    switch = {
        "name": name,
        "group": extra["group"],
        "description": field.description,
        "default": field.default,
        "label": {lang: switch_words(name, lang) for lang in LANGUAGES},
    }
    if name in MAPPINGS:
        return switch | {"type": name, "default": dict(field.default)}
    if field.annotation is bool:
        return switch | {"type": "flag"}
    if field.annotation is int:
        least = next(limit.ge for limit in field.metadata if isinstance(limit, Ge))
        most = next(limit.le for limit in field.metadata if isinstance(limit, Le))
        return switch | {"type": "number", "least": least, "most": most}
    values = list(get_args(field.annotation))
    labels = {lang: [value_words(name, value, lang) for value in values] for lang in LANGUAGES}
    return switch | {"type": "choice", "values": values, "value_labels": labels}
