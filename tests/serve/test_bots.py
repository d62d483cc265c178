"""Bots at tables and behind `/v1/act`: hanging, failing, lying, remote; and micro-batching."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from uno_agents.registry import make_agent
from uno_serve.bots.batcher import Batcher
from uno_serve.bots.isolated import MAX_SESSIONS, IsolatedAgent
from uno_serve.bots.registry import BotRegistry
from uno_serve.config import ConfigError, ServeConfig
from uno_serve.errors import ApiError

from uno_env import NUM_ACTIONS, OBS_SIZE, Game, action_id

from .playing import eventually, new_table, people, play_together

HERE = Path(__file__).parent
POSITION = {"hand": ["red-5", "blue-skip", "wild"], "top_card": "red-9", "hand_sizes": [3, 5, 1]}


@pytest.mark.parametrize("bot", ["hangs", "crashes", "lies", "far-away"])
def test_a_bad_bot_does_not_hold_up_the_table(server, http, bot):
    """Another bot decides in its place, and the game ends."""
    seats = [{"name": "Ana"}, {"kind": "bot", "bot": bot}]
    table = new_table(http, rules={"variant": "classic", "hand_size": 2}, seats=seats)
    (last,) = play_together(*people(server, table))
    assert last["status"] == "over"


@pytest.mark.parametrize(
    ("bot", "status", "code"),
    [("hangs", 504, "bot_timeout"), ("crashes", 502, "bot_failed"), ("lies", 502, "bot_failed"),
     ("far-away", 502, "bot_failed")],
)  # fmt: skip
def test_a_bad_bot_is_reported_to_who_asks(http, bot, status, code):
    def asked():
        answer = http.post("/v1/act", json={"bot": bot, "position": POSITION})
        starting = "started" in answer.text
        return None if starting else answer

    answer = eventually(asked, 60)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert "red" not in answer.text, "a bot's message may hold its hand"


def test_local_code_plays_in_its_own_process(http):
    def asked():
        answer = http.post("/v1/act", json={"bot": "chatty", "position": POSITION})
        return answer.json() if answer.status_code == 200 else None

    assert eventually(asked, 60)["action"] == "play red-5"


def test_somebody_elses_bot_takes_a_seat(server, http, remote):
    seats = [{"name": "Ana"}, {"kind": "bot", "bot": "remote"}]
    table = new_table(http, rules={"variant": "classic", "hand_size": 5}, seats=seats, seed=1)
    before = len(remote.asked)
    (last,) = play_together(*people(server, table))
    assert last["status"] == "over" and len(remote.asked) > before
    view = remote.asked[-1]["view"]
    assert view["seat"] == 1 and "hands" not in view and view["events"]
    answer = http.post("/v1/act", json={"bot": "remote", "position": POSITION})
    assert answer.json()["action"] == "play red-5"


def test_another_servers_bot_is_an_agent(server):
    game = Game("no_mercy", 3, seed=4)
    agent = make_agent(f"{server.url}/v1/act?bot=greedy")
    for _ in range(5):
        game.step(agent.act(game.view(game.actor), game.legal()))


def ask_child(test):
    """Run an async test with a bot in a process of its own that answers with what it was told."""

    async def run():
        agent = IsolatedAgent(f"{HERE}/bad_bots.py:remembers", 0, 10.0)

        async def told(session, events):
            view = {"events": [{"type": event} for event in events]}
            return (await agent.act(view, [], session)).split()

        await agent.start()
        try:
            return await test(agent, told)
        finally:
            await agent.stop()

    return asyncio.run(run())


def test_a_bot_in_its_own_process_knows_all_events():
    """Two games in turn and one without a name, with a bot that spoils what it is given."""

    async def test(agent, told):
        for length in range(1, 6):
            for session in ("a", "b", ""):
                events = [f"{session}{n}" for n in range(length * (1 + (session == "b")))]
                assert await told(session, events) == events

    ask_child(test)


def test_only_news_are_sent_to_a_bot_in_its_own_process():
    async def test(agent, told):
        events = [f"e{n}" for n in range(50)]
        await told("a", events)
        request = agent._request({"events": [*({"type": e} for e in events), "new"]}, [], "a")
        assert request["view"]["events"] == ["new"] and request["known"] == 50

    ask_child(test)


def test_a_bot_that_was_started_again_is_told_everything():
    async def test(agent, told):
        assert await told("a", ["one"]) == ["one"]
        await agent.stop()
        await agent.start()
        assert await told("a", ["one", "two"]) == ["one", "two"]

    ask_child(test)


def test_both_sides_evict_the_same_sessions():
    async def test(agent, told):
        names = [str(n) for n in range(MAX_SESSIONS + 3)]
        for name in names:
            assert await told(name, [name]) == [name]
        for name in reversed(names):
            assert await told(name, [name, "more"]) == [name, "more"]

    ask_child(test)


# Micro-batching.


def rows(count):
    return [(bytes([i]) * OBS_SIZE, b"\1" * NUM_ACTIONS) for i in range(count)]


def run_batcher(decide, test, **options):
    """Run an async test with a batcher around a function; the sizes of its batches."""
    sizes = []
    settings = {"max_batch": 8, "wait": 0.0, "max_waiting": 100, "timeout": 5.0} | options

    async def run():
        with ThreadPoolExecutor(1) as thread:
            batcher = Batcher(decide, thread, on_batch=sizes.append, **settings)
            return await test(batcher)

    return asyncio.run(run()), sizes


def first_bytes(obs, mask):
    return obs[:, 0].tolist()


def test_requests_that_come_together_are_one_call():
    async def ask(batcher):
        return await asyncio.gather(*(batcher.submit(*row) for row in rows(20)))

    answers, sizes = run_batcher(first_bytes, ask)
    assert answers == list(range(20)) and sizes == [8, 8, 4]


def test_requests_that_come_meanwhile_are_the_next_call():
    entered, go_on = threading.Event(), threading.Event()

    def slow(obs, mask):
        entered.set()
        assert go_on.wait(10)
        return first_bytes(obs, mask)

    async def ask(batcher):
        first = batcher.submit(*rows(1)[0])
        await asyncio.to_thread(entered.wait)
        later = [batcher.submit(*row) for row in rows(5)]
        go_on.set()
        return await asyncio.gather(first, *later)

    answers, sizes = run_batcher(slow, ask)
    assert answers == [0, 0, 1, 2, 3, 4] and sizes == [1, 5]


def test_without_batching_every_request_is_a_call():
    async def ask(batcher):
        return await asyncio.gather(*(batcher.submit(*row) for row in rows(5)))

    assert run_batcher(first_bytes, ask, max_batch=1) == ([0, 1, 2, 3, 4], [1] * 5)


def test_a_bot_that_hangs_is_given_up_and_left_alone():
    release = threading.Event()

    def hangs(obs, mask):
        release.wait(10)
        return first_bytes(obs, mask)

    async def ask(batcher):
        codes = []
        waiting = [batcher.submit(*row) for row in rows(12)]
        for future in waiting:
            with pytest.raises(ApiError) as caught:
                await future
            codes.append(caught.value.code)
        with pytest.raises(ApiError, match="hangs"):
            batcher.submit(*rows(1)[0])
        release.set()
        while True:
            await asyncio.sleep(0.01)
            try:
                return codes, await batcher.submit(*rows(1)[0])
            except ApiError:
                continue

    (codes, answer), _ = run_batcher(hangs, ask, timeout=0.1)
    assert codes == ["bot_timeout"] * 12 and answer == 0


def test_a_failing_call_fails_its_requests_only():
    def odd(obs, mask):
        if obs[0, 0] == 0:
            raise RuntimeError("red-7")
        return first_bytes(obs, mask)

    async def ask(batcher):
        return await asyncio.gather(
            *(batcher.submit(*row) for row in rows(3)), return_exceptions=True
        )

    answers, _ = run_batcher(odd, ask, max_batch=1)
    assert [getattr(a, "code", a) for a in answers] == ["bot_failed", 1, 2]
    assert "red-7" not in str(answers[0])


def test_too_many_waiting_requests_are_refused():
    async def ask(batcher):
        futures = [batcher.submit(*row) for row in rows(4)]
        with pytest.raises(ApiError) as caught:
            batcher.submit(*rows(1)[0])
        await asyncio.gather(*futures)
        return caught.value.code

    assert run_batcher(first_bytes, ask, max_waiting=4)[0] == "busy"


def test_requests_over_http_are_batched(http, server):
    """Many clients at once: fewer calls of the bot than requests."""
    game = Game("classic", 4, seed=3)
    request = {"bot": "random", "view": game.view(game.actor)}

    def counted():
        lines = http.get("/metrics").text.splitlines()
        mine = [line for line in lines if line.startswith("uno_batch_size") and '"random"' in line]
        values = {line.split("{")[0]: float(line.split()[-1]) for line in mine}
        return values.get("uno_batch_size_sum", 0), values.get("uno_batch_size_count", 0)

    http.post("/v1/act", json=request)
    before = counted()
    with ThreadPoolExecutor(16) as pool:
        answers = list(
            pool.map(lambda _: http.post("/v1/act", json=request).status_code, range(160))
        )
    after = counted()
    assert set(answers) == {200}
    assert after[0] - before[0] == 160 and after[1] - before[1] < 160


# The registry.


def test_the_network_names_no_paths():
    registry = BotRegistry(ServeConfig())
    for name in ("runs/x", "x.onnx", "../a.py:B", "http://host/", "oracle:sims=5", "", "rlcard"):
        with pytest.raises(ApiError) as caught:
            registry.check(name)
        assert caught.value.code == "unknown_bot" and "heuristic" in caught.value.details["bots"]


def test_a_bot_may_be_named_with_other_options_within_limits():
    registry = BotRegistry(ServeConfig())
    registry.check("search:sims=20")
    for name in ("search:sims=9999999", "search:simz=5", "heuristic:x=1", "pretrained:nobody"):
        with pytest.raises(ApiError) as caught:
            registry.check(name)
        assert caught.value.code == "unknown_bot"


def test_an_unknown_default_bot_is_a_wrong_configuration():
    with pytest.raises(ConfigError, match="default_bot is 'nobody'"):
        BotRegistry(ServeConfig(default_bot="nobody"))


def test_a_hidden_bot_is_not_offered():
    registry = BotRegistry(ServeConfig(hide_bots=("random",)))
    assert "random" not in registry.names
    with pytest.raises(ApiError):
        registry.check("random")


def test_advice_of_a_network_has_its_own_numbers():
    """A bot that knows its probabilities is asked for them once, not sampled."""
    from uno_serve.bots.decision import read_request
    from uno_serve.bots.runners import BatchedBot

    class Sure:
        def act_batch(self, obs, mask):
            return mask.argmax(axis=1)

        def probabilities_batch(self, obs, mask):
            return mask / mask.sum(axis=1, keepdims=True), np.full(len(obs), 0.5, np.float32)

    async def run():
        bot = BatchedBot("sure", Sure(), ServeConfig(), 5.0)
        request = read_request(None, {**POSITION, "hand_sizes": [3, 5]})
        found = await bot.decide(request, advice=True)
        await bot.close()
        return found

    found = asyncio.run(run())
    assert found.probabilities == {5: 0.5, action_id("play wild"): 0.5}
    assert found.win_estimate == pytest.approx(0.75)
