"""A run whose workers are killed, whose store is too small, and that goes on with more nodes."""

import os
import re
import signal
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ray")
torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

sys.path.insert(0, str(Path(__file__).parent))
from clusters import running  # noqa: E402
from uno_arena.code_version import code_digest  # noqa: E402
from uno_arena.play.ray_cluster import joined  # noqa: E402
from uno_train.config import TrainConfig  # noqa: E402
from uno_train.ppo import Learner  # noqa: E402
from uno_train.ray.learner import ClusterLearner  # noqa: E402
from uno_train.ray.rollout import CODE, RolloutTask, RunInfo, as_arrays, play_shard  # noqa: E402
from uno_train.resume import resume, save_training  # noqa: E402
from uno_train.schedule import Stage  # noqa: E402

# Ray warns about its own coming changes and leaves sockets to the collector.
pytestmark = pytest.mark.filterwarnings("ignore")
RUN = TrainConfig(
    minutes=0, decisions=10**6, num_envs=48, rollout_steps=16, minibatch=256, hidden=(24,),
    threads=1,
    imitation_decisions=0, opponents={"greedy": 0.2}, opponent_pool_share=0.2, snapshot_every=2,
    shards=3, lag=1,
    seed=7,
)  # fmt: skip
ROUNDS = 6
PLAYING = "ray::play_shard"
"""How Ray calls the process of a worker that plays."""


def family():
    """Parent and name of every process that descends from this one, and so of its clusters."""
    table = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            name = (folder / "cmdline").read_bytes().partition(b"\0")[0].decode().strip()
        except OSError:
            continue  # it has ended meanwhile
        table[int(folder.name)] = (parent, name)
    ours = {os.getpid()}
    while grown := {pid for pid, (parent, _) in table.items() if parent in ours} - ours:
        ours |= grown
    return {pid: table[pid] for pid in ours & table.keys()}


class Onlooker(threading.Thread):
    """Sees who plays while others wait for it, and may kill some, one after the other."""

    def __init__(self, victims=0):
        super().__init__(daemon=True)
        self._victims = victims
        self.killed, self.nodes = [], set()
        self._over = threading.Event()

    def run(self):
        while not self._over.wait(0.01):
            players = {pid: parent for pid, (parent, name) in family().items()
                       if name.startswith(PLAYING) and pid not in self.killed}  # fmt: skip
            # Workers are children of their node's own process.
            self.nodes |= set(players.values())
            if players and len(self.killed) < self._victims:
                self.killed.append(next(iter(players)))
                os.kill(self.killed[-1], signal.SIGKILL)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self.join()


def learn(learner, first=0, last=ROUNDS):
    for number in range(first, last):
        learner.iteration(number / ROUNDS)
    return {name: tensor.clone() for name, tensor in learner.network.state_dict().items()}


def same(first, second):
    return all(torch.equal(first[name], second[name]) for name in first)


@pytest.fixture(scope="module")
def nodes():
    with running(1) as nodes:
        yield nodes


@pytest.fixture(scope="module")
def ray(nodes):
    with joined(nodes.address) as ray:
        yield ray


@pytest.fixture(scope="module")
def undisturbed(ray):
    learner = ClusterLearner(RUN, ray)
    after = learn(learner)
    learner.close()
    return after


def test_earlier_tasks_of_a_worker_do_not_matter():
    part = RUN.model_copy(update={"num_envs": 16, "shards": 0})
    info, weights = RunInfo(code_digest(CODE), part.model_dump_json()), Learner(part).network
    task = RolloutTask(0, 0.5, Stage.PPO, as_arrays(weights.state_dict()), {})
    first, _ = play_shard(info, 0, task, {})
    # Another shard, and an iteration in which there is a snapshot to play against.
    play_shard(info, 1, task._replace(iteration=5, snapshot=task.weights), {})
    again, _ = play_shard(info, 0, task, {})
    assert first.counts == again.counts
    for before, after in zip(first.columns, again.columns, strict=True):
        np.testing.assert_array_equal(before, after)


@pytest.mark.slow
def test_a_store_too_small_for_the_pending_rollouts(ray, nodes):
    # The first test: three rounds of 93 MB are on their way, and the only node holds 150.
    many = RUN.model_copy(update={"num_envs": 4096, "rollout_steps": 64, "lag": 2, "epochs": 1,
                                  "minibatch": 16384})  # fmt: skip
    learner = ClusterLearner(many, ray)
    before = spilled(nodes.address)
    learn(learner, last=4)
    learner.close()
    assert learner.decisions > 4 * 200_000 and learner.losses == 0
    assert spilled(nodes.address) > before


def test_killed_workers_change_nothing(ray, undisturbed):
    learner = ClusterLearner(RUN, ray)
    learn(learner, last=2)
    with Onlooker(victims=2) as onlooker:
        after = learn(learner, first=2)
    learner.close()
    assert len(onlooker.killed) == 2
    assert same(undisturbed, after)


@pytest.mark.slow
def test_a_run_goes_on_with_more_nodes_than_before(ray, nodes, undisturbed, tmp_path):
    learner = ClusterLearner(RUN, ray)
    with Onlooker() as before:
        learn(learner, last=3)
    save_training(tmp_path, learner, {})
    learner.close()
    for _ in range(2):
        nodes.add()
    again, _, _ = resume(tmp_path, RUN, lambda config: ClusterLearner(config, ray))
    with Onlooker() as now:
        after = learn(again, first=3)
    again.close()
    assert same(undisturbed, after)
    assert len(before.nodes) == 1 and len(now.nodes) > 1


def spilled(address):
    """Megabytes that the cluster there has put on disk so far."""
    from ray._private.internal_api import memory_summary

    found = re.search(r"Spilled (\d+) MiB", memory_summary(address, stats_only=True))
    return int(found[1]) if found else 0
