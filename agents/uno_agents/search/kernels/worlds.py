"""Worlds to search in: deals that fit what a seat knows, and what the others have just done.

A deal is drawn by the engine's `determinize`. Two things make likely deals more frequent: a seat
that drew rather than played is taken to lack the colour, and a deal in which the heuristic would
not have laid the top card is usually drawn again.
"""

import numpy as np

from uno_env.engine.jit import jit
from uno_env.engine.knowledge.determinize import determinize
from uno_env.engine.lowlevel.bits import below, splitmix64
from uno_env.engine.mechanics.legal_actions import find_legal
from uno_env.engine.mechanics.piles import add_card
from uno_env.engine.state import (
    SEAT_DREW,
    SEAT_LAST_COLOR,
    SEAT_MISSING,
    SEAT_PLAYED,
    STACK_NONE,
)
from uno_env.engine.tables import (
    FACE_GIVE,
    FACE_WILD4,
    K_DISCARD_ALL,
    K_REVERSE,
    K_REVERSE4,
    K_SWAP,
    KIND_OF,
    P_PLAY,
    P_STACK,
)

from .rollout import ask

TRIES = 24
"""Deals drawn for one world, at most."""
DOUBT = 25
"""Percent of deals kept although the heuristic would have played otherwise."""
DOUBT_OF_PLUS4 = 4
"""The same for a wild draw four: hardly anybody bluffs without need."""


@jit
def imagine(games, r, desk, seat, x):
    """A likely world into games[1], from what `seat` knows of games[0]; games[2] is used up."""
    root = games[0]
    tells = _top_card_tells(root, r, seat)
    doubt = DOUBT_OF_PLUS4 if root.top == FACE_WILD4 else DOUBT
    for _ in range(TRIES):
        x = splitmix64(x)
        games[1] = root
        world = games[1]
        _suspect_missing_colors(world, seat)
        determinize(world, r, seat, x)
        _restore_missing_colors(world, root)
        if not tells:
            break
        games[2] = world
        x = splitmix64(x)
        if below(x, 100) < doubt or _would_lay(games[2], r, desk, x):
            break
    return x


@jit
def _suspect_missing_colors(s, seat):
    for other in range(s.num_players):
        drew = np.int64(s.seats[other, SEAT_DREW])
        if other != seat and drew:
            for color in range(4):
                if (
                    s.seats[other, SEAT_LAST_COLOR + color]
                    and not s.seats[other, SEAT_MISSING + color]
                ):
                    s.seats[other, SEAT_MISSING + color] = 1 + drew


@jit
def _restore_missing_colors(s, root):
    # A suspicion is this seat's own; the public row must not show it.
    for other in range(s.num_players):
        for color in range(4):
            s.seats[other, SEAT_MISSING + color] = root.seats[other, SEAT_MISSING + color]


@jit
def _top_card_tells(s, r, seat):
    """Whether the top card was laid from a hand that is still as it was then, and hidden."""
    player = s.top_player
    if player < 0 or player == seat or s.discard_n < 2:
        return False
    if not s.seats[player, SEAT_PLAYED] or s.sizes[player] != s.under_size:
        return False
    kind = KIND_OF[s.top]
    if (kind == 7 and r.seven_swap) or (kind == 0 and r.zero_pass):
        return False
    return kind != K_SWAP and kind != K_DISCARD_ALL and s.top < FACE_GIVE


@jit
def _would_lay(s, r, desk, x):
    """Whether the heuristic, holding the top card again, would lay it; uses the game up."""
    face = np.int64(s.top)
    kind = KIND_OF[face]
    player = s.top_player
    add_card(s, r, player, face)
    s.gone[face] -= 1
    s.discard_n -= 1
    s.top = s.discard[s.discard_n - 1]
    s.active = s.under
    if kind in (K_REVERSE, K_REVERSE4):
        s.direction = -s.direction
    s.pend_amount = 0
    s.pend_value = 0
    s.phase = P_PLAY
    if s.under_value and r.stacking != STACK_NONE:
        s.phase = P_STACK
        s.pend_value = s.under_value
        s.pend_amount = s.under_value
    s.drawn = -1
    s.turn = player
    s.actor = player
    find_legal(s, r)
    return ask(s, r, desk, x) == face
