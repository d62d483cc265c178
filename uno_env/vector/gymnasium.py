"""UnoVectorEnv: a Gymnasium `VectorEnv` of single-learner games, all stepped by one compiled call.

    env = gymnasium.make_vec("uno_env/Uno-v0", num_envs=256, variant="classic", num_players=4)

A game that ends is reset in the same step (`AutoresetMode.SAME_STEP`): the observation is that
of the new game, `infos["final_obs"]` holds the last one of the old. `infos["action_mask"]` and
`action_masks()` say what is legal now.
"""

from typing import Any, Unpack

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..actions import NUM_ACTIONS
from ..array_types import Array, Ints
from ..envs.observation_spec import OBS_VERSION, observation_box, scaled, scaled_box
from .layout import Seeds, Variants
from .single_agent import SingleAgentOptions, SingleAgentVec

Infos = dict[str, Any]


class UnoVectorEnv(VectorEnv[Array, Ints, Array]):
    """Many single-learner games as one Gymnasium vector environment.

    Args:
        variant, num_envs, options: as in `SingleAgentVec`.
        scaled: float32 observations, each block divided by its scale (`uno_env.scaled`).
    """

    metadata = {  # noqa: RUF012  # Gymnasium's form
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "observation_version": OBS_VERSION,
    }

    def __init__(
        self,
        variant: Variants = "classic",
        num_envs: int = 1,
        *,
        scaled: bool = False,
        **options: Unpack[SingleAgentOptions],
    ) -> None:
        self.vec = SingleAgentVec(variant, num_envs, **options)
        self.num_envs = self.vec.num_envs
        self.scaled = bool(scaled)
        self.single_observation_space = scaled_box() if self.scaled else observation_box()
        self.single_action_space = spaces.Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: Seeds | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, Infos]:
        """Deal all games: seeded as `UnoVec.reset`; there are no options."""
        if options:
            raise ValueError(f"options has {next(iter(options))!r}; none are known")
        super().reset(seed=seed if isinstance(seed, int) else None)
        self.vec.reset(seed)
        return self._seen(self.vec.obs), self._infos()

    def step(self, actions: Ints) -> tuple[Array, Array, Array, Array, Infos]:
        """One decision of every learner; all that is returned is the caller's to keep."""
        vec = self.vec
        vec.step(actions)
        infos = self._infos()
        done = vec.done
        if done.any():
            self._add_ends(infos, done)
        return self._seen(vec.obs), vec.reward, vec.terminated, vec.truncated, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions of every learner."""
        return self.vec.mask.astype(np.bool_)

    def _seen(self, obs: Array) -> Array:
        return scaled(obs) if self.scaled else obs.copy()

    def _infos(self) -> Infos:
        everybody = np.ones(self.num_envs, np.bool_)
        return {
            # Signed, because `Discrete.sample(mask)` takes nothing else.
            "action_mask": self.vec.mask.astype(np.int8),
            "_action_mask": everybody,
            "seat": self.vec.seat,
            "_seat": everybody.copy(),
        }

    def _add_ends(self, infos: Infos, done: npt.NDArray[np.bool_]) -> None:
        ended = np.flatnonzero(done)
        final_obs = np.full(self.num_envs, None, object)
        for i, row in zip(ended, self._seen(self.vec.final_obs[ended]), strict=True):
            final_obs[i] = row
        reason = np.full(self.num_envs, None, object)
        reason[ended] = [self.vec.reason(i) for i in ended.tolist()]
        infos["final_obs"], infos["_final_obs"] = final_obs, done
        infos["final_info"] = {
            "seat": np.where(done, self.vec.final_seat, 0),
            "_seat": done.copy(),
            "reason": reason,
            "_reason": done.copy(),
        }
        infos["_final_info"] = done.copy()

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.vec.close()
