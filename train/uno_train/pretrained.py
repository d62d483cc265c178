"""`python -m uno_train.pretrained NAME`: from a config to an agent that ships with the package.

Trains with `configs/train/NAME.yaml` (most agents by further recipes after it), rounds the
weights to half precision, measures exactly those at every table they claim, and writes weights and
model card. `--run` packs a run that is already there, `--experts` trains a mixture's own experts
(all, or those named) anew for the base network that ships; `--short` goes through all of it in
seconds, for tests.
"""

import json
import os
import platform
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import uno_agents.pretrained
from rich.console import Console
from uno_agents.neural.agent import NeuralAgent, compiled_policy
from uno_agents.neural.borrowed_weights import SUFFIX, without_borrowed
from uno_agents.neural.experts import HEURISTIC_PRIOR, expert_prefix
from uno_agents.neural.policy_overrides import (
    MAX_OWN_TARGETS,
    OVERRIDE_SWAPS,
    OVERRIDE_TARGETS,
)
from uno_agents.neural.weights import (
    CheckpointError,
    read_metadata,
    read_weights,
    weights_path,
)
from uno_agents.neural.zero_columns import without_zero_columns
from uno_arena.benchmark.field import mean_result
from uno_arena.evaluate import Result

from uno_env import VARIANTS
from uno_env.array_types import Floats
from uno_env.cards import face_id, kind_of
from uno_env.command_line import CommandParser
from uno_env.kinds import KIND_TABLE, Effect

from .checkpoint import write_at_once
from .config import TrainConfig, make_config
from .evaluation import at_table
from .mixture import Checkpoint, base_of, expert_of, join, read_checkpoint
from .model_card import model_card
from .recipes import (
    EXPERT_AT,
    EXPERTS,
    NAMES,
    SHIPPED,
    expert_places,
    final_checkpoint,
    follows_recipe,
    own_experts,
    shipped_expert,
    stages,
    train_command,
    train_experts,
    train_runs,
)
from .renamed_keys import converted
from .rule_mixes import random_mixes
from .tables import TableConfig, table_configs

Halves = dict[str, npt.NDArray[np.float16]]
About = dict[str, Any]
ROOT = Path(__file__).parents[2]
OPPONENTS = ("heuristic", "greedy")
SWAP_FACE = face_id("wild-swap")
"""The card that lets its player choose two seats to swap hands."""
SIZES = range(2, 11)
HEURISTIC_PRIORS = {"generalist": 0.4, "generalist-sevens": 0.2}
"""Logit bonus of the heuristic's action, where it helps; chosen on deals of its own."""
SEED = 1 << 42
"""Deals nothing was selected on: training and its evaluations use others."""
UNSEEN_MIXES, UNSEEN_SEED = 40, 1 << 30
SHORT_TABLES, SHORT_DEALS = 2, 10


def claimed_tables(config: TrainConfig) -> list[TableConfig]:
    """Every size that each rule set it was trained on allows."""
    rule_sets = list(dict.fromkeys(table.rules for table in config.own_tables()))
    return table_configs(rule_sets, SIZES)


def ships_by_itself(expert: str) -> bool:
    """Whether an expert is an agent of its own. Others claim the sizes they were trained at."""
    return expert.startswith(SHIPPED) and EXPERT_AT not in expert


def has_many_targets(table: TableConfig) -> bool:
    """Whether a card asks for one of more seats than a network learns to choose from."""
    kinds = (
        KIND_TABLE[kind_of(face)] for face, count in enumerate(table.rules.deck.counts) if count
    )
    asks = any(kind.effect & (Effect.SWAP_OWN | Effect.TARGET_DRAW) for kind in kinds)
    return asks and table.num_players - 1 > MAX_OWN_TARGETS


def measured_rows(
    agent: NeuralAgent, tables: Sequence[TableConfig], deals: int
) -> list[dict[str, Any]]:
    """The agent against each opponent at each table, on all cores: kernels run side by side."""

    def measured(table: TableConfig, opponent: str) -> dict[str, Any]:
        place = f"{table.rules.text()}, {table.num_players} players"
        return _row(place, opponent, at_table(agent, opponent, table, deals, SEED))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(measured, *zip(*product(tables, OPPONENTS), strict=True)))


def unseen_rows(
    agent: NeuralAgent, configs: Sequence[TrainConfig], count: int, deals: int
) -> list[dict[str, Any]]:
    """The same over rule mixes that it was not trained on, taken together."""
    seen = {table.rules for config in configs for table in config.tables()}
    mixes = [table for table in random_mixes(count, UNSEEN_SEED) if table.rules not in seen]
    each = max(2, deals // len(mixes))
    rows = []
    for opponent in OPPONENTS:
        results = [at_table(agent, opponent, table, each, SEED) for table in mixes]
        rows.append(_row(f"{len(mixes)} rule mixes never seen", opponent, mean_result(results)))
    return rows


def _row(place: str, opponent: str, result: Result) -> dict[str, Any]:
    return {"table": place, "opponent": opponent, **result._asdict()}


def describe(config: TrainConfig) -> str:
    """One line about what an agent is for."""
    if len({*config.variant}) > 1:
        return "one agent for every variant, table size and mix of house rules"
    return f"network for {' and '.join(dict.fromkeys(config.variant))} at every table size"


def hardware(config: TrainConfig) -> str:
    """What it was trained on, for the card."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        models = [line.partition(":")[2].strip() for line in info.read_text().splitlines()
                  if line.startswith("model name")]  # fmt: skip
        name = models[0] if models else name
    graphics = " and a CUDA device" if config.chosen_device().startswith("cuda") else ""
    return f"{config.threads} of {os.cpu_count()} cores of {name}{graphics}"


def trained(place: str | Path) -> Checkpoint:
    """The product of a run, or an agent that ships already, or an expert of one."""
    if str(place).startswith(SHIPPED):
        agent, is_expert, gate = str(place).partition(EXPERT_AT)
        # Experts that ship by themselves may have got new weights since.
        mixture = read_checkpoint(agent, own_only=True)
        return expert_of(mixture, gate) if is_expert else base_of(mixture)
    start = read_metadata(weights_path(Path(place) / "last"))["config"].get("init_from")
    return Checkpoint(*read_weights(weights_path(Path(place) / final_checkpoint(start))))


def trained_expert(place: str) -> Checkpoint:
    """The same of an expert, with the command that trains it alone and all its decisions."""
    found, run = trained(place), Path(place)
    if place.startswith(SHIPPED):
        return found
    follows = follows_recipe(run.name, _config_of(run))
    command = train_command(run.name) if follows else found.metadata["command"]
    decisions = sum(map(_decisions, _stages_of(run.name, run)))
    whole = {**found.metadata, "command": command, "decisions": decisions}
    if run.name in HEURISTIC_PRIORS:
        whole[HEURISTIC_PRIOR] = HEURISTIC_PRIORS[run.name]
    return found._replace(metadata=whole)


def pack(
    runs: Sequence[str | Path],
    command: str | None,
    deals: int,
    is_short: bool,
    heuristic_prior: float | None = None,
    experts: Mapping[str, str] | None = None,
) -> tuple[Halves, About]:
    """A checkpoint in half precision, measured, with all that its card says.

    Args:
        runs: the folders of all stages, or an agent that ships instead of the first ones or all.
        command: how the last run was made, if not as its checkpoint says.
        heuristic_prior: logit bonus of the heuristic's action, if not as in training.
        experts: shipped agents or run folders that become experts of a mixture, by gates.
    """
    run, experts = Path(runs[-1]), experts or {}
    parts = [trained(run), *map(trained_expert, experts.values())]
    weights, joined = join(parts[0], dict(zip(experts, parts[1:], strict=True)))
    about, halves = dict(joined), halved(weights)
    configs = [make_config(None, converted(part.metadata["config"])) for part in parts]
    ships = [True, *map(ships_by_itself, experts.values())]
    claimed = [
        claimed_tables(config) if is_agent else config.own_tables()
        for config, is_agent in zip(configs, ships, strict=True)
    ]
    # An expert's table may be one of the base's as well.
    tables = sorted(
        dict.fromkeys(table for found in claimed for table in found),
        key=lambda table: VARIANTS.index(table.rules.variant),
    )
    if heuristic_prior is not None:
        about[HEURISTIC_PRIOR] = heuristic_prior
    about[OVERRIDE_SWAPS] = any(table.rules.deck.counts[SWAP_FACE] for table in tables)
    about[OVERRIDE_TARGETS] = any(map(has_many_targets, tables))
    # What is measured is what ships: the rounded weights.
    rounded = {name: array.astype(np.float32) for name, array in halves.items()}
    agent = NeuralAgent(compiled_policy(rounded, about), about)
    rows = measured_rows(agent, tables[:SHORT_TABLES] if is_short else tables, deals)
    if len({*configs[0].variant}) > 1:
        rows += unseen_rows(agent, configs, SHORT_TABLES if is_short else UNSEEN_MIXES, deals)
    ends = [*map(_end, runs)]
    return halves, about | {
        "description": describe(configs[0]),
        "decisions": sum(end["decisions"] for end in ends),
        # Wherever the run lies on this machine, it is one of `runs`.
        "command": command or about["command"].replace(str(run), f"runs/{run.name}"),
        "claims": [[table.rules.text(), table.num_players] for table in tables],
        "made": {
            "minutes": round(sum(end["seconds"] for end in ends) / 60, 1),
            "hardware": hardware(configs[0]),
            "weights": sum(array.size for array in weights.values()),
        },
        "measured": {"deals": deals, "seed": SEED},
        "results": rows,
    }


def _decisions(place: str | Path) -> int:
    """Decisions of a run, or of an agent or expert that ships."""
    is_shipped = str(place).startswith(SHIPPED)
    about = (
        trained(place).metadata if is_shipped else read_metadata(weights_path(Path(place, "last")))
    )
    return int(about["decisions"])


def _end(place: str | Path) -> dict[str, Any]:
    """Decisions and seconds of a run, or of an agent that ships."""
    if str(place).startswith(SHIPPED):
        about = read_checkpoint(str(place)).metadata
        return {"decisions": about["decisions"], "seconds": 60 * about["made"]["minutes"]}
    end: dict[str, Any] = json.loads((Path(place) / "results.json").read_text())["curve"][-1]
    return end


def halved(weights: Mapping[str, Floats]) -> Halves:
    """The weights in half precision, if they fit in it."""
    halves = {}
    for name, array in weights.items():
        if np.abs(array).max() > np.finfo(np.float16).max:
            raise CheckpointError(f"{name} holds numbers too large for half precision")
        halves[name] = array.astype(np.float16)
    return halves


def write_weights(path: Path, halves: Halves, about: About, experts: Iterable[str] = ()) -> None:
    """Write a weights file.

    Args:
        experts: where each expert comes from. The arrays of an agent that ships into the same
            folder are left to its own file.
    """
    from safetensors.numpy import save

    names = [expert.removeprefix(SHIPPED) for expert in experts]
    lenders = {
        expert_prefix(number): name
        for number, name in enumerate(names)
        if (path.parent / f"{name}{SUFFIX}").is_file()
    }
    own, borrowed = without_borrowed(halves, lenders)
    arrays, kept = without_zero_columns(own)
    write_at_once(path, save(arrays, {"uno_env": json.dumps({**about, **kept, **borrowed})}))


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _options(words)
    try:
        for name in NAMES if options.name == "all" else [options.name]:
            _make(name, options)
    except (OSError, ValueError) as error:
        print(f"uno_train.pretrained: {error}", file=sys.stderr)
        return 2
    return 0


def _options(words: Sequence[str] | None) -> Namespace:
    parser = CommandParser(
        example="python -m uno_train.pretrained classic",
        prog="python -m uno_train.pretrained",
        description="Make a shipped agent.",
    )
    parser.add_argument("name", choices=[*NAMES, "all"], help="which agent, or all of them")
    parser.add_argument("--run", type=Path, help="pack this run folder instead of training")
    parser.add_argument(
        "--experts",
        nargs="*",
        metavar="NAME",
        help="keep the shipped base network, train its own experts: all, or those named",
    )
    parser.add_argument("--deals", type=int, default=4000, help="duplicate deals a cell (4000)")
    parser.add_argument("--out", type=Path, help="write here instead of into the package")
    parser.add_argument("--short", action="store_true", help="seconds of everything; needs --out")
    options = parser.parse_args(words)
    if options.short and not options.out:
        parser.error("--short needs --out: such an agent is not for shipping")
    if options.run and options.name == "all":
        parser.error("--run is of one agent, not of all")
    if options.experts is not None and (options.run or options.name not in EXPERTS):
        parser.error(f"--experts is for {', '.join(EXPERTS)} alone, without --run")
    unknown = {*(options.experts or ())} - {*own_experts(options.name)}
    if unknown:
        parser.error(
            f"--experts {min(unknown)} is no expert of {options.name}; allowed: "
            f"{', '.join(own_experts(options.name))}"
        )
    return options


def _make(name: str, options: Namespace) -> None:
    """Pack and ship an agent, after training it, its own experts or nothing, as the options say."""
    run, command = options.run or (options.out or Path("runs")) / name, None
    if options.experts is not None:
        train_experts(name, run, options.short, options.experts)
        runs: list[str | Path] = [f"{SHIPPED}{name}"]
    else:
        if options.run is None:
            train_runs(name, run, options.short)
        if options.run is None or follows_recipe(name, _config_of(run)):
            command = train_command(name)
        runs = _stages_of(name, run)
    deals = SHORT_DEALS if options.short else options.deals
    experts, prior = expert_places(name, run, options.experts or ()), HEURISTIC_PRIORS.get(name)
    halves, about = pack(runs, command, deals, options.short, prior, experts)
    folder = options.out or uno_agents.pretrained.FOLDER
    cards = options.out or ROOT / "docs" / "models"
    for place in (folder, cards):
        place.mkdir(parents=True, exist_ok=True)
    write_weights(folder / f"{name}{SUFFIX}", halves, about, experts.values())
    write_at_once(cards / f"{name}.md", model_card(name, about).encode())
    _show(name, about["results"])


def _stages_of(name: str, run: Path) -> list[str | Path]:
    """The folders of all stages, the last one at the end.

    The agent or expert as it ships counts for the first ones if the last began with it.
    """
    start = _config_of(run).init_from or ""
    if start == f"{SHIPPED}{name}":
        return [start, run]
    if start.startswith(SHIPPED):
        return [*filter(None, [shipped_expert(start, name)]), run]
    return [folder for _, folder in stages(name, run)]


def _config_of(run: Path) -> TrainConfig:
    metadata = read_metadata(weights_path(run / "last"))
    return make_config(None, converted(metadata["config"]))


def _show(name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Each result, and whether its whole interval is above chance."""
    console = Console(highlight=False, soft_wrap=True)
    for row in rows:
        above = "above" if row["low"] > row["chance"] else "NOT above"
        console.print(
            f"pretrained:{name}, {row['table']}, against {row['opponent']}: "
            f"{100 * row['rate']:.1f} % ({100 * row['low']:.1f} to {100 * row['high']:.1f}), "
            f"{above} the chance level ({100 * row['chance']:.1f} %)"
        )


if __name__ == "__main__":
    sys.exit(main())
