"""The options the environments share, checked: rules, table size, what an illegal action does."""

from collections.abc import Sequence
from operator import index
from typing import Any, Literal

from ..actions import NUM_ACTIONS
from ..engine.mechanics.rewards import REWARDS
from ..game import Episode, check_episode, resolve_rules
from ..rules.presets import default_players
from ..rules.rules import Rules

Reward = Literal["win", "points", "places"]
Illegal = Literal["terminate", "raise", "penalty"]
RenderSeat = int | Literal["actor", "all"]

ILLEGALS = ("terminate", "raise", "penalty")
RENDER_MODES = ("human", "ansi", "rgb_array", "svg")


def check_choice(name: str, value: Any, allowed: Sequence[Any]) -> None:
    """An error that names the option, its value and what is allowed."""
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; allowed: {', '.join(map(str, allowed))}")


def check_common(episode: str, reward: str, render_mode: str | None) -> None:
    """The options that are one of a few words."""
    check_episode(episode)
    check_choice("reward", reward, REWARDS)
    if render_mode is not None:
        check_choice("render_mode", render_mode, RENDER_MODES)


def agreed_rules(
    variant: str | Rules,
    rules: Rules | None,
    illegal: Illegal | None,
    max_cycles: int | None = None,
    episode: Episode = "round",
) -> tuple[Rules, Illegal]:
    """The rules that are really played, and what an illegal action does.

    Without `illegal` the rules decide: a penalty if they have one for faults, else the end.
    """
    chosen = resolve_rules(variant, rules)
    if illegal is None:
        illegal = "penalty" if chosen.fault_mode == "penalty" else "terminate"
    check_choice("illegal", illegal, ILLEGALS)
    fault_mode = "penalty" if illegal == "penalty" else "mask"
    if chosen.fault_mode != fault_mode:
        chosen = chosen.replace(fault_mode=fault_mode)
    if max_cycles is not None:
        if episode != "round":
            raise ValueError(f"max_cycles is {max_cycles!r}; it needs episode='round'")
        chosen = chosen.replace(max_steps=max_cycles)
    return chosen, illegal


def table_size(rules: Rules, num_players: int | None) -> int:
    """The number of seats, the variant's usual one when none is asked for."""
    if num_players is None:
        num_players = max(default_players(rules.variant), rules.min_players)
    rules.check_players(num_players)
    return num_players


def check_render_seat(seat: Any, num_players: int) -> RenderSeat:
    """A seat of the table, or one of the words."""
    is_seat = isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < num_players
    if not is_seat and seat not in ("actor", "all"):
        raise ValueError(f"render_seat is {seat!r}; allowed: actor, all, 0 to {num_players - 1}")
    return seat  # type: ignore[no-any-return]


def action_number(action: Any) -> int:
    """An action of the space as an int: a compiled kernel must not meet other integer types."""
    try:
        number = index(action)
    except TypeError:
        number = -1
    if 0 <= number < NUM_ACTIONS:
        return number
    raise unknown_action(action)


def unknown_action(action: Any) -> AssertionError:
    """The error for what is not in the action space."""
    text = f"action is not in action space: {action!r}, not 0 to {NUM_ACTIONS - 1}"
    return AssertionError(text)
