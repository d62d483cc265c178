"""UNO in OpenSpiel's terms: a game and its states, with the methods of `pyspiel.Game` and `State`.

Neither class needs OpenSpiel. `register()` puts the game into it, for its own algorithms:

    openspiel.register()
    game = pyspiel.load_game("uno(variant=no_mercy,players=3)")

Chance is the deal: the first node is a chance node with `deals` equally likely outcomes, outcome k
being the deal of seed `seed + k`. It fixes every later draw and reshuffle as well, so there is no
other chance node, and a search on clones of a state sees cards to come. An honest search starts
from `resample_from_infostate`, which deals anew all that the player cannot know.
"""

from typing import Any

from ..actions import NUM_ACTIONS
from ..engine.mechanics.rewards import REWARDS
from ..envs.observation_spec import OBS_SIZE
from ..envs.options import check_choice, table_size
from ..game import Episode, check_episode, check_seed
from ..rules.rules import Rules
from .event_recall import ROW
from .openspiel_state import CHANCE, OWN_ACTIONS, TERMINAL, UnoState

__all__ = ["CHANCE", "DEFAULTS", "OWN_ACTIONS", "TERMINAL", "UnoGame", "UnoState", "register"]

SHORT_NAME = "uno"
DEFAULTS: dict[str, Any] = {
    "variant": "classic",
    "players": 0,
    "deals": 1000,
    "seed": 0,
    "episode": "round",
    "reward": "win",
    "history": 128,
}
"""Parameters of the game; 0 players means the variant's usual table."""
MAX_POINTS = 1000.0
"""Bound of returns under `reward="points"`: a hundred thousand card points."""


class UnoGame:
    """The game: rules, table size and deals; creates initial states.

    Args:
        variant: a preset, or a rules text such as `no_mercy(stacking=none)`.
        players: table size, 0 for the variant's usual one.
        deals: outcomes of the chance node.
        seed: the deal of outcome 0.
        episode: one round, or a match: rounds until the match target.
        reward: what returns are, `win`, `points` or `places`; they sum to zero.
        history: events in the information state tensor, the newest.
    """

    def __init__(
        self,
        variant: str | Rules = "classic",
        players: int = 0,
        deals: int = 1000,
        seed: int = 0,
        episode: Episode = "round",
        reward: str = "win",
        history: int = 128,
    ) -> None:
        self.rules = variant if isinstance(variant, Rules) else Rules.from_text(variant)
        self.players = table_size(self.rules, players or None)
        if type(deals) is not int or deals < 1:
            raise ValueError(f"deals is {deals!r}; an integer from 1 on is needed")
        self.deals = deals
        self.seed = check_seed(seed)
        check_seed(seed + deals - 1)
        self.episode = check_episode(episode)
        check_choice("reward", reward, REWARDS)
        self.reward = reward
        if type(history) is not int or history < 0:
            raise ValueError(f"history is {history!r}; a number of events from 0 on is needed")
        self.history = history

    def new_initial_state(self) -> UnoState:
        """The chance node before the deal."""
        return UnoState(self)

    def num_players(self) -> int:
        """Seats at the table."""
        return self.players

    def num_distinct_actions(self) -> int:
        """Size of the action table."""
        return NUM_ACTIONS

    def max_chance_outcomes(self) -> int:
        """Number of deals."""
        return self.deals

    def max_game_length(self) -> int:
        """Decisions after which a round is void, times the rounds of a match."""
        rounds = self.rules.max_rounds if self.episode == "match" else 1
        return int(self.rules.max_steps * rounds)

    def min_utility(self) -> float:
        """A loss: losers share what the winners gain, and never lose more than one each."""
        return -self.max_utility()

    def max_utility(self) -> float:
        """A win, or a bound of what points can bring."""
        return MAX_POINTS if self.reward == "points" else 1.0

    def utility_sum(self) -> float:
        """Returns sum to zero, in a void round too."""
        return 0.0

    def observation_tensor_shape(self) -> list[int]:
        """One flat vector."""
        return [OBS_SIZE]

    def observation_tensor_size(self) -> int:
        """Its length."""
        return OBS_SIZE

    def information_state_tensor_shape(self) -> list[int]:
        """One flat vector: the observation, the history row by row, own actions."""
        return [OBS_SIZE + self.history * ROW + OWN_ACTIONS]

    def information_state_tensor_size(self) -> int:
        """Its length."""
        return self.information_state_tensor_shape()[0]


def register() -> str:
    """Make the game known to OpenSpiel; its short name."""
    from . import openspiel_game  # noqa: F401  # importing it registers

    return SHORT_NAME
