"""A position for every decision a person can be asked for, in every variant that has it."""

from typing import NamedTuple


class Decision(NamedTuple):
    """A decision, as `positions.table_at` reaches it."""

    variant: str
    seed: int
    phase: str
    verb: str

    @property
    def name(self) -> str:
        return f"{self.phase}-{self.verb}-{self.variant}"

    @property
    def players(self) -> int:
        return 4 if self.variant == "teams" else 3


PROMPTS = [
    Decision("classic", 1, "play", "draw"),
    Decision("classic", 1, "color", "color"),
    Decision("classic", 36, "challenge", "challenge"),
    Decision("hyper_speed", 4, "play-drawn", "play"),
    Decision("classic", 286, "play-drawn", "keep"),
    Decision("classic", 468, "uno-call", "call-uno"),
    Decision("classic", 444, "uno-catch", "catch"),
    Decision("classic", 41, "opening-color", "color"),
    Decision("no_mercy", 72, "stack", "take"),
    Decision("no_mercy", 9, "roulette-color", "color"),
    Decision("no_mercy", 282, "swap-target", "target"),
    Decision("ig2000", 23, "stack", "challenge"),
    Decision("ig2000", 10, "swap-pair", "swap"),
    Decision("ig2000", 88, "opening-swap", "swap"),
    Decision("ig2000", 50, "react", "jump-in"),
    Decision("loche", 216, "react", "sum"),
    Decision("teams", 1, "pass-card", "give"),
    Decision("teams", 1, "exchange", "give"),
    Decision("teams", 7, "team-play", "play"),
    Decision("teams", 521, "give-half", "give"),
]
