"""Prefetching the cache lines of games; compiled only, without effect in plain Python.

A batch is larger than the inner caches, so most of a step would be spent waiting for memory.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ...cards import NUM_FACES
from ..jit import IS_COMPILED, always_inline
from ..state import LINE, SEAT_ROW, offset_of
from ..tables import ROW

FAR, NEAR = 4, 2
"""How many games ahead the first lines of a game are prefetched, and those that depend on them."""

HAND_SETS = offset_of("hand_sets")
SEATS = offset_of("seats")
HANDS = offset_of("hands")
DISCARD_COUNTS = offset_of("discard_counts")
DRAW_PILE = offset_of("draw_pile")
DISCARD = offset_of("discard")
KNOWERS = offset_of("knowers")
KNOWN_SETS = offset_of("known_sets")

if not IS_COMPILED:

    def prefetch(record: Any, offset: int) -> None:
        """Prefetch the cache line of a record that holds the byte at this offset."""

else:

    @intrinsic
    def prefetch(typingctx: Any, record: Any, offset: Any) -> Any:
        """Prefetch the cache line of a record that holds the byte at this offset."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            octet, word = ir.IntType(8), ir.IntType(32)
            start = builder.bitcast(args[0], octet.as_pointer())
            line = builder.gep(start, [args[1]])
            kind = ir.FunctionType(ir.VoidType(), [octet.as_pointer(), word, word, word])
            name = "llvm.prefetch.p0i8" if "*" in str(octet.as_pointer()) else "llvm.prefetch.p0"
            prefetch = builder.module.declare_intrinsic(name, fnty=kind)
            # To read, into every cache, data.
            builder.call(prefetch, [line, *(ir.Constant(word, flag) for flag in (0, 3, 1))])
            return context.get_dummy_value()

        return types.none(record, types.int64), codegen


@always_inline
def prefetch_game(s, seat, action):
    """The lines that almost every step reads."""
    for offset in range(0, HAND_SETS, LINE):
        prefetch(s, offset)
    prefetch(s, HAND_SETS + 16 * seat)
    prefetch(s, SEATS + seat * SEAT_ROW)
    if action < NUM_FACES:
        prefetch(s, HANDS + seat * ROW + (action & LINE))
        prefetch(s, DISCARD_COUNTS + (action & LINE))
    else:
        # Mostly a draw, of a card that is not known yet.
        prefetch(s, HANDS + seat * ROW)
        prefetch(s, HANDS + seat * ROW + LINE)


@always_inline
def prefetch_piles(s, action):
    """The end of a pile, and what is known of the hand; this reads the first lines of the game."""
    if action < NUM_FACES:
        prefetch(s, DISCARD + s.discard_size)
        # Without a branch: where nothing is known, a line that is there already.
        is_known = -np.int64((s.known_holders >> s.actor) & 1)
        prefetch(s, (KNOWN_SETS + 16 * s.actor) & is_known)
    else:
        prefetch(s, DRAW_PILE + s.draw_pile_size - 1)


@always_inline
def prefetch_observation(s):
    """The lines that the observation of the seat to act is written from."""
    prefetch(s, SEATS)
    prefetch(s, HANDS + s.actor * ROW)
    prefetch(s, HANDS + s.actor * ROW + LINE)
    prefetch(s, DISCARD_COUNTS)
    prefetch(s, DISCARD_COUNTS + LINE)


@always_inline
def prefetch_knowers(s):
    """The line that tells who knows cards of which hands."""
    prefetch(s, KNOWERS)
