"""A decision in words: `describe(view)` turns what a seat may know into a stable text.

The format is documented in docs/text.md and versioned as `TEXT_FORMAT`. Everything comes from the
view, so the text cannot tell more than the view does.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal

from ..rules.rules import Rules
from .language import Language, Words, words_of
from .rules_summary import rules_summary

TEXT_FORMAT = "uno-text-1"
FORMS = ("short", "long")
Form = Literal["short", "long"]
View = dict[str, Any]

MOST_EVENTS = 24
"""Older events are left out: a seat that waits long is told the last ones."""

_OWN_ACTIONS = frozenset(
    "play keep pass take color accept challenge roulette swap no-swap target give uno-call catch "
    "jump-in sum".split()
)
"""Events that show that a seat has acted. Draws are not among them: most are somebody's doing."""


def describe(
    view: View,
    lang: Language = "en",
    form: Form = "short",
    names: Sequence[str] | None = None,
) -> str:
    """What a seat may know and decide, as text.

    Args:
        view: `Game.view(seat)`, or the `view` a server sent; that of a spectator has no seat.
        lang: `en` or `fr`.
        form: `short` for each turn; `long` begins with the rules in force.
        names: a name for every seat; `Seat 0` and so on by default.
    """
    if form not in FORMS:
        raise ValueError(f"form is {form!r}; allowed: {', '.join(FORMS)}")
    words = words_of(lang)
    rules = Rules.from_dict({"variant": view["variant"], **view["rules"]})
    n, seat = view["num_players"], view["seat"]
    if names is None:
        names = [words.say("seat", seat=other) for other in range(n)]
    elif len(names) != n:
        raise ValueError(f"{len(names)} names for {n} seats")
    inside = [words.say("you") if other == seat else name for other, name in enumerate(names)]
    sections = [_header(view, words, names)]
    if form == "long":
        sections.append(_rules(view, rules, words, lang))
    if seat is not None:
        hand = words.cards(view["hand"])
        sections.append([f"{words.say('hand', count=len(view['hand']))}: {hand}"])
    sections += [
        _table(view, words, inside),
        _players(view, rules.team_mode == "pairs", words, names),
        _events(view, words, inside),
        _decision(view, words, inside),
    ]
    return "\n".join(line for section in sections for line in section)


def count_tokens(text: str) -> int:
    """About how many tokens a language model reads: one for each word part, number and sign.

    An estimate that needs no tokenizer; it counts words of up to six letters as one token.
    """
    parts = re.findall(r"[^\W\d_]+|\d{1,3}|[^\w\s]", text)
    return sum(1 + (len(part) - 1) // 6 if part[0].isalpha() else 1 for part in parts)


def _header(view: View, words: Words, names: Sequence[str]) -> list[str]:
    variant = words.variant(view["variant"])
    if view["seat"] is None:
        lines = [words.say("watching", variant=variant)]
    else:
        lines = [words.say("header", variant=variant, you=names[view["seat"]])]
    if view["episode"] == "match":
        lines.append(words.say("round", round=view["round"] + 1))
    return lines


def _rules(view: View, rules: Rules, words: Words, lang: Language) -> list[str]:
    told = rules_summary(rules, view["num_players"], lang, view["episode"] == "match")
    return [f"{words.say('rules')}:", *(f"- {line}" for line in told)]


def _table(view: View, words: Words, inside: Sequence[str]) -> list[str]:
    way = words.say("clockwise" if view["direction"] == 1 else "anticlockwise")
    parts = [
        words.say("top", card=words.card(view["top_card"])),
        words.say("active", color=words.color(view["active_color"])),
        words.say("direction", direction=way),
        words.say("pile", count=view["draw_pile_size"]),
    ]
    if view["hyper_color"]:
        parts.append(words.say("hyper", color=words.color(view["hyper_color"])))
    if view["phase"] in ("challenge", "stack") and view["color_before"]:
        parts.append(words.say("before", color=words.color(view["color_before"])))
    if pending := view["pending"]:
        source = inside[pending["source"]]
        amount = words.counted(pending["amount"])
        parts.append(words.say("pending", amount=amount, source=source))
        if pending["contestable"]:
            parts.append(words.say("contestable"))
    if view["drawn_card"]:
        parts.append(words.say("drawn", card=words.card(view["drawn_card"])))
    if view["cards_to_give"]:
        parts.append(words.say("to_give", count=view["cards_to_give"]))
    return [f"{words.say('table')}: {'; '.join(parts)}"]


def _players(view: View, is_pairs: bool, words: Words, names: Sequence[str]) -> list[str]:
    n, seat = view["num_players"], view["seat"]
    order = [((seat or 0) + step) % n for step in range(n)]
    partner = (seat + n // 2) % n if is_pairs and seat is not None else -1
    lines = [f"- {names[other]}{_player(view, words, other, partner)}" for other in order]
    return [f"{words.say('players')}:", *lines]


def _player(view: View, words: Words, other: int, partner: int) -> str:
    n, seat = view["num_players"], view["seat"]
    marks = []
    if other == seat:
        marks.append(words.say("you"))
    elif other == partner:
        marks.append(words.say("partner"))
    elif seat is not None and other == (seat + view["direction"]) % n:
        marks.append(words.say("next"))
    if other == view["actor"] != seat:
        marks.append(words.say("turn"))
    facts = [words.counted(view["hand_sizes"][other])]
    for key, mark in (("uno_called", "called"), ("eliminated", "eliminated"), ("out", "out")):
        if other in view[key]:
            facts.append(words.say(mark))
    if view["episode"] == "match":
        facts.append(words.say("score", points=words.counted(view["scores"][other], "points")))
    if known := _by_seat(view["known"], other):
        facts.append(words.say("knows", cards=words.cards(known)))
    for color, most in (_by_seat(view["missing_colors"], other) or {}).items():
        said = words.color(color)
        facts.append(words.say("lacks", count=most, color=said) if most
                     else words.say("lacks_none", color=said))  # fmt: skip
    return f"{' (' + ', '.join(marks) + ')' if marks else ''}: {'; '.join(facts)}"


def _by_seat(table: dict[Any, Any], seat: int) -> Any:
    """Keys are numbers in a view, texts once it was sent as JSON."""
    return table.get(seat, table.get(str(seat)))


def _events(view: View, words: Words, inside: Sequence[str]) -> list[str]:
    seat, recent = view["seat"], []
    for event in reversed(view["events"]):
        if seat is not None and event.get("seat") == seat and event["type"] in _OWN_ACTIONS:
            break
        recent.append(event)
        if len(recent) == MOST_EVENTS:
            break
    told = [f"- {words.event(event, seat, inside)}" for event in reversed(recent)]
    label = words.say("recently" if seat is None else "since")
    return [f"{label}:", *(told or [f"- {words.say('nothing')}"])]


def _decision(view: View, words: Words, inside: Sequence[str]) -> list[str]:
    if view["phase"] == "over":
        winners = [inside[seat] for seat in view["winners"]]
        said = words.join(winners) if winners else words.say("nobody")
        return [f"{words.say('over')} {words.say('won', winners=said)}"]
    if not view["legal"]:
        return []
    lines = [
        f"{number}. {action} ({words.action(action, view, inside)})"
        for number, action in enumerate(view["legal"], start=1)
    ]
    task = f"{words.say('decide')}: {words.task(view, inside)}"
    return [task, f"{words.say('legal')}:", *lines, words.say("answer")]
