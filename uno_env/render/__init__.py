"""Rendering: a game as text, picture, window, film or page, showing what one seat knows.

Nothing is shown of other hands unless `seat="all"` asks for it. The rules play no part here:
everything is drawn from `Game.view`.
"""

from collections.abc import Sequence
from typing import Literal, overload

from ..array_types import Bytes
from ..game import Game
from .ansi import ansi
from .replay import frames, save_replay
from .shown import Seat, Shown, shown
from .svg import svg
from .table import table_scene
from .window import close
from .words import action_words, card_words, sentence, story

MODES = ("ansi", "rgb_array", "svg", "human")
FPS = 2
"""Pictures a second the window shows at most."""

__all__ = [
    "FPS",
    "MODES",
    "Seat",
    "Shown",
    "action_words",
    "card_words",
    "close",
    "frames",
    "render",
    "save_replay",
    "sentence",
    "shown",
    "story",
]

Names = Sequence[str] | None


@overload
def render(
    game: Game, mode: Literal["ansi", "svg"], seat: Seat = ..., names: Names = ..., fps: float = ...
) -> str: ...
@overload
def render(
    game: Game, mode: Literal["rgb_array"], seat: Seat = ..., names: Names = ..., fps: float = ...
) -> Bytes: ...
@overload
def render(
    game: Game, mode: Literal["human"], seat: Seat = ..., names: Names = ..., fps: float = ...
) -> None: ...
@overload
def render(
    game: Game, mode: str, seat: Seat = ..., names: Names = ..., fps: float = ...
) -> str | Bytes | None: ...


def render(
    game: Game, mode: str, seat: Seat = None, names: Names = None, fps: float = FPS
) -> str | Bytes | None:
    """Draw a game as it stands.

    Args:
        game: the game.
        mode: `ansi` text, `svg` text, `rgb_array` uint8 (640, 960, 3), or `human`: a window.
        seat: the seat whose knowledge is drawn (0 when left out), or "all" for every hand.
        names: a name for every seat.
        fps: pictures a second the window shows at most; 0 for no limit.
    """
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}; allowed: {', '.join(MODES)}")
    what = shown(game, seat, names)
    if mode == "ansi":
        return ansi(what)
    scene = table_scene(what)
    if mode == "svg":
        return svg(scene)
    # Pillow and pygame are extras, so they are loaded only here.
    from .pixels import pixels

    if mode == "rgb_array":
        return pixels(scene)
    from .window import show

    show(pixels(scene), fps)
    return None
