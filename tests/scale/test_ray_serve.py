"""Decisions of bots on a real Ray cluster of two nodes, by Ray Serve."""

import asyncio
import json
import socket

import pytest

import uno_env as uno

from .clusters import running

pytest.importorskip("ray.serve")
httpx = pytest.importorskip("httpx")
pytestmark = pytest.mark.slow
GAMES = [uno.Game(variant, seed=5) for variant in uno.VARIANTS]
VIEWS = [game.view(game.actor) for game in GAMES]
POSITION = {"hand": ["red-5", "blue-skip"], "top_card": "red-9", "hand_sizes": [2, 3]}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def url(ray_folder):
    """The address of two replicas, one on each node."""
    import ray
    from ray import serve

    with running(2) as cluster:
        ray.init(address=cluster.address, log_to_driver=False)
        from uno_serve.ray_serve import build

        port = free_port()
        serve.start(http_options={"host": "127.0.0.1", "port": port})
        options = {"bots": "heuristic,greedy", "min_replicas": 2, "max_replicas": 2, "seed": 3}
        # Room for the controller and the proxies, which take no whole processor.
        serve.run(build(options | {"cpus": 0.5}))
        yield f"http://127.0.0.1:{port}"
        serve.shutdown()


def test_it_answers_as_uno_serve_does(url):
    with httpx.Client(base_url=url, timeout=60) as http:
        assert http.get("/healthz").json()["status"] == "ok"
        assert [bot["name"] for bot in http.get("/v1/bots").json()["bots"]] != []
        for game, view in zip(GAMES, VIEWS, strict=True):
            answer = http.post("/v1/act", json={"view": view}).json()
            assert set(answer) == {"bot", "action", "id", "sentence"}
            assert answer["bot"] == "heuristic" and answer["action"] in game.legal()
        advice = http.post("/v1/act", json={"position": POSITION, "advice": True}).json()
        assert sum(option["probability"] for option in advice["legal"]) == pytest.approx(1)
        refused = http.post("/v1/act", json={"bot": "nobody", "view": VIEWS[0]})
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "unknown_bot")
        invalid = http.post("/v1/act", json={"view": 7})
        assert invalid.json()["error"]["code"] == "invalid"
        batch = {"requests": [{"view": view} for view in VIEWS] + [{"view": {}}]}
        answers = http.post("/v1/act/batch", json=batch).json()["answers"]
        assert [("error" in answer) for answer in answers] == [False] * len(VIEWS) + [True]


def test_replicas_on_both_nodes_share_the_load_and_batch_it(url):
    import ray
    from ray import serve

    async def ask_all() -> list[int]:
        async with httpx.AsyncClient(base_url=url, timeout=60) as http:
            bodies = [json.dumps({"view": VIEWS[n % len(VIEWS)]}) for n in range(300)]
            headers = {"Content-Type": "application/json"}
            answers = [http.post("/v1/act", content=body, headers=headers) for body in bodies]
            return [answer.status_code for answer in await asyncio.gather(*answers)]

    assert set(asyncio.run(ask_all())) == {200}
    (deployment,) = serve.status().applications["default"].deployments.values()
    assert deployment.replica_states == {"RUNNING": 2}
    actors = ray.util.list_named_actors(all_namespaces=True)
    assert sum("Decisions" in actor["name"] for actor in actors) == 2
    handle = serve.get_app_handle("default")
    sizes = [handle.batch_sizes.remote().result() for _ in range(12)]
    assert len({replica for replica, _ in sizes}) == 2, "both have decided"
    assert max(largest for _, largest in sizes) > 1, "requests were decided together"
