"""TrainConfig: everything a training run depends on, typed and checked.

The same fields are the keys of a YAML file in `configs/train`, the flags of `uno-train`, and the
JSON beside every result. Precedence: default, then file, then command line.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from uno_env import Rules
from uno_env.envs.options import table_size
from uno_env.rules.text import explain, read_yaml
from uno_env.shipped_files import file_names, named_or_path, shipped_folder

from .tables import Table, every_table

NUMBERS = 10


class ConfigError(ValueError):
    """An unknown option, or a value that is not allowed."""


def _option(default: Any, text: str, **limits: Any) -> Any:
    return Field(default, description=text, **limits)


class TrainConfig(BaseModel):
    """What is trained, on which game, for how long."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    variant: tuple[str, ...] = _option(
        ("classic",), "presets or rules texts to train on", min_length=1
    )
    num_players: tuple[int, ...] = _option(
        (), "table sizes for each variant that allows them; named twice, played twice as often"
    )
    mixes: int = _option(0, "random rule mixes to train on as well", ge=0, le=10_000)
    mix_share: float = _option(0.5, "about this share of the games is at them", gt=0, lt=1)
    seed: int = _option(0, "fixes deals, first weights and exploration", ge=0)
    minutes: float = _option(3.0, "stop training after this time; 0 for no limit of time", ge=0)
    decisions: int = _option(0, "stop after so many decisions of the learner; 0 for never", ge=0)
    threads: int = _option(2, "cores for the network and the games", ge=1, le=64)
    device: Literal["auto", "cpu", "cuda"] = _option("auto", "auto, cpu or cuda")

    opponents: dict[str, float] = _option(
        {},
        "agents to train against, with their shares of the games (heuristic=0.3,runs/a/best=0.1);"
        " the rest is self-play",
    )
    past: float = _option(0.0, "share of the games against past selves", ge=0, le=1)
    remember_every: int = _option(10, "rounds between two past selves remembered", ge=1)
    warm_start: str = _option("", "agent to imitate before learning by play, such as heuristic")
    warm_decisions: int = _option(1_000_000, "decisions of imitation at the start", ge=0)
    warm_minibatch: int = _option(512, "decisions in one gradient step of imitation", ge=1)
    warm_learning_rate: float = _option(2e-3, "step size of Adam at the start of imitation", gt=0)
    teacher_weight: float = _option(
        0.0, "weight of the imitated agent's advice while learning by play; falls to 0", ge=0
    )

    study_until: float = _option(
        0.0, "part of the run until which positions are studied by search; 0 for none", ge=0, le=1
    )
    study_share: float = _option(
        0.2, "share of the decisions that are studied, more of those with many actions", gt=0, le=1
    )
    study_sims: int = _option(
        64, "simulations of search for each of them, or 8 an action", ge=2, le=1 << 16
    )
    study_epochs: int = _option(2, "times each studied position is learned from", ge=1)
    study_minibatch: int = _option(512, "positions in one gradient step of study", ge=1)
    study_learning_rate: float = _option(1e-3, "step size of Adam at the start of study", gt=0)
    study_temperature: float = _option(
        0.3, "how freely an action is taken that search finds little worse", gt=0
    )
    study_trust: float = _option(
        0.2, "how much better another action must be than that of warm_start's agent", ge=0
    )

    leans: float = _option(
        0.0, "logits by which it must prefer an action to that of heuristic; needs warm_start", ge=0
    )

    num_envs: int = _option(1024, "games played at once", ge=1)
    steps: int = _option(64, "decisions taken in each game between two rounds of learning", ge=2)
    epochs: int = _option(2, "times each batch is learned from", ge=1)
    minibatch: int = _option(4096, "decisions in one gradient step", ge=1)
    shards: int = _option(
        0, "parts of the games that nodes of a cluster play; 0: all in this process", ge=0
    )
    lag: int = _option(
        1,
        "rounds of learning that a cluster's games may be behind; 0: none, nobody plays meanwhile",
        ge=0,
        le=8,
    )
    learners: int = _option(
        1, "processes of a cluster that share each gradient step; 1: the run's own process", ge=1
    )
    max_steps: int = _option(2000, "decisions after which a game is cut off, a loss for all", ge=10)

    hidden: tuple[int, ...] = _option((256, 256), "widths of the hidden layers", min_length=1)
    tie_numbers: bool = _option(True, "learn about one number card for all of them")
    learning_rate: float = _option(1e-3, "step size of Adam at the start", gt=0)
    final_learning_rate: float = _option(1e-4, "step size of Adam at the end", gt=0)
    entropy: float = _option(0.01, "weight of the entropy bonus at the start", ge=0)
    final_entropy: float = _option(0.002, "weight of the entropy bonus at the end", ge=0)
    gae_lambda: float = _option(0.98, "how far outcomes flow back (1: all the way)", ge=0, le=1)
    clip: float = _option(0.2, "largest change of an action's probability that is rewarded", gt=0)
    value_weight: float = _option(0.5, "weight of the value loss", ge=0)
    max_gradient: float = _option(0.5, "largest norm of a gradient", gt=0)

    anchors: tuple[str, ...] = _option(
        ("greedy", "heuristic"), "agents it is measured against", min_length=1
    )
    watch_every: float = _option(30.0, "seconds between two points of the learning curve", gt=0)
    watch_deals: int = _option(500, "deals of each such point, against each anchor", ge=2)
    patience: int = _option(0, "stop after so many points without a new best; 0 for never", ge=0)
    save_every: float = _option(20.0, "seconds between two checkpoints; 0: every round", ge=0)
    eval_deals: int = _option(4000, "deals of the table at the end, against each baseline", ge=2)

    @field_validator("variant", "anchors", mode="before")
    @classmethod
    def _words(cls, given: Any) -> Any:
        return (given,) if isinstance(given, str) else given

    @field_validator("num_players", mode="before")
    @classmethod
    def _numbers(cls, given: Any) -> Any:
        if given is None:
            return ()
        return (given,) if isinstance(given, (str, int)) else given

    @field_validator("opponents", mode="before")
    @classmethod
    def _shares(cls, given: Any) -> Any:
        return read_shares(given)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not self.minutes and not self.decisions:
            raise ValueError("minutes and decisions are both 0; one of them must end the run")
        shares = [self.past, *self.opponents.values()]
        if min(shares) < 0 or sum(shares) > 1 + 1e-9:
            raise ValueError(f"the shares of past and opponents are {shares}; 0 to 1 in all")
        if self.teacher_weight and not self.warm_start:
            raise ValueError("teacher_weight needs warm_start, which names the teacher")
        if self.leans and self.warm_start != "heuristic":
            raise ValueError("leans needs warm_start: heuristic, on which it leans")
        if self.leans and any(table.rules.team_mode == "pairs" for table in self.tables()):
            raise ValueError("leans is not for Teams, where networks play better by themselves")
        tables = len(self.tables())
        if self.tie_numbers and min(self.hidden) < 2 * NUMBERS:
            raise ValueError(
                f"hidden is {self.hidden}; tie_numbers needs layers of at least {2 * NUMBERS}"
            )
        if self.learners > min(self.minibatch, self.warm_minibatch) // 2:
            raise ValueError(f"learners is {self.learners}; each needs a part of every minibatch")
        games = self.num_envs // max(1, self.shards)
        if tables > games:
            shards = f" in {self.shards} shards" if self.shards else ""
            raise ValueError(
                f"num_envs is {self.num_envs}{shards}; there are {tables} tables to play at"
            )
        return self

    def own_tables(self) -> list[Table]:
        """The tables of the variants and sizes asked for, each once; those it is measured at."""
        return list(dict.fromkeys(self._named_tables()))

    def tables(self) -> list[Table]:
        """All tables it is trained at, as often as they are named, random mixes included."""
        from .rule_mixes import random_mixes

        named, mixes = self._named_tables(), random_mixes(self.mixes, self.seed)
        times = len(mixes) * (1 - self.mix_share) / self.mix_share / len(named)
        return named * max(1, round(times)) + mixes

    def _named_tables(self) -> list[Table]:
        rule_sets = [Rules.from_text(text) for text in self.variant]
        if not self.num_players:
            return [Table(rules, table_size(rules, None)) for rules in rule_sets]
        return every_table(rule_sets, self.num_players)

    def chosen_device(self) -> str:
        """`cpu` or `cuda`."""
        if self.device != "auto":
            return self.device
        import torch

        return "cuda" if torch.cuda.is_available() else "cpu"


def read_shares(given: Any) -> Any:
    """Shares of opponents from `a=0.3,b=0.1`, from `a,b` (half of the games in all), or a mapping.

    The share follows the last equals sign, since a spec may have options of its own.
    """
    if isinstance(given, Mapping):
        return given
    words = given.split(",") if isinstance(given, str) else list(given or ())
    words = [word.strip() for part in words for word in part.split(",") if word.strip()]
    named = [_share(word) for word in words]
    open_ones = [spec for spec, share in named if share is None]
    return {spec: 0.5 / len(open_ones) if share is None else share for spec, share in named}


def _share(word: str) -> tuple[str, float | None]:
    spec, equals, number = word.rpartition("=")
    try:
        return (spec, float(number)) if equals and ":" not in spec else (word, None)
    except ValueError:
        return word, None


def config_names() -> list[str]:
    """Names of the shipped configs of `uno-train`; those of `uno-train rllib` are left out."""
    return [name for name in file_names(_folder(), ".yaml") if not name.startswith("rllib")]


def config_path(config: str | Path) -> Path:
    """The file of a shipped config's name, or of a path."""
    try:
        return named_or_path(config, _folder(), ".yaml")
    except ValueError as error:
        raise ConfigError(f"config: {error}") from None


def _folder() -> Path:
    return shipped_folder("uno_train", "configs", "configs/train")


def make_config(config: str | Path | None, flags: dict[str, Any]) -> TrainConfig:
    """The config of a shipped name or a YAML file, if any, with `flags` over it."""
    path = config_path(config) if config else None
    fields = read_yaml(path, ConfigError) if path else {}
    for key in fields:
        if key not in TrainConfig.model_fields:
            raise ConfigError(
                f"{path}: unknown key {key!r}; allowed: {', '.join(TrainConfig.model_fields)}"
            )
    try:
        return TrainConfig(**(fields | flags))
    except ValidationError as error:
        raise ConfigError(explain(error)) from None
