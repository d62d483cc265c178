"""The report as one self-contained HTML page: no network, light and dark, readable on a phone."""

import json
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from ..results import TournamentResults
from ..stats.usage_stats import real_choices
from .formatting import (
    ELO_NOTE,
    USAGE_COLUMNS,
    lead_text,
    length_text,
    notes_of,
    percent,
    percent_range,
    rank_text,
    reproduce_command,
    size_of,
    title_of,
    usage_cells,
    verdict_text,
)
from .html_parts import (
    histogram,
    html_table,
    matrix,
    rating_rows,
    turn_rows,
    usage_bars,
)
from .report_data import Summary, TableSummary
from .summary import summarise

LISTED_FORFEITS = 200


def write_page(results: TournamentResults, path: str | Path) -> Path:
    """Write the page of a tournament; returns where."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(results), encoding="utf-8")
    return target


def page(results: TournamentResults) -> str:
    """The page of a tournament as text."""
    summary = summarise(results)
    title = f"UNO arena: {summary.name}"
    template = Template(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))
    # A number and its percent sign stay on one line.
    body = "\n".join(_body(summary, title)).replace(" %", "\u00a0%")
    return template.substitute(title=escape(title), body=body)


def _body(summary: Summary, title: str) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    yield f'<p class="soft">{escape(_when(summary))}</p>'
    if not summary.is_complete:
        yield '<p class="refused">Not finished yet: these are the deals played so far.</p>'
    yield _tiles(summary)
    for table in summary.tables:
        yield from _table(summary, table)
    yield from _usage(summary)
    yield from _forfeits(summary)
    yield _provenance(summary)


def _when(summary: Summary) -> str:
    return f"played {summary.created[:10]} with {summary.code_version}"


def _tiles(summary: Summary) -> str:
    ratios = [table.variance_reduction for table in summary.tables if table.variance_reduction]
    tiles = [
        (f"{summary.games:,}", "games"),
        (f"{len(summary.agents)}", "agents"),
        (f"{max((t.deals for t in summary.tables), default=0):,}", "deals a match-up"),
    ]
    if ratios:
        mean = sum(ratios) / len(ratios)
        tiles.append((f"{mean:.2f}", "variance reduction by duplicate deals"))
    cells = "".join(f"<div><b>{value}</b><span>{text}</span></div>" for value, text in tiles)
    return f'<div class="tiles">{cells}</div>'


def _table(summary: Summary, table: TableSummary) -> Iterator[str]:
    yield f"<h2>{escape(title_of(table))}</h2>"
    yield f'<p class="soft">{escape(size_of(table))}</p>'
    yield _ranking(table)
    yield _card("Who beats whom", matrix(table), _matrix_note(table))
    if table.pairings:
        yield _card("Match-ups", _pairings(table))
    if table.by_turn:
        note = "Win rate by place in the turn order of the opening; dashed: chance level."
        yield _card("Does playing first help?", turn_rows(table), note)
    yield _card("Length of a game", histogram(table.lengths), length_text(table))
    phases = real_choices(table.usage)
    if phases:
        bars = "".join(
            f'<p class="group">{phase}</p>{usage_bars(table.usage, phase)}' for phase in phases
        )
        note = "Of the decisions in each phase, the part of each choice; right: decisions counted."
        yield _card("How decisions are used", bars, note)
    notes = "".join(f"<li>{escape(note)}</li>" for note in notes_of(summary, table))
    yield _card("Notes", f"<ul>{notes}</ul>")


def _card(title: str, content: str, note: str = "") -> str:
    caption = f'<p class="soft">{escape(note)}</p>' if note else ""
    return f"<section><h3>{title}</h3>{content}{caption}</section>"


def _ranking(table: TableSummary) -> str:
    if table.refusal:
        words = escape(table.refusal[0].upper() + table.refusal[1:])
        return _card("Ranking", f'<p class="refused">{words}.</p>')
    numbers = html_table(
        ["", "agent", "won", "95 % interval", "above the next, same deals", "games", "ties"],
        (
            [
                rank_text(standing),
                escape(standing.agent),
                percent(standing.rate.value),
                percent_range(standing.rate),
                lead_text(standing.lead),
                f"{standing.games:,}",
                f"{standing.ties:,}",
            ]
            for standing in table.standings
        ),
        "names",
    )
    note = (
        f"{table.model}, 95 % intervals over deals; {ELO_NOTE}; "
        "= not significantly different from another."
    )
    return _card(
        "Ranking",
        f"{rating_rows(table)}<details><summary>Numbers</summary>{numbers}</details>",
        note,
    )


def _matrix_note(table: TableSummary) -> str:
    if not table.pairings:
        return "Of the games either of the two won at a shared table, the part the row won."
    return f"Row against a table of column; chance level {percent(table.chance)}."


def _pairings(table: TableSummary) -> str:
    return html_table(
        "agent,against,won,95 % interval,verdict,games,ties,forfeits".split(","),
        (
            [
                escape(pairing.focal),
                escape(pairing.opponent),
                percent(pairing.rate.value),
                percent_range(pairing.rate),
                f'<span class="{pairing.verdict}">{verdict_text(pairing)}</span>',
                f"{pairing.games:,}",
                f"{pairing.ties:,}",
                f"{pairing.forfeits:,}",
            ]
            for pairing in table.pairings
        ),
        "names words",
    )


def _usage(summary: Summary) -> Iterator[str]:
    if summary.usage:
        rows = ([escape(cell) for cell in usage_cells(usage)] for usage in summary.usage)
        table = html_table(USAGE_COLUMNS, rows, "names")
        note = "Per game, except where all games are counted together."
        yield f"<h2>Requests</h2>{_card('What agents asked and what it cost', table, note)}"


def _forfeits(summary: Summary) -> Iterator[str]:
    if not summary.forfeits:
        return
    shown = summary.forfeits[:LISTED_FORFEITS]
    table = html_table(
        ["agent", "game", "seat", "reason"],
        (
            [
                escape(forfeit.agent),
                forfeit.game,
                str(forfeit.seat),
                escape(forfeit.reason),
            ]
            for forfeit in shown
        ),
        "reasons",
    )
    note = f"{len(summary.forfeits):,} games were forfeited"
    left = len(summary.forfeits) - len(shown)
    note += f"; {left:,} more are in the JSON report." if left else "."
    yield f"<h2>Forfeits</h2>{_card('Who forfeited which game, and why', table, note)}"


def _provenance(summary: Summary) -> str:
    facts = [
        ("version", summary.code_version),
        ("seed", str(summary.seed)),
        *((f"agent {a.name}", a.fingerprint or "built in") for a in summary.agents),
    ]
    terms = "".join(f"<dt>{escape(key)}</dt><dd>{escape(text)}</dd>" for key, text in facts)
    config = escape(json.dumps(summary.config, indent=2, sort_keys=True, ensure_ascii=False))
    return (
        "<h2>How to play it again</h2><section>"
        f"<pre>{escape(reproduce_command(summary))}</pre><dl>{terms}</dl>"
        f"<details><summary>Full configuration</summary><pre>{config}</pre></details></section>"
    )
