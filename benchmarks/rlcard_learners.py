"""Baselines beside RLCard's own learners, all trained in RLCard's game for the same frames.

    pip install 'uno-env[bench,train]'
    python -m benchmarks.rlcard_learners      # what docs/benchmark-baselines.md shows
    python -m benchmarks.rlcard_learners --frames 1000000 --out runs/rlcard-long

RLCard's learners are as its `examples/run_rl.py` makes them: two hidden layers of 64, the first
seat against a random player. Ours have both seats and their usual settings. A frame is one step of
RLCard's game, so RLCard's learners learn from about half of the frames and ours from all with a
choice. Finished runs are not run again; `python docs/make_baselines.py` writes the table.
"""

import argparse
import json
import os
import random
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import torch
from uno_agents.rlcard_bot import MODEL, RulePlayer
from uno_arena.benchmark.rlcard import RULES, OurPlayer, Player, RandomPlayer, State, play_theirs
from uno_arena.stats.intervals import wilson_interval
from uno_train.baselines.cli import learner_class
from uno_train.baselines.rlcard_games import RlcardGames
from uno_train.baselines.run import agent_of
from uno_train.tables import TableConfig

FORMAT = "uno_env-rlcard-learner-1"
RESULTS = Path(__file__).parent / "results/rlcard"
OURS = ("ppo", "dqn", "dmc", "nfsp")
THEIRS = ("rlcard-dqn", "rlcard-nfsp")
DEFAULTS = ("ppo", "dmc", "dqn", "rlcard-dqn")
DEALS_SEED = 1 << 30
"""Decks of the evaluation; all learners play the same ones."""
Report = Callable[[int], None]


class TheirLearner:
    """One of RLCard's trained agents, asked for its best action."""

    def __init__(self, agent: Any) -> None:
        from rlcard.games.uno.utils import ACTION_LIST

        self._agent, self._actions = agent, ACTION_LIST

    def step(self, state: State) -> str:
        """Its choice as RLCard writes it."""
        return str(self._actions[self._agent.eval_step(state)[0]])


def train_ours(name: str, seed: int, frames: int, report: Report) -> Player:
    """One of our baselines in self-play."""
    learner = learner_class(name)([TableConfig(RULES, 2)], seed)
    learner.games = games = RlcardGames(learner.config.num_envs, seed)
    while games.frames < frames:
        learner.iterate(games.frames / frames)
        report(games.frames)
    return OurPlayer(agent_of(learner))


def train_theirs(name: str, seed: int, frames: int, report: Report) -> Player:
    """One of RLCard's learners in the first seat, against a random player."""
    import rlcard
    from rlcard.agents import DQNAgent, NFSPAgent, RandomAgent
    from rlcard.utils import reorganize

    # All of RLCard draws from these.
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env = rlcard.make("uno", {"seed": seed})
    shape = {"num_actions": env.num_actions, "state_shape": env.state_shape[0]}
    is_nfsp = name == "rlcard-nfsp"
    if is_nfsp:
        agent = NFSPAgent(**shape, hidden_layers_sizes=[64, 64], q_mlp_layers=[64, 64])
    else:
        agent = DQNAgent(**shape, mlp_layers=[64, 64])
    env.set_agents([agent, RandomAgent(num_actions=env.num_actions)])
    while env.timestep < frames:
        if is_nfsp:
            agent.sample_episode_policy()
        for transition in reorganize(*env.run(is_training=True))[0]:
            agent.feed(transition)
        report(env.timestep)
    return TheirLearner(agent)


def measure(player: Player, deals: int) -> dict[str, list[float]]:
    """Win rate and 95 % interval against RLCard's random player and its rule bot."""
    opponents: dict[str, Player] = {"random": RandomPlayer(1), MODEL: RulePlayer(1)}
    rates = {
        name: wilson_interval(play_theirs((player, opponent), deals, DEALS_SEED))
        for name, opponent in opponents.items()
    }
    return {name: [round(x, 5) for x in rate] for name, rate in rates.items()}


def run(name: str, seed: int, frames: int, deals: int) -> dict[str, Any]:
    """Train and measure one learner; the result as it is written."""
    train = train_theirs if name in THEIRS else train_ours
    # RLCard prints a line for every gradient step.
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        player = train(name, seed, frames, Progress(f"{name} seed {seed}", frames))
    return {
        "format": FORMAT,
        "learner": name,
        "seed": seed,
        "frames": frames,
        "deals": deals,
        "final": measure(player, deals),
    }


class Progress:
    """A line at every tenth of a run."""

    def __init__(self, name: str, frames: int) -> None:
        self._name, self._frames, self._tenths = name, frames, 0

    def __call__(self, done: int) -> None:
        """Say so if another tenth is done."""
        tenths = min(10, 10 * done // self._frames)
        if tenths > self._tenths:
            self._tenths = tenths
            print(f"{self._name}: {10 * tenths} % of {self._frames:,} frames", file=sys.stderr)


def main() -> None:
    """Run what is missing, and print each result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--learners", nargs="+", default=DEFAULTS, choices=(*OURS, *THEIRS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--frames", type=int, default=100_000, help="of each run (100000)")
    parser.add_argument("--deals", type=int, default=500, help="decks, from both seats (500)")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the results")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for seed in options.seeds:
        for name in options.learners:
            path = options.out / f"{name}-seed{seed}.json"
            if path.is_file() and json.loads(path.read_text())["frames"] == options.frames:
                continue
            result = run(name, seed, options.frames, options.deals)
            path.write_text(f"{json.dumps(result, indent=1)}\n")
            print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
