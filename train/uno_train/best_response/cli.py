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
FIXED = ("heuristic",)
"""Agents that are tried as responses as they are; they cost nothing."""


class Response(NamedTuple):
    """A response and how it did on the deals of the selection."""

    start: str
    agent: BatchAgent
    result: Result
    decisions: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena best-response`."""
    parser.add_argument("agent", help="agent spec; it stays frozen")
    parser.add_argument("--variant", default="classic", help="preset or rules text (classic)")
    parser.add_argument("--players", type=int, help="table size (the variant's usual one)")
    parser.add_argument("--minutes", type=float, default=0.0, help="training time, in all starts")
    parser.add_argument("--decisions", type=int, default=0, metavar="N", help=(
        "decisions of each trained start, instead of minutes: reproducible (300000)"
    ))  # fmt: skip
    parser.add_argument("--starts", nargs="+", default=list(TRAINED), metavar="START", help=(
        f"which responses are trained ({' '.join(TRAINED)})"
    ))  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="of the training (0)")
    parser.add_argument("--selection-deals", type=int, default=500, metavar="N", help=(
        "duplicate deals on which the best start is selected (500)"
    ))  # fmt: skip
    parser.add_argument("--deals", type=int, default=2000, help=(
        "fresh duplicate deals on which it is measured (2000)"
    ))  # fmt: skip
    parser.add_argument("--out", type=Path, help=f"folder of the response ({RUNS}/NAME)")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def run(options: argparse.Namespace) -> int:
    """Train the responses, select, measure on fresh deals, keep the best as an agent."""
    unknown = sorted(set(options.starts) - set(TRAINED))
    if unknown:
        raise ConfigError(f"unknown start {unknown[0]!r}; allowed: {', '.join(TRAINED)}")
    if options.minutes and options.decisions:
        raise ConfigError("give --minutes or --decisions, not both")
    if min(options.selection_deals, options.deals) < 2:
        raise ConfigError("--selection-deals and --deals need at least 2")
    rules = Rules.from_text(options.variant)
    table = TableConfig(rules, table_size(rules, options.players))
    table.rules.check_players(table.num_players)
    opponent = batch_form(make_agent(options.agent, seed=options.seed))
    warm_up(USES)
    out = options.out or RUNS / _folder_name(options.agent, table)
    responses = [*_fixed(options, table, opponent), *_trained(options, table, opponent, out)]
    best = max(responses, key=lambda response: response.result.rate)
    fresh = evaluate(
        best.agent, opponent, table.rules, table.num_players, options.deals, FRESH_SEED
    )
    report = _report(options, table, responses, best, fresh, out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "report.json").write_text(f"{json.dumps(report, indent=1)}\n")
    _print(report, out)
    return 0


def _fixed(options: Any, table: TableConfig, opponent: BatchAgent) -> list[Response]:
    return [
        _measured(name, batch_form(make_agent(name, options.seed)), options, table, opponent, 0)
        for name in FIXED
        if name != options.agent
    ]


def _trained(options: Any, table: TableConfig, opponent: BatchAgent, out: Path) -> list[Response]:
    from ..checkpoint import describe_run, save_checkpoint
    from .starts import Setup, train

    say = _silent if options.quiet else _say
    minutes = options.minutes / max(1, len(options.starts))
    decisions = options.decisions or (0 if minutes else 300_000)
    setup = Setup(options.agent, table, decisions, minutes, options.seed)
    responses = []
    for start in options.starts:
        learner = train(setup, start, say)
        about = describe_run(learner.config, learner.decisions) | {"responds_to": options.agent}
        save_checkpoint(out / start, learner.network, about)
        agent = batch_form(make_agent(str(out / start)))
        responses.append(_measured(start, agent, options, table, opponent, learner.decisions))
        say(f"{start}: wins {responses[-1].result}")
    return responses


def _measured(
    start: str,
    agent: BatchAgent,
    options: Any,
    table: TableConfig,
    opponent: BatchAgent,
    decisions: int,
) -> Response:
    deals = options.selection_deals
    result = evaluate(agent, opponent, table.rules, table.num_players, deals, SELECTION_SEED)
    return Response(start, agent, result, decisions)


def _report(
    options: Any,
    table: TableConfig,
    responses: Sequence[Response],
    best: Response,
    fresh: Result,
    out: Path,
) -> dict[str, Any]:
    spec = best.start if best.start in FIXED else str(out / best.start)
    return {
        "format": FORMAT,
        "agent": options.agent,
        "rules": table.rules.text(),
        "num_players": table.num_players,
        "chance": fresh.chance,
        "seed": options.seed,
        "selection_deals": options.selection_deals,
        "responses": [
            {"start": r.start, "decisions": r.decisions, "rate": round(r.result.rate, 5)}
            for r in responses
        ],
        "best": {
            "start": best.start,
            "spec": spec,
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
            f"{report['selection_deals']} deals after {response['decisions']:,} decisions"
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
