"""Reading a snapshot: every key checked and given its obvious default."""

from typing import Any

import numpy as np

from ..cards import (
    COLORED_KINDS,
    COLORS,
    FACES,
    KINDS,
    WILDS,
    UnknownCard,
    color_of,
    face_id,
    kind_of,
)
from ..engine.rules_record import kind_draws
from ..engine.state import MOST_TURNS
from ..engine.tables import PHASES
from ..game import EPISODES
from ..kinds import MAX_DRAWS
from ..rules.deck import MAX_CARDS
from ..rules.rules import Rules, RulesError
from .formats import SNAPSHOT_FORMAT, check_format
from .position import Position, SnapshotError, check_position
from .seat_rows import NO_ACTION, PLAYS

KEYS = frozenset(
    "format variant rules num_players episode dealer turn actor phase direction active_color "
    "color_before kind_before player hands draw_pile discard set_aside pending hyper_color "
    "drawn_card cards_to_give eliminated out uno_called points scores winners known missing_colors "
    "last_actions cards_played recent places turns rng engine_state".split()
)
PENDING_KEYS = ("amount", "value", "source", "contestable")
RNG_KEYS = ("seed", "round", "reshuffles", "random_draws")


def read_position(data: Any, strict: bool) -> Position:
    """Check a snapshot and fill in what it leaves out."""
    if not isinstance(data, dict):
        raise SnapshotError(f"a snapshot is a mapping, not {type(data).__name__}")
    check_format(data, SNAPSHOT_FORMAT, SnapshotError)
    reader = _Reader(data)
    reader.check_keys()
    position = reader.read()
    check_position(position, strict)
    return position


_rules_seen: dict[str, Rules] = {}
_MOST_RULES_SEEN = 256


def rules_of(variant: Any, changes: dict[str, Any]) -> Rules:
    """The rules of a preset with changes; those met before are not checked again."""
    name = repr((variant, changes))
    rules = _rules_seen.get(name)
    if rules is None:
        rules = Rules.from_dict({**changes, "variant": variant})
        if len(_rules_seen) >= _MOST_RULES_SEEN:
            _rules_seen.clear()
        _rules_seen[name] = rules
    return rules


class _Reader:
    """Takes keys out of a snapshot one by one, with errors that name them."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def check_keys(self) -> None:
        for key in self.data:
            if key not in KEYS:
                raise SnapshotError(f"{key!r} is not a key of a snapshot; known: {sorted(KEYS)}")
        for key in ("variant", "hands", "discard", "draw_pile"):
            if key not in self.data:
                raise SnapshotError(f"{key} is missing")

    def read(self) -> Position:
        rules = self._rules()
        hands = self._hands()
        n = self.integer("num_players", len(hands), 1, 10)
        if n != len(hands):
            raise SnapshotError(f"num_players is {n}, but there are {len(hands)} hands")
        try:
            rules.check_players(n)
        except RulesError as error:
            raise SnapshotError(f"hands: {error}") from None
        discard = self.cards("discard")
        if not discard:
            raise SnapshotError("discard is empty; it needs at least the top card")
        eliminated = self.seats("eliminated", n)
        out = self.seats("out", n)
        pending = self._pending(n, rules)
        phase = self.word("phase", PHASES, self._usual_phase(rules, pending))
        actor = self._actor(n, phase, eliminated, out)
        top_color = color_of(discard[-1])
        printed = COLORS[top_color] if top_color < 4 else None
        active = self.word("active_color", (*COLORS, None), printed)
        return Position(
            rules=rules,
            num_players=n,
            episode=self.word("episode", EPISODES, "round"),
            hands=hands,
            draw_pile=self.cards("draw_pile"),
            discard=discard,
            set_aside=self.cards("set_aside"),
            dealer=self.integer("dealer", n - 1, 0, n - 1),
            direction=self._direction(),
            eliminated=eliminated,
            out=out,
            turn=self.integer("turn", actor if actor is not None else 0, 0, n - 1),
            actor=actor,
            phase=phase,
            active_color=active,
            color_before=self.word("color_before", (*COLORS, None), self._color_under(discard)),
            pending=pending,
            hyper_color=self.word("hyper_color", (*COLORS, None), None),
            drawn_card=self._drawn(),
            uno_called=self.seats("uno_called", n),
            points=self.integers("points", n),
            scores=self.integers("scores", n),
            winners=self.seats("winners", n),
            known=self._known(n),
            missing_colors=self._missing_colors(n),
            last_actions=self._last_actions(n),
            cards_played=self.integers("cards_played", n, 0, 255),
            recent=self.data.get("recent") or [],
            places=self.integers("places", n, 0, n),
            player=self._player(n),
            kind_before=self._kind_before(),
            cards_to_give=self._cards_to_give(phase, actor, hands),
            turns=min(self.integer("turns", 0, 0, 2**31 - 1), MOST_TURNS),
            rng=self._rng(),
            engine_state=self._engine_state(),
        )

    def _rules(self) -> Rules:
        changes = self.data.get("rules") or {}
        if not isinstance(changes, dict):
            raise SnapshotError(f"rules is {changes!r}; a mapping of differences is needed")
        try:
            return rules_of(self.data["variant"], changes)
        except (RulesError, TypeError) as error:
            raise SnapshotError(f"rules: {error}") from None

    def _hands(self) -> list[list[int]]:
        hands = self.data["hands"]
        if not isinstance(hands, list) or not 1 <= len(hands) <= 10:
            raise SnapshotError("hands must be a list of 2 to 10 card lists")
        return [_faces(f"hands[{seat}]", hand) for seat, hand in enumerate(hands)]

    def _usual_phase(self, rules: Rules, pending: dict[str, Any] | None) -> str:
        if self.data.get("drawn_card") is not None:
            return "play-drawn"
        if pending is None:
            return "play"
        answerable = rules.stacking != "none" or rules.deflection != "none"
        return "stack" if answerable else "challenge"

    def _actor(self, n: int, phase: str, eliminated: list[int], out: list[int]) -> int | None:
        if phase == "over":
            if self.data.get("actor") is not None:
                raise SnapshotError("actor must be null in phase over")
            return None
        usual = self.integer("turn", 0, 0, n - 1)
        if self.data.get("actor", usual) is None:
            raise SnapshotError(f"actor is null, but phase is {phase}")
        actor = self.integer("actor", usual, 0, n - 1)
        partner_call = phase in ("uno-call", "pass-card", "exchange")
        if actor in eliminated or (actor in out and not partner_call):
            raise SnapshotError(f"actor is {actor}, who is not in play")
        return actor

    def _direction(self) -> int:
        direction = self.integer("direction", 1, -1, 1)
        if direction == 0:
            raise SnapshotError("direction is 0; 1 is clockwise, -1 the other way")
        return direction

    def _color_under(self, discard: list[int]) -> str | None:
        color = color_of(discard[-2]) if len(discard) > 1 else 4
        return COLORS[color] if color < 4 else None

    def _drawn(self) -> str | None:
        card = self.data.get("drawn_card")
        return None if card is None else FACES[_face("drawn_card", card)]

    def _pending(self, n: int, rules: Rules) -> dict[str, Any] | None:
        pending = self.data.get("pending")
        if pending is None:
            return None
        if not isinstance(pending, dict):
            raise SnapshotError(f"pending is {pending!r}; {{{', '.join(PENDING_KEYS)}}} or null")
        for key in pending:
            if key not in PENDING_KEYS:
                raise SnapshotError(f"pending.{key} is unknown; known: {', '.join(PENDING_KEYS)}")
        inner = _Reader(pending)
        top = self.data["discard"][-1] if self.data["discard"] else None
        value = kind_draws(rules)[kind_of(_face("discard", top))]
        amount = inner.integer("amount", value, 1, MAX_CARDS, "pending.amount")
        return {
            "amount": amount,
            "value": inner.integer(
                "value", min(value or amount, 10), 1, MAX_DRAWS, "pending.value"
            ),
            "source": inner.integer("source", n - 1, 0, n - 1, "pending.source"),
            "contestable": inner.flag("contestable", "pending.contestable"),
        }

    def _known(self, n: int) -> list[tuple[int, int, int]]:
        known = self.data.get("known") or []
        if not isinstance(known, list) or len(known) > MAX_CARDS:
            raise SnapshotError("known must be a list of {holder, card, seats}")
        entries = []
        for index, entry in enumerate(known):
            where = f"known[{index}]"
            if not isinstance(entry, dict) or set(entry) != {"holder", "card", "seats"}:
                raise SnapshotError(f"{where} must be {{holder, card, seats}}")
            inner = _Reader(entry)
            holder = inner.integer("holder", 0, 0, n - 1, f"{where}.holder")
            bits = sum(1 << seat for seat in inner.seats("seats", 10, f"{where}.seats"))
            entries.append((holder, _face(f"{where}.card", entry["card"]), bits))
        return entries

    def _rng(self) -> dict[str, int]:
        rng = self.data.get("rng") or {}
        if not isinstance(rng, dict) or set(rng) - set(RNG_KEYS):
            raise SnapshotError(f"rng must be a mapping of {', '.join(RNG_KEYS)}")
        inner = _Reader(rng)
        tops = (2**64 - 1, *[2**31 - 1] * 3)
        return {
            key: inner.integer(key, 0, 0, top, f"rng.{key}")
            for key, top in zip(RNG_KEYS, tops, strict=True)
        }

    def _engine_state(self) -> dict[str, Any] | None:
        told = self.data.get("engine_state")
        if told is not None and not isinstance(told, dict):
            raise SnapshotError(
                f"engine_state is {told!r}; leave it out or take it from snapshot()"
            )
        return told

    def _missing_colors(self, n: int) -> dict[int, dict[str, int]]:
        told = self.data.get("missing_colors") or {}
        if not isinstance(told, dict):
            raise SnapshotError(f"missing_colors is {told!r}; {{seat: {{color: most}}}} is needed")
        missing = {}
        for key, bounds in told.items():
            where = f"missing_colors[{key}]"
            if str(key) not in map(str, range(n)) or not isinstance(bounds, dict):
                raise SnapshotError(f"{where} must be a seat 0 to {n - 1} and {{color: most}}")
            for color in bounds:
                if color not in COLORS:
                    raise SnapshotError(f"{where} names {color!r}; allowed: {', '.join(COLORS)}")
            inner = _Reader(bounds)
            missing[int(key)] = {
                color: inner.integer(color, 0, 0, MAX_CARDS, f"{where}.{color}") for color in bounds
            }
        return missing

    def _last_actions(self, n: int) -> list[dict[str, Any]]:
        told = self.data.get("last_actions", [NO_ACTION] * n)
        if not isinstance(told, list) or len(told) != n:
            raise SnapshotError(f"last_actions must be a list of {n}, one for each seat")
        return [self._last_action(f"last_actions[{seat}]", one) for seat, one in enumerate(told)]

    def _last_action(self, where: str, told: Any) -> dict[str, Any]:
        if not isinstance(told, dict) or set(told) - set(NO_ACTION):
            raise SnapshotError(f"{where} must be {{{', '.join(NO_ACTION)}}}")
        inner = _Reader(told)
        return {
            "color": inner.word("color", (*COLORS, None), None, f"{where}.color"),
            "play": inner.word("play", PLAYS, None, f"{where}.play"),
            "drawn": inner.integer("drawn", 0, 0, 255, f"{where}.drawn"),
            "taken": inner.integer("taken", 0, 0, 255, f"{where}.taken"),
        }

    def _player(self, n: int) -> int | None:
        return None if self.data.get("player") is None else self.integer("player", 0, 0, n - 1)

    def _kind_before(self) -> int | None:
        kind = self.word("kind_before", (*COLORED_KINDS, *WILDS, None), None)
        return None if kind is None else KINDS.index(kind)

    def _cards_to_give(self, phase: str, actor: int | None, hands: list[list[int]]) -> int:
        if phase != "give-half":
            return self.integer("cards_to_give", 0, 0, 0)
        size = len(hands[actor or 0])
        return self.integer("cards_to_give", size // 2, 1, size)

    def integer(self, key: str, usual: int, low: int, high: int, name: str = "") -> int:
        value = self.data.get(key, usual)
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            raise SnapshotError(f"{name or key} is {value!r}; an integer is needed")
        if not low <= value <= high:
            raise SnapshotError(f"{name or key} is {value}; allowed: {low} to {high}")
        return int(value)

    def integers(self, key: str, n: int, low: int = -(2**31), high: int = 2**31 - 1) -> list[int]:
        values = self.data.get(key, [0] * n)
        if not isinstance(values, list) or len(values) != n:
            raise SnapshotError(f"{key} must be a list of {n} integers")
        inner = _Reader({str(index): value for index, value in enumerate(values)})
        return [inner.integer(str(i), 0, low, high, f"{key}[{i}]") for i in range(n)]

    def flag(self, key: str, name: str) -> bool:
        value = self.data.get(key, False)
        if not isinstance(value, (bool, np.bool_)):
            raise SnapshotError(f"{name} is {value!r}; true or false is needed")
        return bool(value)

    def word(self, key: str, allowed: tuple[Any, ...], usual: Any, name: str = "") -> Any:
        value = self.data.get(key, usual)
        if not isinstance(value, (str, type(None))) or value not in allowed:
            names = ", ".join("null" if word is None else word for word in allowed)
            raise SnapshotError(f"{name or key} is {value!r}; allowed: {names}")
        return value

    def cards(self, key: str) -> list[int]:
        return _faces(key, self.data.get(key, []))

    def seats(self, key: str, n: int, name: str = "") -> list[int]:
        seats = self.data.get(key, [])
        if not isinstance(seats, (list, tuple)):
            raise SnapshotError(f"{name or key} is {seats!r}; a list of seats is needed")
        for seat in seats:
            if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < n:
                raise SnapshotError(f"{name or key} names seat {seat!r}; seats are 0 to {n - 1}")
        return sorted(set(seats))


def _face(where: str, name: Any) -> int:
    if not isinstance(name, str):
        raise SnapshotError(f"{where}: {name!r} is not a card name")
    try:
        return face_id(name)
    except UnknownCard as error:
        raise SnapshotError(f"{where}: {error}") from None


def _faces(where: str, names: Any) -> list[int]:
    if not isinstance(names, (list, tuple)) or len(names) > MAX_CARDS:
        raise SnapshotError(f"{where} must be a list of at most {MAX_CARDS} card names")
    return [_face(where, name) for name in names]
