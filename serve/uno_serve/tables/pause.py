"""How long a table pauses after a move, judged by what everybody sees.

Everything here must be the same whether somebody has a hidden decision to make or not.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Self

from uno_env import Game, Rules
from uno_env.actions import DRAW, action_text

from .reaction_window import is_hidden, is_silent
from .setup import Seat, TableSetup

UNFINISHED_CARD = frozenset({"color", "swap-target", "swap-pair", "uno-call", "uno-catch"})
"""Phases of a card that is still being played; reactions to it come later."""
UNFINISHED_DRAW = frozenset({"give-half"})
"""Phases between a draw and the offer to play the card."""
SEEN_ACTIONS = frozenset({"play", "draw", "take", "jump-in", "sum"})
"""Actions that everybody at the table sees, by their first word."""


class Asked(Enum):
    """Who may have a hidden decision to make."""

    NOBODY = auto()
    DRAWER = auto()
    ANYBODY = auto()


@dataclass(frozen=True)
class LastMove:
    """The last move of a game, or its deal.

    Attributes:
        seat: None for a deal.
        is_silent: a hidden decision by which nothing happened.
        public_action: the action, if it is one that everybody sees.
    """

    seat: int | None = None
    action: int = -1
    is_silent: bool = False
    public_action: str | None = None

    @classmethod
    def before(cls, game: Game, action: int) -> Self:
        """A move that is about to be made."""
        if is_hidden(game) and is_silent(action):
            return cls(game.actor, action, True)
        text = action_text(action, game.phase) if action >= 0 else ""
        is_seen = text.partition(" ")[0] in SEEN_ACTIONS
        return cls(game.actor, action, False, text if is_seen else None)


class ReactionRule:
    """Whom a move may have put a hidden question to, judged by what everybody sees.

    Args:
        rules: of the game.
    """

    def __init__(self, rules: Rules) -> None:
        self._can_react = rules.jump_in or rules.sum_out != "none"
        self._on_opening = self._can_react and rules.jump_in_on_opening
        self._after_draw = self._can_react and (rules.jump_in_after_draw or rules.auto_forced)
        self._may_play_drawn = rules.play_drawn != "never"
        # Forced actions follow one another in one move, draws among them.
        self._draws_unseen = rules.auto_forced
        self._has_drawn = False
        self.drawer: int | None = None

    def after_deal(self, game: Game) -> Asked:
        """Who may have been asked about the opening card."""
        may_ask = self._on_opening and game.phase not in UNFINISHED_CARD
        return Asked.ANYBODY if may_ask or is_hidden(game) else Asked.NOBODY

    def after_move(self, game: Game, last: LastMove) -> Asked:
        """Who may have been asked after a move that everybody sees."""
        if last.action == DRAW:
            self._has_drawn, self.drawer = True, last.seat
        self._has_drawn |= self._draws_unseen
        if self._has_drawn and game.phase not in UNFINISHED_DRAW:
            self._has_drawn = False
            if self._after_draw or self._draws_unseen:
                return Asked.ANYBODY
            return Asked.DRAWER if self._may_play_drawn else Asked.NOBODY
        may_ask = self._can_react and game.phase not in UNFINISHED_CARD
        return Asked.ANYBODY if may_ask or is_hidden(game) else Asked.NOBODY

    def drawer_sees_card(self, last: LastMove, game: Game) -> bool:
        """Whether who has drawn may see at once what nobody else sees before the window ends.

        Not where reactions follow a draw: it would see that nobody reacts.
        """
        return last.action == DRAW and not self._after_draw and not is_hidden(game)


def pause_after(
    last: LastMove,
    game: Game,
    rule: ReactionRule,
    setup: TableSetup,
    persons: list[Seat],
    has_audience: bool,
) -> tuple[float, frozenset[int]]:
    """Length of the reaction window after a move, and the people who alone can end it early.

    Bots do not tell the time: at a table of bots that nobody watches there is none, and a person
    who is watched by bots alone may take longer, or less.
    """
    if setup.react_seconds is None or last.is_silent or not (persons or has_audience):
        return 0.0, frozenset()
    asked = rule.after_deal(game) if last.seat is None else rule.after_move(game, last)
    if asked is Asked.NOBODY:
        return 0.0, frozenset()
    people = frozenset(seat.number for seat in persons)
    candidates = people
    if asked is Asked.DRAWER:
        candidates &= {rule.drawer}
    if candidates and (len(people) > 1 or has_audience):
        return setup.react_seconds, frozenset()
    return setup.bot_react_seconds, candidates


def num_shown(
    record: dict[str, Any], setup: TableSetup, persons: list[Seat], has_audience: bool
) -> int:
    """Moves of a record that everybody had seen when it ended; -1 if not even the deal.

    A reaction window after the last move counts as open: whether it was must not show, either.
    """
    game = Game.replay({**record, "actions": []})
    rule, shown, is_paused = ReactionRule(game.rules), 0, False
    has_windows = setup.react_seconds is not None and (persons or has_audience)

    def pauses(last: LastMove) -> bool:
        seconds, _ = pause_after(last, game, rule, setup, persons, has_audience)
        return bool(seconds) and not game.over

    if is_hidden(game) or pauses(LastMove()):
        shown, is_paused = -1, True
    for number, action in enumerate(record["actions"]):
        last, was_hidden = LastMove.before(game, action), is_hidden(game)
        game.step(action)
        game.events = []
        if not was_hidden:
            # It was made by somebody who saw the table as it was.
            shown, is_paused = number, False
        if not has_windows or game.over:
            is_paused = is_hidden(game)
        elif not last.is_silent:
            is_paused |= pauses(last) or is_hidden(game)
        if not is_paused:
            shown = number + 1
    return shown
