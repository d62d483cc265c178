"""What RLlib makes of a core: its own env runner on the adapter, and ours on the vector env.

    python -m benchmarks.rllib --rounds 5        # in RLlib's environment, see docs/scale.md

Both sample the same game with networks of the same width, in turn, in this process; then whole
iterations of PPO, each with its own learner pipeline: games, credit and one epoch of learning.
The last line puts a round of our own trainer beside an iteration of RLlib, both on the vector env.
Processor time counts, since the machine may be busy with others.
"""

import argparse
import logging
import statistics
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

warnings.simplefilter("ignore")  # RLlib's imports use names that other libraries have deprecated

import torch  # noqa: E402
from ray.rllib.algorithms.ppo import PPOConfig  # noqa: E402
from ray.rllib.core.rl_module.rl_module import RLModuleSpec  # noqa: E402
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import (  # noqa: E402
    ActionMaskingTorchRLModule,
)
from uno_arena.play.ray_cluster import joined  # noqa: E402
from uno_train.ppo import Learner  # noqa: E402
from uno_train.rllib import trainer as rllib  # noqa: E402

from uno_env.adapters.rllib import register_rllib  # noqa: E402

WIDTHS = [256, 256]
FEW = 2048
"""Decisions of an iteration of RLlib's own runner, which takes seconds for them."""
PARTS = {
    "games and credit": "env_runner_sampling_timer",
    "learner": "learner_update_timer",
    "weights to the runner": "synch_weights",
}


def on_adapter(minibatch: int) -> Any:
    """PPO as RLlib's users would set it up: one game a Python environment, eight of them."""
    name = register_rllib("uno-benchmark", variant="classic", num_players=2, illegal="raise")
    spec = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": WIDTHS}
    )
    config: Any = PPOConfig()
    return (
        config.environment(name, disable_env_checking=True)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda *_, **__: "shared")
        .rl_module(rl_module_spec=spec)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .learners(num_learners=0)
        .training(
            train_batch_size_per_learner=FEW,
            minibatch_size=min(minibatch, FEW),
            num_epochs=1,
            use_kl_loss=False,
        )
        .build_algo()
    )


def own_trainer(config: rllib.RllibConfig) -> Learner:
    """Our trainer with the same games, network and amount of learning."""
    same = {"epochs": config.epochs, "minibatch": config.minibatch}
    return Learner(config.run.model_copy(update=same))


def speed(work: Callable[[], object], decisions: int) -> float:
    """Decisions a second of processor time."""
    start = time.process_time()
    work()
    return decisions / (time.process_time() - start)


def told(what: str, first: str, second: str, pairs: list[tuple[float, float]]) -> None:
    """Print what each came to, and the ratio of those measured one after the other."""
    before, after = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratios = sorted(b / a for a, b in pairs)
    print(f"{what:<9} {first} {before:7,.0f}, {second} {after:7,.0f} decisions/s a core, ratio "
          f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="of each (5)")
    parser.add_argument("--config", type=Path, default=Path("configs/train/rllib.yaml"))
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    config = rllib.read_config(options.config, epochs=1, threads=1)
    torch.set_num_threads(1)
    with joined("local", 1):
        theirs, ours = on_adapter(config.minibatch), rllib.make_algorithm(config)
        theirs.train(), ours.train()  # warm
        sampled = [
            (
                speed(lambda: theirs.env_runner.sample(num_timesteps=FEW), FEW),
                speed(ours.env_runner.sample, config.batch),
            )
            for _ in range(options.rounds)
        ]
        trained = [
            (speed(theirs.train, FEW), speed(ours.train, config.batch))
            for _ in range(options.rounds)
        ]
        own = own_trainer(config)
        own.iteration(0.5)
        beside = [
            (speed(lambda: own.iteration(0.5), config.batch), speed(ours.train, config.batch))
            for _ in range(options.rounds)
        ]
        timers = {"adapter": theirs.train()["timers"], "vector env": ours.train()["timers"]}
        theirs.stop(), ours.stop()
    print(f"classic, 2 players, network of {WIDTHS}, one epoch, {options.rounds} rounds of each; "
          f"{FEW} decisions on the adapter, {config.batch} on the vector env")  # fmt: skip
    told("sampling:", "adapter", "vector env", sampled)
    told("training:", "adapter", "vector env", trained)
    told("training:", "our trainer", "RLlib", beside)
    for name, parts in timers.items():
        whole = sum(parts[key] for key in PARTS.values())
        shares = ", ".join(f"{part} {parts[key] / whole:.1%}" for part, key in PARTS.items())
        print(f"by the clock, {name}: {shares}")


if __name__ == "__main__":
    main()
