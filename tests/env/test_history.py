"""The history form: the last events a seat may know of, equal through every environment."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uno_env
from uno_env.cards import COLORS, face_id
from uno_env.engine.observation.event_log import EVENTS
from uno_env.engine.observation.history import (
    H_EVENT,
    H_FACE,
    H_NUMBER,
    H_SEAT,
    HISTORY_FIELDS,
    MAX_HISTORY,
)

from ..engine.strategies import Table, states, tables
from .playing import TABLES, eager

CARD_EVENTS = ("open", "play", "draw", "jump-in", "discard-all", "give")
OTHERS = {"swap": "other", "uno-call": "holder", "catch": "holder", "target": "other"}
NUMBERS = {"take": "amount", "accept": "amount", "eliminate": "amount", "back": "amount",
           "fault": "amount", "deal": "round", "recycle": "count", "sum": "points",
           "hand": "points"}  # fmt: skip


def rows_of(view):
    """The history of a view's seat, from the events the view tells."""
    seat, n = view["seat"], view["num_players"]
    rows = []
    for event in view["events"]:
        if event["type"] == "keep":
            continue
        row = row_of(event, seat, n)
        kind = event["type"]
        last = rows[-1] if rows else [0] * len(HISTORY_FIELDS)
        same = row[:2] == last[:2] and bool(row[H_FACE]) == bool(last[H_FACE])
        if kind in ("draw", "discard-all") and same:
            row[H_NUMBER] = min(255, row[H_NUMBER] + last[H_NUMBER])
            rows[-1] = row
        else:
            rows.append(row)
    return rows


def row_of(event, seat, n):
    kind = event["type"]
    relative = lambda other: 1 + (other - seat) % n  # noqa: E731
    who = relative(event["seat"]) if event["seat"] is not None and event["seat"] >= 0 else 0
    row = [1 + EVENTS.index(kind), who, 0, 0, 0]
    if kind in CARD_EVENTS:
        cards = event.get("cards", [])
        row[H_FACE] = 1 + face_id(cards[-1]) if cards else 0
        if kind == "give":
            row[2] = relative(event["to"])
        else:
            row[H_NUMBER] = event.get("count", 1)
    elif kind in OTHERS:
        row[2] = relative(event[OTHERS[kind]])
    elif kind == "team-play-failed":
        row[2] = relative(event["partner"])
    elif kind in ("color", "roulette"):
        row[H_NUMBER] = 1 + COLORS.index(event["color"])
    elif kind == "challenge":
        row[H_NUMBER] = 1 + event["bluff"]
    elif kind == "reverse":
        row[H_NUMBER] = 1 + max(event["direction"], 0)
    elif kind in ("round-end", "match-end"):
        row[H_NUMBER] = int(seat in event["winners"])
    elif kind == "out":
        row[H_NUMBER] = event.get("place", 0)
    elif kind in NUMBERS:
        row[H_NUMBER] = min(255, event[NUMBERS[kind]])
    return row


def check_history(game):
    for seat in range(game.num_players):
        told = rows_of(game.view(seat))[-12:]
        history = game.history(seat, 12).tolist()
        empty = [[0] * len(HISTORY_FIELDS)] * (12 - len(told))
        assert history == empty + told, f"seat {seat} of {game!r}"


@pytest.mark.parametrize("variant", uno_env.VARIANTS)
def test_it_tells_what_the_events_of_a_view_tell(variant):
    table = Table(uno_env.Rules.preset(variant), 4, 3, 3, 0.9, "match")
    for game in states(table.game(), table.driver(), most=120):
        check_history(game)


@settings(max_examples=40)
@given(tables(), st.integers(0, 80))
def test_it_tells_what_the_events_of_a_view_tell_under_any_rules(table, first):
    for number, game in enumerate(states(table.game(), table.driver(), most=first + 8)):
        if number >= first:
            check_history(game)


def test_the_longest_history_holds_the_newest_events():
    game = uno_env.Game("no_mercy", 4, seed=3)
    rng = np.random.default_rng(0)
    for _ in range(150):
        if game.over:
            break
        game.step(eager(game.mask(), rng))
    whole = game.history(0)
    assert whole.shape == (MAX_HISTORY, len(HISTORY_FIELDS)) and whole[0, H_EVENT] > 0
    assert np.array_equal(game.history(0, 5), whole[-5:])
    assert game.history(0, 0).shape == (0, len(HISTORY_FIELDS))


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
def test_all_environments_tell_the_same(variant, num_players):
    env = uno_env.env(variant, num_players=num_players, history=16)
    env.reset(seed=5)
    game = uno_env.Game(variant, num_players, seed=5)
    batches = [
        uno_env.vec(variant, 2, num_players, seed=[5, 9], history=16, threads=threads)
        for threads in (1, 2)
    ]
    for batch in batches:
        batch.reset()
    rng = np.random.default_rng(1)
    for _ in range(60):
        seen, _, ended, cut, _ = env.last()
        if ended or cut:
            break
        expected = game.history(game.actor, 16)
        assert env.observation_space(env.agent_selection).contains(seen)
        assert np.array_equal(seen["history"], expected)
        assert np.array_equal(env.observe(env.agent_selection)["history"], expected)
        for batch in batches:
            assert np.array_equal(batch.history[0], expected)
        action = eager(game.mask(), rng)
        env.step(action)
        game.step(int(action))
        for batch in batches:
            batch.step([action, batch.mask[1].argmax()])


def test_without_it_nothing_is_told_or_paid_for():
    env = uno_env.env("classic")
    env.reset(seed=1)
    assert set(env.last()[0]) == {"observation", "action_mask"}
    batch = uno_env.vec("classic", 3)
    batch.reset()
    batch.step(batch.random_actions())
    assert batch.history.shape == (3, 0, len(HISTORY_FIELDS))
    assert not batch.engine_arrays.games["events_used"].any()


@pytest.mark.parametrize("length", [-1, MAX_HISTORY + 1, 2.5, True, "8"])
def test_other_lengths_are_refused(length):
    for make in (
        lambda: uno_env.env(history=length),
        lambda: uno_env.vec(history=length),
        lambda: uno_env.Game().history(0, length),
    ):
        with pytest.raises(ValueError, match="history is"):
            make()


def test_a_draw_shows_its_card_to_the_drawer_alone():
    game = uno_env.Game.from_snapshot(
        {
            "variant": "classic",
            "hands": [["blue-1"], ["green-2", "green-3"]],
            "discard": ["red-5"],
            "draw_pile": ["yellow-7", "yellow-8"] * 10,
        }
    )
    game.step("draw")
    own, other = (game.history(seat, 1)[0] for seat in (0, 1))
    assert own[H_FACE] == 1 + face_id("yellow-7") and other[H_FACE] == 0
    assert (own[H_SEAT], other[H_SEAT]) == (1, 2) and own[H_NUMBER] == other[H_NUMBER] == 1
