"""The heuristic player: one action for an observation row, its mask and a random word."""

import numpy as np

from uno_env.actions import ACCEPT, CALL_UNO, CATCH, CHALLENGE, DRAW, JUMP_IN, PASS, SUM, TAKE
from uno_env.cards import NUM_FACES
from uno_env.engine.jit import always_inline, jit, jit_entry, shared
from uno_env.engine.lowlevel.bits import splitmix64
from uno_env.engine.tables import (
    P_CHALLENGE,
    P_COLOR,
    P_DRAW_TARGET,
    P_OPENING_COLOR,
    P_OPENING_SWAP,
    P_PLAY_MORE,
    P_REACT,
    P_ROULETTE,
    P_STACK,
    P_SWAP_PAIR,
    P_SWAP_TARGET,
    P_TEAM_PLAY,
    P_UNO_CALL,
    P_UNO_CATCH,
)

from .cards import choose_card, saves_wild
from .challenge import wants_challenge
from .colors import name_color, name_roulette_color
from .exchanges import choose_gift, choose_pair, choose_target, choose_victim
from .features import phase_of
from .styles import PLAIN


@always_inline
def choose(obs, mask, x):
    """The plain heuristic's action; `x` is a random word that breaks ties."""
    return choose_in_style(obs, mask, x, PLAIN)


@shared
def choose_in_style(obs, mask, x, style):
    """The action of a style, by its number in `styles.STYLE_TABLE`."""
    phase = phase_of(obs)
    x = splitmix64(x)
    if phase <= P_STACK or phase == P_TEAM_PLAY:
        if mask[CALL_UNO]:
            return CALL_UNO
        action = choose_card(obs, mask, phase, x, style)
        if saves_wild(obs, mask, action, style):
            return DRAW
        if action == TAKE and mask[CHALLENGE] and wants_challenge(obs, style):
            return CHALLENGE
        return action
    if phase in (P_COLOR, P_OPENING_COLOR):
        return name_color(obs, x, style)
    if phase == P_UNO_CALL:
        return CALL_UNO
    if phase == P_UNO_CATCH:
        return CATCH
    if phase == P_CHALLENGE:
        return CHALLENGE if wants_challenge(obs, style) else ACCEPT
    if phase == P_ROULETTE:
        return name_roulette_color(obs, x)
    if phase == P_REACT:
        if mask[SUM]:
            return SUM
        return JUMP_IN if mask[JUMP_IN] else _first_card(mask)
    if phase == P_SWAP_TARGET:
        return choose_target(obs, mask, style)
    if phase == P_PLAY_MORE:
        return _first_card(mask)
    if phase == P_DRAW_TARGET:
        return choose_victim(obs, mask)
    if phase in (P_SWAP_PAIR, P_OPENING_SWAP):
        return choose_pair(obs, mask, style)
    return choose_gift(obs, mask, x)


@jit
def _first_card(mask):
    """A card that may be laid, or a pass where there is none."""
    for face in range(NUM_FACES):
        if mask[face]:
            return face
    return PASS


@jit_entry("heuristic")
def choose_batch(obs, mask, rng, style, out):
    """One action for each row; `rng` is the state of one generator for the whole batch."""
    x = rng[0]
    for i in range(out.shape[0]):
        x = splitmix64(x)
        out[i] = choose_in_style(obs[i], mask[i], x, style)
    rng[0] = x


@jit_entry("heuristic, row by row")
def choose_each(obs, mask, out):
    """One action for each row, independent of the other rows: ties are broken alike in all."""
    x = splitmix64(np.uint64(0))
    for i in range(out.shape[0]):
        out[i] = choose(obs[i], mask[i], x)
