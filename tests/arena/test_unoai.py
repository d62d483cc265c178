"""UnoAI's game by our rules: rebuilt bots win here what was published there."""

import argparse

import numpy as np
import pytest
from uno_arena.api import compare
from uno_arena.benchmark.unoai import (
    PUBLISHED,
    RULES,
    RebuiltBot,
    add_arguments,
    rebuilt_bots,
    run,
)

from uno_env import Game, Rules, action_text


def given(hand, top="red-7"):
    rules = {key: value for key, value in RULES.to_dict().items() if key != "variant"}
    return Game.from_snapshot(
        {"variant": "classic", "rules": rules, "hands": [hand, ["blue-1"] * 5],
         "discard": [top], "draw_pile": ["blue-1"] * 40}
    )  # fmt: skip


def choices(bot, game, times=400):
    obs = np.repeat(game.observe(0)[None], times, axis=0)
    mask = np.repeat(game.mask()[None], times, axis=0)
    return [action_text(int(number), game.phase) for number in bot.act_batch(obs, mask)]


def test_the_rules_file_says_what_the_command_plays():
    assert Rules.from_file("configs/rules/unoai.yaml") == RULES


def test_random_bot_takes_any_copy_alike_and_never_draws():
    chosen = choices(rebuilt_bots(0)["RandomBot"], given(["red-1", "red-1", "wild", "green-3"]))
    assert set(chosen) == {"play red-1", "play wild"}
    assert chosen.count("play red-1") / len(chosen) == pytest.approx(2 / 3, abs=0.08)


def test_ranking_bot_plays_by_its_ranking_and_names_its_commonest_colour():
    bot = rebuilt_bots(0)["CardRankingBot"]
    assert set(choices(bot, given(["red-1", "red-draw2", "red-skip", "wild"]))) == {
        "play red-draw2"
    }
    assert set(choices(bot, given(["red-1", "red-reverse", "red-skip", "wild"]))) == {
        "play red-reverse",
        "play red-skip",
    }
    game = given(["wild", "wild-draw4", "green-3", "green-4", "blue-9"])
    assert set(choices(bot, game)) == {"play wild-draw4"}
    game.step("play wild-draw4")
    assert set(choices(bot, game)) == {"color green"}


def test_greedy_bot_plays_the_most_points():
    bot = rebuilt_bots(0)["GreedyBot"]
    assert set(choices(bot, given(["red-1", "red-9", "yellow-3"]))) == {"play red-9"}
    assert set(choices(bot, given(["red-9", "red-skip", "wild"]))) == {"play wild"}


@pytest.mark.parametrize(
    ("name", "players", "deals"),
    [("CardRankingBot", 2, 1500), ("GreedyBot", 2, 1500), ("CardRankingBot", 6, 300)],
)
def test_rebuilt_bots_win_here_what_was_published_there(name, players, deals):
    """The two games are the same game if the same bots win as often in both."""
    bots = rebuilt_bots(3, players)
    result = compare(
        bots[name], bots["RandomBot"], variant=RULES.text(), players=players, deals=deals, seed=2
    )
    half = (result.high - result.low) / 2
    # One and a half times a 95 % interval, about three standard errors.
    assert abs(result.rate - PUBLISHED[players][name]) < 1.5 * half < 0.04


def test_the_command_prints_measured_beside_published(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert run(parser.parse_args(["greedy", "--deals", "20"])) == 0
    text = capsys.readouterr().out
    for word in ("CardRankingBot", "63.4 %", "MixBot2", "68.8 %", "greedy"):
        assert word in text


def test_values_left_out_mean_every_card_alike():
    assert set(choices(RebuiltBot("x"), given(["red-1", "red-draw2", "wild"]))) == {
        "play red-1",
        "play red-draw2",
        "play wild",
    }
