"""Batches and the event loop: one is read at a time, in slices, and long bodies are charged."""

import asyncio

import httpx
import pytest
from uno_serve.api.app import create_app
from uno_serve.api.decisions import act_batch
from uno_serve.api.protocol import ActRequest
from uno_serve.api.turns import SLICE, Turn, Turns
from uno_serve.bots.work import SHORT_BODY, reading_charge
from uno_serve.config import ServeConfig

import uno_env as uno

MEMORY = {"db": "sqlite://", "default_bot": "greedy", "fallback_bot": "random"}


def views(count: int) -> list[dict]:
    games = [uno.Game("classic", 4, seed=seed) for seed in range(count)]
    return [game.view(game.actor) | {"events": []} for game in games]


def in_memory(test, **options):
    """Run an async test with a server that is called directly."""

    async def run():
        app, service = create_app(ServeConfig.from_dict({**MEMORY, **options}))
        transport = httpx.ASGITransport(app)
        try:
            async with httpx.AsyncClient(transport=transport, base_url="http://uno") as http:
                return await test(http, service)
        finally:
            await service.bots.close()
            await service.store.close()

    return asyncio.run(run())


@pytest.mark.parametrize("is_shared", [False, True])
def test_others_are_served_between_the_slices_of_a_batch(is_shared):
    count = 10 * SLICE
    requests = [ActRequest(bot="greedy", view=view) for view in views(count)]

    async def test(http, service):
        await service.bots.get("greedy")
        with Turn(Turns(lambda: is_shared)) as turn:
            await turn.begin()
            batch = asyncio.create_task(act_batch(service, requests, "a", turn))
            turns = 0
            while not batch.done():
                await asyncio.sleep(0)
                turns += 1
            return turns, await batch

    turns, answers = in_memory(test)
    assert turns >= count / SLICE
    assert answers.count(b'"bot":"greedy"') == count


def test_one_batch_is_read_at_a_time():
    async def run():
        turns, order = Turns(lambda: False), []

        async def batch(name: str) -> None:
            with Turn(turns) as turn:
                await turn.begin()
                for _ in range(3):
                    await turn.pause()
                    order.append(name)
                turn.end()
                await asyncio.sleep(0)

        await asyncio.gather(batch("a"), batch("b"))
        return order

    assert asyncio.run(run()) == [*"aaabbb"]


def test_a_batch_that_is_invalid_or_abandoned_gives_up_its_turn():
    async def test(http, service):
        for body in (b"{", b'{"requests": []}', b"[" * 30_000):
            answer = await http.post("/v1/act/batch", content=body,
                                     headers={"Content-Type": "application/json"})  # fmt: skip
            assert answer.status_code in (400, 422), answer.text
        many = {"requests": [{"bot": "greedy", "view": view} for view in views(40)]}
        abandoned = [asyncio.create_task(http.post("/v1/act/batch", json=many)) for _ in range(3)]
        await asyncio.sleep(0.01)
        for task in abandoned:
            task.cancel()
        await asyncio.gather(*abandoned, return_exceptions=True)
        async with asyncio.timeout(60):
            return (await http.post("/v1/act/batch", json=many)).json()["answers"]

    answers = in_memory(test)
    assert len(answers) == 40 and all(answer["bot"] == "greedy" for answer in answers)


def test_reading_a_long_body_is_charged_before_it_is_parsed():
    async def test(http, service):
        headers = {"Content-Type": "application/json"}
        long, short = b"[" + b" " * 900_000, b"["
        codes = []
        for body in (long, long, short):
            answer = await http.post("/v1/rules", content=body, headers=headers)
            codes.append(answer.json()["error"]["code"])
        return codes

    assert reading_charge(SHORT_BODY) == 0 < reading_charge(SHORT_BODY + 1)
    budget = {"work_per_second": 1e-6, "work_burst": 1.5 * reading_charge(900_001)}
    codes = in_memory(test, **budget)
    assert codes == ["bad_json", "too_much_work", "bad_json"]
