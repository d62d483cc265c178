"""Styles of the heuristic and the field: they differ, they are legal, and they stay as they are."""

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uno_agents.base import AgentError, BatchAgent
from uno_agents.field import FIELD_VERSION, FIELDS, FOLDER, expand_field, field_members
from uno_agents.heuristic.agent import HeuristicAgent
from uno_agents.heuristic.kernels.policy import choose_in_style
from uno_agents.heuristic.kernels.styles import PLAIN, STYLE_LINES, STYLE_TABLE
from uno_agents.registry import list_agents, make_agent

import uno_env as uno

from ..engine.strategies import states, tables

FROZEN_STYLES = "feb4"
FROZEN_NETWORKS = "978b"
"""Beginnings of digests: a change of a frozen member needs a new version of the field."""

SHOWS = {
    "aggressive": "no_mercy",
    "hoarder": "classic",
    "color-keeper": "classic",
    "bluffer": "classic",
    "never-challenger": "classic",
    "swapper": "no_mercy",
    "suspicious": "classic",
    "blocker": "no_mercy",
}
"""A variant in which each style shows."""


def choices(style, variant, steps=60):
    """What a style does where plain heuristics play: ids, plain ids and masks of all decisions."""
    v = uno.vec(variant, 256, 4, seed=3)
    v.reset()
    agent, plain = HeuristicAgent(1, style), HeuristicAgent(1)
    found = []
    for step in range(steps):
        agent.reset(step)
        plain.reset(step)
        ids, usual = agent.act_batch(v.obs, v.mask), plain.act_batch(v.obs, v.mask)
        found.append((ids, usual, v.mask.copy()))
        v.step(usual)
    return (np.concatenate(part) for part in zip(*found, strict=True))


@pytest.mark.parametrize(("style", "variant"), SHOWS.items())
def test_styles_decide_otherwise_and_legally(style, variant):
    ids, usual, mask = choices(style, variant)
    assert mask[np.arange(len(ids)), ids].all()
    assert 0.002 < (ids != usual).mean() < 0.5


def test_styles_do_what_they_are_called():
    challenge, draw = uno.action_id("challenge"), uno.action_id("draw")
    ids, usual, _ = choices("never-challenger", "classic")
    assert (usual == challenge).any() and not (ids == challenge).any()
    ids, usual, _ = choices("suspicious", "classic")
    assert (ids == challenge).sum() > (usual == challenge).sum()
    ids, usual, _ = choices("hoarder", "classic")
    assert (ids == draw).sum() > (usual == draw).sum()
    wild4 = uno.action_id("play wild-draw4")
    ids, usual, _ = choices("bluffer", "classic")
    assert (ids == wild4).sum() > 2 * (usual == wild4).sum()


def test_plain_is_the_heuristic():
    ids, usual, _ = choices("plain", "ig2000", 20)
    assert (ids == usual).all()
    assert list(STYLE_TABLE)[PLAIN] == "plain" and STYLE_LINES.keys() == STYLE_TABLE.keys()


@settings(max_examples=12)
@given(tables(), st.integers(0, len(STYLE_TABLE) - 1), st.integers(0, 2**63))
def test_styles_are_legal_under_any_rules(table, style, seed):
    for game in states(table.game(), table.driver(), most=80):
        if game.actor is None:
            continue
        action = choose_in_style(
            game.observe(game.actor), game.mask(), np.uint64(seed), np.int64(style)
        )
        assert game.mask()[action], f"{uno.action_text(action, game.phase)} in {game.phase}"


def test_hoarders_finish_their_games():
    v = uno.vec(list(uno.VARIANTS), 70, 4, seed=8)
    v.reset()
    agent, ended = HeuristicAgent(2, "hoarder"), np.zeros(70, int)
    for _ in range(700):
        v.step(agent.act_batch(v.obs, v.mask))
        ended += v.done == 1
    assert (ended > 0).all()


def test_a_style_may_be_named_without_its_option():
    v = uno.vec("classic", 64, 2, seed=3)
    v.reset()
    long, short = (make_agent(f"heuristic:{name}", 4) for name in ("style=bluffer", "bluffer"))
    assert (long.act_batch(v.obs, v.mask) == short.act_batch(v.obs, v.mask)).all()
    assert make_agent("search:sims=4,policy=heuristic:bluffer")._policy.style == "bluffer"
    with pytest.raises(AgentError, match="names two styles"):
        make_agent("heuristic:bluffer:style=swapper")


def test_unknown_styles_and_fields_say_what_there_is():
    with pytest.raises(AgentError, match=r"no style 'blufer'; allowed: plain.*Did you mean"):
        make_agent("heuristic:style=blufer")
    with pytest.raises(AgentError, match="no field 'field:9'; allowed: field:1"):
        expand_field(["field:9"])
    with pytest.raises(AgentError, match="not one agent; it stands for all"):
        make_agent("field:1")
    with pytest.raises(AgentError, match=r"no frozen network 'clasic-1'.*Did you mean classic-1"):
        make_agent("frozen:clasic-1")


def test_every_member_can_be_made_and_says_truly_whether_it_plays_batches():
    for member in FIELDS[FIELD_VERSION]:
        assert isinstance(make_agent(member.spec), BatchAgent) == member.plays_batches


def test_a_field_has_the_members_that_fit_the_game():
    def specs(*variants, batch_only=False):
        return {member.spec for member in field_members(1, variants, batch_only)}

    assert "frozen:teams-1" in specs("teams")
    assert not any(spec.startswith("frozen:teams") for spec in specs() | specs("teams", "classic"))
    assert specs() - specs(batch_only=True) == {"search:sims=100"}
    both = expand_field(["greedy", "field:1"], ["classic"])
    assert both[0] == "greedy" and len(both) == len(set(both)) == len(field_members(1, ["classic"]))
    assert not {info.name.partition(":")[0] for info in list_agents()} & {"field", "frozen"}


def test_field_1_is_frozen():
    """Whoever changes a style or a network of a version makes another version instead."""
    plain, specs = STYLE_TABLE["plain"]._asdict(), [member.spec for member in FIELDS[1]]
    named = [spec.partition("=")[2] for spec in specs if "style=" in spec]
    # What differs from the plain heuristic, whose own play tests/golden keeps.
    rows = [
        sorted(
            (key, value)
            for key, value in STYLE_TABLE[name]._asdict().items()
            if value != plain[key]
        )
        for name in named
    ]
    styles = repr([specs, rows])
    networks = [(FOLDER / f"{s[7:]}.safetensors").read_bytes() for s in specs if "frozen" in s]
    assert hashlib.sha256(styles.encode()).hexdigest()[:4] == FROZEN_STYLES
    assert hashlib.sha256(b"".join(networks)).hexdigest()[:4] == FROZEN_NETWORKS
