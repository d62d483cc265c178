"""The command: what a run leaves behind, what it refuses, what it says."""

import json
import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from uno_agents.neural.weights import WEIGHTS_FILE, read_weights  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402
from uno_train.benchmark import Recording  # noqa: E402
from uno_train.cli import COMMANDS, main, train_parser  # noqa: E402
from uno_train.config import ConfigError, TrainConfig, config_names, make_config, read_shares  # noqa: E402
from uno_train.ppo import Learner  # noqa: E402

import uno_env  # noqa: E402

TINY = (
    "--num-envs 64 --rollout-steps 8 --hidden 24 --quiet --threads 1 --curve-deals 10 "
    "--eval-deals 10"
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run of the whole command, seconds long."""
    out = tmp_path_factory.mktemp("runs") / "tiny"
    words = "--minutes 0 --decisions 120000 --num-envs 256 --rollout-steps 16 --minibatch 1024"
    words += " --hidden 64 --learning-rate 2e-3 --eval-every 3 --curve-deals 50 --eval-deals 300"
    words += " --quiet --seed 1 --threads 1 --variant hyper_speed --opponents greedy=0.2"
    words += " --opponent-pool-share 0.1"
    assert main([*words.split(), "--out", str(out)]) == 0
    return out


def test_the_command_leaves_an_agent_that_beats_random(trained):
    data = json.loads((trained / "results.json").read_text())
    results = {row["opponent"]: row for row in data["results"]}
    assert list(results) == ["random", "greedy", "heuristic"]
    assert results["random"]["low"] > 0.5
    assert results["random"]["games"] == 600
    curve = data["curve"]
    assert curve[0]["decisions"] == 0
    assert curve[-1]["decisions"] >= 120_000
    assert curve[-1]["anchors"]["greedy"]["rate"] > curve[0]["anchors"]["greedy"]["rate"]
    assert (trained / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((trained / "config.json").read_text())["variant"] == ["hyper_speed"]


def test_the_best_is_one_of_the_points_and_at_least_as_trained_as_the_start(trained):
    best, last = (make_agent(str(trained / name)).metadata for name in ("best", "last"))
    curve = json.loads((trained / "results.json").read_text())["curve"]
    assert 0 < best["decisions"] <= last["decisions"]
    measured = {point["decisions"] for point in curve}
    assert best["decisions"] in measured | {last["decisions"]}


def test_a_budget_in_decisions_can_be_repeated(tmp_path):
    """Evaluations too are counted in decisions, so that the best is the same checkpoint."""
    words = f"{TINY} --minutes 0 --decisions 3000 --eval-decisions 1000 --seed 4".split()
    weights = []
    for name in ("one", "two"):
        assert main([*words, "--out", str(tmp_path / name)]) == 0
        weights.append(read_weights(tmp_path / name / "best" / WEIGHTS_FILE)[0])
    curve = json.loads((tmp_path / "one" / "results.json").read_text())["curve"]
    assert [point["decisions"] // 1000 for point in curve] == [0, 1, 2, 3]
    for name, array in weights[0].items():
        assert np.array_equal(array, weights[1][name]), name


def test_tensorboard_can_read_what_was_logged(trained):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

    (file,) = (trained / "tensorboard").glob("events*")
    tags = {
        value.tag for event in EventFileLoader(str(file)).Load() for value in event.summary.value
    }
    assert {"eval/win_rate_greedy", "eval/win_rate_heuristic"} <= tags
    metrics = "policy_loss value_loss entropy approx_kl clip_fraction explained_variance"
    assert {f"train/{name}" for name in metrics.split()} <= tags


def test_the_trained_agent_is_a_spec_string_everywhere(trained):
    agent = make_agent(str(trained / "best"))
    assert agent.metadata["rules"] == "hyper_speed"
    v = uno_env.vec(list(uno_env.VARIANTS), 60, [2, 3, 6, 4, 5, 4, 3], seed=1)
    v.reset()
    for _ in range(100):
        v.step(agent.act_batch(v.obs, v.mask))


def test_a_trained_agent_is_an_opponent_and_a_teacher(trained, tmp_path):
    spec = str(trained / "best")
    words = (
        f"{TINY} --minutes 0 --decisions 2000 --imitation-teacher {spec} --imitation-decisions 1000"
    )
    words += f" --opponents {spec},greedy --out {tmp_path / 'next'}"
    assert main(words.split()) == 0


def test_evaluate_prints_intervals(trained, capsys):
    assert main(["evaluate", str(trained / "best"), "--deals", "10", "--anchors", "greedy"]) == 0
    shown = capsys.readouterr().out
    assert "hyper_speed with 2 players" in shown
    assert "95 % interval" in shown


def test_interruption_leaves_a_loadable_checkpoint(tmp_path, monkeypatch):
    iterations = []
    whole_iteration = Learner.iteration

    def interrupted(self, progress):
        if len(iterations) == 2:
            raise KeyboardInterrupt
        iterations.append(whole_iteration(self, progress))
        return iterations[-1]

    monkeypatch.setattr(Learner, "iteration", interrupted)
    assert main([*TINY.split(), "--out", str(tmp_path / "run")]) == 130
    assert make_agent(str(tmp_path / "run" / "last")).metadata["decisions"] == 2 * 64 * 8


def test_broken_numbers_leave_the_last_good_checkpoint(tmp_path, capsys, monkeypatch):
    iterations = []
    whole_iteration = Learner.iteration

    def poisoned(self, progress):
        if len(iterations) == 2:
            with torch.no_grad():
                next(self.network.parameters())[0] = math.nan
        iterations.append(whole_iteration(self, progress))
        return iterations[-1]

    monkeypatch.setattr(Learner, "iteration", poisoned)
    words = [*TINY.split(), "--save-every", "0", "--out", str(tmp_path / "run")]
    assert main(words) == 1
    assert "try a smaller learning_rate" in capsys.readouterr().err
    assert make_agent(str(tmp_path / "run" / "last")).metadata["decisions"] == 2 * 64 * 8


def test_patience_ends_a_run_that_does_not_improve(tmp_path):
    words = f"{TINY} --minutes 10 --eval-every 0.01 --patience 3 --learning-rate 1e-12"
    words += f" --final-learning-rate 1e-12 --out {tmp_path / 'run'}"
    assert main(words.split()) == 0
    curve = json.loads((tmp_path / "run" / "results.json").read_text())["curve"]
    assert 4 <= len(curve) < 40


def test_a_folder_that_cannot_be_written_is_named(tmp_path, capsys):
    (tmp_path / "file").touch()  # where the folder should be: binds even root
    assert main([*TINY.split(), "--out", str(tmp_path / "file" / "run")]) == 2
    said = capsys.readouterr().err
    assert f"cannot write to {tmp_path / 'file' / 'run'}" in said and "--out FOLDER" in said


def test_config_refuses_what_it_does_not_know(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text("learning_rat: 1\n")
    with pytest.raises(ConfigError, match=r"unknown key 'learning_rat'; allowed: variant"):
        make_config(file, {})
    with pytest.raises(ConfigError, match="gae_lambda is '2'"):
        make_config(None, {"gae_lambda": "2"})
    with pytest.raises(ConfigError, match="one of them must end the run"):
        make_config(None, {"minutes": 0})
    with pytest.raises(ConfigError, match="unknown variant 'poker'"):
        make_config(None, {"variant": "poker"})
    with pytest.raises(ConfigError, match="teams takes 4 to 8"):
        make_config(None, {"variant": "teams", "players": [2, 3]})
    with pytest.raises(ConfigError, match="opponent_pool_share and the shares of opponents"):
        make_config(None, {"opponents": {"greedy": 0.8}, "opponent_pool_share": 0.3})
    with pytest.raises(ConfigError, match="there are 24 tables"):
        make_config(None, {"num_envs": 10, "mixes": 12})


def test_shares_of_opponents_in_words():
    assert read_shares("heuristic=0.3,runs/a/best=0.1") == {"heuristic": 0.3, "runs/a/best": 0.1}
    assert read_shares("runs/a/best,heuristic") == {"runs/a/best": 0.25, "heuristic": 0.25}
    assert read_shares("search:sims=50") == {"search:sims=50": 0.5}
    assert read_shares("") == {}


def test_command_line_goes_over_the_file(tmp_path):
    file = tmp_path / "x.yaml"
    file.write_text("minutes: 7\nseed: 3\nvariant: [classic, teams]\n")
    config = make_config(file, {"minutes": "2"})
    assert (config.minutes, config.seed) == (2, 3)
    assert config.rollout_steps == TrainConfig().rollout_steps
    assert config.variant == ("classic", "teams")


OTHER_CONFIGS = (
    "quick",
    "generalist",
    "generalist-finetune",
    "generalist-base",
    "generalist-ppo",
    "no_mercy-finetune",
    "no_mercy-ppo",
    "unoai",
    "cluster",
)


@pytest.mark.parametrize("name", [*uno_env.VARIANTS, *OTHER_CONFIGS])
def test_every_shipped_config_is_found_by_name_and_by_path(name):
    config = make_config(name, {})
    assert config == make_config(f"configs/train/{name}.yaml", {})
    assert name in config_names()
    assert config.own_tables()
    if name in uno_env.VARIANTS:
        assert {table.rules.variant for table in config.own_tables()} == {name}


def test_the_recipe_for_unoai_plays_by_the_rules_of_its_file():
    (variant,) = make_config("unoai", {}).variant
    assert uno_env.Rules.from_text(variant) == uno_env.Rules.from_file("configs/rules/unoai.yaml")


def test_a_name_that_does_not_ship_is_refused_with_those_that_do(capsys):
    assert main(["quik"]) == 2
    said = capsys.readouterr().err
    assert "no shipped file 'quik'; allowed: all_wild, classic, classic-ppo" in said


def test_the_list_names_every_shipped_config(capsys):
    assert main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == config_names()
    assert all(len(line.split()) > 3 for line in lines)


def test_help_begins_with_an_example_and_knows_every_field():
    text = train_parser().format_help()
    first = text.splitlines()[0]
    assert first.startswith("example: uno-train ")
    train_parser().parse_args(first.removeprefix("example: uno-train ").split())
    for field in TrainConfig.model_fields:
        assert f"--{field.replace('_', '-')}" in text


def test_every_command_has_help(capsys):
    for name in COMMANDS:
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        assert ended.value.code == 0
        assert capsys.readouterr().out.startswith("example: ")


def test_benchmark_compares_the_loop_with_and_without_games(capsys):
    words = "--num-envs 64 --rollout-steps 8 --hidden 24 --threads 1 --iterations 1"
    assert main(["benchmark", *words.split()]) == 0
    shown = capsys.readouterr().out
    assert "games cost nothing" in shown
    assert "learning" in shown


def test_a_recording_repeats_what_was_played():
    v = uno_env.vec("classic", 8, 2, seed=1)
    v.reset()
    recording = Recording(v, pages=3)
    first = recording.obs.copy()
    for _ in range(3):
        recording.step(recording.actor)
    assert (recording.obs == first).all()
