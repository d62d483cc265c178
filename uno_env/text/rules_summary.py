"""The rules in force as short sentences, made from `Rules`: presets and house rules alike."""

from ..cards import KINDS
from ..rules.rules import Rules
from .language import Language, words_of
from .rules_words import fallback, sentence

_WORDED = (
    "voluntary_draw",
    "draw_policy",
    "play_drawn",
    "stacking",
    "sum_out",
    "uno_call",
    "last_card_effects",
)
"""Rules of several values with a sentence for each value that changes play."""

_SWITCHES = ("stack_needs_color", "seven_swap", "zero_pass", "jump_in", "opening_pass",
             "going_out_half", "mercy_limit", "wild_only_when_stuck")  # fmt: skip
"""Rules that are worth a sentence only when they are on."""

_HOUSEKEEPING = frozenset(
    "deck min_players max_players first_dealer race fault_mode fault_draw auto_forced max_steps "
    "max_rounds".split()
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
    values = {**{name: getattr(rules, name) for name in Rules.model_fields},
              "deck_size": rules.deck.size}  # fmt: skip
    keys = ["goal", *_pairs(rules), "deal", "match", *_value_keys(rules), *_plus4(rules)]
    keys += [name for name in _SWITCHES if getattr(rules, name)]
    keys += _card_keys(rules, num_players)
    if match or rules.sum_out != "none":
        keys += [f"scoring_mode={rules.scoring_mode}", "points"]
    if match:
        keys.append(f"match_winner={rules.match_winner}")
    told = [table[key].format(**values) for key in keys if key in table]
    return told + _house_rules(rules, keys, lang)


def _pairs(rules: Rules) -> list[str]:
    return ["goal_pairs"] if rules.team_mode == "pairs" else []


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
    return keys


def _card_keys(rules: Rules, num_players: int | None) -> list[str]:
    keys = [kind for kind in KINDS if not kind.isdigit() and rules.has(kind)]
    if num_players == 2 and rules.two_player_reverse == "play_again":
        keys = ["reverse_two" if kind == "reverse" else kind for kind in keys]
    return keys + ["+give"] * rules.has_give_symbol


def _house_rules(rules: Rules, keys: list[str], lang: Language) -> list[str]:
    """What differs from the preset and has not been told yet."""
    told = {key.partition("=")[0] for key in keys}
    return [
        sentence(rules, name, lang) or fallback(rules, name, lang)
        for name in rules.to_dict()
        if name != "variant" and name not in _HOUSEKEEPING and name not in told
    ]
