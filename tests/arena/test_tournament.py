"""Tournaments: the same results however they are played, stopping, the Python interface."""

import numpy as np
import pytest
import uno_arena
from uno_arena.config import ConfigError, make_config
from uno_arena.play.entrants import name_agents
from uno_arena.play.executors import InProcessExecutor
from uno_arena.play.worker_pool import WorkerPool
from uno_arena.run import run_tournament
from uno_arena.store.store import Store

from uno_env.actions import DRAW

from .bots import Diced, FirstLegal, LastLegal, Peeks, spec


def assert_same_results(first, second):
    """Two tournaments came to the same games."""
    assert first.matchups == second.matchups
    assert first.stopped_early == second.stopped_early
    assert first.is_complete
    assert second.is_complete
    columns = "deal rotation seed entrant share winners points void forfeited_by decisions".split()
    for ours, theirs in zip(first.games, second.games, strict=True):
        assert ours.reasons == theirs.reasons
        for column in columns:
            np.testing.assert_array_equal(getattr(ours, column), getattr(theirs, column))
    for ours, theirs in zip(first.decisions, second.decisions, strict=True):
        np.testing.assert_array_equal(ours, theirs)


class Backwards(InProcessExecutor):
    """Plays the last chunks first."""

    def play(self, specs):
        return super().play(reversed(list(specs)))


@pytest.fixture(scope="module")
def two_workers():
    with WorkerPool(2) as pool:
        yield pool


def play_by(executor, agents, options):
    """A tournament whose chunks somebody else plays."""
    config = make_config(None, {"agents": agents, **options})
    with Store(":memory:") as store:
        return run_tournament(config, name_agents(agents), store, executor=executor)


def test_workers_and_order_make_no_difference(two_workers):
    agents = ["greedy", "random", spec("Diced")]
    options = {"players": 3, "deals": 7, "chunk": 2, "seed": 3}
    alone = uno_arena.tournament(agents, **options)
    assert [table.games for table in alone.games] == [21] * 6
    assert_same_results(play_by(two_workers, agents, options), alone)
    assert_same_results(play_by(Backwards(), agents, options), alone)


def test_mixed_tables_and_several_games():
    agents = ["heuristic", "greedy", "random", "random"]
    results = uno_arena.tournament(
        agents, variant=["classic", "no_mercy"], players=[3, 4], deals=60, schedule="mixed"
    )
    assert [agent.name for agent in results.agents] == [
        "heuristic",
        "greedy",
        "random",
        "random #2",
    ]
    tables = [(m.rules, m.num_players) for m in results.matchups]
    assert tables == [("classic", 3), ("classic", 4), ("no_mercy", 3), ("no_mercy", 4)]
    for matchup, table in zip(results.matchups, results.games, strict=True):
        assert matchup.focal is None
        assert table.games == 60 * matchup.num_players
        means = [np.nanmean(table.shares_of(agent)) for agent in range(4)]
        assert means[0] > max(means[2:])
    assert results.total_games == 60 * 14


class Loser:
    """Never plays a card if it can help it."""

    name = "loser"

    def act_batch(self, obs, mask):
        return np.where(mask[:, DRAW], DRAW, mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1))


def test_a_clear_match_up_ends_early_and_a_level_one_does_not():
    agents = {"first": FirstLegal(), "again": FirstLegal(), "loser": Loser()}
    options = {"deals": 400, "chunk": 20, "until_clear": True}
    results = uno_arena.tournament(agents, **options)
    by_pair = dict(
        zip([m.lineup for m in results.matchups], results.stopped_early, strict=True)
    )  # fmt: skip
    assert by_pair == {(0, 1): False, (0, 2): True, (1, 2): True}
    deals = [table.deals for table in results.games]
    assert deals[0] == 400
    assert max(deals[1:]) < 400
    assert all(number % 20 == 0 for number in deals)


def test_stopping_depends_on_no_order(two_workers):
    agents = [spec("FirstLegal"), spec("LastLegal"), "greedy"]
    options = {"deals": 300, "chunk": 10, "sprt": (0, 50), "variant": "classic(max_steps=300)"}
    alone = uno_arena.tournament(agents, **options)
    assert any(alone.stopped_early)
    assert_same_results(play_by(two_workers, agents, options), alone)


def test_compare_says_how_often_the_first_wins(tmp_path):
    options = {"variant": "no_mercy", "players": 3, "deals": 150, "seed": 2}
    result = uno_arena.compare("heuristic", "random", **options, db=tmp_path / "a.db")
    assert (result.deals, result.games, result.chance) == (150, 450, pytest.approx(1 / 3))
    assert result.low > result.chance
    results = uno_arena.load_results(tmp_path / "a.db")
    assert results.games[0].focal_shares().mean() == pytest.approx(result.rate)
    assert uno_arena.compare("heuristic", "random", **options) == result


def test_going_on_plays_only_what_is_missing(tmp_path, monkeypatch):
    options = {"db": tmp_path / "a.db", "players": 3, "deals": 40, "chunk": 10}
    seen = []

    def stop(status):
        seen.append(status.games)
        if status.games >= 60:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        uno_arena.tournament(["greedy", "random"], **options, on_progress=stop)
    assert seen == [0, 30, 60]
    partly = uno_arena.load_results(tmp_path / "a.db")
    assert (partly.is_complete, partly.total_games) == (False, 60)
    seen.clear()
    whole = uno_arena.tournament(
        ["greedy", "random"], **options, on_progress=lambda s: seen.append(s.games)
    )
    assert seen == [60, 90, 120, 150, 180, 210, 240]
    del options["db"]
    assert_same_results(uno_arena.tournament(["greedy", "random"], **options), whole)


def test_progress_reports_the_shares_of_the_focal_agent():
    told = []
    uno_arena.tournament(
        ["greedy", "random"], players=3, deals=40, chunk=10, on_progress=told.append
    )
    assert told[0].matchup is None
    assert [progress.planned for progress in told] == [240] * 9
    last = {status.matchup.lineup: status.shares.shape for status in told[1:]}
    assert last == {(0, 1, 1): (40, 3), (1, 0, 0): (40, 3)}


def test_cheating_agents_are_marked():
    results = uno_arena.tournament({"peeks": Peeks(), "dice": Diced()}, deals=2)
    assert [agent.cheats for agent in results.agents] == [True, False]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deals": 1}, "deals is 1"),
        ({"colour": "red"}, "unknown key 'colour'; allowed: agents, variant"),
        ({"variant": "clasic"}, "unknown variant 'clasic'"),
        ({"players": 11}, "num_players is 11"),
        ({"schedule": "mixed", "until_clear": True}, "a mixed schedule has no focal agent"),
        ({"sprt": (5, 5)}, "the first Elo difference must be the smaller"),
        ({"sprt": (0, 5), "until_clear": True}, "choose one"),
        ({"episode": "season"}, "episode is 'season'"),
    ],
)
def test_options_that_are_not_allowed(options, message):
    with pytest.raises(ConfigError, match=message):
        uno_arena.tournament(["greedy", "random"], **options)


def test_agents_that_are_none():
    with pytest.raises(ConfigError, match="two or more are needed"):
        uno_arena.tournament(["greedy"])
    with pytest.raises(ValueError, match="unknown agent 'greddy'"):
        uno_arena.tournament(["greddy", "random"], deals=2)
    with pytest.raises(ValueError, match="is no agent"):
        uno_arena.tournament([object(), "random"], deals=2)
    with pytest.raises(ConfigError, match="one table configuration, not 2"):
        uno_arena.compare("greedy", "random", players=[2, 3])


def test_last_legal_against_first_legal_is_no_coin_flip():
    # Both are fixed rules, so both directions of the pair are one experiment seen from two sides.
    options = {"variant": "classic(max_steps=300)", "deals": 50}
    one = uno_arena.compare(FirstLegal(), LastLegal(), **options)
    other = uno_arena.compare(LastLegal(), FirstLegal(), **options)
    assert one.rate == pytest.approx(1 - other.rate)
