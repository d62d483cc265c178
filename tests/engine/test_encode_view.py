"""Encoding a view gives the bytes of the engine's own encoder."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uno_env as uno
from uno_env.engine.observation.layout import O_TABLE_SIZE, OFFSETS
from uno_env.state_io.encode_view import ViewError, chosen_text, encode_view

from ..engine.strategies import Table, states, tables


def check_game(table: Table, most: int) -> int:
    """Compare the two encoders at every decision of a game."""
    compared = 0
    for game in states(table.game(), table.driver(), most=most):
        if game.over:
            break
        seat = game.actor
        view = json.loads(json.dumps(game.view(seat)))
        obs, mask = encode_view(view)
        wrong = np.flatnonzero(np.frombuffer(obs, np.uint8) != game.observe(seat))
        assert not wrong.size, f"bytes {wrong} in {game.phase} of {game.rules.text()}"
        assert (np.frombuffer(mask, np.uint8) == game.mask()).all()
        compared += 1
    return compared


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_every_byte_is_the_engines(variant):
    for players in (4, 6):
        table = Table(uno.Rules.preset(variant), players, players, players, 0.9, "match")
        assert check_game(table, 120) > 50


@settings(max_examples=15)
@given(tables(episodes=("round",)))
def test_every_byte_is_the_engines_under_any_rules(table):
    check_game(table, 60)


def test_nothing_is_contestable_after_a_last_card():
    game = uno.Game.from_snapshot(
        {
            "variant": "ig2000",
            "hands": [["wild-draw4"], ["green-1", "green-2"], ["red-1", "red-2"]],
            "discard": ["red-5"],
            "draw_pile": ["blue-3", "blue-4"],
        }
    )
    game.step("play wild-draw4")
    assert game.phase == "uno-catch"
    view = game.view(game.actor)
    assert view["pending"] is None
    obs = np.frombuffer(encode_view(json.loads(json.dumps(view)))[0], np.uint8)
    assert (obs == game.observe(game.actor)).all()
    assert obs[OFFSETS["contestable"]] == 0


def good_view():
    game = uno.Game("no_mercy", 4, seed=2)
    return json.loads(json.dumps(game.view(game.actor)))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@settings(max_examples=100)
@given(st.sampled_from(sorted(good_view())), JUNK)
def test_a_spoilt_view_is_refused_or_harmless(key, junk):
    view = good_view() | {key: junk}
    try:
        obs, mask = encode_view(view)
    except ViewError:
        return
    assert len(obs) == uno.OBS_SIZE and len(mask) == uno.NUM_ACTIONS
    assert 2 <= obs[O_TABLE_SIZE] <= 10, "kernels count seats by this byte"


@pytest.mark.parametrize(
    "key", ["hand", "legal", "last_actions", "missing_colors", "actor", "hand_sizes", "phase"]
)
def test_what_is_missing_is_named(key):
    view = good_view()
    del view[key]
    with pytest.raises(ViewError, match=key):
        encode_view(view)


def test_an_action_that_is_not_legal_is_an_error_with_words():
    """A view made up by strangers may contradict its legal actions."""
    with pytest.raises(ViewError, match="'draw' is not legal"):
        chosen_text(uno.action_id("draw"), ["play red-1"])
