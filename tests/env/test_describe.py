"""The described layout covers the observation, and the bytes say what the view says."""

from collections import Counter

import numpy as np
import pytest

import uno_env
from uno_env.cards import COLORS, KINDS, color_of, face_id, kind_of
from uno_env.engine.observation.layout import O_SEATS, OBS_SIZE, PHASE_SLOTS
from uno_env.engine.rule_vector import rule_vector
from uno_env.engine.state import (
    SEAT_CALLED,
    SEAT_IN_PLAY,
    SEAT_MISSING,
    SEAT_ROW,
    SEAT_SCORE,
    SEAT_SIZE,
)
from uno_env.engine.tables import PHASES
from uno_env.envs.observation_spec import observation_blocks, observation_scales

from .playing import TABLES, eager


def test_the_blocks_cover_every_byte_once():
    at = 0
    for block in observation_blocks():
        assert block.offset == at, f"a gap or an overlap before {block.name}"
        assert block.size > 0 and block.scale > 0 and block.meaning
        at += block.size
    assert at == uno_env.OBS_SIZE
    names = [block.name for block in observation_blocks()]
    assert len(set(names)) == len(names)


def test_describe_prints_every_block(capsys):
    uno_env.describe_observation()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"observation version {uno_env.OBS_VERSION}: {uno_env.OBS_SIZE} bytes"
    assert [line.split()[1] for line in lines[2:]] == [block.name for block in observation_blocks()]


def test_scaled_divides_each_block_by_its_scale():
    obs = np.arange(3 * uno_env.OBS_SIZE, dtype=np.uint8).reshape(3, -1)
    floats = uno_env.scaled(obs)
    assert floats.dtype == np.float32 and floats.shape == obs.shape
    for block in observation_blocks():
        if block.name != "seats":
            part = slice(block.offset, block.offset + block.size)
            assert np.allclose(floats[:, part], obs[:, part] / block.scale)
    seats = slice(O_SEATS, O_SEATS + 10 * SEAT_ROW)
    rows = (obs * observation_scales())[:, seats].reshape(3, 10, SEAT_ROW)
    raw = obs[:, seats].reshape(3, 10, SEAT_ROW)
    assert np.allclose(rows[..., SEAT_SCORE], raw[..., SEAT_SCORE] / 255)
    assert np.allclose(rows[..., SEAT_SIZE], raw[..., SEAT_SIZE] / 4)


@pytest.mark.parametrize(
    "obs", [np.zeros(OBS_SIZE), np.zeros(OBS_SIZE - 1, np.uint8), [0] * OBS_SIZE]
)
def test_scaled_refuses_what_is_no_observation(obs):
    with pytest.raises(ValueError, match="uint8 of shape"):
        uno_env.scaled(obs)


def parts(obs):
    """The observation by block."""
    return {b.name: obs[b.offset : b.offset + b.size] for b in observation_blocks()}


def one_hot(size, place):
    return [int(place == i) for i in range(size)]


def check_says_what_the_view_says(game, seat):
    view, told = game.view(seat), parts(game.observe(seat))
    n = game.num_players
    counts = Counter(map(face_id, view["hand"]))
    assert told["hand"].tolist() == [counts[face] for face in range(len(uno_env.FACES))]
    pending = view["pending"] or {"amount": 0, "value": 0, "contestable": False}
    assert told["pending_amount"] == pending["amount"]
    if view["pending"]:
        assert told["pending_value"] == pending["value"]
        assert told["contestable"] == pending["contestable"]
    assert told["draw_pile"] == view["draw_pile_size"]
    assert told["set_aside"] == view["set_aside_size"]
    assert told["clockwise"] == (view["direction"] > 0)
    assert told["round"] == min(view["round"], 255) and told["table_size"] == n
    assert told["phase"].tolist() == one_hot(PHASE_SLOTS, PHASES.index(view["phase"]))
    top = face_id(view["top_card"])
    assert told["top_kind"].tolist() == one_hot(len(KINDS), kind_of(top))
    for name in ("active_color", "hyper_color", "color_before"):
        place = COLORS.index(view[name]) if view[name] else -1
        assert told[name].tolist() == one_hot(4, place), name
    if view["drawn_card"]:
        drawn = face_id(view["drawn_card"])
        assert told["drawn_kind"].tolist() == one_hot(len(KINDS), kind_of(drawn))
        assert told["drawn_color"].tolist() == one_hot(4, color_of(drawn))
    else:
        assert not told["drawn_kind"].any() and not told["drawn_color"].any()
    assert told["rules"].tolist() == rule_vector(game.rules).tolist()
    check_rows(view, told, seat, n)


def check_rows(view, told, seat, n):
    """The rows of each seat, relative to the observer."""
    rows = told["seats"].reshape(10, -1)
    assert not rows[n:].any()
    gone = {*view["eliminated"], *view["out"]}
    for place in range(n):
        other = (seat + place) % n
        row = rows[place]
        assert row[SEAT_SIZE] == view["hand_sizes"][other]
        assert row[SEAT_CALLED] == (other in view["uno_called"])
        if view["phase"] != "over":
            assert row[SEAT_IN_PLAY] == (other not in gone)
        missing = view["missing_colors"].get(other, {})
        assert row[SEAT_MISSING : SEAT_MISSING + 4].tolist() == [
            missing.get(color, -1) + 1 for color in COLORS
        ]
    subject = one_hot(10, (view["subject"] - seat) % n if view["subject"] >= 0 else -1)
    assert told["subject"].tolist() == subject


@pytest.mark.parametrize(("variant", "num_players"), TABLES)
def test_the_observation_says_what_the_view_says(variant, num_players):
    rng = np.random.default_rng(1)
    for seed in range(2):
        game = uno_env.Game(variant, num_players, seed=seed)
        for _ in range(40):
            if game.over:
                break
            for seat in range(num_players):
                check_says_what_the_view_says(game, seat)
            game.step(eager(game.mask(), rng))


def test_scores_are_told_in_match_play():
    game = uno_env.Game("classic(match_target=200)", 3, seed=2, episode="match")
    rng = np.random.default_rng(0)
    while not game.over:
        scores = parts(game.observe(1))["seats"].reshape(10, -1)[:3, SEAT_SCORE]
        truth = [min(255 * game.scores[(1 + k) % 3] // 200, 255) for k in range(3)]
        assert scores.tolist() == truth
        game.step(eager(game.mask(), rng))
    assert max(game.scores) >= 200
