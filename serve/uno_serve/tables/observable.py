"""Observable: tasks that wait for a change of a table, and the events that wake them."""

import asyncio


class Observable:
    """Wakes its subscribers at every change.

    Attributes:
        public_version: grows with every change that everybody may know.
        is_stale: the store has newer data, so streams have to reconnect.
    """

    def __init__(self) -> None:
        self.public_version = 0
        self.is_stale = False
        self._subscribers: set[asyncio.Event] = set()

    def subscribe(self, changed: asyncio.Event) -> None:
        """Set this event at every change."""
        self._subscribers.add(changed)

    def unsubscribe(self, changed: asyncio.Event) -> None:
        """Set it no more."""
        self._subscribers.discard(changed)

    def notify(self) -> None:
        """Wake all subscribers."""
        for changed in self._subscribers:
            changed.set()

    def public_change(self) -> None:
        """Something changed that everybody may know: presence, a wish for a rematch."""
        self.public_version += 1
        self.notify()

    def invalidate(self) -> None:
        """Have everybody reconnect."""
        self.is_stale = True
        self.notify()
