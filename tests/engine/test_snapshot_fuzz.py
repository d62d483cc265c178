"""Spoilt snapshots are refused or play on: no crash, no hang, no other exception."""

import pytest

from .run_fuzzer import run_fuzzer


def fuzz(part: str, first: int, count: int) -> str:
    """Some cases of one part of a snapshot; the last line tells how many were loaded."""
    cases = ("--first", str(first), "--count", str(count))
    return run_fuzzer("tests.engine.fuzz", "--part", part, *cases)


@pytest.mark.parametrize("part", ["all", "partial", "engine_state"])
def test_spoilt_snapshots(part):
    loaded, total = map(int, fuzz(part, 0, 150).removesuffix(" loaded").split(" of "))
    assert 0 < loaded < total, "cases must be of both kinds"


@pytest.mark.slow
@pytest.mark.parametrize("part", ["all", "partial", "engine_state"])
def test_spoilt_snapshots_in_depth(part):
    fuzz(part, 1000, 1000)
