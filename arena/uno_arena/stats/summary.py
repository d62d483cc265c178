"""From the games of a tournament to the numbers of its reports."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from uno_env.array_types import Doubles, Ints

from ..report.report_data import (
    Cell,
    Forfeit,
    Pairing,
    Standing,
    Summary,
    TableSummary,
    Verdict,
)
from ..store.results import GameTable, Matchup, TournamentResults
from .decisions import no_counts
from .intervals import (
    FEWEST_DEALS,
    Estimate,
    deals_needed,
    duplicate_worth,
    interval,
    mean_by_deal,
    paired_difference,
    share_of_two,
)
from .ratings import RatingTable, TooFewDeals, contests_of, rate
from .sequential import ConfidenceBound
from .usage_stats import lengths_of, rates_by_turn, usage_of


def summarise(results: TournamentResults) -> Summary:
    """All numbers of the reports."""
    kinds = dict.fromkeys(matchup.table for matchup in results.matchups)
    tables = [
        TableNumbers(results, [m for m in results.matchups if m.table == kind]) for kind in kinds
    ]
    return Summary(
        name=results.name,
        seed=results.seed,
        code_version=results.code_version,
        created=results.created,
        config=results.config,
        is_complete=results.is_complete,
        is_sequential=is_sequential(results.config),
        agents=results.agents,
        games=results.total_games,
        tables=tuple(table.summary() for table in tables if table.games),
        forfeits=tuple(_forfeits(results)),
    )


class TableNumbers:
    """Works out the numbers of the match-ups at one kind of table."""

    def __init__(self, results: TournamentResults, matchups: Sequence[Matchup]) -> None:
        self.results = results
        self.matchups = [m for m in matchups if results.games[m.number].deals >= FEWEST_DEALS]
        self.tables = [results.games[m.number] for m in self.matchups]
        self.names = [agent.name for agent in results.agents]
        self.games = sum(table.games for table in self.tables)

    def summary(self) -> TableSummary:
        """Everything said about this kind of table."""
        first = self.matchups[0]
        ratings, refusal = self._ratings()
        turns = rates_by_turn(self.matchups, self.tables) if first.episode == "round" else {}
        counts = sum(
            (self.results.decisions[m.number] for m in self.matchups), no_counts(len(self.names))
        )
        return TableSummary(
            rules=first.rules,
            players=first.num_players,
            episode=first.episode,
            chance=first.chance,
            deals=max(table.deals for table in self.tables),
            games=self.games,
            ties=sum(int(table.tied.sum()) for table in self.tables),
            duplicate_worth=duplicate_worth(*self._all_shares()),
            pairings=tuple(self._pairings()),
            standings=tuple(self._standings(ratings)),
            model=ratings.model if ratings else None,
            refusal=refusal,
            is_regularised=bool(ratings and ratings.is_regularised),
            matrix=tuple(self._matrix()),
            by_turn={self.names[agent]: rates for agent, rates in turns.items()},
            lengths=lengths_of(np.concatenate([table.decisions for table in self.tables])),
            usage={self.names[agent]: usage for agent, usage in usage_of(counts).items()},
        )

    @property
    def _pairs(self) -> list[tuple[Matchup, GameTable]]:
        return list(zip(self.matchups, self.tables, strict=True))

    def _ratings(self) -> tuple[RatingTable | None, str | None]:
        try:
            return rate(len(self.names), contests_of(self.tables)), None
        except TooFewDeals as error:
            return None, str(error)

    def _all_shares(self) -> Iterator[Doubles]:
        """Each agent's shares (deals, rotations) in each match-up it played in."""
        for table in self.tables:
            for agent in np.unique(table.entrant).tolist():
                shares = table.shares_of(agent)
                sat = ~np.isnan(shares).any(axis=1)
                if sat.sum() >= FEWEST_DEALS:
                    yield shares[sat]

    def _hero_rate(self, shares: Doubles) -> Estimate:
        """A win rate, with the interval that fits how the number of deals came about.

        Stopping at a chosen moment makes an ordinary interval too narrow; the one used then holds
        at all times.
        """
        if not is_sequential(self.results.config):
            return interval(shares)
        horizon = int(self.results.config.get("deals", len(shares)))
        look = ConfidenceBound(0.5, horizon=horizon).look(shares.mean(axis=1))
        return Estimate(look.value, look.low, look.high)

    def _pairings(self) -> Iterator[Pairing]:
        for matchup, table in self._pairs:
            if not matchup.lineup:
                continue
            shares = table.hero_shares()
            stopped = self.results.stopped_early
            estimate = self._hero_rate(shares)
            verdict = _verdict(estimate, matchup.chance)
            yield Pairing(
                number=matchup.number,
                hero=self.names[matchup.lineup[0]],
                field=self.names[matchup.lineup[1]],
                deals=table.deals,
                games=table.games,
                rate=estimate,
                verdict=verdict,
                deals_needed=deals_needed(shares, matchup.chance) if verdict == "level" else None,
                ties=int(table.tied.sum()),
                forfeits=int((table.forfeited_by >= 0).sum()),
                duplicate_worth=duplicate_worth(shares),
                stopped_early=bool(stopped and stopped[matchup.number]),
            )

    def _standings(self, ratings: RatingTable | None) -> Iterator[Standing]:
        """Agents that played, the best first: by rating, or by win rate if there is none."""
        found = {agent: self._by_deal(agent) for agent in range(len(self.names))}
        deals = {agent: by_deal for agent, by_deal in found.items() if len(by_deal[0]) > 1}
        rated = {rating.agent: rating for rating in ratings.ratings} if ratings else {}
        order = list(rated) or sorted(deals, key=lambda agent: -float(deals[agent][1].mean()))
        below = dict(pairwise(order))
        for agent in order:
            rating = rated.get(agent)
            sat = [(table.entrant == agent).any(axis=1) for table in self.tables]
            tied = [mine & table.tied for mine, table in zip(sat, self.tables, strict=True)]
            yield Standing(
                agent=self.names[agent],
                cheats=self.results.agents[agent].cheats,
                deals=len(deals[agent][0]),
                games=sum(int(mine.sum()) for mine in sat),
                rate=interval(deals[agent][1][:, None]),
                ties=sum(int(mine.sum()) for mine in tied),
                forfeits=sum(int((t.forfeited_by == agent).sum()) for t in self.tables),
                elo=rating.elo if rating else None,
                rank=rating.rank if rating else None,
                is_tied=bool(rating and rating.is_tied),
                group=rating.group if rating else None,
                lead=_lead(deals[agent], deals[below[agent]]) if agent in below else None,
            )

    def _by_deal(self, agent: int) -> tuple[Ints, Doubles]:
        """Seeds of the cards an agent played, and its mean share of the games with each."""
        shares = [table.shares_of(agent).ravel() for table in self.tables]
        sat = [~np.isnan(mine) for mine in shares]
        seeds = [table.seed[mine] for table, mine in zip(self.tables, sat, strict=True)]
        held = [share[mine] for share, mine in zip(shares, sat, strict=True)]
        return mean_by_deal(np.concatenate(seeds), np.concatenate(held))

    def _matrix(self) -> Iterator[Cell]:
        for matchup, table in self._pairs:
            if matchup.lineup:
                yield from self._field_cells(matchup, table)
        mixed = [table for matchup, table in self._pairs if not matchup.lineup]
        if mixed:
            yield from self._mixed_cells(mixed)

    def _field_cells(self, matchup: Matchup, table: GameTable) -> Iterator[Cell]:
        hero, field = (self.names[agent] for agent in matchup.lineup[:2])
        estimate = self._hero_rate(table.hero_shares())
        yield Cell(hero, field, estimate, matchup.chance)
        if matchup.sides == 2:
            flipped = Estimate(1 - estimate.value, 1 - estimate.high, 1 - estimate.low)
            yield Cell(field, hero, flipped, matchup.chance)

    def _mixed_cells(self, tables: Sequence[GameTable]) -> Iterator[Cell]:
        """Of the games two agents sat in together and one of them won, the part the first won."""
        agents = sorted({agent for table in tables for agent in table.entrant.ravel().tolist()})
        for first in agents:
            for second in agents:
                won = np.concatenate([_won_together(table, first, second) for table in tables])
                if first != second and len(won) >= FEWEST_DEALS and won.sum() > 0:
                    yield Cell(self.names[first], self.names[second], share_of_two(won), 0.5)


def is_sequential(config: dict[str, Any]) -> bool:
    """Whether match-ups could end before their last deal, because the answer was clear."""
    return bool(config.get("until_clear") or config.get("sprt"))


def _verdict(estimate: Estimate, chance: float) -> Verdict:
    if estimate.low > chance:
        return "better"
    return "worse" if estimate.high < chance else "level"


def _lead(first: tuple[Ints, Doubles], second: tuple[Ints, Doubles]) -> Estimate | None:
    common, mine, theirs = np.intersect1d(first[0], second[0], return_indices=True)
    if len(common) < FEWEST_DEALS:
        return None
    return paired_difference(first[1][mine][:, None], second[1][theirs][:, None])


def _won_together(table: GameTable, first: int, second: int) -> Doubles:
    """(deals, 2) games won by each of two agents, on the deals at which both sat."""
    seats = [table.entrant == agent for agent in (first, second)]
    won = np.stack([(table.share * mine).sum(axis=1) for mine in seats], axis=1)
    together = seats[0].any(axis=1) & seats[1].any(axis=1)
    deals = together.reshape(table.deals, -1).all(axis=1)
    of_deal: Doubles = won.reshape(table.deals, -1, 2).sum(axis=1)[deals]
    return of_deal


def _forfeits(results: TournamentResults) -> Iterator[Forfeit]:
    for matchup, table in zip(results.matchups, results.games, strict=True):
        for row in np.flatnonzero(table.forfeited_by >= 0).tolist():
            yield Forfeit(
                game=f"{matchup.number}.{table.deal[row]}.{table.rotation[row]}",
                seat=int(table.forfeit_seat[row]),
                agent=results.agents[int(table.forfeited_by[row])].name,
                reason=table.reasons.get(row, "not recorded"),
            )
