"""Rules that contradict each other: combinations that cannot be played, and what to change."""

from typing import TYPE_CHECKING

from ..cards import kind_of
from ..kinds import KIND_ID, KIND_TABLE, NUMBERS, Effect

if TYPE_CHECKING:
    from .rules import Rules

_TEAM_EFFECTS = Effect.TEAM_PLAY | Effect.TEAM_DRAW
TEAM_KINDS = frozenset(KIND_ID[kind.name] for kind in KIND_TABLE if kind.effect & _TEAM_EFFECTS)
"""Kinds whose effect is about a partner."""

Contradiction = tuple[bool, str]


def contradictions(rules: "Rules") -> list[Contradiction]:
    """Every combination that cannot be played: whether these rules have it, and what to say."""
    return [*_of_the_deck(rules), *_of_teams(rules), *_of_penalties(rules)]


def _of_the_deck(rules: "Rules") -> list[Contradiction]:
    needed = rules.cards_needed(rules.min_players)
    kinds = _kinds_of(rules)
    return [
        (rules.min_players > rules.max_players, "min_players is above max_players"),
        (
            rules.cards.size < needed,
            f"deck has {rules.cards.size} cards; min_players={rules.min_players} and "
            f"hand_size={rules.hand_size} need at least {needed}",
        ),
        (
            rules.opening_policy == "number_only" and not kinds & set(range(NUMBERS)),
            "deck has no number card to open with; opening_policy='no_effect' needs none",
        ),
        (
            rules.draw_count > 1 and rules.draw_policy != "one",
            "draw_count above 1 needs draw_policy='one'",
        ),
        (
            0 < rules.mercy_limit <= rules.hand_size + rules.perfect_cut_draw,
            f"mercy_limit={rules.mercy_limit} would eliminate a freshly dealt hand",
        ),
    ]


def _of_teams(rules: "Rules") -> list[Contradiction]:
    if rules.team_mode == "pairs":
        return [
            (rules.min_players < 4, "team_mode='pairs' needs min_players of at least 4"),
            (rules.mercy_limit > 0, "team_mode='pairs' needs mercy_limit=0"),
            (rules.play_on, "play_on needs team_mode='none'"),
        ]
    return [
        (
            rules.has_give_symbol or bool(_kinds_of(rules) & TEAM_KINDS),
            "deck has Teams cards (+give, wild-team-play, wild-team-draw2): "
            "they need team_mode='pairs'",
        ),
        (rules.opening_pass > 0, "opening_pass needs team_mode='pairs'"),
        (rules.going_out_half, "going_out_half needs team_mode='pairs'"),
        (rules.return_on_draw, "return_on_draw needs team_mode='pairs'"),
        (rules.team_win == "first_out", "team_win='first_out' needs team_mode='pairs'"),
        (
            rules.next_for_effects == "opponent",
            "next_for_effects='opponent' needs team_mode='pairs'",
        ),
        (rules.uno_call_by == "partner_too", "uno_call_by='partner_too' needs team_mode='pairs'"),
    ]


def _of_penalties(rules: "Rules") -> list[Contradiction]:
    challenged = rules.challenge != "none"
    answered = rules.stacking != "none" or rules.deflection != "none"
    return [
        (
            challenged and not rules.bluff_allowed,
            f"challenge={rules.challenge!r} needs bluff_allowed=true (or set challenge='none')",
        ),
        (
            challenged and rules.plus4_legality == "anything",
            f"challenge={rules.challenge!r} needs a plus4_legality to prove "
            "(or set challenge='none')",
        ),
        (
            rules.challenge == "anyone" and answered,
            "challenge='anyone' needs stacking='none' and deflection='none'",
        ),
    ]


def _kinds_of(rules: "Rules") -> set[int]:
    return {kind_of(face) for face, count in enumerate(rules.deck.counts) if count}
