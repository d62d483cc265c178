"""The report of a tournament in the terminal and as JSON; docs/statistics.md explains both."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..results import TournamentResults
from ..stats.intervals import Estimate
from ..stats.usage_stats import real_choices
from .formatting import (
    CHEATS,
    ELO_NOTE,
    ORDINALS,
    USAGE_COLUMNS,
    length_text,
    notes_of,
    percent,
    percent_range,
    plus_minus,
    points,
    points_range,
    rank_text,
    reproduce_command,
    size_of,
    title_of,
    usage_cells,
    verdict_text,
)
from .report_data import Standing, Summary, TableSummary
from .summary import summarise

FORMAT = "uno-arena-report-2"
DIGITS = 6
LISTED_FORFEITS = 10


def to_json(results: TournamentResults) -> str:
    """The report as JSON text: the same games give the same bytes.

    When and how fast it was played is left out, so that a repetition can be compared with `cmp`;
    only `usage`, of agents that count their requests, holds seconds.
    """
    summary = summarise(results)
    data = _plain(summary)
    del data["created"]
    data["config"] = dict(sorted(data["config"].items()))
    if not summary.usage:
        del data["usage"]
    data["command"] = reproduce_command(summary)
    return json.dumps({"format": FORMAT, **data}, indent=1, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    """Dataclasses and estimates as dicts, numbers to six digits so that bytes are stable."""
    if isinstance(value, Estimate):
        return {key: _plain(number) for key, number in value._asdict().items()}
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return round(value, DIGITS) if isinstance(value, float) else value


def render(results: TournamentResults, console: Console) -> None:
    """The report as tables on a console."""
    summary = summarise(results)
    if not summary.is_complete:
        console.print("[bold]Not finished yet: the same command resumes it.[/bold]")
    if not summary.tables:
        console.print("No match-up has two deals yet, so there is nothing to report.")
    for table in summary.tables:
        console.print()
        console.rule(f"[bold]{escape(title_of(table))}", align="left")
        console.print(size_of(table), highlight=False)
        for part in _parts(table):
            console.print(part)
        for note in notes_of(summary, table):
            console.print(f"• {escape(note)}", highlight=False)
        console.print(f"• {length_text(table)}", highlight=False)
    _print_usage(summary, console)
    _print_forfeits(summary, console)
    console.print(
        f"\nAgain: {reproduce_command(summary)}",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )


def _parts(table: TableSummary) -> Iterator[Table | str]:
    if table.pairings:
        yield _matchups(table)
    if table.refusal:
        yield f"[yellow]{escape(table.refusal[0].upper() + table.refusal[1:])}.[/yellow]"
    else:
        yield _ranking(table)
    if len(table.standings) > 2:
        yield _matrix(table)
    if table.by_turn:
        yield _turns(table)
    if real_choices(table.usage):
        yield _decisions(table)


def _new(title: str, *columns: str) -> Table:
    """A table whose first column is text and whose others are numbers."""
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        caption_justify="left",
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    for number, column in enumerate(columns):
        table.add_column(escape(column), justify="right" if number else "left")
    return table


def _matchups(table: TableSummary) -> Table:
    out = _new("Match-ups", "agent", "against", "won", "95 % interval", "verdict", "games", "ties")
    for column in (1, 4):
        out.columns[column].justify = "left"
    colors = {"better": "green", "worse": "red", "tie": "yellow"}
    has_forfeits = any(pairing.forfeits for pairing in table.pairings)
    if has_forfeits:
        out.add_column("forfeits", justify="right")
    for pairing in table.pairings:
        cells = [
            escape(pairing.focal),
            escape(pairing.opponent),
            percent(pairing.rate.value),
            percent_range(pairing.rate),
            f"[{colors[pairing.verdict]}]{verdict_text(pairing)}",
            f"{pairing.games:,}",
            f"{pairing.ties:,}",
        ]
        out.add_row(*cells, *([f"{pairing.forfeits:,}"] if has_forfeits else []))
    return out


def _ranking(table: TableSummary) -> Table:
    out = _new(
        f"Ranking ({table.model})",
        "rank",
        "agent",
        "rating",
        "95 % interval",
        "won",
        "95 % interval",
        "above the next",
    )
    out.columns[1].justify = "left"
    out.caption = (
        f"{ELO_NOTE}; = not significantly different from another.\n"
        "Above the next: points of win rate, on the same deals."
    )
    for standing in table.standings:
        if standing.elo is None:
            continue
        out.add_row(
            rank_text(standing),
            _name(standing),
            points(standing.elo.value),
            points_range(standing.elo),
            percent(standing.rate.value),
            percent_range(standing.rate),
            plus_minus(standing.lead) if standing.lead else "",
        )
    return out


def _matrix(table: TableSummary) -> Table:
    names = [standing.agent for standing in table.standings]
    out = _new("Win matrix: row against column", "", *names)
    cells = {(cell.agent, cell.against): cell for cell in table.matrix}
    for agent in names:
        row = []
        for against in names:
            cell = cells.get((agent, against))
            row.append(percent(cell.rate.value) if cell else "·" if agent == against else "")
        out.add_row(escape(agent), *row)
    return out


def _turns(table: TableSummary) -> Table:
    places = len(next(iter(table.by_turn.values())))
    out = _new("Won by place in the first turn order", "agent", *ORDINALS[:places])
    for agent, rates in table.by_turn.items():
        out.add_row(escape(agent), *(f"{plus_minus(rate)} %" for rate in rates))
    return out


def _decisions(table: TableSummary) -> Table:
    """How each decision type is used: within a phase, the part of each choice."""
    out = _new("Decisions", "phase", "choice", *table.usage)
    out.columns[1].justify = "left"
    for phase, choices in real_choices(table.usage).items():
        for number, choice in enumerate(choices):
            row = [_part_of(usage.get(phase, {}), choice) for usage in table.usage.values()]
            is_last = number == len(choices) - 1
            out.add_row(phase if number == 0 else "", choice, *row, end_section=is_last)
    return out


def _part_of(counts: dict[str, int], choice: str) -> str:
    total = sum(counts.values())
    return percent(counts.get(choice, 0) / total) if total else ""


def _print_usage(summary: Summary, console: Console) -> None:
    if not summary.usage:
        return
    out = _new("Requests of agents, per game unless said", *USAGE_COLUMNS)
    out.columns[1].justify = "left"
    for usage in summary.usage:
        out.add_row(*map(escape, usage_cells(usage)))
    console.print()
    console.print(out)


def _print_forfeits(summary: Summary, console: Console) -> None:
    if not summary.forfeits:
        return
    out = _new("Forfeits", "agent", "games", "reason", "first game")
    out.columns[2].justify = out.columns[3].justify = "left"
    counted = Counter((forfeit.agent, forfeit.reason) for forfeit in summary.forfeits)
    for (agent, reason), games in counted.most_common(LISTED_FORFEITS):
        first = next(f for f in summary.forfeits if (f.agent, f.reason) == (agent, reason))
        out.add_row(escape(agent), f"{games:,}", escape(reason), first.game)
    if len(counted) > LISTED_FORFEITS:
        out.caption = f"{len(counted) - LISTED_FORFEITS} more reasons are in the JSON report"
    console.print(out)


def _name(standing: Standing) -> str:
    return escape(standing.agent) + (f" {CHEATS}" if standing.cheats else "")
