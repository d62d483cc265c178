"""The wild draw four: whether it is honest, and when to challenge one."""

from uno_env.cards import FIRST_GIVE, FIRST_WILD, NUM_FACES, face_id
from uno_env.engine.jit import jit
from uno_env.engine.observation.layout import O_BEFORE, O_SUBJECT, O_TURN
from uno_env.engine.tables import FACE_WILD4

from .coefficients import BLUFF_RATE
from .features import (
    CERTAIN,
    R_GIVE,
    active_color,
    color_counts,
    follow_chance,
    known_counts,
    of_color,
    one_of,
    rule_at,
    sum_of,
    unseen_cards,
)
from .styles import CHALLENGE_AT_AT, STYLES

FACE_HYPER = face_id("wild-hyper-speed")

R_BY_COLOR = rule_at("plus4_legality=no_active_color")
R_NOTHING_ELSE = rule_at("plus4_legality=nothing_else")
R_CHALLENGE = rule_at("challenge=target")
R_ANYONE = rule_at("challenge=anyone")
R_WILDS_ALL = rule_at("challenge_wilds_count=all")
R_WILDS_SOME = rule_at("challenge_wilds_count=wild_and_hyper")


@jit
def is_bluff(obs, mask, own):
    """Whether a wild draw four from this hand could be challenged with success."""
    if not obs[R_CHALLENGE] and not obs[R_ANYONE]:
        return False
    if obs[R_BY_COLOR]:
        color = active_color(obs)
        if color < 4 and of_color(own, color):
            return True
        if obs[R_WILDS_ALL]:
            return sum_of(obs, FIRST_WILD, FIRST_GIVE) > 1
        return obs[R_WILDS_SOME] and (obs[FIRST_WILD] or obs[FACE_HYPER])
    if obs[R_NOTHING_ELSE]:
        for face in range(NUM_FACES if obs[R_GIVE] else FIRST_GIVE):
            if mask[face] and face != FACE_WILD4:
                return True
    return False


@jit
def wants_challenge(obs, style):
    """Whether the odds that the wild draw four was a bluff are good enough, for its target."""
    if obs[O_TURN] != 1:
        return False
    accused = one_of(obs, O_SUBJECT, 10)
    color = one_of(obs, O_BEFORE, 4)
    if accused >= 10 or color >= 4:
        return False
    unseen, total = unseen_cards(obs, color_counts(obs, 0))
    held = follow_chance(obs, accused, color, known_counts(obs, accused), unseen, total)
    lied = held * BLUFF_RATE
    return lied * 100 >= STYLES[style, CHALLENGE_AT_AT] * (lied + 100 * (CERTAIN - held))
