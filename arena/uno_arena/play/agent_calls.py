"""Calls of an agent, guarded: whatever goes wrong inside it becomes a `Fault` with a reason."""

import re
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from uno_agents.base import Agent, AgentError, BatchAgent, CheatingAgent

from uno_env import Game
from uno_env.actions import action_id
from uno_env.array_types import Bytes, Ints

from .batch import NO_ACTION, BatchActions, illegal_text

AgentInterface = Literal["cheating", "batch", "single", "concurrent"]
"""How an agent is called: `act_game` with the whole game, `act_batch`, or `act` with a view; by
several threads at once if it has a number `concurrency`."""

MAX_REASON_LENGTH = 400
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")


class Fault(Exception):
    """An agent that returned no legal action; the text says what it did instead."""


def interface_of(agent: Any) -> AgentInterface:
    """How an agent is called; an error if it is no agent."""
    if getattr(agent, "cheats", False) is True and isinstance(agent, CheatingAgent):
        return "cheating"
    if isinstance(agent, BatchAgent):
        return "batch"
    if isinstance(agent, Agent):
        return "concurrent" if isinstance(getattr(agent, "concurrency", None), int) else "single"
    raise AgentError(
        f"{agent!r} is no agent: it has neither act(view, legal) nor act_batch(obs, mask)"
    )


def failure_reason(error: BaseException) -> str:
    """What an exception says, the same on every run: without addresses, not too long."""
    is_ours = isinstance(error, (Fault, AgentError))
    text = str(error) if is_ours else f"{type(error).__name__}: {error}"
    return _ADDRESS.sub("0x...", " ".join(text.split()))[:MAX_REASON_LENGTH].rstrip(" :")


class GuardedAgent:
    """An agent whose failures become faults, called move by move or in batches.

    Args:
        make: builds the agent; if that fails, every call is a fault with that reason.
    """

    def __init__(self, make: Callable[[], Any]) -> None:
        self.agent: Any = None
        self.interface: AgentInterface = "batch"
        self.broken = ""
        try:
            self.agent = make()
            self.interface = interface_of(self.agent)
        except Fault as fault:
            self.broken = str(fault)
        except (Exception, SystemExit) as error:
            self.broken = f"cannot be built: {failure_reason(error)}"

    def for_game(self, seed: int) -> "GuardedAgent":
        """The same agent for one game; what is random in it follows from the seed."""
        if self.broken or not hasattr(self.agent, "for_game"):
            return self
        return GuardedAgent(lambda: self.agent.for_game(seed))

    def act(self, game: Game, seat: int) -> int:
        """The action id chosen for the seat to act: legal, or `Fault`."""
        if self.broken:
            raise Fault(self.broken)
        try:
            if self.interface == "cheating":
                chosen = self.agent.act_game(game.clone())
            elif self.interface == "batch":
                ids = self.agent.act_batch(game.observe(seat)[None], game.mask()[None])
                chosen = int(_ids(ids, 1)[0])
            else:
                chosen = self.agent.act(game.view(seat), game.legal())
        except (Exception, SystemExit) as error:
            raise Fault(failure_reason(error)) from None
        return _legal_id(chosen, game)

    def act_batch(self, obs: Bytes, mask: Bytes) -> BatchActions:
        """Action ids for rows of observations; if the batch fails, each row is tried alone."""
        rows = len(obs)
        if self.broken:
            return BatchActions(np.full(rows, NO_ACTION), dict.fromkeys(range(rows), self.broken))
        try:
            return BatchActions(_ids(self.agent.act_batch(obs, mask), rows), {})
        except (Exception, SystemExit) as error:
            if rows == 1:
                return BatchActions(np.full(1, NO_ACTION), {0: failure_reason(error)})
        each = [self.act_batch(obs[row : row + 1], mask[row : row + 1]) for row in range(rows)]
        faults = {row: one.faults[0] for row, one in enumerate(each) if one.faults}
        return BatchActions(np.concatenate([one.ids for one in each]), faults)


def _ids(returned: Any, rows: int) -> Ints:
    """What `act_batch` returned, as action ids."""
    ids = np.asarray(returned)
    if ids.shape != (rows,) or ids.dtype.kind not in "iu":
        raise Fault(
            f"malformed answer: act_batch gave {ids.dtype} of shape {ids.shape}; "
            f"integers of shape ({rows},) are needed"
        )
    return ids.astype(np.int64)


def _legal_id(chosen: Any, game: Game) -> int:
    """One action, a text or an id, as a legal action id."""
    legal = game.legal()
    if isinstance(chosen, (int, np.integer)) and not isinstance(chosen, bool):
        if int(chosen) in game.legal_ids():
            return int(chosen)
        raise Fault(illegal_text(int(chosen), game.phase, legal))
    if isinstance(chosen, str) and chosen in legal:
        return action_id(chosen)
    kind = "illegal action" if isinstance(chosen, str) else "malformed answer:"
    shown = failure_reason(Fault(repr(chosen)))[:80]
    raise Fault(f"{kind} {shown} in phase {game.phase}; legal: {', '.join(legal)}")
