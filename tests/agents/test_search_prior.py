"""A policy's probabilities as the prior of a search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from uno_agents.registry import make_agent
from uno_agents.search.kernels import search as kernel
from uno_agents.search.prior import (
    MIN_PROBABILITY,
    POLICY_TEMPERATURE,
    PRIOR_WORLDS,
    SPREAD,
    TEAMS_PRIOR_WORLDS,
    TEAMS_SPREAD,
    Prior,
    policy_prior,
    prior_leads,
)
from uno_agents.search.sequential_halving import Budget, SequentialHalving
from uno_train.config import TrainConfig

import uno_env as uno


def halving_after(worlds: int, leads: list[float], prior: list[float] | None) -> SequentialHalving:
    """A search that has seen these mean leads in so many worlds, each time the same."""
    given_prior = None if prior is None else Prior(np.array(prior, np.float64), PRIOR_WORLDS)
    halving = SequentialHalving(list(range(len(leads))), given_prior)
    halving.worlds = worlds
    halving.sums[kernel.LEAD_SUM] = worlds * np.array(leads)
    halving.sums[kernel.LEAD_SQUARES] = worlds * np.array(leads) ** 2
    return halving


def test_a_prior_lead_is_the_advantage_that_a_distilled_network_believes_in() -> None:
    advantages = np.array([0.0, -1.0, -2.5])  # in units of the usual difference
    shares = np.exp(advantages / POLICY_TEMPERATURE)
    probabilities = dict(enumerate(shares / shares.sum()))
    leads = prior_leads([0, 1], probabilities, has_teams=False)
    assert leads == pytest.approx([0.0, -SPREAD])
    assert prior_leads([0, 1], probabilities, True) == pytest.approx([0.0, -TEAMS_SPREAD])


def test_shipped_networks_were_distilled_at_the_temperature_of_the_prior() -> None:
    assert TrainConfig().distill_temperature == POLICY_TEMPERATURE


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8))
def test_no_action_is_ruled_out_for_good(given_probabilities: list[float]) -> None:
    candidates = list(range(len(given_probabilities)))
    leads = prior_leads(candidates, dict(enumerate(given_probabilities)), has_teams=False)
    limit = POLICY_TEMPERATURE * SPREAD * -np.log(MIN_PROBABILITY)
    assert leads[0] == 0
    assert (np.abs(leads) <= limit + 1e-12).all()


@pytest.mark.parametrize("has_teams", [False, True])
def test_a_prior_counts_for_more_worlds_in_teams(has_teams: bool) -> None:
    probabilities = {0: 0.6, 1: 0.4}
    prior = policy_prior([0, 1], probabilities, has_teams)
    assert prior.leads == pytest.approx(prior_leads([0, 1], probabilities, has_teams))
    assert prior.worlds == (TEAMS_PRIOR_WORLDS if has_teams else PRIOR_WORLDS)


def test_without_simulations_the_policy_decides() -> None:
    best = halving_after(0, [0.0, 0.0, 0.0], [0.0, -0.02, 0.01]).ranking()[0]
    assert best.action == 2


def test_simulations_and_prior_are_averaged_by_worlds() -> None:
    ranking = halving_after(PRIOR_WORLDS, [0.0, 0.03], [0.0, -0.01]).ranking()
    assert [each.action for each in ranking] == [1, 0]
    assert ranking[0].lead == pytest.approx(0.01)


def test_many_simulations_overrule_the_prior() -> None:
    few, many = (halving_after(n, [0.0, 0.01], [0.0, -0.1]).ranking()[0] for n in (30, 3000))
    assert (few.action, many.action) == (0, 1)


def test_the_prior_halves_as_well() -> None:
    prior = Prior(np.array([0.0, -0.05, -0.01, -0.05]), PRIOR_WORLDS)
    halving = SequentialHalving([0, 1, 2, 3], prior)
    next(iter(halving.stages(Budget(2, None))))
    assert halving.candidates.tolist() == [0, 2]


def test_a_network_as_policy_is_its_prior() -> None:
    """With one simulation an action, the prior of 50 worlds decides what is not all but certain."""
    network = make_agent("frozen:classic-1")
    guided = make_agent("search:sims=8,policy=frozen:classic-1")
    plain = make_agent("search:sims=8")
    agreed = {guided: 0, plain: 0}
    game = uno.Game("classic", num_players=2, seed=5)
    asked = 0
    while game.actor is not None and asked < 40:
        view, legal = game.view(game.actor), game.legal()
        action = network.act(view, legal)
        if len(legal) > 1:
            asked += 1
            for agent in agreed:
                agreed[agent] += agent.act(view, legal) == action
        game.step(action)
    assert agreed[guided] > agreed[plain]
