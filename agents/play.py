"""Play against an agent in the terminal: `uno-play runs/quick/last --variant classic`.

You sit at one seat and see what it may know; the agent plays all the others.
"""

import argparse
import sys
from collections.abc import Callable, Sequence

import numpy as np

from uno_env import Game, Rules
from uno_env.options import table_size
from uno_env.render import action_words, render

from .base import Agent, AgentError
from .registry import make_agent

EXAMPLE = "uno-play greedy --variant classic --players 2"


class _Parser(argparse.ArgumentParser):
    def format_help(self) -> str:
        return f"example: {EXAMPLE}\n\n{super().format_help()}"


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="uno-play", description="Play UNO in the terminal against an agent.")
    parser.add_argument("agent", help="agent spec: random, greedy, or a checkpoint folder")
    parser.add_argument("--variant", default="classic", help="preset or rules text (classic)")
    parser.add_argument("--players", type=int, help="table size (the variant's usual one)")
    parser.add_argument("--seat", type=int, default=0, help="your seat (0)")
    parser.add_argument("--seed", type=int, help="deal these cards (new ones each time)")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        rules = Rules.from_text(options.variant)
        players = table_size(rules, options.players)
        if not 0 <= options.seat < players:
            raise ValueError(f"--seat is {options.seat}; allowed: 0 to {players - 1}")
        seed = options.seed
        if seed is None:
            seed = int(np.random.default_rng().integers(2**32))
        agent = make_agent(options.agent, seed=seed)
        game = Game(rules=rules, num_players=players, seed=seed)
    except (AgentError, ValueError) as error:
        print(f"uno-play: {error}", file=sys.stderr)
        return 2
    try:
        play(game, agent, options.seat)
    except (EOFError, KeyboardInterrupt):
        print("\nStopped.")
        return 1
    print(f"The same cards again: uno-play {options.agent} --variant '{rules.text()}' "
          f"--players {players} --seat {options.seat} --seed {seed}")  # fmt: skip
    return 0


def play(game: Game, agent: Agent, seat: int, ask: Callable[[str], str] = input) -> None:
    """Play a game to its end; `ask` answers for the person at `seat`, `agent` for all others."""
    names = [f"Agent {other}" for other in range(game.num_players)]
    names[seat] = "You"
    while not game.over:
        actor = game.actor
        if actor is None:
            raise RuntimeError("a running game has a seat to act")
        legal = game.legal()
        if actor != seat:
            game.step(agent.act(game.view(actor), legal))
        elif len(legal) == 1:
            # Nothing to choose: say it and go on.
            print(f"You have one choice: {action_words(legal[0], seat, names)}.")
            game.step(legal[0])
        else:
            print(render(game, "ansi", seat, names))
            game.step(_choice(legal, ask))
    print(render(game, "ansi", seat, names))


def _choice(legal: list[str], ask: Callable[[str], str]) -> str:
    """One of the legal actions, by number or text; asks until it gets one."""
    while True:
        answer = ask(f"Your choice (0 to {len(legal) - 1}, q to stop): ").strip()
        if answer == "q":
            raise EOFError
        if answer in legal:
            return answer
        if answer.isdecimal() and int(answer) < len(legal):
            return legal[int(answer)]
        print(f"{answer!r} is not a choice.")


if __name__ == "__main__":
    sys.exit(main())
