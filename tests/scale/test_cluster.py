"""Tournaments and training on a real cluster of several nodes, one of which is lost on the way."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("ray")
torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

sys.path.insert(0, str(Path(__file__).parent))
import uno_arena  # noqa: E402
from clusters import running  # noqa: E402
from uno_arena.cli import main as run_arena  # noqa: E402
from uno_arena.config import make_config  # noqa: E402
from uno_arena.play.ray_cluster import AddressError, ClusterError, joined, read_address  # noqa: E402
from uno_arena.play.ray_pool import RayPool, play_on_node  # noqa: E402
from uno_arena.report.report import to_json  # noqa: E402
from uno_arena.run import run_tournament  # noqa: E402
from uno_arena.store.store import Store  # noqa: E402
from uno_train.config import TrainConfig  # noqa: E402
from uno_train.ray.learner import ClusterLearner  # noqa: E402
from uno_train.resume import resume, save_training  # noqa: E402

# Ray warns about its own coming changes and leaves sockets to the collector.
pytestmark = pytest.mark.filterwarnings("ignore")

AGENTS = {"heuristic": "heuristic", "greedy": "greedy", "random": "random"}
OPTIONS = {"deals": 600, "seed": 5, "players": [2, 3]}
RUN = TrainConfig(
    minutes=0, decisions=10**6, num_envs=48, rollout_steps=16, minibatch=256, hidden=(24,),
    threads=1,
    imitation_teacher="heuristic", imitation_decisions=1000, opponents={"greedy": 0.2},
    opponent_pool_share=0.2, snapshot_every=2, shards=3, lag=1, seed=7,
)  # fmt: skip
ROUNDS = 6


@pytest.fixture(scope="module")
def nodes():
    with running(2) as nodes:
        yield nodes


@pytest.fixture(scope="module")
def ray(nodes):
    with joined(nodes.address) as ray:
        yield ray


def learn(learner, first=0, last=ROUNDS, meanwhile=lambda number: None):
    for number in range(first, last):
        meanwhile(number)
        learner.iteration(number / ROUNDS)
    return learner


def weights(learner):
    return {name: tensor.clone() for name, tensor in learner.network.state_dict().items()}


def same(first, second):
    return all(torch.equal(first[name], second[name]) for name in first)


@pytest.fixture(scope="module")
def undisturbed(ray):
    learner = learn(ClusterLearner(RUN, ray))
    learner.close()
    return weights(learner)


@pytest.fixture(scope="module")
def local_report():
    return to_json(uno_arena.tournament(AGENTS, **OPTIONS))


def play(ray, on_progress=None):
    config = make_config(None, {**OPTIONS, "agents": list(AGENTS)})
    with Store(":memory:") as store:
        return to_json(
            run_tournament(config, AGENTS, store, executor=RayPool(ray), on_progress=on_progress)
        )


def test_a_round_learns_from_every_shard(ray):
    learner = ClusterLearner(RUN, ray)
    before = weights(learner)
    learner.iteration(0.0)
    # Imitation: every decision is learned from.
    assert learner.decisions == RUN.num_envs * RUN.rollout_steps and learner.iterations == 1
    assert not same(before, weights(learner))
    learner.close()


def test_a_run_goes_on_exactly_from_its_checkpoint(ray, undisturbed, tmp_path):
    learner = learn(ClusterLearner(RUN, ray), last=3)
    save_training(tmp_path, learner, {})
    learner.close()
    again, _, _ = resume(tmp_path, RUN, lambda config: ClusterLearner(config, ray))
    assert again.iterations == 3
    assert same(undisturbed, weights(learn(again, first=3)))
    again.close()


def test_other_code_on_a_node_is_refused(ray):
    pool = RayPool(ray)
    pool.check(["greedy"], 60.0)
    other = pool._conditions._replace(code="0" * 64)
    with pytest.raises(ClusterError, match="runs other code"):
        ray.get(ray.remote(play_on_node).remote(None, other))


def test_a_lost_node_changes_nothing(ray, nodes, local_report, undisturbed):
    # The last test, since a node is lost in each half of it.
    def lose_one(status):
        if status.games and len(nodes.nodes) == 2:
            nodes.lose()

    assert play(ray, lose_one) == local_report
    assert len(nodes.nodes) == 1
    nodes.nodes.append(nodes.add())
    learner = ClusterLearner(RUN, ray)
    learn(learner, meanwhile=lambda number: number == 2 and nodes.lose())
    assert len(nodes.nodes) == 1
    assert same(undisturbed, weights(learner))
    learner.close()


@pytest.mark.slow
def test_the_commands_end_alike_with_and_without_a_cluster(tmp_path):
    words = ["heuristic", "greedy", "--deals", "500", "--quiet"]
    for name, more in (("one", []), ("many", ["--ray", "--workers", "2"])):
        database, report = tmp_path / f"{name}.db", tmp_path / f"{name}.json"
        assert run_arena([*words, *more, "--db", str(database), "--json", str(report)]) == 0
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "many.json").read_bytes()


def test_an_address_that_is_none_is_told_at_once(monkeypatch, capsys):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert read_address("") == "local"
    assert read_address("10.0.0.1:6379") == "10.0.0.1:6379"
    with pytest.raises(AddressError, match="agents and files stand before --ray"):
        read_address("greedy")
    assert run_arena(["--ray", "greedy", "heuristic"]) == 2
    assert "'greedy'" in capsys.readouterr().err
