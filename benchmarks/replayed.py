"""Recorded games replayed through an AEC environment: the time of a step without that of a choice.

    python benchmarks/replayed.py     a line on stdin replays them once; prints seconds by name

It imports nothing of the benchmarks, so that an earlier version of the project can run it too.
"""

import json
import random
import sys
import time
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

import uno_env

STEPS = 3000
NULL = "null AEC"
VARIANTS = ("classic", "no_mercy")

Game = tuple[int, list[int]]


class NullEnv(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """An AEC environment that does nothing: what PettingZoo's loop itself costs."""

    metadata = {"name": "null_v0", "render_modes": []}  # noqa: RUF012  # PettingZoo's form

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = ["player_0", "player_1"]
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(2))
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(1))
        self._seen = {"observation": np.zeros(1, np.uint8), "action_mask": np.ones(1, np.int8)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        return self._seen

    def step(self, action: int) -> None:
        self.agent_selection = "player_0"


def recorded(env: Any) -> list[Game]:
    """Seeds and actions of games played at random, so many steps in all."""
    uniform = random.Random(1).random  # noqa: S311  # no secret
    games: list[Game] = []
    left = STEPS
    while left:
        env.reset(seed=len(games))
        actions: list[int] = []
        for _ in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut or not left:
                break
            legal = observation["action_mask"].nonzero()[0]
            actions.append(int(legal[int(uniform() * len(legal))]))
            env.step(actions[-1])
            left -= 1
        games.append((len(games), actions))
    return games


def replay(env: Any, games: list[Game]) -> float:
    """CPU seconds of a step: `agent_iter`, `last`, `step`, observation and mask read."""
    took = 0.0
    for seed, actions in games:
        env.reset(seed=seed)
        rest = iter(actions)
        started = time.process_time()
        for _ in env.agent_iter():
            observation, _, _, _, _ = env.last()
            observation["observation"], observation["action_mask"]  # as users do
            action = next(rest, None)
            if action is None:
                break
            env.step(action)
        took += time.process_time() - started
    return took / STEPS


def main() -> None:
    """Serve whoever wants to measure versions in turn."""
    envs = {NULL: NullEnv(), **{v: uno_env.env(v, num_players=4) for v in VARIANTS}}
    games = {name: recorded(env) for name, env in envs.items()}
    for _ in sys.stdin:
        times = {name: replay(env, games[name]) for name, env in envs.items()}
        print(json.dumps(times), flush=True)


if __name__ == "__main__":
    main()
