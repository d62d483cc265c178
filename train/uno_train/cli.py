"""The command `uno-train` (`python -m uno_train`): train, resume, evaluate, benchmark, export."""

import argparse
import importlib
import json
import os
import shutil
import sys
import tempfile
import typing
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uno_env.command_line import CommandParser
from uno_env.first_use import warm_up

from .config import ConfigError, TrainConfig, config_names, config_path, make_config
from .renamed_keys import RENAMED, converted, refuse_old_flags
from .wandb_log import PROJECT, WandbLog

if TYPE_CHECKING:
    from .evaluator import Evaluator
    from .ppo import Learner

EXAMPLE = "uno-train --variant classic --players 2 --minutes 3 --out runs/first"
EXTRAS = ("torch", "safetensors", "rich", "matplotlib", "tensorboard", "scipy")
NEEDED = f"uno-train needs {', '.join(EXTRAS)}: pip install 'uno-env[train]'"
USES = ("game", "batch", "threads", "heuristic", "network", "teacher", "arena")
"""What training compiles before it begins, with one progress bar; see `uno_env.first_use`."""
FINAL_SEED = 1 << 41
"""Deals of the final evaluation; nothing was selected on them."""


def add_config_flags(parser: argparse.ArgumentParser) -> None:
    """The YAML file and one flag for each field of TrainConfig."""
    names = ", ".join(config_names())
    parser.add_argument("config", nargs="?", help=f"a YAML file, or a shipped config: {names}")
    for name, field in TrainConfig.model_fields.items():
        many = typing.get_origin(field.annotation) is tuple
        default = " ".join(map(str, field.default)) if many else field.default
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            dest=f"config_{name}",
            metavar=name.rpartition("_")[2].upper(),
            nargs="+" if many else None,
            help=f"{field.description} ({default})".replace("%", "%%"),
        )


def read_config(options: argparse.Namespace) -> TrainConfig:
    """The config of the file and the flags given."""
    return make_config(options.config, given_flags(options))


def given_flags(options: argparse.Namespace) -> dict[str, Any]:
    """The fields of TrainConfig that were set by flags."""
    flags = {name: getattr(options, f"config_{name}") for name in TrainConfig.model_fields}
    return {name: value for name, value in flags.items() if value is not None}


def train_parser() -> argparse.ArgumentParser:
    """Flags of `uno-train`."""
    parser = CommandParser(
        example=EXAMPLE,
        prog="uno-train",
        description="Train an agent by self-play, then evaluate it. Other commands: "
        f"{', '.join(f'uno-train {name}' for name in COMMANDS)}.",
    )
    parser.add_argument("--list", action="store_true", help="print the shipped configs and exit")
    parser.add_argument("--out", type=Path, help="run folder (runs/NAME of the config)")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument(
        "--resume", action="store_true", help="go on with the run in --out; flags may lengthen it"
    )
    parser.add_argument("--ray", nargs="?", const="", metavar="ADDRESS", help=(
        "play the games on a Ray cluster: HOST:PORT, auto for the one running here, or nothing "
        "to start one here"
    ))  # fmt: skip
    parser.add_argument("--workers", type=int, metavar="N", help=(
        "cores of a cluster that is started here (all)"
    ))  # fmt: skip
    parser.add_argument("--seeds", type=int, nargs="+", metavar="SEED", help=(
        "one run for each seed, in OUT/seed-SEED, and a summary of all of them"
    ))  # fmt: skip
    parser.add_argument("--wandb", nargs="?", const=PROJECT, metavar="PROJECT", help=(
        f"log to Weights & Biases too ({PROJECT}); needs uno-env[wandb]"
    ))  # fmt: skip
    add_config_flags(parser)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    # Threads that wait by spinning stall each other where cores are shared; read when torch loads.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words and words[0] in COMMANDS:
            module = importlib.import_module(COMMANDS[words[0]], __package__)
            return int(module.main(words[1:]))
        refuse_old_flags(words, RENAMED)
        return train(train_parser().parse_args(words))
    except KeyboardInterrupt:
        print("uno-train: stopped before there was anything to keep", file=sys.stderr)
        return 130
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in EXTRAS:
            print(f"{NEEDED} (no module {error.name})", file=sys.stderr)
            return 2
        raise
    except ValueError as error:
        print(f"uno-train: {error}", file=sys.stderr)
        return 2
    except ConnectionError as error:
        print(f"uno-train: {error}", file=sys.stderr)
        return 1


def train(options: argparse.Namespace) -> int:
    """Train from the start, or go on with a run."""
    if options.list:
        return _list_configs()
    if options.ray is None:
        if options.workers is not None:
            raise ConfigError("--workers is the size of a cluster: it needs --ray")
        return _train_all(options, None)
    from uno_arena.play.ray_cluster import joined

    with joined(options.ray, options.workers) as ray:
        return _train_all(options, ray)


def _list_configs() -> int:
    """Each shipped config with the comment at its top."""
    for name in config_names():
        first = config_path(name).read_text(encoding="utf-8").splitlines()[0]
        print(f"{name:<12} {first.removeprefix('#').strip()}")
    return 0


def _train_all(options: argparse.Namespace, ray: Any) -> int:
    """One run, or one for each of `--seeds` with a summary."""
    name = Path(options.config).stem if options.config else "train"
    out: Path = options.out or Path("runs") / name
    if not options.seeds:
        return _train(options, out, ray)
    if options.config_seed is not None or len(set(options.seeds)) < len(options.seeds):
        raise ConfigError("--seeds takes different seeds, and replaces --seed")
    from .report import summarise_seeds

    folders = {seed: out / f"seed-{seed}" for seed in options.seeds}
    for seed, folder in folders.items():
        options.config_seed = str(seed)
        code = _train(options, folder, ray)
        if code:
            return code
    print(summarise_seeds(out, folders))
    return 0


def _train(options: argparse.Namespace, out: Path, ray: Any) -> int:
    from rich.console import Console

    from .ppo import TrainingFailed, run

    warm_up(USES)
    console = Console(stderr=True)
    begin = _resumed if options.resume else _started
    evaluator = begin(options, out, console, ray)
    try:
        with evaluator:
            if not evaluator.curve:
                evaluator.evaluate()
            run(evaluator.learner, evaluator)
            evaluator.final_comparison()
    except KeyboardInterrupt:
        console.print(f"Stopped. What was learned so far is in {out / 'last'}. To go on:")
        console.print(f"  uno-train --resume --out {out}", highlight=False, soft_wrap=True)
        return 130
    except TrainingFailed as error:
        print(f"uno-train: {error}. The last good checkpoint is {out / 'last'}", file=sys.stderr)
        return 1
    finish(out, evaluator)
    return 0


def _started(options: argparse.Namespace, out: Path, console: Any, ray: Any) -> "Evaluator":
    from .checkpoint import write_at_once
    from .evaluator import Evaluator
    from .progress import ProgressBar

    config = read_config(options)
    if ray is not None and not config.shards:
        from .ray.group import rollout_cores

        config = make_config(None, {**config.model_dump(), "shards": rollout_cores(ray, config)})
    _make_folder(out)
    learner = _learner(config, ray)
    if config.init_from:
        from .initial_weights import load_initial_weights

        load_initial_weights(learner.network, config)
    log = WandbLog(options.wandb, out, config) if options.wandb else None
    for old in ("last", "best", "tensorboard"):
        shutil.rmtree(out / old, ignore_errors=True)
    write_at_once(out / "config.json", f"{config.model_dump_json(indent=2)}\n".encode())
    tables = config.tables()
    where = f"{tables[0]}" if len(tables) == 1 else f"{len(tables)} table configs"
    console.print(f"Training on {where} into {out}", style="bold")
    return Evaluator(learner, out, ProgressBar(console, options.quiet), extra_log=log)


def _make_folder(out: Path) -> None:
    """The run folder; an error that names the remedy if it cannot be written."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=out).close()
    except OSError as error:
        reason = f"cannot write to {out}: {error.strerror}"
        raise ConfigError(f"{reason}; choose a folder for the run: --out FOLDER") from None


def _learner(config: TrainConfig, ray: Any) -> "Learner":
    """The learner of a config: in this process, or with games on a cluster."""
    if (ray is None) != (config.shards == 0):
        missing = f"shards is {config.shards}: the run needs --ray"
        raise ConfigError(
            missing if ray is None else "shards is 0: the run plays in one process, omit --ray"
        )
    if ray is None:
        from .ppo import Learner

        if config.learners > 1:
            raise ConfigError(f"learners is {config.learners}: data-parallel learners need --ray")
        return Learner(config)
    from .ray.learner import ClusterLearner

    return ClusterLearner(config, ray)


def _resumed(options: argparse.Namespace, out: Path, console: Any, ray: Any) -> "Evaluator":
    from .evaluator import Evaluator
    from .progress import ProgressBar
    from .resume import resume

    if options.config:
        raise ConfigError(f"--resume takes its config from {out}, not from {options.config}")
    try:
        saved = json.loads((out / "config.json").read_text())
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot resume {out}: its config.json is unreadable: {error}") from None
    config = make_config(None, converted(saved) | given_flags(options))
    learner, state, best = resume(out / "last", config, lambda agreed: _learner(agreed, ray))
    console.print(f"Going on with {out} after {learner.decisions:,} decisions", style="bold")
    log = WandbLog(options.wandb, out, config) if options.wandb else None
    return Evaluator(learner, out, ProgressBar(console, options.quiet), state, best, log)


def finish(out: Path, evaluator: "Evaluator") -> None:
    """Evaluate the best agent on fresh deals, show the table, draw the curve, say what is next."""
    from rich.console import Console
    from uno_agents.base import batch_form
    from uno_agents.registry import make_agent

    from .evaluation import BASELINES, at_table, on_field
    from .report import draw_curve, next_commands, save_results, show_field, show_results

    config, best = evaluator.learner.config, out / "best"
    spec = config.agent_spec(best)
    agent = batch_form(make_agent(spec))
    tables = config.own_tables()
    deals = max(2, config.eval_deals // len(tables))
    anchors = dict.fromkeys((*BASELINES, *config.batch_anchors()))
    rows = [
        (table, name, at_table(agent, name, table, deals, FINAL_SEED))
        for table in tables
        for name in anchors
    ]
    field = on_field(agent, config, FINAL_SEED)
    save_results(out, rows, evaluator.curve, field)
    picture = draw_curve(out, evaluator.curve, evaluator.best_decisions)
    console = Console()
    where = f", {tables[0]}" if len(tables) == 1 else ""
    show_results(console, rows, f"{best}{where}, {deals} duplicate deals")
    if field:
        show_field(console, field, f"{best} against {config.eval_field}")
    console.print(f"Learning curve: {picture}", highlight=False)
    console.print("Next:")
    python = os.path.relpath(sys.executable)
    called = sys.executable if python.startswith("..") else python
    for command in next_commands(out, spec, config, called):
        console.print(f"  {command}", highlight=False, soft_wrap=True)


COMMANDS = {
    "evaluate": ".evaluation",
    "baseline": ".baselines.cli",
    "best-response": ".best_response.cli",
    "benchmark": ".benchmark",
    "export": ".export",
    "mixture": ".mixture",
    "nash-conv": ".tiny.cli",
    "sb3": ".sb3",
    "rllib": ".rllib.trainer",
}
"""Other commands, by the module whose `main` runs them."""
