"""UNO in OpenSpiel's terms: a game and its states, with the methods of `pyspiel.Game` and `State`.

Neither class needs OpenSpiel. `register()` puts the game into it, for its own algorithms:

    openspiel.register()
    game = pyspiel.load_game("uno(variant=no_mercy,players=3)")

Chance is the deal: the first node is a chance node with `deals` equally likely outcomes, outcome k
being the deal of seed `seed + k`. It fixes every later draw and reshuffle as well, so there is no
other chance node, and a search on clones of a state sees cards to come. An honest search starts
from `resample_from_infostate`, which deals anew all that the player cannot know.
"""

import json
from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from ..actions import NUM_ACTIONS, action_text
from ..envs.observation_spec import OBS_SIZE, scaled
from ..envs.options import table_size
from ..game import Game, check_seed
from ..rules.rules import Rules
from ..state_io.determinize import determinize
from ..state_io.events import visible_events
from ..state_io.view import cards_of

CHANCE = -1
TERMINAL = -4
SHORT_NAME = "uno"
DEFAULTS: dict[str, Any] = {"variant": "classic", "players": 0, "deals": 1000, "seed": 0}
"""Parameters of the game; 0 players means the variant's usual table."""

_NOT_OBSERVED = ("format", "rules", "engine_state", "events", "legal")


class UnoGame:
    """What is played; states start here.

    Args:
        variant: a preset, or a rules text such as `no_mercy(stacking=none)`.
        players: table size, 0 for the variant's usual one.
        deals: outcomes of the chance node.
        seed: the deal of outcome 0.
    """

    def __init__(
        self, variant: str | Rules = "classic", players: int = 0, deals: int = 1000, seed: int = 0
    ) -> None:
        self.rules = variant if isinstance(variant, Rules) else Rules.from_text(variant)
        self.players = table_size(self.rules, players or None)
        if type(deals) is not int or deals < 1:
            raise ValueError(f"deals is {deals!r}; an integer from 1 on is needed")
        self.deals = deals
        self.seed = check_seed(seed)
        check_seed(seed + deals - 1)

    def new_initial_state(self) -> "UnoState":
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
        """Decisions after which a round is void."""
        return int(self.rules.max_steps)

    def min_utility(self) -> float:
        """A loss: losers share what the winners gain, and never lose more than one each."""
        return -1.0

    def max_utility(self) -> float:
        """A win."""
        return 1.0

    def utility_sum(self) -> float:
        """Returns sum to zero, in a void round too."""
        return 0.0

    def observation_tensor_shape(self) -> list[int]:
        """One flat vector."""
        return [OBS_SIZE]

    def observation_tensor_size(self) -> int:
        """Its length."""
        return OBS_SIZE


class UnoState:
    """A point of one round: before the deal, a decision, or the end."""

    def __init__(self, game: UnoGame) -> None:
        self._game = game
        self._table: Game | None = None
        self._history: list[int] = []
        self._own: list[list[int]] = [[] for _ in range(game.players)]

    @property
    def table(self) -> Game:
        """The running game; hidden cards included, so not for players."""
        if self._table is None:
            raise ValueError("nothing has been dealt; apply a chance outcome first")
        return self._table

    def get_game(self) -> UnoGame:
        """The game this is a state of."""
        return self._game

    # Whose decision it is, and what can be done.

    def current_player(self) -> int:
        """The seat to decide, or OpenSpiel's numbers for chance and the end."""
        if self._table is None:
            return CHANCE
        actor = self._table.actor
        return TERMINAL if actor is None else actor

    def is_chance_node(self) -> bool:
        """Whether the deal comes next."""
        return self._table is None

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self._table is not None and self._table.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal with its probability."""
        if not self.is_chance_node():
            raise ValueError("chance_outcomes() is for the chance node; the cards are dealt")
        chance = 1.0 / self._game.deals
        return [(outcome, chance) for outcome in range(self._game.deals)]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Legal ids in order, of the player to decide; of another player none."""
        if self._table is None:
            return list(range(self._game.deals)) if player in (None, CHANCE) else []
        mine = player is None or player == self._table.actor
        return self._table.legal_ids() if mine else []

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """The same as zeros and ones."""
        mask = [0] * (self._game.deals if self._table is None else NUM_ACTIONS)
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Deal, or take an action; an illegal one raises and changes nothing."""
        if self._table is None:
            self._deal(int(action))
        else:
            actor = self._table.actor
            self._table.step(int(action))
            if actor is not None:
                self._own[actor].append(int(action))
        self._history.append(int(action))

    def _deal(self, outcome: int) -> None:
        game = self._game
        if not 0 <= outcome < game.deals:
            raise ValueError(f"outcome is {outcome}; this game has deals 0 to {game.deals - 1}")
        self._table = Game(game.rules, game.players, game.seed + outcome)

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """An action in words; without a player it is one of the player to decide."""
        if action is None:
            player, action = self.current_player(), player
        if player == CHANCE:
            return f"deal {action}"
        return action_text(action, None if self._table is None else self._table.phase)

    # Results.

    def returns(self) -> list[float]:
        """+1 to each winner, a shared loss to the others; zeros before the end and when void."""
        if self._table is None:
            return [0.0] * self._game.players
        return self._table.rewards("win")

    def rewards(self) -> list[float]:
        """What the last action brought, which is all of the returns at the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """The return of one seat."""
        return self.returns()[player]

    # What a player knows.

    def observation_tensor(self, player: int | None = None) -> npt.NDArray[np.float32]:
        """The scaled observation; zeros before the deal.

        It sums up the past and so is no information state: there is no tensor of that.
        """
        if self._table is None:
            return np.zeros(OBS_SIZE, np.float32)
        return scaled(self._table.observe(self._observer(player)))

    def observation_string(self, player: int | None = None) -> str:
        """What the seat sees on the table, as JSON."""
        if self._table is None:
            return "{}"
        view = self._table.view(self._observer(player))
        return json.dumps({key: view[key] for key in view if key not in _NOT_OBSERVED})

    def information_state_string(self, player: int | None = None) -> str:
        """All the seat has seen and done since the deal, as JSON."""
        if self._table is None:
            return "{}"
        seat, table = self._observer(player), self._table
        is_asked = seat == table.actor
        known = {
            "seat": seat,
            "hand": cards_of(table.engine_arrays.games["hands"][0, seat]),
            "asked": table.phase if is_asked else None,
            "legal": table.legal_ids() if is_asked else [],
            "own": self._own[seat],
            "events": visible_events(table.events, seat),
        }
        return json.dumps(known)

    def _observer(self, player: int | None) -> int:
        return self.current_player() if player is None else player

    # Copies.

    def clone(self) -> Self:
        """An independent copy, with the same cards to come."""
        twin = object.__new__(type(self))
        twin._game = self._game
        twin._table = None if self._table is None else self._table.clone()
        twin._history = self._history.copy()
        twin._own = [actions.copy() for actions in self._own]
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def child(self, action: int) -> Self:
        """The state after an action."""
        state = self.clone()
        state.apply_action(action)
        return state

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> Self:
        """A state that looks the same to `player`; hidden cards and cards to come are dealt anew.

        Its information state for `player` is this one's, for the others it starts here.
        """
        twin = self.clone()
        if self._table is not None and not self._table.over:
            view = self._table.view(player)
            table = determinize(view, np.random.default_rng(int(sampler() * 2**53)))
            table.events = list(view["events"])
            twin._table = table
            twin._own = [own if seat == player else [] for seat, own in enumerate(twin._own)]
        return twin

    def history(self) -> list[int]:
        """The outcome dealt and every action since."""
        return self._history.copy()

    def history_str(self) -> str:
        """The same in one line."""
        return " ".join(map(str, self._history))

    def __str__(self) -> str:
        if self._table is None:
            return "before the deal"
        return f"deal {self._history[0]} after {len(self._history) - 1} actions: {self._table!r}"


def register() -> str:
    """Make the game known to OpenSpiel; its short name."""
    from . import openspiel_game  # noqa: F401  # importing it registers

    return SHORT_NAME
