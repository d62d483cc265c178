"""RLCard's game as the games of a baseline: the same game as RLCard's, and something to learn."""

import numpy as np
import pytest

rlcard = pytest.importorskip("rlcard")
pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from uno_arena.benchmark.rlcard import RULES, OurPlayer  # noqa: E402
from uno_train.baselines import dmc, ppo  # noqa: E402
from uno_train.baselines.cli import learner_class  # noqa: E402
from uno_train.baselines.rlcard_games import RlcardGames, RlcardTable  # noqa: E402
from uno_train.tables import TableConfig  # noqa: E402


class Lowest:
    """The legal action of the lowest id."""

    def act_batch(self, obs, mask):
        return mask.argmax(axis=1)


def test_a_table_plays_what_rlcard_plays():
    """The same policy, once asked by RLCard's loop and once through the table: the same games."""
    table, env = RlcardTable(5), rlcard.make("uno", {"seed": 5})
    player = OurPlayer(Lowest())
    for _ in range(20):
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(player.step(state), raw_action=True)
        payoffs = None
        while payoffs is None:
            payoffs = table.step(int(table.game.mask().argmax()))
        assert list(payoffs) == env.get_payoffs().tolist()
        assert table.frames == env.timestep
        table.deal()


def test_every_row_has_a_choice_and_games_are_won_by_one_seat():
    games, rng = RlcardGames(16, 3), np.random.default_rng(1)
    ended = 0
    for _ in range(60):
        legal = games.v.mask > 0
        assert (legal.sum(axis=1) > 1).all()
        before = games.frames
        ids = np.where(legal, rng.random(legal.shape), -1).argmax(axis=1)
        done, rewards = games.step(games.learner_rows(), ids)
        assert (np.sort(rewards[done][:, :2]) == [-1, 1]).all() and not rewards[~done].any()
        assert games.frames > before
        ended += done.sum()
    assert ended > 20


SMALL = {"ppo": ppo.Config(num_envs=16), "dmc": dmc.Config(num_envs=16, learning_starts=128)}


@pytest.mark.parametrize("name", SMALL)
def test_baselines_learn_from_it(name):
    learner = learner_class(name)([TableConfig(RULES, 2)], 1, SMALL[name])
    learner.games = RlcardGames(16, 1)
    before = learner.policy().state_dict()["trunk.0.weight"].clone()
    while learner.decisions < 1000:
        learner.iterate(0.0)
    assert (learner.policy().state_dict()["trunk.0.weight"] != before).any()
    # A wild and its colour are two decisions and one frame; forced plays are frames only.
    assert 0.3 * learner.games.frames < learner.decisions < 1.2 * learner.games.frames
