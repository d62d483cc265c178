"""UNO for RLlib: the form of observation that its action-masking module reads, and registration.

Its own `PettingZooEnv` does the rest.

    name = register_rllib("uno", variant="no_mercy", num_players=4)
    PPOConfig().environment(name).multi_agent(policies={"shared"}, ...)
"""

from typing import Any

import numpy as np
from gymnasium import spaces

from ..actions import NUM_ACTIONS
from ..envs.aec import raw_env
from ..envs.observation_spec import scaled, scaled_box

try:
    from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
    from ray.tune.registry import register_env
except ImportError as error:
    raise ImportError("uno_env.adapters.rllib needs RLlib: pip install 'ray[rllib]'") from error


class MaskedEnv(raw_env):
    """The AEC environment with `observations` and `action_mask` in float32, as RLlib has them."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        mask = spaces.Box(0.0, 1.0, (NUM_ACTIONS,), np.float32)
        space = spaces.Dict({"observations": scaled_box(), "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """What an agent may know."""
        return _renamed(super().observe(agent))

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated and info of `agent_selection`."""
        # The parent takes a short cut around `observe`, so it is not asked for the observation.
        _, reward, terminated, truncated, info = super().last(observe=False)
        seen = self.observe(self.agent_selection) if observe else None
        return seen, reward, terminated, truncated, info


def _renamed(seen: dict[str, np.ndarray[Any, Any]]) -> dict[str, np.ndarray[Any, Any]]:
    return {
        "observations": scaled(seen["observation"]),
        "action_mask": seen["action_mask"].astype(np.float32),
    }


def rllib_env(**options: Any) -> Any:
    """An RLlib multi-agent environment; options as of `uno_env.env`."""
    make: Any = PettingZooEnv  # carries no types
    return make(MaskedEnv(**options))


def register_rllib(name: str = "uno", **options: Any) -> str:
    """Register the environment by a name for `config.environment(name)`.

    Args:
        name: under which RLlib shall find it.
        options: those of `uno_env.env`; `env_config` of the algorithm goes over them.
    """
    MaskedEnv(**options)  # wrong options fail here and not in a worker
    register_env(name, lambda config: rllib_env(**{**options, **config}))
    return name
