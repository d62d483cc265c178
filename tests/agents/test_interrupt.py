"""A search that can be stopped or paused between chunks of simulations."""

import pytest
from uno_agents.registry import make_agent
from uno_agents.search.interrupt import CHUNK_SIMS, Interrupted, interruptible

import uno_env as uno


def position():
    game = uno.Game("classic", 4, seed=3)
    while len(game.legal()) < 3:
        game.step(game.legal_ids()[0])
    return game.view(game.actor), game.legal()


def test_a_search_stops_at_its_next_chunk():
    calls = []

    def stop():
        calls.append(1)
        if len(calls) == 3:
            raise Interrupted

    agent = make_agent("search:sims=5000")
    with interruptible(stop), pytest.raises(Interrupted):
        agent.act(*position())
    assert len(calls) == 3
    assert agent.search.sims <= 3 * CHUNK_SIMS


def test_chunks_do_not_change_the_result():
    view, legal = position()
    agent = make_agent("search:sims=3000")
    whole = agent.evaluate(view, legal)
    with interruptible(lambda: None):
        assert agent.evaluate(view, legal) == whole
