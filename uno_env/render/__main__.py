"""Command line: a saved game as a page, GIF or film."""

import argparse
import json
import sys
from pathlib import Path

from .replay import save_replay
from .shown import Seat


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m uno_env.render",
        usage="python -m uno_env.render replay.json out.html [--seat SEAT]",
        description="Turn a saved game (the JSON of Game.record()) into a page, GIF or film.",
    )
    parser.add_argument("replay", type=Path, help="JSON file with the record of a game")
    parser.add_argument("out", type=Path, help="file to write: .html, .gif or .mp4")
    parser.add_argument(
        "--seat", type=_seat, default=0, help="whose knowledge is shown: a seat, or all (default 0)"
    )
    parser.add_argument("--fps", type=float, default=2, help="pictures a second (default 2)")
    parser.add_argument("--width", type=int, default=960, help="pixels across, of a GIF or film")
    parser.add_argument("--names", nargs="+", metavar="NAME", help="a name for every seat")
    options = parser.parse_args(arguments)
    try:
        record = json.loads(options.replay.read_text(encoding="utf-8"))
        path = save_replay(
            record, options.out, options.seat, options.fps, options.names, options.width
        )
    except (OSError, ValueError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(path)
    return 0


def _seat(text: str) -> Seat:
    if text == "all":
        return "all"
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a seat number nor all") from None


if __name__ == "__main__":
    raise SystemExit(main())
