"""Every shipped agent decides as recorded in `tests/golden/decisions.json`.

After a deliberate change of play: `python -m tests.agents.decisions`, and say so in the changelog.
"""

import base64
import json

import numpy as np
import pytest
from uno_agents.neural.agent import best_actions
from uno_agents.registry import make_agent

from uno_env.actions import SWAP_0, SWAP_PAIRS
from uno_env.version1 import NEW_ACTION

from .decisions import FILE, TABLES, batch_decisions, positions, search_decisions

RECORDED = json.loads(FILE.read_text("utf-8"))
VERSION_1 = json.loads(FILE.with_name("decisions_version1.json").read_text("utf-8"))
"""Decisions of releases before 0.2, by the action ids of that time, of agents without chance."""
FROZEN = {f"frozen:{name}-1": f"pretrained:{name}" for name in (*TABLES, "generalist")}
"""Networks of that time, by what they were called then; those names have newer weights."""


def actions(text):
    return list(base64.b64decode(text))


def check(found, table):
    for spec, text in found.items():
        now = actions(text)
        assert now == actions(RECORDED[table][spec]), f"{spec} at {table}"
        if spec in VERSION_1[table] and spec not in FROZEN.values():
            assert now == version_1_actions(table, spec), f"{spec} of version 1 at {table}"


def version_1_actions(table, spec):
    """What an agent did then, by the action ids of now."""
    return [NEW_ACTION[action] for action in actions(VERSION_1[table][spec])]


@pytest.mark.parametrize("table", RECORDED)
def test_batch_agents_decide_as_recorded(table):
    variant, _, num_players = table.rpartition("-")
    check(batch_decisions(variant, int(num_players)), table)


@pytest.mark.parametrize("table", VERSION_1)
def test_networks_of_version_1_decide_as_they_did(table):
    """They took some action of those that are best but for rounding; now it is the first."""
    variant, _, num_players = table.rpartition("-")
    for spec in (f"frozen:{variant}-1", "frozen:generalist-1"):
        network = make_agent(spec)
        best = [best_actions(network.policy(*p)[0]) for p in positions(variant, int(num_players))]
        then = version_1_actions(table, FROZEN[spec])
        assert np.concatenate(best)[np.arange(len(then)), then].all(), f"{spec} at {table}"


@pytest.mark.parametrize("variant", TABLES)
def test_search_agents_decide_as_recorded(variant):
    num_players = TABLES[variant][0]
    check(search_decisions(variant, num_players), f"{variant}-{num_players}")


def test_the_recorded_positions_ask_which_of_many_seats_swap():
    """Otherwise the policy override for swaps would never show in the decisions."""
    swaps = slice(SWAP_0, SWAP_0 + len(SWAP_PAIRS))
    assert any((mask[:, swaps].sum(axis=1) > 6).any() for _, mask in positions("ig2000", 6))
