"""Rollouts of many worlds side by side, whose decisions are made outside, by any batch agent.

    start_rollouts(...)                 # each candidate in each world, up to the first decision
    while some leaf is ASKED:
        observe_asked(...)              # the observations of those who decide
        step_asked(...)                 # their actions, up to the next decision
    write_returns(...)                  # the return of every leaf

Decisions with one legal action are taken at once: agents are asked about real choices only.
"""

import numpy as np

from uno_env.engine.jit import jit, jit_entry
from uno_env.engine.lowlevel.bits import lowest_bit, popcount
from uno_env.engine.lowlevel.copy_game import copy_game
from uno_env.engine.mechanics.seats import partner_of
from uno_env.engine.observation.encode import write_mask, write_observation
from uno_env.engine.step import step
from uno_env.engine.tables import LEGAL_WORDS, P_PLAY

from .returns import rollout_return
from .sample_world import make_world
from .search import ROOT, WORLD

ENDED, ASKED, VALUED = range(3)
"""A rollout that is over or cut, one that waits for a decision, one cut for a value network."""
MAX_WAIT = 64
"""Decisions that a rollout waits for one of our side, before it is cut all the same."""


@jit_entry("batched search")
def start_rollouts(
    games, rules, logs, scratch, seat, knows_all, candidates, first, last, key, depth, by_value,
    leaves, made, status,
):  # fmt: skip
    """Play each candidate in each of the worlds `first` to `last`, up to the next decision.

    Worlds are those of `kernels.search.simulate`; the leaf of candidate i in the k-th world is
    number k * len(candidates) + i.

    Args:
        by_value: cut rollouts where a value network can judge them.
        leaves: written; a record for each simulation.
        made, status: written; decisions made in each leaf, and how it stands.
    """
    root = games[ROOT]
    r = rules[root.rule]
    n = 0
    for number in range(first, last):
        make_world(games, r, scratch[0], seat, knows_all, key, number)
        for i in range(candidates.shape[0]):
            copy_game(leaves[n], games[WORLD])
            step(leaves[n], r, logs[0], candidates[i])
            made[n] = 0
            status[n] = _run_on(leaves[n], r, logs[0], seat, depth, by_value, made, n)
            n += 1


@jit_entry("batched search: observations")
def observe_asked(leaves, rules, rows, seat, obs_words, mask_words, is_own):
    """Write observation and mask of the seat to act in some leaves, and whether it is our side."""
    for i in range(rows.shape[0]):
        s = leaves[rows[i]]
        r = rules[s.rule]
        write_observation(s, r, s.actor, obs_words[i])
        write_mask(s, mask_words[i])
        is_own[i] = _is_own(s, r, seat)


@jit_entry("batched search: steps")
def step_asked(leaves, rules, logs, rows, actions, seat, depth, by_value, made, status):
    """Take these actions in some leaves, and play on to the next decision."""
    for i in range(rows.shape[0]):
        n = rows[i]
        s = leaves[n]
        r = rules[s.rule]
        step(s, r, logs[0], actions[i])
        made[n] += 1
        status[n] = _run_on(s, r, logs[0], seat, depth, by_value, made, n)


@jit_entry("batched search: returns")
def write_returns(leaves, rules, scratch, count, seat, is_match, coefficients, returns):
    """The return of each leaf by its outcome, or by the linear value function if it was cut."""
    for n in range(count):
        s = leaves[n]
        returns[n] = rollout_return(s, rules[s.rule], seat, is_match, coefficients, scratch[0])


@jit
def _run_on(s, r, log, seat, depth, by_value, made, n):
    """Take forced actions up to a decision, the end or the cut; how the leaf stands."""
    while not s.finished:
        forced = _count_legal(s) == 1
        if made[n] >= depth:
            if by_value:
                if not forced and _is_own(s, r, seat):
                    return VALUED
                if made[n] >= depth + MAX_WAIT or _is_out(s, r, seat):
                    return ENDED
            elif s.phase == P_PLAY:
                return ENDED
        if not forced:
            return ASKED
        step(s, r, log, _only_action(s))
        made[n] += 1
    return ENDED


@jit
def _is_own(s, r, seat):
    """Whether our seat, or its partner, is to act."""
    return s.actor == seat or (r.has_teams and s.actor == partner_of(s, seat))


@jit
def _is_out(s, r, seat):
    """Whether nobody of our side will decide again; in Teams a partner may."""
    return not r.has_teams and not (s.live >> seat) & 1


@jit
def _count_legal(s):
    count = np.int64(0)
    for word in range(LEGAL_WORDS):
        count += popcount(s.legal[word])
    return count


@jit
def _only_action(s):
    for word in range(LEGAL_WORDS):
        if s.legal[word]:
            return 64 * word + lowest_bit(s.legal[word])
    return np.int64(-1)
