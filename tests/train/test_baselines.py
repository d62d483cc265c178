"""Baselines: a game with a known best play, same seed same curve, resuming, agents as specs."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")
pytest.importorskip("tensorboard")

from uno_agents.registry import make_agent  # noqa: E402
from uno_arena.evaluate import evaluate  # noqa: E402
from uno_train.baselines import dmc, dqn, nfsp, ppo, rnad  # noqa: E402
from uno_train.baselines.cli import learner_class, main  # noqa: E402
from uno_train.baselines.games import Games, Opponent  # noqa: E402
from uno_train.baselines.run import Budget, Job, agent_of, run  # noqa: E402
from uno_train.config import ConfigError  # noqa: E402
from uno_train.tables import TableConfig  # noqa: E402

import uno_env  # noqa: E402

SILENCE = "classic(uno_penalty=8,hand_size=2)"
"""Silence costs eight cards if it is caught, and catching costs nothing: call, and catch."""
SMALL = {
    "ppo": ppo.Config(hidden=(32,), learning_rate=5e-3),
    "dqn": dqn.Config(hidden=(32,), learning_rate=3e-3, learning_starts=512, target_every=50),
    "dmc": dmc.Config(hidden=(32,), learning_rate=3e-3, learning_starts=512),
    "nfsp": nfsp.Config(hidden=(32,), learning_rate=3e-3, learning_starts=512, target_every=50),
    "rnad": rnad.Config(hidden=(32,), learning_rate=5e-3),
}
DECISIONS = {"ppo": 20_000, "dqn": 12_000, "dmc": 12_000, "nfsp": 14_000, "rnad": 28_000}
NAMES = list(SMALL)


def tables(text=SILENCE, players=2):
    return [TableConfig(uno_env.Rules.from_text(text), players)]


def learner(name, seed=1, **options):
    return learner_class(name)(tables(), seed, SMALL[name], **options)


def share(agent, action, other):
    """How often the agent takes the first of two actions where both are legal, in random play."""
    v = uno_env.vec(SILENCE, 256, 2, seed=99)
    v.reset()
    wanted, rest = uno_env.action_id(action), uno_env.action_id(other)
    taken = []
    for _ in range(30):
        asked = (v.mask[:, wanted] > 0) & (v.mask[:, rest] > 0)
        taken.append(agent.act_batch(v.obs, v.mask)[asked] == wanted)
        v.step(v.random_actions())
    return float(np.concatenate(taken).mean())


@pytest.mark.parametrize("name", NAMES)
def test_the_best_play_of_a_small_game_is_learned_in_seconds(name):
    learns = learner(name)
    while learns.decisions < DECISIONS[name]:
        learns.iterate(learns.decisions / DECISIONS[name])
    agent = agent_of(learns)
    assert share(agent, "call-uno", "stay-silent") > 0.9
    assert share(agent, "catch", "ignore") > 0.9


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_curve_cut_off_or_not(name, tmp_path):
    budget = Budget(2_600, curve_deals=2, final_deals=2, points=2)
    job = Job(name, "silence", tables(), 3, budget)
    whole = run(job, lambda: learner(name, 3), tmp_path / "whole")

    def stop(text):
        if len(lines) == 0:
            raise KeyboardInterrupt
        lines.append(text)

    lines = []
    with pytest.raises(KeyboardInterrupt):
        run(job, lambda: learner(name, 3), tmp_path / "cut", stop)
    again = run(job, lambda: learner(name, 3), tmp_path / "cut")
    assert {**again, "seconds": 0} == {**whole, "seconds": 0}
    weights = [
        (tmp_path / each / "agent/model.safetensors").read_bytes() for each in ("whole", "cut")
    ]
    assert weights[0][-1000:] == weights[1][-1000:]
    other = learner(name, 4)
    assert (
        other.policy()
        .state_dict()["trunk.0.weight"]
        .ne(learner(name, 3).policy().state_dict()["trunk.0.weight"])
        .any()
    )


def test_the_command_writes_an_agent_that_plays_by_its_spec(tmp_path, capsys):
    words = ["ppo", "--task", "classic-2", "--seeds", "1", "2", "--decisions", "3000",
             "--curve-deals", "2", "--final-deals", "4", "--out", str(tmp_path / "runs"),
             "--results", str(tmp_path / "results")]  # fmt: skip
    assert main(words) == 0
    first = capsys.readouterr()
    assert "ppo-classic-2-seed2/agent: against random" in first.out
    assert "decisions in" in first.err
    folder = tmp_path / "runs/ppo-classic-2-seed1"
    agent, opponent = make_agent(str(folder / "agent")), make_agent("random", 1)
    assert evaluate(agent, opponent, uno_env.Rules(), 2, 50).rate > 0.5
    assert list((folder / "tensorboard").iterdir())
    result = json.loads((tmp_path / "results/ppo-classic-2-seed2.json").read_text())
    assert (result["baseline"], result["seed"], len(result["curve"])) == ("ppo", 2, 10)
    # A second call finds everything done.
    assert main(words) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sarsa"], "unknown baseline 'sarsa'; allowed: ppo"),
        (["ppo", "--task", "chess"], "unknown task 'chess'; allowed: classic-2"),
        (["ppo", "--decisions", "0"], "--decisions needs at least 1"),
    ],
)
def test_what_cannot_be_run_is_said(words, message):
    with pytest.raises(ConfigError, match=message):
        main(words)


def test_a_run_of_something_else_is_not_gone_on_with(tmp_path):
    job = Job("ppo", "silence", tables(), 1, Budget(1000, 2, 2, 1))
    run(job, lambda: learner("ppo"), tmp_path)
    with pytest.raises(ConfigError, match="holds a run of ppo on silence, seed 1, for 1,000"):
        run(job._replace(seed=2), lambda: learner("ppo"), tmp_path)
    (tmp_path / "training.pt").write_bytes(b"nothing")
    with pytest.raises(ConfigError, match=r"training.pt is unreadable"):
        run(job, lambda: learner("ppo"), tmp_path)


def test_against_opponents_the_learner_has_one_seat_in_turn():
    opponents = [Opponent(make_agent("greedy", 1), 0.5), Opponent(make_agent("random", 1), 0.5)]
    games = Games(tables("classic(hand_size=3)", 3), 64, 5, opponents)
    seen = set()
    for _ in range(100):
        own = games.seats[:, :3] < 0
        assert (own.sum(axis=1) == 1).all()
        seen |= {(int(row.argmin()), int(row.max())) for row in games.seats[:, :3]}
        rows = games.learner_rows()
        games.step(rows, games.v.mask[rows].argmax(axis=1))
    assert seen == {(seat, who) for seat in range(3) for who in (0, 1)}


def test_advantages_follow_the_decisions_of_each_seat():
    """Two seats in one game: seat 0 wins with the third decision; seat 1 decided second."""
    rollout = ppo.Rollout.empty(4, 1)
    rollout.actor[:, 0], rollout.is_learner[:] = [0, 1, 0, 1], True
    rollout.value[:, 0] = [0.5, -0.25, 0.75, 0.1]
    rollout.done[2], rollout.rewards[2, 0, :2] = True, (1, -1)
    advantage, known = ppo.seat_advantages(rollout, np.array([0]), np.array([0.3]), 1.0)
    # The last decision is the first of seat 1 in a new game, which idles: nothing is known of it.
    assert known[:, 0].tolist() == [True, True, True, False]
    assert advantage[:3, 0] == pytest.approx([1 - 0.5, -1 + 0.25, 1 - 0.75])


def test_the_replay_buffer_follows_the_decisions_of_each_seat():
    network = ppo.make_network(tables(), (4,))
    replay = dqn.Replay(1 << 10, 1, network)
    nothing = torch.zeros(1, dtype=torch.uint8)
    for seat in (0, 1, 0):
        replay.add(np.array([0]), np.array([seat]), nothing, nothing, torch.tensor([seat]))
    assert replay.next[:3].tolist() == [2, dqn.UNKNOWN, dqn.UNKNOWN]
    rewards = np.zeros((1, 10), np.float32)
    rewards[0, :2] = 1, -1
    replay.end(np.array([0]), rewards)
    rows, reward, ended = replay.ahead(torch.tensor([0, 1, 2]), 1)
    assert (rows.tolist(), ended.tolist()) == ([2, 1, 2], [False, True, True])
    assert reward.tolist() == [0, -1, 1]
    assert replay.ahead(torch.tensor([0]), 2)[1:] == (torch.tensor([1.0]), torch.tensor([True]))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_it_beats_random_clearly(name, tmp_path):
    job = Job(name, "classic-2", tables("classic"), 1, Budget(60_000, 50, 500))
    result = run(job, lambda: learner_class(name)(tables("classic"), 1), tmp_path)
    assert result["final"]["random"][1] > 0.65
