"""Schemathesis: requests made from the OpenAPI document, good and bad, never break the server."""

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from .playing import bearer, new_table

PROMISES = [
    not_a_server_error,
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
]
BOUNDED = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_every_operation_keeps_its_promises(server, http, mode):
    """With the token of a real table, so that calls get beyond the door."""
    document = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    table = new_table(http, seats=[{"name": "Ana"}, {"name": "Bo"}])
    tried = 0
    for found in document.get_all_operations():
        tried += check_operation(found.ok(), mode, table)
    assert tried >= 15
    assert http.get("/healthz").json()["status"] == "ok"


def check_operation(operation, mode: GenerationMode, table: dict) -> int:
    """Make requests to one operation; 1 if there was anything to make up."""
    takes_input = operation.body or operation.path_parameters or operation.query
    if mode is GenerationMode.NEGATIVE and not takes_input:
        return 1

    @BOUNDED
    @given(operation.as_strategy(generation_mode=mode))
    def check(case):
        ends_table = operation.method.upper() == "DELETE" or operation.path.endswith("/leave")
        headers = {} if ends_table else bearer(table["seats"][0]["token"])
        if mode is GenerationMode.POSITIVE and "table_id" in (case.path_parameters or {}):
            case.path_parameters["table_id"] = table["table"]
        case.call_and_validate(headers=headers, checks=PROMISES, timeout=30)

    check()
    return 1


def test_wrong_methods_are_refused_by_name(http: httpx.Client):
    document = http.get("/openapi.json").json()
    for path, operations in document["paths"].items():
        address = path.replace("{table_id}", "x")
        for method in ("PUT", "PATCH", "DELETE"):
            if method.lower() in operations:
                continue
            answer = http.request(method, address)
            assert answer.status_code == 405, f"{method} {path}"
            assert answer.headers["allow"]
