"""The rules in force as short sentences, made from `Rules`: presets and house rules alike."""

from typing import Any

from ..cards import COLORED_KINDS, WILDS
from ..kinds import BLANK
from ..rules.rules import Rules
from .language import Language, Words, words_of

_WORDED = (
    "voluntary_draw",
    "draw_policy",
    "play_drawn",
    "stacking",
    "deflection",
    "sum_out",
    "uno_call",
    "last_card_effects",
)
"""Rules of several values with a sentence for each value that changes play."""

_SWITCHES = ("stack_needs_color", "multiple_play", "seven_swap", "zero_pass", "opening_pass",
             "going_out_half", "mercy_limit", "wild_only_when_stuck", "play_on")  # fmt: skip
"""Rules that are worth a sentence only when they are on."""

_HOUSEKEEPING = frozenset(
    "deck deck_copies min_players max_players first_dealer race team_win blank_effect blank_draws "
    "fault_mode fault_draw auto_forced max_steps max_rounds".split()
)
"""Changes of a preset that are not rules of play, or are told by other sentences."""


def rules_summary(
    rules: Rules, num_players: int | None = None, lang: Language = "en", match: bool = False
) -> list[str]:
    """Sentences that say how these rules are played, the most important first.

    Args:
        rules: the rule set.
        num_players: seats at the table, where that changes a rule.
        lang: `en` or `fr`.
        match: whether a match is played, so that scoring matters.
    """
    words = words_of(lang)
    table: dict[str, str] = words.catalogue["rules"]
    keys = ["goal", *_pairs(rules), "deal", *_matching(rules), *_value_keys(rules), *_plus4(rules)]
    keys += [name for name in _SWITCHES if getattr(rules, name)]
    keys += _jump_in(rules) + _card_keys(rules, num_players)
    if match or rules.sum_out != "none" or "points" in rules.to_dict():
        keys += [f"scoring_mode={rules.scoring_mode}", "points"]
        keys += ["points_except"] * bool(rules.points)
    if match:
        keys.append(f"match_winner={rules.match_winner}")
    values = _values(rules, words)
    told = [table[key].format(**values) for key in keys if key in table]
    return told + _house_rules(rules, keys, lang)


def _values(rules: Rules, words: Words) -> dict[str, Any]:
    """What the sentences leave to fill: the rules themselves and a few phrases."""
    table = words.catalogue["rules"]
    exceptions = [f"{words.kind(kind)} = {points}" for kind, points in rules.points.items()]
    return {
        **{name: getattr(rules, name) for name in Rules.model_fields},
        "deck_size": rules.cards.size,
        "choose": table["choose"] if rules.wild_color == "name" else "",
        "challengers": table.get(f"challengers={rules.challenge}", ""),
        "exceptions": ", ".join(exceptions),
    }


def _pairs(rules: Rules) -> list[str]:
    if rules.team_mode != "pairs":
        return []
    return ["goal_pairs=first_out" if rules.team_win == "first_out" else "goal_pairs"]


def _matching(rules: Rules) -> list[str]:
    """What a card may be laid on; without coloured cards every one fits."""
    is_wild = all(card.startswith("wild") for card in rules.deck)
    return ["match_wild"] if is_wild else ["match", f"wild_color={rules.wild_color}"]


def _jump_in(rules: Rules) -> list[str]:
    if not rules.jump_in:
        return []
    kinds = [f"{name}={getattr(rules, name)}" for name in ("jump_in_match", "jump_in_cards")]
    return ["jump_in", *kinds]


def _value_keys(rules: Rules) -> list[str]:
    return [f"{name}={getattr(rules, name)}" for name in _WORDED]


def _plus4(rules: Rules) -> list[str]:
    if not rules.has("wild-draw4"):
        return []
    keys = [f"plus4_legality={rules.plus4_legality}"]
    if not rules.bluff_allowed:
        keys.append("bluff_forbidden")
    if rules.challenge != "none":
        keys.append("challenge_stake" if rules.challenge_surcharge else "challenge")
    if rules.challenge == "anyone":
        keys.append("challenge_anyone")
    return keys


def _card_keys(rules: Rules, num_players: int | None) -> list[str]:
    """The action cards and wilds of the deck, each by the sentence that fits these rules."""
    keys = [kind for kind in (*COLORED_KINDS, *WILDS) if not kind.isdigit() and rules.has(kind)]
    changed = {BLANK: f"{BLANK}={rules.blank_effect}"}
    if num_players == 2 and rules.two_player_reverse == "play_again":
        changed |= {kind: f"{kind}_two" for kind in ("reverse", "wild-reverse")}
    keys = [changed.get(kind, kind) for kind in keys]
    if rules.wild_color == "keep":
        plain = ("wild", f"{BLANK}=none")
        keys = [f"{key}_keep" if key in plain else key for key in keys]
    return keys + ["+give"] * rules.has_give_symbol


def _house_rules(rules: Rules, keys: list[str], lang: Language) -> list[str]:
    """What differs from the preset and has no sentence of its own, by the switch's description."""
    words = words_of(lang).catalogue
    told = {key.partition("=")[0] for key in keys}
    lines = []
    for name, value in rules.to_dict().items():
        if name == "variant" or name in _HOUSEKEEPING or name in told:
            continue
        description = words.get("switches", {}).get(name) or Rules.model_fields[name].description
        yes_no = words["describe"]["yes" if value else "no"]
        said = yes_no if isinstance(value, bool) else words.get("values", {}).get(value, value)
        lines.append(f"{description} [{said}]")
    return lines
