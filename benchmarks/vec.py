"""Speed of batches: steps of `uno_env.vec`, and what MaskablePPO collects on each environment.

    python -m benchmarks.vec [--rounds 5]

The rows are measured in turn within one run, in CPU time and with one thread; a row is the median
over the rounds with minimum and maximum, a ratio the median of the ratios of each round.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

import uno_env
from uno_env.envs.gymnasium_env import UnoEnv
from uno_env.vector.sb3 import UnoVecEnv

PLAYERS = 4


class Nothing(BaseCallback):
    """Collecting needs a callback."""

    def _on_step(self) -> bool:
        return True


def batch_steps(num_envs: int) -> Callable[[], float]:
    """Steps per CPU second of a batch of random games."""
    v = uno_env.vec("classic", num_envs, PLAYERS, seed=0)
    v.reset()

    def run() -> float:
        started = time.process_time()
        for _ in range(500):
            v.step(v.random_actions())
        return 500 * num_envs / (time.process_time() - started)

    return run


def collected(env: VecEnv, n_steps: int) -> Callable[[], float]:
    """Steps per CPU second that MaskablePPO collects, its network included, updates left out."""
    model = MaskablePPO("MlpPolicy", env, n_steps=n_steps, seed=0, device="cpu")
    callback = Nothing()
    callback.init_callback(model)
    model._setup_learn(1_000_000)

    def run() -> float:
        started = time.process_time()
        model.collect_rollouts(env, callback, model.rollout_buffer, n_steps)
        return n_steps * env.num_envs / (time.process_time() - started)

    return run


def rows_to_measure() -> dict[str, Callable[[], float]]:
    """Everything that is measured, by name."""
    options = {"num_players": PLAYERS, "opponents": "random", "scaled": True}
    single = DummyVecEnv([lambda: UnoEnv("classic", **options) for _ in range(8)])
    rows = {
        "vec(1024): step and random_actions": batch_steps(1024),
        "MaskablePPO on DummyVecEnv(8) of Uno-v0": collected(single, 256),
    }
    for num_envs, n_steps in ((8, 256), (256, 32), (1024, 8)):
        env = UnoVecEnv("classic", num_envs, **options)
        rows[f"MaskablePPO on UnoVecEnv({num_envs})"] = collected(env, n_steps)
    return rows


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="python -m benchmarks.vec --rounds 5")
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    rows = rows_to_measure()
    for run in rows.values():
        run()
    speeds: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(rounds):
        for name, run in rows.items():
            speeds[name].append(run())
    base = next(name for name in rows if "Dummy" in name)
    print(f"| classic, {PLAYERS} players, {rounds} rounds | steps/s | min to max | ratio |")
    print("|---|---|---|---|")
    for name, found in speeds.items():
        ratio = statistics.median(a / b for a, b in zip(found, speeds[base], strict=True))
        shown = f"{ratio:.1f}" if "PPO" in name else ""
        print(
            f"| {name} | {statistics.median(found):,.0f} "
            f"| {min(found):,.0f} to {max(found):,.0f} | {shown} |"
        )


if __name__ == "__main__":
    main()
