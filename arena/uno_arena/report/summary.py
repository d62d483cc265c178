"""From the games of a tournament to the numbers of its reports."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from uno_env.array_types import Doubles, Ints

from ..results import Matchup, MatchupGames, TournamentResults
from ..stats.intervals import (
    MIN_DEALS,
    Estimate,
    deals_needed,
    mean_by_deal,
    paired_difference,
    pairwise_win_rate,
    variance_reduction,
    wilson_interval,
)
from ..stats.ratings import Ratings, TooFewDeals, contests_of, rate
from ..stats.sequential import ConfidenceSequence
from ..stats.usage_stats import lengths_of, no_counts, rates_by_turn, usage_of
from .report_data import (
    AgentUsage,
    Cell,
    Forfeit,
    Pairing,
    Standing,
    Summary,
    TableSummary,
    Verdict,
)


def summarise(results: TournamentResults) -> Summary:
    """All numbers of the reports."""
    keys = dict.fromkeys(matchup.table_key for matchup in results.matchups)
    tables = [
        TableStatistics(results, [m for m in results.matchups if m.table_key == key])
        for key in keys
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
        usage=tuple(_usage(results)),
    )


class TableStatistics:
    """The numbers of all match-ups that share rules, table size and episode."""

    def __init__(self, results: TournamentResults, matchups: Sequence[Matchup]) -> None:
        self.results = results
        self.matchups = [m for m in matchups if results.games[m.number].deals >= MIN_DEALS]
        self.by_matchup = [results.games[m.number] for m in self.matchups]
        self.names = [agent.name for agent in results.agents]
        self.games = sum(games.games for games in self.by_matchup)

    def summary(self) -> TableSummary:
        """Everything reported about this table configuration."""
        first = self.matchups[0]
        ratings, refusal = self._ratings()
        turns = rates_by_turn(self.matchups, self.by_matchup) if first.episode == "round" else {}
        counts = sum(
            (self.results.decisions[m.number] for m in self.matchups), no_counts(len(self.names))
        )
        return TableSummary(
            rules=first.rules,
            players=first.num_players,
            episode=first.episode,
            chance=first.chance,
            deals=max(games.deals for games in self.by_matchup),
            games=self.games,
            ties=sum(int(games.tied.sum()) for games in self.by_matchup),
            variance_reduction=variance_reduction(*self._all_shares()),
            pairings=tuple(self._pairings()),
            standings=tuple(self._standings(ratings)),
            model=ratings.model if ratings else None,
            refusal=refusal,
            is_regularised=bool(ratings and ratings.is_regularised),
            matrix=tuple(self._matrix()),
            by_turn={self.names[agent]: rates for agent, rates in turns.items()},
            lengths=lengths_of(np.concatenate([games.decisions for games in self.by_matchup])),
            usage={self.names[agent]: usage for agent, usage in usage_of(counts).items()},
        )

    @property
    def _pairs(self) -> list[tuple[Matchup, MatchupGames]]:
        return list(zip(self.matchups, self.by_matchup, strict=True))

    def _ratings(self) -> tuple[Ratings | None, str | None]:
        try:
            return rate(len(self.names), contests_of(self.by_matchup)), None
        except TooFewDeals as error:
            return None, str(error)

    def _all_shares(self) -> Iterator[Doubles]:
        """Each agent's shares (deals, rotations) in each match-up it played in."""
        for games in self.by_matchup:
            for agent in np.unique(games.entrant).tolist():
                shares = games.shares_of(agent)
                sat = ~np.isnan(shares).any(axis=1)
                if sat.sum() >= MIN_DEALS:
                    yield shares[sat]

    def _focal_rate(self, shares: Doubles) -> Estimate:
        """A win rate with its interval: anytime-valid if the match-up could stop early.

        Optional stopping makes a fixed-sample interval too narrow.
        """
        if not is_sequential(self.results.config):
            return wilson_interval(shares)
        horizon = int(self.results.config.get("deals", len(shares)))
        state = ConfidenceSequence(0.5, horizon=horizon).evaluate(shares.mean(axis=1))
        return Estimate(state.value, state.low, state.high)

    def _pairings(self) -> Iterator[Pairing]:
        for matchup, games in self._pairs:
            if not matchup.lineup:
                continue
            shares = games.focal_shares()
            stopped = self.results.stopped_early
            estimate = self._focal_rate(shares)
            verdict = _verdict(estimate, matchup.chance)
            yield Pairing(
                number=matchup.number,
                focal=self.names[matchup.lineup[0]],
                opponent=self.names[matchup.lineup[1]],
                deals=games.deals,
                games=games.games,
                rate=estimate,
                verdict=verdict,
                deals_needed=deals_needed(shares, matchup.chance) if verdict == "tie" else None,
                ties=int(games.tied.sum()),
                forfeits=int((games.forfeited_by >= 0).sum()),
                variance_reduction=variance_reduction(shares),
                stopped_early=bool(stopped and stopped[matchup.number]),
            )

    def _standings(self, ratings: Ratings | None) -> Iterator[Standing]:
        """Agents that played, the best first: by rating, or by win rate if there is none."""
        found = {agent: self._by_deal(agent) for agent in range(len(self.names))}
        deals = {agent: by_deal for agent, by_deal in found.items() if len(by_deal[0]) > 1}
        rated = {rating.agent: rating for rating in ratings.ratings} if ratings else {}
        order = list(rated) or sorted(deals, key=lambda agent: -float(deals[agent][1].mean()))
        below = dict(pairwise(order))
        for agent in order:
            rating = rated.get(agent)
            sat = [(games.entrant == agent).any(axis=1) for games in self.by_matchup]
            tied = [mine & games.tied for mine, games in zip(sat, self.by_matchup, strict=True)]
            yield Standing(
                agent=self.names[agent],
                cheats=self.results.agents[agent].cheats,
                deals=len(deals[agent][0]),
                games=sum(int(mine.sum()) for mine in sat),
                rate=wilson_interval(deals[agent][1][:, None]),
                ties=sum(int(mine.sum()) for mine in tied),
                forfeits=sum(int((t.forfeited_by == agent).sum()) for t in self.by_matchup),
                elo=rating.elo if rating else None,
                rank=rating.rank if rating else None,
                is_tied=bool(rating and rating.is_tied),
                group=rating.group if rating else None,
                lead=_lead(deals[agent], deals[below[agent]]) if agent in below else None,
            )

    def _by_deal(self, agent: int) -> tuple[Ints, Doubles]:
        """Seeds of the cards an agent played, and its mean share of the games with each."""
        shares = [games.shares_of(agent).ravel() for games in self.by_matchup]
        sat = [~np.isnan(mine) for mine in shares]
        seeds = [games.seed[mine] for games, mine in zip(self.by_matchup, sat, strict=True)]
        held = [share[mine] for share, mine in zip(shares, sat, strict=True)]
        return mean_by_deal(np.concatenate(seeds), np.concatenate(held))

    def _matrix(self) -> Iterator[Cell]:
        for matchup, games in self._pairs:
            if matchup.lineup:
                yield from self._focal_cells(matchup, games)
        mixed = [games for matchup, games in self._pairs if not matchup.lineup]
        if mixed:
            yield from self._mixed_cells(mixed)

    def _focal_cells(self, matchup: Matchup, games: MatchupGames) -> Iterator[Cell]:
        focal, opponent = (self.names[agent] for agent in matchup.lineup[:2])
        estimate = self._focal_rate(games.focal_shares())
        yield Cell(focal, opponent, estimate, matchup.chance)
        if matchup.sides == 2:
            flipped = Estimate(1 - estimate.value, 1 - estimate.high, 1 - estimate.low)
            yield Cell(opponent, focal, flipped, matchup.chance)

    def _mixed_cells(self, mixed: Sequence[MatchupGames]) -> Iterator[Cell]:
        """Of the games two agents sat in together and one of them won, the part the first won."""
        agents = sorted({agent for games in mixed for agent in games.entrant.ravel().tolist()})
        for first in agents:
            for second in agents:
                won = np.concatenate([_won_together(games, first, second) for games in mixed])
                if first != second and len(won) >= MIN_DEALS and won.sum() > 0:
                    yield Cell(self.names[first], self.names[second], pairwise_win_rate(won), 0.5)


def is_sequential(config: dict[str, Any]) -> bool:
    """Whether a stopping rule could end match-ups before their last deal."""
    return bool(config.get("until_clear") or config.get("sprt"))


def _verdict(estimate: Estimate, chance: float) -> Verdict:
    if estimate.low > chance:
        return "better"
    return "worse" if estimate.high < chance else "tie"


def _lead(first: tuple[Ints, Doubles], second: tuple[Ints, Doubles]) -> Estimate | None:
    common, mine, theirs = np.intersect1d(first[0], second[0], return_indices=True)
    if len(common) < MIN_DEALS:
        return None
    return paired_difference(first[1][mine][:, None], second[1][theirs][:, None])


def _won_together(games: MatchupGames, first: int, second: int) -> Doubles:
    """(deals, 2) games won by each of two agents, on the deals at which both sat."""
    seats = [games.entrant == agent for agent in (first, second)]
    won = np.stack([(games.share * mine).sum(axis=1) for mine in seats], axis=1)
    together = seats[0].any(axis=1) & seats[1].any(axis=1)
    deals = together.reshape(games.deals, -1).all(axis=1)
    by_deal: Doubles = won.reshape(games.deals, -1, 2).sum(axis=1)[deals]
    return by_deal


def _usage(results: TournamentResults) -> Iterator[AgentUsage]:
    """One for each agent that counts, and each table configuration."""
    for key in dict.fromkeys(matchup.table_key for matchup in results.matchups):
        played = [
            (results.games[m.number], usage)
            for m, usage in zip(results.matchups, results.usage, strict=False)
            if m.table_key == key
        ]
        for entrant in sorted({entrant for _, usage in played for entrant in usage}):
            games = [games for games, usage in played if entrant in usage]
            count = sum(int((g.entrant == entrant).any(axis=1).sum()) for g in games)
            total: dict[str, float] = {}
            for _, usage in played:
                for name, number in usage.get(entrant, {}).items():
                    total[name] = total.get(name, 0) + number
            yield AgentUsage(
                agent=results.agents[entrant].name,
                rules=key[0],
                players=key[1],
                games=count,
                forfeits=sum(int((g.forfeited_by == entrant).sum()) for g in games),
                total=total,
                per_game={name: number / max(count, 1) for name, number in total.items()},
            )


def _forfeits(results: TournamentResults) -> Iterator[Forfeit]:
    for matchup, games in zip(results.matchups, results.games, strict=True):
        for row in np.flatnonzero(games.forfeited_by >= 0).tolist():
            yield Forfeit(
                game=f"{matchup.number}.{games.deal[row]}.{games.rotation[row]}",
                seat=int(games.forfeit_seat[row]),
                agent=results.agents[int(games.forfeited_by[row])].name,
                reason=games.reasons.get(row, "not recorded"),
            )
