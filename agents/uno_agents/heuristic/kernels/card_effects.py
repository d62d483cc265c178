"""What a kind of card does under the rules that an observation tells."""

import numpy as np

from uno_env.engine.jit import always_inline
from uno_env.engine.state import choices
from uno_env.engine.tables import K_BLANK, K_SEVEN, K_ZERO, X_PASS_HANDS, X_SWAP_OWN
from uno_env.kinds import KIND_TABLE, Effect

from .features import rule_at

R_SEVEN = rule_at("seven_swap")
R_ZERO = rule_at("zero_pass")
R_BLANK_DRAWS = rule_at("blank_draws")
BLANK_EFFECTS = np.array(
    [Effect[word.upper()].value for word in choices("blank_effect")[1:]], np.int64
)
R_BLANK = rule_at(f"blank_effect={choices('blank_effect')[1]}")
"""The first of the bytes that tell what a blank does."""
KIND_EFFECT = np.array([kind.effect.value for kind in KIND_TABLE], np.int64)
KIND_DRAWS = np.array([kind.draws for kind in KIND_TABLE], np.int64)


@always_inline
def effects_of(obs, kind):
    """The effects of a kind, as bits."""
    effects = KIND_EFFECT[kind]
    if kind == K_SEVEN and obs[R_SEVEN]:
        effects |= X_SWAP_OWN
    elif kind == K_ZERO and obs[R_ZERO]:
        effects |= X_PASS_HANDS
    elif kind == K_BLANK:
        for at in range(BLANK_EFFECTS.shape[0]):
            if obs[R_BLANK + at]:
                effects |= BLANK_EFFECTS[at]
    return effects


@always_inline
def draws_of(obs, kind):
    """The cards that a kind makes a seat draw."""
    return np.int64(obs[R_BLANK_DRAWS]) if kind == K_BLANK else KIND_DRAWS[kind]
