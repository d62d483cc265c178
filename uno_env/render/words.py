"""Plain words: cards, decisions and events in English, from the catalogue of `uno_env.text`.

A seat named `You` is addressed in the second person. The server uses the same sentences.
"""

from collections.abc import Sequence
from typing import Any

from ..engine.observation.event_log import EVENTS
from ..text.language import words_of

Event = dict[str, Any]
Names = Sequence[str]

READER = "You"
"""The name of a seat that reads the sentences itself."""
_WORDS = words_of("en")
VARIANT_WORDS: dict[str, str] = _WORDS.catalogue["variants"]
_TASKS: dict[str, str] = _WORDS.catalogue["watched_tasks"]
_TYPES = tuple(kind for kind in EVENTS if kind != "card")
_TARGETS = {"swap-target": "swap with {}", "draw-target": "make {} draw"}
"""What it means to point at a seat, by phase."""


def default_names(num_players: int) -> list[str]:
    """Names for seats nobody has named."""
    return [f"Seat {seat}" for seat in range(num_players)]


def card_words(card: str) -> str:
    """A card name as people say it: `red-draw2` is "red +2"."""
    return _WORDS.card(card)


def seen_words(name: str) -> str:
    """Whose knowledge is shown."""
    return "as you see it" if name == READER else f"as {name} sees it"


def task_words(view: dict[str, Any], names: Names) -> str:
    """Who decides what, or who has won."""
    if view["phase"] == "over":
        if not view["winners"]:
            return "The game ended without a winner"
        return f"{_WORDS.join([names[seat] for seat in view['winners']])} won"
    if view["actor"] is None:
        return "Nobody is to decide"
    who = names[view["actor"]]
    return _TASKS[view["phase"]].format(who=f"{READER} have" if who == READER else who)


def action_words(action: str, actor: int, names: Names, phase: str | None = None) -> str:
    """A legal action in words, with the seats it points at by name.

    Args:
        action: its text.
        actor: the seat to act.
        names: a name for every seat.
        phase: what is decided: `target +1` may mean a swap or a draw.
    """
    verb, _, rest = action.partition(" ")
    if verb in ("play", "give"):
        return f"{verb} {card_words(rest)}"
    if verb == "color":
        return f"choose {rest}"
    if verb in ("target", "swap"):
        seats = [(actor + int(step)) % len(names) for step in rest.split()]
        who = " and ".join(_inside(names[seat]) for seat in seats)
        template = "swap {}" if verb == "swap" else _TARGETS.get(phase or "", "choose {}")
        return template.format(who)
    return action.replace("-", " ").replace("uno", "UNO")


def sentence(event: Event, names: Names) -> str:
    """What happened, as one English sentence.

    Args:
        event: an entry of `Game.events` or of a view's `events` (cards left out when hidden).
        names: a name for every seat.
    """
    if event["type"] not in _TYPES:
        raise ValueError(f"event type is {event['type']!r}; known: {', '.join(_TYPES)}")
    reader = names.index(READER) if READER in names else None
    return _WORDS.event(event, reader, [_inside(name) for name in names])


def story(events: Sequence[Event], names: Names, last: int | None = None) -> list[str]:
    """Sentences of all or the last few events; cards thrown off together are told together."""
    recent = events if last is None else events[-4 * last :]
    told: list[Event] = []
    for event in recent:
        before = told[-1] if told else {}
        if event["type"] == "discard-all" == before.get("type") and event["seat"] == before["seat"]:
            told[-1] = before | {"cards": [*before["cards"], *event["cards"]]}
        else:
            told.append(event)
    return [sentence(event, names) for event in (told if last is None else told[-last:])]


def _inside(name: str) -> str:
    """A name inside a sentence."""
    return "you" if name == READER else name
