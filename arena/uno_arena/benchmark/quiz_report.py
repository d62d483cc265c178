"""`uno-arena quiz`: the flags of the command, its table and its JSON."""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..play.entrants import check_agent
from ..report.formatting import percent
from ..stats.intervals import Estimate
from .quiz import FORMAT, SHIPPED, QuizPosition, QuizScore, chance_of, load_quiz, take_quiz

REPORT_FORMAT = "uno-quiz-report-1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena quiz`."""
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="agent specs")
    parser.add_argument("--variant", nargs="+", help="only questions of these (all six)")
    parser.add_argument("--seed", type=int, default=0, help="of agents that draw numbers (0)")
    parser.add_argument("--json", metavar="FILE", help="write all answers as JSON; - prints it")
    parser.add_argument("--questions", type=Path, metavar="FILE", help=(
        "also write the questions: texts, views, best actions and values"
    ))  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Ask, print the table and write the files."""
    from rich.console import Console

    positions = load_quiz(options.variant)
    for agent in options.agents:
        check_agent(agent)
    scores = [take_quiz(agent, positions, options.seed) for agent in options.agents]
    if options.questions:
        options.questions.write_text(_questions(positions), encoding="utf-8")
    text = to_json(positions, scores)
    if options.json == "-":
        sys.stdout.write(text)
    elif options.json:
        Path(options.json).write_text(text, encoding="utf-8")
    print_scores(positions, scores, Console(stderr=options.json == "-"))
    return 0


def print_scores(
    positions: Sequence[QuizPosition], scores: Sequence[QuizScore], console: Any
) -> None:
    """One row for each agent."""
    from rich.markup import escape
    from rich.table import Table

    variants = list(dict.fromkeys(position.variant for position in positions))
    chance = percent(chance_of(positions))
    table = Table(
        title=f"Quiz ({FORMAT}): {len(positions)} positions; a random choice gets {chance}",
        title_justify="left",
        title_style="bold",
    )
    table.add_column("agent")
    for column in ("right", "95 % interval", *variants, "forfeits"):
        table.add_column(column, justify="right")
    for score in scores:
        rate = score.rate()
        table.add_row(
            escape(score.agent),
            percent(rate.value),
            f"{100 * rate.low:.1f} to {100 * rate.high:.1f}",
            *("{} of {}".format(*score.counts(variant)) for variant in variants),
            str(score.forfeits),
        )
    console.print(table)


def to_json(positions: Sequence[QuizPosition], scores: Sequence[QuizScore]) -> str:
    """All answers; the same answers give the same bytes, but for the seconds of `usage`."""
    variants = list(dict.fromkeys(position.variant for position in positions))
    agents = [
        {
            "agent": score.agent,
            "total": _rate(score, None),
            "variants": {variant: _rate(score, variant) for variant in variants},
            "forfeits": score.forfeits,
            **({"usage": score.usage} if score.usage else {}),
            "answers": [
                {
                    "position": each.position,
                    "action": each.action,
                    "is_right": each.is_right,
                    **({"reason": each.reason} if each.reason else {}),
                }
                for each in score.answers
            ],
        }
        for score in scores
    ]
    data = {
        "format": REPORT_FORMAT,
        "quiz": FORMAT,
        "quiz_sha256": hashlib.sha256(SHIPPED.read_bytes()).hexdigest(),
        "positions": len(positions),
        "chance": round(chance_of(positions), 6),
        "agents": agents,
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _rate(score: QuizScore, variant: str | None) -> dict[str, float]:
    right, asked = score.counts(variant)
    return {"right": right, "positions": asked, **_plain(score.rate(variant))}


def _plain(estimate: Estimate) -> dict[str, float]:
    return {key: round(number, 6) for key, number in estimate._asdict().items()}


def _questions(positions: Sequence[QuizPosition]) -> str:
    """The questions for other programs, with nothing that the seat may not know."""
    data = [
        {
            "id": position.id,
            "text": position.prompt(),
            "view": position.view(),
            "best": position.best,
            "values": position.values,
        }
        for position in positions
    ]
    return json.dumps({"format": FORMAT, "questions": data}, indent=1) + "\n"
