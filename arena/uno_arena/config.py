"""ArenaConfig: everything the results of a tournament depend on, typed and checked.

The same fields are the keys of a YAML file in `configs/arena`, the flags of `uno-arena`, the
keywords of `uno_arena.tournament` and the JSON in the database. Precedence: default, then file,
then command line.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from uno_env import Rules
from uno_env.envs.options import table_size
from uno_env.game import Episode
from uno_env.rules.text import explain, read_yaml
from uno_env.rulesets import expand_variants
from uno_env.shipped_files import file_names, named_or_path, shipped_folder

from .stats.sequential import ConfidenceSequence, Sprt, StoppingRule

Schedule = Literal["pairs", "first", "mixed"]

BATCH_DEALS = 250
SINGLE_DEALS = 5


class ConfigError(ValueError):
    """An unknown option, or a value that is not allowed."""


class TableConfig(NamedTuple):
    """Rules and table size of some match-ups of a tournament."""

    rules: Rules
    num_players: int


def _option(default: Any, text: str, **limits: Any) -> Any:
    return Field(default, description=text, **limits)


class ArenaConfig(BaseModel):
    """Who plays what, how often, and when it is enough."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    agents: tuple[str, ...] = _option((), "agent specs, two or more")
    variant: tuple[str, ...] = _option(
        ("classic",),
        "presets, rules texts, YAML files of rules or lists (ruleset:values/test); each is played",
        min_length=1,
    )
    players: tuple[int, ...] = _option(
        (), "table sizes; each is played (the variant's usual one if left out)"
    )
    episode: Episode = _option("round", "round, or match: rounds until the match target")
    deals: int = _option(
        1000,
        "duplicate deals of each match-up, each played from every side",
        ge=2,
        le=100_000_000,
    )
    seed: int = _option(0, "fixes the cards and seeds the agents", ge=0, lt=2**63)
    schedule: Schedule = _option(
        "pairs",
        "pairs: each agent alone against a table of each other; first: only the first agent is "
        "alone; mixed: different agents share tables",
    )
    until_clear: bool = _option(
        False, "end a match-up once it is clear who is better; deals is then the maximum"
    )
    sprt: tuple[float, float] | None = _option(
        None, "end a match-up by a sequential test between these two Elo differences"
    )
    alpha: float = _option(
        0.05, "error rate of early stops, over all match-ups together", gt=0, lt=0.5
    )
    move_timeout: float = _option(
        10.0, "seconds for a move of an agent that is called move by move; 0 for no limit", ge=0
    )
    start_timeout: float = _option(
        120.0, "seconds for building an agent, and for its first move", gt=0
    )
    chunk: int | None = _option(
        None,
        f"deals played between two savings ({BATCH_DEALS} if all agents of a match-up play "
        f"batches, else {SINGLE_DEALS})",
        ge=1,
        le=10_000,
    )

    @field_validator("agents", "variant", mode="before")
    @classmethod
    def _one_is_a_list(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value

    @field_validator("players", mode="before")
    @classmethod
    def _one_size_is_a_list(cls, value: Any) -> Any:
        return () if value is None else (value,) if isinstance(value, (int, str)) else value

    @field_validator("variant")
    @classmethod
    def _canonical(cls, variant: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(rules_of(text).text() for text in expand_variants(variant))

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if len(self.agents) < 2:
            raise ValueError(f"agents are {list(self.agents)}; two or more are needed")
        if self.until_clear and self.sprt:
            raise ValueError("until_clear and sprt both end match-ups; choose one")
        if self.sprt and self.sprt[0] >= self.sprt[1]:
            raise ValueError(f"sprt is {self.sprt}; the first Elo difference must be the smaller")
        if (self.until_clear or self.sprt) and self.schedule == "mixed":
            raise ValueError("a mixed schedule has no focal agent whose result could become clear")
        self.table_configs()
        return self

    def table_configs(self) -> list[TableConfig]:
        """Every combination of rules and table size, checked."""
        chosen = [Rules.from_text(text) for text in self.variant]
        return [
            TableConfig(rules, table_size(rules, size))
            for rules in chosen
            for size in self.players or (None,)
        ]  # fmt: skip

    def stopping_rule(self, sides: int, num_matchups: int) -> StoppingRule | None:
        """What ends a match-up before its last deal, if anything does."""
        alpha, chance = self.alpha / num_matchups, 1 / sides
        if self.sprt:
            return Sprt.from_elo(*self.sprt, chance, alpha, alpha)
        if self.until_clear:
            return ConfidenceSequence(chance, alpha, self.deals)
        return None

    def chunk_deals(self, is_batch: bool) -> int:
        """Deals of one chunk."""
        return self.chunk or (BATCH_DEALS if is_batch else SINGLE_DEALS)

    def identity(self, names: Iterable[str]) -> str:
        """A short name that is the same only for equal configurations of agents named alike."""
        text = json.dumps([self.model_dump(mode="json"), list(names)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:10]


def rules_of(text: str) -> Rules:
    """Rules by their text, or from a YAML file of house rules."""
    is_file = Path(text).suffix in (".yaml", ".yml")
    return Rules.from_file(text) if is_file else Rules.from_text(text)


def shipped_configs() -> list[str]:
    """Names of the configurations that come with the package."""
    return file_names(_config_folder(), ".yaml")


def _config_folder() -> Path:
    return shipped_folder("uno_arena", "configs", "configs/arena")


def make_config(source: str | Path | None, given: dict[str, Any]) -> ArenaConfig:
    """The config of a YAML file, if any, with `given` over it.

    Args:
        source: a shipped configuration by its name, such as `baselines`, or the path of a file.
        given: fields that override those of the file.
    """
    fields: dict[str, Any] = {}
    if source:
        try:
            source = named_or_path(source, _config_folder(), ".yaml")
        except ValueError as error:
            raise ConfigError(f"--config: {error}") from None
        fields = read_yaml(source, ConfigError)
    for origin, keys in ((f"{source}: ", fields), ("", given)):
        for key in keys:
            if key not in ArenaConfig.model_fields:
                allowed = ", ".join(ArenaConfig.model_fields)
                raise ConfigError(f"{origin}unknown key {key!r}; allowed: {allowed}")
    try:
        return ArenaConfig(**(fields | given))
    except ValidationError as error:
        raise ConfigError(explain(error)) from None


def differences(ours: dict[str, Any], stored: dict[str, Any]) -> list[str]:
    """In words, where two configurations differ."""
    return [
        f"{key} is {ours.get(key)!r}, was {stored.get(key)!r}"
        for key in sorted(ours.keys() | stored.keys())
        if ours.get(key) != stored.get(key)
    ]
