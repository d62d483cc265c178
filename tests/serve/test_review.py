"""The review of a finished game over HTTP."""

from typing import Any

import httpx
import numpy as np
import pytest
from uno_serve.tables.review import past_decisions

import uno_env as uno


def record_of(variant: str, players: int, seed: int) -> dict[str, Any]:
    """A game in which everybody plays at random."""
    game = uno.Game(variant, players, seed=seed)
    rng = np.random.default_rng(seed)
    while not game.over:
        legal = game.legal()
        game.step(legal[int(rng.integers(len(legal)))])
    return game.record()


def review(http: httpx.Client, record: dict[str, Any], **options: Any) -> dict[str, Any]:
    answer = http.post("/v1/review", json={"record": record, "seat": 0, **options})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(("variant", "players"), [("classic", 3), ("no_mercy", 2), ("teams", 4)])
def test_every_decision_has_what_was_best_and_what_it_cost(
    http: httpx.Client, variant: str, players: int
):
    record = record_of(variant, players, 2)
    page = review(http, record, count=8)
    decisions = list(past_decisions(record, 0))
    assert page["total"] == len(decisions)
    assert len(page["decisions"]) == min(8, len(decisions))
    for found, past in zip(page["decisions"], decisions, strict=False):
        assert (found["step"], found["action"]) == (past.step, past.action)
        assert {option["action"] for option in found["legal"]} == set(past.view["legal"])
        assert found["best"] in past.view["legal"]
        assert 0 <= found["cost"] <= 1
        if found["best"] == found["action"]:
            assert found["cost"] == 0
        for key in ("win", "best_win"):
            assert found[key] is None or 0 <= found[key] <= 1


def test_staying_silent_is_found_to_cost(http: httpx.Client):
    """With one card left against a table that catches, the call is what the coach would do."""
    silent = [
        decision
        for seed in range(6)
        for decision in review(http, record_of("classic", 2, seed))["decisions"]
        if decision["action"] == "stay-silent"
    ]
    assert silent
    assert {decision["best"] for decision in silent} == {"call-uno"}


def test_pages_follow_each_other_and_are_the_same_when_asked_again(http: httpx.Client):
    record = record_of("classic", 2, 5)
    whole = review(http, record, count=10)
    parts = [review(http, record, **{"from": first, "count": 5}) for first in (0, 5)]
    assert [*parts[0]["decisions"], *parts[1]["decisions"]] == whole["decisions"]


def test_what_is_no_record_is_refused(http: httpx.Client):
    for record in ({}, {"actions": "none"}, {"actions": [], "rules": "classic"}):
        answer = http.post("/v1/review", json={"record": record, "seat": 0})
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "invalid"
