"""Ownership by leases in PostgreSQL: several processes on one database, each with its tables.

A process that dies stops renewing. When its leases have ended, the others take the tables whose
games were in progress, a few at a time, and any other table when somebody asks for it.
"""

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from sqlalchemy import Connection

from ..errors import ApiError
from . import leases
from .leases import KEY_PREFIX, Claim, LeaseLost, Process
from .ownership import Adopt, Lose
from .storage import Store

_log = logging.getLogger("uno_serve.leases")
BEATS_PER_LEASE = 5
ADOPTED_AT_ONCE = 32
MAX_CACHED = 10_000
RETRY_SECONDS = 0.1
GRACE_SECONDS = 2.0
"""Besides the lease itself: until its end is noticed, and the table is loaded."""
KEY_SECONDS = 3_600.0


class LeaseOwnership:
    """The leases of this process.

    Args:
        store: the database.
        url: where other processes reach this one.
        seconds: how long a lease lasts without being renewed.
    """

    def __init__(self, store: Store, url: str, seconds: float) -> None:
        self.process = Process(secrets.token_urlsafe(12), url)
        self.secret = ""
        self.patience = seconds + GRACE_SECONDS
        self._store, self._seconds = store, seconds
        self._tokens: dict[str, int] = {}
        self._elsewhere: OrderedDict[str, Process] = OrderedDict()
        self._claiming: dict[str, asyncio.Task[Process | None]] = {}
        self._watched: dict[str, asyncio.Event] = {}
        self._renewing = asyncio.Lock()
        self._valid_until = 0.0
        self._takes_over_from = 0.0
        self._is_leaving = False
        self._beats: asyncio.Task[None] | None = None
        store.guard = self._guard

    async def open(self, lose: Lose, adopt: Adopt) -> None:
        self._lose = lose
        self.secret = await self._store.run_apart(
            lambda connection: leases.shared_secret(connection, "relay")
        )
        await self._renew()
        self._beats = asyncio.create_task(self._beat(adopt))

    # Where a table is.

    async def locate(self, table_id: str) -> Process | None:
        """The process to which requests for a table are relayed; None for this one."""
        if self._is_leaving:
            return await self._anybody_else(table_id)
        if time.monotonic() > self._valid_until:
            await self._confirm()
        if table_id in self._tokens:
            return None
        known = self._elsewhere.get(table_id)
        if known is not None:
            self._elsewhere.move_to_end(table_id)
            return known
        # One claim for all who ask at the same time.
        if table_id not in self._claiming:
            task = asyncio.create_task(self._find(table_id))
            self._claiming[table_id] = task
            task.add_done_callback(lambda _: self._claiming.pop(table_id, None))
        return await asyncio.shield(self._claiming[table_id])

    async def locate_new(self, key: str | None) -> Process | None:
        """Where a table is to be created: here, unless the key was seen elsewhere before."""
        if self._is_leaving:
            return await self._anybody_else(KEY_PREFIX + (key or ""))
        return None if key is None else await self.locate(KEY_PREFIX + key)

    async def _find(self, name: str) -> Process | None:
        end = time.monotonic() + self.patience
        while not self._is_leaving:
            takes_over = time.monotonic() >= self._takes_over_from
            found = await self._claim(name, takes_over)
            if found.token is not None and not name.startswith(KEY_PREFIX):
                self._tokens[name] = found.token
            if found.owner is not None:
                self._elsewhere[name] = found.owner
                if len(self._elsewhere) > MAX_CACHED:
                    self._elsewhere.popitem(last=False)
            if not found.is_held_up:
                return found.owner
            if time.monotonic() > end:
                raise LeaseLost
            await asyncio.sleep(RETRY_SECONDS)
        return await self._anybody_else(name)

    async def _claim(self, name: str, takes_over: bool) -> Claim:
        return await self._store.run_apart(
            lambda connection: leases.claim(connection, name, self.process, takes_over)
        )

    async def _anybody_else(self, name: str) -> Process | None:
        """Another process, for a request that arrives while this one stops."""
        me = self.process.id
        return await self._store.run_apart(
            lambda connection: leases.another_process(connection, name, me)
        )

    async def gone(self, process: Process) -> None:
        """Return when another process has lost its tables: one that is frozen, say, or cut off."""
        if process.id not in self._watched:
            self._watched[process.id] = asyncio.Event()
        await self._watched[process.id].wait()

    def forget(self, name: str) -> None:
        self._elsewhere.pop(name, None)
        self._tokens.pop(name, None)

    # Taking and giving up.

    async def create(self, table_id: str) -> None:
        if self._is_leaving:
            raise LeaseLost
        made = await self._store.run_apart(
            lambda connection: leases.create(connection, table_id, self.process)
        )
        self._tokens[table_id] = made.token or 0

    async def release(self, table_id: str) -> None:
        token = self._tokens.pop(table_id, None)
        if token is not None:
            args = (table_id, self.process.id, token)
            await self._store.run_apart(lambda connection: leases.release(connection, *args))

    def _guard(self, table_id: str) -> Callable[[Connection], None]:
        """The check that goes with every change of a table."""
        token = self._tokens.get(table_id)
        if token is None:
            raise LeaseLost
        return partial(leases.hold, name=table_id, process_id=self.process.id, token=token)

    async def leave(self) -> None:
        self._is_leaving = True
        await self.close()
        # A move that is being stored is stored, unless somebody has taken the table by then.
        await self._store.run_apart(lambda connection: leases.leave(connection, self.process.id))

    async def close(self) -> None:
        if self._beats is not None:
            self._beats.cancel()
            await asyncio.gather(self._beats, return_exceptions=True)

    # Heartbeat.

    async def _beat(self, adopt: Adopt) -> None:
        """Renew the leases of this process, and take over those that have ended."""
        keys_forgotten = time.monotonic()
        has_more = True
        while True:
            await asyncio.sleep(0 if has_more else self._seconds / BEATS_PER_LEASE)
            has_more = False
            try:
                await self._renew()
                await self._watch()
                has_more = await self._adopt_orphans(adopt)
                if time.monotonic() - keys_forgotten > KEY_SECONDS:
                    keys_forgotten = time.monotonic()
                    await self._forget_keys()
            except ApiError as error:
                # While the database was away nobody could renew: give the others time to.
                self._takes_over_from = time.monotonic() + self._seconds
                _log.warning("the leases could not be renewed: %s", error.message)

    async def _renew(self) -> None:
        # Whoever finds the leases renewed must find the lost ones dropped, too.
        async with self._renewing:
            await self._renew_alone()

    async def _renew_alone(self) -> None:
        started = time.monotonic()
        was_late = bool(self._valid_until) and started > self._valid_until
        was_alive = await self._store.run_apart(
            lambda connection: leases.renew(connection, self.process, self._seconds)
        )
        if was_late:
            self._takes_over_from = started + self._seconds
        if not was_alive:
            await self._check_tokens()
        self._valid_until = started + self._seconds

    async def _watch(self) -> None:
        """Tell those who wait for other processes that these are gone."""
        living = await self._store.run_apart(leases.live_processes) if self._watched else set()
        for process_id in [name for name in self._watched if name not in living]:
            self._watched.pop(process_id).set()

    async def _confirm(self) -> None:
        """After a long pause (of this process or the database): is what we have still ours?"""
        try:
            async with self._renewing:
                if time.monotonic() > self._valid_until:
                    await self._renew_alone()
        except ApiError:
            # Without the database nobody else can have taken anything either.
            return

    async def _check_tokens(self) -> None:
        """Give up the tables that others have taken."""
        held = await self._store.run_apart(
            lambda connection: leases.held(connection, self.process.id)
        )
        for name, token in list(self._tokens.items()):
            if held.get(name) != token:
                self._drop(name)

    def _drop(self, name: str) -> None:
        del self._tokens[name]
        _log.warning("table %s… was taken over by another process", name[:6])
        self._lose(name)

    async def _adopt_orphans(self, adopt: Adopt) -> bool:
        """Host some of the tables that were left behind; whether there may be more."""
        if time.monotonic() < self._takes_over_from:
            return False
        left = await self._store.run_apart(
            lambda connection: leases.orphans(connection, ADOPTED_AT_ONCE)
        )
        adopted = 0
        for table_id in left:
            try:
                await adopt(table_id)
                adopted += 1
            except ApiError as error:
                _log.debug("table %s… was not taken over: %s", table_id[:6], error.code)
        if adopted:
            _log.info("%d tables of processes that went away are hosted here now", adopted)
        if not left:
            await self._store.run_apart(leases.bury)
        return adopted > 0

    async def _forget_keys(self) -> None:
        before = time.time() - KEY_SECONDS
        await self._store.run_apart(lambda connection: leases.forget_keys(connection, before))
