"""One page of the rules in force, made from `Rules`: sections of sentences, and every card.

Whatever differs from the preset is marked as a house rule. The page at a table, the `?` of the
terminal and the tooltips of cards are made from it.
"""

from collections.abc import Callable
from typing import Any

from ..cards import KINDS
from ..rules.rules import Rules
from .language import Language, words_of
from .rules_words import card_key, fallback, has_only_wilds, rule_values, rules_words, sentence

Line = dict[str, Any]
Test = Callable[[Rules], bool]

SECTIONS: dict[str, tuple[str, ...]] = {
    "goal": ("goal", "deal", "deck_copies", "play_on"),
    "teams": ("goal_pairs", "team_win", "opening_pass", "going_out_half", "half_choice",
              "return_on_draw", "next_for_effects"),
    "turn": ("match", "wild_only_when_stuck", "wild_color", "voluntary_draw", "draw_policy",
             "draw_count", "play_drawn", "play_after_draw_scope", "multiple_play"),
    "cards": (),
    "plus4": ("plus4_legality", "plus4_joker_counts", "challenge_wilds_count", "bluff_forbidden",
              "challenge", "challenger_then_plays", "challenge_reveal"),
    "penalties": ("stacking", "stack_needs_color", "deflection", "penalty_ends_turn",
                  "mercy_limit", "mercy_check"),
    "hands": ("seven_swap", "seven_swap_optional", "zero_pass", "uno_card_color"),
    "out_of_turn": ("jump_in", "jump_in_match", "jump_in_cards", "jump_in_self",
                    "jump_in_on_opening", "jump_in_after_draw", "jump_in_plus4_contestable",
                    "sum_out"),
    "uno": ("uno_call", "uno_call_by", "uno_catch_window", "uno_late_call"),
    "ending": ("finish_on_action", "last_card_effects", "last_card_7_0"),
    "score": ("scoring_mode", "points", "elimination_bonus", "winner_bonus_percent",
              "match_winner", "match_target_strict", "between_rounds", "next_dealer", "cut",
              "perfect_cut_draw"),
    "opening": ("opening_policy", "opening_plus4", "opening_wild_color_by",
                "opening_reverse_starter", "opening_penalty_answerable"),
    "more": ("two_player_reverse", "reverse_draw4_two_player", "roulette_active_color",
             "hyper_cumulative"),
}  # fmt: skip
"""What is told where. `goal`, `deal`, `match` and alike are sentences that no switch has."""

TOLD_ELSEWHERE = frozenset(
    "variant deck min_players max_players hand_size team_mode first_dealer opening_ignored "
    "challenge_fail_draw challenge_success_draw challenge_surcharge bluff_allowed two_player_by "
    "race uno_penalty team_play_fail_draw value_action value_wild match_target fault_mode "
    "fault_draw auto_forced max_steps max_rounds blank_draws".split()
)
"""Switches that another sentence or the table of cards tells, or that players never notice."""


def rules_page(
    rules: Rules, num_players: int | None = None, lang: Language = "en", match: bool = False
) -> dict[str, Any]:
    """The rules in force as a page.

    Args:
        rules: the rule set, house rules included.
        num_players: seats at the table, where that changes a rule.
        lang: `en` or `fr`.
        match: whether a match is played, so that scoring matters.

    Returns:
        `title`, `sections` (each with `name`, `title` and `lines` of `text` and `house`) and
        `cards` (each with `kind`, `name`, `text`, `points` and a `face` to draw).
    """
    changed = set(rules.to_dict()) - {"variant"}
    told = {name: keys for name, keys in SECTIONS.items() if match or name != "score"}
    sections = []
    for name, keys in told.items():
        lines = [line for key in keys if (line := _line(rules, key, lang, changed, num_players))]
        if name == "more":
            lines += _without_a_section(rules, lang, changed)
        if lines or name == "cards":
            title = rules_words(lang)["sections"][name]
            sections.append({"name": name, "title": title, "lines": lines})
    cards = card_texts(rules, num_players, lang)
    return {"title": words_of(lang).variant(rules.variant), "sections": sections, "cards": cards}


def _line(
    rules: Rules, key: str, lang: Language, changed: set[str], num_players: int | None
) -> Line | None:
    if key in _RELEVANT and not _RELEVANT[key](rules):
        return None
    if num_players is not None and num_players > 2 and key in _FOR_TWO and not rules.mercy_limit:
        return None
    if has_only_wilds(rules) and key in ("match", "wild_color"):
        key = "match_wild" if key == "match" else ""
    if key in Rules.model_fields and key != "points":
        text = _challenge(rules, lang) if key == "challenge" else None
        text = text or sentence(rules, key, lang)
        if text is None and key in changed:
            text = fallback(rules, key, lang)
    else:
        text = words_of(lang).catalogue["rules"].get(key, "").format(**rule_values(rules, lang))
    also = _ABOUT.get(key, frozenset())
    return {"text": text, "house": bool({key, *also} & changed)} if text else None


def _challenge(rules: Rules, lang: Language) -> str | None:
    """Who draws what after a challenge by the target."""
    if rules.challenge != "target":
        return None
    key = "challenge_stake" if rules.challenge_surcharge else "challenge"
    return str(words_of(lang).catalogue["rules"][key].format(**rule_values(rules, lang)))


def _without_a_section(rules: Rules, lang: Language, changed: set[str]) -> list[Line]:
    """Switches that no section knows, as far as they differ from the usual game."""
    known = TOLD_ELSEWHERE | {key for keys in SECTIONS.values() for key in keys}
    usual = Rules()
    return [
        {"text": sentence(rules, name, lang) or fallback(rules, name, lang),
         "house": name in changed}
        for name in Rules.model_fields
        if name not in known and getattr(rules, name) != getattr(usual, name)
    ]  # fmt: skip


def card_texts(rules: Rules, num_players: int | None, lang: Language) -> list[dict[str, Any]]:
    """Every kind of card in the deck: its name, what it does and its points."""
    words = words_of(lang)
    faces = [face for face, count in rules.deck.items() if count]
    found: list[dict[str, Any]] = []
    for kind in KINDS:
        mine = [face for face in faces if face in (kind, *_colored(kind))]
        if mine:
            text = _card_text(rules, kind, num_players, lang)
            name = words.card(kind) if kind == mine[0] else words.catalogue["kinds"].get(kind, kind)
            found.append({"kind": kind, "face": mine[len(found) % len(mine)], "name": name,
                          "text": text, "points": _points(rules, kind)})  # fmt: skip
    if rules.has_give_symbol:
        name, text = _split(words.catalogue["rules"]["+give"])
        face = next(face for face in faces if face.endswith("+give"))
        found.append({"kind": "+give", "face": face, "name": name, "text": text, "points": None})
    return found


def _colored(kind: str) -> list[str]:
    return [f"{color}-{kind}" for color in ("red", "yellow", "green", "blue")]


def _card_text(rules: Rules, kind: str, num_players: int | None, lang: Language) -> str:
    table: dict[str, str] = words_of(lang).catalogue["rules"]
    if kind == "7" and rules.seven_swap:
        return table["seven_swap"]
    if kind == "0" and rules.zero_pass:
        return table["zero_pass"]
    if kind.isdigit():
        return _split(rules_words(lang)["numbers"])[1]
    key = card_key(rules, kind, num_players)
    return _split(table[key].format(**rule_values(rules, lang)))[1] if key in table else ""


def _split(told: str) -> tuple[str, str]:
    """A name and what follows it; a sentence begins with a capital."""
    name, _, text = told.partition(":")
    text = text.strip()
    return name.strip(), text[:1].upper() + text[1:]


def _points(rules: Rules, kind: str) -> int:
    own = getattr(rules, "points", {}).get(kind)
    if own is not None:
        return int(own)
    if kind.isdigit():
        return int(kind)
    return rules.value_wild if kind.startswith("wild") else rules.value_action


def _is_pairs(rules: Rules) -> bool:
    return rules.team_mode == "pairs"


def _has_plus4(rules: Rules) -> bool:
    return rules.has("wild-draw4")


def _is_challenged(rules: Rules) -> bool:
    return _has_plus4(rules) and rules.challenge != "none"


def _jumps(rules: Rules) -> bool:
    return rules.jump_in


_PAIRS = dict.fromkeys(SECTIONS["teams"], _is_pairs)
_PLUS4 = dict.fromkeys(SECTIONS["plus4"], _is_challenged)
_JUMPS = dict.fromkeys(SECTIONS["out_of_turn"][1:-1], _jumps)
_UNO = dict.fromkeys(SECTIONS["uno"][1:], lambda rules: rules.uno_call == "explicit")
_EFFECT = dict.fromkeys(SECTIONS["opening"][1:], lambda r: r.opening_policy == "apply_effect")
_RELEVANT: dict[str, Test] = {
    **_PAIRS, **_PLUS4, **_JUMPS, **_UNO, **_EFFECT,
    "plus4_legality": _has_plus4,
    "challenge": _has_plus4,
    "bluff_forbidden": lambda rules: _has_plus4(rules) and not rules.bluff_allowed,
    "opening_plus4": lambda rules: rules.opening_policy == "apply_effect" and _has_plus4(rules),
    "deck_copies": lambda rules: getattr(rules, "deck_copies", 1) > 1,
    "play_on": lambda rules: getattr(rules, "play_on", False),
    "draw_count": lambda rules: rules.draw_count > 1,
    "draw_policy": lambda rules: rules.draw_count == 1,
    "plus4_joker_counts": lambda r: _is_challenged(r) and r.plus4_legality == "nothing_else",
    "challenge_wilds_count": lambda r: _is_challenged(r) and r.plus4_legality == "no_active_color",
    "half_choice": lambda rules: _is_pairs(rules) and rules.going_out_half,
    "mercy_check": lambda rules: rules.mercy_limit > 0,
    "elimination_bonus": lambda rules: rules.mercy_limit > 0,
    "seven_swap_optional": lambda rules: rules.seven_swap,
    "uno_card_color": lambda rules: rules.has("wild-swap"),
    "reverse_draw4_two_player": lambda rules: rules.has("wild-reverse-draw4"),
    "roulette_active_color": lambda rules: rules.has("wild-roulette"),
    "hyper_cumulative": lambda rules: rules.has("wild-hyper-speed"),
}  # fmt: skip
"""When a sentence says anything; the others always do."""
_FOR_TWO = frozenset({"two_player_reverse", "reverse_draw4_two_player"})
_ABOUT: dict[str, frozenset[str]] = {
    "deal": frozenset({"hand_size", "deck"}),
    "goal_pairs": frozenset({"team_mode"}),
    "bluff_forbidden": frozenset({"bluff_allowed"}),
    "challenge": frozenset({"challenge_fail_draw", "challenge_success_draw",
                            "challenge_surcharge"}),
    "uno_call": frozenset({"uno_penalty"}),
    "points": frozenset({"value_action", "value_wild"}),
    "match_winner": frozenset({"match_target"}),
}  # fmt: skip
"""Switches that a sentence tells besides its own."""
