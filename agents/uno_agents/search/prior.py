"""A policy's probabilities as the prior of a search: what it believes of actions, in win rates.

A network distilled from search plays softmax(A / T), with A the advantage in units of the usual
difference between actions (`SPREAD`): so T * SPREAD * (log p(a) - log p(b)) is by how much it
believes a to win more often than b. Search counts that like the mean of some worlds it has
simulated. The network averages over all games it was trained on, search looks at this very
position: their errors are of different kinds, and together they are closer than either.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from uno_env.array_types import Doubles

SPREAD, TEAMS_SPREAD = 0.07, 0.02
"""Usual difference of win probability between the actions of a position. Rounds of Teams are so
long that a single action changes little."""
POLICY_TEMPERATURE = 0.3
"""T above: the default of `distill_temperature`, with which the shipped networks were trained."""
PRIOR_WORLDS, TEAMS_PRIOR_WORLDS = 50, 100
"""Worlds that the prior counts for. Of 10 to 400, 25 to 100 were best in classic, no_mercy and
ig2000, 100 to 200 in Teams; see docs/agents.md."""
TEAMS_DEPTH = 24
"""Decisions of a rollout in Teams, at least: leaves of shorter ones are valued with more bias than
the error of a prior."""
MIN_PROBABILITY = 0.002
"""Actions with a lower probability under the policy are not simulated."""


class Prior(NamedTuple):
    """By how much each candidate leads the first, and the worlds that this counts for."""

    leads: Doubles
    worlds: int


def policy_prior(
    candidates: list[int], probabilities: Mapping[int, float], has_teams: bool
) -> Prior:
    """The prior that a policy's probabilities stand for; arguments as of `prior_leads`."""
    worlds = TEAMS_PRIOR_WORLDS if has_teams else PRIOR_WORLDS
    return Prior(prior_leads(candidates, probabilities, has_teams), worlds)


def prior_leads(
    candidates: list[int], probabilities: Mapping[int, float], has_teams: bool
) -> Doubles:
    """By how much each candidate wins more often than the first, as a policy believes.

    Args:
        candidates: action ids, the default action first.
        probabilities: what the policy gives each action id; one that is missing counts as ruled
            out.
    """
    given = [probabilities.get(action, 0.0) for action in candidates]
    logs = np.log(np.maximum(given, MIN_PROBABILITY))
    spread = TEAMS_SPREAD if has_teams else SPREAD
    leads: Doubles = POLICY_TEMPERATURE * spread * (logs - logs[0])
    return leads
