"""A worker process, `python -m uno_arena.play.worker PULSE`, fed with pickled jobs on stdin.

It answers on what was its standard output; what agents print goes to standard error instead.
"""

import contextlib
import mmap
import os
import pickle
import queue
import signal
import sys
import threading
import time
from typing import BinaryIO

from uno_agents.base import AgentError

from .chunk import ChunkSpec
from .entrants import AgentLike, CheckJob, check
from .heartbeat import BUILDING, Pulse
from .play_chunk import play_chunk
from .single import play_rows


def main(path: str) -> None:
    """Work until standard input ends."""
    # Ctrl-C reaches every process of the terminal; who started this one decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    jobs: queue.SimpleQueue[object] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        # Nobody opens it again, so that nothing is left behind however this ends.
        with contextlib.suppress(OSError):
            os.unlink(path)
        pulse = Pulse(memory)
        while True:
            job = jobs.get()
            match job:
                case ChunkSpec():
                    _play(job, pulse, answers)
                case CheckJob():
                    _check(job, pulse, answers)


def _listen(jobs: "queue.SimpleQueue[object]") -> None:
    """Hand on jobs; once nobody can send any more, end even if an agent hangs."""
    while True:
        try:
            jobs.put(pickle.load(sys.stdin.buffer))  # noqa: S301 - our own parent writes it
        except (EOFError, OSError):
            os._exit(0)


def _play(spec: ChunkSpec, pulse: Pulse, answers: BinaryIO) -> None:
    if spec.is_batch:
        _send(answers, play_chunk(spec, pulse))
        return
    started = time.perf_counter()
    for row in play_rows(spec, pulse):
        pulse.rests()
        _send(answers, row)
    _send(answers, time.perf_counter() - started)


def _check(job: CheckJob, pulse: Pulse, answers: BinaryIO) -> None:
    pulse.asks(BUILDING, job.number, job.allowance)
    answer = _form_or_error(job.agent)
    pulse.rests()
    _send(answers, answer)


def _form_or_error(agent: AgentLike) -> object:
    try:
        return check(agent)
    except AgentError as error:
        return AgentError(str(error))


def _send(answers: BinaryIO, message: object) -> None:
    try:
        pickle.dump(message, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
