"""Whatever is sent to either of two processes: nothing breaks, whoever has the table."""

import json
from collections.abc import Iterator

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from .cluster import Cluster
from .playing import bearer, new_table
from .test_openapi import check_operation
from .test_stream import MESSAGES, _is_harmful, talk

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("fuzzed"), 2) as running:
        yield running
        assert "Traceback" not in running.log


@pytest.fixture(scope="module")
def table(cluster) -> dict:
    """A table of the first process."""
    with httpx.Client(base_url=cluster.servers[0].url, timeout=30) as http:
        return new_table(http, variant="all_wild", seats=[{"name": "Ana"}, {"name": "Bo"}])


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_every_operation_keeps_its_promises_at_either_process(cluster, table, mode, number):
    url = cluster.servers[number].url
    document = schemathesis.openapi.from_url(f"{url}/openapi.json")
    tried = sum(check_operation(found.ok(), mode, table) for found in document.get_all_operations())
    assert tried >= 15
    for server in cluster.servers:
        assert httpx.get(f"{server.url}/healthz", timeout=30).json()["status"] == "ok"


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.sampled_from([0, 1]), st.lists(MESSAGES, min_size=10, max_size=25))
def test_any_message_through_either_process_changes_nothing(cluster, table, number, messages):
    token = table["seats"][0]["token"]
    address = f"{cluster.servers[1 - number].url}/v1/tables/{table['table']}/view"
    hello = json.dumps({"type": "hello", "token": token})
    safe = [text for text in messages if not _is_harmful(text)]
    before = httpx.get(address, headers=bearer(token), timeout=30).json()
    heard, ended = talk(cluster.servers[number], table["table"], hello, *safe, '{"type": "ping"}',
                        answers=len(safe) + 2)  # fmt: skip
    assert ended is None, heard
    answers = [message for message in heard if message["type"] != "state"]
    assert answers[-1]["type"] == "pong"
    assert {message["type"] for message in answers} <= {"error", "pong", "advice"}
    after = httpx.get(address, headers=bearer(token), timeout=30).json()
    assert after["view"] == before["view"] and after["move"] == before["move"]
