"""The hand-written player, for every variant, house rule, phase and table size: `heuristic`.

It is a compiled function of the observation alone, so it cannot see a hidden card. What it does,
with coefficients in `kernels/coefficients.py`:

- **Goes out** as soon as it can: with its last card, with cards after which it plays again, with a
  discard-all of a one-coloured hand, with a sum.
- **Plays a card** whenever it can, and of those the one that leaves the best hand: cards
  whose kind it holds in another colour are kept as bridges between colours, wilds as last cards
  and draw cards as answers to penalties, until the next seat is about to go out.
- **Sheds points**: among equals the higher card goes first; where each seat adds its own points,
  high cards go earlier once somebody is low.
- **Counts cards**: colours that the next seat has shown to lack, or of which few cards are left,
  are played and named against it. It prefers to name a colour it holds itself.
- **Bluffs** with a wild draw four only with few cards in hand, and **challenges** one when the
  colour was likely enough to be held, by what has been seen.
- **Answers penalties** with the cheapest card that will do, a joker included; never with a
  wild-reverse-draw4 that would face itself. A penalty that eliminates goes before all else.
- **Swaps** its hand for the smallest if that is smaller; plays a seven, a zero or a swap card by
  what that gains. As victim of a roulette it names the colour of which most is unseen.
- **Calls UNO and catches** always, jumps in and sums whenever it may.
- **Plays for its team**: gives away cards of its richest colour and never a wild if it can help it,
  hits no partner, and names colours the partner can follow.

`heuristic:style=bluffer` and other styles change some of the coefficients: `kernels/styles.py`.
"""

import numpy as np

from uno_env.actions import NUM_ACTIONS
from uno_env.array_types import Bytes, Ints
from uno_env.envs.observation_spec import OBS_SIZE
from uno_env.state_io.encode_view import chosen_text, encode_batch_of_one
from uno_env.state_io.view import View

from ..base import AgentError
from ..specs import did_you_mean
from .kernels.policy import choose_batch
from .kernels.styles import STYLE_TABLE

STYLE_NUMBERS = {name: number for number, name in enumerate(STYLE_TABLE)}
"""The styles by name, with their numbers for the kernels."""


def style_number(name: str) -> int:
    """The number of a style, or an error that lists all of them."""
    if name not in STYLE_NUMBERS:
        raise AgentError(
            f"heuristic has no style {name!r}; allowed: {', '.join(STYLE_NUMBERS)}"
            f"{did_you_mean(name, STYLE_NUMBERS)}"
        )
    return STYLE_NUMBERS[name]


class HeuristicAgent:
    """Plays by hand-written rules over what its seat may know; see the module.

    Args:
        seed: of the generator that breaks ties.
        style: the name of a style, one of `kernels.styles.STYLE_TABLE`.
    """

    def __init__(self, seed: int = 0, style: str = "plain") -> None:
        self.style = style
        self._style = style_number(style)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """With a seed, break ties as a new agent of that seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed).integers(0, 2**64, 1, np.uint64)

    def act(self, view: View, legal: list[str]) -> str:
        """One action for a view."""
        return chosen_text(int(self.act_batch(*encode_batch_of_one(view, legal))[0]), legal)

    def act_batch(self, obs: Bytes, mask: Bytes) -> Ints:
        """One action id for each row of observations (B, 1280) and masks (B, 208)."""
        ids = np.empty(len(obs), np.int64)
        choose_batch(
            _rows(obs, "obs", len(ids), OBS_SIZE),
            _rows(mask, "mask", len(ids), NUM_ACTIONS),
            self._rng,
            self._style,
            ids,
        )
        return ids

    def __repr__(self) -> str:
        return "<agent heuristic>" if not self._style else f"<agent heuristic:style={self.style}>"


def _rows(array: Bytes, name: str, count: int, width: int) -> Bytes:
    """The rows in the one layout the kernel is compiled for."""
    if array.shape != (count, width):
        raise ValueError(f"{name} has shape {array.shape}; ({count}, {width}) is needed")
    rows = np.ascontiguousarray(array, np.uint8)
    return rows if rows.flags.writeable else rows.copy()
