"""Tournaments of players whose strength is known, because their games are drawn, not played."""

import numpy as np
from uno_arena.play.matchup import deal_seeds, lineups, make_matchups, rotated
from uno_arena.results import Entrant, MatchupGames, TournamentResults
from uno_arena.stats.ratings import ELO
from uno_arena.stats.usage_stats import CHOICES, PHASES, no_counts

from uno_env import Rules


def synthetic_results(
    elos,
    *,
    deals=300,
    variant="classic",
    players=2,
    schedule="pairs",
    card_effect=0.7,
    seed=0,
    ties=0.0,
    forfeits=(),
    cheats=(),
    **config,
):
    """Results as `load_results` gives them; `elos` maps names to strengths.

    Args:
        card_effect: spread of what a deal's cards add to each side's strength.
        ties: part of the games that end without a winner.
        forfeits: rows of the first match-up that its focal agent forfeits.
    """
    rng = np.random.default_rng(seed)
    names = list(elos)
    strength = np.array([elos[name] for name in names]) / ELO
    rules = Rules.from_text(variant)
    matchups = make_matchups(len(names), [(rules, players)], "round", schedule)
    tables = [
        _games(
            rng, matchup, strength, deals, seed, card_effect, ties, forfeits if not number else ()
        )
        for number, matchup in enumerate(matchups)
    ]
    counts = no_counts(len(names))
    play, color = PHASES.index("play"), PHASES.index("color")
    for agent in range(len(names)):
        counts[agent, play, CHOICES.index("number")] = 700 + 10 * agent
        counts[agent, play, CHOICES.index("action")] = 200
        counts[agent, play, CHOICES.index("draw")] = 150 - 20 * agent
        counts[agent, color, CHOICES.index("color")] = 90
    config = {
        "agents": names,
        "variant": [rules.text()],
        "players": [players],
        "deals": deals,
        "seed": seed,
        "schedule": schedule,
        **config,
    }
    return TournamentResults(
        name="drawn",
        config=config,
        seed=seed,
        code_version="0.0-test",
        created="2026-01-01T00:00:00+00:00",
        agents=tuple(Entrant(name, cheats=name in cheats) for name in names),
        matchups=matchups,
        games=tuple(tables),
        decisions=tuple(counts for _ in matchups),
        is_complete=True,
        seconds=1.0,
        stopped_early=tuple(False for _ in matchups),
    )


def _games(rng, matchup, strength, deals, seed, card_effect, ties, forfeits):
    sides = matchup.sides
    places = lineups(matchup, len(strength), seed, 0, deals)
    entrant = rotated(places, sides)
    games = len(entrant)
    cards = np.repeat(rng.normal(0, card_effect, (deals, sides)), sides, axis=0)
    winner = (strength[entrant] + cards + rng.gumbel(size=entrant.shape)).argmax(axis=1)
    share = np.eye(sides)[winner]
    void = rng.random(games) < ties
    share[void] = 1 / sides
    rotation = np.tile(np.arange(sides), deals)
    forfeited_by, forfeit_seat = np.full(games, -1), np.full(games, -1)
    for row in forfeits:
        forfeited_by[row], forfeit_seat[row] = entrant[row, rotation[row]], rotation[row]
        share[row] = np.arange(sides) != rotation[row]
        share[row] /= share[row].sum()
    return MatchupGames(
        deal=np.repeat(np.arange(deals), sides),
        rotation=rotation,
        seed=np.repeat(deal_seeds(seed, 0, deals), sides).astype(np.int64),
        entrant=entrant,
        share=share,
        winners=np.where(void, 0, 1 << winner),
        points=np.zeros((games, matchup.num_players), np.int64),
        void=void,
        forfeited_by=forfeited_by,
        forfeit_seat=forfeit_seat,
        decisions=rng.poisson(38, games) + 5,
        reasons=dict.fromkeys(forfeits, "ValueError: no such card"),
    )
