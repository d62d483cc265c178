"""Agents asked about positions that strangers made up, in a process of its own: it may crash.

    python -m tests.agents.fuzz --first 0 --count 100

Views of spoilt snapshots, and views spoilt themselves, are put before the agents whose kernels read
them. They may refuse one, or answer with a legal action. Run with `NUMBA_BOUNDSCHECK=1`, an array
index out of bounds is an error as well.
"""

import argparse
import faulthandler
import json
from typing import Any

import numpy as np
from uno_agents.registry import make_agent

import uno_env as uno

from ..engine.fuzz import OUT_OF_BOUNDS, SECONDS, some_snapshot, spoil

AGENTS = ("heuristic", "search:sims=8", "pretrained:generalist")


def try_case(number: int, agents: list[Any]) -> int:
    """One case; how many answers there were."""
    rng = np.random.default_rng([number, 7])
    data = some_snapshot(rng)
    spoilt = [spoil(data, "all", rng)] if rng.random() < 0.5 else []
    try:
        game = uno.Game.from_snapshot(data)
    except ValueError:
        return 0
    if game.over:
        return 0
    legal = game.legal()
    view = json.loads(json.dumps(game.view(game.actor)))
    if not spoilt:
        spoilt = [spoil(view, "view", rng) for _ in range(int(rng.integers(1, 3)))]
    print(f"case {number}: {'; '.join(spoilt)}", flush=True)
    return sum(is_answered(agent, view, legal) for agent in agents)


def is_answered(agent: Any, view: dict[str, Any], legal: list[str]) -> bool:
    """Whether an agent answers rather than refuse."""
    try:
        action = agent.act(view, legal)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError) as refusal:
        # Python's own IndexErrors about a spoilt view have other words.
        assert OUT_OF_BOUNDS not in str(refusal), f"{agent}: {refusal}"
        return False
    assert action in legal, f"{agent} answered {action!r}"
    return True


def try_bytes(agents: list[Any], seed: int, count: int) -> None:
    """Observations of any bytes at all: what is legal cannot be told then, an action id can."""
    rng = np.random.default_rng(seed)
    obs = rng.integers(0, 256, (count, uno.OBS_SIZE), np.uint8)
    obs[rng.random(obs.shape) < 0.5] = 0
    mask = (rng.random((count, uno.NUM_ACTIONS)) < 0.2).astype(np.uint8)
    mask[:, 0] = 1
    for agent in agents:
        if hasattr(agent, "act_batch"):
            chosen = agent.act_batch(obs, mask)
            assert ((chosen >= 0) & (chosen < uno.NUM_ACTIONS)).all(), agent


def main() -> None:
    """Run cases; the exit code is 0 if all were refused or answered."""
    parser = argparse.ArgumentParser(description="Fuzz agents with positions.")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    faulthandler.enable()
    agents = [make_agent(spec, seed=1) for spec in AGENTS]
    # Kernels may have to be compiled: that is no hang.
    game = uno.Game.from_snapshot(some_snapshot(np.random.default_rng(0)))
    for agent in agents:
        agent.act(game.view(game.actor), game.legal())
    answers = 0
    for number in range(options.first, options.first + options.count):
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        answers += try_case(number, agents)
    faulthandler.cancel_dump_traceback_later()
    try_bytes(agents, options.first, 20 * options.count)
    print(f"{answers} of {options.count * len(agents)} answered")


if __name__ == "__main__":
    main()
