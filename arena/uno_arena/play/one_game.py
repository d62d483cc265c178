"""One game of a chunk, move by move, and the row that it becomes."""

from collections import Counter
from typing import TypeAlias

from uno_env import Game

from ..stats.usage_stats import CHOICE_OF, PHASES
from .agent_calls import Fault
from .chunk import ChunkSpec, GameRow
from .heartbeat import NOBODY, Heartbeat
from .timed_agents import TimedAgents

_PHASE = {phase: number for number, phase in enumerate(PHASES)}
Counts: TypeAlias = Counter[tuple[int, int, int]]


def play_game(spec: ChunkSpec, agents: TimedAgents, number: int, heartbeat: Heartbeat) -> GameRow:
    """Play a game to its end, or until an agent forfeits it."""
    game = _deal(spec, number)
    instances = spec.layout.instance[number].tolist()
    counts: Counts = Counter()
    heartbeat.start_game()
    while (seat := game.actor) is not None:
        try:
            action = agents.act(instances[seat], game, seat, number)
        except Fault as fault:
            return _row(game, number, counts, seat, str(fault))
        counts[spec.entrant_at(number, seat), _PHASE[game.phase], int(CHOICE_OF[action])] += 1
        game.step(action)
        heartbeat.record_action(action)
    return _row(game, number, counts)


def stopped_row(
    spec: ChunkSpec, number: int, seat: int | None, actions: bytes, reason: str
) -> GameRow:
    """The row of a game whose agent had to be stopped, from the actions before that.

    Args:
        seat: whose agent it was; None for the seat to act.
    """
    game = _deal(spec, number)
    counts: Counts = Counter()
    for action in actions:
        actor = game.actor
        if actor is None:
            break
        counts[spec.entrant_at(number, actor), _PHASE[game.phase], int(CHOICE_OF[action])] += 1
        game.step(action)
    if seat is None:
        seat = NOBODY if game.actor is None else game.actor
    return _row(game, number, counts, seat, reason)


def _deal(spec: ChunkSpec, number: int) -> Game:
    matchup = spec.matchup
    seed = int(spec.layout.seed[number])
    return Game(spec.rules, matchup.num_players, seed, matchup.episode)


def _row(
    game: Game, number: int, counts: Counts, forfeit_seat: int = NOBODY, reason: str = ""
) -> GameRow:
    scores = game.scores if game.episode == "match" else game.points
    winners = sum(1 << seat for seat in game.winners)
    actions = bytes(game.record()["actions"])
    return GameRow(
        number, winners, tuple(scores), game.void, forfeit_seat, reason, actions, counts
    )  # fmt: skip
