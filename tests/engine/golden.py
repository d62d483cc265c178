"""Golden games: one readable transcript a preset, to be compared as text.

python -m tests.engine.golden            show what changed
python -m tests.engine.golden --write    accept the new transcripts
"""

import argparse
import difflib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import uno_env as uno
from uno_env.cards import NUM_FACES

FOLDER = Path(__file__).parents[1] / "golden"
SEATS = {"teams": 4, "no_mercy": 4}
SEEDS = {
    "hyper_speed": 80,
    "classic": 381,
    "no_mercy": 52,
    "ig2000": 69,
    "loche": 426,
    "teams": 242,
    "all_wild": 15,
}
"""Chosen so that a short game meets as many phases and actions as possible."""

MOST_LINES = 400


def transcript(variant: str) -> str:
    """One game of a preset: who did what, and how the table stood then."""
    game = uno.Game(variant, num_players=SEATS.get(variant, 3), seed=SEEDS[variant])
    head = f"{variant}, {game.num_players} seats, seed {game.seed}, dealer {game.view(0)['dealer']}"
    lines = [head, *(_hand_line(game, seat) for seat in range(game.num_players)), _table(game), ""]
    return "\n".join([*lines, *_moves(game), "", _result(game), ""])


def _moves(game: uno.Game) -> Iterator[str]:
    rng = np.random.default_rng(0)
    for number in range(1, MOST_LINES):
        if game.over:
            return
        who = f"{number:3}  seat {game.actor}  {game.phase:14}"
        action = _greedy(game, rng)
        game.step(action)
        yield f"{who}  {action:24}  {_table(game)}"
    raise RuntimeError(f"{game!r} has not ended after {MOST_LINES} moves; choose another seed")


def _greedy(game: uno.Game, rng: np.random.Generator) -> str:
    """A card rather than anything else, which one is left to chance."""
    texts = dict(zip(game.legal_ids(), game.legal(), strict=True))
    plays = [text for number, text in texts.items() if number < NUM_FACES]
    choices = plays or list(texts.values())
    return choices[int(rng.integers(len(choices)))]


def _hand_line(game: uno.Game, seat: int) -> str:
    return f"hand {seat}: {' '.join(game.view(seat)['hand'])}"


def _table(game: uno.Game) -> str:
    view = game.view(0)
    sizes = " ".join(str(size) for size in view["hand_sizes"])
    pending = f" owed {view['pending']['amount']}" if view["pending"] else ""
    hyper = " hyper" if view["hyper_color"] else ""
    arrow = ">" if view["direction"] == 1 else "<"
    return f"{view['top_card']} on {view['active_color']}{hyper} [{sizes}] {arrow}{pending}"


def _result(game: uno.Game) -> str:
    return f"won by {list(game.winners)}, points {game.points}, rewards {game.rewards('points')}"


def main() -> None:
    """Show differences from the stored transcripts, or store the present ones."""
    parser = argparse.ArgumentParser(description="Golden games of the presets.")
    parser.add_argument("--write", action="store_true", help="store the transcripts")
    write = parser.parse_args().write
    FOLDER.mkdir(exist_ok=True)
    for variant in uno.VARIANTS:
        path = FOLDER / f"{variant}.txt"
        new = transcript(variant)
        old = path.read_text() if path.exists() else ""
        for line in difflib.unified_diff(
            old.splitlines(), new.splitlines(), f"stored {variant}", f"now {variant}", lineterm=""
        ):
            print(line)
        if write:
            path.write_text(new)


if __name__ == "__main__":
    main()
