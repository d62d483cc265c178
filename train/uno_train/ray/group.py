"""Learners of a Ray cluster that learn together: `learners: N` of `uno-train --ray`.

Nothing lives in them but their connection. Each round they are sent what is known (weights,
optimiser, luck) and the lesson, and the first sends back what is known afterwards. So a learner
that dies costs time only: a new group does the same round again.
"""

import socket
import zlib
from typing import Any, NamedTuple

from uno_arena.code_version import code_digest
from uno_arena.play.ray_cluster import ClusterError, check_code, cores

from ..config import TrainConfig
from ..data_parallel import PartLearner
from ..ppo import Learner, TrainingFailed
from ..resume import learned, take_over
from ..update import Facts, Lesson
from .rollout import CODE, Arrays, Site, as_arrays, as_tensors

MOST_LOSSES = 10
"""Groups in a row that are lost over one round before the run ends."""
PLACE_SECONDS = 120
"""How long learners wait for room on the cluster."""


class Known(NamedTuple):
    """All that a round of learning begins from, or has come to."""

    tensors: Arrays
    luck: dict[str, Any]
    decisions: int
    seconds: float
    """With the decisions: how far the run is."""


class Learned(NamedTuple):
    """What one learner came to."""

    facts: Facts
    digest: int
    """Of its weights, which must be those of all."""
    known: Known | None
    """Of the first learner."""


class Lost(Exception):
    """A learner's process or node is gone."""


def known(learner: Learner) -> Known:
    """What a learner knows."""
    luck = dict(learner.rng.bit_generator.state)
    return Known(as_arrays(learned(learner)), luck, learner.decisions, learner.seconds)


class Part:
    """One learner, as a Ray actor."""

    def __init__(self, site: Site, rank: int) -> None:
        check_code(site.code, CODE)
        self._learner = PartLearner(TrainConfig.model_validate_json(site.config), rank)

    def address(self) -> str:
        """Where the others shall meet it."""
        import ray

        here: Any = ray.util.get_node_ip_address  # carries no types
        host = str(here())
        with socket.socket() as free:
            free.bind((host, 0))
            return f"{host}:{free.getsockname()[1]}"

    def meet(self, address: str) -> None:
        """Connect with all others."""
        self._learner.meet(address)

    def learn(self, before: Known, columns: list[Any], how: tuple[Any, ...]) -> Learned:
        """One round; `how` is what `Learner._learn` takes beside the lesson."""
        learner = self._learner
        take_over(learner, as_tensors(before.tensors))
        learner.rng.bit_generator.state = before.luck
        learner.decisions, learner.seconds = before.decisions, before.seconds
        tensors = as_tensors(dict(zip(Lesson._fields, columns, strict=True)))
        lesson = Lesson(*(tensor.to(learner.device) for tensor in tensors.values()))
        facts = learner._learn(lesson, *how)
        after = known(learner)
        digest = 0
        for name in sorted(after.tensors):
            digest = zlib.crc32(after.tensors[name].tobytes(), digest)
        return Learned(facts, digest, None if learner.rank else after)


class LearnerGroup:
    """The learners of a run.

    Args:
        ray: Ray, connected.
        config: the run; its `learners` are at least 2.
    """

    def __init__(self, ray: Any, config: TrainConfig) -> None:
        self._ray, self._config = ray, config
        gpus = ray.cluster_resources().get("GPU", 0) >= config.learners
        on_gpu = config.device == "cuda" or (config.device == "auto" and gpus)
        told = config.model_copy(update={"device": "cuda" if on_gpu else "cpu"})
        self._site = ray.put(Site(code_digest(CODE), told.model_dump_json()))
        self._needs = {"num_cpus": config.threads, "num_gpus": int(on_gpu)}
        self.parts: list[Any] = []
        """Actors; none before the first round, and after a loss."""
        self.losses = 0
        check_room(ray, config)

    def learn(self, learner: Learner, lesson: Lesson, how: tuple[Any, ...]) -> Facts:
        """A round that the learner would learn alone; afterwards it knows what the group knows."""
        ray = self._ray
        told = ray.put(known(learner)), ray.put([column.cpu().numpy() for column in lesson])
        for left in reversed(range(MOST_LOSSES)):
            try:
                if not self.parts:
                    self._start()
                return self._agreed(learner, self._ask("learn", *told, how))
            except Lost as error:
                self.close()
                self.losses += 1
                if not left:
                    raise ClusterError(f"learners are lost again and again: {error}") from None
        raise AssertionError("the last attempt returns or raises")

    def _agreed(self, learner: Learner, answers: list[Learned]) -> Facts:
        if len({answer.digest for answer in answers}) != 1:
            raise TrainingFailed("the learners' weights differ after a round")
        facts, _, after = answers[0]
        if after is None:
            raise AssertionError("the first learner tells what it knows")
        take_over(learner, as_tensors(after.tensors))
        learner.rng.bit_generator.state = after.luck
        return facts

    def _start(self) -> None:
        part = self._ray.remote(**self._needs)(Part)
        self.parts = [part.remote(self._site, rank) for rank in range(self._config.learners)]
        try:
            address = self._ray.get(self.parts[0].address.remote(), timeout=PLACE_SECONDS)
            self._ask("meet", address, timeout=PLACE_SECONDS)
        except self._ray.exceptions.GetTimeoutError:
            self.close()
            raise ClusterError(no_room(self._config)) from None
        except self._ray.exceptions.RayActorError as error:
            raise Lost(str(error)) from None

    def _ask(self, method: str, *words: Any, timeout: float | None = None) -> list[Any]:
        """The answers of all; a loss counts for more than what it brings upon the others."""
        calls = [getattr(part, method).remote(*words) for part in self.parts]
        _, open_ones = self._ray.wait(calls, num_returns=len(calls), timeout=timeout)
        if open_ones:
            raise self._ray.exceptions.GetTimeoutError(method)
        answers, errors = [], []
        for call in calls:
            try:
                answers.append(self._ray.get(call))
            except self._ray.exceptions.RayActorError as error:
                raise Lost(str(error)) from None
            except Exception as error:
                # Raised below, unless another was lost: then this is what came of it.
                errors.append(error)
        if errors:
            raise errors[0]
        return answers

    def close(self) -> None:
        """End all learners."""
        for part in self.parts:
            self._ray.kill(part)
        self.parts = []


def check_room(ray: Any, config: TrainConfig) -> None:
    """Raise unless the cluster has cores for all learners and one at least that plays."""
    if cores(ray) < config.learners * config.threads + 1:
        raise ClusterError(no_room(config))


def no_room(config: TrainConfig) -> str:
    """What to do about it."""
    gpus = f" and as many GPUs as learners ({config.learners})" if config.device == "cuda" else ""
    return (
        f"{config.learners} learners of {config.threads} threads, and at least one player, need "
        f"{config.learners * config.threads + 1} free cores of the cluster{gpus}; take fewer "
        "--learners or --threads (a run may go on with --resume and another number)"
    )


def playing_cores(ray: Any, config: TrainConfig) -> int:
    """Cores of the cluster that are not the learners'."""
    taken = config.learners * config.threads if config.learners > 1 else 0
    return max(1, cores(ray) - taken)
