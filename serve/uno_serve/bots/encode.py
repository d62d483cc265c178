"""From the JSON of a view straight to the bytes a batch agent reads, without a game in between.

`determinize(view).observe(seat)` says the same in a hundred times the time; a test holds the two
together. A view from the network is checked on the way: `ViewError` names what is wrong.
"""

from functools import lru_cache
from typing import Any

from uno_env.actions import ACTIONS, GIVE_PHASES, NUM_ACTIONS
from uno_env.cards import COLORS, FACES, color_of, kind_of
from uno_env.engine.knowledge.known_counts import CARD_COUNTS
from uno_env.engine.observation.encode import (
    O_ACTIVE,
    O_BEFORE,
    O_CLOCKWISE,
    O_DISCARDS,
    O_DRAWN_COLOR,
    O_DRAWN_KIND,
    O_HYPER,
    O_KNOWN,
    O_PENDING,
    O_PHASE,
    O_RULES,
    O_SEATS,
    O_SUBJECT,
    O_TOP_GIVE,
    O_TOP_KIND,
    OBS_SIZE,
)
from uno_env.engine.rules_record import rules_table
from uno_env.engine.state import SEAT_ROW
from uno_env.engine.tables import FACE_GIVE, PHASES
from uno_env.rules import Rules

_FACE = {name: face for face, name in enumerate(FACES)}
_KIND = {name: kind_of(face) for face, name in enumerate(FACES)}
_COLOR = {name: color_of(face) for face, name in enumerate(FACES)}
_COLOR_AT = {color: at for at, color in enumerate(COLORS)}
_PHASE_AT = {phase: O_PHASE + at for at, phase in enumerate(PHASES)}
_NOTE = {
    name: int.from_bytes(CARD_COUNTS[face : face + 1].tobytes(), "little")
    for face, name in enumerate(FACES)
}

PLAY_IDS = {text: number for number, text in enumerate(ACTIONS)}
GIVE_IDS = {**PLAY_IDS, **{f"give {face}": number for number, face in enumerate(FACES)}}
for _face in FACES:
    del GIVE_IDS[f"play {_face}"]
_BITS = {0: 0, 1: 1}
MOST_CARDS = 250


class ViewError(ValueError):
    """A view that lacks something, or says what cannot be; the text names the key."""


@lru_cache(maxsize=1024)
def _rule_bytes(variant: str, changes: str) -> bytes:
    """The rule block of an observation, by the canonical text of the rules."""
    table: Any = rules_table([Rules.from_text(variant + changes)])
    return bytes(table["vector"][0].tobytes())


def rules_of(view: dict[str, Any]) -> tuple[str, str]:
    """Variant and changes of a view, as a rules text in two parts."""
    changes = view.get("rules")
    if not changes:
        return view["variant"], ""
    rules = Rules.from_dict({"variant": view["variant"], **changes})
    return rules.variant, rules.text()[len(rules.variant) :]


def action_ids(view: dict[str, Any]) -> dict[str, int]:
    """The action table in the phase of a view."""
    return GIVE_IDS if view["phase"] in GIVE_PHASES else PLAY_IDS


def encode_view(view: dict[str, Any]) -> tuple[bytes, bytes]:
    """Observation and mask of the seat a view belongs to, which must be the one to decide."""
    try:
        return _observation(view), _mask(view)
    except ViewError:
        raise
    except KeyError as error:
        raise ViewError(f"view lacks or does not allow {error.args[0]!r}") from None
    except (AttributeError, IndexError, OverflowError, TypeError, ValueError) as error:
        raise ViewError(f"view: {error}") from None


def _observation(view: dict[str, Any]) -> bytes:
    seat, n = view["seat"], view["num_players"]
    clock = view["clockwork"]
    sizes = view["hand_sizes"]
    if not (2 <= n <= 10 and 0 <= seat < n == len(sizes)):
        raise ViewError("view: seat, num_players and hand_sizes do not fit together")
    if view["actor"] != seat:
        raise ViewError(f"view: actor is {view['actor']!r}, not the seat {seat!r} that asks")
    hand, discard = view["hand"], view["discard"]
    if len(hand) != sizes[seat] or len(discard) > MOST_CARDS or sum(sizes) > MOST_CARDS:
        raise ViewError("view: hand, hand_sizes and discard do not fit together")
    row = bytearray(OBS_SIZE)
    for card in hand:
        row[_FACE[card]] += 1
    for card in discard:
        row[O_DISCARDS + _FACE[card]] += 1
    _write_numbers(view, clock, row)
    _write_seats(view, clock["seats"], row)
    _write_table(view, row)
    row[O_RULES:] = _rule_bytes(*rules_of(view))
    return bytes(row)


def _write_numbers(view: dict[str, Any], clock: dict[str, Any], row: bytearray) -> None:
    pending = view["pending"]
    if pending is not None:
        row[O_PENDING] = min(pending["amount"], 255)
        row[O_PENDING + 1] = pending["value"]
        row[O_PENDING + 2] = _BITS[pending["contestable"]]
    row[O_PENDING + 3] = view["cards_to_give"]
    row[O_PENDING + 4] = view["draw_pile_size"]
    row[O_PENDING + 5] = view["set_aside_size"]
    n = view["num_players"]
    away = {*view["eliminated"], *view["out"]}
    row[O_CLOCKWISE : O_CLOCKWISE + 6] = (
        _BITS[view["direction"] > 0],
        min(view["round"], 255),
        min(clock["turns"] >> 2, 255),
        min(view["reshuffles"], 255),
        n,
        n - len(away),
    )


def _write_seats(view: dict[str, Any], rows: list[list[int]], row: bytearray) -> None:
    """The public row of every seat, and the cards this one knows in other hands."""
    seat, n, sizes = view["seat"], view["num_players"], view["hand_sizes"]
    called, eliminated, out = view["uno_called"], view["eliminated"], view["out"]
    at = O_SEATS
    for other in (*range(seat, n), *range(seat)):
        public = rows[other]
        # Before they are turned into bytes: a number would become as many zeros.
        if len(public) != SEAT_ROW:
            raise ViewError("view: clockwork.seats has rows of another length")
        row[at : at + SEAT_ROW] = bytes(public)
        row[at] = sizes[other]
        row[at + 1] = other in called
        row[at + 2] = other not in eliminated and other not in out
        at += SEAT_ROW
    for holder, cards in view["known"].items():
        place = int(holder)
        if not 0 <= place < n or len(cards) > MOST_CARDS:
            raise ViewError(f"view: known names seat {holder}")
        # Eight counts that grow together: each card adds at most one, so none reaches the next.
        counts = sum([_NOTE[card] for card in cards])
        at = O_KNOWN + 8 * ((place - seat) % n)
        row[at : at + 8] = counts.to_bytes(8, "little")


def _write_table(view: dict[str, Any], row: bytearray) -> None:
    seat, n = view["seat"], view["num_players"]
    top = view["top_card"]
    row[_PHASE_AT[view["phase"]]] = 1
    row[O_TOP_KIND + _KIND[top]] = 1
    row[O_TOP_GIVE] = _FACE[top] >= FACE_GIVE
    for block, key in ((O_ACTIVE, "active_color"), (O_HYPER, "hyper_color"),
                       (O_BEFORE, "color_before")):  # fmt: skip
        color = view[key]
        if color is not None:
            row[block + _COLOR_AT[color]] = 1
    drawn = view["drawn_card"]
    if drawn is not None and seat == view["turn"]:
        row[O_DRAWN_KIND + _KIND[drawn]] = 1
        if _COLOR[drawn] < 4:
            row[O_DRAWN_COLOR + _COLOR[drawn]] = 1
    subject = view["subject"]
    if not -1 <= subject < n:
        raise ViewError(f"view: subject is {subject!r}")
    if subject >= 0:
        row[O_SUBJECT + (subject - seat) % n] = 1


def _mask(view: dict[str, Any]) -> bytes:
    mask = bytearray(NUM_ACTIONS)
    ids = action_ids(view)
    for action in view["legal"]:
        mask[ids[action]] = 1
    if not view["legal"]:
        raise ViewError("view: legal is empty, so there is nothing to decide")
    return bytes(mask)
