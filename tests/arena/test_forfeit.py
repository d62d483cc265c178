"""A bad bot hurts only itself: crashes, hangs, illegal and malformed answers forfeit one game."""

import numpy as np
import pytest
import uno_arena
from uno_agents.base import AgentError
from uno_arena.play.play_chunk import play_chunk
from uno_arena.play.worker_pool import MAX_STOPS, WorkerPool

from uno_env.actions import SUM

from .bots import Acts, FirstAsked, FirstLegal, LastLegal, ManyCardsMalady, spec
from .playing import assert_replays, assert_same, chunk

MALADIES = {
    "crash": "KeyError: 'too many cards for <object object at 0x...>'",
    "exit": "SystemExit: 3",
    "illegal": f"illegal action {SUM} (sum) in phase",
    "huge": "illegal action 1000000000000 in phase",
    "malformed": "malformed answer: act_batch gave float64 of shape (1,)",
    "short": "malformed answer: act_batch gave int64 of shape (0,)",
}


@pytest.mark.parametrize("kind", MALADIES)
def test_a_bad_batch_agent_forfeits_only_the_games_concerned(kind):
    healthy = chunk([FirstLegal(), LastLegal()], players=3, deals=(0, 20))
    ill = chunk([ManyCardsMalady(kind), LastLegal()], players=3, deals=(0, 20))
    expected, result = play_chunk(healthy), play_chunk(ill)
    forfeited = result.forfeit_seat >= 0
    assert 5 < forfeited.sum() < 55
    # The focal sits on side r in rotation r; nobody else forfeits.
    np.testing.assert_array_equal(
        result.forfeit_seat[forfeited], result.layout.rotation[forfeited]
    )  # fmt: skip
    assert set(result.reasons) == set(np.flatnonzero(forfeited).tolist())
    assert all(reason.startswith(MALADIES[kind]) for reason in result.reasons.values())
    for game in range(ill.num_games):
        whole = expected.actions[game]
        if forfeited[game]:
            # It went like the healthy game until then.
            assert whole.startswith(result.actions[game])
            assert len(result.actions[game]) < len(whole)
        else:
            assert result.actions[game] == whole
    assert_replays(ill, result)


@pytest.mark.parametrize("kind", ["crash", "illegal", "malformed"])
def test_batch_agents_are_judged_alike_when_asked_singly(kind):
    agents = [ManyCardsMalady(kind), LastLegal()]
    at_once = play_chunk(chunk(agents, players=3))
    assert at_once.reasons
    assert_same(play_chunk(chunk(agents, players=3, is_batch=False)), at_once)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("crash", "ZeroDivisionError: oops"),
        ("illegal", "illegal action 'play blue-9+give' in phase"),
        ("none", "malformed answer: None in phase"),
        ("late", "no answer within 0.4 s"),
    ],
)
def test_a_bad_agent_asked_move_by_move_forfeits_with_the_reason(kind, reason):
    agents = [FirstAsked(), Acts(kind, after=8, every=0)]
    timed = chunk(agents, is_batch=False, deals=(0, 3), move_timeout=0.4, start_timeout=9.0)
    result = play_chunk(timed)
    (game,) = result.reasons
    assert result.reasons[game].startswith(reason)
    assert timed.entrant_at(game, result.forfeit_seat[game]) == 1
    assert_replays(timed, result)


def test_the_others_share_the_win_of_a_forfeited_game():
    results = uno_arena.tournament(
        {"bad": Acts("crash", after=0), "good": FirstAsked()}, players=4, deals=2, schedule="first"
    )
    (table,) = results.games
    assert (table.forfeited_by == 0).all()
    assert (table.focal_shares() == 0).all()
    assert table.shares_of(1) == pytest.approx(np.full((2, 4), 1 / 3))
    assert set(table.reasons.values()) == {"ZeroDivisionError: oops"}
    assert not table.tied.any()


@pytest.fixture(scope="module")
def pool():
    with WorkerPool(1) as workers:
        yield workers


def play(pool, agents, **changes):
    """A chunk of specs in a worker process."""
    options = {"is_batch": False, "deals": (0, 4), "move_timeout": 9.0, "start_timeout": 20.0}
    played = chunk([spec(*agent) for agent in agents], **{**options, **changes})
    (result,) = pool.play(iter([played]))
    return played, result


def test_a_bot_that_hangs_forfeits_that_game_and_a_new_process_goes_on(pool):
    hangs = "Acts:kind=spin,after=30,every=0"
    played, result = play(pool, [("FirstAsked",), (hangs,)], deals=(0, 2), move_timeout=1.0)
    # Every process gets as far as its thirtieth question.
    assert 1 <= len(result.reasons) < played.num_games
    assert set(result.reasons.values()) == {"no answer within 1 s"}
    for game in result.reasons:
        assert played.entrant_at(game, result.forfeit_seat[game]) == 1
    assert_replays(played, result)
    healthy = play_chunk(chunk([FirstAsked(), FirstAsked()], is_batch=False, deals=(0, 2)))
    first = min(result.reasons)
    assert first > 0
    assert result.actions[:first] == healthy.actions[:first]
    assert healthy.actions[first].startswith(result.actions[first])


def test_a_bot_that_always_ends_its_process_forfeits_the_rest_of_the_chunk(pool):
    played, result = play(pool, [("FirstAsked",), ("Acts:kind=die,after=1",)], deals=(0, 5))
    assert len(result.reasons) == played.num_games
    died = [game for game, reason in result.reasons.items() if reason.startswith("ended")]
    assert died == list(range(MAX_STOPS))
    assert result.reasons[0] == "ended its process (signal 9)"
    assert result.reasons[9] == (
        f"stopped {MAX_STOPS} times before in this chunk: ended its process (signal 9)"
    )
    assert_replays(played, result)


def test_a_batch_that_hangs_is_played_game_by_game(pool):
    agents = [("FirstLegal",), ("HangsInBatch",)]
    limits = {"move_timeout": 0.2, "start_timeout": 0.2}
    played, result = play(pool, agents, is_batch=True, players=3, deals=(0, 2), **limits)
    healthy = play_chunk(chunk([FirstLegal(), FirstLegal()], players=3, deals=(0, 2)))
    # A busy machine may make an agent late; all other games are those of a healthy one.
    assert all(reason == "no answer within 0.2 s" for reason in result.reasons.values())
    assert len(result.reasons) < played.num_games
    for game in set(range(played.num_games)) - set(result.reasons):
        assert result.actions[game] == healthy.actions[game]


def test_agents_that_cannot_be_built_are_refused_at_the_start(pool):
    with pytest.raises(AgentError, match=r"CannotBeBuilt.*FileNotFoundError: no weights here"):
        pool.check([spec("CannotBeBuilt")], 20.0)


def test_building_has_its_time_limit(pool):
    with pytest.raises(AgentError, match=r"SlowToBuild.*no answer within 0.2 s"):
        pool.check([spec("SlowToBuild")], 0.2)
    assert pool.check([spec("FirstAsked"), spec("FirstLegal")], 20.0) == ["single", "batch"]


def test_objects_cannot_leave_the_process():
    with pytest.raises(ValueError, match="'FirstAsked' is an object"):
        uno_arena.tournament([FirstAsked(), "greedy"], workers=1, deals=2)
