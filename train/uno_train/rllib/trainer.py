"""`uno-train rllib`: masked multi-agent PPO of RLlib, by self-play and against snapshots of itself.

One module, `learner`, is trained. In a share of the games it has one seat and a snapshot has the
others; snapshots are modules too, overwritten in turn. Games are played on the vector env
(`env_runner.py`), and RLlib's module is our network (`module.py`), so the result is a checkpoint
folder that plays as an agent anywhere.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from uno_agents.neural.network import PolicyNetwork
from uno_arena.play.ray_cluster import joined

from uno_env import Rules
from uno_env.command_line import CommandParser
from uno_env.envs.options import table_size
from uno_env.rules.text import explain, read_yaml

from ..checkpoint import save_checkpoint
from ..config import ConfigError, TrainConfig, config_path
from ..renamed_keys import RENAMED_RLLIB, refuse_old_keys
from ..weight_sharing import make_network

GAE_LAMBDA = 0.98


class RllibConfig(BaseModel):
    """A run of RLlib: the keys of a file such as configs/train/rllib.yaml."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    variant: str = "classic"
    players: int | None = None
    max_steps: int = Field(2000, ge=10)
    iterations: int = Field(100, ge=1)
    hidden: tuple[int, ...] = Field((256, 256), min_length=1)
    batch: int = Field(32768, ge=1)
    minibatch: int = Field(4096, ge=1)
    epochs: int = Field(2, ge=1)
    learning_rate: float = Field(5e-4, gt=0)
    entropy_coef: float = Field(0.005, ge=0)
    opponent_pool_share: float = Field(0.3, ge=0, le=1)
    opponent_pool_size: int = Field(4, ge=1, le=64)
    snapshot_every: int = Field(5, ge=1)
    env_runners: int = Field(0, ge=0)
    envs_per_runner: int = Field(512, ge=1)
    learners: int = Field(0, ge=0)
    gpus_per_learner: float = Field(0, ge=0)
    threads: int = Field(1, ge=1)
    seed: int = Field(0, ge=0)

    @property
    def run(self) -> TrainConfig:
        """What one runner plays: its part of a batch, in steps of all its games."""
        games = max(1, self.env_runners) * self.envs_per_runner
        try:
            return TrainConfig(
                variant=(self.variant,),
                players=() if self.players is None else (self.players,),
                num_envs=self.envs_per_runner,
                rollout_steps=max(2, -(-self.batch // games)),
                max_steps=self.max_steps,
                hidden=self.hidden,
                opponent_pool_share=self.opponent_pool_share,
                gae_lambda=GAE_LAMBDA,
                threads=self.threads,
                device="cpu",
                seed=self.seed,
            )
        except ValidationError as error:
            raise ConfigError(explain(error)) from None


def read_config(config: str | Path | None, **more: Any) -> RllibConfig:
    """The config of a shipped name or a YAML file, if any, with `more` over it."""
    fields = read_yaml(config_path(config), ConfigError) if config else {}
    try:
        refuse_old_keys(fields, config, RENAMED_RLLIB)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    try:
        return RllibConfig(**(fields | more))
    except ValidationError as error:
        raise ConfigError(explain(error)) from None


def snapshot_name(number: int) -> str:
    """The module of a snapshot."""
    from .env_runner import SNAPSHOT

    return f"{SNAPSHOT}{number}"


def make_algorithm(config: RllibConfig) -> Any:
    """RLlib's PPO for a config; Ray must be connected."""
    # First of all, since they say what to install if RLlib is missing.
    from .module import MaskedPolicy, TrainBatchConnector, module_spaces
    from .env_runner import LEARNER, VecRunner  # isort: skip

    from ray.rllib.algorithms import ppo
    from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec

    run = config.run
    env_config = {"run": run.model_dump_json()}
    seen, choices = module_spaces(make_network(run))
    modules = [LEARNER, *(snapshot_name(number) for number in range(config.opponent_pool_size))]
    spec = RLModuleSpec(
        module_class=MaskedPolicy,
        observation_space=seen,
        action_space=choices,
        model_config=env_config,
    )
    fresh: Any = ppo.PPOConfig
    algorithm = (
        fresh()
        .environment(env_config=env_config, observation_space=seen, action_space=choices)
        .debugging(seed=config.seed)
        .multi_agent(
            policies=set(modules),
            # Runners seat the modules themselves.
            policy_mapping_fn=lambda *_, **__: LEARNER,
            policies_to_train=[LEARNER],
        )
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(modules, spec)))
        .env_runners(
            env_runner_cls=VecRunner,
            num_env_runners=config.env_runners,
            num_envs_per_env_runner=config.envs_per_runner,
        )
        .fault_tolerance(restart_failed_env_runners=True)
        .learners(
            num_learners=config.learners,
            num_gpus_per_learner=config.gpus_per_learner,
        )
        .training(
            train_batch_size_per_learner=config.batch // max(1, config.learners),
            minibatch_size=config.minibatch,
            num_epochs=config.epochs,
            lr=config.learning_rate,
            entropy_coeff=config.entropy_coef,
            use_kl_loss=False,
            # Runners compute advantages, so RLlib has nothing to add to a batch.
            learner_connector=lambda *_: TrainBatchConnector(LEARNER),
            add_default_connectors_to_learner_pipeline=False,
        )
        .build_algo()
    )
    for number in range(config.opponent_pool_size):
        # Until there are later snapshots, the initial learner stands for all of them.
        snapshot(algorithm, number)
    return algorithm


def snapshot(algorithm: Any, number: int) -> None:
    """Copy the present learner into a snapshot module, everywhere."""
    from .env_runner import LEARNER

    state, name = algorithm.get_module(LEARNER).get_state(), snapshot_name(number)

    def overwrite(holder: Any) -> None:
        holder.module[name].set_state(state)

    algorithm.learner_group.foreach_learner(overwrite)
    algorithm.env_runner_group.foreach_env_runner(overwrite)


def to_network(state: dict[str, Any], config: RllibConfig) -> PolicyNetwork:
    """Our network from the state of RLlib's module."""
    network = make_network(config.run)
    start = "network."
    network.load_state_dict(
        {
            name.removeprefix(start): torch.as_tensor(weights)
            for name, weights in state.items()
            if name.startswith(start)
        }
    )
    return network


def save(algorithm: Any, config: RllibConfig, out: Path, decisions: int) -> None:
    """Write the learner as an agent folder."""
    from .env_runner import LEARNER

    rules = Rules.from_text(config.variant)
    players = table_size(rules, config.players)
    about = {
        "rules": rules.text(),
        "num_players": players,
        "tables": [[rules.text(), players]],
        "decisions": decisions,
        "trainer": "rllib",
        "config": config.model_dump(mode="json"),
    }
    network = to_network(algorithm.get_module(LEARNER).get_state(), config)
    save_checkpoint(out / "last", network, about)


def train(config: RllibConfig, out: Path, say: Callable[[str], None] = print) -> None:
    """Train as the config says; after every iteration there is a checkpoint."""
    from .env_runner import LEARNER

    algorithm = make_algorithm(config)
    decisions = 0
    try:
        for iteration in range(config.iterations):
            result = algorithm.train()
            decisions += int(result["env_runners"]["num_module_steps_sampled"][LEARNER])
            loss = float(result["learners"][LEARNER]["total_loss"])
            save(algorithm, config, out, decisions)
            seconds = result["time_total_s"]
            say(f"{iteration + 1:4} {decisions:12,} decisions {seconds:8.0f} s  loss {loss:.4f}")
            if (iteration + 1) % config.snapshot_every == 0:
                snapshot(algorithm, iteration // config.snapshot_every % config.opponent_pool_size)
    finally:
        algorithm.stop()


def main(words: Sequence[str]) -> int:
    """`uno-train rllib`."""
    parser = CommandParser(
        example="uno-train rllib rllib --out runs/rllib",
        prog="uno-train rllib",
        description="Train PPO of RLlib.",
    )
    parser.add_argument("config", nargs="?", help="a YAML file, or rllib or rllib-cluster")
    parser.add_argument("--iterations", type=int, help="instead of the config's")
    parser.add_argument("--ray", default="", metavar="ADDRESS", help="cluster (one started here)")
    parser.add_argument("--out", type=Path, default=Path("runs/rllib"), help="run folder")
    options = parser.parse_args(words)
    more = {} if options.iterations is None else {"iterations": options.iterations}
    config = read_config(options.config, **more)
    with joined(options.ray):
        train(config, options.out)
    print(f"Next: uno-train evaluate {options.out / 'last'} --variant '{config.variant}'")
    return 0
