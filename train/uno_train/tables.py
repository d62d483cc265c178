"""Table configs of a run (rules and number of players), and which inputs and actions they use."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from uno_agents.neural.canonical import faces_in_every_color
from uno_agents.neural.sum_features import INPUT_SIZE

from uno_env import Game, Rules, RulesError
from uno_env.actions import ACTIONS, MAX_SEATS, NUM_ACTIONS, SWAP_0, SWAP_PAIRS, TARGET_1
from uno_env.array_types import Bools, Ints
from uno_env.cards import KINDS, NUM_FACES, kind_of
from uno_env.engine.observation.layout import FAR_COLORS, FAR_ROW, FAR_SEATS, NEAR
from uno_env.engine.state import SEAT_ROW, SMALL_TABLE
from uno_env.envs.observation_spec import OBS_SIZE, observation_blocks
from uno_env.kinds import RESERVED


class TableConfig(NamedTuple):
    """Rules and number of players."""

    rules: Rules
    num_players: int

    @property
    def rotations(self) -> int:
        """Seatings of one agent (in Teams: one team) that differ."""
        return self.num_players // 2 if self.rules.team_mode == "pairs" else self.num_players

    def __str__(self) -> str:
        return f"{self.rules.text()} with {self.num_players} players"


def table_configs(rule_sets: Sequence[Rules], sizes: Sequence[int]) -> list[TableConfig]:
    """Each rule set at each of the sizes it allows; none allowed is an error."""
    tables = []
    for rules in rule_sets:
        fitting = [size for size in sizes if _fits(rules, size)]
        if not fitting:
            rules.check_players(sizes[0])
        tables += [TableConfig(rules, size) for size in fitting]
    return tables


def _fits(rules: Rules, num_players: int) -> bool:
    try:
        rules.check_players(num_players)
    except RulesError:
        return False
    return True


CODED_BLOCKS = ("recent_seats", "recent_acts", "recent_counts", "kind_before")
"""Blocks whose bytes are ids: for networks that embed them, of no use to a dense layer."""


def coded_inputs() -> Ints:
    """The columns of the observation that hold ids, or two numbers in one byte."""
    coded = np.zeros(OBS_SIZE, bool)
    for block in observation_blocks():
        columns = slice(block.offset, block.offset + block.size)
        if block.name in CODED_BLOCKS:
            coded[columns] = True
        elif block.name == "known_far":
            coded[columns] = np.tile(np.arange(FAR_ROW) >= FAR_COLORS, FAR_SEATS)
    return np.flatnonzero(coded)


def used_inputs(tables: Sequence[TableConfig]) -> Ints:
    """The columns a dense network reads: those that can be other than zero at these tables."""
    used = np.ones(INPUT_SIZE, bool)
    faces, most = used_faces(tables), max(table.num_players for table in tables)
    kinds = np.zeros(len(KINDS), bool)
    kinds[[kind_of(face) for face in faces]] = True
    seats = np.arange(MAX_SEATS) < most
    # Two seats have one neighbour, three have two; the opposite seat comes with the fourth.
    by_face = ("hand", "discards", *(f"known_{name}" for name in NEAR[: most - 1]))
    nobody = (f"known_{name}" for name in NEAR[most - 1 :])
    known = {
        **dict.fromkeys(by_face, _face_flags(faces)),
        **dict.fromkeys(nobody, np.zeros(NUM_FACES, bool)),
        "seats": seats.repeat(SEAT_ROW),
        "known_far": (np.arange(FAR_SEATS) < most - SMALL_TABLE).repeat(FAR_ROW),
        "top_kind": kinds,
        "drawn_kind": kinds,
        "subject": seats,
        "rules": _rules_bytes(tables),
        "reserved": np.zeros(1, bool),
    }
    for block in observation_blocks():
        if block.name in known:
            used[block.offset : block.offset + block.size] = known[block.name]
    used[coded_inputs()] = False
    used[OBS_SIZE:] = any(table.rules.sum_out != "none" for table in tables)
    return np.flatnonzero(used)


def used_actions(tables: Sequence[TableConfig]) -> Ints:
    """The canonical actions that can be legal at these tables."""
    used = np.ones(NUM_ACTIONS, bool)
    most = max(table.num_players for table in tables)
    used[:NUM_FACES] = _face_flags(used_faces(tables))
    used[TARGET_1 + most - 1 : SWAP_0] = False
    used[SWAP_0 : SWAP_0 + len(SWAP_PAIRS)] = [right < most for _, right in SWAP_PAIRS]
    used[[RESERVED in text for text in ACTIONS]] = False
    return np.flatnonzero(used)


def used_faces(tables: Sequence[TableConfig]) -> Ints:
    """Faces in some deck, in every colour."""
    return faces_in_every_color(
        sorted({f for t in tables for f, n in enumerate(t.rules.deck.counts) if n})
    )


def _face_flags(faces: Ints) -> Bools:
    flags = np.zeros(NUM_FACES, bool)
    flags[faces] = True
    return flags


def _rules_bytes(tables: Sequence[TableConfig]) -> Bools:
    """Which bytes of the rules block are set for some table."""
    block = next(block for block in observation_blocks() if block.name == "rules")
    seen = [Game(table.rules, table.num_players).observe(0)[block.offset :] for table in tables]
    flags: Bools = np.any(np.array(seen)[:, : block.size] > 0, axis=0)
    return flags
