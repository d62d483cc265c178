"""Shared by the environment tests: presets with table sizes, and whole episodes by chance."""

from collections.abc import Callable
from typing import Any

import numpy as np

TABLES = [
    ("hyper_speed", 2),
    ("hyper_speed", 10),
    ("classic", 2),
    ("classic", 3),
    ("classic", 7),
    ("no_mercy", 2),
    ("no_mercy", 4),
    ("no_mercy", 6),
    ("ig2000", 2),
    ("ig2000", 4),
    ("loche", 5),
    ("loche", 10),
    ("teams", 4),
    ("teams", 8),
]


def choose(mask: Any, rng: np.random.Generator) -> int:
    """A legal action by chance; it must exist."""
    legal = np.flatnonzero(mask)
    assert len(legal), "the agent to act has no legal action"
    return int(rng.choice(legal))


def eager(mask: Any, rng: np.random.Generator) -> int:
    """Mostly the first legal action, a card if there is one: chance alone rarely ends `teams`."""
    return int(mask.argmax()) if rng.random() < 0.9 else choose(mask, rng)


End = tuple[float, bool, bool, dict[str, Any]]


def play_out(env: Any, seed: int, pick: Callable[..., int] = choose) -> dict[str, End]:
    """A whole episode of an AEC env; what `last()` says to each agent in the end."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    ends = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            ends[agent] = (reward, terminated, truncated, info)
            env.step(None)
        else:
            env.step(pick(observation["action_mask"], rng))
    return ends


def play_some(env: Any, seed: int, steps: int) -> None:
    """Some decisions of an AEC env, fewer if it ends before."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(steps):
        if any(env.terminations.values()) or any(env.truncations.values()):
            break
        env.step(choose(env.last()[0]["action_mask"], rng))
