"""Data-parallel learners of a Ray cluster: `learners: N` of `uno-train --ray`.

The actors keep nothing but their connection. In each iteration they are sent the learner's state
(weights, optimiser, generator) and the batch, and rank 0 sends the new state back. A learner that
dies costs time only: a new group repeats the iteration.
"""

import socket
import zlib
from typing import Any, NamedTuple

from uno_arena.code_version import code_digest
from uno_arena.play.ray_cluster import ClusterError, check_code, cores

from ..config import TrainConfig
from ..data_parallel import DataParallelLearner
from ..losses import Batch, Metrics
from ..ppo import Learner, TrainingFailed
from ..resume import learner_tensors, load_learner_tensors
from .rollout import CODE, Arrays, RunInfo, as_arrays, as_tensors

MAX_LOSSES = 10
"""Groups in a row that are lost over one iteration before the run ends."""
START_SECONDS = 120
"""How long learners wait for resources of the cluster."""


class LearnerState(NamedTuple):
    """All that the gradient steps of an iteration begin from, or end with."""

    tensors: Arrays
    rng: dict[str, Any]
    decisions: int
    seconds: float
    """With the decisions: how far the run is."""


class UpdateResult(NamedTuple):
    """What one learner returns."""

    metrics: Metrics
    digest: int
    """Of its weights, which must be those of all."""
    state: LearnerState | None
    """Of rank 0."""


class LearnerLost(Exception):
    """A learner's process or node is gone."""


def learner_state(learner: Learner) -> LearnerState:
    """The state of a learner."""
    rng = dict(learner.rng.bit_generator.state)
    tensors = as_arrays(learner_tensors(learner))
    return LearnerState(tensors, rng, learner.decisions, learner.seconds)


class LearnerActor:
    """One learner, as a Ray actor."""

    def __init__(self, info: RunInfo, rank: int) -> None:
        check_code(info.code, CODE)
        self._learner = DataParallelLearner(TrainConfig.model_validate_json(info.config), rank)

    def address(self) -> str:
        """Where the others connect to it."""
        import ray

        here: Any = ray.util.get_node_ip_address  # carries no types
        host = str(here())
        with socket.socket() as free:
            free.bind((host, 0))
            return f"{host}:{free.getsockname()[1]}"

    def connect(self, address: str) -> None:
        """Connect with all others."""
        self._learner.connect(address)

    def update(
        self, before: LearnerState, columns: list[Any], how: tuple[Any, ...]
    ) -> UpdateResult:
        """The gradient steps of an iteration.

        Args:
            how: what `Learner.gradient_steps` takes beside the batch.
        """
        learner = self._learner
        load_learner_tensors(learner, as_tensors(before.tensors))
        learner.rng.bit_generator.state = before.rng
        learner.decisions, learner.seconds = before.decisions, before.seconds
        tensors = as_tensors(dict(zip(Batch._fields, columns, strict=True)))
        batch = Batch(*(tensor.to(learner.device) for tensor in tensors.values()))
        metrics = learner.gradient_steps(batch, *how)
        after = learner_state(learner)
        digest = 0
        for name in sorted(after.tensors):
            digest = zlib.crc32(after.tensors[name].tobytes(), digest)
        return UpdateResult(metrics, digest, None if learner.rank else after)


class LearnerGroup:
    """The learners of a run.

    Args:
        ray: Ray, connected.
        config: the run; its `learners` are at least 2.
    """

    def __init__(self, ray: Any, config: TrainConfig) -> None:
        self._ray, self._config = ray, config
        gpus = ray.cluster_resources().get("GPU", 0) >= config.learners
        on_gpu = config.device.startswith("cuda") or (config.device == "auto" and gpus)
        own = config.model_copy(update={"device": "cuda" if on_gpu else "cpu"})
        self._info = ray.put(RunInfo(code_digest(CODE), own.model_dump_json()))
        self._resources = {"num_cpus": config.threads, "num_gpus": int(on_gpu)}
        self.actors: list[Any] = []
        """None before the first iteration, and after a loss."""
        self.losses = 0
        check_cores(ray, config)

    def update(self, learner: Learner, batch: Batch, how: tuple[Any, ...]) -> Metrics:
        """An iteration's gradient steps by the group; the learner takes over the new state."""
        ray = self._ray
        sent = ray.put(learner_state(learner)), ray.put([column.cpu().numpy() for column in batch])
        for left in reversed(range(MAX_LOSSES)):
            try:
                if not self.actors:
                    self._start()
                return self._take_over(learner, self._call("update", *sent, how))
            except LearnerLost as error:
                self.close()
                self.losses += 1
                if not left:
                    raise ClusterError(f"learners are lost again and again: {error}") from None
        raise AssertionError("the last attempt returns or raises")

    def _take_over(self, learner: Learner, results: list[UpdateResult]) -> Metrics:
        if len({result.digest for result in results}) != 1:
            raise TrainingFailed("the learners' weights differ after an iteration")
        metrics, _, state = results[0]
        if state is None:
            raise AssertionError("rank 0 returns its state")
        load_learner_tensors(learner, as_tensors(state.tensors))
        learner.rng.bit_generator.state = state.rng
        return metrics

    def _start(self) -> None:
        actor = self._ray.remote(**self._resources)(LearnerActor)
        self.actors = [actor.remote(self._info, rank) for rank in range(self._config.learners)]
        try:
            address = self._ray.get(self.actors[0].address.remote(), timeout=START_SECONDS)
            self._call("connect", address, timeout=START_SECONDS)
        except self._ray.exceptions.GetTimeoutError:
            self.close()
            raise ClusterError(lacks_cores(self._config)) from None
        except self._ray.exceptions.RayActorError as error:
            raise LearnerLost(str(error)) from None

    def _call(self, method: str, *words: Any, timeout: float | None = None) -> list[Any]:
        """The answers of all; a loss counts for more than what it brings upon the others."""
        calls = [getattr(actor, method).remote(*words) for actor in self.actors]
        _, open_ones = self._ray.wait(calls, num_returns=len(calls), timeout=timeout)
        if open_ones:
            raise self._ray.exceptions.GetTimeoutError(method)
        answers, errors = [], []
        for call in calls:
            try:
                answers.append(self._ray.get(call))
            except self._ray.exceptions.RayActorError as error:
                raise LearnerLost(str(error)) from None
            except Exception as error:
                # Raised below, unless another was lost: then this is what came of it.
                errors.append(error)
        if errors:
            raise errors[0]
        return answers

    def close(self) -> None:
        """End all learners."""
        for actor in self.actors:
            self._ray.kill(actor)
        self.actors = []


def check_cores(ray: Any, config: TrainConfig) -> None:
    """Raise unless the cluster has cores for all learners and at least one rollout worker."""
    if cores(ray) < config.learners * config.threads + 1:
        raise ClusterError(lacks_cores(config))


def lacks_cores(config: TrainConfig) -> str:
    """The error when there are too few cores, with what to do about it."""
    gpus = (
        f" and as many GPUs as learners ({config.learners})"
        if config.device.startswith("cuda")
        else ""
    )
    return (
        f"{config.learners} learners of {config.threads} threads and at least one rollout worker "
        f"need {config.learners * config.threads + 1} free cores of the cluster{gpus}; take fewer "
        "--learners or --threads (a run may be resumed with another number)"
    )


def rollout_cores(ray: Any, config: TrainConfig) -> int:
    """Cores of the cluster that are not the learners'."""
    taken = config.learners * config.threads if config.learners > 1 else 0
    return max(1, cores(ray) - taken)
