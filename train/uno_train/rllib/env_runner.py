"""RLlib's env runner on the vector env: hundreds of games a step, advantages included.

RLlib's own runners step each game in Python and keep each of them as an episode of lists. Here a
runner plays like one shard of our own trainer (`ppo.py`): the learner against itself and, in a
share of the games, against a snapshot. Advantages are computed before decisions leave the runner.
"""

from collections.abc import Collection
from typing import Any, NamedTuple, Self

import numpy as np

from uno_env.array_types import Array

from ..config import TrainConfig
from ..ppo import Learner
from ..schedule import Stage

try:
    import ray
    from ray.rllib.core import COMPONENT_RL_MODULE
    from ray.rllib.env.env_runner import EnvRunner
    from ray.rllib.utils import metrics
    from ray.rllib.utils.checkpoints import Checkpointable
except ImportError as error:
    raise ValueError(f"uno-train rllib needs RLlib: pip install 'ray[rllib]' ({error})") from error

LEARNER = "learner"
SNAPSHOT = "snapshot_"
"""Prefix of the modules that are snapshots of the learner."""


class BatchColumns(NamedTuple):
    """Decisions to learn from, as arrays: those of a `Batch` that PPO reads."""

    inputs: Array
    mask: Array
    action: Array
    log_prob: Array
    advantage: Array
    returns: Array


class Fragment:
    """What a runner returns: decisions that RLlib cuts among its learners like an episode."""

    def __init__(self, columns: BatchColumns) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns.action)

    def __getitem__(self, part: slice) -> Self:
        return type(self)(BatchColumns(*(column[part] for column in self.columns)))

    def slice(self, part: slice, **_: Any) -> Self:
        """As `[]`; advantages are known already, so no decision needs those before it."""
        return self[part]


class VecRunner(EnvRunner, Checkpointable):
    """Plays all games of one core in one `uno_env.vec`.

    The run is a `TrainConfig` as JSON in `env_config["run"]`; all modules have its network.
    """

    def __init__(self, config: Any, **more: Any) -> None:
        super().__init__(config=config, **more)
        self._weights_seq_no = 0
        self._player: Learner | None = None
        self.make_module()
        # Where others play, the runner of the driver only holds the modules.
        if self.worker_index or not self.config.num_env_runners:
            self.make_env()

    def make_module(self) -> None:
        """Build the learner's module and those of its snapshots."""
        spec = self.config.get_multi_rl_module_spec(spaces=self.get_spaces(), inference_only=True)
        self.module: Any = spec.build()

    def make_env(self) -> None:
        """Deal the games."""
        run = TrainConfig.model_validate_json(self.config.env_config["run"])
        seed = np.random.SeedSequence([run.seed, self.worker_index or 0]).generate_state(1)
        self._player = Learner(run.model_copy(update={"seed": int(seed[0])}))
        self._load_modules(self._player)
        self._player.reset_games(self._player.config.seed)

    def _load_modules(self, player: Learner) -> None:
        """Let the modules play as they are now."""
        player.network = self.module[LEARNER].network
        player.opponent_pool.snapshots.pool = [
            self.module[name].network.state_dict()
            for name in self.module.keys()  # noqa: SIM118 - no mapping to Python
            if name.startswith(SNAPSHOT)
        ]

    def sample(self, **_: Any) -> list[Fragment]:
        """Play every game on for the steps of the run; the learner's decisions in one fragment."""
        if self._player is None:
            raise ValueError("this runner holds modules and has no games")
        player = self._player
        with self.metrics.log_time(metrics.SAMPLE_TIMER):
            self._load_modules(player)
            batch, counts = player.collect(0.0, Stage.PPO)
            player.iterations += 1
            fields = BatchColumns._fields
            columns = BatchColumns(*(getattr(batch, name).numpy() for name in fields))
        steps = player.config.num_envs * player.config.rollout_steps
        self._count(steps, len(batch.action), counts.games)
        return [Fragment(columns)]

    def _count(self, steps: int, decisions: int, games: int) -> None:
        log = self.metrics.log_value
        self.num_env_steps_sampled_lifetime += steps
        log(metrics.NUM_ENV_STEPS_SAMPLED, steps, reduce="sum")
        log(metrics.NUM_ENV_STEPS_SAMPLED_LIFETIME, steps, reduce="lifetime_sum")
        log((metrics.NUM_MODULE_STEPS_SAMPLED, LEARNER), decisions, reduce="sum")
        log((metrics.NUM_AGENT_STEPS_SAMPLED, LEARNER), decisions, reduce="sum")
        log(metrics.NUM_EPISODES, games, reduce="sum")
        log(metrics.EPISODE_LEN_MEAN, steps / max(1, games), window=1)
        log(metrics.WEIGHTS_SEQ_NO, self._weights_seq_no, window=1)

    def get_metrics(self) -> Any:
        """What was counted since it was last asked."""
        return self.metrics.reduce()

    def get_spaces(self) -> dict[str, tuple[Any, Any]]:
        """The same for all modules."""
        both = (self.config.observation_space, self.config.action_space)
        return dict.fromkeys(self.config.policies, both)

    def get_state(
        self,
        components: str | Collection[str] | None = None,
        *,
        not_components: str | Collection[str] | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        """Modules and counters; games are dealt anew by whoever takes over."""
        state: dict[str, Any] = {
            metrics.NUM_ENV_STEPS_SAMPLED_LIFETIME: self.num_env_steps_sampled_lifetime
        }
        if self._check_component(COMPONENT_RL_MODULE, components, not_components):
            part: Any = self._get_subcomponents  # carries no types
            inner, outer = (part(COMPONENT_RL_MODULE, of) for of in (components, not_components))
            state[COMPONENT_RL_MODULE] = self.module.get_state(inner, not_components=outer, **more)
            state[metrics.WEIGHTS_SEQ_NO] = self._weights_seq_no
        return state

    def set_state(self, state: dict[str, Any]) -> None:
        """Take over what `get_state` gave, or new weights from the learners."""
        number = state.get(metrics.WEIGHTS_SEQ_NO, 0)
        # Numbers of weights only grow; without one they are meant to be taken at once.
        if COMPONENT_RL_MODULE in state and (not number or number > self._weights_seq_no):
            weights = state[COMPONENT_RL_MODULE]
            self.module.set_state(
                ray.get(weights) if isinstance(weights, ray.ObjectRef) else weights
            )
        self._weights_seq_no = number or self._weights_seq_no
        lifetime = metrics.NUM_ENV_STEPS_SAMPLED_LIFETIME
        self.num_env_steps_sampled_lifetime = state.get(
            lifetime, self.num_env_steps_sampled_lifetime
        )

    def get_ctor_args_and_kwargs(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """What RLlib writes into a checkpoint of its own to build the runner from."""
        return (), {"config": self.config}

    def get_checkpointable_components(self) -> list[tuple[str, Any]]:
        """Parts that RLlib writes into folders of their own."""
        return [(COMPONENT_RL_MODULE, self.module)]

    def assert_healthy(self) -> None:
        """Raise unless it was built to the end."""
        if self.module is None:
            raise AssertionError("no modules")
