"""Rules in words: what each switch is called, its values, and a sentence for what is in force.

The sentences stand in `rules_en.json` and `rules_fr.json`, beside those of `en.json` and `fr.json`
that language models are told. A switch that has none yet falls back to its description.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from ..kinds import BLANK
from ..rules.rules import Rules
from .language import LANGUAGES, words_of

Catalogue = dict[str, Any]

FAVOURITES: dict[str, tuple[Any, Any]] = {
    "stacking": ("none", "equal_or_higher"),
    "seven_swap": (False, True),
    "zero_pass": (False, True),
    "jump_in": (False, True),
    "draw_policy": ("one", "until_playable"),
    "play_drawn": ("optional", "forced"),
    "challenge": ("none", "target"),
    "uno_call": ("auto", "explicit"),
    "mercy_limit": (0, 25),
    "finish_on_action": (False, True),
}
"""The house rules people ask for first: what turns each off, and on."""


@cache
def rules_words(lang: str) -> Catalogue:
    """The catalogue of a language."""
    if lang not in LANGUAGES:
        raise ValueError(f"lang is {lang!r}; allowed: {', '.join(LANGUAGES)}")
    text = files(__package__).joinpath(f"rules_{lang}.json").read_text(encoding="utf-8")
    catalogue: Catalogue = json.loads(text)
    return catalogue


def switch_words(name: str, lang: str) -> str:
    """What a switch decides, in one line."""
    return str(rules_words(lang)["switches"].get(name) or Rules.model_fields[name].description)


def value_words(name: str, value: Any, lang: str) -> str:
    """A value of a switch in a few words."""
    if isinstance(value, bool):
        return words_of(lang).say("yes" if value else "no")
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {number}" for key, number in value.items())
    words = rules_words(lang)
    said = words["value_of"].get(name, {}).get(value) or words["values"].get(value)
    return str(said or value).replace("_", " ")


def sentence(rules: Rules, name: str, lang: str) -> str | None:
    """What the value of a switch means for the players; None if that needs no saying."""
    value = getattr(rules, name)
    tables = (words_of(lang).catalogue["rules"], rules_words(lang)["sentences"])
    key = f"{name}={str(value).lower() if isinstance(value, bool) else value}"
    for table in tables:
        if key in table:
            return str(table[key].format(**rule_values(rules, lang)))
    for table in tables:
        # A number, or a flag that is told only when it is on.
        if name in table and value:
            return str(table[name].format(**rule_values(rules, lang)))
    return None


def fallback(rules: Rules, name: str, lang: str) -> str:
    """A switch without a sentence: its description and its value."""
    return f"{switch_words(name, lang)} [{value_words(name, getattr(rules, name), lang)}]"


def rule_values(rules: Rules, lang: str) -> dict[str, Any]:
    """What sentences are filled with: the rules themselves and a few phrases."""
    words = words_of(lang)
    table = words.catalogue["rules"]
    exceptions = [f"{words.kind(kind)} = {points}" for kind, points in rules.points.items()]
    return {
        **{name: getattr(rules, name) for name in Rules.model_fields},
        "deck_size": rules.cards.size,
        "choose": table["choose"] if rules.wild_color == "name" else "",
        "challengers": table.get(f"challengers={rules.challenge}", ""),
        "exceptions": ", ".join(exceptions),
    }


def has_only_wilds(rules: Rules) -> bool:
    """Whether every card fits every other, because none has a colour."""
    return all(card.startswith("wild") for card in rules.deck)


def card_key(rules: Rules, kind: str, num_players: int | None) -> str:
    """The sentence about a kind of card that fits these rules."""
    if kind == BLANK:
        kind = f"{BLANK}={rules.blank_effect}"
    elif kind in ("reverse", "wild-reverse"):
        is_two = num_players == 2 and rules.two_player_reverse == "play_again"
        return f"{kind}_two" if is_two else kind
    is_plain = kind in ("wild", f"{BLANK}=none")
    return f"{kind}_keep" if is_plain and rules.wild_color == "keep" else kind
