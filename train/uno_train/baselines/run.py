"""One run of a baseline: learn, evaluate at fixed points, save, resume, log, write the result.

    runs/baselines/ppo-classic-2-seed1/
        agent/          the checkpoint, an agent spec: uno-play runs/baselines/NAME/agent
        training.pt     the whole state of the run, replaced as one; a killed run goes on from it
        result.json     the learning curve and the final evaluation
        tensorboard/    metrics of every iteration

The same algorithm, task, seed and budget give the same result file, cut off in between or not,
apart from the seconds it took.
"""

import dataclasses
import io
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch.utils.tensorboard import SummaryWriter
from uno_agents.base import BatchAgent
from uno_agents.neural.agent import NeuralAgent

from ..checkpoint import save_checkpoint, write_at_once
from ..config import ConfigError
from ..evaluation import Results, measure
from ..tables import TableConfig
from .learner import Learner, Metrics

FORMAT = "uno_env-baseline-1"
TRAINING = "training.pt"
ANCHORS = ("random", "greedy", "heuristic")
"""Opponents of every evaluation."""
CURVE_SEED, FINAL_SEED = 1 << 42, 1 << 43
"""Deals of the curve and of the final evaluation; all runs of all baselines play the same ones."""


class Budget(NamedTuple):
    """How long a run is and how well it is measured."""

    decisions: int
    curve_deals: int = 200
    final_deals: int = 1000
    points: int = 10
    """Evaluations of the learning curve, at equal distances."""


class Job(NamedTuple):
    """What is run: a baseline on the tables of a task, from a seed."""

    baseline: str
    task: str
    tables: Sequence[TableConfig]
    seed: int
    budget: Budget

    @property
    def name(self) -> str:
        """Of the run folder."""
        return f"{self.baseline}-{self.task}-seed{self.seed}"


def run(
    job: Job,
    make: Callable[[], Learner],
    out: Path,
    say: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Run a job to its end, or go on with what was done of it; the result, as in `result.json`.

    Args:
        make: a new learner; its state is replaced if the run goes on.
        out: the run folder.
        say: called with a line of progress at each evaluation.
    """
    learner, seconds = make(), 0.0
    curve: list[dict[str, Any]] = []
    if (out / TRAINING).is_file():
        curve, seconds = _resume(job, learner, out)
    out.mkdir(parents=True, exist_ok=True)
    started = time.monotonic() - seconds
    with SummaryWriter(str(out / "tensorboard"), purge_step=learner.decisions or None) as board:
        while len(curve) < job.budget.points:
            goal = job.budget.decisions * (len(curve) + 1) // job.budget.points
            metrics: Metrics = {}
            while learner.decisions < goal:
                metrics = learner.iterate(min(1.0, learner.decisions / job.budget.decisions))
                for key, value in metrics.items():
                    board.add_scalar(key, value, learner.decisions)
            results = _measured(learner, job, job.budget.curve_deals, CURVE_SEED)
            curve.append(_point(learner.decisions, results))
            for name, measured in results.items():
                board.add_scalar(f"eval/{name}", measured.rate, learner.decisions)
            seconds = time.monotonic() - started
            _save(job, learner, curve, seconds, out)
            rates = ", ".join(f"{name} {100 * r.rate:.0f} %" for name, r in results.items())
            say(f"{job.name}: {learner.decisions:,} decisions in {seconds:.0f} s; against {rates}")
    result = _result(job, learner, curve, seconds)
    write_at_once(out / "result.json", f"{json.dumps(result, indent=1)}\n".encode())
    return result


def finished(job: Job, out: Path) -> dict[str, Any] | None:
    """The result of a run that is complete, else None."""
    try:
        result: dict[str, Any] = json.loads((out / "result.json").read_text())
    except (OSError, ValueError):
        return None
    return result if result.get("decisions") == job.budget.decisions else None


def agent_of(learner: Learner) -> BatchAgent:
    """The learner's policy as an agent: its most probable action."""
    return NeuralAgent(learner.policy(), {})


def _measured(learner: Learner, job: Job, deals: int, seed: int) -> Results:
    return measure(agent_of(learner), ANCHORS, job.tables, deals, seed)


def _point(decisions: int, results: Results) -> dict[str, Any]:
    return {"decisions": decisions} | {name: round(r.rate, 5) for name, r in results.items()}


def _result(job: Job, learner: Learner, curve: list[Any], seconds: float) -> dict[str, Any]:
    final = _measured(learner, job, job.budget.final_deals, FINAL_SEED)
    config = getattr(learner, "config", None)
    return {
        "format": FORMAT,
        "baseline": job.baseline,
        "task": job.task,
        "tables": [[table.rules.text(), table.num_players] for table in job.tables],
        "seed": job.seed,
        "decisions": job.budget.decisions,
        "curve_deals": job.budget.curve_deals,
        "final_deals": job.budget.final_deals,
        "chance": next(iter(final.values())).chance,
        "config": dataclasses.asdict(config) if config is not None else {},
        "curve": curve,
        "final": {
            name: [round(x, 5) for x in (r.rate, r.low, r.high)] for name, r in final.items()
        },
        "seconds": round(seconds, 1),
    }


def _save(job: Job, learner: Learner, curve: list[Any], seconds: float, out: Path) -> None:
    about = {
        "rules": job.tables[0].rules.text(),
        "num_players": job.tables[0].num_players,
        "tables": [[table.rules.text(), table.num_players] for table in job.tables],
        "baseline": job.baseline,
        "task": job.task,
        "seed": job.seed,
        "decisions": learner.decisions,
        "command": " ".join(["uno-train", *sys.argv[1:]]),
    }
    save_checkpoint(out / "agent", learner.policy(), about)
    state = {
        "job": [job.baseline, job.task, job.seed, job.budget.decisions],
        "learner": learner.state_dict(),
        "curve": curve,
        "seconds": seconds,
    }
    buffer = io.BytesIO()
    torch.save(state, buffer)
    write_at_once(out / TRAINING, buffer.getvalue())


def _resume(job: Job, learner: Learner, out: Path) -> tuple[list[Any], float]:
    try:
        # Tensors and plain numbers only: loading executes no code.
        state = torch.load(out / TRAINING, weights_only=True)
        found = tuple(state["job"])
    except Exception as error:
        raise ConfigError(f"cannot go on with {out}: {TRAINING} is unreadable ({error})") from None
    ours = (job.baseline, job.task, job.seed, job.budget.decisions)
    if found != ours:
        raise ConfigError(
            f"{out} holds a run of {found[0]} on {found[1]}, seed {found[2]}, for "
            f"{found[3]:,} decisions; give another --out, or remove it"
        )
    learner.load_state_dict(state["learner"])
    return state["curve"], state["seconds"]
