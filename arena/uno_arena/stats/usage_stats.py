"""Usage statistics: which choices agents make, win rates by turn order, lengths of games.

A decision is counted by the phase of the game it is taken in and the kind of choice it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from uno_env import Rules, vec
from uno_env.actions import ACTIONS
from uno_env.array_types import Doubles, Ints
from uno_env.cards import COLORS
from uno_env.engine.tables import PHASES as PHASES
from uno_env.kinds import RESERVED

from ..results import Matchup, MatchupGames
from .intervals import MIN_DEALS, Estimate, mean_by_deal, wilson_interval

Usage = dict[str, dict[str, int]]
"""By phase and choice, how often."""

DEALT_AT_ONCE = 4096
QUANTILES = (5, 25, 50, 75, 95)
BARS = 30
CHOICES = (
    "number",
    "action",
    "wild",
    "draw",
    "keep",
    "pass",
    "take",
    "accept",
    "challenge",
    "color",
    "target",
    "swap",
    "no-swap",
    "call-uno",
    "stay-silent",
    "catch",
    "ignore",
    "jump-in",
    "sum",
)
"""What can be chosen; the first three are cards, played or (in the giving phases) given."""


def choice_of(action: str) -> str:
    """The kind of choice an action text is."""
    word, _, rest = action.partition(" ")
    if word != "play":
        return word
    if rest.startswith("wild"):
        return "wild"
    color, _, symbol = rest.removesuffix("+give").partition("-")
    if color not in COLORS:
        raise ValueError(f"action {action!r} plays no known card")
    return "number" if symbol.isdecimal() else "action"


CHOICE_OF: npt.NDArray[np.uint8] = np.array(
    [0 if a.startswith(RESERVED) else CHOICES.index(choice_of(a)) for a in ACTIONS], np.uint8
)
"""The kind of choice of each action id; reserved ids are never chosen."""


def no_counts(agents: int) -> Ints:
    """Zeros (agents, phases, choices), to count decisions in."""
    return np.zeros((agents, len(PHASES), len(CHOICES)), np.int64)


@dataclass(frozen=True)
class Lengths:
    """How long games were, in decisions."""

    mean: float
    quantiles: tuple[float, ...]
    longest: int
    width: int
    """Decisions a bar of the histogram spans."""
    counts: tuple[int, ...]


@dataclass
class _Games:
    """Shares of games and the cards each was played with."""

    seeds: list[Ints]
    shares: list[Doubles]

    def rate(self) -> Estimate | None:
        _, means = mean_by_deal(np.concatenate(self.seeds), np.concatenate(self.shares))
        return wilson_interval(means[:, None]) if len(means) >= MIN_DEALS else None


def rates_by_turn(
    matchups: Sequence[Matchup], tables: Sequence[MatchupGames]
) -> dict[int, tuple[Estimate, ...]]:
    """Win rates of each agent by its place in the turn order of the opening, first to play first.

    Seats alone would say nothing, because the dealer is drawn anew for every deal.
    """
    games: dict[int, list[_Games]] = {}
    for matchup, table in zip(matchups, tables, strict=True):
        starter, direction = openings(matchup, table.seed)
        sides = np.arange(matchup.sides)
        place = (sides - starter[:, None]) * direction[:, None] % matchup.sides
        for agent in np.unique(table.entrant).tolist():
            places = games.setdefault(agent, [_Games([], []) for _ in sides])
            for turn, found in enumerate(places):
                mine = (table.entrant == agent) & (place == turn)
                sat = mine.any(axis=1)
                found.seeds.append(table.seed[sat])
                found.shares.append((table.share * mine).sum(axis=1)[sat])
    rates = {agent: [found.rate() for found in games[agent]] for agent in sorted(games)}
    return {
        agent: tuple(rate for rate in of_agent if rate)
        for agent, of_agent in rates.items()
        if all(of_agent)
    }


def openings(matchup: Matchup, seeds: Ints) -> tuple[Ints, Ints]:
    """Seat to play first and direction of play, from dealing the cards of each game again."""
    rules = Rules.from_text(matchup.rules)
    cards, which = np.unique(seeds, return_inverse=True)
    starter, direction = np.zeros(len(cards), np.int64), np.zeros(len(cards), np.int64)
    for first in range(0, len(cards), DEALT_AT_ONCE):
        part = slice(first, first + DEALT_AT_ONCE)
        batch = vec(rules, len(cards[part]), matchup.num_players, seed=cards[part])
        batch.reset()
        state = batch.state
        starter[part], direction[part] = state["turn"], state["direction"]
    return starter[which], direction[which]


def lengths_of(decisions: Ints) -> Lengths:
    """Mean, quantiles and a histogram of games' lengths."""
    # Bars of whole decisions over the usual lengths; the last one holds everything beyond.
    usual = float(np.percentile(decisions, 99))
    width = max(1, round(usual / BARS))
    last = int(usual // width) + 1
    counts = np.bincount(np.minimum(decisions // width, last), minlength=last + 1)
    return Lengths(
        mean=float(decisions.mean()),
        quantiles=tuple(float(q) for q in np.percentile(decisions, QUANTILES)),
        longest=int(decisions.max()),
        width=width,
        counts=tuple(counts.tolist()),
    )


def usage_of(counts: Ints) -> dict[int, Usage]:
    """For each agent and phase how often each choice was made, as words."""
    usage: dict[int, Usage] = {}
    for agent, phase, choice in np.argwhere(counts > 0).tolist():
        of_phase = usage.setdefault(agent, {}).setdefault(PHASES[phase], {})
        of_phase[CHOICES[choice]] = int(counts[agent, phase, choice])
    return usage


def real_choices(usage: dict[str, Usage]) -> dict[str, list[str]]:
    """Phases in which agents chose between several things, and what these were."""
    found: dict[str, set[str]] = {}
    for by_phase in usage.values():
        for phase, counts in by_phase.items():
            found.setdefault(phase, set()).update(counts)
    return {
        phase: [choice for choice in CHOICES if choice in found[phase]]
        for phase in PHASES
        if len(found.get(phase, ())) > 1
    }
