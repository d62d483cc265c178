"""Evaluation: duplicate deals that are duplicates, results that are those of single games."""

import pytest
from uno_agents.simple import GreedyAgent, RandomAgent
from uno_arena.evaluate import evaluate
from uno_arena.play.matchup import deal_seeds

import uno_env


class FirstLegal:
    """Plays by a fixed rule, so two of them at a table must come out level, deal by deal."""

    def act_batch(self, obs, mask):
        return mask.argmax(axis=1)


@pytest.mark.parametrize(("variant", "players"), [("classic", 3), ("teams", 4), ("no_mercy", 2)])
def test_an_agent_against_itself_is_level_exactly(variant, players):
    rules = uno_env.Rules.preset(variant)
    result = evaluate(FirstLegal(), FirstLegal(), rules, players, 40, seed=1)
    # The same cards and the same play from every seat: each deal is won from exactly one of them.
    assert result.rate == pytest.approx(result.chance)
    assert result.games == 40 * (2 if variant == "teams" else players)


def test_results_are_those_of_single_games():
    rules, players, deals = uno_env.Rules.preset("classic"), 2, 30

    class LastLegal:
        def act_batch(self, obs, mask):
            return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)

    result = evaluate(FirstLegal(), LastLegal(), rules, players, deals, seed=4)
    won = 0
    for seed in deal_seeds(4, 0, deals):
        for ours in range(players):
            game = uno_env.Game(rules=rules, num_players=players, seed=int(seed))
            while not game.over:
                game.step(game.legal_ids()[0 if game.actor == ours else -1])
            won += ours in game.winners
    assert result.rate == won / (deals * players)


def test_greedy_beats_random_and_same_seed_same_result():
    rules = uno_env.Rules.preset("classic")
    first, again = (
        evaluate(GreedyAgent(1), RandomAgent(2), rules, 4, 100, seed=3) for _ in range(2)
    )
    assert first == again
    assert first.low > first.chance


def test_an_illegal_answer_is_an_error_that_names_the_agent():
    class Draws:
        def act_batch(self, obs, mask):
            return [500] * len(obs)

        def __repr__(self):
            return "<draws>"

    rules = uno_env.Rules.preset("classic")
    with pytest.raises(ValueError, match="<draws>: illegal action 500 in phase"):
        evaluate(FirstLegal(), Draws(), rules, 2, 4)
