"""Play against agents in the terminal: `uno-play heuristic greedy --variant classic --players 3`.

You sit at one seat and see what it may know; the agents play all the others.
"""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from uno_env import Game, IllegalAction, Rules
from uno_env.command_line import CommandParser
from uno_env.envs.options import table_size
from uno_env.render import action_words, render

from .advice import advise
from .base import Agent, AgentError
from .play_help import help_text, seat_names
from .registry import agents_help, make_agent

EXAMPLE = "uno-play greedy --variant classic --players 2"


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        example=EXAMPLE,
        prog="uno-play",
        description="Play UNO in the terminal against agents.",
        epilog=f"agents:\n{agents_help()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "agents", nargs="+", metavar="agent",
        help="agent specs, dealt out in turn to the seats clockwise of you",
    )  # fmt: skip
    parser.add_argument("--variant", default="classic", help="preset or rules text (classic)")
    parser.add_argument("--players", type=int, help="table size (the variant's usual one)")
    parser.add_argument("--seat", type=int, default=0, help="your seat (0)")
    parser.add_argument("--seed", type=int, help="deal these cards (new ones each time)")
    parser.add_argument("--coach", metavar="AGENT", help="show what this agent would do for you")
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
        specs = seating(options.agents, players, options.seat)
        agents = {seat: make_agent(spec, seed=seed + seat) for seat, spec in specs.items()}
        coach = make_agent(options.coach, seed=seed) if options.coach else None
        game = Game(rules=rules, num_players=players, seed=seed)
    except (AgentError, ValueError) as error:
        print(f"uno-play: {error}", file=sys.stderr)
        return 2
    names = seat_names(players, options.seat)
    print("; ".join(f"{names[seat]}: {spec}" for seat, spec in specs.items()))
    try:
        play(game, agents, options.seat, coach=coach)
    except (EOFError, KeyboardInterrupt):
        print("\nStopped.")
        return 1
    except (AgentError, IllegalAction) as error:
        print(f"uno-play: {error}", file=sys.stderr)
        return 1
    again = ["uno-play", *options.agents, "--variant", rules.text(), "--players", players]
    again += ["--seat", options.seat, "--seed", seed]
    again += ["--coach", options.coach] if options.coach else []
    print(f"The same cards again: {shlex.join(map(str, again))}")
    return 0


def seating(specs: Sequence[str], players: int, seat: int) -> dict[int, str]:
    """The spec of each seat but yours, dealt out in turn clockwise of you."""
    if len(specs) >= players:
        raise AgentError(
            f"{len(specs)} agents for {players - 1} seats; allowed: 1 to {players - 1}"
        )
    others = [(seat + step) % players for step in range(1, players)]
    return {other: specs[index % len(specs)] for index, other in enumerate(others)}


def play(
    game: Game,
    agents: dict[int, Agent],
    seat: int,
    ask: Callable[[str], str] = input,
    coach: Agent | None = None,
) -> None:
    """Play a game to its end.

    Args:
        agents: who plays each of the other seats.
        seat: that of the person, for whom `ask` answers.
        coach: whose advice the person is shown before each choice.
    """
    names = seat_names(game.num_players, seat)
    while not game.over:
        actor = game.actor
        if actor is None:
            raise RuntimeError("a running game has a seat to act")
        legal = game.legal()
        if actor != seat:
            game.step(_answer(agents[actor], game, actor, legal, names[actor]))
            continue
        # A move without a choice is shown, too: nobody likes to find it made.
        print(render(game, "ansi", seat, names))
        if coach is not None and len(legal) > 1:
            print(_advice(coach, game, seat, legal, names))
        game.step(_choice(game, seat, names, ask))
    print(render(game, "ansi", seat, names))


def _answer(agent: Any, game: Game, actor: int, legal: list[str], name: str) -> str:
    """What an agent does; one that cheats is shown the game, the others their view."""
    if getattr(agent, "cheats", False):
        answer = agent.act_game(game.clone())
    else:
        answer = agent.act(game.view(actor), legal)
    if answer not in legal:
        raise AgentError(f"{name} ({agent!r}) chose {answer!r}; allowed: {', '.join(legal)}")
    return str(answer)


def _advice(coach: Agent, game: Game, seat: int, legal: list[str], names: list[str]) -> str:
    """The coach's choice, the chances of the others it would consider, and that of winning."""
    advice = advise(coach, game.view(seat), legal)
    text = f"Coach: {action_words(advice.action, seat, names, game.phase)}"
    if advice.probabilities:
        likely = sorted(advice.probabilities.items(), key=lambda pair: -pair[1])
        phase = game.phase
        shares = [f"{action_words(a, seat, names, phase)} {p:.0%}" for a, p in likely if p >= 0.005]
        text += f" ({', '.join(shares)})"
    if advice.win_estimate is not None:
        text += f"; you win {advice.win_estimate:.0%} from here"
    return f"{text}."


def _choice(game: Game, seat: int, names: list[str], ask: Callable[[str], str]) -> str:
    """One of the legal actions, by number or text; asks until it gets one."""
    legal = game.legal()
    only = action_words(legal[0], seat, names, game.phase)
    question = f"Your choice (1 to {len(legal)}, ? for help, q to stop): "
    if len(legal) == 1:
        question = f"You can only {only}: press Enter (? for help, q to stop). "
    while True:
        answer = ask(question).strip()
        if answer == "q":
            raise EOFError
        if answer == "?":
            print(help_text(game, seat, names))
            continue
        if len(legal) == 1:
            return legal[0]
        if answer in legal:
            return answer
        if answer.isdecimal() and 1 <= int(answer) <= len(legal):
            return legal[int(answer) - 1]
        print(f"{answer!r} is not a choice.")


if __name__ == "__main__":
    sys.exit(main())
