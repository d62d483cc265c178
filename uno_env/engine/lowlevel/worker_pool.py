"""The spin-wait worker pool: threads that step one batch again and again without Python in between.

Waking a sleeping thread takes about as long as stepping a thousand games. So after its slice a
worker spins for a moment on a word in memory in which the next task is published. Tasks are
increasing numbers whose lowest bits say what to do.

    slots[TASK]        the newest task
    slots[TASK + 1]    the caller's own result
    slots[slot]        the last task that the worker of this slot has finished
    slots[slot + 1]    its result
"""

from typing import Any

from numba import types
from numba.extending import intrinsic

from ..batch import random_actions, step_batch
from ..jit import IS_COMPILED, always_inline, jit_entry

TASK = 0
SLOT_STRIDE = 16
"""Words between two slots: each has cache lines of its own."""
STEP, CHOOSE, STOP = range(3)
TASK_KINDS = 4
TIMED_OUT = -2

if not IS_COMPILED:

    def load(slots: Any, slot: int) -> int:
        """A word that another thread may write at any moment."""
        return int(slots[slot])

    def store(slots: Any, slot: int, word: int) -> None:
        """Write a word, after everything that was written before it."""
        slots[slot] = word

else:

    @intrinsic
    def load(typingctx: Any, slots: Any, slot: Any) -> Any:
        """A word that another thread may write at any moment."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            return builder.load_atomic(builder.gep(data, [args[1]]), "acquire", 8)

        return types.int64(slots, types.int64), codegen

    @intrinsic
    def store(typingctx: Any, slots: Any, slot: Any, word: Any) -> Any:
        """Write a word, after everything that was written before it."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            builder.store_atomic(args[2], builder.gep(data, [args[1]]), "release", 8)
            return context.get_dummy_value()

        return types.none(slots, types.int64, types.int64), codegen


@always_inline
def _run_slice(
    kind, games, rules, logs, first, last, actions, words, mask, actor, known_slots, done,
    rewards, reward_mode, rngs,
):  # fmt: skip
    """One thread's slice of a task; the first index of an illegal action, -1 if none."""
    if kind == STEP:
        return step_batch(
            games, rules, logs, first, last, actions, words, mask, actor, known_slots, done,
            rewards, reward_mode,
        )  # fmt: skip
    random_actions(games, first, last, rngs, actions)
    return -1


@jit_entry("threads of a batch")
def work(
    slots, slot, max_spins, games, rules, logs, first, last, actions, words, mask, actor,
    known_slots, done, rewards, reward_mode, rngs,
):  # fmt: skip
    """Run tasks until none comes for `max_spins` looks at the newest; true if the thread is to end.

    The other arguments are those of `step_batch`, then the generators of `random_actions`.
    """
    finished = load(slots, slot)
    spins = 0
    while spins <= max_spins:
        task = load(slots, TASK)
        if task == finished:
            spins += 1
            continue
        if task % TASK_KINDS == STOP:
            return True
        slots[slot + 1] = _run_slice(
            task % TASK_KINDS, games, rules, logs, first, last, actions, words, mask, actor,
            known_slots, done, rewards, reward_mode, rngs,
        )  # fmt: skip
        store(slots, slot, task)
        finished = task
        spins = 0
    return False


@jit_entry("the caller's slice of a batch")
def run_task(
    slots, task, max_spins, games, rules, logs, first, last, actions, words, mask, actor,
    known_slots, done, rewards, reward_mode, rngs,
):  # fmt: skip
    """Publish a task, run the caller's own slice of it and wait for the others; see `wait`."""
    store(slots, TASK, task)
    slots[TASK + 1] = _run_slice(
        task % TASK_KINDS, games, rules, logs, first, last, actions, words, mask, actor,
        known_slots, done, rewards, reward_mode, rngs,
    )  # fmt: skip
    return wait(slots, task, max_spins)


@jit_entry("task")
def publish(slots, task):
    """Announce a task to all workers that are awake."""
    store(slots, TASK, task)


@jit_entry("end of a task")
def wait(slots, task, max_spins):
    """The result of a task once every worker has finished its slice.

    That is the first index of an illegal action, -1 if there was none; `TIMED_OUT` if a worker has
    not finished after `max_spins` looks.
    """
    for slot in range(SLOT_STRIDE, slots.shape[0], SLOT_STRIDE):
        spins = 0
        while load(slots, slot) != task:
            spins += 1
            if spins > max_spins:
                return TIMED_OUT
    # Slices are in the order of the games, so the first that found something found the first.
    for slot in range(TASK, slots.shape[0], SLOT_STRIDE):
        if slots[slot + 1] >= 0:
            return slots[slot + 1]
    return -1
