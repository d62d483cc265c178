"""Words of a language: cards, decisions and events, from the catalogues `en.json` and `fr.json`.

Events and decisions are told from one seat: the catalogue has a form for the reader's own seat and
one for the others.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from ..cards import COLORS

Language = Literal["en", "fr"]
LANGUAGES: tuple[Language, ...] = ("en", "fr")
Event = dict[str, Any]


@cache
def words_of(lang: str) -> "Words":
    """The words of a language, read once."""
    if lang not in LANGUAGES:
        raise ValueError(f"lang is {lang!r}; allowed: {', '.join(LANGUAGES)}")
    text = files(__package__).joinpath(f"{lang}.json").read_text(encoding="utf-8")
    return Words(json.loads(text))


class Words:
    """Sentences of one language."""

    def __init__(self, catalogue: dict[str, Any]) -> None:
        self.catalogue = catalogue

    def say(self, key: str, **values: Any) -> str:
        """A sentence of `describe`."""
        template: str = self.catalogue["describe"][key]
        return template.format(**values)

    def variant(self, name: str) -> str:
        """The name of a preset."""
        return str(self.catalogue["variants"].get(name, name))

    def color(self, color: str | None) -> str:
        """A colour, a dash for none."""
        return str(self.catalogue["colors"][color]) if color else "-"

    def card(self, name: str) -> str:
        """A card as people say it: `red-draw2` is "red +2"."""
        if name in self.catalogue["wilds"]:
            return str(self.catalogue["wilds"][name])
        plain = name.removesuffix("+give")
        color, _, kind = plain.partition("-")
        if color not in COLORS:
            return name
        kind = self.catalogue["kinds"].get(kind, kind)
        said = self.catalogue["card"].format(color=self.color(color), kind=kind)
        return str(self.catalogue["give"].format(card=said) if plain != name else said)

    def kind(self, name: str) -> str:
        """A kind of cards, whatever their colour."""
        catalogue = self.catalogue
        return str(catalogue["wilds"].get(name) or catalogue["kinds"].get(name, name))

    def cards(self, names: Sequence[str]) -> str:
        """Several cards as a list; equal ones are counted."""
        return ", ".join(self._counted_cards(names)) or str(self.catalogue["no_cards"])

    def _counted_cards(self, names: Sequence[str]) -> list[str]:
        counts: dict[str, int] = {}
        for name in names:
            counts[name] = counts.get(name, 0) + 1
        return [self.card(name) + (f" x{n}" if n > 1 else "") for name, n in counts.items()]

    def counted(self, number: int, noun: str = "cards") -> str:
        """A number of cards or points."""
        one, many = self.catalogue[noun]
        return str(one) if number == 1 else many.format(n=number)

    def join(self, parts: Sequence[str]) -> str:
        """A list inside a sentence."""
        between, last = self.catalogue["join"]
        return parts[0] if len(parts) == 1 else between.join(parts[:-1]) + last + parts[-1]

    def task(self, view: dict[str, Any], names: Sequence[str]) -> str:
        """What the reader of a view has to decide."""
        phase = view["phase"]
        if phase == "play" and "draw" not in view["legal"]:
            return str(self.catalogue["play_only"])
        holder = names[view["subject"]] if view["subject"] >= 0 else ""
        return str(self.catalogue["tasks"][phase].format(holder=holder))

    def action(self, action: str, view: dict[str, Any], names: Sequence[str]) -> str:
        """A legal action of the reader in words, with the seats it points at by name."""
        verb, *rest = action.split(" ")
        is_draw = verb == "target" and view["phase"] == "draw-target"
        template: str = self.catalogue["actions"].get("target-draw" if is_draw else verb, action)
        seat, n = view["seat"], view["num_players"]
        steps = [int(word) for word in rest if word.startswith("+")]
        values = {
            "card": self.card(rest[0]) if rest and not steps else "",
            "color": self.color(rest[0]) if verb == "color" else "",
            "seats": self.join([names[(seat + step) % n] for step in steps]) if steps else "",
            "amount": self.counted((view["pending"] or {}).get("amount", 0)),
        }
        return template.format(**values)

    def event(self, event: Event, reader: int | None, names: Sequence[str]) -> str:
        """What happened, as one sentence.

        Args:
            event: an entry of a view's `events`, cards left out where they are hidden.
            reader: the seat it is told to; None for somebody who does not play.
            names: a name for every seat; that of the reader stands inside sentences.
        """
        winners: list[int] = event.get("winners", [])
        # A team play fails at the partner of the seat that laid it.
        subject = event.get("partner", event.get("seat"))
        is_own = reader is not None and (subject == reader or winners == [reader])
        template: str = self.catalogue["events"][_event_key(event)][0 if is_own else 1]
        known = {key: names[event[key]] for key in ("other", "to", "holder", "partner")
                 if key in event}  # fmt: skip
        cards = self._event_cards(event)
        points = self.counted(event.get("points", 0), "points")
        values = {
            "who": "" if event.get("seat") is None else names[event["seat"]],
            "cards": cards,
            "drawn": cards,
            "color": self.color(event.get("color")),
            "amount": self.counted(event.get("amount", 0)),
            "count": self.counted(event.get("count", 0)),
            "points": points,
            "worth": f" ({points})" if event.get("points") else "",
            "round": event.get("round", 0) + 1,
            "winners": self.join([names[seat] for seat in winners]) if winners else "",
        }
        return self._begun(template.format(**(values | known)))

    def _begun(self, told: str) -> str:
        """A sentence that may begin with the reader: `you and Seat 2 won`."""
        return told[0].upper() + told[1:] if told.startswith(f"{self.say('you')} ") else told

    def _event_cards(self, event: Event) -> str:
        if event.get("cards") is None:
            return self.counted(event.get("count", 1))
        said = self._counted_cards(event["cards"])
        return self.join(said) if said else str(self.catalogue["no_cards"])


def _event_key(event: Event) -> str:
    """Which template tells an event: some types have several."""
    kind: str = event["type"]
    if kind == "hand":
        return "hand" if "cards" in event else "hand-hidden"
    if kind == "challenge":
        return "challenge-bluff" if event["bluff"] else "challenge-honest"
    if kind == "uno-call":
        return kind if event["seat"] == event["holder"] else "uno-call-for"
    if kind == "reverse":
        return f"reverse-{event['direction']}"
    if kind in ("round-end", "match-end") and not event["winners"]:
        return kind.replace("end", "void")
    return kind
