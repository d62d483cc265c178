"""Hidden units that begin as detectors of tactics instead of at random.

Whether the next seat can win on a colour, answer a penalty or is eliminated by it depends on
counts that must be compared exactly: cards known in its hand, cards it holds, the limit. A unit
`relu(known - held + 1)` does that, but from random weights it takes millions of labels to find. So
some units of the first layer begin as such comparisons. They are trained like all others, and the
network stays an ordinary one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import cast

import numpy as np
import torch
from torch import nn
from uno_agents.neural.input_layout import LAYOUT, NUM_COLORS
from uno_agents.neural.network import PolicyNetwork

from uno_env.array_types import Floats
from uno_env.cards import NO_COLOR, color_of, kind_of
from uno_env.engine.state import SEAT_ROW
from uno_env.kinds import FIRST_WILD_KIND, KIND_TABLE, Effect

from .config import ConfigError
from .tables import TableConfig, used_faces

NEXT = 1
KNOWN = {NEXT: "known_next", 2: "known_opposite", 3: "known_previous"}
"""Blocks of the cards known in the hands of the next three seats, at a table of four."""
NEVER = 10.0
"""Outweighs every count that a unit compares."""
KEEPS_TURN = Effect.SKIP | Effect.REVERSE | Effect.PLAY_AGAIN
"""Effects by which one of two seats plays again."""
PER_SEAT = 4.0
"""What each seat in play takes from a unit that is for two seats only."""
Unit = tuple[Floats, float]
"""Weights of the observation's bytes, and a bias."""


class Columns:
    """Columns of the observation by what they count."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = tuple(faces)

    def __getitem__(self, block: str) -> list[int]:
        """The column of a block of one byte."""
        return [LAYOUT.offsets[block]]

    def held(self, seat: int) -> list[int]:
        """The hand size of a seat, counted in the order of turn."""
        return [LAYOUT.offsets["seats"] + SEAT_ROW * seat]

    def cards(self, block: str, wanted: Callable[[int], bool] = lambda _: True) -> list[int]:
        """The columns of a block's faces that are wanted."""
        return [LAYOUT.offsets[block] + face for face in self._faces if wanted(face)]


def add_tactical_units(network: PolicyNetwork, tables: Sequence[TableConfig]) -> None:
    """Let units of the first layer of a network with random weights begin as detectors."""
    limit = max(table.rules.mercy_limit for table in tables)
    units = list(tactical_units(Columns(used_faces(tables)), limit))
    if len(units) > network.hidden[0]:
        raise ConfigError(
            f"hidden is {network.hidden}; tactical_units needs {len(units)} or more in the first"
        )
    weights = np.array([weights for weights, _ in units], np.float32)[:, network.inputs]
    first = cast(nn.Linear, network.trunk[0])
    with torch.no_grad():
        # They count cards, and the layer reads scaled bytes.
        first.weight[: len(units)] = torch.from_numpy(weights) / network.scales
        first.bias[: len(units)] = torch.tensor([bias for _, bias in units])


def tactical_units(columns: Columns, mercy_limit: int) -> Iterator[Unit]:
    """All detectors; those of elimination only with a limit."""
    yield from _own_hand(columns, mercy_limit)
    for seat, block in KNOWN.items():
        yield from _ways_to_win(columns, seat, block)
        yield from _penalties(columns, seat, block, mercy_limit)
    yield from _next_seat(columns)


def _unit(bias: float, *terms: tuple[list[int], float]) -> Unit:
    weights = np.zeros(LAYOUT.obs_size, np.float32)
    for columns, weight in terms:
        weights[columns] += weight
    return weights, bias


def _is_wild(face: int) -> bool:
    return color_of(face) == NO_COLOR


def _has_effect(face: int, effect: Effect) -> bool:
    return bool(KIND_TABLE[kind_of(face)].effect & effect)


def _in_color(color: int, effect: Effect | None = None) -> Callable[[int], bool]:
    return lambda face: color_of(face) == color and (effect is None or _has_effect(face, effect))


def _draws_at_least(number: int) -> Callable[[int], bool]:
    return lambda face: KIND_TABLE[kind_of(face)].draws >= number


def _of_kind(kind: int) -> Callable[[int], bool]:
    return lambda face: kind_of(face) == kind


def _follows(color: int) -> Callable[[int], bool]:
    return lambda face: color_of(face) in (color, NO_COLOR)


def _keeps_turn(columns: Columns, block: str, seat: int, color: int | None = None) -> Unit:
    """All but one card of a hand keep the turn; fires only with two seats in play."""
    cards = columns.cards(
        block, lambda face: _has_effect(face, KEEPS_TURN) and color in (None, color_of(face))
    )
    return _unit(
        2 + 2 * PER_SEAT, (cards, 1), (columns.held(seat), -1), (columns["in_play"], -PER_SEAT)
    )


def _own_hand(columns: Columns, mercy_limit: int) -> Iterator[Unit]:
    """Whether few cards are left, all of one colour, or all that keep the turn among two."""
    held = columns.held(0)
    for color, left in product(range(NUM_COLORS), (1, 2, 3)):
        yield _unit(left, (columns.cards("hand", _in_color(color)), 1), (held, -1))
    for color, left in product(range(NUM_COLORS), (1, 2)):
        sweeps = columns.cards("hand", _in_color(color, Effect.DISCARD_COLOR))
        cards = columns.cards("hand", _in_color(color))
        yield _unit(left - NEVER, (cards, 1), (sweeps, NEVER), (held, -1))
    yield from (_keeps_turn(columns, "hand", 0, color) for color in range(NUM_COLORS))
    yield _keeps_turn(columns, "hand", 0)
    again = columns.cards("hand", lambda face: _has_effect(face, Effect.PLAY_AGAIN))
    yield _unit(2, (again, 1), (held, -1))
    yield from (_unit(few, (held, -1)) for few in (2, 3, 4))
    yield from (_unit(few, (columns["in_play"], -1)) for few in (3, 4))
    if mercy_limit:
        for more in (0, 2, 4, 6, 10):
            yield _unit(1 + more - mercy_limit, (held, 1), (columns["pending_amount"], 1))


def _ways_to_win(columns: Columns, seat: int, block: str) -> Iterator[Unit]:
    """Whether a seat is known to win on a colour next turn, or to come close."""
    held = columns.held(seat)
    for color, left in product(range(NUM_COLORS), (1, 2) if seat == NEXT else (1,)):
        cards = columns.cards(block, _in_color(color))
        sweeps = columns.cards(block, _in_color(color, Effect.DISCARD_COLOR))
        yield _unit(left, (cards, 1), (held, -1))
        yield _unit(left - NEVER, (cards, 1), (sweeps, NEVER), (held, -1))
    yield _unit(1, (columns.cards(block, _is_wild), 1), (held, -1))
    yield from (_unit(few, (held, -1)) for few in (2, 3, 4))


def _penalties(columns: Columns, seat: int, block: str, mercy_limit: int) -> Iterator[Unit]:
    """Whether a seat is known to have no answer to a draw card, and whether it eliminates it."""
    held, known = columns.held(seat), columns.cards(block)
    for draws in (2, 4, 6, 10):
        answers = columns.cards(block, _draws_at_least(draws))
        yield _unit(1, (known, 1), (held, -1), (answers, -1))
        if mercy_limit:
            owed = (columns["pending_amount"], 1)
            yield _unit(1 + draws - mercy_limit, (held, 1), owed, (answers, -NEVER))
    if mercy_limit:
        yield from (_unit(near - mercy_limit, (held, 1)) for near in (3, 6, 10))


def _next_seat(columns: Columns) -> Iterator[Unit]:
    """What only matters of the next seat: its last card's kind, and colours it cannot follow."""
    held, block = columns.held(NEXT), KNOWN[NEXT]
    known = columns.cards(block)
    for kind in range(FIRST_WILD_KIND):
        cards = columns.cards(block, _of_kind(kind))
        if cards:
            yield _unit(1, (cards, 1), (held, -1))
    for color in range(NUM_COLORS):
        follows = columns.cards(block, _follows(color))
        yield _unit(1, (known, 1), (held, -1), (follows, -1))
    yield _keeps_turn(columns, block, NEXT)
