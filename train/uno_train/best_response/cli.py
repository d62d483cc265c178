"""`uno-arena best-response AGENT`: how much does an opponent win who knows the agent?

The command belongs to the arena, which knows it by name and imports it when it is called: responses
are trained, and the arena itself imports no trainer.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from uno_agents.base import BatchAgent, batch_form
from uno_agents.registry import make_agent
from uno_arena.api import compare
from uno_arena.benchmark.agent_hash import agent_hash
from uno_arena.evaluate import Result, evaluate

from uno_env import Rules
from uno_env.command_line import CommandParser
from uno_env.envs.options import table_size
from uno_env.first_use import warm_up

from ..config import ConfigError
from ..tables import TableConfig

FORMAT = "uno_env-best-response-1"
EXAMPLE = "uno-arena best-response heuristic --variant classic --players 2 --minutes 10"
RUNS = Path("runs/best-response")
SELECTION_SEED, FRESH_SEED = 1 << 44, 1 << 45
"""Deals on which the best response is selected, and those on which it is then measured."""
USES = ("game", "batch", "heuristic", "network", "teacher", "arena")
TRAINED = ("scratch", "agent", "distill")
SEARCH = "search"
STARTS = (*TRAINED, SEARCH)
FIXED = ("heuristic",)
"""Agents that are tried as responses as they are; they cost nothing."""
SEARCH_SIMS = 128
DECISIONS = 300_000
RESPONDER = '''"""A local best response to {opponent!r}: search that knows its policy."""

from uno_agents.registry import make_agent
from uno_agents.search.known_opponent import KnownOpponentSearch


class Responder(KnownOpponentSearch):
    """Rollouts continue with {policy!r} on the own seat."""

    def __init__(self, seed: int = 0) -> None:
        opponent, policy = make_agent({opponent!r}, seed), make_agent({policy!r}, seed)
        super().__init__(opponent, policy, sims={sims}, seed=seed)
'''
"""The agent file of a search response."""


class Response(NamedTuple):
    """A response and how it did on the deals of the selection."""

    start: str
    spec: str
    agent: Any
    result: Result
    decisions: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena best-response`."""
    parser.add_argument("agent", help="agent spec; it stays frozen")
    parser.add_argument("--variant", default="classic", help="preset or rules text (classic)")
    parser.add_argument("--players", type=int, help="table size (the variant's usual one)")
    parser.add_argument("--out", type=Path, help=f"folder of the response ({RUNS}/NAME)")
    add_search_arguments(parser)


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags that say how long and how widely responses are searched for."""
    parser.add_argument("--minutes", type=float, default=0.0, help="training time, in all starts")
    parser.add_argument("--decisions", type=int, default=0, metavar="N", help=(
        f"decisions of each trained start, instead of minutes: reproducible ({DECISIONS})"
    ))  # fmt: skip
    parser.add_argument("--starts", nargs="+", default=list(STARTS), metavar="START", help=(
        f"which responses are tried ({' '.join(STARTS)})"
    ))  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="of the training (0)")
    parser.add_argument("--selection-deals", type=int, default=500, metavar="N", help=(
        "duplicate deals on which the best start is selected (500)"
    ))  # fmt: skip
    parser.add_argument("--deals", type=int, default=2000, help=(
        "fresh duplicate deals on which it is measured (2000)"
    ))  # fmt: skip
    parser.add_argument("--search-deals", type=int, default=100, metavar="N", help=(
        "deals of both kinds for the search response, which takes seconds a game (100)"
    ))  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(options: argparse.Namespace) -> int:
    """Find the best response and print how it did."""
    report, out = find(options)
    _print(report, out)
    return 0


def find(options: argparse.Namespace) -> tuple[dict[str, Any], Path]:
    """Train the responses, select, measure on fresh deals, keep the best as an agent.

    Returns:
        What `report.json` says, and the folder it is in.
    """
    unknown = sorted(set(options.starts) - set(STARTS))
    if unknown:
        raise ConfigError(f"unknown start {unknown[0]!r}; allowed: {', '.join(STARTS)}")
    if options.minutes and options.decisions:
        raise ConfigError("give --minutes or --decisions, not both")
    if min(options.selection_deals, options.search_deals, options.deals) < 2:
        raise ConfigError("--selection-deals, --search-deals and --deals need at least 2")
    rules = Rules.from_text(options.variant)
    table = TableConfig(rules, table_size(rules, options.players))
    table.rules.check_players(table.num_players)
    opponent = batch_form(make_agent(options.agent, seed=options.seed))
    warm_up(USES)
    out = options.out or RUNS / _folder_name(options.agent, table)
    responses = [*_fixed(options, table, opponent), *_trained(options, table, opponent, out)]
    if SEARCH in options.starts:
        policy = _best(responses).spec if responses else options.agent
        responses.append(_searched(options, table, opponent, out, policy))
    best = _best(responses)
    deals = options.search_deals if best.start == SEARCH else options.deals
    fresh = _rate(best.agent, opponent, table, deals, FRESH_SEED)
    report = _report(options, table, responses, best, fresh)
    out.mkdir(parents=True, exist_ok=True)
    (out / "report.json").write_text(f"{json.dumps(report, indent=1)}\n")
    return report, out


def _decisions(options: argparse.Namespace) -> int:
    """The budget of each trained start; 0 if minutes limit it."""
    return int(options.decisions) or (0 if options.minutes else DECISIONS)


def _best(responses: Sequence[Response]) -> Response:
    return max(responses, key=lambda response: response.result.rate)


def _rate(agent: Any, opponent: BatchAgent, table: TableConfig, deals: int, seed: int) -> Result:
    """Its win rate against a table of the frozen agent."""
    rules, size = table.rules, table.num_players
    if hasattr(agent, "act_batch"):
        return evaluate(agent, opponent, rules, size, deals, seed)
    options = {"variant": (rules.text(),), "players": (size,), "deals": deals, "seed": seed}
    return compare(agent, opponent, **options)


def _fixed(options: Any, table: TableConfig, opponent: BatchAgent) -> list[Response]:
    return [
        _measured(name, name, options, table, opponent) for name in FIXED if name != options.agent
    ]


def _trained(options: Any, table: TableConfig, opponent: BatchAgent, out: Path) -> list[Response]:
    from ..checkpoint import describe_run, save_checkpoint
    from .starts import Setup, train

    say = _silent if options.quiet else _say
    starts = [start for start in options.starts if start in TRAINED]
    minutes = options.minutes / max(1, len(starts))
    setup = Setup(options.agent, table, _decisions(options), minutes, options.seed)
    responses = []
    for start in starts:
        learner = train(setup, start, say)
        about = describe_run(learner.config, learner.decisions) | {"responds_to": options.agent}
        save_checkpoint(out / start, learner.network, about)
        response = _measured(start, str(out / start), options, table, opponent)
        responses.append(response._replace(decisions=learner.decisions))
        say(f"{start}: wins {response.result}")
    return responses


def _searched(
    options: Any, table: TableConfig, opponent: BatchAgent, out: Path, policy: str
) -> Response:
    """Search against the known policy; `policy`, the best response so far, plays its rollouts."""
    text = RESPONDER.format(opponent=options.agent, policy=policy, sims=SEARCH_SIMS)
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{SEARCH}.py").write_text(text)
    deals = options.search_deals
    if not options.quiet:
        _say(f"search: playing {deals} deals with {policy} in its rollouts")
    return _measured(SEARCH, f"{out / SEARCH}.py:Responder", options, table, opponent, deals)


def _measured(
    start: str,
    spec: str,
    options: Any,
    table: TableConfig,
    opponent: BatchAgent,
    deals: int | None = None,
) -> Response:
    agent = make_agent(spec, seed=options.seed + 1)
    deals = deals or options.selection_deals
    return Response(start, spec, agent, _rate(agent, opponent, table, deals, SELECTION_SEED), 0)


def _report(
    options: Any,
    table: TableConfig,
    responses: Sequence[Response],
    best: Response,
    fresh: Result,
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "agent": options.agent,
        "agent_sha256": agent_hash(options.agent),
        "rules": table.rules.text(),
        "num_players": table.num_players,
        "chance": fresh.chance,
        "seed": options.seed,
        "budget": {
            "starts": options.starts,
            "minutes": options.minutes,
            "decisions": _decisions(options),
        },
        "selection_deals": options.selection_deals,
        "responses": [
            {
                "start": r.start,
                "decisions": r.decisions,
                "rate": round(r.result.rate, 5),
                "deals": r.result.deals,
            }
            for r in responses
        ],
        "best": {
            "start": best.start,
            "spec": best.spec,
            "rate": round(fresh.rate, 5),
            "low": round(fresh.low, 5),
            "high": round(fresh.high, 5),
            "deals": fresh.deals,
        },
    }


def _print(report: dict[str, Any], out: Path) -> None:
    best, chance = report["best"], report["chance"]
    for response in report["responses"]:
        print(
            f"{response['start']:>10}: wins {100 * response['rate']:.1f} % of "
            f"{response['deals']} deals after {response['decisions']:,} decisions"
        )
    print(
        f"Best response to {report['agent']}: {best['start']} wins {100 * best['rate']:.1f} % "
        f"({100 * best['low']:.1f} to {100 * best['high']:.1f}) of {best['deals']} fresh deals; "
        f"chance level {100 * chance:.1f} %."
    )
    if best["low"] > chance:
        print(f"It is exploitable by at least {100 * (best['low'] - chance):.1f} points of wins.")
    else:
        print("No response beats it clearly; a longer search may find one.")
    print(f"The response is an agent: {best['spec']}; report: {out / 'report.json'}")


def _folder_name(agent: str, table: TableConfig) -> str:
    name = "".join(c if c.isalnum() or c in "-_." else "-" for c in agent).strip("-.")
    return f"{name}-{table.rules.variant}-{table.num_players}"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _silent(text: str) -> None:
    pass


def main(words: Sequence[str]) -> int:
    """The same as `uno-train best-response`."""
    parser = CommandParser(
        example=EXAMPLE.replace("uno-arena", "uno-train"),
        prog="uno-train best-response",
        description="Train best responses to a frozen agent.",
    )
    add_arguments(parser)
    return run(parser.parse_args(words))
