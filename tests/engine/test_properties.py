"""Properties of every game: all presets, all table sizes, rules mixed at random."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import uno_env as uno

from .invariants import check_end, check_position
from .strategies import (
    FIELDS,
    Driver,
    Table,
    bounded,
    changed,
    edge_values,
    mixed_rules,
    play_out,
    seat_counts,
    states,
    tables,
)

PRESET_TABLES = [
    (variant, seats) for variant in uno.VARIANTS for seats in seat_counts(uno.Rules.preset(variant))
]


def play_and_check(table: Table) -> uno.Game:
    """Play a table to the end, every position checked."""
    game = table.game()
    steps = 0
    for _ in states(game, table.driver()):
        check_position(game)
        steps += 1
    rounds = table.rules.max_rounds if table.episode == "match" else 1
    # Forced decisions are taken without a step of ours, never the other way round.
    assert steps <= 1 + table.rules.max_steps * rounds
    check_end(game)
    return game


@pytest.mark.parametrize(("variant", "seats"), PRESET_TABLES)
def test_every_preset_at_every_table_size(variant, seats):
    rules = bounded(uno.Rules.preset(variant))
    table = Table(rules, seats, seed=seats, driver_seed=7, boldness=0.9)
    assert play_and_check(table).num_players == seats


def test_presets_have_winners():
    """Games end by somebody winning, not only by being cut off."""
    for variant, seats in PRESET_TABLES:
        rules = bounded(uno.Rules.preset(variant))
        games = [Table(rules, seats, seed, seed, 0.9).game() for seed in range(4)]
        assert any(play_out(game, Driver(seats, 0.9)).winners for game in games), (variant, seats)


@settings(max_examples=40)
@given(tables(mixed_rules()))
def test_rules_mixed_at_random(table):
    play_and_check(table)


@pytest.mark.slow
@settings(max_examples=600, derandomize=False)
@given(tables())
def test_rules_mixed_at_random_in_depth(table):
    play_and_check(table)


@pytest.mark.parametrize("name", FIELDS)
def test_every_value_of_every_rule(name):
    """Each value on its own, on the presets in turn: at least one accepts it, and it plays on."""
    presets = itertools.cycle(uno.VARIANTS)
    for number, value in enumerate(edge_values(name)):
        tried = [changed(uno.Rules.preset(next(presets)), name, value) for _ in uno.VARIANTS]
        takers = [rules for rules in tried if name == "deck" or getattr(rules, name) == value]
        assert takers, f"no preset takes {name}={value!r}"
        rules = bounded(takers[number % len(takers)])
        play_and_check(Table(rules, seat_counts(rules)[0], number, number, 0.9))


def check_mask(game: uno.Game) -> None:
    """Every id is tried: those in the mask are accepted, the others refused without a trace."""
    mask, before = game.mask(), game.snapshot()
    refusing = game.clone()
    for number in (-1, *range(uno.NUM_ACTIONS), uno.NUM_ACTIONS, 2**40):
        if 0 <= number < uno.NUM_ACTIONS and mask[number]:
            accepting = game.clone()
            accepting.step(number)
            assert accepting.snapshot() != before
        elif game.rules.fault_mode == "mask" or game.over:
            with pytest.raises(uno.IllegalAction):
                refusing.step(number)
    assert refusing.snapshot() == before and refusing.events == game.events
    assert game.snapshot() == before, "trying actions on clones changed the game"


@settings(max_examples=30)
@given(tables())
def test_mask_is_exactly_what_step_accepts(table):
    game = table.game()
    for _ in states(game, table.driver(), most=40):
        check_mask(game)


@pytest.mark.slow
@settings(max_examples=40, derandomize=False)
@given(tables())
def test_mask_is_exactly_what_step_accepts_in_depth(table):
    game = table.game()
    for _ in states(game, table.driver()):
        check_mask(game)


@settings(max_examples=25)
@given(tables(), st.integers(1, 60))
def test_faults_cost_cards_and_leave_the_decision(table, steps):
    """IG-60: with `fault_mode="penalty"` an illegal action draws, the same seat decides again."""
    rules = table.rules.replace(
        fault_mode="penalty", fault_draw=2, auto_forced=False, mercy_limit=0
    )
    game = uno.Game(rules, table.num_players, table.seed)
    driver = table.driver()
    for _ in states(game, driver, most=steps):
        pass
    if game.over or game.phase in ("uno-call", "give-half", "pass-card"):
        return
    refused = [number for number in range(uno.NUM_ACTIONS) if not game.mask()[number]]
    seat, phase = game.actor, game.phase
    before = game.view(seat)["hand_sizes"][seat]
    game.step(int(driver.rng.choice(refused)))
    assert game.events[-1]["type"] != "fault" or game.events[-1]["amount"] == 2
    if not game.over and game.phase != "give-half":
        assert (game.actor, game.phase) == (seat, phase)
        assert 0 <= game.view(seat)["hand_sizes"][seat] - before <= 2
    check_position(game)


@settings(max_examples=25)
@given(tables())
def test_same_seed_same_game(table):
    first, second = table.game(), table.game()
    for one, two in zip(states(first, table.driver()), states(second, table.driver()), strict=True):
        assert one.events == two.events and one.legal() == two.legal()
    assert first.snapshot() == second.snapshot()
    assert first.rewards("points") == second.rewards("points")


def test_another_seed_is_another_deal():
    for variant in uno.VARIANTS:
        deals = {str(uno.Game(variant, seed=seed).snapshot()["hands"]) for seed in range(20)}
        assert len(deals) == 20, variant


@settings(max_examples=40)
@given(tables(), st.integers(0, 120))
def test_a_clone_is_independent(table, steps):
    game = table.game()
    for _ in states(game, table.driver(), most=steps):
        pass
    before, told = game.snapshot(), list(game.events)
    twin = game.clone()
    play_out(twin, Driver(1, 0.8))
    assert game.snapshot() == before and game.events == told
    after, observed = twin.snapshot(), twin.observe(0)
    play_out(game, Driver(1, 0.8))
    assert game.snapshot() == after and game.events == twin.events
    assert twin.snapshot() == after and np.array_equal(twin.observe(0), observed)
    assert game.record() == twin.record()


def test_a_sum_wins_for_the_whole_team():
    """A team wins together, however its round was won."""
    rules = uno.Rules.preset("teams").replace(sum_out="numbers")
    game = uno.Game.from_snapshot(
        {
            "variant": "teams",
            "rules": {key: value for key, value in rules.to_dict().items() if key != "variant"},
            "hands": [["red-9", "blue-8"], ["green-4", "yellow-5"], ["red-1"] * 2, ["blue-1"] * 2],
            "discard": ["red-5"],
            "draw_pile": ["green-1"] * 30,
        }
    )
    game.step("play red-9")
    while game.phase == "uno-call":
        game.step("call-uno")
    assert (game.actor, game.phase) == (1, "react")
    game.step("sum")
    assert game.winners == (1, 3)
    check_end(game)
    assert uno.Game.from_snapshot(game.snapshot()).winners == (1, 3)
