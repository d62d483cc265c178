"""Several learners on a real cluster: what they learn together is what one learns alone."""

import os
import signal
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray")
torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

sys.path.insert(0, str(Path(__file__).parent))
from clusters import running  # noqa: E402
from uno_arena.play.ray_cluster import ClusterError, joined  # noqa: E402
from uno_train.cli import main  # noqa: E402
from uno_train.config import ConfigError, TrainConfig, make_config  # noqa: E402
from uno_train.ppo import Learner, TrainingFailed  # noqa: E402
from uno_train.ray.group import LearnerGroup, learner_state, rollout_cores  # noqa: E402
from uno_train.ray.learner import ClusterLearner  # noqa: E402
from uno_train.ray.rollout import as_arrays, as_tensors  # noqa: E402
from uno_train.resume import (  # noqa: E402
    learner_tensors,
    load_learner_tensors,
    resume,
    save_training,
)
from uno_train.schedule import Stage  # noqa: E402

# Ray warns about its own coming changes and leaves sockets to the collector.
pytestmark = pytest.mark.filterwarnings("ignore")
RUN = TrainConfig(
    minutes=0, decisions=10**6, num_envs=48, rollout_steps=16, minibatch=200, hidden=(24,),
    threads=1,
    imitation_teacher="heuristic", imitation_decisions=1000, opponent_pool_share=0.2,
    snapshot_every=2, shards=2, lag=1,
    epochs=2, seed=7,
)  # fmt: skip
BOTH = RUN.model_copy(update={"learners": 2})
ITERATIONS = 4


@pytest.fixture(scope="module")
def ray():
    with running(3) as nodes, joined(nodes.address) as ray:
        yield ray


@pytest.fixture(scope="module")
def group(ray):
    """Two learners, which keep no state between iterations."""
    group = LearnerGroup(ray, BOTH)
    yield group
    group.close()


@pytest.fixture
def cluster_learner(ray, group):
    made = []

    def cluster_learner(config):
        made.append(ClusterLearner(config, ray))
        if made[-1].group:
            made[-1].group = group
        return made[-1]

    yield cluster_learner
    for learner in made:
        learner.close()


def learn(learner, first=0, last=ITERATIONS):
    metrics = [learner.iteration(number / ITERATIONS) for number in range(first, last)]
    return weights(learner), metrics


def weights(learner):
    return {name: tensor.clone() for name, tensor in learner.network.state_dict().items()}


def distance(first, second):
    return torch.cat([(first[name] - second[name]).flatten() for name in first]).norm()


def same(first, second):
    return all(torch.equal(first[name], second[name]) for name in first)


@pytest.fixture(scope="module")
def together(ray, group):
    learner = ClusterLearner(BOTH, ray)
    learner.group = group
    after, _ = learn(learner)
    learner.close()
    return after


def test_two_learn_what_one_learns(ray, group):
    # The same batches: one learns from them alone, the other hands them to a group.
    alone, helped = Learner(RUN), Learner(RUN)
    helped.gradient_steps = lambda batch, *how: group.update(helped, batch, how)
    for stage in (Stage.IMITATION, Stage.PPO, Stage.PPO):
        batch, counts = alone.collect(0.5, stage)
        helped.collect(0.5, stage)
        before = weights(alone)
        one = alone.update(batch, counts, 0.5, stage)
        two = helped.update(batch, counts, 0.5, stage)
        assert list(two) == pytest.approx(list(one), abs=1e-4)
        assert helped.rng.bit_generator.state == alone.rng.bit_generator.state
        moved, apart = distance(before, weights(alone)), distance(weights(alone), weights(helped))
        assert moved > 0.01 and apart < moved / 1000
        # Copies, since an optimiser keeps the tensors that it is given.
        load_learner_tensors(helped, as_tensors(as_arrays(learner_tensors(alone))))
    digests = {answer.digest for answer in asked(ray, group, helped, batch)}
    assert len(group.actors) == 2 and len(digests) == 1


def asked(ray, group, learner, batch):
    told = learner_state(learner), [column.numpy() for column in batch]
    how = (0.5, Stage.PPO)
    return ray.get([actor.update.remote(*told, how) for actor in group.actors])


def test_a_learner_that_dies_costs_time_only(ray, cluster_learner, together):
    learner = cluster_learner(BOTH)
    learn(learner, last=2)
    pid = ray.get(learner.group.actors[1].__ray_call__.remote(lambda part: os.getpid()))
    os.kill(pid, signal.SIGKILL)
    after, _ = learn(learner, first=2)
    assert learner.group.losses == 1
    assert same(together, after)


def test_a_run_goes_on_with_another_number_of_learners(cluster_learner, together, tmp_path):
    learner = cluster_learner(BOTH)
    learn(learner, last=2)
    save_training(tmp_path, learner, {})
    again, _, _ = resume(tmp_path, BOTH, cluster_learner)
    assert same(together, learn(again, first=2)[0])
    alone, _, _ = resume(tmp_path, RUN, cluster_learner)
    after, _ = learn(alone, first=2)
    assert alone.group is None
    for name, tensor in together.items():
        torch.testing.assert_close(after[name], tensor, atol=1e-3, rtol=1e-2)


def test_numbers_that_are_not_finite_end_the_run(group):
    learner = Learner(RUN)
    batch, _ = learner.collect(0.5, Stage.PPO)
    # In the rows of one learner alone: the other must not wait for it.
    batch.returns[:1] = float("inf")
    with pytest.raises(TrainingFailed, match="the loss is"):
        group.update(learner, batch, (0.5, Stage.PPO))


def test_learners_leave_cores_to_the_players(ray, tmp_path, capsys):
    assert rollout_cores(ray, RUN) == 3 and rollout_cores(ray, BOTH) == 1
    with pytest.raises(ClusterError, match="need 4 free cores of the cluster"):
        LearnerGroup(ray, RUN.model_copy(update={"learners": 3}))
    assert main(["--learners", "2", "--out", str(tmp_path / "run")]) == 2
    assert "learners is 2: data-parallel learners need --ray" in capsys.readouterr().err
    with pytest.raises(ConfigError, match="learners is 9; each needs a share of every minibatch"):
        make_config(None, {"learners": 9, "minibatch": 16})
