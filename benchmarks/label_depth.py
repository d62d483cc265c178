"""How long the rollouts of search labels should be: cost, variance and bias by their depth.

    python -m benchmarks.label_depth no_mercy --players 4 --depths 8 12 16 24

Positions come from games of a network. In each of them every action is simulated to the end of the
round, twice with other random numbers, and with rollouts cut at each depth. A good depth is cheap,
has a low variance, and its advantages still correlate with those of whole rounds.

With `--continue-with SPEC` that agent plays on in the whole rounds, against `heuristic`: the
correlation then tells whether labels would be others if the learner played their rollouts.
"""

import argparse
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from uno_agents.base import batch_form
from uno_agents.registry import make_agent
from uno_agents.search.kernels.rollout import new_scratch
from uno_agents.search.kernels.search import (
    GAMES,
    LEAD_SQUARES,
    LEAD_SUM,
    NUM_SUMS,
    RETURN_SUM,
    ROOT,
    simulate,
)
from uno_agents.search.kernels.value import search_coefficients
from uno_agents.search.rollouts import BatchedRollouts, RolloutPolicies

import uno_env
from uno_env.array_types import Doubles, Ints
from uno_env.engine.observation.event_log import new_logs
from uno_env.engine.state import STATE, new_records
from uno_env.vector.vec import UnoVec

WHOLE_ROUND = 1 << 16
NUM_ENVS, FIRST_STEPS, SHARE = 128, 30, 0.08
"""Games side by side, steps before positions are taken, and the share of decisions taken."""


class Row(NamedTuple):
    """One depth: all numbers are of simulated leads between actions.

    Attributes:
        correlation: with whole rounds, without the noise of either: 1 means no bias.
    """

    depth: int
    microseconds: float
    variance: float
    correlation: float


class Simulator:
    """Mean returns and the variance of leads of all legal actions of a position.

    Args:
        policies: who plays the rollouts; heuristic on all seats if None.
    """

    def __init__(self, v: UnoVec, variant: str, policies: RolloutPolicies | None = None) -> None:
        self._v = v
        self._simulate = simulate if policies is None else BatchedRollouts(policies).simulate
        self._games, self._logs, self._scratch = (
            new_records(GAMES, STATE),
            new_logs(0),
            new_scratch(),
        )
        has_teams = uno_env.Rules.preset(variant).team_mode == "pairs"
        self._coefficients = search_coefficients(variant, has_teams)

    def __call__(
        self, row: int, actions: Ints, first: int, worlds: int, depth: int
    ) -> tuple[Doubles, float]:
        """Advantages of the actions in worlds from `first` on, and the variance of a lead."""
        arrays = self._v.engine_arrays
        self._games[ROOT] = arrays.games[row]
        sums = np.zeros((NUM_SUMS, len(actions)))
        self._simulate(
            self._games, arrays.rules, self._logs, self._scratch, int(self._v.actor[row]), False,
            actions, first, first + worlds, np.uint64(row), depth, self._coefficients, sums,
        )  # fmt: skip
        means = sums / worlds
        variances = means[LEAD_SQUARES, 1:] - means[LEAD_SUM, 1:] ** 2
        return means[RETURN_SUM] - means[RETURN_SUM].mean(), float(variances.mean())


def positions(v: UnoVec, agent: Any, count: int, seed: int) -> Iterator[tuple[int, Ints]]:
    """Rows of the batch with a choice, and their legal actions, while the agent plays on."""
    rng, taken, steps = np.random.default_rng(seed), 0, 0
    while True:
        steps += 1
        is_picked = (rng.random(v.num_envs) < SHARE) & (v.mask.sum(axis=1) > 1)
        for row in np.flatnonzero(is_picked) if steps > FIRST_STEPS else ():
            yield int(row), np.flatnonzero(v.mask[row])
            taken += 1
            if taken == count:
                return
        v.step(np.asarray(agent.act_batch(v.obs, v.mask), np.int64))


def measure(
    variant: str,
    players: int,
    spec: str,
    depths: list[int],
    count: int,
    worlds: int,
    seed: int,
    continue_with: str | None = None,
) -> list[Row]:
    """One row for each depth."""
    rules = uno_env.Rules.preset(variant).replace(auto_forced=True)
    v = uno_env.vec(rules, NUM_ENVS, players, seed)
    v.reset()
    simulator = to_the_end = Simulator(v, variant)
    if continue_with:
        own, others = (batch_form(make_agent(name, seed)) for name in (continue_with, "heuristic"))
        to_the_end = Simulator(v, variant, RolloutPolicies(own, others))
    whole: list[list[Doubles]] = [[], []]
    cut: dict[int, list[Doubles]] = {depth: [] for depth in depths}
    variance, seconds = dict.fromkeys(depths, 0.0), dict.fromkeys(depths, 0.0)
    sims = 0
    for row, actions in positions(v, batch_form(make_agent(spec, seed)), count, seed):
        for half, found in enumerate(whole):
            found.append(to_the_end(row, actions, (half + 1) * worlds, worlds, WHOLE_ROUND)[0])
        for depth in depths:
            started = time.process_time()
            advantages, lead_variance = simulator(row, actions, 0, worlds, depth)
            seconds[depth] += time.process_time() - started
            cut[depth].append(advantages)
            variance[depth] += lead_variance / count
        sims += worlds * len(actions)
    one, other = (np.concatenate(found) for found in whole)
    signal = float((one * other).mean())
    rows = []
    for depth in depths:
        label = np.concatenate(cut[depth])
        noise = variance[depth] / worlds / 2
        power = float((label**2).mean()) - noise
        correlation = float((label * (one + other)).mean()) / 2 / np.sqrt(signal * power)
        rows.append(Row(depth, 1e6 * seconds[depth] / sims, variance[depth], correlation))
    return rows


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("variant", choices=uno_env.VARIANTS)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--agent", default="pretrained:generalist", help="who plays the games")
    parser.add_argument("--depths", type=int, nargs="+", default=[4, 8, 12, 16, 24])
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--worlds", type=int, default=400, help="simulations of each action")
    parser.add_argument("--seed", type=int, default=999)
    parser.add_argument("--continue-with", metavar="SPEC", help="plays whole rounds on")
    o = parser.parse_args()
    print("| depth | us a simulation | variance of a lead | product | correlation |")
    print("|---|---|---|---|---|")
    for row in measure(
        o.variant, o.players, o.agent, o.depths, o.positions, o.worlds, o.seed, o.continue_with
    ):  # fmt: skip
        cost = row.microseconds * row.variance
        print(
            f"| {row.depth} | {row.microseconds:.1f} | {row.variance:.4f} | {cost:.3f} "
            f"| {row.correlation:.3f} |"
        )


if __name__ == "__main__":
    main()
