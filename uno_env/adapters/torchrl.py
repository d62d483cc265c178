"""UNO for TorchRL: its `PettingZooWrapper` around an environment without texts in the infos.

It makes tensors of infos and fails on ours.
"""

from typing import Any

from ..envs.aec import raw_env

try:
    from torchrl.envs import PettingZooWrapper
except ImportError as error:
    raise ImportError("uno_env.adapters.torchrl needs TorchRL: pip install torchrl") from error

WRAPPER_OPTIONS = ("device", "categorical_actions", "done_on_any", "seed")


class WordlessEnv(raw_env):
    """The AEC environment with empty infos."""

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """Nothing for each agent."""
        return {agent: {} for agent in self.possible_agents}


def torchrl_env(*args: Any, one_group: bool = True, **options: Any) -> Any:
    """A TorchRL environment of one table.

    Each step, `("player", "mask")` says who acts and `("player", "action_mask")` what is legal;
    actions of the others are ignored.

    Args:
        args: variant and number of players, as of `uno_env.env`.
        one_group: all seats in the group `player`, stacked for a shared network; else a group each.
        options: those of `uno_env.env`, and `device`, `categorical_actions`, `done_on_any`, `seed`
            of the wrapper.
    """
    wrapped = {name: options.pop(name) for name in WRAPPER_OPTIONS if name in options}
    env = WordlessEnv(*args, **options)
    groups = {"player": list(env.possible_agents)} if one_group else None
    return PettingZooWrapper(env=env, use_mask=True, group_map=groups, **wrapped)
