"""Ratings over many agents: Bradley-Terry for two sides, Plackett-Luce for more.

Under both, a side of strength s wins a game with probability s over the sum of strengths of all
sides; with two sides that is Bradley-Terry. Strengths are fitted by `choix` and shown on a scale
like Elo's, where 400 points are odds of 10 to 1 and the mean of those rated is 0. Intervals are
clustered by deal, since games with the same cards are not independent.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from uno_env.array_types import Doubles, Ints

from ..results import MatchupGames
from .intervals import MIN_RANKED_DEALS, Z95, Estimate

ELO = 400 / math.log(10)
PSEUDO_WINS = 0.5
MAX_ITERATIONS, TOLERANCE = 1000, 1e-10


class TooFewDeals(ValueError):
    """Too few deals for a ranking; says how many are needed."""


@dataclass(frozen=True)
class Contest:
    """The games of one line-up.

    Args:
        sides: number of the agent on each side, a number several times for several seats.
        deals: which cards were played; the same number is the same cards in every contest.
        won: games won by each side on each deal (deals, sides), a shared game in fractions.
    """

    sides: tuple[int, ...]
    deals: Ints
    won: Doubles


class Rating(NamedTuple):
    """One agent's place: its rating with a 95 % interval, relative to the mean of its group.

    `rank` is one more than the number of significantly better agents, so agents whose difference is
    not significant share a rank. Groups never met, not even through others, so ratings
    compare only inside one.
    """

    agent: int
    elo: Estimate
    rank: int
    is_tied: bool
    group: int


@dataclass(frozen=True)
class Ratings:
    """All ratings, the best first, group by group."""

    model: str
    ratings: tuple[Rating, ...]
    is_regularised: bool
    _elos: Doubles
    _covariance: Doubles

    def difference(self, first: int, second: int) -> Estimate:
        """Rating of one agent minus that of another, with its 95 % interval."""
        return _difference(self._elos, self._covariance, first, second)

    @property
    def groups(self) -> int:
        """Number of groups that never met."""
        return 1 + max(rating.group for rating in self.ratings)


def contests_of(matchups: Sequence[MatchupGames]) -> list[Contest]:
    """The games of some match-ups, grouped by line-up."""
    contests = []
    for games in matchups:
        order = games.entrant.argsort(axis=1, kind="stable")
        sides = np.take_along_axis(games.entrant, order, axis=1)
        shares = np.take_along_axis(games.share, order, axis=1)
        lineups, lineup_of = np.unique(sides, axis=0, return_inverse=True)
        for number, lineup in enumerate(lineups.tolist()):
            rows = np.flatnonzero(lineup_of.ravel() == number)
            deals, deal_of = np.unique(games.seed[rows], return_inverse=True)
            won = np.zeros((len(deals), len(lineup)))
            np.add.at(won, deal_of, shares[rows])
            contests.append(Contest(tuple(lineup), deals, won))
    return contests


def rate(num_agents: int, contests: Sequence[Contest]) -> Ratings:
    """Ratings of all agents that played, or an error if the deals are too few for a ranking."""
    _check_deals(num_agents, contests)
    elos, covariance = np.zeros(num_agents), np.zeros((num_agents, num_agents))
    groups = np.full(num_agents, -1)
    is_regularised = False
    for group, members in enumerate(_groups(num_agents, contests)):
        within = [contest for contest in contests if contest.sides[0] in members]
        is_perfect = not _is_strongly_connected(num_agents, members, within)
        if is_perfect:
            within = [_with_pseudo_wins(contest, number) for number, contest in enumerate(within)]
            is_regularised = True
        theta = _fit(num_agents, members, within)
        block = np.ix_(members, members)
        elos[members] = ELO * theta[members]
        covariance[block] = ELO**2 * _covariance(theta, within, is_perfect)[block]
        groups[members] = group
    model = "Plackett-Luce" if any(len(c.sides) > 2 for c in contests) else "Bradley-Terry"
    ratings = _ranked(elos, covariance, groups)
    return Ratings(model, ratings, is_regularised, elos, covariance)


def _check_deals(num_agents: int, contests: Sequence[Contest]) -> None:
    """Refuse unless every agent that played did so on enough deals."""
    deals = [0] * num_agents
    for contest in contests:
        for side in set(contest.sides):
            deals[side] += len(contest.deals)
    fewest = min((count for count in deals if count), default=0)
    if fewest < MIN_RANKED_DEALS:
        raise TooFewDeals(
            f"no ranking from {fewest} deals: each agent needs at least {MIN_RANKED_DEALS}, "
            f"{MIN_RANKED_DEALS - fewest} more"
        )


def _groups(num_agents: int, contests: Sequence[Contest]) -> Iterator[Ints]:
    """Agents that met, directly or through others; those who played nobody are in no group."""
    from scipy.sparse.csgraph import connected_components

    met = np.zeros((num_agents, num_agents))
    for contest in contests:
        met[np.ix_(contest.sides, contest.sides)] = 1
    _, labels = connected_components(met, directed=False)
    played = met.diagonal() > 0
    for label in dict.fromkeys(labels[played].tolist()):
        yield np.flatnonzero((labels == label) & played)


def _is_strongly_connected(num_agents: int, members: Ints, contests: Sequence[Contest]) -> bool:
    """Whether the win graph is strongly connected; else the likelihood is unbounded (Ford 1957)."""
    from scipy.sparse.csgraph import connected_components

    win_counts = np.zeros((num_agents, num_agents))
    for contest in contests:
        for side, games in zip(contest.sides, contest.won.sum(axis=0), strict=True):
            win_counts[side, list(contest.sides)] += games
    parts, _ = connected_components(win_counts[np.ix_(members, members)], connection="strong")
    return bool(parts == 1)


def _with_pseudo_wins(contest: Contest, number: int) -> Contest:
    """The contest with half a pseudo-win for each side, as a deal of its own."""
    extra = np.full((1, len(contest.sides)), PSEUDO_WINS)
    return Contest(
        contest.sides,
        # Numbers of real deals are not negative, so this one is nobody else's.
        np.concatenate((contest.deals, [-1 - number])),
        np.concatenate((contest.won, extra)),
    )


def _fit(num_agents: int, members: Ints, contests: Sequence[Contest]) -> Doubles:
    """Log-strengths with mean 0, by iterated Luce spectral ranking (Maystre and Grossglauser 2015).

    `choix` weighs pairwise comparisons only. A win among many sides is one comparison with each
    other side whose rate is 1 / (sum of strengths) instead of 1 / (sum of the two), so scaling
    the counts by the quotient makes each of its steps that of Plackett-Luce.
    """
    import choix

    theta = np.zeros(num_agents)
    for _ in range(MAX_ITERATIONS):
        strength = np.exp(theta)
        win_counts = np.zeros((num_agents, num_agents))
        for contest in contests:
            sides = np.array(contest.sides)
            at_table = strength[sides]
            wins = contest.won.sum(axis=0)
            scaled = wins[:, None] * (at_table[:, None] + at_table) / at_table.sum()
            np.add.at(win_counts, (sides[:, None], sides[None, :]), scaled)
        np.fill_diagonal(win_counts, 0)
        new = choix.lsr_pairwise_dense(
            win_counts[np.ix_(members, members)], initial_params=theta[members]
        )
        moved = float(np.abs(new - theta[members]).sum())
        theta[members] = new
        if moved < TOLERANCE:
            return theta
    raise RuntimeError(f"ratings did not settle within {MAX_ITERATIONS} steps")


def _covariance(theta: Doubles, contests: Sequence[Contest], is_perfect: bool) -> Doubles:
    """Covariance of the log-strengths: the sandwich estimator, clustered by deal.

    The inverse information on both sides of the outer products of the scores summed by deal.
    Perfect records show no variance between deals; then the inverse information alone is used.
    """
    information = np.zeros((len(theta), len(theta)))
    numbers = np.unique(np.concatenate([contest.deals for contest in contests]))
    scores = np.zeros((len(numbers), len(theta)))
    for contest in contests:
        sides = np.array(contest.sides)
        weights = np.exp(theta[sides] - theta[sides].max())
        chances = np.zeros(len(theta))
        np.add.at(chances, sides, weights / weights.sum())
        games = contest.won.sum(axis=1)
        information += games.sum() * (np.diag(chances) - np.outer(chances, chances))
        rows = np.searchsorted(numbers, contest.deals)
        for side, won in zip(contest.sides, contest.won.T, strict=True):
            np.add.at(scores[:, side], rows, won)
        np.subtract.at(scores, rows, games[:, None] * chances)
    inverse: Doubles = np.linalg.pinv(information, hermitian=True).astype(np.float64)
    if is_perfect:
        return inverse
    clusters = len(numbers)
    squares: Doubles = scores.T @ scores
    clustered: Doubles = inverse @ squares @ inverse * clusters / (clusters - 1)
    return clustered


def _ranked(elos: Doubles, covariance: Doubles, groups: Ints) -> tuple[Rating, ...]:
    ratings = []
    for agent in np.flatnonzero(groups >= 0).tolist():
        rivals = np.flatnonzero((groups == groups[agent]) & (np.arange(len(elos)) != agent))
        gaps = [_difference(elos, covariance, other, agent) for other in rivals.tolist()]
        ratings.append(
            Rating(
                agent,
                _with_error(elos[agent], covariance[agent, agent]),
                1 + sum(gap.low > 0 for gap in gaps),
                any(not gap.excludes(0) for gap in gaps),
                int(groups[agent]),
            )
        )
    return tuple(sorted(ratings, key=lambda rating: (rating.group, -rating.elo.value)))


def _difference(elos: Doubles, covariance: Doubles, first: int, second: int) -> Estimate:
    apart = covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]
    return _with_error(elos[first] - elos[second], apart)


def _with_error(value: float, variance: float) -> Estimate:
    half = Z95 * math.sqrt(max(0.0, variance))
    return Estimate(float(value), float(value - half), float(value + half))
