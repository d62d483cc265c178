"""Format versions of the data that leaves the package: views, snapshots and replays.

Data without a `format` was written by hand and is read as the present one. The format before is
read too. Any other, and keys of the time before formats, are refused by name.
"""

from typing import Any

VIEW_FORMAT = "uno-view-2"
SNAPSHOT_FORMAT = "uno-snapshot-2"
REPLAY_FORMAT = "uno-replay-2"
"""Version 2 has the card and action ids of `uno_env.ACTIONS_VERSION` 2, and more keys."""

_BEFORE = {
    VIEW_FORMAT: "uno-view-1",
    SNAPSHOT_FORMAT: "uno-snapshot-1",
    REPLAY_FORMAT: "uno-replay-1",
}

# Keys from before there were formats, and what replaced them.
_OLD_KEYS = {"clockwork": "engine_state", "engine": "engine_state", "lacks": "missing_colors"}


def is_version_1(data: dict[str, Any]) -> bool:
    """Whether the data is of the first version; its replays once had a number for a format."""
    return data.get("format") in (1, *_BEFORE.values())


def check_format(data: dict[str, Any], expected: str, error: type[ValueError]) -> None:
    """Refuse data of another format."""
    found = data.get("format", expected)
    if found not in (expected, _BEFORE[expected]):
        raise error(f"format is {found!r}; this version reads {expected!r}")
    for old, new in _OLD_KEYS.items():
        if old in data:
            raise error(f"{old!r} is from before {expected!r}, where it is {new!r}")
