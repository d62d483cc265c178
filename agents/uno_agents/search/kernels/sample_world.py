"""Determinisations to search in: deals that fit what a seat knows and what others have just done.

The engine's `determinize` samples a deal that fits the seat's knowledge. Two inferences make likely
deals more frequent: a seat that drew instead of playing is assumed to lack the colour, and a deal
in which the heuristic would not have played the top card is usually rejected.
"""

import numpy as np

from uno_env.engine.jit import jit
from uno_env.engine.knowledge.determinize import determinize
from uno_env.engine.lowlevel.bits import below, splitmix64
from uno_env.engine.lowlevel.copy_game import copy_game
from uno_env.engine.mechanics.legal_actions import find_legal
from uno_env.engine.mechanics.piles import add_card
from uno_env.engine.state import (
    SEAT_DREW,
    SEAT_LAST_COLOR,
    SEAT_MISSING,
    SEAT_PLAYED,
)
from uno_env.engine.tables import (
    FACE_GIVE,
    FACE_WILD4,
    KIND_OF,
    P_PLAY,
    P_STACK,
    X_DISCARD_COLOR,
    X_MOVES_HANDS,
    X_REVERSE,
)

from .rollout import heuristic_action

MAX_TRIES = 24
"""Deals sampled for one world, at most."""
KEEP_UNLIKELY = 25
"""Percent of deals kept although the heuristic would have played another card."""
KEEP_UNLIKELY_PLUS4 = 4
"""The same for a wild draw four: bluffs without need are rare."""


@jit
def make_world(games, r, scratch, seat, knows_all, key, number):
    """Write world `number` of a search to games[1], a round of its own; returns the RNG state.

    It is a function of (key, number) and what `seat` knows, or the true position if it
    `knows_all`.
    """
    x = splitmix64(key ^ splitmix64(number))
    if knows_all:
        copy_game(games[1], games[0])
    else:
        x = sample_world(games, r, scratch, seat, x)
    # A round is simulated, never the rest of a match.
    games[1].match = 0
    return x


@jit
def sample_world(games, r, scratch, seat, x):
    """Write a likely world to games[1] from what `seat` knows of games[0]; games[2] is scratch."""
    root = games[0]
    is_informative = is_top_card_informative(root, r, seat)
    keep = KEEP_UNLIKELY_PLUS4 if root.top_card == FACE_WILD4 else KEEP_UNLIKELY
    for _ in range(MAX_TRIES):
        x = splitmix64(x)
        copy_game(games[1], root)
        world = games[1]
        _assume_missing_colors(world, seat)
        determinize(world, r, seat, x)
        _restore_missing_colors(world, root)
        if not is_informative:
            break
        copy_game(games[2], world)
        x = splitmix64(x)
        if below(x, 100) < keep or _would_play(games[2], r, scratch, x):
            break
    return x


@jit
def _assume_missing_colors(s, seat):
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
    # The assumption is private to this search; observations must not show it.
    for other in range(s.num_players):
        for color in range(4):
            s.seats[other, SEAT_MISSING + color] = root.seats[other, SEAT_MISSING + color]


@jit
def is_top_card_informative(s, r, seat):
    """Whether the top card was played from a hidden hand that has not changed since."""
    player = s.top_player
    if player < 0 or player == seat or s.discard_size < 2:
        return False
    if not s.seats[player, SEAT_PLAYED] or s.hand_sizes[player] != s.size_before:
        return False
    effects = r.effects[KIND_OF[s.top_card]]
    return effects & (X_MOVES_HANDS | X_DISCARD_COLOR) == 0 and s.top_card < FACE_GIVE


@jit
def _would_play(s, r, scratch, x):
    """Whether the heuristic, holding the top card again, would play it; overwrites the game."""
    face = take_back_play(s, r)
    scratch.num_players = 0
    return heuristic_action(s, r, scratch, x) == face


@jit
def take_back_play(s, r):
    """Go back to the decision in which the top card was played; its face.

    Only what a decision depends on is restored, and only where `is_top_card_informative`.
    """
    face = np.int64(s.top_card)
    player = s.top_player
    add_card(s, r, player, face)
    s.discard_counts[face] -= 1
    s.discard_size -= 1
    s.top_card = s.discard[s.discard_size - 1]
    s.active_color = s.color_before
    if r.effects[KIND_OF[face]] & X_REVERSE:
        s.direction = -s.direction
    s.pending_amount = 0
    s.pending_value = 0
    s.phase = P_PLAY
    if s.penalty_before and r.answerable:
        s.phase = P_STACK
        s.pending_value = s.penalty_before
        s.pending_amount = s.penalty_before
    s.drawn_card = -1
    s.turn = player
    s.actor = player
    find_legal(s, r)
    return face
