"""Snapshots: the full state as JSON-ready data, and positions set up from a few lines of it.

`docs/state.md` lists the keys. A person who writes a position gives `variant`, `hands`, `discard`
and `draw_pile` and leaves out what has the obvious value, `format` and `engine_state` above all.
"""

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..cards import COLORS, FACES, KINDS, face_id
from ..engine import single
from ..engine.state import MOST_TURNS
from ..engine.tables import PHASES, ROW
from ..game import EPISODES, check_episode
from .engine_state import full_engine_state
from .formats import SNAPSHOT_FORMAT
from .knowledge import known_entries, place_known, place_recent, recent_actions
from .position import SnapshotError
from .restore import restore_engine_state
from .seat_rows import cards_played, last_actions, missing_colors
from .snapshot_reader import read_position
from .view import cards_of, color_name, pending_of, rule_changes, seats_of

if TYPE_CHECKING:
    from ..game import Game

AnyGame = TypeVar("AnyGame", bound="Game")


def take_snapshot(game: "Game") -> dict[str, Any]:
    """The full state of a game."""
    state = game.engine_arrays.games[0]
    n = int(state["num_players"])
    pile = state["draw_pile"][: int(state["draw_pile_size"])][::-1]
    return {
        "format": SNAPSHOT_FORMAT,
        "variant": game.rules.variant,
        "rules": rule_changes(game.rules),
        "num_players": n,
        "episode": EPISODES[int(state["match"])],
        "dealer": int(state["dealer"]),
        "turn": int(state["turn"]),
        "actor": game.actor,
        "phase": game.phase,
        "direction": int(state["direction"]),
        "active_color": color_name(state["active_color"]),
        "color_before": color_name(state["color_before"]),
        "kind_before": KINDS[int(state["kind_before"])],
        "player": int(state["top_player"]),
        "hands": [cards_of(state["hands"][seat]) for seat in range(n)],
        "draw_pile": [FACES[face] for face in pile],
        "discard": [FACES[face] for face in state["discard"][: int(state["discard_size"])]],
        "set_aside": cards_of(state["set_aside"]),
        "pending": pending_of(state),
        "hyper_color": color_name(state["hyper_color"]),
        "drawn_card": FACES[int(state["drawn_card"])] if state["drawn_card"] >= 0 else None,
        "cards_to_give": int(state["half_left"]),
        "eliminated": seats_of(state["eliminated"]),
        "out": seats_of(state["out_seats"]),
        "uno_called": seats_of(state["uno_called"]),
        "points": game.points,
        "scores": game.scores,
        "winners": list(game.winners),
        "known": known_entries(state),
        "missing_colors": missing_colors(state),
        "last_actions": last_actions(state),
        "cards_played": cards_played(state),
        "recent": recent_actions(state),
        "places": game.places,
        "turns": int(state["turns"]),
        "rng": {
            "seed": int(state["seed"]),
            "round": int(state["round_no"]),
            "reshuffles": int(state["reshuffles"]),
            "random_draws": int(state["random_draws"]),
        },
        "engine_state": full_engine_state(state),
    }


def load_snapshot(
    cls: type[AnyGame], data: dict[str, Any], strict: bool = False, is_placeholder: bool = False
) -> AnyGame:
    """A game set up from a snapshot; hidden cards of a placeholder are yet to be sampled."""
    position = read_position(data, strict)
    game = cls.from_record(position.rules, check_episode(position.episode))
    game.seed = position.rng["seed"]
    game.start = data
    games, rules, logs = game.engine_arrays
    _place(games[0], rules["card_points"][0].tolist(), position)
    try:
        restore_engine_state(games, rules, position)
    except (TypeError, ValueError, OverflowError, IndexError) as error:
        if isinstance(error, SnapshotError):
            raise
        raise SnapshotError(f"engine_state: {error}") from None
    single.refresh_game(games, rules, logs, 0)
    if not game.over and not is_placeholder and not game.legal():
        raise SnapshotError(f"phase: seat {game.actor} has nothing to do in {game.phase}")
    return game


def _place(state: Any, points: list[int], position: Any) -> None:
    """Everything the named keys say; `points` are those of each face."""
    state["num_players"] = position.num_players
    state["match"] = EPISODES.index(position.episode)
    for seat, hand in enumerate(position.hands):
        _fill_hand(state, points, seat, hand)
    state["draw_pile_size"] = len(position.draw_pile)
    state["draw_pile"][: len(position.draw_pile)] = position.draw_pile[::-1]
    state["discard_size"] = len(position.discard)
    state["discard"][: len(position.discard)] = position.discard
    state["discard_counts"] = np.bincount(position.discard, minlength=ROW)
    state["top_card"] = position.discard[-1]
    state["set_aside_size"] = len(position.set_aside)
    state["set_aside"] = np.bincount(position.set_aside, minlength=ROW)
    for name in ("dealer", "turn", "direction"):
        state[name] = getattr(position, name)
    state["phase"] = PHASES.index(position.phase)
    state["actor"] = -1 if position.actor is None else position.actor
    for field, color in (
        ("active_color", position.active_color),
        ("hyper_color", position.hyper_color),
        ("color_before", position.color_before),
    ):
        state[field] = 4 if color is None else COLORS.index(color)
    state["drawn_card"] = -1 if position.drawn_card is None else face_id(position.drawn_card)
    _place_seats(state, position)
    for name, key in (
        ("round_no", "round"),
        ("reshuffles", "reshuffles"),
        ("random_draws", "random_draws"),
    ):
        state[name] = position.rng[key]
    state["rounds_before"] = min(position.rng["round"], MOST_TURNS)
    state["recycled"] = min(position.rng["reshuffles"], MOST_TURNS)
    state["seed"] = np.uint64(position.rng["seed"])


def _fill_hand(state: Any, points: list[int], seat: int, hand: list[int]) -> None:
    state["hands"][seat] = np.bincount(hand, minlength=ROW)
    held = [1 << face for face in set(hand)]
    whole = sum(held)
    words = np.array([whole & (1 << 64) - 1, whole >> 64], np.uint64).view(np.int64)
    state["hand_sets"][seat] = words
    state["hand_sizes"][seat] = len(hand)
    state["hand_points"][seat] = sum(points[face] for face in hand)


def _place_seats(state: Any, position: Any) -> None:
    n = position.num_players
    away = set(position.eliminated) | set(position.out)
    live = [seat for seat in range(n) if seat not in away]
    for field, seats in (
        ("eliminated", position.eliminated),
        ("out_seats", position.out),
        ("uno_called", position.uno_called),
        ("live", live),
        ("winners", position.winners),
    ):
        state[field] = sum(1 << seat for seat in seats)
    state["n_live"] = len(live)
    state["finished"] = position.phase == "over"
    state["scores"][:n] = position.scores
    state["points"][:n] = position.points
    state["places"][:n] = position.places
    place_known(state, position.known)
    place_recent(state, position.recent)
    if position.pending:
        state["pending_amount"] = position.pending["amount"]
        state["pending_value"] = position.pending["value"]
        state["pending_source"] = position.pending["source"]
        state["contestable"] = position.pending["contestable"]
    else:
        state["pending_source"] = -1
