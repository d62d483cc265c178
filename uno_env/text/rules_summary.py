"""The rules in force as short sentences, made from `Rules`: presets and house rules alike."""

from ..cards import COLORED_KINDS, WILDS
from ..rules.rules import Rules
from .language import Language, words_of
from .rules_words import card_key, fallback, has_only_wilds, rule_values, sentence

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
    table: dict[str, str] = words_of(lang).catalogue["rules"]
    keys = ["goal", *_pairs(rules), "deal", *_matching(rules), *_value_keys(rules), *_plus4(rules)]
    keys += [name for name in _SWITCHES if getattr(rules, name)]
    keys += _jump_in(rules) + _card_keys(rules, num_players)
    if match or rules.sum_out != "none" or "points" in rules.to_dict():
        keys += [f"scoring_mode={rules.scoring_mode}", "points"]
        keys += ["points_except"] * bool(rules.points)
    if match:
        keys.append(f"match_winner={rules.match_winner}")
    values = rule_values(rules, lang)
    told = [table[key].format(**values) for key in keys if key in table]
    return told + _house_rules(rules, keys, lang)


def _pairs(rules: Rules) -> list[str]:
    if rules.team_mode != "pairs":
        return []
    return ["goal_pairs=first_out" if rules.team_win == "first_out" else "goal_pairs"]


def _matching(rules: Rules) -> list[str]:
    """What a card may be laid on; without coloured cards every one fits."""
    return ["match_wild"] if has_only_wilds(rules) else ["match", f"wild_color={rules.wild_color}"]


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
    kinds = [kind for kind in (*COLORED_KINDS, *WILDS) if not kind.isdigit() and rules.has(kind)]
    keys = [card_key(rules, kind, num_players) for kind in kinds]
    return keys + ["+give"] * rules.has_give_symbol


def _house_rules(rules: Rules, keys: list[str], lang: Language) -> list[str]:
    """What differs from the preset and has not been told yet."""
    told = {key.partition("=")[0] for key in keys}
    return [
        sentence(rules, name, lang) or fallback(rules, name, lang)
        for name in rules.to_dict()
        if name != "variant" and name not in _HOUSEKEEPING and name not in told
    ]
