"""UNO as a PettingZoo AEC environment; its user page is the docstring of `aec_page`."""

import sys
from collections.abc import Iterator
from itertools import repeat
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from ..actions import ACTIONS, NUM_ACTIONS
from ..engine.single import REFUSED, SEATS, UNKNOWN
from ..engine.tables import PHASES
from ..game import Episode, IllegalAction, check_history, check_seed
from ..rules.rules import Rules
from .call_order import CallOrder, after_reset
from .observation_spec import OBS_VERSION, observation_dict, state_box
from .options import (
    RENDER_MODES,
    Illegal,
    RenderSeat,
    Reward,
    agreed_rules,
    check_common,
    check_render_seat,
    table_size,
    unknown_action,
)
from .session import GameSession

Observation = dict[str, np.ndarray[Any, Any]]

_PHASE_OF = [phase for phase in PHASES for _ in range(SEATS)]
"""By the number of a decision, as the seat to act knows it."""


class raw_env(AECEnv):  # type: ignore[misc]  # PettingZoo ships no types
    """UNO as an AEC environment; the module's docstring explains the arguments."""

    metadata = {  # noqa: RUF012  # PettingZoo's form
        "name": "uno_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
        "observation_version": OBS_VERSION,
    }
    agents = after_reset("agents")
    agent_selection = after_reset("agent_selection")
    rewards = after_reset("rewards")
    terminations = after_reset("terminations")
    truncations = after_reset("truncations")
    _agents: list[str]
    _agent_selection: str
    _rewards: dict[str, float]
    _terminations: dict[str, bool]
    _truncations: dict[str, bool]
    _infos: dict[str, dict[str, Any]] | None

    def __init__(
        self,
        variant: str | Rules = "classic",
        num_players: int | None = None,
        rules: Rules | None = None,
        episode: Episode = "round",
        reward: Reward = "win",
        render_mode: str | None = None,
        render_seat: RenderSeat = "actor",
        illegal: Illegal | None = None,
        illegal_reward: float = -1.0,
        void_reward: float = 0.0,
        info_actions: bool = False,
        max_cycles: int | None = None,
        history: int = 0,
    ) -> None:
        super().__init__()
        check_common(episode, reward, render_mode)
        self.rules, self.illegal = agreed_rules(variant, rules, illegal, max_cycles, episode)
        self.num_players = table_size(self.rules, num_players)
        self.reward: Reward = reward
        self.illegal_reward = float(illegal_reward)
        self.void_reward = float(void_reward)
        self.info_actions = bool(info_actions)
        self.render_mode = render_mode
        self.render_seat = check_render_seat(render_seat, self.num_players)
        self.possible_agents = [f"player_{seat}" for seat in range(self.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.history = check_history(history)
        with_events = render_mode is not None
        self._session = GameSession(
            self.rules, self.num_players, episode, with_events, self.history
        )
        nobody = [""] * (SEATS - self.num_players)
        self._deciders = [*self.possible_agents, *nobody] * len(PHASES)
        self.observation_spaces = {agent: observation_dict(self.history) for agent in self._seats}
        self.state_space = state_box()
        self.action_spaces = {agent: spaces.Discrete(NUM_ACTIONS) for agent in self._seats}
        self._ended = True  # no agent is to act: before `reset` and after the end
        self._has_reset = False

    def observe(self, agent: str) -> Observation:
        """What an agent may know; its mask is all zeros unless it is to act."""
        obs, mask = self._session.observe(self._seats[agent])
        if self._ended:
            mask[:] = 0
        seen = {"observation": obs, "action_mask": mask}
        if self.history:
            seen["history"] = self._session.game.history(self._seats[agent], self.history)
        return seen

    def state(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """All hands, the draw pile and what the agent to act may know; for critics alone."""
        session = self._session
        seat = max(session.actor, 0)
        return np.concatenate([session.game.state(), session.observe(seat)[0]])

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated and info of `agent_selection`."""
        if self._ended:
            agent = self.agent_selection
            return (self.observe(agent) if observe else None, *self._standing(agent))
        agent = self._agent_selection
        session = self._session
        seen = None
        if observe:
            # The agent to act: its observation is already written.
            seen = {"observation": session.copy_obs(), "action_mask": session.copy_mask()}
            if self.history:
                seen["history"] = session.game.history(session.actor, self.history)
        if self._infos is not None or self.info_actions:
            return (seen, *self._standing(agent))
        # As `_standing`, without the call.
        return (
            seen,
            self._cumulative_rewards[agent],
            self._terminations[agent],
            self._truncations[agent],
            {"phase": _PHASE_OF[session.decision]},
        )

    def _standing(self, agent: str) -> tuple[float, bool, bool, dict[str, Any]]:
        """All that `last` returns but the observation."""
        info = self._actor_info() if self._infos is None else self._infos[agent]
        ends = self._terminations[agent], self._truncations[agent]
        return (self._cumulative_rewards[agent], *ends, info)

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """The info of every agent, made when asked for: steps do not pay for it."""
        if not self._has_reset:
            raise AttributeError("infos cannot be accessed before reset")
        if self._infos is None:
            self._infos = {agent: self._info(agent) for agent in self._agents}
        return self._infos

    def _info(self, agent: str) -> dict[str, Any]:
        seat = self._seats[agent]
        if seat == self._session.actor:
            return self._actor_info()
        return {"phase": self._session.phase(seat)}

    def _actor_info(self) -> dict[str, Any]:
        session = self._session
        if self.info_actions:
            return {"phase": _PHASE_OF[session.decision], "actions": session.game.legal()}
        return {"phase": _PHASE_OF[session.decision]}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations, equal for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions: the one action table."""
        return self.action_spaces[agent]

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agent to act, again and again, until all are done."""
        if not self.agents:
            return
        for _ in repeat(None, min(max_iter, sys.maxsize)):
            yield self._agent_selection
            if not self._agents:
                return

    def step(self, action: Any) -> None:
        """Take the action of `agent_selection`; None once its episode has ended."""
        self._is_updated = True
        if self._ended:
            self._step_ended(action)
            return
        try:
            decision = self._session.step(index(action))
        except (TypeError, OverflowError):
            decision = UNKNOWN
        if decision >= 0:
            # Rewards come at the end only, so there is nothing to accumulate before.
            self._agent_selection = self._deciders[decision]
            self._infos = None
        else:
            self._stop(decision, action)
        if self.render_mode == "human":
            self.render()

    def _stop(self, decision: int, action: Any) -> None:
        """A step that leads to no decision: the end, or an action that was not taken."""
        if decision == UNKNOWN:
            raise unknown_action(action)
        self._infos = None
        if decision == REFUSED:
            self._refuse(index(action))
        else:
            self._end()

    def _step_ended(self, action: Any) -> None:
        self._was_dead_step(action)

    def _refuse(self, number: int) -> None:
        """An illegal action, by the policy; the texts tell nothing of the hand."""
        agent = self.agent_selection
        what = f"illegal action {number} ({ACTIONS[number]}) by {agent}"
        if self.illegal == "raise":
            raise IllegalAction(f"{what}; its action_mask has the legal ones")
        EnvLogger.warn_on_illegal_move()
        rewards = [0.0] * self.num_players
        rewards[self._seats[agent]] = self.illegal_reward
        self._finish(rewards, False, what, ())

    def _end(self) -> None:
        game = self._session.game
        if game.void:
            self._finish([self.void_reward] * self.num_players, True, "void", ())
        else:
            self._finish(game.rewards(self.reward), False, "won", game.winners)

    def _finish(
        self, rewards: list[float], is_void: bool, reason: str, winners: tuple[int, ...]
    ) -> None:
        agents = self.possible_agents
        self._ended = True
        self.rewards = dict(zip(agents, rewards, strict=True))
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(agents, not is_void)
        self.truncations = dict.fromkeys(agents, is_void)
        self._infos = {
            agent: {
                "phase": "over",
                "reason": reason,
                "winners": [agents[seat] for seat in winners],
                "scores": self._session.game.scores,
            }
            for agent in agents
        }
        self.agent_selection = agents[0]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game: that of the seed, or the one that follows the last."""
        session = self._session
        if seed is not None:
            session.deal(check_seed(seed))
        elif self._has_reset:
            session.deal_next()
        else:
            session.deal(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]))
        agents = self.possible_agents
        self.agents = agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._infos = None
        self._skip_agent_selection = None
        self._agent_selection = self._deciders[session.decision]
        self._ended = False
        self._has_reset = self._is_updated = True
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Draw the table as `render_mode` says, from what `render_seat` may know."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode, given when the env is made.")
            return None
        seat = self.render_seat
        if seat == "actor":
            seat = self._seats[self.agent_selection] if self.agents else 0
        return self._session.draw(self.render_mode, seat)

    def close(self) -> None:
        """Close the window, if one was opened."""
        if self.render_mode == "human":
            self._session.close()


class env(CallOrder, raw_env):
    """`raw_env` that also refuses calls out of order.

    A class rather than a function that wraps: the attribute look-ups of wrappers would cost
    more than the game.
    """
