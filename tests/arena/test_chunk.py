"""Chunks: duplicate deals, seats, replays, and the same games however they are played."""

import math
import pickle
from collections import Counter

import numpy as np
import pytest
from uno_arena.play.matchup import make_matchups, win_shares
from uno_arena.play.play_chunk import play_chunk
from uno_arena.stats.usage_stats import CHOICES, PHASES, choice_of

import uno_env
from uno_env import Game, Rules

from .bots import Diced, FirstAsked, FirstLegal, LastAsked, LastLegal, Peeks
from .playing import assert_replays, assert_same, chunk, record

TABLES = [("classic", 3), ("hyper_speed", 2), ("no_mercy", 4), ("ig2000", 4), ("teams", 6)]


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_every_game_of_a_batch_replays_to_its_result(variant, players):
    spec = chunk(["random", "greedy"], variant, players)
    assert_replays(spec, play_chunk(spec))


def test_matches_replay_to_their_totals():
    spec = chunk(["random", "greedy"], "classic(match_target=120)", episode="match", deals=(0, 3))
    result = play_chunk(spec)
    assert_replays(spec, result)
    assert (result.points.max(axis=1) >= 120).all()
    rounds = [Game.replay(record(spec, result, game)).snapshot() for game in range(spec.num_games)]
    assert max(len(actions) for actions in result.actions) > 60
    assert rounds[0]["scores"] == result.points[0].tolist()


def test_longer_games_than_there_was_room_for_at_first(monkeypatch):
    spec = chunk(["random", "random"], players=4, deals=(0, 3))
    expected = play_chunk(spec)
    monkeypatch.setattr("uno_arena.play.batch.INITIAL_CAPACITY", 8)
    assert_same(play_chunk(spec), expected)


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_games_at_once_are_the_games_one_by_one(variant, players):
    # Players as dull as these may never end a game; a void one is as good here.
    variant = f"{variant}(max_steps=150)"
    batch, asked = [FirstLegal(), LastLegal()], [FirstAsked(), LastAsked()]
    result = play_chunk(chunk(batch, variant, players, deals=(0, 2)))
    for agents in (asked, batch):
        spec = chunk(agents, variant, players, deals=(0, 2), is_batch=False)
        assert_same(play_chunk(spec), result)


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_all_rotations_of_a_deal_use_the_same_cards(variant, players):
    spec = chunk(["random", "greedy"], variant, players, deals=(3, 6))
    result = play_chunk(spec)
    sides = spec.matchup.sides
    for first in range(0, spec.num_games, sides):
        deals = []
        for game in range(first, first + sides):
            start = Game.replay(record(spec, result, game), steps=0).snapshot()
            deals.append((start["hands"], start["draw_pile"], start["dealer"]))
        assert all(deal == deals[0] for deal in deals)
    assert len(set(result.layout.seed.tolist())) == 3


def test_the_focal_agent_plays_from_every_side_and_teams_stay_together():
    spec = chunk(["random", "greedy"], "teams", 8, deals=(0, 2))
    layout = spec.layout
    assert layout.entrant.tolist() == 2 * [
        [0, 1, 1, 1],
        [1, 0, 1, 1],
        [1, 1, 0, 1],
        [1, 1, 1, 0],
    ]
    # Partners sit opposite each other.
    np.testing.assert_array_equal(layout.instance[:, :4], layout.instance[:, 4:])
    np.testing.assert_array_equal(layout.instance[:, :4], layout.entrant)


def test_asked_move_by_move_every_seat_has_an_instance_of_its_own():
    spec = chunk(["random", "greedy"], "teams", 4, deals=(0, 1), is_batch=False)
    for instances in spec.layout.instance.tolist():
        assert len(set(instances)) == 4
    assert [spec.entrant_of(instance) for instance in spec.layout.instance[0]] == [0, 1, 0, 1]


@pytest.mark.parametrize(("agents", "players"), [(4, 4), (6, 4), (3, 4), (2, 6)])
def test_mixed_tables_seat_everybody_everywhere(agents, players):
    spec = chunk(["random"] * agents, players=players, deals=(0, 600), schedule="mixed")
    entrant = spec.layout.entrant
    for first in range(0, len(entrant), players):
        deal_means = entrant[first : first + players]
        # A rotation moves the same line-up round the table.
        for rotation in range(players):
            np.testing.assert_array_equal(np.roll(deal_means[0], rotation), deal_means[rotation])
        assert len(set(deal_means[0].tolist())) == min(agents, players)
    for side in range(players):
        seen = Counter(entrant[:, side].tolist())
        assert len(seen) == agents
        assert max(seen.values()) - min(seen.values()) < 0.2 * len(entrant) / agents
    orders = {tuple(lineup) for lineup in entrant[::players].tolist()}
    assert len(orders) >= min(100, math.perm(agents, min(agents, players)))


def test_a_chunk_is_a_function_of_its_spec():
    spec = chunk(["random", "greedy"], players=4)
    result = play_chunk(spec)
    assert_same(play_chunk(pickle.loads(pickle.dumps(spec))), result)  # noqa: S301
    other = play_chunk(chunk(["random", "greedy"], players=4, number=1))
    assert other.actions != result.actions
    single = chunk([Diced(1), Diced(2)], is_batch=False)
    assert play_chunk(single).actions != play_chunk(single).actions  # objects keep their generator


def test_a_meeting_is_the_same_whoever_else_takes_part():
    pair = chunk(["random", "greedy"], players=4)
    tables = [(Rules.preset("classic"), 4)]
    matchups = make_matchups(3, tables, "round", "pairs")
    (same,) = [m for m in matchups if (m.focal, m.opponent) == (2, 0)]
    three = chunk(["random", "greedy"], players=4).__class__(
        same, ("greedy", "heuristic", "random"), ("greedy", "heuristic", "random"), 5, 0, 0, 6, True
    )
    assert play_chunk(three).actions == play_chunk(pair).actions


def test_choices_are_counted_for_whom_made_them():
    spec = chunk(["random", "greedy"], "ig2000", 4)
    result = play_chunk(spec)
    counted = np.zeros_like(result.counts)
    for game in range(spec.num_games):
        rerun = Game.replay(record(spec, result, game), steps=0)
        for action in result.actions[game]:
            who = spec.entrant_at(game, rerun.actor)
            choice = CHOICES.index(choice_of(uno_env.ACTIONS[action]))
            counted[who, PHASES.index(rerun.phase), choice] += 1
            rerun.step(action)
    np.testing.assert_array_equal(result.counts, counted)


def test_cheating_agents_see_a_copy():
    spec = chunk([Peeks(), FirstAsked()], is_batch=False, deals=(0, 2))
    honest = chunk([FirstAsked(), FirstAsked()], is_batch=False, deals=(0, 2))
    assert play_chunk(spec).actions == play_chunk(honest).actions


def test_shares_of_a_win():
    def shares(winners, void=False, forfeit=-1, players=4, sides=4):
        args = np.array([winners]), np.array([void]), np.array([forfeit])
        return win_shares(*args, players, sides)[0].tolist()

    assert shares(0b0100) == [0, 0, 1, 0]
    assert shares(0b0101) == [0.5, 0, 0.5, 0]
    assert shares(0, void=True) == [0.25] * 4
    assert shares(0, forfeit=1) == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3])
    # A team shares its win with nobody; a partner's forfeit is the team's.
    assert shares(0b1010, sides=2) == [0, 1]
    assert shares(0, forfeit=3, sides=2) == [1, 0]
    assert shares(0, void=True, sides=2) == [0.5, 0.5]


def test_schedules():
    tables = [(Rules.preset("classic"), 4), (Rules.preset("classic"), 2)]

    def pairs(schedule):
        made = make_matchups(3, tables, "round", schedule)
        assert [matchup.number for matchup in made] == list(range(len(made)))
        return [(m.num_players, m.focal, m.opponent) for m in made]

    ordered = [(4, a, b) for a in range(3) for b in range(3) if a != b]
    assert pairs("pairs") == [*ordered, (2, 0, 1), (2, 0, 2), (2, 1, 2)]
    assert pairs("first") == [(4, 0, 1), (4, 0, 2), (2, 0, 1), (2, 0, 2)]
    assert pairs("mixed") == [(4, None, None), (2, None, None)]
