"""A learner whose games are played on a Ray cluster: `uno-train CONFIG --ray [ADDRESS]`.

The games are cut into `shards`. Each round is an `Order`, one object in the store, and one task a
shard; tasks of one shard follow each other, since they hand on its games. While the network learns
from round r, rounds up to r + `lag` are played with the weights before it, never with older ones.
What comes of a run depends on shards and lag, not on nodes, and not on how many of them are lost.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from uno_arena.code_version import code_digest

from ..config import TrainConfig
from ..data_parallel import without_games
from ..ppo import Learner, Played, Stage
from ..update import Facts, Lesson
from .group import LearnerGroup
from .rollout import (
    CODE,
    Answer,
    Arrays,
    Order,
    Site,
    as_arrays,
    as_tensors,
    play_shard,
)

END_SECONDS = 60.0
"""How long a learner that closes waits for games nobody needs any more."""
MOST_LOSSES = 10
"""Rounds in a row that are sent anew because what they began from was lost with a node."""


@dataclass(frozen=True)
class Sent:
    """An order on its way: references into the object store, by shard."""

    order: Order
    reference: Any
    lessons: list[Any]
    games: list[Any]


class ClusterLearner(Learner):
    """Learns in this process, or with a group of others, from games that others play.

    Args:
        config: the run; its `shards` are at least 1.
        ray: Ray, connected (`uno_arena.play.ray_cluster.joined`).
    """

    def __init__(self, config: TrainConfig, ray: Any) -> None:
        several = config.learners > 1
        device = "cpu" if several else config.device  # of a group each learner has its own
        super().__init__(without_games(config).model_copy(update={"device": device}))
        self.config = config
        self._ray = ray
        # Ray redoes a task whose node or process is lost, as often as it takes.
        self._play = ray.remote(num_cpus=1, num_returns=2, max_retries=-1)(play_shard)
        part = {"num_envs": config.num_envs // config.shards, "shards": 0, "threads": 1}
        shard = config.model_copy(update={**part, "device": "cpu"})
        self._site = ray.put(Site(code_digest(CODE), shard.model_dump_json()))
        self._before: list[Arrays] = [{} for _ in range(config.shards)]
        """Where each shard's games were before the first order that is on its way."""
        self._sent: deque[Sent] = deque()
        self._last: Sent | None = None
        """Kept until the next one is back: what that one began from is made of it."""
        self.losses = 0
        self.group = LearnerGroup(ray, config) if several else None

    def round(self, progress: float) -> Facts:
        """Learn from the next batch; those after it are being played meanwhile."""
        self.check_weights()
        while len(self._sent) <= self.config.lag:
            self._send(self._order(progress))
        lesson, played, games = self._gather()
        sent = self._sent[0]
        facts = self.learn(lesson, played, progress, sent.order.stage)
        self._before, self._last = games, sent
        self._sent.popleft()
        return facts

    def _learn(self, lesson: Lesson, *how: Any) -> Facts:
        if self.group is None:
            return super()._learn(lesson, *how)
        return self.group.learn(self, lesson, how)

    def _order(self, progress: float) -> Order:
        pool, weights = self.league.past.pool, as_arrays(self.network.state_dict())
        past = pool[int(self.rng.integers(len(pool)))] if pool and self.config.past else {}
        number = self.rounds + len(self._sent)
        return Order(number, progress, self.stage(progress), weights, as_arrays(past))

    def _send(self, order: Order) -> None:
        begun: list[Any] = self._sent[-1].games if self._sent else self._handed_on()
        reference = self._ray.put(order)
        lessons, games = [], []
        for shard, before in enumerate(begun):
            lesson, after = self._play.remote(self._site, shard, reference, before)
            lessons.append(lesson)
            games.append(after)
        self._sent.append(Sent(order, reference, lessons, games))

    def _handed_on(self) -> list[Any]:
        return [self._ray.put(games) for games in self._before]

    def _gather(self) -> tuple[Lesson, Played, list[Arrays]]:
        """The first order's lessons as one, in the order of the shards, and their games."""
        with self.clock("waiting"):
            answers, games = self._fetch()
        parts = zip(*(answer.columns for answer in answers), strict=True)
        columns = [np.concatenate(column) for column in parts]
        lesson = Lesson(*(torch.from_numpy(column).to(self.device) for column in columns))
        played = Played(*np.sum([answer.played for answer in answers], axis=0).tolist())
        copies = [{name: array.copy() for name, array in kept.items()} for kept in games]
        return lesson, played, copies

    def _fetch(self) -> tuple[list[Answer], list[Arrays]]:
        lost = self._ray.exceptions
        for left in reversed(range(MOST_LOSSES)):
            sent = self._sent[0]
            try:
                return self._ray.get(sent.lessons), self._ray.get(sent.games)
            except (lost.ObjectLostError, lost.WorkerCrashedError):
                if not left:
                    raise
                self.losses += 1
                self._send_anew()
        raise AssertionError("the last attempt returns or raises")

    def _send_anew(self) -> None:
        """Give out all orders again, from the games that this process holds."""
        orders = [sent.order for sent in self._sent]
        self._sent.clear()
        for order in orders:
            self._send(order)

    def close(self) -> None:
        """Let all that is on its way come to its end, so that its cores are free."""
        # Cancelled it is not: Ray may abort this whole process if a task ends in that moment.
        tasks = [task for sent in self._sent for task in sent.lessons]
        if tasks:
            self._ray.wait(tasks, num_returns=len(tasks), timeout=END_SECONDS, fetch_local=False)
        self._sent.clear()

    def playing(self) -> dict[str, torch.Tensor]:
        """Every shard's games and all orders on their way, which can be given out again."""
        kept: dict[str, torch.Tensor] = {}
        for shard, games in enumerate(self._before):
            kept |= {f"shard.{shard}.{name}": array for name, array in as_tensors(games).items()}
        for place, sent in enumerate(self._sent):
            order, start = sent.order, f"order.{place}."
            facts = [order.number, order.progress, order.stage]
            kept[f"{start}facts"] = torch.tensor(facts, dtype=torch.float64)
            for part, arrays in (("weights", order.weights), ("past", order.past)):
                kept |= {f"{start}{part}.{n}": t for n, t in as_tensors(arrays).items()}
        return kept

    def go_on_playing(self, kept: dict[str, torch.Tensor]) -> None:
        """Go on from what `playing` gave, on however many nodes there are now."""
        self.close()
        self._before = [
            as_arrays(_part(f"shard.{shard}.", kept)) for shard in range(self.config.shards)
        ]
        place = 0
        while f"order.{place}.facts" in kept:
            start = f"order.{place}."
            number, progress, stage = kept[f"{start}facts"].tolist()
            weights, past = (
                as_arrays(_part(f"{start}{part}.", kept)) for part in ("weights", "past")
            )
            self._send(Order(int(number), progress, Stage(int(stage)), weights, past))
            place += 1


def _part(start: str, tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {
        name.removeprefix(start): tensor
        for name, tensor in tensors.items()
        if name.startswith(start)
    }
