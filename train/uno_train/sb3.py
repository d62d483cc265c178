"""`uno-train sb3`: MaskablePPO of sb3-contrib on our batch of games, for those who live in SB3.

The file it leaves is a normal SB3 zip, for `MaskablePPO.load`, and an agent spec everywhere here.
"""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from uno_agents.base import AgentError, batch_form
from uno_agents.registry import make_agent
from uno_agents.specs import split_specs

from uno_env import Rules, scaled
from uno_env.command_line import CommandParser
from uno_env.envs.options import table_size

from .evaluation import at_table
from .renamed_keys import RENAMED_SB3, refuse_old_flags
from .report import show_results
from .tables import TableConfig

try:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback

    from uno_env.vector.sb3 import UnoVecEnv
except ImportError as error:
    raise AgentError(
        f"uno-train sb3 needs Stable-Baselines3: pip install 'uno-env[train,sb3]' ({error})"
    ) from error

SELF = "self"
ANCHORS = ("greedy", "heuristic")
EVAL_SEED = 1 << 41
RECENT = 1000
"""Games that the win rate of the progress bar is taken over."""


class CurrentSelf:
    """An opponent that plays as the learner does at this moment, exploring like it."""

    model: MaskablePPO

    def act_batch(
        self, obs: npt.NDArray[np.uint8], mask: npt.NDArray[np.uint8]
    ) -> npt.NDArray[np.int64]:
        """One action id a row."""
        ids, _ = self.model.predict(scaled(obs), action_masks=mask)
        return np.asarray(ids)


class BarCallback(BaseCallback):
    """Moves the bar: steps a second, games won of late, time left."""

    def __init__(self, steps: int, progress: Progress) -> None:
        super().__init__()
        self._steps, self._progress = steps, progress
        self._task = progress.add_task("training", total=steps, status="first rollout ...")
        self._won: list[bool] = []
        self._started = time.monotonic()

    def _on_step(self) -> bool:
        self._won += [info["episode"]["r"] > 0 for info in self.locals["infos"] if info]
        self._won = self._won[-RECENT:]
        return True

    def _on_rollout_end(self) -> None:
        done, elapsed = self.num_timesteps, time.monotonic() - self._started
        left = round(elapsed * max(0, self._steps - done) / done)
        parts = [f"{done / elapsed:,.0f} steps/s", f"{left // 60}:{left % 60:02} left"]
        if self._won:
            rate = sum(self._won) / len(self._won)
            half = 196 * (rate * (1 - rate) / len(self._won)) ** 0.5
            parts.insert(1, f"won {100 * rate:.0f} ± {half:.0f} % of the last {len(self._won):,}")
        self._progress.update(self._task, completed=done, status=", ".join(parts))


def learn(
    options: argparse.Namespace, rules: Rules, players: int, callback: BarCallback
) -> MaskablePPO:
    """A MaskablePPO trained as the options say; Ctrl-C ends it early and keeps it."""
    current = CurrentSelf()
    opponents = [current if name == SELF else name for name in options.opponents]
    env = UnoVecEnv(
        rules.replace(auto_forced=True, max_steps=options.max_steps),
        options.num_envs,
        num_players=players,
        seed=options.seed,
        threads=options.threads,
        opponents=opponents,
        scaled=True,
        void_reward=-1.0,
    )
    torch.set_num_threads(options.threads)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=_falling(options.learning_rate),
        n_steps=options.rollout_steps,
        batch_size=options.minibatch,
        n_epochs=options.epochs,
        # The reward comes with the end of a game, so nothing is discounted on the way.
        gamma=1.0,
        gae_lambda=0.98,
        ent_coef=options.entropy_coef,
        policy_kwargs={"net_arch": options.hidden, "activation_fn": torch.nn.ReLU},
        seed=options.seed,
        device=options.device,
    )
    current.model = model
    try:
        model.learn(options.steps, callback=callback)
    finally:
        env.close()
        save(model, options.out)
    return model


def _falling(rate: float) -> Callable[[float], float]:
    """A learning rate that falls to a tenth; SB3 asks with the part of the run that is left."""

    def at(left: float) -> float:
        return rate * (0.1 + 0.9 * left)

    return at


def save(model: MaskablePPO, path: Path) -> None:
    """Write the zip; a reader sees the old file or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.stem}.{os.getpid()}.zip")
    try:
        # The schedule is a function, which SB3 would pickle with all it refers to.
        model.save(part, exclude=["learning_rate", "lr_schedule"])
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def make_parser() -> argparse.ArgumentParser:
    """Flags of `uno-train sb3`."""
    parser = CommandParser(
        example="uno-train sb3 --variant classic --players 2 --steps 500000 --out runs/sb3.zip",
        prog="uno-train sb3",
        description="Train MaskablePPO of sb3-contrib.",
    )
    add: Any = parser.add_argument
    # fmt: off
    add("--variant", default="classic", help="preset or rules text (classic)")
    add("--players", type=int, help="table size (the variant's usual one)")
    add("--opponents", type=split_specs, default=["heuristic"], metavar="SPEC,SPEC",
        help=f"agents dealt out to the other seats; {SELF}: as it plays itself at this moment "
        "(heuristic)")
    add("--steps", type=int, default=500_000, help="decisions of the learner (500000)")
    add("--num-envs", type=int, default=256, help="games at once (256)")
    add("--rollout-steps", type=int, default=64, help="decisions per game in one rollout (64)")
    add("--minibatch", type=int, default=2048, help="minibatch size (2048)")
    add("--epochs", type=int, default=2, help="epochs over each rollout (2)")
    add("--max-steps", type=int, default=2000, help="decisions until a game is truncated (2000)")
    add("--hidden", type=int, nargs="+", default=[256, 256], help="layers (256 256)")
    add("--learning-rate", type=float, default=1e-3, help="at the start; falls to a tenth (0.001)")
    add("--entropy-coef", type=float, default=0.01, help="entropy coefficient (0.01)")
    add("--deals", type=int, default=2000, help="duplicate deals of the table at the end (2000)")
    add("--threads", type=int, default=2, help="cores for the network and the games (2)")
    add("--device", default="auto", help="auto, cpu or cuda (auto)")
    add("--seed", type=int, default=0, help="fixes deals, initial weights and exploration (0)")
    add("--out", type=Path, default=Path("runs/sb3.zip"), help="the zip to write (runs/sb3.zip)")
    add("--quiet", action="store_true", help="no progress bar")
    # fmt: on
    return parser


def main(words: Sequence[str]) -> int:
    """`uno-train sb3`: train, save, measure."""
    refuse_old_flags(words, RENAMED_SB3)
    options = make_parser().parse_args(words)
    if options.out.suffix != ".zip":
        raise AgentError(f"--out is {options.out}; SB3's files end in .zip")
    rules = Rules.from_text(options.variant)
    table = TableConfig(rules, table_size(rules, options.players))
    console = Console(stderr=True)
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.fields[status]}"),
        console=console,
        disable=options.quiet,
    )
    try:
        with progress:
            learn(options, rules, table.num_players, BarCallback(options.steps, progress))
    except KeyboardInterrupt:
        console.print(f"Stopped. What was learned so far is in {options.out}")
        return 130
    agent = batch_form(make_agent(str(options.out)))
    rows = [
        (table, name, at_table(agent, name, table, options.deals, EVAL_SEED)) for name in ANCHORS
    ]
    show_results(Console(), rows, f"{options.out}, {table}, {options.deals} duplicate deals")
    print(f"Play against it: uno-play {options.out} --variant '{rules.text()}' "
          f"--players {table.num_players}")  # fmt: skip
    return 0
