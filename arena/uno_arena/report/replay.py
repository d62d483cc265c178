"""`uno-arena replay`: any game of a database again, as text, record, page, GIF or film."""

import json
from collections.abc import Iterator
from pathlib import Path

from uno_env import Game, action_text
from uno_env.render import action_words
from uno_env.render.replay import save_replay

from ..store.load import StoredGame, load_game
from ..store.store import Store


def replay(db: str, game_id: str, tournament: str | None, out: Path | None) -> str:
    """Play a stored game again; the story of it, or where it was written to.

    Args:
        db: the database.
        game_id: `MATCHUP.DEAL.ROTATION`.
        tournament: its name, the newest if None.
        out: file to write: `.json`, `.html`, `.gif` or `.mp4`.
    """
    with Store(db, must_exist=True) as store:
        stored = load_game(store, game_id, tournament)
    stored.play()
    if out is None:
        return "\n".join(_story(stored))
    if out.suffix == ".json":
        out.write_text(json.dumps(stored.record) + "\n", encoding="utf-8")
        return str(out)
    return str(save_replay(stored.record, out, "all", names=_seat_names(stored)))


def _seat_names(stored: StoredGame) -> list[str]:
    return [f"{name} at seat {seat}" for seat, name in enumerate(stored.names)]


def _story(stored: StoredGame) -> Iterator[str]:
    """Who did what, line by line."""
    names = _seat_names(stored)
    matchup = stored.matchup
    yield (
        f"{matchup.rules}, {matchup.num_players} players, one {matchup.episode}, "
        f"deal {stored.deal} (seed {stored.record['seed']}), rotation {stored.rotation}"
    )
    game = Game.replay(stored.record, steps=0)
    for action in stored.record["actions"]:
        seat = game.actor
        if seat is None:
            break
        text = action_text(action, game.phase)
        yield f"{names[seat]}: {action_words(text, seat, names, game.phase)}"
        game.step(action)
    yield from _ending(stored, names)


def _ending(stored: StoredGame, names: list[str]) -> Iterator[str]:
    if stored.forfeit_seat is not None:
        yield f"{names[stored.forfeit_seat]} forfeits: {stored.reason}"
    elif stored.winners:
        yield f"Won by {' and '.join(names[seat] for seat in stored.winners)}."
    else:
        yield "Nobody won."
    points = (f"{name}: {number}" for name, number in zip(names, stored.points, strict=True))
    yield f"Points of {', '.join(points)}"
