"""What seats know of other hands and of the last actions: the engine's rows in words, and back."""

from typing import Any

import numpy as np

from ..cards import FACES, NUM_FACES, UnknownCard, face_id
from ..engine.observation.recent import ACTS, RECENT
from .position import SnapshotError

KnownEntry = tuple[int, int, int]
"""A copy that is known: its holder, its face, and the seats that know of it, as bits."""
MAX_BYTE = 255


def known_hands(state: Any, seat: int) -> dict[int, list[str]]:
    """The cards a seat knows in other hands, by holder."""
    rows = _rows(state)
    return {
        holder: [FACES[face] for face in np.flatnonzero(row) for _ in range(int(row[face]))]
        for holder, row in enumerate(rows[seat] if rows is not None else ())
        if row.any()
    }


def known_entries(state: Any) -> list[dict[str, Any]]:
    """Every copy that somebody knows in another hand, and who does."""
    rows = _rows(state)
    if rows is None:
        return []
    entries = []
    for holder, face in zip(*np.nonzero(rows.max(axis=0)), strict=True):
        counts = rows[:, holder, face]
        for copy in range(int(counts.max())):
            seats = np.flatnonzero(counts > copy).tolist()
            entries.append({"holder": int(holder), "card": FACES[face], "seats": seats})
    return entries


def place_known(state: Any, entries: list[KnownEntry]) -> None:
    """Write known copies into a game's record; nobody knows more of a face than there are."""
    n = int(state["num_players"])
    rows = np.zeros((n, n, NUM_FACES), np.int64)
    for holder, face, bits in entries:
        for seat in range(n):
            rows[seat, holder, face] += (bits >> seat & 1) and seat != holder
    held = state["hands"][:n].astype(np.int64)
    state["known"][: n * n] = np.minimum(rows, held).reshape(n * n, NUM_FACES)
    everybody = (1 << n) - 1 if entries else 0
    state["has_known"] = bool(entries)
    state["known_holders"] = state["known_observers"] = everybody
    for seat in range(n):
        state["knowers"][seat] = everybody & ~(1 << seat)
        state["known_sets"][seat] = -1


def _rows(state: Any) -> Any:
    """Counts by observer, holder and face; None while nobody knows anything."""
    if not state["has_known"]:
        return None
    n = int(state["num_players"])
    is_used = state["knowers"][:n] >> np.arange(n)[:, None] & 1
    rows = state["known"][: n * n].reshape(n, n, NUM_FACES)
    return rows * is_used[:, :, None].astype(np.uint8)


def recent_actions(state: Any) -> list[dict[str, Any]]:
    """The last public actions, the newest first."""
    seats, acts, numbers = (
        int(state[field]).to_bytes(RECENT, "little")
        for field in ("recent_seats", "recent_acts", "recent_counts")
    )
    return [
        {"seat": seat - 1, "act": act_name(act), "number": number}
        for seat, act, number in zip(seats, acts, numbers, strict=True)
        if seat
    ]


def act_name(act: int) -> str:
    """What was done: the card laid, or a word."""
    return FACES[act - 1] if act <= NUM_FACES else ACTS[act - 1 - NUM_FACES]


ACT_CODES = {act_name(act): act for act in range(1, NUM_FACES + len(ACTS) + 1)}


def recent_bytes(recent: Any, num_players: int) -> tuple[bytes, bytes, bytes]:
    """Seats (counted from one), acts and numbers of actions told as above; an error says which."""
    if not isinstance(recent, list) or len(recent) > RECENT:
        raise SnapshotError(f"recent must be a list of at most {RECENT} actions")
    rows = [bytearray(RECENT) for _ in range(3)]
    for index, told in enumerate(recent):
        where = f"recent[{index}]"
        if not isinstance(told, dict) or set(told) != {"seat", "act", "number"}:
            raise SnapshotError(f"{where} must be {{seat, act, number}}")
        seat, act, number = told["seat"], told["act"], told["number"]
        if type(seat) is not int or not 0 <= seat < num_players:
            raise SnapshotError(f"{where}.seat is {seat!r}; seats are 0 to {num_players - 1}")
        if type(number) is not int or not 0 <= number <= MAX_BYTE:
            raise SnapshotError(f"{where}.number is {number!r}; allowed: 0 to {MAX_BYTE}")
        rows[0][index], rows[1][index], rows[2][index] = 1 + seat, _act_code(where, act), number
    seats, acts, numbers = (bytes(row) for row in rows)
    return seats, acts, numbers


def _act_code(where: str, act: Any) -> int:
    code = ACT_CODES.get(act) if isinstance(act, str) else None
    if code is None or (code <= NUM_FACES and not _is_card(act)):
        raise SnapshotError(f"{where}.act is {act!r}; a card or one of {', '.join(ACTS)} is needed")
    return code


def _is_card(name: str) -> bool:
    try:
        face_id(name)
    except UnknownCard:
        return False
    return True


def place_recent(state: Any, recent: Any) -> None:
    """Write the last actions into a game's record."""
    told = recent_bytes(recent, int(state["num_players"]))
    for field, row in zip(("recent_seats", "recent_acts", "recent_counts"), told, strict=True):
        state[field] = np.uint64(int.from_bytes(row, "little"))
