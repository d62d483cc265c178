"""What is left to learn: by how much the best action by search beats the one an agent takes.

    python -m benchmarks.regret ig2000 --players 4 --agent pretrained:ig2000

The agent plays one seat (in Teams one team) against `heuristic`. Some of its decisions are valued
by search twice, with other random numbers: one half of the simulations chooses the best action,
the other half values it, so that noise does not count as regret. The regret of all decisions of a
round bounds what labels by this search can still teach. The gain over `heuristic` is measured in
the same positions.
"""

import argparse
from typing import Any, NamedTuple

import numpy as np
from uno_agents.base import batch_form
from uno_agents.registry import make_agent
from uno_agents.search.prior import SPREAD, TEAMS_SPREAD
from uno_agents.search.teacher import SearchTeacher

import uno_env
from uno_env.array_types import Bools, Doubles
from uno_env.vector.vec import UnoVec

NUM_ENVS, FIRST_STEPS, SHARE = 256, 60, 0.3
"""Games side by side, steps before positions are taken, and the share of decisions taken."""
Z95 = 1.96


class Findings(NamedTuple):
    """Regret and gain of each decision as win probabilities, and the decisions of a round."""

    regret: Doubles
    gain: Doubles
    per_round: float


def own_decisions(v: UnoVec, seats: Any, has_teams: bool) -> Bools:
    """Where the agent, or its partner, is to act."""
    if not has_teams:
        return np.asarray(v.actor == seats)
    half = v.engine_arrays.games["num_players"] // 2
    return np.asarray((v.actor.astype(np.int64) - seats) % half == 0)


def measure(variant: str, players: int, spec: str, count: int, sims: int, seed: int) -> Findings:
    """Play until so many decisions are valued."""
    rules = uno_env.Rules.from_text(variant).replace(auto_forced=True)
    has_teams = rules.team_mode == "pairs"
    spread = TEAMS_SPREAD if has_teams else SPREAD
    v = uno_env.vec(rules, NUM_ENVS, players, seed)
    v.reset()
    agent, heuristic = (batch_form(make_agent(name, seed)) for name in (spec, "heuristic"))
    teacher = SearchTeacher([rules], sims)
    rng = np.random.default_rng(seed)
    seats = rng.integers(players, size=NUM_ENVS)
    regret: list[float] = []
    gain: list[float] = []
    steps = decisions = rounds = 0
    while len(regret) < count:
        steps += 1
        is_own = own_decisions(v, seats, has_teams)
        theirs = np.asarray(heuristic.act_batch(v.obs, v.mask), np.int64)
        actions = np.asarray(agent.act_batch(v.obs, v.mask), np.int64)
        if steps > FIRST_STEPS:
            is_choice = is_own & (v.mask.sum(axis=1) > 1)
            decisions += int(is_choice.sum())
            rows = np.flatnonzero(is_choice & (rng.random(NUM_ENVS) < SHARE))
            one, other = (teacher.q_values(v, rows, 2 * steps + n) * spread for n in (0, 1))
            legal, index = v.mask[rows] > 0, np.arange(len(rows))
            for chooses, values in ((one, other), (other, one)):
                best = np.where(legal, chooses, -np.inf).argmax(axis=1)
                taken = values[index, actions[rows]]
                regret += (values[index, best] - taken).tolist()
                gain += (taken - values[index, theirs[rows]]).tolist()
        v.step(np.where(is_own, actions, theirs))
        if steps > FIRST_STEPS:
            rounds += int((v.done > 0).sum())
    return Findings(np.array(regret), np.array(gain), decisions / max(1, rounds))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("variant", help="a preset or a rules text")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--agent", default="pretrained:generalist")
    parser.add_argument("--decisions", type=int, default=5000, help="decisions to value")
    parser.add_argument("--sims", type=int, default=600, help="simulations of each half")
    parser.add_argument("--seed", type=int, default=777)
    o = parser.parse_args()
    found = measure(o.variant, o.players, o.agent, 2 * o.decisions, o.sims, o.seed)
    print(f"{o.agent}, {o.variant}, {o.players} players, {found.per_round:.1f} decisions a round")
    for name, numbers in (("regret", found.regret), ("gain over heuristic", found.gain)):
        # Both halves of a position count, but as one.
        error = 100 * Z95 * numbers.std() / np.sqrt(len(numbers) / 2)
        mean = 100 * numbers.mean()
        print(
            f"{name}: {mean:.3f} (± {error:.3f}) % of a win a decision, "
            f"{mean * found.per_round:.2f} a round"
        )


if __name__ == "__main__":
    main()
