"""The named rule sets, each as what differs from the defaults of `Rules` (the classic game)."""

from functools import cache
from typing import Any

from .deck import CLASSIC_DECK, Deck
from .points import KindPoints

VARIANTS = ("hyper_speed", "classic", "no_mercy", "ig2000", "loche", "teams", "all_wild")

# The sheet gives the total (168) and the kinds; the counts are those most editions agree on.
_NO_MERCY_DECK = {
    **{str(number): 2 for number in range(10)},
    "skip": 3,
    "reverse": 3,
    "draw2": 3,
    "draw4": 2,
    "skip-all": 2,
    "discard-all": 3,
    "wild-reverse-draw4": 8,
    "wild-draw6": 4,
    "wild-draw10": 4,
    "wild-roulette": 8,
}

# The sheet gives only the total (112) and the kinds; counts and give symbols are assumed.
_TEAMS_DECK = {
    **{str(number): 2 for number in range(1, 10)},
    **{str(number): 1 for number in (2, 4, 6, 8)},
    **{f"{number}+give": 1 for number in (2, 4, 6, 8)},
    "skip": 2,
    "reverse": 2,
    "draw2": 2,
    "wild": 4,
    "wild-team-play": 6,
    "wild-team-draw2": 6,
}

# The sheet gives only the total (112), the kinds and that plain wilds are the most: assumed.
_ALL_WILD_DECK = {
    "wild": 56,
    "wild-skip": 8,
    "wild-reverse": 8,
    "wild-skip2": 8,
    "wild-draw2": 8,
    "wild-draw4": 8,
    "wild-target-draw2": 8,
    "wild-forced-swap": 8,
}

_IG2000: dict[str, Any] = {
    "deck": {**CLASSIC_DECK, "wild-swap": 4},
    "between_rounds": "cut_only",
    "cut": "random",
    "perfect_cut_draw": 2,
    "opening_plus4": "dealer_color",
    "opening_penalty_answerable": True,
    "voluntary_draw": "always",
    "plus4_legality": "nothing_else",
    "challenge_surcharge": 50,
    "stacking": "draw2_draw4_with_joker_cancel",
    "jump_in": True,
    "sum_out": "numbers",
    "uno_catch_window": "last_card_too",
    "uno_late_call": True,
    "last_card_effects": "penalty_and_swap",
    "scoring_mode": "holders_add",
    "winner_bonus_percent": 10,
    "match_winner": "lowest",
}

_PRESETS: dict[str, dict[str, Any]] = {
    "hyper_speed": {
        "deck": {**CLASSIC_DECK, "wild-hyper-speed": 4},
        "opening_policy": "number_only",
        "voluntary_draw": "always",
        "plus4_legality": "no_active_color",
        "challenge_wilds_count": "all",
    },
    "classic": {"deck": CLASSIC_DECK},
    "no_mercy": {
        "deck": _NO_MERCY_DECK,
        "max_players": 6,
        "opening_policy": "number_only",
        "draw_policy": "until_playable",
        "voluntary_draw": "never",
        "plus4_legality": "anything",
        "challenge": "none",
        "stacking": "equal_or_higher",
        "seven_swap": True,
        "zero_pass": True,
        "mercy_limit": 25,
        "elimination_bonus": 250,
        "match_target": 1000,
    },
    "ig2000": _IG2000,
    "loche": {**_IG2000, "plus4_legality": "no_active_color", "sum_out": "specials"},
    "teams": {
        "deck": _TEAMS_DECK,
        "min_players": 4,
        "max_players": 8,
        "team_mode": "pairs",
        "opening_policy": "number_only",
        "opening_pass": 1,
        "voluntary_draw": "always",
        "plus4_legality": "anything",
        "challenge": "none",
        # The sheet knows no table of two; with two seats left in play a reverse only turns.
        "two_player_reverse": "literal",
        "uno_call_by": "partner_too",
        "going_out_half": True,
        "return_on_draw": True,
    },
    "all_wild": {
        "deck": _ALL_WILD_DECK,
        "opening_policy": "no_effect",
        "wild_color": "keep",
        "voluntary_draw": "never",
        "plus4_legality": "anything",
        "challenge": "none",
        "points": {"wild": 20},
    },
}

DEFAULT_PLAYERS = {"teams": 4}
"""Table size when none is asked for: 4 in Teams, otherwise 2."""


@cache
def preset_fields(name: str) -> dict[str, Any]:
    """Field values of one preset, its deck expanded."""
    if name not in _PRESETS:
        from .rules import RulesError

        raise RulesError(f"unknown variant {name!r}; the presets are {', '.join(VARIANTS)}")
    fields = dict(_PRESETS[name])
    points = KindPoints(fields.get("points", {}))
    return {**fields, "deck": Deck(fields["deck"]), "points": points}


def default_players(variant: str) -> int:
    """Usual table size of a preset."""
    return DEFAULT_PLAYERS.get(variant, 2)
