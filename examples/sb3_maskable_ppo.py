"""Train sb3-contrib's MaskablePPO on a batch of games, save it, and play it in the arena.

    python examples/sb3_maskable_ppo.py --steps 200000

Needs `pip install 'uno-env[sb3,arena]'`. The zip is a normal SB3 file; its path is an agent spec.
"""

import argparse
from pathlib import Path

import uno_arena
from sb3_contrib import MaskablePPO

from uno_env.vector.sb3 import UnoVecEnv


def main() -> None:
    """Learn against the heuristic, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--games", type=int, default=128)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--out", type=Path, default=Path("runs/example-sb3.zip"))
    options = parser.parse_args()

    # One learner a game; `opponents` are agent specs. MaskablePPO finds the masks by itself.
    env = UnoVecEnv("classic", num_envs=options.games, num_players=2, opponents="heuristic",
                    scaled=True)  # fmt: skip
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=1024, n_epochs=2, gamma=1.0,
                        ent_coef=0.01, seed=0, device="cpu")  # fmt: skip
    model.learn(options.steps)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    model.save(options.out)

    # SB3's own loader unpickles; the agent spec reads the weights as numbers and runs no code.
    for opponent in ("random", "heuristic"):
        result = uno_arena.compare(str(options.out), opponent, deals=options.deals, seed=1)
        print(f"against {opponent}: {result}; chance level {result.chance:.0%}")


if __name__ == "__main__":
    main()
