"""`uno-arena profile SPEC`: how often an agent takes search's action, by phase, and what it loses.

The agent plays duplicate deals against a table of opponents. At each of its decisions with a choice
`search` estimates the win probability of every legal action from the same view.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from uno_agents.base import AgentError
from uno_agents.search.agent import SearchAgent

from uno_env import Game, Rules
from uno_env.actions import action_text
from uno_env.envs.opponents import reset_agent
from uno_env.envs.options import table_size

from ..play.agent_calls import Fault, GuardedAgent
from ..play.entrants import AgentLike, build_agent, check_agent
from ..play.matchup import arena_rules, deal_seeds, sides_of
from ..report.formatting import percent
from ..stats.intervals import Estimate, binomial_interval

FORMAT = "uno-arena-profile-1"
ALL = "all"
DEFAULT_SIMS = 1000


class Decision(NamedTuple):
    """One decision of the agent with more than one legal action."""

    phase: str
    agrees: bool
    regret: float
    """Estimated win probability of search's action less that of the agent's."""


@dataclass(frozen=True)
class PhaseProfile:
    """All decisions of one phase."""

    phase: str
    decisions: int
    agreement: Estimate
    """Share of decisions in which the agent took search's action, with its 95 % interval."""
    regret: float
    """Mean regret in estimated win probability."""
    regret_error: float
    """Its standard error."""


@dataclass(frozen=True)
class SkillProfile:
    """An agent's agreement with search, phase by phase, the most frequent first."""

    agent: str
    opponent: str
    rules: str
    players: int
    deals: int
    games: int
    seed: int
    sims: int
    forfeits: int
    phases: tuple[PhaseProfile, ...]


def skill_profile(
    agent: AgentLike,
    rules: Rules,
    players: int,
    deals: int,
    *,
    opponent: str = "heuristic",
    sims: int = DEFAULT_SIMS,
    seed: int = 0,
) -> SkillProfile:
    """Play and measure.

    Args:
        agent: a spec or an object.
        deals: each is played once from every side.
        opponent: the spec of who fills the rest of the table.
        sims: simulations of search for each decision.
    """
    rules.check_players(players)
    sides = sides_of(rules, players)
    guarded = GuardedAgent(lambda: build_agent(agent, seed))
    search = SearchAgent(sims=sims, seed=seed)

    def play(number: int) -> tuple[list[Decision], bool]:
        deal, rotation = divmod(number, sides)
        game = Game(arena_rules(rules), players, int(deal_seeds(seed, deal, deal + 1)[0]))
        seats = [seat for seat in range(players) if seat % sides == rotation]
        mine = guarded.for_game(seed + number)
        if mine.interface != "concurrent":
            reset_agent(mine.agent, seed + number)
        others = GuardedAgent(lambda: build_agent(opponent, seed + number))
        return _play(game, seats, mine, others, search)

    at_once = 1
    if guarded.interface == "concurrent" and not guarded.broken:
        at_once = guarded.agent.concurrency
    with ThreadPoolExecutor(at_once) as pool:
        played = list(pool.map(play, range(deals * sides)))
    decisions = [decision for made, _ in played for decision in made]
    return SkillProfile(
        agent if isinstance(agent, str) else str(getattr(agent, "name", type(agent).__name__)),
        opponent,
        rules.text(),
        players,
        deals,
        deals * sides,
        seed,
        sims,
        sum(forfeited for _, forfeited in played),
        tuple(_phases(decisions)),
    )


def _play(
    game: Game, seats: Sequence[int], agent: GuardedAgent, others: GuardedAgent, search: SearchAgent
) -> tuple[list[Decision], bool]:
    """The agent's decisions in one game, and whether it forfeited it."""
    decisions: list[Decision] = []
    while (seat := game.actor) is not None:
        if seat not in seats:
            game.step(_opponents_action(others, game, seat))
            continue
        try:
            action = agent.act(game, seat)
        except Fault:
            return decisions, True
        legal = game.legal()
        if len(legal) > 1:
            decisions.append(_judge(search, game, seat, action_text(action, game.phase)))
        game.step(action)
    return decisions, False


def _opponents_action(agent: GuardedAgent, game: Game, seat: int) -> int:
    try:
        return agent.act(game, seat)
    except Fault as fault:
        raise AgentError(f"the opponent in seat {seat} cannot go on: {fault}") from None


def _judge(search: SearchAgent, game: Game, seat: int, action: str) -> Decision:
    view, legal = game.view(seat), game.legal()
    estimates = search.evaluate(view, legal)
    best, chosen = estimates[0], next(each for each in estimates if each.action == action)
    return Decision(game.phase, chosen is best, best.q_value - chosen.q_value)


def _phases(decisions: Sequence[Decision]) -> Iterator[PhaseProfile]:
    by_phase: dict[str, list[Decision]] = {ALL: list(decisions)}
    for decision in decisions:
        by_phase.setdefault(decision.phase, []).append(decision)
    for phase, made in sorted(by_phase.items(), key=lambda item: -len(item[1])):
        if made:
            regrets = np.array([decision.regret for decision in made])
            error = float(regrets.std(ddof=1)) / len(made) ** 0.5 if len(made) > 1 else 0.0
            agreed = sum(decision.agrees for decision in made)
            interval = binomial_interval(agreed, len(made))
            yield PhaseProfile(phase, len(made), interval, float(regrets.mean()), error)


def to_json(profiles: Sequence[SkillProfile]) -> str:
    """Profiles as JSON: the same games give the same bytes."""
    data = {"format": FORMAT, "profiles": [_plain(vars(profile)) for profile in profiles]}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, PhaseProfile):
        return _plain(vars(value))
    if isinstance(value, Estimate):
        return _plain(value._asdict())
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return round(value, 6) if isinstance(value, float) else value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena profile`."""
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="agent specs")
    parser.add_argument("--variant", default="classic", help="a preset or a rules text (classic)")
    parser.add_argument("--players", type=int, help="table size (the variant's usual one)")
    parser.add_argument("--deals", type=int, default=20, help="each played from every side (20)")
    parser.add_argument("--opponent", default="heuristic", help="the rest of the table (heuristic)")
    parser.add_argument("--sims", type=int, default=DEFAULT_SIMS, help=(
        f"simulations of search for each decision ({DEFAULT_SIMS})"
    ))  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="fixes the cards and the agents (0)")
    parser.add_argument("--json", metavar="FILE", help="write the profiles as JSON; - prints them")


def run(options: argparse.Namespace) -> int:
    """Measure, print a table for each agent and write the file."""
    from rich.console import Console

    if options.deals < 1:
        raise ValueError(f"--deals is {options.deals}; 1 or more are needed")
    rules = Rules.from_text(options.variant)
    players = table_size(rules, options.players)
    for agent in (*options.agents, options.opponent):
        check_agent(agent)
    profiles = [
        skill_profile(
            agent, rules, players, options.deals,
            opponent=options.opponent, sims=options.sims, seed=options.seed,
        )
        for agent in options.agents
    ]  # fmt: skip
    if options.json == "-":
        sys.stdout.write(to_json(profiles))
    elif options.json:
        Path(options.json).write_text(to_json(profiles), encoding="utf-8")
    for profile in profiles:
        print_profile(profile, Console(stderr=options.json == "-"))
    return 0


def print_profile(profile: SkillProfile, console: Any) -> None:
    """A row for each phase."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(
        title=escape(
            f"{profile.agent} against {profile.opponent}: {profile.rules}, {profile.players} "
            f"players, {profile.games} games, {profile.forfeits} forfeits; "
            f"search:sims={profile.sims}"
        ),
        title_justify="left",
        title_style="bold",
    )
    table.add_column("phase")
    for column in ("decisions", "agreement", "95 % interval", "mean regret", "standard error"):
        table.add_column(column, justify="right")
    for phase in profile.phases:
        rate = phase.agreement
        table.add_row(
            phase.phase,
            f"{phase.decisions:,}",
            percent(rate.value),
            f"{100 * rate.low:.1f} to {100 * rate.high:.1f}",
            f"{phase.regret:.4f}",
            f"{phase.regret_error:.4f}",
        )
    console.print(table)
