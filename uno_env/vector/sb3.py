"""UnoVecEnv: a Stable-Baselines3 `VecEnv` of single-learner games, for MaskablePPO and the rest.

    env = UnoVecEnv("classic", num_envs=256, num_players=4, scaled=True)
    MaskablePPO("MlpPolicy", env).learn(1_000_000)

All games step in one compiled call. Infos of games that ended carry `terminal_observation`,
`TimeLimit.truncated` and the episode statistics of SB3's `Monitor`, so none needs to be wrapped
around it.
"""

import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ..actions import NUM_ACTIONS
from ..array_types import Array
from ..envs.observation_spec import observation_box, scaled, scaled_box
from .layout import Variants, action_ids, game_seeds
from .single_agent import SingleAgentOptions, SingleAgentVec

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError(
        "uno_env.vector.sb3 needs Stable-Baselines3: pip install 'uno-env[sb3]'"
    ) from error

Infos = list[dict[str, Any]]


class UnoVecEnv(VecEnv):
    """Many single-learner games as one SB3 environment.

    Args:
        variant, num_envs, options: as in `SingleAgentVec`.
        scaled: float32 observations, each block divided by its scale (`uno_env.scaled`), which is
            what SB3's `MlpPolicy` wants: it feeds bytes to the network as they are.
    """

    def __init__(
        self,
        variant: Variants = "classic",
        num_envs: int = 1,
        *,
        scaled: bool = False,
        **options: Unpack[SingleAgentOptions],
    ) -> None:
        self.vec = SingleAgentVec(variant, num_envs, **options)
        self.scaled = bool(scaled)
        self._started = time.perf_counter()
        self._pending: Any = None
        box = scaled_box() if self.scaled else observation_box()
        super().__init__(self.vec.num_envs, box, spaces.Discrete(NUM_ACTIONS))

    # Playing.

    def reset(self) -> Array:
        """Deal all games, from the seeds given to `seed` if it was called."""
        seeds = [seed for seed in self._seeds if seed is not None]
        self.vec.reset(seeds or None)
        self._reset_seeds()
        self._reset_options()
        return self._seen(self.vec.obs)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the next reset; one number is hashed into one seed for each game."""
        if seed is None:
            seed = int(np.random.default_rng().integers(2**63))
        seeds: list[int | None] = list(game_seeds(seed, self.num_envs).tolist())
        self._seeds = seeds
        return seeds

    def step_async(self, actions: Array) -> None:
        """Take note of the actions."""
        self._pending = action_ids(actions, self.num_envs).copy()

    def step_wait(self) -> tuple[Array, Array, Array, Infos]:
        """One decision of every learner; all that is returned is the caller's to keep."""
        vec = self.vec
        vec.step(self._pending)
        rewards = vec.reward.astype(np.float32)
        infos: Infos = [{} for _ in range(self.num_envs)]
        done = vec.done
        if done.any():
            self._add_ends(infos, np.flatnonzero(done), rewards)
        return self._seen(vec.obs), rewards, done, infos

    def _add_ends(self, infos: Infos, ended: Any, rewards: Array) -> None:
        vec = self.vec
        final_obs = self._seen(vec.final_obs[ended])
        truncated, lengths, seats = vec.truncated, vec.length, vec.final_seat
        elapsed = round(time.perf_counter() - self._started, 6)
        for k, i in enumerate(ended):
            infos[i] = {
                "terminal_observation": final_obs[k],
                "TimeLimit.truncated": bool(truncated[i]),
                "episode": {"r": float(rewards[i]), "l": int(lengths[i]), "t": elapsed},
                "reason": vec.reason(i),
                "seat": int(seats[i]),
            }

    def _seen(self, obs: Array) -> Array:
        return scaled(obs) if self.scaled else obs.copy()

    def close(self) -> None:
        """End the threads."""
        self.vec.close()

    # What SB3 asks of the single environments, of which there are none.

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions of every learner."""
        return self.vec.mask.astype(np.bool_)

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """Per game: `action_masks`, the one method there is."""
        if method_name != "action_masks" or args or kwargs:
            raise AttributeError(f"games of UnoVecEnv have no method {method_name}{args}")
        masks = self.action_masks()
        return list(masks if indices is None else masks[self._chosen(indices)])

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Per game: `action_masks`, `render_mode`, `rules`, `num_players` or `seat`."""
        games = self.vec.games
        chosen = self._chosen(indices)
        match attr_name:
            case "action_masks":
                return [partial(self._mask_of, i) for i in chosen]
            case "render_mode":
                return [None for _ in chosen]
            case "rules":
                return [games.rules_of(i) for i in chosen]
            case "num_players":
                return games.num_players[chosen].tolist()  # type: ignore[no-any-return]
            case "seat":
                return self.vec.seat[chosen].tolist()  # type: ignore[no-any-return]
        raise AttributeError(f"games of UnoVecEnv have no attribute {attr_name!r}")

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Nothing of a running game can be set."""
        raise AttributeError(f"games of UnoVecEnv cannot be changed: {attr_name!r}")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """As if in a `Monitor`, whose statistics are in the infos, and in nothing else."""
        return [wrapper_class is Monitor] * len(self._chosen(indices))

    def _mask_of(self, index: int) -> npt.NDArray[np.bool_]:
        row: npt.NDArray[np.uint8] = self.vec.mask[index]
        return row.astype(np.bool_)

    def _chosen(self, indices: Any) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)
