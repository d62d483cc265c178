"""RLCard's rule-based UNO player as an agent: `rlcard:uno-rule-v1` (extra `bench`).

It asks RLCard's own code, with the seat's hand and legal plays written as RLCard writes them. What
RLCard's game does not know (calls, challenges, swaps) is decided as `greedy` decides it.
"""

from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from uno_env.cards import COLORS
from uno_env.state_io.view import View

from .base import AgentError
from .simple import GreedyAgent

MODEL = "uno-rule-v1"
LETTERS = {"red": "r", "green": "g", "blue": "b", "yellow": "y"}
COLOR_OF = {letter: color for color, letter in LETTERS.items()}
SYMBOLS = {"draw2": "draw_2", "wild": "wild", "wild-draw4": "wild_draw_4"}
SYMBOL_OF = {theirs: ours for ours, theirs in SYMBOLS.items()}
KNOWN = {*map(str, range(10)), "skip", "reverse", "draw2"}


class RulePlayer:
    """RLCard's rule-based player as it is, except that the same seed gives the same choices.

    Its code draws from numpy's global generator. The same function runs here with another `np`
    among its globals, one whose `random` is a generator of this player's own.
    """

    def __init__(self, seed: int = 0) -> None:
        from rlcard.models.uno_rule_models import UNORuleAgentV1

        step = UNORuleAgentV1.step
        self._rule = UNORuleAgentV1()
        self._numpy = SimpleNamespace(random=np.random.default_rng(seed))
        self._step = FunctionType(step.__code__, {**step.__globals__, "np": self._numpy})

    def reset(self, seed: int | None = None) -> None:
        """With a seed, choose as a new player of that seed."""
        if seed is not None:
            self._numpy.random = np.random.default_rng(seed)

    def step(self, state: dict[str, Any]) -> str:
        """Its action for one of RLCard's states."""
        return str(self._step(self._rule, state))


class RlcardAgent:
    """RLCard's `uno-rule-v1` behind our protocol.

    Args:
        model: which model; there is one.
        seed: of the generators it chooses by.
    """

    def __init__(self, model: str = MODEL, seed: int = 0) -> None:
        if model != MODEL:
            raise AgentError(f"unknown RLCard model {model!r}; the only one for UNO is {MODEL!r}")
        self._player = RulePlayer(seed)
        self._others = GreedyAgent(seed)

    def reset(self, seed: int | None = None) -> None:
        """With a seed, choose as a new agent of that seed."""
        self._player.reset(seed)
        self._others.reset(seed)

    def act(self, view: View, legal: list[str]) -> str:
        """Its choice for one view."""
        choices = their_choices(view, legal)
        if not choices:
            return self._others.act(view, legal)
        hand = [their_card(card) for card in view["hand"] if is_known(card)]
        state = {"raw_legal_actions": list(choices), "raw_obs": {"hand": hand}}
        return choices[self._player.step(state)]

    def __repr__(self) -> str:
        return f"<agent rlcard:{MODEL}>"


def their_choices(view: View, legal: list[str]) -> dict[str, str]:
    """RLCard's legal actions and ours behind each; none where RLCard's game has no such choice.

    RLCard plays a wild and names its colour at once. Here the colour is a decision of its own, so
    any of the four stands for playing the card, and the choice of colour is asked as if the card
    were still to be played.
    """
    if view["phase"] == "color" and view["top_card"] in SYMBOLS:
        return {
            their_card(view["top_card"], color): f"color {color}"
            for color in COLORS
            if f"color {color}" in legal
        }
    plays = [text.removeprefix("play ") for text in legal if text.startswith("play ")]
    if view["phase"] not in ("play", "play-drawn") or not all(map(is_known, plays)):
        return {}
    if not plays:
        return {"draw": "draw"} if "draw" in legal else {}
    # RLCard offers a wild draw four only to a seat that has nothing else to play.
    others = [card for card in plays if card != "wild-draw4"] or plays
    return {
        their_card(card, color): f"play {card}"
        for card in others
        for color in (COLORS if card in SYMBOLS else COLORS[:1])
    }


def is_known(card: str) -> bool:
    """Whether RLCard's deck has the card."""
    color, _, symbol = card.partition("-")
    return card in ("wild", "wild-draw4") or (color in LETTERS and symbol in KNOWN)


def their_card(card: str, color: str = "red") -> str:
    """A card as RLCard writes it; wilds carry a colour there."""
    if card in SYMBOLS:
        return f"{LETTERS[color]}-{SYMBOLS[card]}"
    of_card, _, symbol = card.partition("-")
    return f"{LETTERS[of_card]}-{SYMBOLS.get(symbol, symbol)}"


def our_card(text: str) -> tuple[str, str]:
    """One of RLCard's cards by our name, and the colour it carries."""
    letter, _, symbol = text.partition("-")
    color, ours = COLOR_OF[letter], SYMBOL_OF.get(symbol, symbol)
    return (ours if ours.startswith("wild") else f"{color}-{ours}"), color
