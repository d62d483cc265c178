"""Decisions of agents on fixed positions, as compact texts; `python -m tests.agents.decisions`.

Run it to write `tests/golden/decisions.json` anew, after a change that is meant to change play.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from uno_agents.registry import make_agent

import uno_env
from uno_env.array_types import Bytes

FILE = Path(__file__).parents[1] / "golden" / "decisions.json"
TABLES = {
    "hyper_speed": (2, 4, 6),
    "classic": (2, 4, 6),
    "no_mercy": (2, 4, 6),
    "ig2000": (2, 4, 6),
    "loche": (2, 4, 6),
    "teams": (4, 6, 8),
}
BATCH_SPECS = ("random", "greedy", "heuristic", "pretrained:generalist", "frozen:generalist-1")
SEARCH_SPECS = ("search:sims=40", "search:sims=40,policy=heuristic")
GAMES, STEPS, EVERY, DECISIONS = 12, 96, 12, 24


def positions(variant: str, num_players: int) -> Iterator[tuple[Bytes, Bytes]]:
    """Observations and masks of positions that random play reaches."""
    v = uno_env.vec(variant, num_envs=GAMES, num_players=num_players, seed=17)
    v.reset()
    for step in range(STEPS):
        if step % EVERY == 0:
            yield v.obs, v.mask
        v.step(v.random_actions())


def batch_decisions(variant: str, num_players: int) -> dict[str, str]:
    """By spec, what each batch agent does on positions reached by random play."""
    own = f"pretrained:{variant}"
    specs = (*BATCH_SPECS, own, f"{own}:sample=1", f"frozen:{variant}-1")
    agents = {spec: make_agent(spec, seed=3) for spec in specs}
    chosen = {spec: bytearray() for spec in agents}
    for obs, mask in positions(variant, num_players):
        for spec, agent in agents.items():
            ids = np.asarray(agent.act_batch(obs, mask))
            chosen[spec] += ids.astype(np.uint8).tobytes()
    return {spec: base64.b64encode(ids).decode() for spec, ids in chosen.items()}


def search_decisions(variant: str, num_players: int) -> dict[str, str]:
    """By spec, the actions of the first decisions of a game that the agent plays by itself."""
    found = {}
    for spec in (*SEARCH_SPECS, "oracle:sims=40"):
        agent = make_agent(spec, seed=4)
        game = uno_env.Game(variant, num_players=num_players, seed=23)
        ids = bytearray()
        while not game.over and len(ids) < DECISIONS:
            cheats = getattr(agent, "cheats", False)
            legal = game.legal()
            action = agent.act_game(game) if cheats else agent.act(game.view(game.actor), legal)
            ids.append(uno_env.action_id(action))
            game.step(action)
        found[spec] = base64.b64encode(ids).decode()
    return found


def all_decisions() -> dict[str, dict[str, str]]:
    """Decisions by table and spec."""
    found = {}
    for variant, sizes in TABLES.items():
        for num_players in sizes:
            found[f"{variant}-{num_players}"] = batch_decisions(variant, num_players)
        found[f"{variant}-{sizes[0]}"] |= search_decisions(variant, sizes[0])
    return found


if __name__ == "__main__":
    FILE.write_text(json.dumps(all_decisions(), indent=1) + "\n", "utf-8")
