"""Compile everything a server needs: `python -m uno_serve.warm_up`, for the build of an image."""

from uno_agents.registry import make_agent

from uno_env import Game

from .bots.decision import warm_up

BOTS = ("heuristic", "greedy", "search:sims=20")


def main() -> None:
    """Compile the engine, and the bots that are offered without further packages."""
    warm_up()
    game = Game("classic", 2, seed=1)
    for name in BOTS:
        make_agent(name).act(game.view(game.actor or 0), game.legal())


if __name__ == "__main__":
    main()
