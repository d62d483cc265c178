"""Encode a view as the observation and mask that batch agents read, without a game in between.

The bytes are those of `Game.observe(seat)`, a hundred times faster than by way of
`determinize(view)`; a test compares the two. A view may come from the network, so it is checked on
the way: `ViewError` names what is wrong.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from ..actions import ACTIONS, GIVE_PHASES, NUM_ACTIONS, action_id
from ..array_types import Bytes
from ..cards import CARDS, COLORS, FACES, color_of, kind_of
from ..engine.observation.layout import (
    FAR_COLORS,
    FAR_ROW,
    NEXT,
    O_ACTIVE,
    O_ASKED,
    O_BEFORE,
    O_CLOCKWISE,
    O_DETAILS,
    O_DISCARDS,
    O_DRAWN_COLOR,
    O_DRAWN_KIND,
    O_FAR,
    O_HYPER,
    O_KNOWN,
    O_PENDING,
    O_PHASE,
    O_RECENT,
    O_RULES,
    O_SEATS,
    O_SUBJECT,
    O_TOP_GIVE,
    O_TOP_KIND,
    OBS_SIZE,
    OPPOSITE,
    PREVIOUS,
)
from ..engine.observation.recent import RECENT
from ..engine.rules_record import rules_table
from ..engine.state import SEAT_LAST_COLOR, SEAT_MISSING, SEAT_PLAYED, SEAT_ROW, SMALL_TABLE
from ..engine.tables import FACE_GIVE, PHASES, ROW
from ..kinds import KIND_ID
from ..rules.deck import MAX_CARDS
from ..rules.rules import Rules
from .formats import VIEW_FORMAT, check_format
from .knowledge import recent_bytes
from .seat_rows import PLAYS, score_byte

_FACE = {name: FACES.index(name) for name in CARDS}
_KIND = {name: kind_of(face) for name, face in _FACE.items()}
_COLOR = {name: color_of(face) for name, face in _FACE.items()}
_COLOR_AT = {color: at for at, color in enumerate(COLORS)}
_PHASE_AT = {phase: O_PHASE + at for at, phase in enumerate(PHASES)}

PLAY_IDS = {text: action_id(text) for text in ACTIONS if not text.startswith("reserved")
            and "reserved" not in text}  # fmt: skip
GIVE_IDS = {**PLAY_IDS, **{f"give {name}": face for name, face in _FACE.items()}}
for _card in CARDS:
    del GIVE_IDS[f"play {_card}"]
_BITS = {0: 0, 1: 1}
_PLAY = {play: code for code, play in enumerate(PLAYS)}
_ONE_HOT = {None: bytes(4)} | {
    color: bytes(int(at == other) for other in range(4)) for at, color in enumerate(COLORS)
}
MAX_BYTE = 255


class ViewError(ValueError):
    """A view that lacks something, or says what cannot be; the text names the key."""


@lru_cache(maxsize=1024)
def _rules_part(text: str) -> tuple[bytes, int]:
    """The rule block of an observation and the match target, by the text of the rules."""
    rules = Rules.from_text(text)
    table: Any = rules_table([rules])
    return bytes(table["vector"][0].tobytes()), rules.match_target


def _rules_text(view: dict[str, Any]) -> str:
    changes = view.get("rules")
    if not changes:
        return str(view["variant"])
    return Rules.from_dict({"variant": view["variant"], **changes}).text()


def action_ids(view: dict[str, Any]) -> dict[str, int]:
    """The action table in the phase of a view."""
    return GIVE_IDS if view["phase"] in GIVE_PHASES else PLAY_IDS


def encode_view(view: dict[str, Any], legal: list[str] | None = None) -> tuple[bytes, bytes]:
    """Observation and mask of the seat a view belongs to, which must be the one to decide.

    Args:
        view: what `Game.view(seat)` returned, or the same after a JSON round trip.
        legal: the actions to choose from; those of the view when left out.
    """
    try:
        check_format(view, VIEW_FORMAT, ViewError)
        return _observation(view), _mask(view, view["legal"] if legal is None else legal)
    except ViewError:
        raise
    except KeyError as error:
        raise ViewError(f"view lacks or does not allow {error.args[0]!r}") from None
    except (AttributeError, IndexError, OverflowError, TypeError, ValueError) as error:
        raise ViewError(f"view: {error}") from None


def _observation(view: dict[str, Any]) -> bytes:
    seat, n = view["seat"], view["num_players"]
    sizes = view["hand_sizes"]
    if not (2 <= n <= 10 and 0 <= seat < n == len(sizes)):
        raise ViewError("view: seat, num_players and hand_sizes do not fit together")
    if view["actor"] != seat:
        raise ViewError(f"view: actor is {view['actor']!r}, not the seat {seat!r} that asks")
    hand, discard = view["hand"], view["discard"]
    if len(hand) != sizes[seat] or len(discard) > MAX_CARDS or sum(sizes) > MAX_CARDS:
        raise ViewError("view: hand, hand_sizes and discard do not fit together")
    row = bytearray(OBS_SIZE)
    for card in hand:
        row[_FACE[card]] += 1
    for card in discard:
        row[O_DISCARDS + _FACE[card]] += 1
    row[O_RULES:], match_target = _rules_part(_rules_text(view))
    _write_numbers(view, row)
    _write_seats(view, row, match_target)
    _write_known(view, row)
    _write_table(view, row)
    _write_recent(view, row)
    return bytes(row)


def _write_numbers(view: dict[str, Any], row: bytearray) -> None:
    pending, progress = view["pending"], view.get("engine_state") or {}
    seat, n = view["seat"], view["num_players"]
    if pending is not None:
        row[O_PENDING] = min(pending["amount"], MAX_BYTE)
        row[O_PENDING + 1] = pending["value"]
        row[O_PENDING + 2] = _BITS[pending["contestable"]]
    row[O_PENDING + 3] = view["cards_to_give"]
    row[O_PENDING + 4] = min(view["draw_pile_size"], MAX_BYTE)
    row[O_PENDING + 5] = min(view["set_aside_size"], MAX_BYTE)
    row[O_PENDING + 6] = min(len(view["discard"]), MAX_BYTE)
    row[O_PENDING + 7] = min(progress.get("equal_cards", 0), MAX_BYTE)
    away = {*view["eliminated"], *view["out"]}
    row[O_CLOCKWISE : O_CLOCKWISE + 8] = (
        _BITS[view["direction"] > 0],
        min(view["round"], MAX_BYTE),
        min(view["turns"] >> 2, MAX_BYTE),
        min(view["reshuffles"], MAX_BYTE),
        n,
        n - len(away),
        view["episode"] == "match",
        progress.get("has_known", any(view["known"].values())),
    )
    player, sizes = view["player"], view["hand_sizes"]
    row[O_DETAILS : O_DETAILS + 8] = (
        1 + KIND_ID[view["kind_before"]],
        progress.get("penalty_before", 0),
        1 + (view["turn"] - seat) % n,
        1 + (player - seat) % n,
        progress.get("size_before", sizes[player]),
        progress.get("skips", 0),
        bool(progress.get("was_bluff")) and pending is not None and pending["source"] == seat,
        0,
    )


def _write_seats(view: dict[str, Any], row: bytearray, match_target: int) -> None:
    """The public row of every seat."""
    seat, n, sizes = view["seat"], view["num_players"], view["hand_sizes"]
    called, eliminated, out = view["uno_called"], view["eliminated"], view["out"]
    scores, lasts, played = view["scores"], view["last_actions"], view["cards_played"]
    at = O_SEATS
    for other in (*range(seat, n), *range(seat)):
        last = lasts[other]
        row[at : at + 4] = (
            sizes[other],
            other in called,
            other not in eliminated and other not in out,
            score_byte(scores[other], match_target),
        )
        row[at + SEAT_LAST_COLOR : at + SEAT_PLAYED] = _ONE_HOT[last["color"]]
        row[at + SEAT_PLAYED : at + SEAT_ROW] = (
            _PLAY[last["play"]],
            last["drawn"],
            last["taken"],
            played[other],
        )
        at += SEAT_ROW
    for holder, bounds in view["missing_colors"].items():
        other = int(holder)
        if not 0 <= other < n:
            raise ViewError(f"view: missing_colors names seat {holder}")
        at = O_SEATS + SEAT_ROW * ((other - seat) % n) + SEAT_MISSING
        for color, most in bounds.items():
            row[at + _COLOR_AT[color]] = 1 + most


def near_seats(n: int) -> dict[int, int]:
    """Where known cards are told by face, by relative seat."""
    near = {1: NEXT}
    if n > 2:
        near[n - 1] = PREVIOUS
    if n >= SMALL_TABLE:
        near[n // 2] = OPPOSITE
    return near


def _write_known(view: dict[str, Any], row: bytearray) -> None:
    """The cards this seat knows in other hands."""
    seat, n = view["seat"], view["num_players"]
    near = near_seats(n)
    far = [places for places in range(2, n - 1) if places not in near]
    for holder, cards in view["known"].items():
        other = int(holder)
        places = (other - seat) % n
        if not 0 <= other < n or not places or len(cards) > MAX_CARDS:
            raise ViewError(f"view: known names seat {holder}")
        if places in near:
            at = O_KNOWN + ROW * near[places]
            for card in cards:
                row[at + _FACE[card]] += 1
        else:
            at = O_FAR + FAR_ROW * far.index(places)
            row[at : at + FAR_ROW] = _far_row(cards)


def _far_row(cards: list[str]) -> bytes:
    """Known cards of a far seat: by colour, and by kind with two kinds to a byte."""
    colors, kinds = bytearray(FAR_COLORS), [0] * (2 * (FAR_ROW - FAR_COLORS))
    for card in cards:
        colors[_COLOR[card]] += 1
        kinds[_KIND[card]] += 1
    pairs = zip(kinds[::2], kinds[1::2], strict=True)
    return bytes(colors) + bytes(min(low, 15) | min(high, 15) << 4 for low, high in pairs)


def _write_table(view: dict[str, Any], row: bytearray) -> None:
    seat, n = view["seat"], view["num_players"]
    top = view["top_card"]
    row[_PHASE_AT[view["phase"]]] = 1
    row[O_TOP_KIND + _KIND[top]] = 1
    row[O_TOP_GIVE] = _FACE[top] >= FACE_GIVE
    row[O_ASKED] = 1
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


def _write_recent(view: dict[str, Any], row: bytearray) -> None:
    """The last public actions; a view of version 1 tells none."""
    seat, n = view["seat"], view["num_players"]
    seats, acts, numbers = recent_bytes(view.get("recent", []), n)
    relative = bytes(1 + (other - 1 - seat) % n if other else 0 for other in seats)
    row[O_RECENT : O_RECENT + 3 * RECENT] = relative + acts + numbers


def _mask(view: dict[str, Any], legal: list[str]) -> bytes:
    mask = bytearray(NUM_ACTIONS)
    ids = action_ids(view)
    for action in legal:
        mask[ids[action]] = 1
    if not legal:
        raise ViewError("view: legal is empty, so there is nothing to decide")
    return bytes(mask)


def encode_batch_of_one(view: dict[str, Any], legal: list[str]) -> tuple[Bytes, Bytes]:
    """Observation (1, 1280) and mask (1, 208) as `act_batch` takes them."""
    obs, mask = encode_view(view, legal)
    # Copies, because arrays over `bytes` are read-only and kernels are compiled for writable ones.
    return np.frombuffer(obs, np.uint8)[None].copy(), np.frombuffer(mask, np.uint8)[None].copy()


def chosen_text(action: int, legal: list[str]) -> str:
    """The text among the legal ones that has this action id."""
    for text in legal:
        if action_id(text) == action:
            return text
    raise ViewError(f"the view does not fit its legal actions: {ACTIONS[action]!r} is not legal")
