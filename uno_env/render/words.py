"""Plain words: cards, decisions and events as English sentences, in past tense and active voice.

So `You` works as a name as well as `Seat 3` does. The server uses the same sentences.
"""

from collections.abc import Callable, Sequence
from typing import Any

Event = dict[str, Any]
Names = Sequence[str]

VARIANT_WORDS = {
    "hyper_speed": "Hyper Speed",
    "classic": "Classic",
    "no_mercy": "No Mercy",
    "ig2000": "IG 2000",
    "loche": "Loche edition",
    "teams": "Teams",
}
_TASKS = {
    "play": "to play a card or draw",
    "play-drawn": "to play or keep the drawn card",
    "stack": "to answer the penalty or take it",
    "color": "to choose a colour",
    "challenge": "to accept or challenge the wild +4",
    "roulette-color": "to name a colour for the roulette",
    "swap-target": "to choose whom to swap hands with",
    "swap-pair": "to choose two hands to swap",
    "pass-card": "to pass a card to the partner",
    "give-half": "to give half of the hand to the partner",
    "exchange": "to give a card to the partner",
    "team-play": "to follow the Team Play",
    "uno-call": "to call UNO or stay silent",
    "uno-catch": "to catch a missing UNO call or ignore it",
    "react": "to jump in or let it pass",
    "opening-color": "to choose the opening colour",
    "opening-swap": "to choose two hands to swap",
}


def default_names(num_players: int) -> list[str]:
    """Names for seats nobody has named."""
    return [f"Seat {seat}" for seat in range(num_players)]


def card_words(card: str) -> str:
    """A card name as people say it: `red-draw2` is "red +2"."""
    plain = card.replace("draw", "+").replace("+give", " with give")
    return plain.replace("-", " ")


def task_words(view: dict[str, Any], names: Names) -> str:
    """Who decides what, or who has won."""
    if view["phase"] == "over":
        if not view["winners"]:
            return "The game ended without a winner"
        return f"{_join([names[seat] for seat in view['winners']])} won"
    if view["actor"] is None:
        return "Nobody is to decide"
    who = names[view["actor"]]
    return f"{'You have' if who == 'You' else who} {_TASKS[view['phase']]}"


def action_words(action: str, actor: int, names: Names) -> str:
    """A legal action in words, with the seats it points at by name."""
    verb, _, rest = action.partition(" ")
    if verb in ("play", "give"):
        return f"{verb} {card_words(rest)}"
    if verb == "color":
        return f"choose {rest}"
    if verb in ("target", "swap"):
        seats = [(actor + int(step)) % len(names) for step in rest.split()]
        who = " and ".join(_inside(names[seat]) for seat in seats)
        return f"swap with {who}" if verb == "target" else f"swap {who}"
    return action.replace("-", " ").replace("uno", "UNO")


def sentence(event: Event, names: Names) -> str:
    """What happened, as one English sentence.

    Args:
        event: an entry of `Game.events` or of a view's `events` (cards left out when hidden).
        names: a name for every seat.
    """
    teller = _TELLERS.get(event["type"])
    if teller is None:
        raise ValueError(f"event type is {event['type']!r}; known: {', '.join(_TELLERS)}")
    return teller(event, names)


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


def _join(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _inside(name: str) -> str:
    """A name inside a sentence."""
    return "you" if name == "You" else name


def _counted(number: int, noun: str = "card") -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _cards(event: Event, hidden: str) -> str:
    cards = event.get("cards")
    return _join([card_words(card) for card in cards]) if cards else hidden


def _active(template: str) -> Callable[[Event, Names], str]:
    """A sentence about the seat of the event: its other fields by name, seats by their names."""

    def tell(event: Event, names: Names) -> str:
        seats = {key: _inside(names[event[key]]) for key in ("holder", "other", "partner", "to")
                 if key in event}  # fmt: skip
        words = {"cards": _cards(event, "a card"), "color": event.get("color")}
        if "amount" in event:
            words["amount"] = _counted(event["amount"])
        return template.format(who=names[event["seat"]], **(words | seats))

    return tell


def _draw(event: Event, names: Names) -> str:
    return f"{names[event['seat']]} drew {_cards(event, _counted(event['count']))}."


def _hand(event: Event, names: Names) -> str:
    who = names[event["seat"]]
    if "cards" not in event:
        return f"{who} showed the hand to the challenger."
    points = f": {_counted(event['points'], 'point')}" if event["points"] else ""
    return f"{who} held {_cards(event, 'no cards')}{points}."


def _challenge(event: Event, names: Names) -> str:
    finding = "it was a bluff" if event["bluff"] else "it was no bluff"
    return f"{names[event['seat']]} challenged the wild +4: {finding}."


def _uno_call(event: Event, names: Names) -> str:
    who, holder = names[event["seat"]], names[event["holder"]]
    return f"{who} called UNO." if who == holder else f"{who} called UNO for {_inside(holder)}."


def _sum(event: Event, names: Names) -> str:
    total = _counted(event["points"], "point")
    return f"{names[event['seat']]} laid the whole hand at once: {_cards(event, 'all')}, {total}."


def _reverse(event: Event, names: Names) -> str:
    return f"Play turned {'clockwise' if event['direction'] == 1 else 'anticlockwise'}."


def _recycle(event: Event, names: Names) -> str:
    return f"The discards became a new draw pile of {_counted(event['count'])}."


def _team_play_failed(event: Event, names: Names) -> str:
    return f"{names[event['partner']]} had no card to follow the Team Play with."


def _end(what: str) -> Callable[[Event, Names], str]:
    def tell(event: Event, names: Names) -> str:
        name = "the match" if what == "match" else f"round {event['round'] + 1}"
        if not event["winners"]:
            return f"{name[0].upper()}{name[1:]} ended without a winner."
        return f"{_join([names[seat] for seat in event['winners']])} won {name}."

    return tell


_TELLERS: dict[str, Callable[[Event, Names], str]] = {
    "hand": _hand,
    "deal": lambda event, names: f"{names[event['seat']]} dealt round {event['round'] + 1}.",
    "open": lambda event, names: f"The first card turned up: {_cards(event, 'a card')}.",
    "cut": _active("{who} cut the deck."),
    "play": _active("{who} played {cards}."),
    "draw": _draw,
    "keep": _active("{who} kept the drawn card."),
    "pass": _active("{who} passed."),
    "take": _active("{who} took the penalty of {amount}."),
    "color": _active("{who} chose {color}."),
    "accept": _active("{who} accepted {amount}."),
    "challenge": _challenge,
    "roulette": _active("{who} named {color} for the roulette."),
    "swap": _active("{who} and {other} swapped hands."),
    "no-swap": _active("{who} left all hands where they were."),
    "pass-hands": lambda event, names: "Every hand moved one seat on.",
    "give": _active("{who} gave {cards} to {to}."),
    "uno-call": _uno_call,
    "catch": _active("{who} caught {holder} without an UNO call."),
    "jump-in": _active("{who} jumped in with {cards}."),
    "sum": _sum,
    "discard-all": _active("{who} threw off {cards}."),
    "skip": _active("{who} lost a turn."),
    "reverse": _reverse,
    "eliminate": _active("{who} left the round with {amount}: no mercy."),
    "out": _active("{who} went out."),
    "back": _active("{who} came back with {amount}."),
    "recycle": _recycle,
    "team-play-failed": _team_play_failed,
    "fault": _active("{who} tried an illegal action, which costs {amount}."),
    "round-end": _end("round"),
    "match-end": _end("match"),
}
