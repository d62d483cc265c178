"""The evaluator of a run: learning curve, best checkpoint, early stopping, TensorBoard."""

import copy
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import torch
from torch.utils.tensorboard import SummaryWriter
from uno_agents.neural.agent import NeuralAgent
from uno_agents.neural.experts import HEURISTIC_PRIOR
from uno_agents.neural.network import PolicyNetwork

from .checkpoint import describe_run, save_checkpoint
from .evaluation import MAX_TABLES, Results, lead, measure
from .losses import Metrics
from .ppo import Learner
from .progress import ProgressBar
from .resume import save_training

MIN_LEAD = 1.0
"""Standard errors by which the learner must beat the best to replace it during a run. At the end
any lead will do: the learning rate has fallen, and the best was selected from many evaluations."""
FINAL_COMPARISON_SEED = 1 << 40
"""Deals of the last comparison, apart from those of all evaluations before."""


class ScalarLog(Protocol):
    """Where scalars are logged: a TensorBoard writer, or what looks like one."""

    def add_scalar(self, name: str, number: float, step: int, /) -> None:
        """Log one number."""

    def close(self) -> None:
        """Write what is left."""


class Evaluator:
    """Follows a learner: call it after each iteration.

    Args:
        learner: who is followed.
        out: the run folder; `last` and `best` in it are checkpoints.
        bar: shows the progress.
        state: of the evaluator of an interrupted run (`resume`).
        best: weights of the best so far, of a resumed run.
        extra_log: where scalars go besides TensorBoard.
    """

    def __init__(
        self,
        learner: Learner,
        out: Path,
        bar: ProgressBar,
        state: dict[str, Any] | None = None,
        best: dict[str, torch.Tensor] | None = None,
        extra_log: ScalarLog | None = None,
    ) -> None:
        self.learner, self.out, self._bar = learner, out, bar
        state = state or {"curve": [], "best_decisions": 0, "stale": 0, "evaluated_at": 0.0}
        self.curve: list[dict[str, Any]] = state["curve"]
        self.best_decisions: int = state["best_decisions"]
        self._stale: int = state["stale"]
        self._evaluated_at: float = state["evaluated_at"]
        self._saved_at = learner.seconds
        self._best: PolicyNetwork = copy.deepcopy(learner.network)
        if best:
            self._best.load_state_dict(best)
        step = learner.decisions
        board = SummaryWriter(str(out / "tensorboard"), purge_step=step or None)
        self._logs: list[ScalarLog] = [board, *([extra_log] if extra_log else [])]

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
        for log in self._logs:
            log.close()
        # Stopped by hand: what was learned so far is kept.
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.save()

    def __call__(self, progress: float, metrics: Metrics) -> bool:
        """Record an iteration; true if the run should end early."""
        learner, config = self.learner, self.learner.config
        self._log(metrics)
        if self._is_due():
            self.evaluate()
            self._evaluated_at = learner.seconds
            self._bar.line(progress, learner, self.curve[-1])
        if learner.seconds - self._saved_at >= config.save_every:
            self.save()
            self._saved_at = learner.seconds
        self._bar.update(progress, learner, self.curve[-1] if self.curve else None)
        return bool(config.patience) and self._stale >= config.patience

    def _is_due(self) -> bool:
        """Whether the next point of the learning curve is due, by decisions or by time."""
        learner, config = self.learner, self.learner.config
        if config.eval_decisions:
            before = self.curve[-1]["decisions"] if self.curve else 0
            return bool(learner.decisions - before >= config.eval_decisions)
        return learner.seconds - self._evaluated_at >= config.eval_every

    def save(self) -> None:
        """Write the checkpoint `last` and all that is needed to resume from here."""
        learner, last = self.learner, self.out / "last"
        learner.check_weights()
        state = {
            "curve": self.curve,
            "best_decisions": self.best_decisions,
            "stale": self._stale,
            "evaluated_at": self._evaluated_at,
        }
        save_training(last, learner, state, self._best.state_dict())
        save_checkpoint(
            last, learner.played_network, describe_run(learner.config, learner.decisions)
        )

    def evaluate(self) -> None:
        """A point of the learning curve; the learner becomes the best if it is clearly ahead."""
        # New deals for each point, so that neither the curve nor the best overfits one sample.
        deals, seed = self.learner.config.curve_deals, self.learner.iterations
        self._add(self._compare(deals, seed, MIN_LEAD))

    def final_comparison(self) -> None:
        """The last point: the last against the best, over more deals."""
        self._add(self._compare(self.learner.config.eval_deals, FINAL_COMPARISON_SEED, 0.0))

    def _add(self, results: Results) -> None:
        learner = self.learner
        point = {"decisions": learner.decisions, "seconds": round(learner.seconds, 1)}
        anchors = {name: result._asdict() for name, result in results.items()}
        if self.curve and self.curve[-1]["decisions"] == learner.decisions:
            self.curve.pop()
        self.curve.append({**point, "anchors": anchors})
        for name, result in results.items():
            self._add_scalar(f"eval/win_rate_{name}", result.rate)

    def _compare(self, deals: int, seed: int, min_lead: float) -> Results:
        """Evaluate the learner; it becomes the best if it leads by more on the same deals."""
        config = self.learner.config
        tables = config.own_tables()
        tables = tables[:: -(-len(tables) // MAX_TABLES)]
        play = (config.batch_anchors(), tables, deals, seed)
        about = {HEURISTIC_PRIOR: config.heuristic_prior}
        played = self.learner.played_network
        results = measure(NeuralAgent(played, about), *play)
        if self.best_decisions == self.learner.decisions:
            return results
        before = measure(NeuralAgent(self._best, about), *play)
        self._stale += 1
        if lead(results, before) > min_lead:
            self._best.load_state_dict(played.state_dict())
            self.best_decisions, self._stale = self.learner.decisions, 0
            self._save_best()
        return results

    def _save_best(self) -> None:
        about = describe_run(self.learner.config, self.best_decisions)
        save_checkpoint(self.out / "best", self._best, about)

    def _log(self, metrics: Metrics) -> None:
        learner = self.learner
        speed = learner.decisions / max(learner.seconds, 1e-9)
        scalars = {f"train/{name}": number for name, number in metrics._asdict().items()}
        scalars |= {
            "time/decisions_per_second": speed,
            "rollout/truncated_games": learner.truncated,
        }
        for name, number in scalars.items():
            self._add_scalar(name, number)

    def _add_scalar(self, name: str, number: float) -> None:
        for log in self._logs:
            log.add_scalar(name, number, self.learner.decisions)
