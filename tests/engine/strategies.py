"""Tables, rule sets at random and a driver: what the property tests of the engine play.

Values of a rule come from its own declaration, so a new field of `Rules` is drawn without a
change here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from hypothesis import strategies as st

import uno_env as uno
from uno_env.cards import CARDS, COLORED_KINDS, GIVE_NUMBERS, NUM_FACES, WILDS

MAX_STEPS = 1500
MAX_ROUNDS = 3
SEEDS = st.integers(0, 2**64 - 1)

GARBAGE_ACTIONS = (
    -1,
    10**6,
    uno.NUM_ACTIONS - 1,
    "catch",
    "sum",
    "give red-1",
    "play wild",
    "swap +3 +7",
    "target +9",
)
"""Actions that are hardly ever legal, some of them never."""

FIELDS = tuple(name for name in uno.Rules.model_fields if name != "variant")

_PAIRS = {
    "team_mode": "pairs",
    "min_players": 4,
    "max_players": 8,
    "mercy_limit": 0,
    "play_on": False,
}
_ALONE = {
    "team_win": "both_out",
    "opening_pass": 0,
    "going_out_half": False,
    "return_on_draw": False,
    "next_for_effects": "in_play",
    "uno_call_by": "holder",
    "deck": {
        **{f"{number}+give": 0 for number in GIVE_NUMBERS},
        "wild-team-play": 0,
        "wild-team-draw2": 0,
    },
}
_NO_CHALLENGE = {"challenge": "none"}

COMPANIONS: dict[str, dict[str, Any]] = {
    "team_mode:none": _ALONE,
    "team_mode:pairs": _PAIRS,
    "deck": _PAIRS,
    "opening_pass": _PAIRS,
    "going_out_half": _PAIRS,
    "return_on_draw": _PAIRS,
    "next_for_effects": _PAIRS,
    "uno_call_by": _PAIRS,
    "team_win": _PAIRS,
    "play_on": {**_ALONE, "team_mode": "none"},
    "bluff_allowed": _NO_CHALLENGE,
    "plus4_legality": _NO_CHALLENGE,
    "challenge": {
        "bluff_allowed": True,
        "plus4_legality": "nothing_else",
        "stacking": "none",
        "deflection": "none",
    },
    "stacking": _NO_CHALLENGE,
    "deflection": _NO_CHALLENGE,
    "opening_policy": {"deck": {"3": 2}},
    "draw_count": {"draw_policy": "one"},
    "draw_policy:until_playable": {"draw_count": 1},
    "min_players": {"max_players": 10},
    "max_players": {"min_players": 2},
    "mercy_limit": {**_ALONE, "team_mode": "none", "hand_size": 1, "perfect_cut_draw": 0},
}
"""What else must change where a value alone would contradict the other rules."""


@dataclass(frozen=True, repr=False)
class Table:
    """A game to be: its rules, its seats, its seeds and who plays it."""

    rules: uno.Rules
    num_players: int
    seed: int
    driver_seed: int
    boldness: float
    episode: str = "round"

    def __repr__(self) -> str:
        seeds = f"{self.seed}, {self.driver_seed}, {self.boldness}, {self.episode!r}"
        return f"Table(Rules.from_text({self.rules.text()!r}), {self.num_players}, {seeds})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))  # Hypothesis would spell out every rule of the dataclass

    def game(self) -> uno.Game:
        """The game, freshly dealt."""
        return uno.Game(self.rules, self.num_players, self.seed, self.episode)

    def driver(self) -> "Driver":
        """Its player, at the start of its stream."""
        return Driver(self.driver_seed, self.boldness)


class Driver:
    """Plays every seat: at random, but lays a card rather than draw as often as it is bold.

    Where the rules let an illegal action pass for a price it now and then pays it.
    """

    def __init__(self, seed: int, boldness: float) -> None:
        self.rng = np.random.default_rng(seed)
        self.boldness = boldness

    def choose(self, game: uno.Game) -> int:
        """An action for the seat to act."""
        if game.rules.fault_mode == "penalty" and self.rng.random() < 0.03:
            return int(self.rng.integers(uno.NUM_ACTIONS))
        ids = game.legal_ids()
        plays = [number for number in ids if number < NUM_FACES]
        if plays and self.rng.random() < self.boldness:
            ids = plays
        return ids[int(self.rng.integers(len(ids)))]


def states(game: uno.Game, driver: Driver, most: int = 10**6) -> Iterator[uno.Game]:
    """The game at every moment from now until it is over, or for so many steps."""
    yield game
    for _ in range(most):
        if game.over:
            return
        game.step(driver.choose(game))
        yield game


def play_out(game: uno.Game, driver: Driver) -> uno.Game:
    """The same game, over."""
    for _ in states(game, driver):
        pass
    return game


def seat_counts(rules: uno.Rules) -> list[int]:
    """Every number of seats these rules can be played with."""
    return [n for n in range(2, 11) if _fits(rules, n)]


def _fits(rules: uno.Rules, num_players: int) -> bool:
    try:
        rules.check_players(num_players)
    except uno.RulesError:
        return False
    return True


def limits(name: str) -> tuple[int, int]:
    """Lowest and highest value of a numeric rule."""
    found = {}
    for limit in uno.Rules.model_fields[name].metadata:
        found |= {key: getattr(limit, key) for key in ("ge", "le") if hasattr(limit, key)}
    return found["ge"], found["le"]


def edge_values(name: str) -> list[Any]:
    """Every word of a rule, both answers of a switch, the ends and the middle of a number."""
    field = uno.Rules.model_fields[name]
    if name == "deck":
        return [{"*": 2}, {"wild": 40}, {"0": 9, "7": 9}, dict.fromkeys(WILDS[:8], 3)]
    if name == "points":
        return [{}, {"skip": 5, "0": 50}, dict.fromkeys(WILDS, 100)]
    if get_args(field.annotation):
        return list(get_args(field.annotation))
    if field.annotation is bool:
        return [False, True]
    low, high = limits(name)
    return sorted({low, min(low + 3, high), field.default, min(low + 20, high), high})


def deck_changes() -> st.SearchStrategy[dict[str, int]]:
    """A few counts of a deck: single faces, a kind in all colours, now and then every card."""
    kinds = [*COLORED_KINDS, *(f"{number}+give" for number in GIVE_NUMBERS)]
    names = st.one_of(st.sampled_from(CARDS), st.sampled_from([*kinds, *WILDS]), st.just("*"))
    return st.dictionaries(names, st.integers(0, 8), min_size=1, max_size=4)


def values(name: str) -> st.SearchStrategy[Any]:
    """Allowed values of a rule, small numbers more often than large ones."""
    edges = st.sampled_from(edge_values(name))
    if name == "deck":
        return st.one_of(deck_changes(), edges)
    if uno.Rules.model_fields[name].annotation is not int:
        return edges
    low, high = limits(name)
    return st.one_of(edges, st.integers(low, min(high, low + 12)))


def changed(rules: uno.Rules, name: str, value: Any) -> uno.Rules:
    """Rules with one field changed, and its companions where it needs them; as they were if not."""
    companions = COMPANIONS.get(f"{name}:{value}") or COMPANIONS.get(name) or {}
    for more in ({}, companions):
        try:
            new = rules.replace(**{**more, name: value})
        except uno.RulesError:
            continue
        if seat_counts(new):
            return new
    return rules


def bounded(rules: uno.Rules) -> uno.Rules:
    """The same rules, cut off early enough to be played to the end many times."""
    return rules.replace(
        max_steps=min(rules.max_steps, MAX_STEPS), max_rounds=min(rules.max_rounds, MAX_ROUNDS)
    )


@st.composite
def preset_rules(draw: st.DrawFn) -> uno.Rules:
    """One of the named rule sets."""
    return bounded(uno.Rules.preset(draw(st.sampled_from(uno.VARIANTS))))


@st.composite
def mixed_rules(draw: st.DrawFn) -> uno.Rules:
    """A preset with up to eight of its rules replaced."""
    rules = uno.Rules.preset(draw(st.sampled_from(uno.VARIANTS)))
    for name in draw(st.lists(st.sampled_from(FIELDS), max_size=8, unique=True)):
        rules = changed(rules, name, draw(values(name)))
    return bounded(rules)


@st.composite
def tables(
    draw: st.DrawFn,
    rules: st.SearchStrategy[uno.Rules] | None = None,
    episodes: tuple[str, ...] = ("round", "match"),
) -> Table:
    """A table of any size its rules allow."""
    chosen = draw(st.one_of(preset_rules(), mixed_rules()) if rules is None else rules)
    return Table(
        rules=chosen,
        num_players=draw(st.sampled_from(seat_counts(chosen))),
        seed=draw(SEEDS),
        driver_seed=draw(st.integers(0, 2**32 - 1)),
        boldness=draw(st.sampled_from((0.95, 0.7, 0.3, 0.0))),
        episode=draw(st.sampled_from(episodes)),
    )
