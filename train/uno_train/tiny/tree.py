"""The whole tree of a two-player game in flat arrays, for exact computations in NumPy.

Nodes are numbered so that children come after their parents. Nodes that a player cannot tell apart
(equal information-state strings) share an information state, and so do their actions.
"""

from dataclasses import dataclass

import numpy as np

from uno_env.actions import NUM_ACTIONS
from uno_env.adapters.openspiel import UnoGame, UnoState
from uno_env.array_types import Bytes, Doubles, Ints

MAX_NODES = 3_000_000
Policy = Doubles
"""Probabilities by slot: one number for each action of each information state."""


class TreeTooLarge(ValueError):
    """A game that does not fit in memory as a tree."""


@dataclass
class GameTree:
    """A game tree; arrays over nodes, then over information states.

    Attributes:
        parent: of each node; -1 for the deals, whose probability is 1 / number of deals.
        slot: of the action that leads to each node, -1 for the deals.
        depth: decisions before each node.
        player: who decides at each node, -1 at the end.
        state: its information state, -1 at the end.
        value: of ends, for player 0; zero elsewhere.
        first_slot: of each information state; the last entry is the number of slots.
        state_player: who decides there.
        level: how many decisions its player had made before.
        actions: the action id of each slot.
        obs, mask: what an agent sees there, equal at all nodes of an information state.
        deals: how many deals each information state is consistent with.
    """

    parent: Ints
    slot: Ints
    depth: Ints
    player: Ints
    state: Ints
    value: Doubles
    first_slot: Ints
    state_player: Ints
    level: Ints
    actions: Ints
    obs: Bytes
    mask: Bytes
    deals: Ints
    num_deals: int

    def deals_per_information_state(self) -> Ints:
        """Deals consistent with a player's first decision, once for each deal that leads there."""
        first = self.deals[self.level == 0]
        return np.repeat(first, first)

    def uniform(self) -> Policy:
        """The policy that takes every legal action alike."""
        counts = np.diff(self.first_slot)
        return np.repeat(1.0 / counts, counts)

    def normalised(self, weights: Doubles) -> Policy:
        """Weights by slot as probabilities; uniform where all are zero."""
        starts = self.first_slot[:-1]
        sums = np.repeat(np.add.reduceat(weights, starts), np.diff(self.first_slot))
        return np.where(sums > 0, weights / np.where(sums > 0, sums, 1), self.uniform())


def build_tree(game: UnoGame) -> GameTree:
    """Expand every deal and every action."""
    if game.players != 2:
        raise TreeTooLarge(f"trees are for two players, not {game.players}")
    nodes: list[tuple[int, int, int, int, int, float]] = []
    states: dict[str, int] = {}
    facts: list[tuple[int, int, int, Bytes, Bytes]] = []
    actions: list[int] = []
    seen: list[set[int]] = []

    def information_state(state: UnoState, deal: int) -> int:
        text = state.information_state_string()
        if text not in states:
            states[text] = len(facts)
            seat, legal = state.current_player(), state.legal_actions()
            level = len(state._own[seat])
            facts.append((seat, level, len(actions), state.table.observe(seat), state.table.mask()))
            actions.extend(legal)
            seen.append(set())
        seen[states[text]].add(deal)
        return states[text]

    for deal in range(game.deals):
        first = game.new_initial_state()
        first.apply_action(deal)
        stack = [(first, -1, -1, 0)]
        while stack:
            state, parent, slot, depth = stack.pop()
            if len(nodes) == MAX_NODES:
                raise TreeTooLarge(f"more than {MAX_NODES:,} nodes; take fewer deals or cards")
            if state.is_terminal():
                nodes.append((parent, slot, depth, -1, -1, state.returns()[0]))
                continue
            number, here = information_state(state, deal), len(nodes)
            nodes.append((parent, slot, depth, state.current_player(), number, 0.0))
            for index, action in enumerate(state.legal_actions()):
                stack.append((state.child(action), here, facts[number][2] + index, depth + 1))
    columns = list(zip(*nodes, strict=True))
    parents, slots, depths, deciders, numbers = (np.array(c, np.int64) for c in columns[:5])
    players, levels, starts, obs, masks = zip(*facts, strict=True)
    return GameTree(
        parent=parents,
        slot=slots,
        depth=depths,
        player=deciders,
        state=numbers,
        value=np.array(columns[5]),
        first_slot=np.array([*starts, len(actions)]),
        state_player=np.array(players),
        level=np.array(levels),
        actions=np.array(actions),
        obs=np.array(obs, np.uint8),
        mask=np.array(masks, np.uint8).reshape(-1, NUM_ACTIONS),
        deals=np.array([len(each) for each in seen]),
        num_deals=game.deals,
    )
