"""The UNO game as OpenSpiel's own classes; importing this module registers it as `uno`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..actions import MAX_SEATS, NUM_ACTIONS
from ..envs.observation_spec import OBS_SIZE, observation_blocks
from .event_recall import ROW
from .openspiel import DEFAULTS, OWN_ACTIONS, SHORT_NAME, UnoGame, UnoState

try:
    import pyspiel
except ImportError as error:
    raise ImportError(
        "uno_env.adapters.openspiel_game needs OpenSpiel: pip install open_spiel"
    ) from error

GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="UNO and its variants",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_SEATS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class PyspielUno(pyspiel.Game):
    """`UnoGame` as OpenSpiel loads it."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.uno = UnoGame(**(DEFAULTS | given))
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=self.uno.max_chance_outcomes(),
            num_players=self.uno.num_players(),
            min_utility=self.uno.min_utility(),
            max_utility=self.uno.max_utility(),
            utility_sum=self.uno.utility_sum(),
            max_game_length=self.uno.max_game_length(),
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self) -> "PyspielUnoState":
        """The chance node before the deal."""
        return PyspielUnoState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "UnoObserver":
        """What turns states into observations."""
        return UnoObserver(self.uno, iig_obs_type, params)

    def information_state_tensor_shape(self) -> list[int]:
        """One flat vector."""
        return self.uno.information_state_tensor_shape()


class PyspielUnoState(pyspiel.State):
    """`UnoState` behind the methods that OpenSpiel asks Python games for."""

    def __init__(self, game: PyspielUno) -> None:
        super().__init__(game)
        self.uno: UnoState = game.uno.new_initial_state()

    def current_player(self) -> int:
        """The seat to decide, chance, or the end."""
        return self.uno.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.uno.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal with its probability."""
        return self.uno.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.uno.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.uno.action_to_string(player, action)

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.uno.is_terminal()

    def returns(self) -> list[float]:
        """Of each seat."""
        return self.uno.returns()

    def resample_from_infostate(
        self, player: int, sampler: Callable[[], float]
    ) -> "PyspielUnoState":
        """A state that looks the same to `player`, for OpenSpiel's ISMCTS."""
        twin: PyspielUnoState = self.clone()
        twin.uno = self.uno.resample_from_infostate(player, sampler)
        return twin

    def __str__(self) -> str:
        return str(self.uno)


class UnoObserver:
    """Observations in OpenSpiel's form: a flat tensor, its named blocks, and a string."""

    def __init__(self, game: UnoGame, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"params is {params!r}; UNO's observer has none")
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        self._recalls = bool(recalls)
        size = game.information_state_tensor_size() if self._recalls else OBS_SIZE
        self.tensor = np.zeros(size, np.float32)
        self.dict = {
            block.name: self.tensor[block.offset : block.offset + block.size]
            for block in observation_blocks()
        }
        if self._recalls:
            own = size - OWN_ACTIONS
            self.dict["history"] = self.tensor[OBS_SIZE:own].reshape(-1, ROW)
            self.dict["own_actions"] = self.tensor[own:]

    def set_from(self, state: PyspielUnoState, player: int) -> None:
        """Write what `player` observes, or with perfect recall has observed."""
        uno = state.uno
        self.tensor[:] = (
            uno.information_state_tensor(player)
            if self._recalls
            else uno.observation_tensor(player)
        )

    def string_from(self, state: PyspielUnoState, player: int) -> str:
        """The same in words, or with perfect recall the information state."""
        if self._recalls:
            return state.uno.information_state_string(player)
        return state.uno.observation_string(player)


pyspiel.register_game(GAME_TYPE, PyspielUno)
