"""A worker process, `python -m uno_arena.play.worker_main FILE`, fed with pickled jobs on stdin.

It replies on what was its standard output; what agents print goes to standard error instead.
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
from .entrants import AgentLike, CheckJob, check_agent
from .heartbeat import BUILDING, Heartbeat
from .play_chunk import chunk_agents, play_chunk, play_rows


def main(path: str) -> None:
    """Work until standard input ends."""
    # Ctrl-C reaches every process of the terminal; who started this one decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    jobs: queue.SimpleQueue[object] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        # Nobody opens it again, so that nothing is left behind however this ends.
        with contextlib.suppress(OSError):
            os.unlink(path)
        heartbeat = Heartbeat(memory)
        while True:
            job = jobs.get()
            match job:
                case ChunkSpec():
                    _play(job, heartbeat, replies)
                case CheckJob():
                    _check(job, heartbeat, replies)


def _listen(jobs: "queue.SimpleQueue[object]") -> None:
    """Hand on jobs; once nobody can send any more, end even if an agent hangs."""
    while True:
        try:
            jobs.put(pickle.load(sys.stdin.buffer))  # noqa: S301 - our own parent writes it
        except (EOFError, OSError):
            os._exit(0)


def _play(spec: ChunkSpec, heartbeat: Heartbeat, replies: BinaryIO) -> None:
    if spec.is_batch:
        _send(replies, play_chunk(spec, heartbeat))
        return
    started = time.perf_counter()
    agents = chunk_agents(spec, heartbeat)
    for row in play_rows(spec, heartbeat, agents):
        heartbeat.idle()
        if usage := agents.usage():
            _send(replies, usage)
        _send(replies, row)
    _send(replies, time.perf_counter() - started)


def _check(job: CheckJob, heartbeat: Heartbeat, replies: BinaryIO) -> None:
    heartbeat.calling(BUILDING, job.number, job.time_limit)
    interface = _interface_or_error(job.agent)
    heartbeat.idle()
    _send(replies, interface)


def _interface_or_error(agent: AgentLike) -> object:
    try:
        return check_agent(agent)
    except AgentError as error:
        return AgentError(str(error))


def _send(replies: BinaryIO, message: object) -> None:
    try:
        pickle.dump(message, replies, pickle.HIGHEST_PROTOCOL)
        replies.flush()
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
