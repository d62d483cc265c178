"""The names under which a server may be called, from the header `Host`."""

from collections.abc import Iterable

from ..errors import ApiError


class HostAllowList:
    """Refuses requests for other names, such as those of a rebound DNS entry.

    Args:
        names: exact names, or `*.example.org` for all names below one; empty for any name.
    """

    def __init__(self, names: Iterable[str]) -> None:
        lowered = [name.lower() for name in names]
        self._exact = {name for name in lowered if not name.startswith("*.")}
        self._endings = tuple(name[1:] for name in lowered if name.startswith("*."))
        self._allows_any = not lowered or "*" in lowered

    def allows(self, host: bytes) -> bool:
        """Whether a request with this header is served."""
        if self._allows_any:
            return True
        name = _without_port(host.decode("latin-1").lower())
        return name in self._exact or name.endswith(self._endings)

    def check(self, host: bytes) -> None:
        """Raise unless a request with this header is served."""
        if not self.allows(host):
            raise ApiError("wrong_host", "this server is not known by that name")


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
