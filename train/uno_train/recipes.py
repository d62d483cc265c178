"""Recipes of the shipped agents: which configs train them, one after the other, and into where."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from uno_agents.neural.weights import WEIGHTS_FILE

from uno_env import VARIANTS

from .cli import main as uno_train
from .config import TrainConfig, make_config

NAMES = (*VARIANTS, "generalist")
"""Agents with a recipe: a specialist for each preset, and one agent for all of them."""
RECIPES = {
    "classic": ("classic", "classic-ppo"),
    "generalist": ("generalist", "generalist-finetune", "generalist-base", "generalist-ppo"),
    "generalist-no_mercy": (
        "generalist-no_mercy",
        "generalist-no_mercy-ppo",
        "generalist-no_mercy-finetune",
    ),
    "generalist-no_swap": (
        "generalist-no_swap",
        "generalist-no_swap-ppo",
        "generalist-no_swap-finetune",
    ),
    "generalist-sevens": ("generalist-sevens", "generalist-sevens-finetune"),
    "hyper_speed": ("hyper_speed", "hyper_speed-ppo", "hyper_speed-ppo-2"),
    "no_mercy": ("no_mercy", "no_mercy-finetune", "no_mercy-ppo"),
    "ig2000": ("ig2000", "ig2000-ppo"),
    "loche": ("loche", "loche-finetune", "loche-ppo"),
}
"""Configs of agents that are trained by more than the one of their name. Each begins with the
weights of the one before."""
EXPERTS = {
    "generalist": {
        "team_mode=pairs": "pretrained:teams",
        "deck.discard-all+stacking=equal_or_higher+seven_swap=true": "pretrained:no_mercy",
        "deck.discard-all+stacking=equal_or_higher": "generalist-no_swap",
        "deck.discard-all": "generalist-no_mercy",
        "sum_out=specials+deck.skip+known-cards": "pretrained:loche",
        "seven_swap=true+deck.skip": "generalist-sevens",
        "deck.wild-swap+deck.skip+known-cards": "pretrained:ig2000",
        "deck.wild-hyper-speed+deck.skip+known-cards": "pretrained:hyper_speed",
    }
}
"""What is joined to an agent (`mixture.py`), by gates: shipped agents, and configs of networks that
are trained for it alone."""
SHIPPED, EXPERT_AT = "pretrained:", "#"
"""`pretrained:NAME` is a shipped agent, `pretrained:NAME#GATE` one of its experts."""
EARLIER = ("first", "second", "third")
"""What the folders of the stages before the last are called after."""
SHORT = (
    "--minutes 0 --decisions 3000 --imitation-decisions 2000 --num-envs 128 --rollout-steps 8 "
    "--minibatch 512 --hidden 32 --curve-deals 2 --eval-deals 2 --eval-every 1000000 "
    "--threads 1 --quiet"
).split()
SHORT_MIXES = "4"


def stages(name: str, run: Path) -> list[tuple[str, Path]]:
    """The configs of an agent with the folder that each trains into; the last one is `run`."""
    *before, last = RECIPES.get(name, (name,))
    folders = [run.with_name(f"{run.name}-{EARLIER[number]}") for number in range(len(before))]
    return [*zip(before, folders, strict=True), (last, run)]


def train_runs(name: str, run: Path, is_short: bool) -> None:
    """Train an agent into its folders; what is finished before the last stage is kept."""
    start: list[str] = []
    for config, folder in stages(name, run):
        if folder == run or not (folder / "results.json").is_file():
            _train(config, folder, is_short, start)
        start = ["--init-from", str(folder / _final_checkpoint(config, start))]
    train_experts(name, run, is_short)


def train_experts(name: str, run: Path, is_short: bool, only: Sequence[str] = ()) -> None:
    """Train the experts of an agent that do not ship by themselves; those finished are kept."""
    for place in expert_places(name, run, only).values():
        folder = Path(place)
        if not place.startswith(SHIPPED) and not (folder / "results.json").is_file():
            train_runs(folder.name, folder, is_short)


def own_experts(name: str) -> list[str]:
    """The experts of an agent that are trained for it alone."""
    experts = EXPERTS.get(name, {}).values()
    return [expert for expert in experts if not expert.startswith(SHIPPED)]


def shipped_expert(agent: str, expert: str) -> str | None:
    """Where an expert that is trained for a shipped agent alone lies: `pretrained:NAME#GATE`."""
    of_agent = EXPERTS.get(agent.removeprefix(SHIPPED), {})
    gates = [gate for gate, each in of_agent.items() if each == expert]
    return f"{agent}{EXPERT_AT}{gates[0]}" if gates else None


def expert_places(name: str, run: Path, only: Sequence[str] = ()) -> dict[str, str]:
    """The experts of an agent by gates: shipped agents, or run folders beside its own.

    Args:
        only: with names, its other own experts are those that it ships with.
    """

    def place(gate: str, expert: str) -> str:
        if expert.startswith(SHIPPED):
            return expert
        if only and expert not in only:
            return f"{SHIPPED}{name}{EXPERT_AT}{gate}"
        return str(run.with_name(expert))

    return {gate: place(gate, expert) for gate, expert in EXPERTS.get(name, {}).items()}


def train_command(name: str) -> str:
    """What a user types for the same, experts apart."""
    start, commands = "", []
    for config, folder in stages(name, Path("runs") / name):
        commands.append(f"uno-train {config} {start}--out {folder}")
        start = f"--init-from {folder}/{_final_checkpoint(config, start)} "
    return "; ".join(commands)


def follows_recipe(name: str, config: TrainConfig) -> bool:
    """Whether a run has the options of an agent's last stage, wherever its first weights lay."""
    recipe = make_config(RECIPES.get(name, (name,))[-1], {})
    given = _without_idle_options(config), _without_idle_options(recipe)
    if name in RECIPES:
        for options in given:
            del options["init_from"]
    return given[0] == given[1]


def _without_idle_options(config: TrainConfig) -> dict[str, Any]:
    """Options but for those of stages that a run does not have."""
    idle = []
    if not (config.imitation_teacher and (config.imitation_decisions or config.imitation_coef)):
        idle.append("imitation_")
    if not config.distill_until:
        idle.append("distill_")
    options = config.model_dump()
    return {name: options[name] for name in options if not name.startswith(tuple(idle))}


def final_checkpoint(initial_weights: str | None) -> str:
    """Which checkpoint of a run is its product, to be shipped or trained on.

    Of a run from random weights it is the best. Of one with initial weights it is the last: those
    compete for the best as well, over all tables, of which the run may concern few.
    """
    return "last" if initial_weights else "best"


def _final_checkpoint(config: str, start: Sequence[str] | str) -> str:
    """The same of a stage with a config, after the stage that `start` names."""
    return final_checkpoint("".join(start) or make_config(config, {}).init_from)


def _train(config: str, run: Path, is_short: bool, more: Sequence[str] = ()) -> None:
    """Run `uno-train`; goes on where an earlier run was interrupted."""
    if is_short:
        recipe = make_config(config, {})
        # Shipped weights do not fit so small a network.
        start = ["--init-from", ""] if recipe.init_from else []
        words = [config, *SHORT, *start, *more]
        if recipe.mixes:
            words += ["--mixes", SHORT_MIXES]
    elif (run / "last" / WEIGHTS_FILE).is_file() and not (run / "results.json").is_file():
        words = ["--resume"]
    else:
        words = [config, *more]
    code = uno_train([*words, "--out", str(run)])
    if code:
        raise SystemExit(code)
