"""Exact exploitability in a game tree: reach probabilities, values, best responses, NashConv.

NashConv is the sum over players of what a best response wins more than the policy itself; it is
zero at a Nash equilibrium (Lanctot et al. 2017, arXiv 1711.00832). Exploitability is half of it.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from uno_env.array_types import Doubles, Ints

from .tree import GameTree, Policy


class Evaluation:
    """Values and best responses of policies in one tree; levels of nodes are prepared once."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        order = np.argsort(tree.depth, kind="stable")
        cuts = np.searchsorted(tree.depth[order], np.arange(1, tree.depth.max() + 1))
        self.layers: list[Ints] = np.split(order, cuts)
        self._owner = np.where(tree.parent >= 0, tree.player[tree.parent], -1)

    def reach(self, policy: Policy) -> Doubles:
        """What each player and chance contribute to reaching each node (3, nodes); chance last."""
        tree = self.tree
        reach = np.ones((3, len(tree.parent)))
        reach[2] = 1.0 / tree.num_deals
        for layer in self.layers[1:]:
            parent = tree.parent[layer]
            reach[:, layer] = reach[:, parent]
            reach[self._owner[layer], layer] *= policy[tree.slot[layer]]
        return reach

    def values(self, policy: Policy) -> Doubles:
        """The value of each node for player 0."""
        tree, values = self.tree, self.tree.value.copy()
        for layer in self._upwards():
            np.add.at(values, tree.parent[layer], policy[tree.slot[layer]] * values[layer])
        return values

    def _upwards(self) -> Iterator[Ints]:
        """Layers from the deepest to the first below the deals."""
        return reversed(self.layers[1:])

    def game_value(self, policy: Policy) -> float:
        """What player 0 wins on average."""
        return float(self.values(policy)[self.tree.parent < 0].mean())

    def slot_values(self, policy: Policy, player: int, reach: Doubles | None = None) -> Doubles:
        """Counterfactual values by slot, for the player whose decision it is."""
        tree = self.tree
        reach = self.reach(policy) if reach is None else reach
        sign = 1.0 if player == 0 else -1.0
        values = sign * self.values(policy) * reach[1 - player] * reach[2]
        below = np.flatnonzero(self._owner == player)
        sums: Doubles = np.bincount(tree.slot[below], values[below], len(tree.actions)).astype(
            float
        )
        return sums

    def best_response(self, policy: Policy, player: int) -> Policy:
        """The policy with the player's choices replaced by its best ones, the last levels first.

        With perfect recall everything below a decision has a higher level, so one pass for each
        level of the player settles all of them.
        """
        tree, best = self.tree, policy.copy()
        reach = self.reach(policy)
        for level in range(int(tree.level.max()), -1, -1):
            mine = np.flatnonzero((tree.level == level) & (tree.state_player == player))
            if not len(mine):
                continue
            values = self.slot_values(best, player, reach)
            for state in mine:
                slots = slice(tree.first_slot[state], tree.first_slot[state + 1])
                best[slots] = 0
                best[slots.start + int(values[slots].argmax())] = 1
        return best

    def nash_conv(self, policy: Policy) -> float:
        """What both best responses win together; zero at an equilibrium."""
        gains = [
            sign * self.game_value(self.best_response(policy, player))
            for player, sign in ((0, 1.0), (1, -1.0))
        ]
        return sum(gains)


def policy_of(tree: GameTree, agent: Any, draws: int = 64) -> Policy:
    """How an agent plays in each information state.

    Agents that draw random numbers are asked `draws` times; networks that sample tell their
    probabilities themselves.
    """
    states = np.repeat(np.arange(len(tree.level)), np.diff(tree.first_slot))
    if getattr(agent, "sample", False):
        probabilities, _ = agent.probabilities_batch(tree.obs, tree.mask)
        return tree.normalised(probabilities[states, tree.actions].astype(float))
    counts = np.zeros(len(tree.actions))
    for _ in range(draws):
        counts += agent.act_batch(tree.obs, tree.mask)[states] == tree.actions
    return tree.normalised(counts)
