"""The observation forgets nothing: what a view tells can be read back from it."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uno_env
from uno_env.cards import COLORS, color_of, face_id, kind_of
from uno_env.engine.rule_vector import LEFT_OUT as RULES_LEFT_OUT
from uno_env.engine.rule_vector import SCALED, rule_vector, told_rules
from uno_env.kinds import KINDS
from uno_env.rules.rules import Rules
from uno_env.state_io.decode_observation import LEFT_OUT, decode_observation
from uno_env.state_io.encode_view import near_seats
from uno_env.state_io.seat_rows import score_byte

from ..engine.strategies import Table, changed, edge_values, seat_counts, states, tables

MAX_BYTE = 255


def expected(view, rules):
    """What must be read back, from the view."""
    away = {*view["eliminated"], *view["out"]}
    n, seat = view["num_players"], view["seat"]
    pending = view["pending"] and {k: v for k, v in view["pending"].items() if k != "source"}
    progress = view["engine_state"]
    told = {
        **{key: value for key, value in view.items() if key not in LEFT_OUT},
        "discards": sorted(view["discard"], key=face_id),
        "in_play": [other for other in range(n) if other not in away],
        "score_bytes": [score_byte(score, rules.match_target) for score in view["scores"]],
        "asked": view["actor"] == seat and bool(view["legal"]),
        "pending": pending,
        "known": {
            (seat + place) % n: known_of(view["known"].get((seat + place) % n, []), place, n)
            for place in range(1, n)
        },
        **{key: progress[key] for key in ("equal_cards", "penalty_before", "size_before", "skips")},
    }
    for key in ("draw_pile_size", "set_aside_size", "round", "reshuffles"):
        told[key] = min(view[key], MAX_BYTE)
    return told


def known_of(cards, place, n):
    if place in near_seats(n):
        return cards
    faces = [face_id(card) for card in cards]
    colors = Counter(map(color_of, faces))
    kinds = Counter(KINDS[kind_of(face)] for face in faces)
    return {
        "colors": [colors[color] for color in range(len(COLORS) + 1)],
        "kinds": {kind: min(count, 15) for kind, count in kinds.items()},
    }


def check_reads_back(game):
    """Every field of the view of the seat to act is in its observation."""
    seat = game.actor
    view = game.view(seat)
    told = decode_observation(game.observe(seat), seat)
    told.pop("own_bluff")
    wanted = expected(view, game.rules)
    wrong = {key for key in wanted if told.get(key) != wanted[key]}
    assert not wrong, {key: (told.get(key), wanted[key]) for key in wrong}
    assert set(told) == set(wanted)
    if view["pending"]:
        source = view["subject"] if view["phase"] not in ("uno-call", "uno-catch") else None
        assert view["pending"]["source"] == (view["player"] if source is None else source)


@pytest.mark.parametrize("variant", uno_env.VARIANTS)
def test_every_field_of_a_view_is_read_back(variant):
    rules = Rules.preset(variant)
    for players in seat_counts(rules):
        table = Table(rules, players, players, players, 0.9, "match")
        for game in states(table.game(), table.driver(), most=60):
            if not game.over:
                check_reads_back(game)


@settings(max_examples=60)
@given(tables(), st.integers(0, 100))
def test_every_field_of_a_view_is_read_back_under_any_rules(table, first):
    for number, game in enumerate(states(table.game(), table.driver(), most=first + 12)):
        if number >= first and not game.over:
            check_reads_back(game)


@settings(max_examples=60)
@given(tables(), st.integers(1, 60), st.integers(0, 2**32))
def test_views_that_differ_in_a_field_that_matters_have_different_observations(table, steps, seed):
    """The same table a few steps apart, or dealt otherwise."""
    games = []
    for deal in (table, replace(table, seed=seed)):
        game = deal.game()
        for _ in states(game, deal.driver(), most=steps):
            pass
        games += [] if game.over else [game]
    if len(games) < 2:
        return
    views = [expected(game.view(game.actor), game.rules) for game in games]
    seen = [decode_observation(game.observe(game.actor), game.actor) for game in games]
    for key in views[0]:
        assert (views[0][key] != views[1][key]) <= (seen[0][key] != seen[1][key]), key


def test_the_fields_left_out_are_fields_and_have_a_reason():
    view = uno_env.Game("classic", seed=1).view(0)
    assert set(LEFT_OUT) < set(view)
    assert all(len(reason) > 10 for reason in LEFT_OUT.values())
    assert set(RULES_LEFT_OUT) < set(Rules.model_fields)


@pytest.mark.parametrize("name", told_rules())
def test_every_rule_that_changes_play_is_told(name):
    """Two rule sets that differ in one rule alone have different rule vectors.

    Large numbers are told in steps, so those within one step count as the same.
    """
    step = SCALED.get(name, 1)
    for variant in uno_env.VARIANTS:
        tried = [changed(Rules.preset(variant), name, value) for value in edge_values(name)]
        values = [getattr(rules, name) for rules in tried]
        values = [value if isinstance(value, str) else -(-value // step) for value in values]
        takers = dict(zip(values, tried, strict=True))
        vectors = {rule_vector(rules).tobytes() for rules in takers.values()}
        assert len(vectors) == len(takers), f"{name} of {variant}: {sorted(map(str, takers))}"


def test_every_card_of_the_deck_is_told():
    for kind in ("7", "skip", "draw2", "wild", "wild-draw4", "wild-blank"):
        deck = Rules.preset("classic").replace(deck={kind: 3})
        assert not np.array_equal(rule_vector(deck), rule_vector(Rules.preset("classic"))), kind
    doubled = Rules.preset("classic").replace(deck_copies=2)
    assert not np.array_equal(rule_vector(doubled), rule_vector(Rules.preset("classic")))


def test_what_is_no_observation_is_refused():
    for wrong in (np.zeros(3, np.uint8), np.zeros(uno_env.OBS_SIZE), [0]):
        with pytest.raises(ValueError, match="uint8"):
            decode_observation(wrong)
