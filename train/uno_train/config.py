"""TrainConfig: everything a training run depends on, typed and checked.

The same fields are the keys of a YAML file in `configs/train`, the flags of `uno-train`, and the
JSON beside every result. Precedence: default, then file, then command line.
"""

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from uno_agents.field import FIELD_VERSION, expand_field, field_version

from uno_env import Rules
from uno_env.envs.options import table_size
from uno_env.rules.text import explain, read_yaml
from uno_env.rulesets import expand_variants, held_out
from uno_env.shipped_files import file_names, named_or_path, shipped_folder

from .opponent_shares import read_shares
from .renamed_keys import RENAMED, refuse_old_keys
from .tables import TableConfig, table_configs

NUMBERS = 10
CERTAIN = 0.9
"""Probability of its action from which on a learner counts as certain (`distill_certain`)."""
DEVICES = r"^(auto|cpu|cuda(:\d{1,3})?|mps)$"


class ConfigError(ValueError):
    """An unknown option, or a value that is not allowed."""


def _option(default: Any, text: str, **limits: Any) -> Any:
    return Field(default, description=text, **limits)


class TrainConfig(BaseModel):
    """What is trained, on which game, for how long."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    variant: tuple[str, ...] = _option(
        ("classic",),
        "presets, rules texts or lists of rules (ruleset:values/train) to train on",
        min_length=1,
    )
    players: tuple[int, ...] = _option(
        (), "table sizes for each variant that allows them; named twice, played twice as often"
    )
    mixes: int = _option(0, "random rule mixes to train on as well", ge=0, le=10_000)
    mix_exclude: tuple[str, ...] = _option(
        (),
        "what no mix may have: rule=value, deck.KIND, several joined by +, or ruleset:SPLIT for "
        "all that a split holds out",
    )
    mix_require: tuple[str, ...] = _option(
        (), "what every mix must have, written as in mix_exclude: team_mode=pairs, deck.KIND"
    )
    mix_popular: float = _option(
        1.0,
        "how many times as often a mix replaces a rule that people change most, such as stacking "
        "or jump_in",
        gt=0,
        le=100,
    )
    mix_changes: int = _option(12, "rules that a mix replaces, at most", ge=1, le=100)
    mix_share: float = _option(0.5, "approximate share of games played with them", gt=0, lt=1)
    seed: int = _option(0, "fixes deals, initial weights and exploration", ge=0)
    minutes: float = _option(3.0, "time limit of training; 0 for none", ge=0)
    decisions: int = _option(0, "stop after so many decisions of the learner; 0 for never", ge=0)
    threads: int = _option(2, "cores for the network and the games", ge=1, le=64)
    device: str = _option("auto", "auto, cpu, cuda, cuda:N or mps", pattern=DEVICES)
    reward: Literal["win", "points"] = _option(
        "win", "win: +1 and shared losses; points: the score of the rules, scaled"
    )
    init_from: str = _option(
        "", "start from the weights of this agent: pretrained:NAME or a checkpoint folder"
    )
    network: str = _option("", "a network of your own, file.py:Class; see docs/training.md")

    opponents: dict[str, float] = _option(
        {},
        "agents to train against, with their shares of the games"
        " (heuristic=0.3,pretrained:classic=0.1); field:1 divides its share among the members of"
        " the field; the rest is self-play",
    )
    pfsp_power: float = _option(
        0.0,
        "prioritised opponents: draw those more often that the learner does badly against, by"
        " (1 - score) to this power; 0 keeps their shares",
        ge=0,
        le=10,
    )
    opponent_pool_share: float = _option(
        0.0, "share of games against snapshots of the learner", ge=0, le=1
    )
    snapshot_every: int = _option(10, "iterations between two snapshots for the pool", ge=1)
    imitation_teacher: str = _option("", "agent to imitate first (behaviour cloning): heuristic")
    imitation_decisions: int = _option(1_000_000, "decisions of the imitation stage", ge=0)
    imitation_minibatch: int = _option(512, "minibatch size of imitation", ge=1)
    imitation_learning_rate: float = _option(
        2e-3, "initial learning rate of the imitation stage", gt=0
    )
    imitation_coef: float = _option(
        0.0, "coefficient of the imitation loss during PPO; decays to 0", ge=0
    )

    distill_until: float = _option(
        0.0, "fraction of the run at which search distillation ends; 0 for none", ge=0, le=1
    )
    distill_from: tuple[str, ...] = _option(
        (),
        "trained agents whose policies are the labels, instead of search, at the tables of the "
        "rule set each was trained for (policy distillation)",
    )
    distill_share: float = _option(
        0.2, "share of decisions that are labelled; those with many actions more often", gt=0, le=1
    )
    distill_certain: float = _option(
        1.0,
        "factor of that share for decisions whose most probable action has probability 1; it"
        f" rises to 1 where that probability is {CERTAIN} or less",
        gt=0,
        le=1,
    )
    distill_sims: int = _option(
        64, "search simulations per labelled decision, at least 8 per action", ge=2, le=1 << 16
    )
    distill_epochs: int = _option(2, "epochs over each batch of labelled decisions", ge=1)
    distill_replay: int = _option(
        1, "rollouts whose labelled decisions are kept and learned from again", ge=1, le=1000
    )
    distill_minibatch: int = _option(512, "minibatch size of distillation", ge=1)
    distill_learning_rate: float = _option(
        1e-3, "initial learning rate of the distillation stage", gt=0
    )
    distill_rollout: str = _option(
        "heuristic",
        "agent that plays the rollouts of the labels; learner: the network itself (expert "
        "iteration)",
    )
    distill_opponents: str = _option(
        "", "agent that plays the other seats in them; as distill_rollout if empty"
    )
    distill_leaf: Literal["linear", "value"] = _option(
        "linear", "what values a cut rollout: the linear function of all hands, or the learner"
    )
    distill_depth: int = _option(
        0,
        "decisions after which the rollouts of labels are cut; 0: ten and one for each seat",
        ge=0,
    )
    distill_temperature: float = _option(
        0.3, "temperature of the policy that search values are distilled into", gt=0
    )
    distill_teacher_margin: float = _option(
        0.2, "bonus on the search value of imitation_teacher's action", ge=0
    )

    heuristic_prior: float = _option(
        0.0, "logit bonus of heuristic's action; needs imitation_teacher: heuristic", ge=0
    )

    num_envs: int = _option(1024, "games played in parallel", ge=1)
    rollout_steps: int = _option(64, "decisions per game in one rollout", ge=2)
    epochs: int = _option(2, "PPO epochs over each rollout", ge=1)
    minibatch: int = _option(4096, "minibatch size of PPO", ge=1)
    shards: int = _option(
        0, "parts of the games that nodes of a cluster play; 0: all in this process", ge=0
    )
    lag: int = _option(
        1,
        "policy lag: iterations that a cluster's rollouts may be behind; 0 for synchronous",
        ge=0,
        le=8,
    )
    learners: int = _option(
        1, "data-parallel learner processes of a cluster; 1: the run's own process", ge=1
    )
    max_steps: int = _option(
        2000, "decisions after which a game is truncated, a loss for all", ge=10
    )

    hidden: tuple[int, ...] = _option((256, 256), "widths of the hidden layers", min_length=1)
    critic: Literal["own", "all_hands"] = _option(
        "own", "values of the rollouts: by the network's value head, or by one that sees all hands"
    )
    share_number_weights: bool = _option(True, "share weights across number cards")
    tactical_units: bool = _option(
        False,
        "let units of the first layer begin as detectors of who can win, answer a penalty or be"
        " eliminated; not with share_number_weights",
    )
    seats_by_turn: bool = _option(True, "read seats in the order of turn instead of clockwise")
    learning_rate: float = _option(1e-3, "initial learning rate of PPO (Adam)", gt=0)
    final_learning_rate: float = _option(1e-4, "final learning rate of PPO", gt=0)
    entropy_coef: float = _option(0.01, "initial entropy coefficient", ge=0)
    final_entropy_coef: float = _option(0.002, "final entropy coefficient", ge=0)
    gae_lambda: float = _option(0.98, "lambda of generalised advantage estimation", ge=0, le=1)
    clip_range: float = _option(0.2, "PPO clip range of the probability ratio", gt=0)
    value_coef: float = _option(0.5, "coefficient of the value loss", ge=0)
    max_grad_norm: float = _option(0.5, "gradients are clipped to this norm", gt=0)
    average_decay: float = _option(
        0.0,
        "decay, per gradient step, of a moving average of the weights, which is then evaluated and"
        " saved instead of the last weights; 0 for none",
        ge=0,
        lt=1,
    )

    anchors: tuple[str, ...] = _option(
        ("greedy", "heuristic"), "opponents of every evaluation", min_length=1
    )
    eval_every: float = _option(30.0, "seconds between two evaluations while training", gt=0)
    eval_decisions: int = _option(
        0,
        "decisions between two evaluations instead, which can be repeated; 0: by eval_every",
        ge=0,
    )
    curve_deals: int = _option(500, "deals of such an evaluation, per anchor", ge=2)
    patience: int = _option(0, "stop after so many evaluations without a new best; 0: never", ge=0)
    save_every: float = _option(20.0, "seconds between two checkpoints; 0: every iteration", ge=0)
    eval_deals: int = _option(4000, "deals of the final evaluation, per anchor", ge=2)
    eval_field: str = _option("field:1", "field of the final evaluation; empty for none")

    @field_validator(
        "variant", "anchors", "mix_exclude", "mix_require", "distill_from", mode="before"
    )
    @classmethod
    def _words(cls, given: Any) -> Any:
        return (given,) if isinstance(given, str) else given

    @field_validator("variant")
    @classmethod
    def _from_files(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        # As text, so that what is saved with a run does not depend on the file.
        return tuple(_rules_text(text) for text in given)

    @field_validator("eval_field")
    @classmethod
    def _known_field(cls, given: str) -> str:
        if given and field_version(given) is None:
            raise ValueError(f"{given!r} is no field; field:{FIELD_VERSION} is one")
        return given

    @field_validator("players", mode="before")
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
        shares = [self.opponent_pool_share, *self.opponents.values()]
        if min(shares) < 0 or sum(shares) > 1 + 1e-9:
            raise ValueError(
                f"opponent_pool_share and the shares of opponents are {shares}; 0 to 1 in all"
            )
        if self.imitation_coef and not self.imitation_teacher:
            raise ValueError("imitation_coef needs imitation_teacher, which names the teacher")
        if self.heuristic_prior and self.imitation_teacher != "heuristic":
            raise ValueError("heuristic_prior needs imitation_teacher: heuristic")
        if self.heuristic_prior and any(t.rules.team_mode == "pairs" for t in self.tables()):
            raise ValueError("heuristic_prior is not for Teams: it made networks weaker there")
        tables = len(self.tables())
        if self.share_number_weights and min(self.hidden) < 2 * NUMBERS:
            raise ValueError(
                f"hidden is {self.hidden}; with share_number_weights each is at least {2 * NUMBERS}"
            )
        if self.tactical_units and (self.share_number_weights or self.network):
            raise ValueError("tactical_units needs share_number_weights: false, and no network")
        if self.network and (self.heuristic_prior or self.init_from):
            raise ValueError("network cannot be combined with heuristic_prior or init_from")
        if self.critic != "own" and self.shards:
            raise ValueError("critic: all_hands is for runs in one process; set shards to 0")
        if self.learners > min(self.minibatch, self.imitation_minibatch) // 2:
            raise ValueError(f"learners is {self.learners}; each needs a share of every minibatch")
        games = self.num_envs // max(1, self.shards)
        if tables > games:
            shards = f" in {self.shards} shards" if self.shards else ""
            raise ValueError(
                f"num_envs is {self.num_envs}{shards}; there are {tables} tables to play at"
            )
        return self

    def own_tables(self) -> list[TableConfig]:
        """The tables of the variants and sizes asked for, each once; evaluations use these."""
        return list(dict.fromkeys(self._named_tables()))

    def tables(self) -> list[TableConfig]:
        """All tables of the rollouts, as often as they are named, random mixes included."""
        from .rule_mixes import random_mixes

        named = self._named_tables()
        mixes = random_mixes(
            self.mixes,
            self.seed,
            held_out(self.mix_exclude),
            held_out(self.mix_require),
            self.mix_popular,
            self.mix_changes,
        )
        times = len(mixes) * (1 - self.mix_share) / self.mix_share / len(named)
        return named * max(1, round(times)) + mixes

    def _named_tables(self) -> list[TableConfig]:
        rule_sets = [Rules.from_text(text) for text in expand_variants(self.variant)]
        if not self.players:
            return [TableConfig(rules, table_size(rules, None)) for rules in rule_sets]
        return table_configs(rule_sets, self.players)

    @property
    def label_margin(self) -> float:
        """Bonus on the search value of the teacher's action; a heuristic prior is one already."""
        has_teacher = self.imitation_teacher and not self.heuristic_prior
        return self.distill_teacher_margin if has_teacher else 0.0

    def batch_anchors(self) -> list[str]:
        """The anchors, members in place of a field."""
        variants = {table.rules.variant for table in self.own_tables()}
        return expand_field(self.anchors, variants, batch_only=True)

    def agent_spec(self, folder: Path) -> str:
        """The spec of a checkpoint of this run."""
        return f"{folder}:network={self.network}" if self.network else str(folder)

    def batch_opponents(self) -> dict[str, float]:
        """The opponents with their shares, members in place of a field."""
        variants = {table.rules.variant for table in self.own_tables()}
        shares: dict[str, float] = {}
        for spec, share in self.opponents.items():
            members = expand_field([spec], variants, batch_only=True)
            for member in members:
                shares[member] = shares.get(member, 0.0) + share / len(members)
        return shares

    def chosen_device(self) -> str:
        """The device as torch names it; an error if there is none of that kind here."""
        import torch

        gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
        if self.device == "auto":
            return "cuda" if gpus else "cpu"
        number = int(self.device.partition(":")[2] or 0)
        if self.device.startswith("cuda") and number >= gpus:
            found = f"torch sees {gpus} CUDA devices here" if gpus else "torch sees no CUDA device"
            raise ConfigError(f"device is {self.device}, but {found}; try --device cpu")
        if self.device == "mps" and not torch.backends.mps.is_available():
            raise ConfigError("device is mps, but torch sees no Apple GPU here; try --device cpu")
        return self.device


def _rules_text(text: str) -> str:
    """The rules text of a YAML file; other texts as they are."""
    is_file = Path(text).suffix in (".yaml", ".yml")
    return Rules.from_file(text).text() if is_file else text


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
    try:
        refuse_old_keys(fields, path, RENAMED)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    for key in fields:
        if key not in TrainConfig.model_fields:
            raise ConfigError(
                f"{path}: unknown key {key!r}; allowed: {', '.join(TrainConfig.model_fields)}"
            )
    try:
        return TrainConfig(**(fields | flags))
    except ValidationError as error:
        raise ConfigError(explain(error)) from None
