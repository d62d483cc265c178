"""Chunks and comparisons that several tests need."""

import numpy as np
from uno_arena.play.chunk import ChunkSpec
from uno_arena.play.matchup import make_matchups

from uno_env import Game, Rules


def chunk(agents, variant="classic", players=2, deals=(0, 6), is_batch=True, **changes):
    """A chunk of the first agent against a table of the second, or of a mixed table."""
    schedule = changes.pop("schedule", "first")
    episode = changes.pop("episode", "round")
    table = (Rules.from_text(variant), players)
    (matchup,) = make_matchups(len(agents), [table], episode, schedule)
    names = tuple(str(getattr(agent, "name", agent)) for agent in agents)
    options = {"seed": 5, "number": 0, "is_batch": is_batch, **changes}
    first, last = deals
    return ChunkSpec(
        matchup, tuple(agents), names, first_deal=first, last_deal=last, **options
    )  # fmt: skip


def record(spec, result, game):
    """The record of a game of a chunk, as `Game.replay` takes it."""
    return {
        "rules": spec.rules.text(),
        "num_players": spec.matchup.num_players,
        "seed": int(result.layout.seed[game]),
        "episode": spec.matchup.episode,
        "actions": list(result.actions[game]),
    }


def assert_replays(spec, result):
    """Every game re-runs to the result that was noted, up to where it was forfeited."""
    for game in range(spec.num_games):
        again = Game.replay(record(spec, result, game))
        points = again.scores if again.episode == "match" else again.points
        assert again.over == (result.forfeit_seat[game] < 0)
        assert sum(1 << seat for seat in again.winners) == result.winners[game]
        assert points == result.points[game].tolist()
        assert again.void == result.void[game]
        if not again.over:
            assert again.actor == result.forfeit_seat[game]


def assert_same(first, second):
    """Two results are the same, but for the time they took."""
    for field in ("matchup", "number", "reasons", "actions"):
        assert getattr(first, field) == getattr(second, field)
    for field in ("winners", "points", "void", "forfeit_seat", "counts"):
        np.testing.assert_array_equal(getattr(first, field), getattr(second, field))
    for field in ("deal", "rotation", "seed", "entrant"):
        np.testing.assert_array_equal(getattr(first.layout, field), getattr(second.layout, field))
