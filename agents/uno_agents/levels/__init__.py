"""Levels for people: `level:1`, a beginner, to `level:8`, the strongest, in equal Elo steps.

Each level is data in `levels.json`: who decides (`heuristic`, a network or `search`, which play
every variant and rule), how often each slip happens (`slips.py`), and the strength that
`uno-arena calibrate-levels` measured. That command writes the file.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ..base import AgentError
from .slips import SlipRates

FILE = Path(__file__).parent / "levels.json"
NUM_LEVELS = 8


class Level(NamedTuple):
    """One level.

    Attributes:
        number: from 1 to `NUM_LEVELS`.
        base: the agent spec that decides.
        rates: how often each slip happens.
        elo: its mean rating against `heuristic`, which has 0, with a 95 % interval.
    """

    number: int
    base: str
    rates: SlipRates
    elo: float
    low: float
    high: float

    @property
    def spec(self) -> str:
        """The agent spec."""
        return f"level:{self.number}"


@lru_cache
def levels() -> tuple[Level, ...]:
    """All levels, the weakest first."""
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(
        Level(
            number,
            entry["base"],
            SlipRates.from_mapping(entry["slips"]),
            entry["elo"],
            *entry["interval"],
        )
        for number, entry in enumerate(data["levels"], 1)
    )


def level_of(argument: str) -> Level:
    """The level that `level:ARGUMENT` names."""
    if not argument.isdecimal() or not 1 <= int(argument) <= NUM_LEVELS:
        raise AgentError(
            f"there is no level {argument!r}; allowed: level:1 (beginner) to level:{NUM_LEVELS}"
        )
    return levels()[int(argument) - 1]
