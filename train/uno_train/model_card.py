"""Model cards: the page of a shipped agent, generated from the metadata of its weights.

How exploitable it is comes from reports of `uno_train.exploitability`, which are made later.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from uno_agents.neural.experts import EXPERTS, HEURISTIC_PRIOR
from uno_agents.neural.policy_overrides import OVERRIDE_SWAPS, OVERRIDE_TARGETS

SWAPS = (
    "With five and more players, `heuristic` decides which two seats swap hands "
    "(`agents/uno_agents/neural/policy_overrides.py`)."
)
TARGETS = (
    "With eight and more players, `heuristic` also decides which seat swaps hands or draws "
    "(`override_targets`)."
)
PRIOR = (
    "The action of `heuristic` gets a logit bonus, the heuristic prior "
    "(`agents/uno_agents/neural/policy_overrides.py`), except in Teams: {}."
)
GENERATED = "Generated from the weights by `python -m uno_train.pretrained`; do not edit."

Report = Mapping[str, Any]
"""What `uno-arena best-response` found, as in its `report.json`."""


def model_card(name: str, about: Mapping[str, Any], reports: Sequence[Report] = ()) -> str:
    """The card of an agent as Markdown.

    Args:
        about: the metadata of its weights.
        reports: best responses to these weights, one for each table.
    """
    lines = [
        f"# pretrained:{name}",
        "",
        f"{about['description'][0].upper()}{about['description'][1:]}. {GENERATED}",
        "",
        "```sh",
        *_usage(name, about),
        "```",
        "",
        "## Training",
        "",
        *_origin(name, about),
        "",
        "## Results",
        "",
        *_results(name, about),
        "",
        *(_exploitability(name, reports) if reports else []),
        "## Limits",
        "",
        "It plays the most probable action, so its play is deterministic and can be exploited. It "
        "was evaluated at the tables above only; it plays at all others too.",
        *([SWAPS] if about.get(OVERRIDE_SWAPS) else []),
        *([TARGETS] if about.get(OVERRIDE_TARGETS) else []),
        *_heuristic_priors(about),
    ]
    return "\n".join(lines) + "\n"


def _usage(name: str, about: Mapping[str, Any]) -> list[str]:
    rules, players = about["claims"][0]
    quoted = rules if rules.isidentifier() else f"'{rules}'"
    return [f"uno-play pretrained:{name} --variant {quoted} --players {players}"]


def _origin(name: str, about: Mapping[str, Any]) -> list[str]:
    made = about["made"]
    layers = " and ".join(str(width) for width in about["hidden"])
    rows = {
        "command": f"`{about['command']}`",
        "packed by": f"`python -m uno_train.pretrained {name}`",
        **_initial_weights(about),
        "decisions": f"{about['decisions']:,}",
        "time": f"{made['minutes']:g} minutes",
        "hardware": made["hardware"],
        "code": f"uno_env {about['uno_env_version']}"
        + (f", commit {about['commit'][:12]}" if about.get("commit") else ""),
        "network": f"MLP, hidden layers of {layers}, {made['weights']:,} weights in half precision"
        + (", with those of its experts" if about.get(EXPERTS) else ""),
        **{f"expert for `{each['gate']}`": _expert(each) for each in about.get(EXPERTS, [])},
        "observation": f"version {about['observation_version']}",
    }
    return ["| | |", "|---|---|", *(f"| {key} | {value} |" for key, value in rows.items())]


def _deals(about: Mapping[str, Any]) -> str:
    """How many deals the cells have; some may have been measured with more than the rest."""
    fewest = about["measured"]["deals"]
    most = max(fewest, *(row["deals"] for row in about["results"]))
    return f"{fewest:,}" if most == fewest else f"{fewest:,} to {most:,}"


def _expert(about: Mapping[str, Any]) -> str:
    """How an expert of a mixture was trained."""
    layers = " and ".join(str(width) for width in about["hidden"])
    start = "".join(f", from {spec}" for spec in _initial_weights(about).values())
    return (
        f"MLP, hidden layers of {layers}; `{about['command']}`, {about['decisions']:,} decisions"
        f"{start}"
    )


def _initial_weights(about: Mapping[str, Any]) -> dict[str, str]:
    """The shipped agent that it was trained on from, if any."""
    spec = about["config"].get("init_from") or ""
    if not spec.startswith("pretrained:"):
        return {}
    return {"initial weights": f"`{spec}` as of the commit below"}


def _heuristic_priors(about: Mapping[str, Any]) -> list[str]:
    """The heuristic prior of each network that has one."""
    experts = about.get(EXPERTS, [])
    whose = "where no expert decides" if experts else "everywhere"
    named = {
        whose: about.get(HEURISTIC_PRIOR),
        **{f"where `{each['gate']}` does": each.get(HEURISTIC_PRIOR) for each in experts},
    }
    shown = [f"{prior:g} {name}" for name, prior in named.items() if prior]
    return [PRIOR.format(", ".join(shown))] if shown else []


def _results(name: str, about: Mapping[str, Any]) -> list[str]:
    measured = about["measured"]
    rows = about["results"]
    opponents = list(dict.fromkeys(row["opponent"] for row in rows))
    head = ["table", "chance level", *(f"against {opponent}" for opponent in opponents), "games"]
    lines = [
        f"Win rate of one seat (in Teams: one team) against a table of each opponent, "
        f"{_deals(about)} duplicate deals per cell, 95 % intervals over deals; chance level "
        "1/n.",
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
    ]
    for place in dict.fromkeys(row["table"] for row in rows):
        cells = [row for row in rows if row["table"] == place]
        shown = [_cell(cells, opponent) for opponent in opponents]
        chance, games = f"{100 * cells[0]['chance']:.1f} %", f"{cells[0]['games']:,}"
        lines.append(f"| {' | '.join([place, chance, *shown, games])} |")
    again = "uno-train evaluate pretrained:{} --variant {} --players {} --deals {} --seed {}"
    rules, players = about["claims"][0]
    example = again.format(name, rules, players, measured["deals"], measured["seed"])
    return [*lines, "", *_not_above(rows), f"To repeat a row: `{example}`"]


def _not_above(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Where the agent is not clearly better than its opponents, if anywhere."""
    found = dict.fromkeys(f"`{row['table']}`" for row in rows if row["low"] <= row["chance"])
    return [f"Not clearly above the chance level: {'; '.join(found)}.", ""] if found else []


def _cell(cells: Sequence[Mapping[str, Any]], opponent: str) -> str:
    return _rate(next(row for row in cells if row["opponent"] == opponent))


def _rate(result: Mapping[str, Any]) -> str:
    low, high = 100 * result["low"], 100 * result["high"]
    return f"{100 * result['rate']:.1f} % ({low:.1f} to {high:.1f})"


def _exploitability(name: str, reports: Sequence[Report]) -> list[str]:
    head = (
        "table",
        "chance level",
        "best response",
        "it wins",
        "fresh deals",
        "tried (decisions): win rate on the deals of the selection",
    )
    return [
        "## Exploitability",
        "",
        "What an opponent wins who trained against this very agent, which fills every other seat. "
        "The best of the responses tried is measured on fresh deals, 95 % interval; a longer "
        "search may find a better one ([how](../exploitability.md)).",
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(_response_row(report) for report in reports),
        "",
        *(line for report in reports for line in (_finding(name, report), "")),
    ]


def _table_name(report: Report) -> str:
    return f"{report['rules']}, {report['num_players']} players"


def _response_row(report: Report) -> str:
    best = report["best"]
    tried = "; ".join(
        f"`{each['start']}` ({each['decisions']:,}): {100 * each['rate']:.1f} %"
        for each in report["responses"]
    )
    cells = (
        _table_name(report),
        f"{100 * report['chance']:.1f} %",
        f"`{best['start']}`",
        _rate(best),
        f"{best['deals']:,}",
        tried,
    )
    return f"| {' | '.join(cells)} |"


def _finding(name: str, report: Report) -> str:
    """What the search says about the agent, its budget, and the command that does it again."""
    budget, over = report["budget"], 100 * (report["best"]["low"] - report["chance"])
    if over > 0:
        said = f"exploitable by at least {over:.1f} points of wins"
    else:
        # Whoever plays as the agent itself wins the chance level.
        said = "no response of this budget clearly beats an equal player"
    if budget["minutes"]:
        limit, flag = f"{budget['minutes']:g} min in all", f"--minutes {budget['minutes']:g}"
    else:
        limit = f"{budget['decisions']:,} decisions for each trained start"
        flag = f"--decisions {budget['decisions']}"
    table = f"--variant '{report['rules']}' --players {report['num_players']}"
    starts = f"--starts {' '.join(budget['starts'])}"
    command = f"python -m uno_train.exploitability {name} {table} {starts} {flag}"
    return f"{_table_name(report)}: {said}. Training budget: {limit} (`{command}`)."
