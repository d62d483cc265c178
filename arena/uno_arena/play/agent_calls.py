"""Asking an agent, with care: whatever goes wrong inside it becomes a `Fault` with a reason."""

import re
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from uno_agents.base import Agent, AgentError, BatchAgent, CheatingAgent

from uno_env import Game
from uno_env.actions import action_id
from uno_env.array_types import Bytes, Ints

from .batch import NO_ANSWER, Answers, illegal_text

Form = Literal["cheating", "batch", "single"]
"""How an agent is asked: with the whole game, with rows of observations, or with a view."""

LONGEST_REASON = 400
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")


class Fault(Exception):
    """An agent that gave no usable answer; the text says what it did instead."""


def form_of(agent: Any) -> Form:
    """How an agent is asked; an error if it is no agent."""
    if getattr(agent, "cheats", False) is True and isinstance(agent, CheatingAgent):
        return "cheating"
    if isinstance(agent, BatchAgent):
        return "batch"
    if isinstance(agent, Agent):
        return "single"
    raise AgentError(
        f"{agent!r} is no agent: it has neither act(view, legal) nor act_batch(obs, mask)"
    )


def reason_of(error: BaseException) -> str:
    """What an exception says, the same on every run: without addresses, not too long."""
    speaks = isinstance(error, (Fault, AgentError))
    text = str(error) if speaks else f"{type(error).__name__}: {error}"
    return _ADDRESS.sub("0x...", " ".join(text.split()))[:LONGEST_REASON].rstrip(" :")


class Seated:
    """An agent on a chair, asked move by move or by the batch.

    Args:
        make: gives the agent; if it fails, that is the answer to every question.
    """

    def __init__(self, make: Callable[[], Any]) -> None:
        self.agent: Any = None
        self.form: Form = "batch"
        self.broken = ""
        try:
            self.agent = make()
            self.form = form_of(self.agent)
        except Fault as fault:
            self.broken = str(fault)
        except (Exception, SystemExit) as error:
            self.broken = f"cannot be built: {reason_of(error)}"

    def answer(self, game: Game, seat: int) -> int:
        """The action id chosen for the seat to act: legal, or `Fault`."""
        if self.broken:
            raise Fault(self.broken)
        try:
            if self.form == "cheating":
                chosen = self.agent.act_game(game.clone())
            elif self.form == "batch":
                rows = self.agent.act_batch(game.observe(seat)[None], game.mask()[None])
                chosen = int(_ids(rows, 1)[0])
            else:
                chosen = self.agent.act(game.view(seat), game.legal())
        except (Exception, SystemExit) as error:
            raise Fault(reason_of(error)) from None
        return _legal_id(chosen, game)

    def answers(self, obs: Bytes, mask: Bytes) -> Answers:
        """Action ids for rows of questions; if all at once fails, each row is asked by itself."""
        rows = len(obs)
        if self.broken:
            return Answers(np.full(rows, NO_ANSWER), dict.fromkeys(range(rows), self.broken))
        try:
            return Answers(_ids(self.agent.act_batch(obs, mask), rows), {})
        except (Exception, SystemExit) as error:
            if rows == 1:
                return Answers(np.full(1, NO_ANSWER), {0: reason_of(error)})
        each = [self.answers(obs[row : row + 1], mask[row : row + 1]) for row in range(rows)]
        faults = {row: one.faults[0] for row, one in enumerate(each) if one.faults}
        return Answers(np.concatenate([one.ids for one in each]), faults)


def _ids(answer: Any, rows: int) -> Ints:
    """An answer of `act_batch` as action ids."""
    ids = np.asarray(answer)
    if ids.shape != (rows,) or ids.dtype.kind not in "iu":
        raise Fault(
            f"malformed answer: act_batch gave {ids.dtype} of shape {ids.shape}; "
            f"integers of shape ({rows},) are needed"
        )
    return ids.astype(np.int64)


def _legal_id(answer: Any, game: Game) -> int:
    """An answer of one move, a text or an id, as a legal action id."""
    legal = game.legal()
    if isinstance(answer, (int, np.integer)) and not isinstance(answer, bool):
        if int(answer) in game.legal_ids():
            return int(answer)
        raise Fault(illegal_text(int(answer), game.phase, legal))
    if isinstance(answer, str) and answer in legal:
        return action_id(answer)
    kind = "illegal action" if isinstance(answer, str) else "malformed answer:"
    shown = reason_of(Fault(repr(answer)))[:80]
    raise Fault(f"{kind} {shown} in phase {game.phase}; legal: {', '.join(legal)}")
