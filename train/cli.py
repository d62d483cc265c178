"""The command `uno-train`, also `python -m train`: train an agent, or evaluate a checkpoint."""

import argparse
import os
import sys
import typing
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .config import ConfigError, TrainConfig, make_config

if TYPE_CHECKING:
    from .watch import Watch

EXAMPLE = "uno-train --variant classic --num-players 2 --minutes 3 --out runs/first"
BASELINES = ("random", "greedy")
NEEDED = "uno-train needs torch, safetensors, rich and matplotlib: pip install 'uno-env[train]'"


class _Parser(argparse.ArgumentParser):
    """Help that begins with an example that works."""

    example = EXAMPLE

    def format_help(self) -> str:
        return f"example: {self.example}\n\n{super().format_help()}"


def train_parser() -> argparse.ArgumentParser:
    """One flag for each field of TrainConfig."""
    parser = _Parser(
        prog="uno-train",
        description="Train an agent by self-play, then measure it. "
        "`uno-train evaluate FOLDER` only measures.",
    )
    parser.add_argument("config", nargs="?", help="YAML file, e.g. configs/train/quick.yaml")
    parser.add_argument("--out", type=Path, help="run folder (runs/NAME of the config file)")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    for name, field in TrainConfig.model_fields.items():
        default = " ".join(map(str, field.default)) if name == "hidden" else field.default
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            dest=f"config_{name}",
            metavar=name.rpartition("_")[2].upper(),
            nargs="+" if typing.get_origin(field.annotation) is tuple else None,
            help=f"{field.description} ({default})".replace("%", "%%"),
        )
    return parser


def evaluate_parser() -> argparse.ArgumentParser:
    """Flags of `uno-train evaluate`."""
    parser = _Parser(prog="uno-train evaluate", description="Measure a checkpoint.")
    parser.example = "uno-train evaluate runs/quick/last --deals 20000"
    parser.add_argument("agent", help="agent spec: a checkpoint folder, random or greedy")
    parser.add_argument("--variant", help="preset or rules text (those it was trained on)")
    parser.add_argument("--players", type=int, help="table size (that it was trained on)")
    parser.add_argument("--deals", type=int, default=4000, help="duplicate deals (4000)")
    parser.add_argument("--seed", type=int, default=0, help="which deals (0)")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    # Threads that wait by spinning stall each other where cores are shared; read when torch loads.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words[:1] == ["evaluate"]:
            return _evaluate(evaluate_parser().parse_args(words[1:]))
        return _train(train_parser().parse_args(words))
    except KeyboardInterrupt:
        print("uno-train: stopped before there was anything to keep", file=sys.stderr)
        return 130
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("torch", "safetensors", "rich", "matplotlib"):
            print(f"{NEEDED} (no module {error.name})", file=sys.stderr)
            return 2
        raise
    except (ConfigError, ValueError) as error:
        print(f"uno-train: {error}", file=sys.stderr)
        return 2


def _train(options: argparse.Namespace) -> int:
    flags = {
        name: given
        for name in TrainConfig.model_fields
        if (given := getattr(options, f"config_{name}")) is not None
    }
    config = make_config(options.config, flags)
    out = options.out or Path("runs") / (Path(options.config).stem if options.config else "train")
    from rich.console import Console

    from .checkpoint import write_at_once
    from .ppo import Learner, run
    from .watch import Watch

    console = Console(stderr=True)
    out.mkdir(parents=True, exist_ok=True)
    write_at_once(out / "config.json", f"{config.model_dump_json(indent=2)}\n".encode())
    rules, num_players = config.table()
    console.print(f"Training on {rules.text()} with {num_players} players into {out}", style="bold")
    watch = Watch(Learner(config), out / "last", console, options.quiet)
    try:
        with watch:
            watch.measure(0.0)
            run(watch.learner, watch)
    except KeyboardInterrupt:
        console.print(f"Stopped. What was learned so far is in {out / 'last'}:")
        console.print(_commands(out, config)[0], highlight=False, soft_wrap=True)
        return 130
    _finish(out, watch)
    return 0


def _finish(out: Path, watch: "Watch") -> None:
    """Measure the agent, show the table, draw the curve, say what to do next."""
    from rich.console import Console

    from .report import draw_curve, save_results, show_results

    config = watch.learner.config
    rules, num_players = config.table()
    results = measure(str(out / "last"), rules.text(), num_players, config.eval_deals)
    watch.add_point(results["greedy"])
    save_results(out, results, watch.curve)
    picture = draw_curve(out, watch.curve, results["greedy"].chance)
    console = Console()
    trained = f"{out / 'last'}, {rules.text()}, {num_players} players"
    show_results(console, results, f"{trained}, {config.eval_deals} duplicate deals")
    console.print(f"Learning curve: {picture}", highlight=False)
    console.print("Next:")
    for command in _commands(out, config):
        console.print(f"  {command}", highlight=False, soft_wrap=True)


def _commands(out: Path, config: TrainConfig) -> list[str]:
    from .report import next_commands

    rules, num_players = config.table()
    python = os.path.relpath(sys.executable)
    run = sys.executable if python.startswith("..") else python
    return next_commands(out / "last", rules.text(), num_players, run)


def measure(spec: str, variant: str, num_players: int, deals: int, seed: int = 0) -> dict[str, Any]:
    """Results of an agent against each baseline."""
    from agents.base import batch_form
    from agents.registry import make_agent
    from uno_env import Rules

    from .evaluate import evaluate

    agent = batch_form(make_agent(spec, seed=seed))
    rules = Rules.from_text(variant)
    return {
        name: evaluate(
            agent, batch_form(make_agent(name, seed=seed + 1)), rules, num_players, deals, seed
        )
        for name in BASELINES
    }


def _evaluate(options: argparse.Namespace) -> int:
    from rich.console import Console

    from agents.registry import make_agent
    from uno_env import Rules
    from uno_env.options import table_size

    from .report import show_results

    trained_on = getattr(make_agent(options.agent), "metadata", {})
    variant = options.variant or trained_on.get("rules", "classic")
    rules = Rules.from_text(variant)
    same = not options.variant
    wanted = options.players or (trained_on.get("num_players") if same else None)
    num_players = table_size(rules, wanted)
    results = measure(options.agent, variant, num_players, options.deals, options.seed)
    heading = f"{options.agent}, {rules.text()}, {num_players} players, {options.deals} deals"
    show_results(Console(), results, heading)
    return 0
