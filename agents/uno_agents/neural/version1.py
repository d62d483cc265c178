"""Networks of observation version 1: its layout, and the present observation mapped to it.

Version 2 holds all that version 1 did, so a network of that time plays on exactly as it did: its
inputs are read off the present observation, its logits given back by the present action ids.
"""

from collections.abc import Callable

import numpy as np

from uno_env.actions import MAX_SEATS, NUM_ACTIONS
from uno_env.array_types import Bytes, Floats, Ints
from uno_env.cards import NUM_FACES, color_of, kind_of
from uno_env.engine.observation.layout import FAR_COLORS, FAR_ROW, NEAR
from uno_env.engine.rule_vector import vector_layout
from uno_env.envs.observation_spec import observation_blocks
from uno_env.kinds import KIND_ID, KIND_TABLE, NUM_KINDS, Effect
from uno_env.state_io.encode_view import near_seats
from uno_env.version1 import ACTIONS_1, FACES_1, GONE, NEW_ACTION, NEW_FACE

from .input_layout import NUM_COLORS, InputLayout, face_points, seat_color_columns

Policy = Callable[[Bytes, Bytes], tuple[Floats, Floats]]
ILLEGAL, UNKNOWN = -1e9, -1e6
"""Logits of actions that are not legal, and of those that version 1 did not have."""

_KINDS = 26
_BLOCKS = (
    ("hand", 114, 4), ("pending_amount", 1, 16), ("pending_value", 1, 10), ("contestable", 1, 1),
    ("cards_to_give", 1, 8), ("draw_pile", 1, 128), ("set_aside", 1, 64), ("discards", 114, 4),
    ("clockwise", 1, 1), ("round", 1, 16), ("time", 1, 64), ("recycled", 1, 4),
    ("table_size", 1, 10), ("in_play", 1, 10), ("seats", 160, 4), ("known", 80, 4),
    ("phase", 18, 1), ("top_kind", _KINDS, 1), ("top_give", 1, 1), ("active_color", 4, 1),
    ("hyper_color", 4, 1), ("color_before", 4, 1), ("drawn_kind", _KINDS, 1),
    ("drawn_color", 4, 1), ("subject", 10, 1), ("spare", 7, 1), ("rules", 56, 8),
)  # fmt: skip
"""Name, size and scale of each block of version 1."""
_RULES = (
    "voluntary_draw=only_without_match", "voluntary_draw=never", "draw_policy=until_playable",
    "play_drawn=forced", "play_drawn=never", "plus4_legality=no_active_color",
    "plus4_legality=nothing_else", "challenge=target", "challenge_surcharge",
    "stacking=equal_or_higher", "stacking=draw2_draw4_with_joker_cancel", "seven_swap",
    "zero_pass", "jump_in", "sum_out=numbers", "sum_out=specials", "mercy_limit",
    "uno_call=auto", "uno_call=off", "last_card_effects=penalty_and_swap",
    "scoring_mode=holders_add", "team_mode=pairs", "two_player_reverse=literal",
    "challenge_wilds_count=wild_and_hyper", "challenge_wilds_count=all", "bluff_allowed",
    "uno_late_call", "wild_only_when_stuck",
)  # fmt: skip
"""The switches of its rule vector; before them stand the deck's counts by kind."""
_FACTORS = {"challenge_surcharge": 10}
"""Rules that are told in larger units now."""
_KNOWN_ROW = 8
_SCORE, _SEAT_ROW, _SCORE_SCALE = 3, 16, 255

OBS_SIZE_1 = sum(size for _, size, _ in _BLOCKS)
_STARTS = np.cumsum([0, *(size for _, size, _ in _BLOCKS)])
OFFSETS_1 = {name: int(start) for (name, _, _), start in zip(_BLOCKS, _STARTS, strict=False)}


def _scales() -> Floats:
    scales = np.concatenate([np.full(size, 1 / scale) for _, size, scale in _BLOCKS])
    seats = OFFSETS_1["seats"] + _SEAT_ROW * np.arange(MAX_SEATS)
    scales[seats + _SCORE] = 1 / _SCORE_SCALE
    return scales.astype(np.float32)


def _layout() -> InputLayout:
    colors = np.arange(NUM_COLORS)[:, None]
    faces = np.hstack([16 * colors + np.arange(16), 74 + 10 * colors + np.arange(10)])
    starts = seat_color_columns(OFFSETS_1)
    starts += [*(OFFSETS_1["known"] + _KNOWN_ROW * np.arange(MAX_SEATS))]
    columns = [OFFSETS_1[name] + faces for name in ("hand", "discards")]
    rules = OFFSETS_1["rules"] + _KINDS + 1
    return InputLayout(
        version=1,
        obs_size=OBS_SIZE_1,
        num_actions=len(ACTIONS_1),
        offsets=OFFSETS_1,
        colored_faces=faces,
        colored_inputs=np.hstack([*columns, np.array(starts) + colors]),
        colored_actions=np.hstack([faces, ACTIONS_1.index("color red") + colors]),
        points=np.array([_points(name) for name in FACES_1]),
        sum_rules=(
            rules + _RULES.index("sum_out=numbers"),
            rules + _RULES.index("sum_out=specials"),
        ),
        scales=_scales(),
    )


def _points(name: str) -> int:
    kind = name.removesuffix("+give").rpartition("-")[2]
    is_number_card = kind.isdecimal() and not name.startswith("wild")
    return face_points(is_number_card, int(kind) if is_number_card else 0, name.startswith("wild"))


LAYOUT_1 = _layout()


def _column_map() -> tuple[Ints, Bytes]:
    """For each column of version 1 the present column it is read from, and its factor.

    Columns with factor 0 stay zero: what does not exist any more, and known cards, see below.
    """
    now = {block.name: block.offset for block in observation_blocks()}
    rule_at = {name: now["rules"] + at for at, name in enumerate(vector_layout())}
    columns, factors = np.zeros(OBS_SIZE_1, np.int64), np.zeros(OBS_SIZE_1, np.uint8)

    def take(start: int, sources: list[int], factor: int = 1) -> None:
        for at, source in enumerate(sources, start):
            if source >= 0:
                columns[at], factors[at] = source, factor

    for name, size, _ in _BLOCKS:
        if name in ("hand", "discards"):
            take(OFFSETS_1[name], [now[name] + face if face != GONE else -1 for face in NEW_FACE])
        elif name in ("top_kind", "drawn_kind"):
            take(OFFSETS_1[name], [now[name] + KIND_ID[kind] for kind in _kind_names()])
        elif name == "rules":
            decks = [rule_at[f"deck {kind}"] for kind in (*_kind_names(), "+give")]
            take(OFFSETS_1[name], decks)
            for at, rule in enumerate(_RULES, OFFSETS_1[name] + len(decks)):
                take(at, [rule_at[rule]], _FACTORS.get(rule, 1))
        elif name not in ("known", "spare"):
            take(OFFSETS_1[name], list(range(now[name], now[name] + size)))
    return columns, factors


def _kind_names() -> list[str]:
    """The kinds of version 1 in their order."""
    return [name.removeprefix("red-") for name in FACES_1[:16]] + list(FACES_1[64:74])


def _counts_by_face() -> Bytes:
    """What a known card of each face adds to the eight counts of version 1."""
    counts = np.zeros((NUM_FACES, _KNOWN_ROW), np.uint8)
    for face in range(NUM_FACES):
        counts[face, color_of(face)] = 1
        counts[face, NUM_COLORS + 1 :] = _counts_of_kind(kind_of(face))
    return counts


def _counts_of_kind(kind: int) -> tuple[int, int, int]:
    """Draw cards, sevens and zeros, all."""
    return int(bool(KIND_TABLE[kind].effect & Effect.DRAW)), int(kind in (0, 7)), 1


_COLUMNS, _COLUMN_FACTORS = _column_map()
_FACE_COUNTS = _counts_by_face()
_KIND_COUNTS = np.array([_counts_of_kind(kind) for kind in range(NUM_KINDS)], np.uint8)
_NOW = {block.name: block.offset for block in observation_blocks()}
_OLD_ACTIONS = np.array([at for at, new in enumerate(NEW_ACTION) if new != GONE])
_NEW_ACTIONS = np.array([new for new in NEW_ACTION if new != GONE])


def to_version_1(obs: Bytes) -> Bytes:
    """Present observations (B, 1280) as those of version 1 (B, 640)."""
    old: Bytes = obs[:, _COLUMNS] * _COLUMN_FACTORS
    sizes = obs[:, _NOW["table_size"]]
    rows = np.flatnonzero((obs[:, _NOW["any_known"]] > 0) & (sizes >= 2) & (sizes <= MAX_SEATS))
    for n in np.unique(sizes[rows]).tolist():
        _write_known(obs, old, rows[sizes[rows] == n], int(n))
    return old


def _write_known(obs: Bytes, old: Bytes, rows: Ints, n: int) -> None:
    """The known counts of some rows, all of tables of n seats."""
    near = near_seats(n)
    far = [places for places in range(2, n - 1) if places not in near]
    for places in range(1, n):
        at = OFFSETS_1["known"] + _KNOWN_ROW * places
        if places in near:
            start = _NOW[f"known_{NEAR[near[places]]}"]
            old[rows, at : at + _KNOWN_ROW] = obs[rows, start : start + NUM_FACES] @ _FACE_COUNTS
        else:
            start = _NOW["known_far"] + FAR_ROW * far.index(places)
            pairs = obs[rows, start + FAR_COLORS : start + FAR_ROW]
            kinds = np.stack([pairs & 15, pairs >> 4], axis=2).reshape(len(rows), NUM_KINDS)
            old[rows, at : at + FAR_COLORS] = obs[rows, start : start + FAR_COLORS]
            old[rows, at + FAR_COLORS : at + _KNOWN_ROW] = kinds @ _KIND_COUNTS


def present_policy(policy: Policy, layout: InputLayout) -> Policy:
    """A policy as one over present observations and masks, also if it is of version 1."""
    if layout is not LAYOUT_1:
        return policy

    def mapped(obs: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        old_mask = np.zeros((len(mask), len(ACTIONS_1)), np.uint8)
        old_mask[:, _OLD_ACTIONS] = mask[:, _NEW_ACTIONS]
        logits, values = policy(to_version_1(obs), old_mask)
        present = np.full((len(mask), NUM_ACTIONS), np.float32(ILLEGAL), np.float32)
        present[:, _NEW_ACTIONS] = logits[:, _OLD_ACTIONS]
        # What version 1 did not know it takes only if there is nothing else.
        present[(mask != 0) & (present <= ILLEGAL)] = UNKNOWN
        return present, values

    return mapped
