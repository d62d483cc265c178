"""Every shipped agent decides as recorded in `tests/golden/decisions.json`.

After a deliberate change of play: `python -m tests.agents.decisions`, and say so in the changelog.
"""

import base64
import json

import pytest

import uno_env
from uno_env.actions import SWAP_0, SWAP_PAIRS
from uno_env.version1 import NEW_ACTION

from .decisions import EVERY, FILE, GAMES, STEPS, TABLES, batch_decisions, search_decisions

RECORDED = json.loads(FILE.read_text("utf-8"))
VERSION_1 = json.loads(FILE.with_name("decisions_version1.json").read_text("utf-8"))
"""Decisions of releases before 0.2, by the action ids of that time, of agents without chance."""
FROZEN = {f"frozen:{name}-1": f"pretrained:{name}" for name in (*TABLES, "generalist")}
"""Networks of that time, by what they were called then; those names have newer weights."""


def check(found, table):
    for spec, text in found.items():
        now = list(base64.b64decode(text))
        assert now == list(base64.b64decode(RECORDED[table][spec])), f"{spec} at {table}"
        before = FROZEN.get(spec, spec)
        if before in VERSION_1[table] and spec not in FROZEN.values():
            then = base64.b64decode(VERSION_1[table][before])
            assert now == [NEW_ACTION[action] for action in then], f"{spec} of version 1 at {table}"


@pytest.mark.parametrize("table", RECORDED)
def test_batch_agents_decide_as_recorded(table):
    variant, _, num_players = table.rpartition("-")
    check(batch_decisions(variant, int(num_players)), table)


@pytest.mark.parametrize("variant", TABLES)
def test_search_agents_decide_as_recorded(variant):
    num_players = TABLES[variant][0]
    check(search_decisions(variant, num_players), f"{variant}-{num_players}")


def test_the_recorded_positions_ask_which_of_many_seats_swap():
    """Otherwise the policy override for swaps would never show in the decisions."""
    asked = 0
    v = uno_env.vec("ig2000", num_envs=GAMES, num_players=6, seed=17)
    v.reset()
    for step in range(STEPS):
        if step % EVERY == 0:
            asked += int((v.mask[:, SWAP_0 : SWAP_0 + len(SWAP_PAIRS)].sum(axis=1) > 6).sum())
        v.step(v.random_actions())
    assert asked
