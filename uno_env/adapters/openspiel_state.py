"""A state of UNO in OpenSpiel's terms, with the methods of `pyspiel.State`."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from ..actions import NUM_ACTIONS, action_text
from ..envs.observation_spec import OBS_SIZE, scaled
from ..game import Game
from ..state_io.determinize import determinize
from ..state_io.events import visible_events
from ..state_io.view import cards_of
from .event_recall import EventRecall

if TYPE_CHECKING:
    from .openspiel import UnoGame

CHANCE = -1
TERMINAL = -4
OWN_ACTIONS = 64
"""Own actions in the information state tensor, the newest."""

_NOT_OBSERVED = ("format", "rules", "engine_state", "events", "legal")


class UnoState:
    """A point of one round or match: before the deal, a decision, or the end."""

    def __init__(self, game: "UnoGame") -> None:
        self._game = game
        self._table: Game | None = None
        self._history: list[int] = []
        self._own: list[list[int]] = [[] for _ in range(game.players)]
        self._recall = EventRecall(game.players)

    @property
    def table(self) -> Game:
        """The running game; hidden cards included, so not for players."""
        if self._table is None:
            raise ValueError("nothing has been dealt; apply a chance outcome first")
        return self._table

    def get_game(self) -> "UnoGame":
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
        """Whether the episode is over."""
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
            self._recall.note(self._table)
            if actor is not None:
                self._own[actor].append(int(action))
        self._history.append(int(action))

    def _deal(self, outcome: int) -> None:
        game = self._game
        if not 0 <= outcome < game.deals:
            raise ValueError(f"outcome is {outcome}; this game has deals 0 to {game.deals - 1}")
        self._table = Game(game.rules, game.players, game.seed + outcome, game.episode)
        self._recall.note(self._table)

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """An action in words; without a player it is one of the player to decide."""
        if action is None:
            player, action = self.current_player(), player
        if player == CHANCE:
            return f"deal {action}"
        return action_text(action, None if self._table is None else self._table.phase)

    # Results.

    def returns(self) -> list[float]:
        """Of every seat, by the game's reward; zeros before the end and when void.

        `win` is +1 to each winner and a shared loss to the others.
        """
        if self._table is None:
            return [0.0] * self._game.players
        return self._table.rewards(self._game.reward)

    def rewards(self) -> list[float]:
        """What the last action brought, which is all of the returns at the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """The return of one seat."""
        return self.returns()[player]

    # What a player knows.

    def observation_tensor(self, player: int | None = None) -> npt.NDArray[np.float32]:
        """The scaled observation; zeros before the deal. It sums up the past."""
        if self._table is None:
            return np.zeros(OBS_SIZE, np.float32)
        return scaled(self._table.observe(self._observer(player)))

    def information_state_tensor(self, player: int | None = None) -> npt.NDArray[np.float32]:
        """The observation, all events the seat knows of and its own actions, the newest last.

        It forgets what is older than `history` events and `OWN_ACTIONS` actions; the string does
        not. Zeros before the deal.
        """
        if self._table is None:
            return np.zeros(self._game.information_state_tensor_size(), np.float32)
        seat = self._observer(player)
        rows = self._recall.rows(self._table, seat, self._game.history)
        own = np.zeros(OWN_ACTIONS, np.float32)
        newest = self._own[seat][-OWN_ACTIONS:]
        own[OWN_ACTIONS - len(newest) :] = (np.array(newest, np.float32) + 1) / NUM_ACTIONS
        return np.concatenate([self.observation_tensor(seat), rows.ravel(), own])

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
        twin._recall = self._recall.copy()
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
            twin._recall = self._recall.only_for(player, table)
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
