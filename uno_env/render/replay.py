"""Whole games as files: an animated GIF, an MP4 film or an HTML page to step through."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..game import Game
from .html import page
from .shown import Seat, Shown, shown
from .table import small_scene, table_scene

if TYPE_CHECKING:
    from PIL import Image

Record = dict[str, Any]
SMALL = 720
"""Pixels across below which the list of events cannot be read."""
LAST_PICTURE = 3.0
"""Seconds the end of a game stays in view."""


def frames(
    game: Game | Record, seat: Seat = 0, names: Sequence[str] | None = None
) -> Iterator[Shown]:
    """What a seat sees, from the deal to the end, one entry for each change it may know of.

    While somebody else decides something in secret there is no entry, or the number of entries
    would tell that there was something to decide.
    """
    record = game.record() if isinstance(game, Game) else game
    rerun = Game.replay(record, steps=0)
    now, last = shown(rerun, seat, names), None
    for action in [*record["actions"], None]:
        if now != last and _is_open(rerun, now):
            yield now
            last = now
        if action is not None:
            rerun.step(action)
            now = shown(rerun, seat, names)
    if last is None:
        yield now


def _is_open(game: Game, what: Shown) -> bool:
    """Whether nothing goes on that the seat may not know of.

    Where forced decisions are taken unasked, what happens between two others' decisions tells
    what they had no choice about; so only the seat's own decisions count.
    """
    if what.everything or game.over:
        return True
    if game.rules.auto_forced and game.actor != what.front:
        return False
    return (game.phase, game.actor) == (what.view["phase"], what.view["actor"])


def save_replay(
    game: Game | Record,
    path: str | Path,
    seat: Seat = 0,
    fps: float = 2,
    names: Sequence[str] | None = None,
    width: int = 960,
) -> Path:
    """Save a game as `.html`, `.gif` or `.mp4`, by the ending of the path.

    Args:
        game: a game, or the record of one.
        path: the file to write.
        seat: whose knowledge is shown, or "all" for every hand.
        fps: pictures a second.
        names: a name for every seat.
        width: pixels across, of a GIF or film; a GIF below 720 shows the last event instead of
            the list of events, in letters that can be read.
    """
    path = Path(path)
    save = _SAVERS.get(path.suffix.lower())
    if save is None:
        raise ValueError(f"path ends in {path.suffix!r}; allowed: {', '.join(_SAVERS)}")
    if not 0 < fps <= 60:
        raise ValueError(f"fps is {fps}; allowed: above 0 to 60")
    if not 120 <= width <= 3840 or width % 6:
        raise ValueError(f"width is {width}; allowed: 120 to 3840 in steps of 6")
    save(list(frames(game, seat, names)), path, fps, width)
    return path


def _save_html(seen: list[Shown], path: Path, fps: float, width: int) -> None:
    path.write_text(page(seen, fps), encoding="utf-8")


def _save_gif(seen: list[Shown], path: Path, fps: float, width: int) -> None:
    """All pictures share the colours of three of them, so that a frame holds only what changed."""
    pictures = _pictures(seen, width)
    from PIL import Image

    samples = [pictures[0], pictures[len(pictures) // 2], pictures[-1]]
    strip = Image.new("RGB", (width, sum(sample.height for sample in samples)))
    for i, sample in enumerate(samples):
        strip.paste(sample, (0, i * sample.height))
    colors = strip.quantize(255)
    plain = [image.quantize(palette=colors, dither=Image.Dither.NONE) for image in pictures]
    times = [round(1000 / fps)] * (len(plain) - 1) + [round(1000 * LAST_PICTURE)]
    plain[0].save(path, save_all=True, append_images=plain[1:], duration=times, loop=0)


def _pictures(seen: list[Shown], width: int) -> "list[Image.Image]":
    from .pixels import picture

    if width >= SMALL:
        return [picture(table_scene(what), width) for what in seen]
    return [picture(small_scene(what, width), width) for what in seen]


def _save_mp4(seen: list[Shown], path: Path, fps: float, width: int) -> None:
    try:
        from imageio_ffmpeg import write_frames
    except ImportError as error:
        raise ImportError(
            "films need imageio-ffmpeg; install it with: pip install 'uno-env[video]'"
        ) from error
    from .pixels import pixels

    height = width * 2 // 3
    # A film of two pictures a second stalls some players, so pictures are repeated to 24.
    film = write_frames(
        str(path), (width, height), fps=fps, macro_block_size=2, output_params=["-r", "24"]
    )
    film.send(None)
    for what in [*seen, *[seen[-1]] * round(LAST_PICTURE * fps)]:
        film.send(pixels(table_scene(what), width).tobytes())
    film.close()


_SAVERS: dict[str, Callable[[list[Shown], Path, float, int], None]] = {
    ".html": _save_html,
    ".gif": _save_gif,
    ".mp4": _save_mp4,
}
