"""Speed of the search agents: simulated decisions and simulations a second, time of a decision.

    python -m benchmarks.search [--positions 40]

One process, CPU time. Positions come from games among heuristics, at the usual table of each
preset and with four players; decisions with one legal action, calls and catches, which are not
searched, are left out.
"""

import argparse
import statistics
import time
from collections.abc import Sequence

import numpy as np
from uno_agents.heuristic.agent import HeuristicAgent
from uno_agents.search.agent import SearchAgent

from uno_env import VARIANTS, Game
from uno_env.rules import default_players
from uno_env.state_io.view import View

SIMS = (200, 1000, 4000)
EVERY = 5
"""One decision in so many is taken as a position."""

Question = tuple[View, list[str]]


def questions(variant: str, num_players: int, count: int) -> list[Question]:
    """Decisions worth a search, from games among heuristics."""
    player = HeuristicAgent(0)
    found: list[Question] = []
    seen = 0
    for seed in range(10**6):
        game = Game(variant, num_players, seed)
        while not game.over:
            seat = game.actor
            if seat is None:
                raise RuntimeError("a running game has a seat to act")
            view, legal = game.view(seat), game.legal()
            if len(legal) > 1 and game.phase not in ("uno-call", "uno-catch"):
                seen += 1
                if seen % EVERY == 0:
                    found.append((view, legal))
                    if len(found) == count:
                        return found
            game.step(player.act(view, legal))
    raise RuntimeError("no decisions found")


def act_times(asked: Sequence[Question], sims: int) -> tuple[list[float], SearchAgent]:
    """CPU seconds of each decision."""
    agent = SearchAgent(sims=sims)
    agent.act(*asked[0])
    agent.search.reset_counts()
    times = []
    for view, legal in asked:
        started = time.process_time()
        agent.act(view, legal)
        times.append(time.process_time() - started)
    return times, agent


def row(variant: str, num_players: int, positions: int) -> str:
    """One line of the table."""
    asked = questions(variant, num_players, positions)
    cells = []
    for sims in SIMS:
        times, agent = act_times(asked, sims)
        middle, most = statistics.median(times), float(np.quantile(times, 0.95))
        cells.append(f"{1e3 * middle:.1f} ({1e3 * most:.1f})")
    # The last and largest budget, so that the cost of a question is spread thin.
    total = sum(times)
    decisions, simulations = agent.search.decisions / total, agent.search.sims / total
    return (
        f"| {variant}, {num_players} players | {decisions / 1e6:.2f} | {simulations:,.0f} "
        f"| {' | '.join(cells)} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="python -m benchmarks.search --positions 40")
    parser.add_argument("--positions", type=int, default=40)
    positions = parser.parse_args().positions
    if positions < 2:
        parser.error(f"--positions is {positions}; at least 2 are needed")
    columns = [f"sims={sims}: ms" for sims in SIMS]
    print(f"| | million decisions/s | simulations/s | {' | '.join(columns)} |")
    print("|---|---:|---:|" + "---:|" * len(columns))
    for variant in VARIANTS:
        for num_players in sorted({default_players(variant), 4}):
            print(row(variant, num_players, positions), flush=True)


if __name__ == "__main__":
    main()
