"""Call order: what may not be called before `reset`, as PettingZoo's own wrapper has it.

Mixed into the environment instead of wrapped around it, because a wrapper doubles the cost of a
step. Errors, warnings and texts are those of `OrderEnforcingWrapper`.
"""

from collections.abc import Iterator
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger


class AfterReset:
    """Stands for an attribute until `reset` sets it.

    Not `__getattr__`: a class that has one pays for it at every attribute, existing or not.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name.lstrip("_")

    def __get__(self, instance: object, owner: type) -> Any:
        raise AttributeError(f"{self.name} cannot be accessed before reset")


class CallOrder(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """Refuses calls out of order; to be named before the environment it guards."""

    agents: Any = AfterReset()
    agent_selection: Any = AfterReset()
    rewards: Any = AfterReset()
    terminations: Any = AfterReset()
    truncations: Any = AfterReset()
    _infos: Any = AfterReset()
    _is_updated: bool

    def observe(self, agent: str) -> Any:
        """What an agent may know, after `reset`."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agent to act, again and again, until all are done; each must be stepped."""
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return self._turns(max_iter)

    def _turns(self, max_iter: int) -> Iterator[str]:
        while self.agents and max_iter > 0:
            max_iter -= 1
            if not self._is_updated:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            self._is_updated = False
            yield self.agent_selection

    def _step_ended(self, action: Any) -> None:
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        elif not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
        else:
            super()._step_ended(action)

    def state(self) -> Any:
        """Not offered: it would show every hand."""
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> Any:
        """Draw the table, after `reset`."""
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        return super().render()
