"""Call order: what may not be called before `reset`, as PettingZoo's own wrapper has it.

Mixed into the environment instead of wrapped around it, because a wrapper doubles the cost of a
step. Errors, warnings and texts are those of `OrderEnforcingWrapper`.
"""

import sys
from collections.abc import Iterator
from itertools import repeat
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger


def after_reset(name: str) -> property:
    """An attribute that exists from `reset` on; its value is kept under the name with a `_`.

    Neither `__getattr__`, which a class pays for at every attribute, nor a value of the class for
    `reset` to hide: what a class has too is looked up slowly in its instances. Steps read the name
    with the `_`.
    """
    private = f"_{name}"

    def get(env: Any) -> Any:
        try:
            return getattr(env, private)
        except AttributeError:
            raise AttributeError(f"{name} cannot be accessed before reset") from None

    def set_value(env: Any, value: Any) -> None:
        setattr(env, private, value)

    return property(get, set_value)


class CallOrder(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """Refuses calls out of order; to be named before the environment it guards."""

    _agents: list[str]
    _agent_selection: str
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
        for _ in repeat(None, min(max_iter, sys.maxsize)):
            if not self._agents:
                return
            if not self._is_updated:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            self._is_updated = False
            yield self._agent_selection

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
