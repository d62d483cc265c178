"""Watching a run: measuring it, keeping the best, checkpoints, and what TensorBoard shows."""

import copy
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import torch
from torch.utils.tensorboard import SummaryWriter
from uno_agents.neural.agent import NeuralAgent
from uno_agents.neural.network import PolicyNetwork
from uno_agents.neural.policy_overrides import HEURISTIC_PRIOR
from uno_arena.evaluate import Result

from .checkpoint import describe_run, save_checkpoint
from .evaluation import Results, lead, measure
from .ppo import Learner
from .progress import Bar
from .resume import save_training
from .update import Facts

MOST_TABLES = 8
"""Kinds of tables that a point of the learning curve is measured at."""
AHEAD = 1.0
"""Standard errors by which a newcomer must lead to become the best; noise leads by less."""
PLAYOFF_SEED = 1 << 40
"""Deals of the last comparison, apart from those of all points before."""


class Watch:
    """Follows a learner: call it after each round.

    Args:
        learner: who is followed.
        out: the run folder; `last` and `best` in it are checkpoints.
        bar: shows how it goes.
        notes: what an earlier watch of the same run had noted (`resume`).
        best: weights of the best so far, of a resumed run.
    """

    def __init__(
        self,
        learner: Learner,
        out: Path,
        bar: Bar,
        notes: dict[str, Any] | None = None,
        best: dict[str, torch.Tensor] | None = None,
    ) -> None:
        self.learner, self.out, self._bar = learner, out, bar
        notes = notes or {"curve": [], "best_decisions": 0, "stale": 0, "measured_at": 0.0}
        self.curve: list[dict[str, Any]] = notes["curve"]
        self.best_decisions: int = notes["best_decisions"]
        self._stale: int = notes["stale"]
        self._measured_at: float = notes["measured_at"]
        self._saved_at = learner.seconds
        self._best: PolicyNetwork = copy.deepcopy(learner.network)
        if best:
            self._best.load_state_dict(best)
        step = learner.decisions
        self._board = SummaryWriter(str(out / "tensorboard"), purge_step=step or None)

    def __enter__(self) -> Self:
        # From here on there is always a checkpoint to load.
        self.save()
        if not self.curve:
            self._save_best()
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()
        self._board.close()
        # Stopped by hand: what was learned so far is kept.
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.save()

    def __call__(self, progress: float, facts: Facts) -> bool:
        """Note a finished round; true if the run should end early."""
        learner, config = self.learner, self.learner.config
        self._record(facts)
        if learner.seconds - self._measured_at >= config.watch_every:
            self.point()
            self._measured_at = learner.seconds
            self._bar.line(progress, learner, self.curve[-1])
        if learner.seconds - self._saved_at >= config.save_every:
            self.save()
            self._saved_at = learner.seconds
        self._bar.update(progress, learner, self.curve[-1] if self.curve else None)
        return bool(config.patience) and self._stale >= config.patience

    def save(self) -> None:
        """Write the checkpoint `last` and all that is needed to go on from here."""
        learner, last = self.learner, self.out / "last"
        learner.check_weights()
        notes = {
            "curve": self.curve,
            "best_decisions": self.best_decisions,
            "stale": self._stale,
            "measured_at": self._measured_at,
        }
        save_training(last, learner, notes, self._best.state_dict())
        save_checkpoint(last, learner.network, describe_run(learner.config, learner.decisions))

    def point(self) -> None:
        """A point of the learning curve; the learner becomes the best if it is clearly ahead."""
        # New deals for each point, so that neither the curve nor the best is one sample's luck.
        self._note(self._compare(self.learner.config.watch_deals, seed=self.learner.rounds))

    def playoff(self) -> None:
        """The last point: the last against the best, over more deals."""
        self._note(self._compare(self.learner.config.eval_deals, PLAYOFF_SEED))

    def _note(self, results: Results) -> None:
        learner = self.learner
        point = {"decisions": learner.decisions, "seconds": round(learner.seconds, 1)}
        anchors = {name: result._asdict() for name, result in results.items()}
        if self.curve and self.curve[-1]["decisions"] == learner.decisions:
            self.curve.pop()
        self.curve.append({**point, "anchors": anchors})
        for name, result in results.items():
            self._board.add_scalar(f"wins/{name}", result.rate, learner.decisions)

    def _compare(self, deals: int, seed: int) -> Results:
        """Measure the learner, and the best so far on the same deals."""
        config = self.learner.config
        tables = config.own_tables()
        tables = tables[:: -(-len(tables) // MOST_TABLES)]
        play = (config.anchors, tables, deals, seed)
        about = {HEURISTIC_PRIOR: config.leans}
        results = measure(NeuralAgent(self.learner.network, about), *play)
        if self.best_decisions == self.learner.decisions:
            return results
        before = measure(NeuralAgent(self._best, about), *play)
        self._stale += 1
        if lead(results, before) > AHEAD:
            self._best.load_state_dict(self.learner.network.state_dict())
            self.best_decisions, self._stale = self.learner.decisions, 0
            self._save_best()
        return results

    def _save_best(self) -> None:
        about = describe_run(self.learner.config, self.best_decisions)
        save_checkpoint(self.out / "best", self._best, about)

    def _record(self, facts: Facts) -> None:
        learner = self.learner
        for name, number in facts._asdict().items():
            self._board.add_scalar(f"learning/{name}", number, learner.decisions)
        speed = learner.decisions / max(learner.seconds, 1e-9)
        self._board.add_scalar("run/decisions_per_second", speed, learner.decisions)
        self._board.add_scalar("run/void_games", learner.voids, learner.decisions)


def result_of(point: dict[str, Any], anchor: str) -> Result:
    """The result against an anchor in a point of the curve."""
    return Result(**point["anchors"][anchor])
