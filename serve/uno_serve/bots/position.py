"""Positions: the part of a view that a front end easily knows, completed with defaults."""

from collections import Counter
from typing import Any

from uno_env import Rules
from uno_env.state_io.encode_view import ViewError
from uno_env.state_io.view import View, rule_changes

_rules_seen: dict[str, Rules] = {}
MAX_RULES_SEEN = 256
"""Rules that are not checked again when they are named again."""
_SECRET_KEYS = ("hands", "draw_pile", "set_aside", "rng", "engine_state", "seed")
_DERIVED_KEYS = frozenset("format subject legal events winners".split())
POSITION_KEYS = frozenset(
    "variant rules episode seat hand hand_sizes top_card discard active_color phase pending "
    "drawn_card direction turn dealer actor num_players color_before hyper_color draw_pile_size "
    "set_aside_size cards_to_give eliminated out uno_called known missing_colors last_actions "
    "cards_played recent places player kind_before points scores turns round reshuffles".split()
)


def position_of_view(view: Any) -> dict[str, Any]:
    """A view as a position: without the keys that follow from the others."""
    if not isinstance(view, dict):
        raise ViewError("view must be an object, as Game.view(seat) gives it")
    return {key: value for key, value in view.items() if key not in _DERIVED_KEYS}


def complete_position(position: dict[str, Any]) -> View:
    """A position with the keys that `determinize` needs; raises `ViewError`."""
    for key in position:
        if key in _SECRET_KEYS:
            raise ViewError(f"{key} is never accepted: a bot knows what its seat knows")
        if key not in POSITION_KEYS:
            raise ViewError(f"{key} is unknown; known: {', '.join(sorted(POSITION_KEYS))}")
    view = {key: value for key, value in position.items() if value is not None or key == "actor"}
    for key in ("hand", "hand_sizes"):
        if not isinstance(view.get(key), list):
            raise ViewError(f"{key} is missing or no list")
    rules = named_rules(view.get("rules"), view.get("variant"))
    _check_hand(view, rules)
    view |= {
        "variant": rules.variant,
        "rules": rule_changes(rules),
        "num_players": len(view["hand_sizes"]),
    }
    _complete_piles(view, rules)
    _check_counts(view, rules)
    seat = view["seat"]
    if view.setdefault("actor", seat) != seat:
        raise ViewError(f"actor is {view['actor']!r}, not the seat {seat} that asks")
    view.setdefault("turn", seat)
    return view


def _check_hand(view: View, rules: Rules) -> None:
    """Seat, hand and hand sizes agree."""
    seat, sizes = view.setdefault("seat", 0), view["hand_sizes"]
    if type(seat) is not int or not 0 <= seat < len(sizes):
        raise ViewError(f"seat is {seat!r}; hand_sizes has seats 0 to {len(sizes) - 1}")
    if any(type(size) is not int or not 0 <= size <= rules.cards.size for size in sizes):
        raise ViewError("hand_sizes: whole numbers of cards are needed")
    if sizes[seat] != len(view["hand"]):
        raise ViewError(f"hand has {len(view['hand'])} cards, hand_sizes says {sizes[seat]}")


def _complete_piles(view: View, rules: Rules) -> None:
    """The discard pile from the top card, and the size of the draw pile from the rest."""
    top = view.pop("top_card", None)
    discard = view.setdefault("discard", [] if top is None else [top])
    if not isinstance(discard, list) or not discard or top not in (None, discard[-1]):
        raise ViewError("top_card is missing, or not the last of discard")
    elsewhere = sum(view["hand_sizes"]) + len(discard) + view.get("set_aside_size", 0)
    view.setdefault("draw_pile_size", max(rules.cards.size - elsewhere, 0))


def _check_counts(view: View, rules: Rules) -> None:
    """No card is there more often than in the deck."""
    known = view.get("known")
    known_hands = list(known.values()) if isinstance(known, dict) else []
    piles = [view["hand"], view["discard"], *known_hands]
    seen = Counter(card for pile in piles if isinstance(pile, list) for card in pile)
    for card, count in seen.items():
        # Whatever is no card at all is refused where cards are read.
        if card in rules.deck and count > rules.cards[card]:
            raise ViewError(f"{card} is there {count} times; the deck has {rules.cards[card]}")


def named_rules(rules: Any, variant: Any = None) -> Rules:
    """The rules a request names: a rules text, or a variant with changes; raises `ValueError`."""
    key = repr((rules, variant))
    found = _rules_seen.get(key)
    if found is None:
        found = _named_rules(rules, variant)
        if len(_rules_seen) >= MAX_RULES_SEEN:
            _rules_seen.clear()
        _rules_seen[key] = found
    return found


def _named_rules(rules: Any, variant: Any) -> Rules:
    if isinstance(rules, str):
        named = Rules.from_text(rules)
        if variant is not None and Rules.from_text(variant) not in (named, _preset(named)):
            raise ViewError(f"variant is {variant!r}, but rules are {named.text()!r}")
        return named
    if rules is None and variant is not None:
        return Rules.from_text(variant)
    changes = {} if rules is None else rules
    if not isinstance(changes, dict):
        raise ViewError(f"rules is {rules!r}; a text or an object is needed")
    if variant is None:
        return Rules.from_dict(changes)
    if changes.get("variant", variant) != variant:
        raise ViewError(f"variant is {variant!r}, but rules name another")
    return Rules.from_dict({**changes, "variant": variant})


def _preset(rules: Rules) -> Rules:
    return Rules.preset(rules.variant)
