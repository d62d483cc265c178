"""CFR+ on the tiny games: counterfactual regret minimisation with regrets that stay positive.

CFR (Zinkevich et al. 2007), CFR+ (Tammelin 2014, arXiv 1407.5042). With counterfactual values
v(I, a) of the present policy,

    R(I, a)  <-  max(0, R(I, a) + v(I, a) - sum_b pi(b|I) v(I, b)),     pi(a|I) ~ R(I, a),

players take turns, and the average policy weighs iteration t by t. It converges to an equilibrium
of two-player zero-sum games; the NashConv of the average is computed exactly at each point.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..checkpoint import write_at_once
from ..tiny.games import tiny_task
from ..tiny.nash_conv import Evaluation
from ..tiny.tree import GameTree, Policy, build_tree

ITERATIONS = 200
AGENT = '''"""The average policy of CFR+ on {task}, by observation; uniform elsewhere."""

from pathlib import Path

import numpy as np


class Tabular:
    """Draws its action from a table."""

    def __init__(self, seed: int = 0) -> None:
        saved = np.load(Path(__file__).with_name("policy.npz"))
        self._rows = {{row.tobytes(): p for row, p in zip(saved["obs"], saved["policy"])}}
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """With a seed, play as a new agent of that seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)

    def act_batch(self, obs, mask):
        """One action id a row."""
        known = [self._rows.get(row.tobytes()) for row in np.ascontiguousarray(obs)]
        probabilities = np.array([m if p is None else p * m for p, m in zip(known, mask)], float)
        empty = probabilities.sum(axis=1) == 0
        probabilities[empty] = mask[empty]
        sums = probabilities.cumsum(axis=1)
        draws = self._rng.random((len(sums), 1)) * sums[:, -1:]
        return (sums > draws).argmax(axis=1)
'''
"""The agent file of a solved game."""


class CfrPlus:
    """Regrets and the average policy in one tree."""

    def __init__(self, tree: GameTree) -> None:
        self.tree, self.evaluation = tree, Evaluation(tree)
        self.regrets = np.zeros(len(tree.actions))
        self.average = np.zeros(len(tree.actions))
        self.iterations = 0
        # The information state and the player of each slot.
        self._state = np.repeat(np.arange(len(tree.level)), np.diff(tree.first_slot))
        self._player = tree.state_player[self._state]

    def policy(self) -> Policy:
        """Regret matching: the present policy."""
        return self.tree.normalised(self.regrets)

    def average_policy(self) -> Policy:
        """The average policy, which approaches an equilibrium."""
        return self.tree.normalised(self.average)

    def iterate(self) -> None:
        """Both players once, one after the other."""
        self.iterations += 1
        for player in (0, 1):
            policy = self.policy()
            reach = self.evaluation.reach(policy)
            values = self.evaluation.slot_values(policy, player, reach)
            starts = self.tree.first_slot[:-1]
            expected = np.add.reduceat(policy * values, starts)[self._state]
            mine = self._player == player
            self.regrets[mine] = np.maximum(0, (self.regrets + values - expected)[mine])
            self.average[mine] += (self.iterations * self._own_reach(reach) * policy)[mine]

    def _own_reach(self, reach: Any) -> Any:
        """The contribution of each slot's player to reaching its information state."""
        tree = self.tree
        decides = np.flatnonzero(tree.player >= 0)
        own = np.zeros(len(tree.level))
        # Perfect recall: it is the same at every node of an information state.
        own[tree.state[decides]] = reach[tree.player[decides], decides]
        return own[self._state]


def solve(
    task: str, iterations: int, out: Path, say: Callable[[str], None] = lambda text: None
) -> dict[str, Any]:
    """Solve a tiny task; the result, as in `result.json`. The agent is `out/agent.py:Tabular`."""
    tree = build_tree(tiny_task(task).game())
    say(f"{task}: {len(tree.parent):,} nodes, {len(tree.level):,} information states")
    solver = CfrPlus(tree)
    curve = [{"iterations": 0, "nash_conv": solver.evaluation.nash_conv(tree.uniform())}]
    while solver.iterations < iterations:
        solver.iterate()
        if solver.iterations % max(1, iterations // 10) == 0 or solver.iterations == iterations:
            found = solver.evaluation.nash_conv(solver.average_policy())
            curve.append({"iterations": solver.iterations, "nash_conv": found})
            say(f"{task}: NashConv {found:.5f} after {solver.iterations} iterations")
    out.mkdir(parents=True, exist_ok=True)
    _save_agent(tree, solver.average_policy(), out, task)
    result = {
        "format": "uno_env-cfr-1",
        "task": task,
        "nodes": len(tree.parent),
        "information_states": len(tree.level),
        "deals_per_first_state": [int(x) for x in np.percentile(
            tree.deals_per_information_state(), (0, 50, 100)
        )],
        "game_value": solver.evaluation.game_value(solver.average_policy()),
        "curve": curve,
    }  # fmt: skip
    write_at_once(out / "result.json", f"{json.dumps(result, indent=1)}\n".encode())
    return result


def _save_agent(tree: GameTree, policy: Policy, out: Path, task: str) -> None:
    rows = np.zeros(tree.mask.shape)
    states = np.repeat(np.arange(len(tree.level)), np.diff(tree.first_slot))
    rows[states, tree.actions] = policy
    np.savez_compressed(out / "policy.npz", obs=tree.obs, policy=rows.astype(np.float32))
    (out / "agent.py").write_text(AGENT.format(task=task))
