"""The kernel of single-learner batches: the other seats play inside, finished games are redealt.

A game stops where somebody outside must decide: its learner, or an opponent that is not compiled.
"""

import numpy as np

from .batch import MAX_IDLE, pick_legal
from .jit import jit, jit_entry
from .lowlevel.bits import below, key, splitmix64
from .mechanics.rewards import write_rewards
from .observation.encode import relative_seat, write_mask, write_observation
from .step import ILLEGAL, new_game, step, try_step

LEARNER = np.dtype(
    [(name, np.int64) for name in "seat moves waits done length sat".split()]
    + [("rng", np.uint64), ("reward", np.float64)]
)
"""One learner: its seat, its moves in this game, whom the game waits for; how the last game ended,
its length, where the learner sat in it and its reward; the generator of random opponents."""

# How a game ended: somebody won it, nobody did, or the learner chose an illegal action.
WON, VOID, FORFEITED = 1, 2, 3

# Who plays a seat, counted clockwise from the learner; from OUTSIDE on, callers' own opponents.
YOU, RANDOM, OUTSIDE = range(3)
STUCK = -1

SEATS = ("fixed", "rotate", "random")
FIXED, ROTATE, ANY_SEAT = range(3)

# What an illegal action of the learner does where the rules have no penalty for it.
RAISE, TERMINATE = range(2)

SEAT_KEY = (1 << 29) + 3


@jit_entry("learner step")
def advance(
    games, rules, logs, rows, actions, first, last, acting,
    modes, players, learners, words, mask, final_words, rewards,
):  # fmt: skip
    """Take an action in each of some games (if `acting`) and run each on to the next decision.

    `modes` are (reward, seat, illegal). Returns the first index in `rows` of an action that was
    illegal, -1 if none; such games are left as they were.
    """
    illegal = -1
    log = logs[0]
    for k in range(first, last):
        i = rows[k]
        s = games[i]
        r = rules[s.rule]
        you = learners[i]
        if acting:
            verdict = _act(s, r, log, you, actions[k], modes[2])
            if verdict == RAISE:
                if illegal < 0:
                    illegal = k
                continue
            if verdict == TERMINATE:
                _end(s, r, you, final_words[i], rewards[i], modes[0])
                you.done = FORFEITED
                _deal_next(s, r, log, you, modes[1])
        _run_on(s, r, log, you, modes, players, final_words[i], rewards[i])
        if you.waits != STUCK:
            write_observation(s, r, s.actor, words[i])
            write_mask(s, mask[i])
    return illegal


@jit
def _act(s, r, log, you, action, policy):
    """Take an action; what to do about it if it is illegal, -1 if nothing."""
    is_learner = s.actor == you.seat
    is_illegal = try_step(s, r, log, action) == ILLEGAL
    if is_illegal and (policy == RAISE or not is_learner):
        return RAISE
    if is_learner:
        you.moves += 1
    return TERMINATE if is_illegal else -1


@jit
def _run_on(s, r, log, you, modes, players, final_words, rewards):
    """Play compiled opponents and deal new games until somebody outside decides."""
    idle = 0
    while True:
        if s.finished:
            if you.moves > 0:
                _end(s, r, you, final_words, rewards, modes[0])
            elif idle == MAX_IDLE:
                you.waits = STUCK
                return
            else:
                idle += 1
            _deal_next(s, r, log, you, modes[1])
        you.waits = players[relative_seat(s, you.seat, s.actor)]
        if you.waits != RANDOM:
            return
        you.rng = splitmix64(you.rng)
        step(s, r, log, pick_legal(s, you.rng))


@jit
def _end(s, r, you, words, rewards, mode):
    """Note how a game ended for its learner, who sees the table once more."""
    write_observation(s, r, you.seat, words)
    write_rewards(s, r, mode, rewards)
    you.done = VOID if s.is_void else WON
    you.reward = rewards[you.seat]
    you.length = you.moves
    you.sat = you.seat


@jit
def _deal_next(s, r, log, you, mode):
    """The next game, and the learner's seat in it."""
    new_game(s, r, log, s.rule, s.num_players, splitmix64(s.seed), s.match)
    you.moves = 0
    you.seat = _next_seat(s, you.seat, mode)


@jit
def _next_seat(s, seat, mode):
    """The learner's next seat; a random one depends only on the game's seed."""
    if mode == FIXED:
        return seat
    if mode == ROTATE:
        return seat + 1 if seat + 1 < s.num_players else 0
    return below(key(s.seed, 0, SEAT_KEY), s.num_players)
