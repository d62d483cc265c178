"""What the server refuses: wrong tokens and keys, too much, too often; and what it never says."""

import http.client
import json
import time
from collections.abc import Iterator

import httpx
import pytest
from uno_serve.api.middleware import RequestMiddleware
from uno_serve.api.rate_limit import RateLimiter
from uno_serve.config import ServeConfig
from uno_serve.errors import STATUS, ApiError
from uno_serve.tables.setup import new_token

from .playing import bearer, new_table

SEAT_CALLS = [("GET", "view"), *(("POST", call) for call in ("act", "advice", "leave", "rematch"))]


@pytest.mark.parametrize(("method", "call"), SEAT_CALLS)
@pytest.mark.parametrize("kind", ["wrong", "none", "other table", "host"])
def test_every_call_checks_its_token(http, method, call, kind):
    table, other = new_table(http), new_table(http)
    headers = {
        "wrong": bearer(new_token()),
        "none": {"Authorization": "Basic eDp5"},
        "other table": bearer(other["seats"][0]["token"]),
        "host": bearer(table["host_token"]),
    }[kind]
    body = {"json": {"action": "draw"} if call == "act" else {}} if method == "POST" else {}
    path = f"/v1/tables/{table['table']}/{call}"
    answer = http.request(method, path, headers=headers, **body)
    if (kind, call) == ("host", "rematch"):
        assert answer.json()["error"]["code"] == "not_over"
    else:
        assert answer.status_code in (401, 403)
        assert answer.json()["error"]["code"] in ("token", "wrong_token")


def test_a_seats_token_is_not_the_hosts(http):
    table = new_table(http)
    path = f"/v1/tables/{table['table']}"
    refused = http.delete(path, headers=bearer(table["seats"][0]["token"]))
    assert refused.status_code == 403
    assert http.delete(path).status_code == 401


def test_tokens_and_tables_cannot_be_guessed(http):
    tables = [new_table(http) for _ in range(5)]
    secrets = [t["host_token"] for t in tables] + [t["seats"][0]["token"] for t in tables]
    assert len(set(secrets)) == 10 and min(map(len, secrets)) >= 43
    assert min(len(table["table"]) for table in tables) >= 22


def test_tokens_appear_nowhere_else(http):
    table = new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}])
    path = f"/v1/tables/{table['table']}"
    mine, other = (seat["token"] for seat in table["seats"])
    texts = [http.get(path).text, http.get(f"{path}/view", headers=bearer(mine)).text]
    texts += [http.get(f"{path}/view").text]
    for text in texts:
        assert mine not in text and other not in text and table["host_token"] not in text


def test_a_large_body_is_refused_before_it_is_read(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.putrequest("POST", "/v1/act")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(10**9))
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 413 and json.loads(answer.read())["error"]["code"] == "too_large"
    connection.close()


def test_a_large_body_in_pieces_is_refused(server):
    def pieces() -> Iterator[bytes]:
        yield b'{"bot": "'
        for _ in range(40):
            yield b"x" * 65_536

    try:
        answer = httpx.post(f"{server.url}/v1/act", content=pieces(), timeout=60,
                            headers={"Content-Type": "application/json"})  # fmt: skip
        assert answer.status_code == 413
    except httpx.WriteError:
        pass  # the server hung up on us in the middle, which is as good


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/nothing", 404, "not_found"),
        ("GET", "/v1/act", 405, "method_not_allowed"),
        ("PUT", "/v1/act", 405, "method_not_allowed"),
        ("GET", "/v1/tables/nowhere", 404, "no_such_table"),
        ("GET", "/v1/tables/" + "x" * 50, 422, "invalid"),
        ("GET", "/v1/tables/%00/view", 404, "no_such_table"),
    ],
)
def test_wrong_addresses(http, method, path, status, code):
    answer = http.request(method, path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_only_json_is_read(http):
    answer = http.post("/v1/act", content=b"a=1", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415 and answer.json()["error"]["code"] == "not_json"


def test_deeply_nested_json_does_no_harm(http):
    for body in (
        b"[" * 100_000,
        b'{"view":' * 5_000,
        b'{"view": {"a": ' + b"[" * 900 + b"]" * 900 + b"}}",
    ):
        answer = http.post("/v1/act", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422), answer.text


def test_no_other_site_may_call_from_a_browser(http):
    answer = http.get("/v1/bots", headers={"Origin": "https://elsewhere.example"})
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_every_code_has_its_status_in_the_docs():
    from .server import ROOT

    text = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    table = text.partition("| status | codes |")[2].partition("\n\n")[0]
    for code, status in STATUS.items():
        row = next((line for line in table.splitlines() if f"`{code}`" in line), None)
        assert row and str(status) in row.split("|")[1], f"{code} is not listed under {status}"


# The guard itself, before a small app.


async def _hello(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


def guarded(**options) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(RequestMiddleware(_hello, ServeConfig(**options)))
    return httpx.AsyncClient(transport=transport, base_url="http://test")


def statuses(client: httpx.AsyncClient, *requests: httpx.Request) -> list[int]:
    import asyncio

    async def run():
        async with client:
            return [(await client.send(request)).status_code for request in requests]

    return asyncio.run(run())


def test_api_keys_are_asked_for_where_they_should_be():
    key = "k" * 20
    client = guarded(api_keys=(key,))
    build = client.build_request
    with_key = {"X-API-Key": key}
    found = statuses(
        client,
        build("POST", "/v1/act"),
        build("POST", "/v1/tables", headers={"X-API-Key": "wrong"}),
        build("POST", "/v1/tables", headers=with_key),
        build("POST", "/v1/act", headers=with_key),
        build("GET", "/v1/bots"),
        build("POST", "/v1/tables/x/act"),
    )
    assert found == [401, 401, 200, 200, 200, 200]


def test_a_client_that_asks_too_often_has_to_wait():
    client = guarded(requests_per_second=1, requests_burst=3)
    found = statuses(client, *[client.build_request("GET", "/v1/bots")] * 5)
    assert found == [200, 200, 200, 429, 429]


def test_tables_are_counted_apart():
    client = guarded(tables_per_minute=2)
    found = statuses(client, *[client.build_request("POST", "/v1/tables")] * 4)
    assert found == [200, 200, 429, 429]


def test_buckets_fill_again_and_forget():
    limiter = RateLimiter(rate=2, burst=1)
    limiter.take("a", "")
    with pytest.raises(ApiError) as caught:
        limiter.take("a", "")
    assert 0 < caught.value.retry_after <= 0.5 + 1e-3
    limiter.take("b", "")
    time.sleep(0.55)
    limiter.take("a", "")


def test_a_failure_inside_says_nothing(caplog):
    card = "-".join(("red", "7"))

    async def fails(scope, receive, send):
        raise RuntimeError(f"the draw pile is {card}")

    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(RequestMiddleware(fails, ServeConfig())),
        base_url="http://test",
    )
    assert statuses(client, client.build_request("GET", "/v1/bots")) == [500]
    assert card not in caplog.text and "RuntimeError" in caplog.text


def test_a_short_api_key_is_refused():
    with pytest.raises(ValueError, match="at least 16"):
        ServeConfig(api_keys=("short",))
