"""`uno-arena record`: games of an agent as a dataset for offline RL, in Minari's format.

An episode is what one seat saw and did in one game, as in `uno_env/Uno-v0`: the others' moves lie
between two of its steps. Observations are bytes with the mask of legal actions beside them.
"""

import argparse
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from uno_agents.base import BatchAgent
from uno_agents.registry import make_agent

from uno_env import Rules, __version__, action_id
from uno_env.array_types import Array, Ints
from uno_env.envs.observation_spec import observation_dict

NEEDED = "uno-arena record needs Minari: pip install 'uno-env[minari]'"
ROOT_VARIABLE = "MINARI_DATASETS_PATH"
"""Where Minari looks for its datasets."""


class RecordError(ValueError):
    """A dataset that cannot be written."""


@dataclass(frozen=True)
class EpisodeData:
    """One seat's part of one game: T decisions, T + 1 observations."""

    seed: int
    observations: dict[str, Array]
    actions: Ints
    rewards: Array
    is_truncated: bool


def play_episode(env: Any, agent: Any, seed: int) -> EpisodeData:
    """Let an agent play one game of a `uno_env/Uno-v0` environment."""
    table = env.unwrapped
    observation, _ = env.reset(seed=seed)
    seen, masks = [observation], [table.action_masks()]
    actions: list[int] = []
    rewards: list[float] = []
    terminated = truncated = False
    while not (terminated or truncated):
        actions.append(_decision(agent, table, seen[-1], masks[-1]))
        observation, reward, terminated, truncated, _ = env.step(actions[-1])
        rewards.append(float(reward))
        seen.append(observation)
        masks.append(table.action_masks())
    observations = {"observation": np.stack(seen), "action_mask": np.stack(masks).astype(np.int8)}
    return EpisodeData(
        seed, observations, np.array(actions, np.int64), np.array(rewards), truncated
    )


def _decision(agent: Any, table: Any, observation: Array, mask: Array) -> int:
    if isinstance(agent, BatchAgent):
        return int(agent.act_batch(observation[None], mask[None].astype(np.uint8))[0])
    view = table.view()
    action = agent.act(view, view["legal"])
    return action_id(action) if isinstance(action, str) else int(action)


def write_minari(
    dataset_id: str, spec: str, env: Any, episodes: list[EpisodeData], root: Path | None
) -> Path:
    """Write episodes as a Minari dataset; returns its folder."""
    try:
        import minari
        from minari.data_collector import EpisodeBuffer
    except ImportError:
        raise RecordError(NEEDED) from None
    buffers = [
        EpisodeBuffer(
            id=number,
            seed=episode.seed,
            observations=episode.observations,
            actions=episode.actions,
            rewards=list(episode.rewards),
            terminations=_ends(episode, not episode.is_truncated),
            truncations=_ends(episode, episode.is_truncated),
        )
        for number, episode in enumerate(episodes)
    ]
    with _root(root), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="`author_email` is set to None")
        dataset = minari.create_dataset_from_buffers(
            dataset_id=dataset_id,
            buffer=buffers,
            env=env.spec,
            eval_env=env.spec,
            observation_space=observation_dict(),
            action_space=env.action_space,
            algorithm_name=spec,
            author="uno_env contributors",
            code_permalink="https://github.com/uno-env/uno_env",
            description=f"{spec} at {env.spec.kwargs}; uno-env {__version__}",
            requirements=[f"uno-env=={__version__}"],
        )
    return Path(dataset.storage.data_path).parent


def _ends(episode: EpisodeData, is_so: bool) -> list[bool]:
    return [False] * (len(episode.actions) - 1) + [is_so]


@contextmanager
def _root(folder: Path | None) -> Iterator[None]:
    """Minari's folder of datasets while the block runs."""
    before = os.environ.get(ROOT_VARIABLE)
    if folder is not None:
        os.environ[ROOT_VARIABLE] = str(folder.resolve())
    try:
        yield
    finally:
        if folder is not None:
            os.environ.pop(ROOT_VARIABLE)
            if before is not None:
                os.environ[ROOT_VARIABLE] = before


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena record`."""
    parser.add_argument("agent", help="whose games are recorded: an agent spec")
    parser.add_argument("--format", choices=["minari"], default="minari", help="of the dataset")
    parser.add_argument("--id", help="of the dataset (uno/VARIANT-AGENT-v0)")
    parser.add_argument("--variant", default="classic", help="preset or rules text (classic)")
    parser.add_argument("--players", type=int, default=2, help="table size (2)")
    parser.add_argument("--opponents", default="heuristic", help="who plays the rest (heuristic)")
    parser.add_argument("--games", type=int, default=100, help="episodes (100)")
    parser.add_argument("--seed", type=int, default=0, help="of the first game (0)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="root of datasets (Minari's own)")


def run(options: argparse.Namespace) -> int:
    """Play and write."""
    from rich.progress import track

    if options.games < 1:
        raise RecordError(f"games is {options.games}; one or more are needed")
    rules = Rules.from_text(options.variant)
    agent = make_agent(options.agent, seed=options.seed)
    if hasattr(agent, "act_game"):
        raise RecordError(f"agent {options.agent!r} sees hidden cards; its games are no such data")
    env = gymnasium.make(
        "uno_env/Uno-v0",
        variant=rules.text(),
        num_players=options.players,
        opponents=options.opponents,
        keep_events=not isinstance(agent, BatchAgent),
    )
    seeds = range(options.seed, options.seed + options.games)
    episodes = [play_episode(env, agent, seed) for seed in track(seeds, "Playing", transient=True)]
    name = "".join(letter if letter.isalnum() else "-" for letter in options.agent)
    dataset_id = options.id or f"uno/{rules.variant}-{name}-v0"
    folder = write_minari(dataset_id, options.agent, env, episodes, options.out)
    steps = sum(len(episode.actions) for episode in episodes)
    won = sum(episode.rewards[-1] > 0 for episode in episodes)
    print(f"{dataset_id}: {len(episodes)} episodes, {steps} steps, {won} won, in {folder}")
    return 0
