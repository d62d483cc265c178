"""Games of agents that decide for several games at once: same results, less waiting, usage."""

import time

import pytest
import uno_arena
from uno_arena.play.play_chunk import play_chunk
from uno_arena.play.worker_pool import WorkerPool
from uno_arena.report.html import page
from uno_arena.report.report import to_json

from ..agents.llm_server import SLEEPY, ChatServer
from .bots import Diced, Thinks, spec
from .playing import assert_replays, assert_same, chunk

DICED = spec("Diced")


def played(agents, **changes):
    return chunk(agents, is_batch=False, concurrent=(0,), **changes)


@pytest.mark.parametrize("opponent", ["greedy", DICED, "heuristic"])
def test_results_do_not_depend_on_how_many_games_are_played_at_once(opponent):
    """Opponents that draw random numbers get a generator of their own in every game."""
    one_by_one = played([Thinks(1), opponent], players=3, deals=(0, 4))
    at_once = played([Thinks(6, 0.002), opponent], players=3, deals=(0, 4))
    expected = play_chunk(one_by_one)
    result = play_chunk(at_once)
    assert_same(result, expected)
    assert_replays(at_once, result)
    assert at_once.agents[0].most_at_once > 1
    asked = at_once.agents[0].asked
    assert result.usage == expected.usage == {0: {"decisions": asked, "cost": 0.5 * asked}}


def test_an_object_that_is_asked_by_one_thread_is_never_asked_by_two():
    thinks = Thinks(6, 0.001)
    play_chunk(played([thinks, Diced()], deals=(0, 2)))
    assert thinks.most_at_once == 1


def test_a_game_whose_agent_takes_too_long_is_forfeited_and_the_others_go_on():
    limits = {"move_timeout": 0.5, "start_timeout": 1.0}
    hangs = played([Thinks(4, hangs_at=6), spec("FirstAsked")], deals=(0, 3), **limits)
    started = time.monotonic()
    result = play_chunk(hangs)
    assert time.monotonic() - started < 30
    healthy = play_chunk(played([Thinks(4), spec("FirstAsked")], deals=(0, 3)))
    assert 1 <= len(result.reasons) < hangs.num_games
    for game, reason in result.reasons.items():
        assert reason.startswith("no answer within ")
        assert hangs.entrant_at(game, result.forfeit_seat[game]) == 0
        assert healthy.actions[game].startswith(result.actions[game])
    for game in set(range(hangs.num_games)) - set(result.reasons):
        assert result.actions[game] == healthy.actions[game]
    assert_replays(hangs, result)


def test_an_agent_that_ends_its_process_is_found_by_playing_one_by_one():
    ends = played([spec("EndsItsProcess"), spec("FirstAsked")], deals=(0, 3), move_timeout=20.0,
                  start_timeout=30.0)  # fmt: skip
    with WorkerPool(1) as pool:
        (result,) = pool.play(iter([ends]))
    assert 1 <= len(result.reasons) <= ends.num_games
    for game, reason in result.reasons.items():
        assert "ended its process (exit code 5)" in reason
        assert ends.entrant_at(game, result.forfeit_seat[game]) == 0
    assert_replays(ends, result)


@pytest.fixture
def chat(monkeypatch):
    pytest.importorskip("openai")
    server = ChatServer()
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "UNO_LLM_API_KEY", "UNO_LLM_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UNO_LLM_BASE_URL", server.url)
    yield server
    server.close()


def tournament(agent, deals=4, **options):
    agents = {"model": agent, "greedy": "greedy"}
    return uno_arena.tournament(agents, players=2, deals=deals, chunk=8, seed=3, **options)


def test_a_slow_model_is_asked_for_many_games_at_once(chat):
    """One by one it would take every request's time; `greedy` answers the same, at once."""
    expected = tournament("llm:greedy:concurrency=1", deals=8)
    assert chat.most_at_once == 1
    started = time.monotonic()
    results = tournament("llm:sleepy:concurrency=16", deals=8)
    assert results.usage[0][0]["requests"] * SLEEPY > 3 * (time.monotonic() - started)
    assert 8 <= chat.most_at_once <= 16
    (mine,), (theirs,) = results.games, expected.games
    assert mine.points.tolist() == theirs.points.tolist()
    assert mine.decisions.tolist() == theirs.decisions.tolist()
    counted = [dict(each.usage[0][0]) for each in (results, expected)]
    for counts in counted:
        del counts["seconds"]
    assert counted[0] == counted[1] and counted[0]["requests"] > 40


def test_a_random_fallback_does_not_depend_on_the_order_either(chat):
    first, second = (
        tournament(f"llm:hopeless:fallback=random,concurrency={n}") for n in (1, 8)
    )  # fmt: skip
    assert first.games[0].points.tolist() == second.games[0].points.tolist()
    assert first.usage[0][0]["fallbacks"] == second.usage[0][0]["fallbacks"] > 0


def test_usage_is_kept_and_reported(chat, tmp_path):
    db = tmp_path / "arena.db"
    results = tournament("llm:hopeless", db=db, workers=1)
    (usage,) = results.usage
    assert set(usage) == {0}
    assert usage[0]["unusable"] == usage[0]["requests"] == 2 * 8
    assert uno_arena.load_results(db).usage == results.usage
    text = to_json(results)
    assert '"unusable": 16' in text and '"per_game"' in text and '"forfeits": 8' in text
    assert "What agents asked and what it cost" in page(results)


def test_reports_without_such_agents_are_as_before(tmp_path):
    db = tmp_path / "arena.db"
    results = uno_arena.tournament(["greedy", "random"], players=2, deals=4, db=db)
    assert results.usage == ({},)
    assert '"per_game"' not in to_json(results)
    assert "What agents asked" not in page(results)
