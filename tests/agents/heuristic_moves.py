"""Games the heuristic plays with itself, as text: `python -m tests.agents.heuristic_moves`."""

from uno_agents.heuristic.agent import HeuristicAgent

import uno_env as uno

MOST_STEPS = 120


def moves() -> list[str]:
    """The action ids of one game of each variant."""
    lines = []
    for variant in uno.VARIANTS:
        game = uno.Game(variant, num_players=4, seed=7)
        agent = HeuristicAgent(3)
        ids: list[int] = []
        while game.actor is not None and len(ids) < MOST_STEPS:
            rows = game.observe(game.actor)[None], game.mask()[None]
            ids.append(int(agent.act_batch(*rows)[0]))
            game.step(ids[-1])
        lines.append(f"{variant} {ids}")
    return lines


if __name__ == "__main__":
    print("\n".join(moves()))
