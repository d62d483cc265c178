"""TrainConfig: everything a training run depends on, typed and checked.

The same fields are the keys of a YAML file in `configs/train`, the flags of `uno-train`, and the
JSON beside every result. Precedence: default, then file, then command line.
"""

from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from uno_env import Rules
from uno_env.options import table_size
from uno_env.rulestext import explain, read_yaml


class ConfigError(ValueError):
    """An unknown option, or a value that is not allowed."""


def _option(default: Any, text: str, **limits: Any) -> Any:
    return Field(default, description=text, **limits)


class TrainConfig(BaseModel):
    """What is trained, on which game, for how long."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # fmt: off
    variant: str = _option("classic", "preset or rules text to train on")
    num_players: int | None = _option(None, "table size (the usual one if left out)", ge=2, le=10)
    seed: int = _option(0, "fixes deals, first weights and exploration", ge=0)
    minutes: float = _option(3.0, "stop training after this time; 0 for no limit of time", ge=0)
    decisions: int = _option(0, "stop after this many decisions; 0 for no limit", ge=0)
    threads: int = _option(2, "cores for the network", ge=1, le=64)

    num_envs: int = _option(512, "games played at once", ge=1)
    steps: int = _option(32, "decisions taken in each game between two rounds of learning", ge=2)
    epochs: int = _option(1, "times each batch is learned from", ge=1)
    minibatch: int = _option(2048, "decisions in one gradient step", ge=1)
    max_steps: int = _option(2000, "decisions after which a game is cut off, a loss for all", ge=10)

    hidden: tuple[int, ...] = _option((256, 256), "widths of the hidden layers", min_length=1)
    learning_rate: float = _option(1e-3, "step size of Adam at the start", gt=0)
    final_learning_rate: float = _option(1e-4, "step size of Adam at the end", gt=0)
    entropy: float = _option(0.02, "weight of the entropy bonus at the start", ge=0)
    final_entropy: float = _option(0.002, "weight of the entropy bonus at the end", ge=0)
    gae_lambda: float = _option(0.98, "how far outcomes flow back (1: all the way)", ge=0, le=1)
    clip: float = _option(0.2, "largest change of an action's probability that is rewarded", gt=0)
    value_weight: float = _option(0.5, "weight of the value loss", ge=0)
    max_gradient: float = _option(0.5, "largest norm of a gradient", gt=0)

    watch_every: float = _option(12.0, "seconds between two points of the learning curve", gt=0)
    watch_deals: int = _option(400, "deals of each such point, against greedy", ge=2)
    eval_deals: int = _option(4000, "deals of the table at the end, against each baseline", ge=2)
    # fmt: on

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not self.minutes and not self.decisions:
            raise ValueError("minutes and decisions are both 0; one of them must end the run")
        self.table()
        return self

    def table(self) -> tuple[Rules, int]:
        """The rules as written and the table size, checked."""
        rules = Rules.from_text(self.variant)
        return rules, table_size(rules, self.num_players)

    def training_rules(self) -> Rules:
        """The rules as trained on: forced decisions are not asked, endless games are cut off."""
        return self.table()[0].replace(auto_forced=True, max_steps=self.max_steps)


def make_config(path: str | Path | None, flags: dict[str, Any]) -> TrainConfig:
    """The config of a YAML file, if any, with `flags` over it."""
    fields = read_yaml(Path(path), ConfigError) if path else {}
    for key in fields:
        if key not in TrainConfig.model_fields:
            raise ConfigError(
                f"{path}: unknown key {key!r}; allowed: {', '.join(TrainConfig.model_fields)}"
            )
    try:
        return TrainConfig(**(fields | flags))
    except ValidationError as error:
        raise ConfigError(explain(error)) from None
