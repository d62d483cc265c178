"""RLCard beside us: its states become our positions, its rule bot one of our agents."""

import numpy as np
import pytest
from uno_agents.base import AgentError
from uno_agents.registry import make_agent
from uno_agents.rlcard_bot import our_card, their_card, their_choices
from uno_arena.benchmark.rlcard import (
    RULES,
    OurPlayer,
    RandomPlayer,
    RulePlayer,
    play_theirs,
    position,
)
from uno_arena.cli import main
from uno_arena.stats.intervals import wilson_interval

from uno_env import VARIANTS, Game, Rules

rlcard = pytest.importorskip("rlcard")
SPEC = "rlcard:uno-rule-v1"


def theirs(ours):
    """Our legal actions as RLCard would list them."""
    listed = set()
    for action in ours:
        card = action.removeprefix("play ")
        colors = ("red", "yellow", "green", "blue") if card.startswith("wild") else ("red",)
        listed |= {"draw"} if card == "draw" else {their_card(card, color) for color in colors}
    return listed


def states(games, seed=0):
    """States of RLCard games between two random players, with RLCard's own game."""
    env, player = rlcard.make("uno"), RandomPlayer(seed)
    for game in range(games):
        env.seed(game)
        state, _ = env.reset()
        while not env.is_over():
            yield state, env.game
            state, _ = env.step(player.step(state), raw_action=True)


def test_positions_have_rlcards_legal_actions_colour_and_sizes():
    seen = 0
    for state, game in states(25):
        made = position(state)
        assert theirs(made.legal()) == set(state["raw_legal_actions"])
        if game.round.played_cards:
            color = our_card(f"{game.round.target.color}-1")[1]
            assert made.view(0)["active_color"] == color
        assert made.view(0)["hand_sizes"] == state["raw_obs"]["num_cards"]
        seen += 1
    assert seen > 600


def test_our_agents_see_nothing_but_the_state():
    """Other cards in the hidden hand and pile: the same answer."""
    asked = 0
    for state, game in states(6, seed=3):
        before = OurPlayer(make_agent("heuristic", 1)).step(state)
        hidden = game.players[1 - state["raw_obs"]["current_player"]].hand
        deck, size = game.dealer.deck, len(hidden)
        hidden[:], deck[:] = deck[:size], hidden + deck[size:]
        assert OurPlayer(make_agent("heuristic", 1)).step(state) == before
        asked += 1
    assert asked > 100


@pytest.mark.parametrize("card", list(Rules.preset("classic").deck))
def test_card_names_go_both_ways(card):
    color = card.partition("-")[0] if not card.startswith("wild") else "green"
    assert our_card(their_card(card, color)) == (card, color)


def given(hand, top, **more):
    return Game.from_snapshot(
        {"variant": "classic", "rules": {"uno_call": "off"}, "hands": [hand, ["blue-1"] * 5],
         "discard": [top], "draw_pile": ["blue-1"] * 40, **more}
    )  # fmt: skip


def test_the_rule_bot_keeps_wilds_and_plays_the_draw_four_only_when_stuck():
    bot = make_agent(SPEC, seed=1)
    game = given(["red-1", "wild", "wild-draw4", "green-9"], "red-7")
    assert {bot.act(game.view(0), game.legal()) for _ in range(20)} == {"play red-1"}
    stuck = given(["wild-draw4", "green-9", "green-8", "blue-2"], "red-7")
    assert bot.act(stuck.view(0), stuck.legal()) == "play wild-draw4"
    stuck.step("play wild-draw4")
    # The colour it holds most of.
    assert bot.act(stuck.view(0), stuck.legal()) == "color green"


def test_a_plain_wild_gets_any_colour_as_rlcard_chooses_it():
    bot = make_agent(SPEC, seed=1)
    game = given(["wild", "green-9", "green-8"], "red-7")
    assert bot.act(game.view(0), game.legal()) == "play wild"
    game.step("play wild")
    assert {bot.act(game.view(0), game.legal()) for _ in range(60)} == {
        f"color {color}" for color in ("red", "yellow", "green", "blue")
    }


def test_it_draws_only_when_it_must_and_lists_what_rlcard_would():
    game = given(["green-9", "wild-draw4"], "red-7")
    assert set(their_choices(game.view(0), game.legal())) == {
        f"{letter}-wild_draw_4" for letter in "rgby"
    }
    game = given(["green-9", "blue-2"], "red-7")
    assert their_choices(game.view(0), game.legal()) == {"draw": "draw"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_plays_every_variant_legally(variant):
    bot = make_agent(SPEC, seed=2)
    for seed in range(2):
        game = Game(variant, num_players=4, seed=seed)
        while not game.over:
            game.step(bot.act(game.view(game.actor), game.legal()))


def test_same_seed_same_choices_and_the_global_generator_is_left_alone():
    def played(seed):
        bot, game = make_agent(SPEC, seed=seed), Game(rules=RULES, num_players=2, seed=5)
        chosen = []
        while not game.over:
            chosen.append(bot.act(game.view(game.actor), game.legal()))
            game.step(chosen[-1])
        return chosen

    before = np.random.get_state()[1].copy()  # noqa: NPY002 - the one that must not move
    assert played(1) == played(1)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002
    assert len({tuple(played(seed)) for seed in range(6)}) > 1


def test_unknown_models_are_refused():
    with pytest.raises(AgentError, match="unknown RLCard model 'uno-rule-v2'"):
        make_agent("rlcard:uno-rule-v2")


def test_the_rules_file_says_what_the_command_plays():
    assert Rules.from_file("configs/rules/rlcard.yaml") == RULES


def test_their_rule_bot_wins_in_their_game_what_others_measured():
    """54.2 % of 20,000 games against random; both decks and seats are fixed here."""
    wins = play_theirs((RulePlayer(1), RandomPlayer(2)), 400, seed=1)
    rate = wilson_interval(wins)
    assert rate.low < 0.542 < rate.high
    assert rate.high - rate.low < 0.08


def test_the_command_prints_both_games(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    assert main(["rlcard", "greedy", "--deals", "8"]) == 0
    text = capsys.readouterr().out
    assert "RLCard's own game" in text
    assert "our game by its rules" in text
    assert text.count("uno-rule-v1") == 2
