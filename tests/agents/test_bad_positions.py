"""Positions made up by strangers are refused or answered: no crash, no index out of bounds."""

import pytest

from ..engine.run_fuzzer import run_fuzzer


def fuzz(first: int, count: int) -> str:
    """Some cases; the last line tells how many were answered."""
    return run_fuzzer("tests.agents.fuzz", "--first", str(first), "--count", str(count))


def test_bad_positions():
    answered, total = map(int, fuzz(0, 100).removesuffix(" answered").split(" of "))
    assert 0 < answered < total, "cases must be of both kinds"


@pytest.mark.slow
def test_bad_positions_in_depth():
    fuzz(1000, 1600)
