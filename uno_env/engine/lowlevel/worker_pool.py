"""Threads that work on one batch over and over without Python in between.

Waking a sleeping thread takes about as long as stepping a thousand games. So after its part a
worker stays awake for a moment and watches a word in memory, in which the next piece of work is
announced. Words are numbered tickets; the lowest bits say what to do.

    box[GIVEN]         the newest ticket
    box[GIVEN + 1]     what came of the caller's own part
    box[place]         the last ticket that the worker of this place has done
    box[place + 1]     what came of it
"""

from typing import Any

from numba import types
from numba.extending import intrinsic

from ..batch import random_actions, step_batch
from ..jit import IS_COMPILED, always_inline, jit_entry

GIVEN = 0
APART = 16
"""Words between two places: each has cache lines of its own."""
STEP, CHOOSE, LEAVE = range(3)
LATE = -2
KINDS = 4

if not IS_COMPILED:

    def load(box: Any, place: int) -> int:
        """A word that another thread may write at any moment."""
        return int(box[place])

    def store(box: Any, place: int, word: int) -> None:
        """Write a word, after everything that was written before it."""
        box[place] = word

else:

    @intrinsic
    def load(typingctx: Any, box: Any, place: Any) -> Any:
        """A word that another thread may write at any moment."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            return builder.load_atomic(builder.gep(data, [args[1]]), "acquire", 8)

        return types.int64(box, types.int64), codegen

    @intrinsic
    def store(typingctx: Any, box: Any, place: Any, word: Any) -> Any:
        """Write a word, after everything that was written before it."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            builder.store_atomic(args[2], builder.gep(data, [args[1]]), "release", 8)
            return context.get_dummy_value()

        return types.none(box, types.int64, types.int64), codegen


@always_inline
def _do(
    kind, games, rules, logs, first, last, actions, words, mask, actor, done, rewards,
    reward_mode, streams,
):  # fmt: skip
    """One thread's part of a piece of work; the first index of an illegal action, -1 if none."""
    if kind == STEP:
        return step_batch(
            games, rules, logs, first, last, actions, words, mask, actor, done, rewards,
            reward_mode,
        )  # fmt: skip
    random_actions(games, first, last, streams, actions)
    return -1


@jit_entry("threads of a batch")
def work(
    box, place, patience, games, rules, logs, first, last, actions, words, mask, actor, done,
    rewards, reward_mode, streams,
):  # fmt: skip
    """Do what is given until nothing comes for a while; true if the thread is to end.

    Args:
        patience: how often the box is looked at in vain.
        games, ...: as for `step_batch`, then the streams of `random_actions`.
    """
    ticket = load(box, place)
    idle = 0
    while idle <= patience:
        given = load(box, GIVEN)
        if given == ticket:
            idle += 1
            continue
        if given % KINDS == LEAVE:
            return True
        box[place + 1] = _do(
            given % KINDS, games, rules, logs, first, last, actions, words, mask, actor, done,
            rewards, reward_mode, streams,
        )  # fmt: skip
        store(box, place, given)
        ticket = given
        idle = 0
    return False


@jit_entry("a thread's own part")
def lead(
    box, ticket, patience, games, rules, logs, first, last, actions, words, mask, actor, done,
    rewards, reward_mode, streams,
):  # fmt: skip
    """Give a ticket, do the caller's own part of it and wait for the others; see `wait`."""
    store(box, GIVEN, ticket)
    box[GIVEN + 1] = _do(
        ticket % KINDS, games, rules, logs, first, last, actions, words, mask, actor, done,
        rewards, reward_mode, streams,
    )  # fmt: skip
    return wait(box, ticket, patience)


@jit_entry("ticket")
def give(box, ticket):
    """Announce a piece of work to all who are awake."""
    store(box, GIVEN, ticket)


@jit_entry("end of work")
def wait(box, ticket, patience):
    """What came of a ticket once all have done their part; `LATE` if somebody has not yet.

    That is the first index of an illegal action, -1 if there was none. Places are looked at so
    often at most.
    """
    for place in range(APART, box.shape[0], APART):
        idle = 0
        while load(box, place) != ticket:
            idle += 1
            if idle > patience:
                return LATE
    # Parts are in the order of the games, so the first that found something found the first.
    for place in range(GIVEN, box.shape[0], APART):
        if box[place + 1] >= 0:
            return box[place + 1]
    return -1
