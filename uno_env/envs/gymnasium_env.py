"""
# UNO as a Gymnasium environment

| Creation           | `gymnasium.make("uno_env/Uno-v0", variant="classic")`   |
|--------------------|---------------------------------------------------------|
| Learner            | one seat; agents or your functions play the others      |
| Action values      | Discrete(208)                                           |
| Observation shape  | (1280,)                                                 |
| Observation values | uint8 in [0, 255], or float32 with `scaled=True`        |
| Legal actions      | `action_masks()`, as sb3-contrib's MaskablePPO needs it |

One learner at a table of any variant. A step is one decision of the learner; the other seats then
play until the learner has to decide again or the episode is over.

```python
import gymnasium
import uno_env

env = gymnasium.make("uno_env/Uno-v0", variant="classic", num_players=3, opponents="random")
observation, info = env.reset(seed=7)
done = False
while not done:
    action = env.action_space.sample(env.unwrapped.action_masks())
    observation, reward, terminated, truncated, info = env.step(action)
    done = terminated or truncated
print(info["reason"], reward)
```

### Arguments

* `variant`, `rules`, `num_players`, `episode`, `reward`, `illegal`, `illegal_reward`,
  `void_reward`, `info_actions`, `render_mode`, `max_cycles`: as in the
  [PettingZoo environment](aec.md).
* `opponents`: who plays the other seats, clockwise from the learner: a list with an entry per seat,
  or one entry for all of them. Without `num_players` a list also sets the size of the table. In
  `teams` the entry opposite the learner is its partner. An entry is
    * `"random"`, built in: uniform over the legal actions, seeded by `reset(seed=...)`;
    * any other agent spec string, such as `"heuristic"` or `"runs/x/best"`, if a package registers
      the entry point group `uno_env.agents`: a callable `resolve(spec)` that returns an agent;
    * a function `(view, legal) -> action`: it gets `Game.view(seat)` and `Game.legal()` and
      returns a text or an id;
    * an object with that as its method `act`, or with `act_batch(obs, mask) -> ids`.
* `seat`: the learner's seat, or `"random"`: drawn for each episode.
* `scaled`: float32 observations, each block divided by its scale (`uno_env.scaled`).

`reset(seed=s)` deals the game of `uno_env.Game(..., seed=s)`; without a seed the games follow
in a fixed order. The seat and `random` opponents draw from the environment's generator; other
agents are seeded by their `reset(seed)`, if they have it. A game that ends before the
learner's first decision, which is rare, is replaced by the next.

### Observation Space

The bytes that `uno_env.describe_observation()` describes, from the learner's seat;
`observation_space.version` is the version of their layout. The info holds the learner's `seat`, the
`phase`, with `info_actions` the legal `actions` as texts, and at the end `reason` (`won`,
whoever did; `void`; or the illegal action), the `winners` (seats) and the `scores`.

#### Legal Actions Mask

`action_masks()` has a 1 for each legal action; after the end it is all zeros. Wrappers hide
methods: use `env.unwrapped.action_masks()` or `env.get_wrapper_attr("action_masks")()`. An illegal
action ends the episode with `illegal_reward` (`illegal="terminate"`), raises (`"raise"`), or costs
cards (`"penalty"`). An illegal action of an opponent raises `uno_env.IllegalAction` with its name.

### Rewards

The learner's own, accumulated until its next decision; in UNO all of it comes with the last step.
`terminated` is set when any seat wins or after an illegal action, `truncated` after a void round.
When the learner is eliminated or out, its step lasts until it is asked again, or to the end.

### Version History

* v0: first version
"""

from collections.abc import Sequence
from typing import Any, Literal, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces

from ..actions import ACTIONS, NUM_ACTIONS
from ..array_types import Array, Mask
from ..engine.single import ENDED
from ..game import Episode, IllegalAction, check_seed
from ..rules.rules import Rules
from .observation_spec import OBS_VERSION, observation_box, scaled, scaled_box
from .opponents import RandomOpponent, opponent_seed, reset_agent, seat_opponents
from .options import (
    RENDER_MODES,
    Illegal,
    Reward,
    action_number,
    agreed_rules,
    check_common,
    table_size,
)
from .session import GameSession


class UnoEnv(gymnasium.Env[Array, np.int64]):
    """One learner against opponents; the module's docstring explains the arguments."""

    metadata = {  # noqa: RUF012  # Gymnasium's form
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "observation_version": OBS_VERSION,
    }

    def __init__(
        self,
        variant: str | Rules = "classic",
        num_players: int | None = None,
        opponents: Any = "random",
        seat: int | Literal["random"] = "random",
        rules: Rules | None = None,
        episode: Episode = "round",
        reward: Reward = "win",
        scaled: bool = False,
        render_mode: str | None = None,
        illegal: Illegal | None = None,
        illegal_reward: float = -1.0,
        void_reward: float = 0.0,
        info_actions: bool = False,
        max_cycles: int | None = None,
        keep_events: bool = False,
    ) -> None:
        check_common(episode, reward, render_mode)
        self.rules, self.illegal = agreed_rules(variant, rules, illegal, max_cycles, episode)
        is_list = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        if num_players is None and is_list and len(opponents) > 1:
            num_players = len(opponents) + 1
        self.num_players = table_size(self.rules, num_players)
        self.opponents = seat_opponents(opponents, self.num_players)
        self.reward: Reward = reward
        self.scaled = bool(scaled)
        self.render_mode = render_mode
        self.illegal_reward = float(illegal_reward)
        self.void_reward = float(void_reward)
        self.info_actions = bool(info_actions)
        self.wanted_seat = _check_seat(seat, self.num_players)
        self.observation_space = scaled_box() if self.scaled else observation_box()
        self.action_space = spaces.Discrete(NUM_ACTIONS)
        is_told = keep_events or render_mode is not None
        needs_events = is_told or any(who.needs_events for who in self.opponents)
        self._session = GameSession(self.rules, self.num_players, episode, needs_events)
        self._has_reset = False
        self._ended = True
        self.seat = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Deal, and let the others play up to the learner's first decision."""
        super().reset(seed=seed)
        session = self._session
        if seed is not None:
            session.deal(check_seed(seed))
        elif self._has_reset:
            session.deal_next()
        else:
            session.deal(int(self.np_random.integers(2**63)))
        self.seat = self.wanted_seat
        if self.seat < 0:
            self.seat = int(self.np_random.integers(self.num_players))
        for number, who in enumerate(self.opponents):
            if isinstance(who, RandomOpponent):
                who.reset(int(self.np_random.integers(2**63)))
            elif seed is not None:
                reset_agent(who.agent, opponent_seed(seed, number))
        self._has_reset = True
        self._play_others()
        while session.actor < 0:
            session.deal_next()
            self._play_others()
        self._ended = False
        self._show()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Array, SupportsFloat, bool, bool, dict[str, Any]]:
        """The learner's action, and all that follows up to its next decision."""
        if self._ended:
            raise gymnasium.error.ResetNeeded("reset() needs to be called before step()")
        number = action_number(action)
        session = self._session
        if session.step(number) < ENDED:
            return self._refuse(number)
        self._play_others()
        self._show()
        if session.actor >= 0:
            return self._observation(), 0.0, False, False, self._info()
        self._ended = True
        is_void = session.game.void
        reward = self.void_reward if is_void else session.game.rewards(self.reward)[self.seat]
        info = self._end_info("void" if is_void else "won")
        return self._observation(), reward, not is_void, is_void, info

    def _play_others(self) -> None:
        """Until the learner is to act or the episode is over."""
        session = self._session
        while session.actor not in (self.seat, -1):
            place = (session.actor - self.seat) % self.num_players
            who = self.opponents[place - 1]
            number = who(session)
            if session.step(number) < ENDED:
                raise IllegalAction(f"opponent {who.name} chose {_name(number)}, which is illegal")

    def _refuse(self, number: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        what = f"illegal action {_name(number)} by the learner"
        if self.illegal == "raise":
            raise IllegalAction(f"{what}; action_masks() has the legal ones")
        self._ended = True
        return self._observation(), self.illegal_reward, True, False, self._end_info(what)

    def action_masks(self) -> Mask:
        """A 1 for each action that is legal now."""
        return np.zeros(NUM_ACTIONS, np.int8) if self._ended else self._session.mask.copy()

    def view(self) -> dict[str, Any]:
        """All that the learner may know, as `Game.view`; with events if they are kept."""
        return self._session.game.view(self.seat)

    def _observation(self) -> Array:
        obs, _ = self._session.observe(self.seat)
        return scaled(obs) if self.scaled else obs

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"seat": self.seat, "phase": self._session.phase(self.seat)}
        if self.info_actions:
            info["actions"] = self._session.game.legal()
        return info

    def _end_info(self, reason: str) -> dict[str, Any]:
        game = self._session.game
        won = list(game.winners)
        ended = {"phase": "over", "reason": reason, "winners": won, "scores": game.scores}
        return {"seat": self.seat, **ended}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Draw the table as `render_mode` says, from what the learner may know."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode, given when the env is made.")
            return None
        return self._session.draw(self.render_mode, self.seat)

    def close(self) -> None:
        """Close the window, if one was opened."""
        if self.render_mode == "human":
            self._session.close()


def _name(number: int) -> str:
    known = 0 <= number < NUM_ACTIONS
    return f"{number} ({ACTIONS[number]})" if known else str(number)


def _check_seat(seat: Any, num_players: int) -> int:
    """The seat wanted, -1 for a random one."""
    if seat == "random":
        return -1
    if isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < num_players:
        return seat
    raise ValueError(f"seat is {seat!r}; allowed: random, 0 to {num_players - 1}")
