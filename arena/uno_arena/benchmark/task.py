"""A task of the benchmark: rules, table size, deals and opponents that are fixed for everybody.

A task never changes: another rule, deal, opponent or number is another version of it.
"""

import hashlib
import shlex
from dataclasses import dataclass

from uno_env import Rules
from uno_env.game import Episode
from uno_env.rulesets import expand_variants

from ..config import ArenaConfig, make_config
from .task_opponents import OPPONENTS

FULL, QUICK = 2000, 200
"""Deals of a run and of a quick one, which plays the first of the same deals."""
DEVELOPMENT, VERIFICATION = "development", "verification"


class TaskError(ValueError):
    """A task that does not exist."""


@dataclass(frozen=True)
class Task:
    """One game, or several by turns, at one table size.

    Args:
        name: what it is called on the command line.
        players: table size.
        rules: rules texts, or names of lists of rules; each is played.
        version: counts up when anything about the task changes.
        size: deals of a run, where they are not `FULL` and `QUICK`.
        episode: one round, or a match.
        opponents: who fills the rest of the table, one after the other.
        is_verified: whether a run plays verification deals too.
    """

    name: str
    players: int
    rules: tuple[str, ...]
    version: int = 2
    size: int | None = None
    episode: Episode = "round"
    opponents: tuple[str, ...] = OPPONENTS
    is_verified: bool = True

    @property
    def label(self) -> str:
        """Name and version, as results are filed under."""
        return f"{self.name}@{self.version}"

    @property
    def rule_texts(self) -> tuple[str, ...]:
        """Its rules, lists of rules spelt out."""
        return expand_variants(self.rules)

    @property
    def seed(self) -> int:
        """Fixes the development deals; derived from the label, so that nobody chose it."""
        return _seed(f"uno-arena task {self.label}")

    def verification_seed(self, agent_hash: str) -> int:
        """Fixes the deals of agents of these bytes: whoever tunes to them gets others."""
        return _seed(f"uno-arena verification {self.label} {agent_hash}")

    @property
    def chance(self) -> float:
        """The chance level 1/n: all rules of a task have the same number of sides."""
        return 2 / self.players if self.is_team else 1 / self.players

    @property
    def is_team(self) -> bool:
        """Whether sides are teams of two."""
        return Rules.from_text(self.rule_texts[0]).team_mode == "pairs"

    def deals(self, quick: bool) -> int:
        """Deals of each of its rules."""
        return (self.size or (QUICK if quick else FULL)) // len(self.rule_texts)

    def config(self, agent: str, quick: bool = False, agent_hash: str = "") -> ArenaConfig:
        """The tournament of one agent: alone against a table of each opponent.

        Args:
            agent: its spec.
            quick: a tenth of the deals.
            agent_hash: of the agent, for its verification deals; else development deals.
        """
        opponents = [opponent for opponent in self.opponents if opponent != agent]
        seed = self.verification_seed(agent_hash) if agent_hash else self.seed
        return make_config(
            None,
            {
                "agents": (agent, *opponents),
                "variant": self.rule_texts,
                "players": (self.players,),
                "episode": self.episode,
                "deals": self.deals(quick),
                "seed": seed,
                "schedule": "first",
            },
        )

    def tournament(self, agent: str, quick: bool = False, verification: bool = False) -> str:
        """What that tournament is called in a database."""
        which = f"{' quick' if quick else ''}{' verification' if verification else ''}"
        return f"bench {self.label}{which}: {agent}"

    def command(self, agent: str, quick: bool = False) -> str:
        """The command that plays it."""
        words = ["uno-arena", "bench", self.name, agent, *(["--quick"] if quick else [])]
        return shlex.join(words)


def _seed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
