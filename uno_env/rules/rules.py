"""Rules: one frozen, validated value that says how a game of UNO is played.

Every switch is a field with a one-line description (it feeds `--help`, the docs and the web
form). The defaults are the French classic game; the other presets are in `presets.py`.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ..cards import FIRST_GIVE
from ..kinds import KIND_ID
from . import text as rulestext
from .checks import contradictions
from .deck import CLASSIC_DECK, MAX_CARDS, Deck
from .points import KindPoints

MAPPINGS = ("deck", "points")
"""Fields that are mappings: given as a change of what the preset has."""


class RulesError(ValueError):
    """An unknown rule, a value that is not allowed, or rules that contradict each other."""


def _rule(default: Any, group: str, text: str, **limits: Any) -> Any:
    return Field(default, description=text, json_schema_extra={"group": group}, **limits)


class Rules(BaseModel):
    """How a game is played. `Rules.preset("no_mercy").replace(stacking="none")` is a new game.

    `Rules()` is the French classic game. Whatever is refused raises `RulesError`.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", arbitrary_types_allowed=True, ignored_types=(cached_property,)
    )

    # fmt: off
    variant: str = _rule("classic", "table", "Preset these rules start from.")
    deck: Deck = _rule(Deck(CLASSIC_DECK), "deck", "Copies of each card face.")
    deck_copies: int = _rule(1, "deck", "Decks shuffled together.", ge=1, le=4)
    min_players: int = _rule(2, "table", "Fewest seats.", ge=2, le=10)
    max_players: int = _rule(10, "table", "Most seats.", ge=2, le=10)
    hand_size: int = _rule(7, "table", "Cards dealt to each seat.", ge=1, le=30)
    team_mode: Literal["none", "pairs"] = _rule("none", "teams", "Everybody alone, or pairs seated opposite.")

    first_dealer: Literal["random", "last_seat"] = _rule("random", "table", "Who deals first: a seeded choice, or the last seat so that seat 0 begins.")
    between_rounds: Literal["shuffle", "cut_only"] = _rule("shuffle", "table", "Between the rounds of a match: shuffle, or gather the cards and only cut.")
    next_dealer: Literal["left", "loser"] = _rule("left", "table", "Who deals the next round: the seat to the left, or the one left with the most points.")
    cut: Literal["none", "random"] = _rule("none", "table", "Cut before each deal of a match: none, or at a seeded place.")
    perfect_cut_draw: int = _rule(0, "table", "Cards everybody but the cutter draws when the cut packet is dealt out exactly.", ge=0, le=10)

    opening_policy: Literal["number_only", "apply_effect", "no_effect"] = _rule("apply_effect", "opening", "Turn cards until a number shows, let the first card take effect, or let it open without effect.")
    opening_ignored: Literal["stay_under", "return_and_reshuffle"] = _rule("stay_under", "opening", "Where ignored opening cards go.")
    opening_plus4: Literal["put_back", "dealer_color"] = _rule("put_back", "opening", "A wild draw four as opening card: put it back, or the dealer names a colour and the first seat faces it.")
    opening_wild_color_by: Literal["starter", "dealer"] = _rule("starter", "opening", "Who names the colour of an opening wild.")
    opening_reverse_starter: Literal["dealer_right", "dealer"] = _rule("dealer_right", "opening", "Who begins after an opening reverse.")
    opening_penalty_answerable: bool = _rule(False, "opening", "Whether an opening draw card may be answered where stacking allows.")
    opening_pass: Literal[0, 1] = _rule(0, "teams", "Cards every seat passes to its partner before the first turn.")

    draw_policy: Literal["one", "until_playable"] = _rule("one", "drawing", "A turn draw takes one card, or cards until one can be played.")
    draw_count: int = _rule(1, "drawing", "Cards a turn draw takes under draw_policy=one; of several only the last may be played at once.", ge=1, le=10)
    voluntary_draw: Literal["always", "only_without_match", "never"] = _rule("only_without_match", "drawing", "When a seat may draw although it could play: always, only if no coloured card matches, never.")
    play_drawn: Literal["optional", "forced", "never"] = _rule("optional", "drawing", "A playable drawn card may, must or cannot be played at once.")
    play_after_draw_scope: Literal["drawn_only", "any_card"] = _rule("drawn_only", "drawing", "What may be played after a draw: the drawn card, or any card.")

    wild_color: Literal["name", "keep"] = _rule("name", "wilds", "Whoever plays a wild names a colour, or the colour stays as it was.")
    blank_effect: Literal["none", "skip", "reverse", "draw", "target_draw", "play_again", "swap_own", "swap_two", "pass_hands", "roulette"] = _rule("none", "wilds", "What a blank wild does besides naming a colour.")
    blank_draws: int = _rule(3, "wilds", "Cards a blank wild makes a seat draw under blank_effect=draw and target_draw.", ge=1, le=10)
    wild_only_when_stuck: bool = _rule(False, "wilds", "Wilds may be laid only without a matching coloured card.")
    plus4_legality: Literal["anything", "no_active_color", "nothing_else"] = _rule("nothing_else", "challenge", "When a wild draw four is honest: always, without a card of the active colour, or with nothing else to play.")
    plus4_joker_counts: bool = _rule(True, "challenge", "Under nothing_else: another kind of wild in hand makes it a bluff.")
    challenge_wilds_count: Literal["none", "wild_and_hyper", "all"] = _rule("none", "challenge", "Under no_active_color: wilds in hand that count as a card of the colour.")
    bluff_allowed: bool = _rule(True, "challenge", "Whether a dishonest wild draw four may be played at all.")
    plus4_stack_proof: Literal["answers", "color_below"] = _rule("answers", "challenge", "Under nothing_else, a wild draw four laid on a penalty is a bluff if its player could have answered otherwise, or if it held the colour below.")
    challenge: Literal["none", "target", "anyone"] = _rule("target", "challenge", "Who may challenge a wild draw four: nobody, its target, or the target first and then the others in turn order.")
    challenge_fail_draw: int = _rule(6, "challenge", "Cards the challenger draws after a wrong challenge.", ge=0, le=20)
    challenge_success_draw: int = _rule(4, "challenge", "Cards an exposed bluffer draws.", ge=0, le=20)
    challenge_surcharge: int = _rule(0, "challenge", "Percent added to the whole pending total when that total is the stake; 0 uses the fixed numbers.", ge=0, le=200)
    challenger_then_plays: bool = _rule(True, "challenge", "After a right challenge the challenger takes its turn.")
    challenge_reveal: Literal["challenger", "all"] = _rule("challenger", "challenge", "Who sees a challenged hand.")

    stacking: Literal["none", "equal_or_higher", "draw2_draw4_with_joker_cancel", "same_value", "any_value"] = _rule("none", "stacking", "Which draw cards answer a draw penalty: none, those that make draw as many or more, the same and a plain wild cancels it, those that make draw as many, or all.")
    deflection: Literal["none", "skip", "reverse", "both"] = _rule("none", "stacking", "Cards that pass a draw penalty on as it is: a skip to the following seat, a reverse back.")
    penalty_ends_turn: bool = _rule(True, "stacking", "A seat that draws for a draw card or a wrong challenge loses its turn.")
    stack_needs_color: bool = _rule(False, "stacking", "A coloured answer must have the active colour or the symbol of the last card.")

    multiple_play: bool = _rule(False, "actions", "After a card, further cards of the same number or symbol may be laid in the same turn; their skips, reverses and draws add up.")
    two_player_reverse: Literal["play_again", "literal"] = _rule("play_again", "actions", "A reverse with two seats: its player acts again, or only the direction changes.")
    two_player_by: Literal["in_play", "initial"] = _rule("in_play", "actions", "Two seats means two still in play, or a table of two.")
    reverse_draw4_two_player: Literal["hits_player", "hits_opponent"] = _rule("hits_player", "actions", "Whom a wild reverse draw four hits with two seats.")
    roulette_active_color: Literal["victim", "player"] = _rule("victim", "actions", "Whose colour is active after a roulette.")
    hyper_cumulative: bool = _rule(False, "actions", "In hyper mode a skip of that colour skips two seats.")
    seven_swap: bool = _rule(False, "swaps", "Whoever plays a 7 swaps hands with a seat of its choice.")
    seven_swap_optional: bool = _rule(False, "swaps", "Whoever plays a 7 may leave the hands as they are.")
    zero_pass: bool = _rule(False, "swaps", "A 0 passes every hand on in the direction of play.")
    uno_card_color: Literal["name", "keep"] = _rule("name", "swaps", "After a wild-swap its player names a colour, or the colour stays.")

    jump_in: bool = _rule(False, "reactions", "An identical face may be laid out of turn.")
    jump_in_match: Literal["face", "number", "symbol", "number_or_symbol"] = _rule("face", "reactions", "What may jump in: the identical face, also a card of the same number, also an action card of the same symbol, or both.")
    jump_in_cards: Literal["all", "numbers"] = _rule("all", "reactions", "Which cards may be jumped in on.")
    jump_in_self: bool = _rule(True, "reactions", "The player of a card may jump in on it.")
    jump_in_on_opening: bool = _rule(True, "reactions", "Reactions are offered on the opening card.")
    jump_in_after_draw: bool = _rule(True, "reactions", "Reactions are offered again after each draw.")
    jump_in_plus4_contestable: bool = _rule(False, "reactions", "A wild draw four laid by a jump-in may be contested.")
    sum_out: Literal["none", "numbers", "specials"] = _rule("none", "reactions", "Lay a whole hand that totals the top card: no, number cards only, or specials at their points.")
    race: Literal["turn_order", "random"] = _rule("turn_order", "reactions", "Order in which several seats are asked to react.")

    mercy_limit: int = _rule(0, "mercy", "Hand size at which a seat is eliminated; 0 for never.", ge=0, le=200)
    mercy_check: Literal["immediate", "after_draw"] = _rule("immediate", "mercy", "Eliminate at the very card, or after the whole draw.")

    uno_call: Literal["explicit", "auto", "off"] = _rule("explicit", "uno", "UNO is called by an action, always called, or not used.")
    uno_call_by: Literal["holder", "partner_too"] = _rule("holder", "uno", "Who may call for a seat with one card.")
    uno_catch_window: Literal["next_turn", "last_card_too", "until_own_turn"] = _rule("next_turn", "uno", "Catch a silent seat at once, once more when it lays its last card, or at the start of every turn until its own.")
    uno_late_call: bool = _rule(False, "uno", "A silent seat may still call in its own next turn.")
    uno_penalty: int = _rule(2, "uno", "Cards a caught seat draws.", ge=0, le=10)

    play_on: bool = _rule(False, "ending", "A seat without cards is out and the others play on for places, until one is left.")
    finish_on_action: bool = _rule(True, "ending", "The last card may be an action card or a wild.")
    last_card_effects: Literal["none", "penalty_and_swap"] = _rule("none", "ending", "Whether a last draw card is still drawn and a last wild-swap still swaps.")
    last_card_7_0: Literal["win_first", "resolve"] = _rule("win_first", "ending", "A last 7 or 0 wins, or its swap comes first.")
    team_win: Literal["both_out", "first_out"] = _rule("both_out", "teams", "A team wins when both partners are out, or when the first of them is.")
    going_out_half: bool = _rule(False, "teams", "A seat without cards gets half of its partner's.")
    return_on_draw: bool = _rule(False, "teams", "A seat that is out comes back when its partner draws.")
    half_choice: Literal["giver", "random"] = _rule("giver", "teams", "Who picks the cards of a half.")
    next_for_effects: Literal["in_play", "opponent"] = _rule("in_play", "teams", "Whom a draw or skip hits when the next seat is out: the next in play, or the next opponent.")
    team_play_fail_draw: int = _rule(2, "teams", "Cards drawn when the partner cannot follow a Team Play.", ge=0, le=10)

    value_action: int = _rule(20, "score", "Points of a coloured action card.", ge=0, le=1000)
    value_wild: int = _rule(50, "score", "Points of a wild.", ge=0, le=1000)
    points: KindPoints = _rule(KindPoints(), "score", "Points of kinds of cards that differ from the usual ones.")
    scoring_mode: Literal["winner_collects", "holders_add"] = _rule("winner_collects", "score", "The winner gets the cards left in other hands, or each seat adds its own.")
    elimination_bonus: int = _rule(0, "score", "Points the winner gets for each eliminated seat.", ge=0, le=10000)
    winner_bonus_percent: int = _rule(0, "score", "Percent of its own total the round winner loses as a reward.", ge=0, le=100)
    match_target: int = _rule(500, "score", "Total that ends a match.", ge=1, le=100000)
    match_target_strict: bool = _rule(False, "score", "The target must be passed, not only reached.")
    match_winner: Literal["highest", "lowest"] = _rule("highest", "score", "Whether the highest or the lowest total wins the match.")

    fault_mode: Literal["mask", "penalty"] = _rule("mask", "engine", "An illegal action is refused, or costs cards and the seat chooses again.")
    fault_draw: int = _rule(2, "engine", "Cards drawn for a fault.", ge=1, le=10)
    auto_forced: bool = _rule(False, "engine", "Take a decision with one legal action without asking.")
    max_steps: int = _rule(10_000, "engine", "Decisions after which a round is void.", ge=10, le=1_000_000)
    max_rounds: int = _rule(1_000, "engine", "Rounds after which a match is cut off.", ge=1, le=100_000)
    # fmt: on

    def __init__(self, **fields: Any) -> None:
        unknown = sorted(set(fields) - set(type(self).model_fields))
        if unknown:
            raise RulesError(rulestext.unknown_rule(unknown[0], type(self).model_fields))
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise RulesError(rulestext.explain(error)) from None

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """Pydantic's entry for data, with the refusals of this class."""
        try:
            return super().model_validate(obj, **options)
        except ValidationError as error:
            raise RulesError(rulestext.explain(error)) from None

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        """The same for JSON."""
        try:
            return super().model_validate_json(json_data, **options)
        except ValidationError as error:
            raise RulesError(rulestext.explain(error)) from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise RulesError(f"rules are frozen; replace({name}=...) makes new ones")

    @classmethod
    def preset(cls, name: str) -> Self:
        """One of the named rule sets."""
        from .presets import preset_fields

        return cls(variant=name, **preset_fields(name))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Rules from `{"variant": preset, ...differences}`; the deck is a change of the preset's."""
        given: object = data
        if not isinstance(given, Mapping):
            raise RulesError(
                f"rules are {data!r}; a mapping of a variant and its changes is needed"
            )
        rest = dict(data)
        for key in rest:
            if not isinstance(key, str):
                raise RulesError(rulestext.unknown_rule(repr(key), cls.model_fields))
        variant = rest.pop("variant", "classic")
        if not isinstance(variant, str):
            raise RulesError(f"variant is {variant!r}; the name of a preset is needed")
        return cls.preset(variant).replace(**rest)

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Rules from a YAML file that names a preset (`variant`) and what differs from it."""
        return cls.from_dict(rulestext.read_yaml(Path(path), RulesError))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Rules from their short text, e.g. `no_mercy(stacking=none,deck.wild-draw10=2)`."""
        return cls.from_dict(rulestext.parse(text, RulesError))

    def to_dict(self) -> dict[str, Any]:
        """The preset's name and what differs from it; `from_dict` takes it back."""
        base = type(self).preset(self.variant)
        out: dict[str, Any] = {"variant": self.variant}
        for name in type(self).model_fields:
            if (
                name != "variant"
                and name not in MAPPINGS
                and getattr(self, name) != getattr(base, name)
            ):
                out[name] = getattr(self, name)
        for name in MAPPINGS:
            mine, theirs = getattr(self, name), getattr(base, name)
            if mine != theirs:
                out[name] = mine.differences(theirs)
        return out

    def text(self) -> str:
        """Canonical short text, usable on a command line and in a replay."""
        return rulestext.format_rules(self.to_dict())

    def replace(self, **changes: Any) -> Self:
        """New rules with some fields changed; `deck` and `points` are changes of what is there."""
        unknown = sorted(set(changes) - set(type(self).model_fields))
        if unknown:
            raise RulesError(rulestext.unknown_rule(unknown[0], type(self).model_fields))
        if "variant" in changes:
            raise RulesError("variant cannot be replaced; start from Rules.preset(...)")
        fields = {name: getattr(self, name) for name in type(self).model_fields} | changes
        for name in MAPPINGS:
            if name in changes:
                fields[name] = self._changed(name, changes[name])
        return type(self)(**fields)

    def _changed(self, name: str, change: Any) -> Any:
        """A mapping field with a change applied to it; a whole value replaces it."""
        mine = getattr(self, name)
        if isinstance(change, type(mine)):
            return change
        if not isinstance(change, Mapping):
            raise RulesError(f"{name} is {change!r}; a mapping of card names to numbers is needed")
        try:
            return mine.changed(change)
        except ValueError as error:
            raise RulesError(str(error)) from None

    @cached_property
    def cards(self) -> Deck:
        """All cards in play: the deck as often as it is shuffled in."""
        return Deck(tuple(count * self.deck_copies for count in self.deck.counts))

    def has(self, kind: str) -> bool:
        """Whether the deck holds a card of this kind (`skip-all`, `wild-roulette`, ...)."""
        return self.deck.kind_total(KIND_ID[kind]) > 0

    @property
    def has_give_symbol(self) -> bool:
        """Whether some card bears the Teams give symbol."""
        return any(self.deck.counts[FIRST_GIVE:])

    def check_players(self, num_players: int) -> None:
        """Raise unless a table of this size can play these rules."""
        if isinstance(num_players, bool) or not isinstance(num_players, int):
            raise RulesError(f"num_players is {num_players!r}; an integer is needed")
        if not self.min_players <= num_players <= self.max_players:
            raise RulesError(
                f"num_players is {num_players}; {self.variant} takes "
                f"{self.min_players} to {self.max_players}"
            )
        if self.team_mode == "pairs" and num_players % 2:
            raise RulesError(
                f"num_players is {num_players}; team_mode='pairs' needs an even number"
            )
        if self.cards.size < self.cards_needed(num_players):
            raise RulesError(
                f"num_players is {num_players}: hand_size={self.hand_size} needs "
                f"{self.cards_needed(num_players)} cards, the deck has {self.cards.size}"
            )

    def cards_needed(self, num_players: int) -> int:
        """The fewest cards that such a table can be dealt from."""
        return num_players * (self.hand_size + self.perfect_cut_draw) + 2

    @field_validator("variant")
    @classmethod
    def _variant_exists(cls, variant: str) -> str:
        from .presets import preset_fields

        preset_fields(variant)
        return variant

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.cards.size > MAX_CARDS:
            raise ValueError(f"deck: {self.cards.size} cards; at most {MAX_CARDS}")
        for wrong, text in contradictions(self):
            if wrong:
                raise ValueError(text)
        return self
