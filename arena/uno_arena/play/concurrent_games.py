"""Games played at the same time, one thread each, for agents that decide for several at once.

A language model answers after seconds, and many questions at a time as fast as one. Every thread
has a heartbeat of its own; a game whose agent takes too long is forfeited and its thread abandoned.
Rows come out in the order of the games.
"""

import queue
import threading
import time
from collections.abc import Iterator

from .chunk import GameRow
from .heartbeat import CONCURRENT, Heartbeat
from .one_game import play_game, stopped_row
from .timed_agents import AgentPool, GameAgents, timeout_reason

POLL_SECONDS = 0.05
GRACE_SECONDS = 0.5
"""A move that is a little late is judged by its own thread, which measures the time exactly."""


class _GameThread:
    """One game in a thread, and how long its agent has been thinking."""

    def __init__(self, pool: AgentPool, number: int, finished: "_Finished") -> None:
        self.pool, self.number = pool, number
        self.heartbeat = Heartbeat()
        self._finished = finished
        self._beat, self._since = 0, time.monotonic()
        threading.Thread(target=self._play, daemon=True).start()

    def _play(self) -> None:
        agents = GameAgents(self.pool, self.number, self.heartbeat)
        try:
            row = play_game(self.pool.spec, agents, self.number, self.heartbeat)
        except BaseException as error:  # an error of ours, to be raised where the chunk is played
            self._finished.put((self, error))
            return
        agents.close()
        self._finished.put((self, row))

    def row_if_late(self) -> GameRow | None:
        """The forfeited game, if its agent has taken longer than allowed."""
        state, now = self.heartbeat.read(), time.monotonic()
        if state.beat != self._beat:
            self._beat, self._since = state.beat, now
        if not state.time_limit or now - self._since <= state.time_limit + GRACE_SECONDS:
            return None
        reason = timeout_reason(state.time_limit)
        return stopped_row(self.pool.spec, self.number, None, state.actions, reason)


_Finished = queue.SimpleQueue[tuple[_GameThread, GameRow | BaseException]]


def play_concurrently(pool: AgentPool, heartbeat: Heartbeat) -> Iterator[GameRow]:
    """Play the games of a chunk, as many at the same time as its agents allow."""
    spec = pool.spec
    finished: _Finished = queue.SimpleQueue()
    running: set[_GameThread] = set()
    rows: dict[int, GameRow] = {}
    waiting = iter(range(spec.first_game, spec.num_games))
    # Only a process that is stopped as a whole makes no beat for so long.
    limit = max(spec.move_timeout, spec.start_timeout) if spec.move_timeout else 0.0
    for number in range(spec.first_game, spec.num_games):
        while number not in rows:
            while len(running) < pool.games_at_once and (new := next(waiting, None)) is not None:
                running.add(_GameThread(pool, new, finished))
            heartbeat.calling(CONCURRENT, spec.concurrent[0], limit)
            _collect(finished, running, rows)
            for game in list(running):
                late = game.row_if_late()
                if late is not None:
                    running.remove(game)
                    rows[game.number] = late
        yield rows.pop(number)


def _collect(
    finished: "_Finished", running: set[_GameThread], rows: dict[int, GameRow]
) -> None:  # fmt: skip
    """Take the games that have ended, after waiting a moment for one."""
    try:
        game, row = finished.get(timeout=POLL_SECONDS)
    except queue.Empty:
        return
    if game not in running:
        return  # given up before
    running.remove(game)
    if isinstance(row, BaseException):
        raise row
    rows[game.number] = row
