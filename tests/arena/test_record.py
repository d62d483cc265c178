"""Games as a Minari dataset: written by one command, read back by Minari, true to the game."""

import numpy as np
import pytest
from uno_arena.cli import main

import uno_env

minari = pytest.importorskip("minari", reason="uno-env[minari] is not installed")


@pytest.fixture
def datasets(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    return tmp_path


def test_a_dataset_is_made_by_one_command_and_replays(datasets, capsys):
    words = ["record", "heuristic", "--variant", "no_mercy", "--players", "3", "--games", "4"]
    assert main([*words, "--seed", "5", "--opponents", "random"]) == 0
    assert "uno/no_mercy-heuristic-v0: 4 episodes" in capsys.readouterr().out
    dataset = minari.load_dataset("uno/no_mercy-heuristic-v0")
    assert dataset.total_episodes == 4
    env = dataset.recover_environment()
    for number, episode in enumerate(dataset.iterate_episodes()):
        seen, masks = episode.observations["observation"], episode.observations["action_mask"]
        steps = len(episode.actions)
        assert seen.shape == (steps + 1, uno_env.OBS_SIZE) and seen.dtype == np.uint8
        assert all(masks[at, action] for at, action in enumerate(episode.actions))
        assert not masks[-1].any()
        assert episode.rewards[-1] != 0 and not episode.rewards[:-1].any()
        assert episode.terminations.tolist() == [False] * (steps - 1) + [True]
        # The recorded seed and actions are the game: played again, the same is seen.
        observation, _ = env.reset(seed=5 + number)
        for at, action in enumerate(episode.actions):
            assert (observation == seen[at]).all()
            observation, reward, *_ = env.step(action)
        assert (observation == seen[-1]).all() and reward == episode.rewards[-1]


def test_an_agent_that_is_asked_with_texts_is_recorded_too(datasets, tmp_path, capsys):
    bot = tmp_path / "bot.py"
    bot.write_text("def bot(view, legal):\n    return legal[0]\n")
    assert main(["record", f"{bot}:bot", "--games", "1", "--id", "uno/bot-v0"]) == 0
    (episode,) = minari.load_dataset("uno/bot-v0").iterate_episodes()
    first = [int(np.flatnonzero(mask)[0]) for mask in episode.observations["action_mask"][:-1]]
    assert episode.actions.tolist() == first


def test_wrong_words_are_refused(datasets, capsys):
    assert main(["record", "oracle", "--games", "1"]) == 2
    assert "sees hidden cards" in capsys.readouterr().err
    assert main(["record", "greedy", "--games", "0"]) == 2
    assert "games is 0" in capsys.readouterr().err
