"""Find the positions of the quiz; writes arena/uno_arena/benchmark/quiz.json.

    python -m benchmarks.make_quiz [--variants classic teams] [--seconds 75]

Games among heuristics that play at random now and then are screened by a short search. A position
is kept only if two opinions with different rollout policies, beliefs and horizons agree:

1. `search:sims=8000`: heuristic rollouts, cut and valued by the fitted value function, in deals
   weighted by what the others have done;
2. rollouts by the network `frozen:generalist-1` to the end of the round, in deals drawn uniformly
   from those that fit the view, every action in the same deals.

In both the same action is best, by `MARGIN` and `NETWORK_MARGIN` of win probability, in the second
also by `ERRORS` standard errors of every paired difference. At most `EASY` positions of a variant
are answered right by the heuristic and the network alike; in the others one of them errs, or both.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from uno_agents.registry import make_agent
from uno_arena.benchmark.quiz import FORMAT, SHIPPED
from uno_arena.play.batch import BatchActions, play_positions
from uno_arena.play.matchup import arena_rules, sides_of, win_shares

from uno_env import VARIANTS, Game
from uno_env.actions import action_id
from uno_env.array_types import Bytes, Doubles
from uno_env.engine import batch
from uno_env.state_io.determinize import any_deal
from uno_env.state_io.view import View

POSITIONS = 20
"""Of each variant, at most."""
EASY = 8
"""Of them, at most so many that heuristic and network both answer."""
MARGIN, NETWORK_MARGIN, TEAMS_PART = 0.06, 0.04, 0.5
"""Least leads of the best action over the second; half of it in Teams, where rounds are long."""
ERRORS = 2.5
WORLDS = 512
HIGHEST = 0.97
"""Positions that are as good as won are no question."""
MOST_OF_PHASE = {"play": 9, "uno-call": 1, "uno-catch": 1}
OTHER_PHASES = 3
RANDOM_PART = 0.15
SCREEN, LONG = 300, 8000


def games(variant: str, seed: int) -> Iterator[Game]:
    """Decisions with a choice, in games of 2 and of 4 players, at most one in five."""
    rng = np.random.default_rng(seed)
    player = make_agent("heuristic", seed=seed)
    while True:
        num_players = 4 if variant == "teams" or rng.random() < 0.5 else 2
        game = Game(variant, num_players, int(rng.integers(2**31)))
        while not game.over and len(game.actions) < 150:
            legal = game.legal()
            if len(legal) > 1 and rng.random() < 0.2:
                yield game
            is_random = rng.random() < RANDOM_PART
            choice = (
                str(rng.choice(legal)) if is_random else player.act(game.view(game.actor), legal)
            )
            game.step(choice)


class Opinions:
    """The two opinions about the actions of a position."""

    def __init__(self) -> None:
        self._screen = make_agent(f"search:sims={SCREEN}", seed=1)
        self._long = make_agent(f"search:sims={LONG}", seed=2)
        self._network = make_agent("frozen:generalist-1", seed=0)
        self._heuristic = make_agent("heuristic", seed=0)

    def screen(self, game: Game) -> dict[str, float]:
        """A first guess of the values."""
        return _values(self._screen, game)

    def long(self, game: Game) -> dict[str, float]:
        """The first opinion."""
        return _values(self._long, game)

    def is_easy(self, game: Game, best: str) -> bool:
        """Whether heuristic and network both take the best action."""
        view, legal = _view(game), game.legal()
        return all(agent.act(view, legal) == best for agent in (self._heuristic, self._network))

    def network(self, game: Game, seed: int) -> Doubles:
        """The second opinion: (actions, worlds) shares of the win."""
        legal, rules = game.legal(), arena_rules(game.rules)
        view = _view(game)
        start, seat = any_deal(view).engine_arrays, int(view["seat"])
        worlds = np.repeat(start.games, WORLDS)
        keys = np.random.default_rng(seed).integers(0, 2**63, WORLDS).astype(np.uint64)
        batch.determinize_batch(worlds, start.rules, 0, WORLDS, seat, keys)
        first = [np.repeat([action_id(text) for text in legal], WORLDS)]

        def act(instance: int, obs: Bytes, mask: Bytes) -> BatchActions:
            return BatchActions(first.pop() if first else self._network.act_batch(obs, mask), {})

        n = game.num_players
        seats = np.zeros((len(legal) * WORLDS, n), np.int64)
        played = play_positions(rules, n, np.tile(worlds, len(legal)), seats, act)
        sides = sides_of(rules, n)
        shares = win_shares(played.winners, played.void, played.at_fault, n, sides)
        return shares[:, seat % sides].reshape(len(legal), WORLDS)


def _view(game: Game) -> View:
    """What the seat to act may know."""
    if game.actor is None:
        raise ValueError("the game is over")
    return game.view(game.actor)


def _values(agent: Any, game: Game) -> dict[str, float]:
    estimates = agent.evaluate(_view(game), game.legal())
    return {each.action: each.q_value for each in estimates}


def _lead(values: dict[str, float]) -> tuple[str, float]:
    """The best action, and how far it is above the second."""
    best, second = sorted(values, key=lambda action: -values[action])[:2]
    return best, values[best] - values[second]


def judge(game: Game, opinions: Opinions, best: str, least: float) -> dict[str, Any] | None:
    """The position as the quiz holds it, if both opinions agree about it."""
    part = least / MARGIN
    first = opinions.long(game)
    action, lead = _lead(first)
    if action != best or lead < least or first[best] > HIGHEST:
        return None
    shares = opinions.network(game, len(game.actions))
    legal = game.legal()
    second = dict(zip(legal, shares.mean(axis=1).tolist(), strict=True))
    action, lead = _lead(second)
    if action != best or lead < part * NETWORK_MARGIN:
        return None
    differences = shares[legal.index(best)] - np.delete(shares, legal.index(best), axis=0)
    errors = differences.std(axis=1, ddof=1) / np.sqrt(WORLDS)
    if (differences.mean(axis=1) < ERRORS * errors).any():
        return None
    record = game.record()
    return {
        "players": game.num_players,
        "phase": game.phase,
        "best": best,
        "values": {text: [round(first[text], 3), round(second[text], 3)] for text in legal},
        "seed": record["seed"],
        "actions": record["actions"],
        "replay": record["format"],
    }


def find(variant: str, seconds: float, opinions: Opinions) -> list[dict[str, Any]]:
    """Positions of one variant, found within so many seconds of processor time."""
    least = MARGIN * (TEAMS_PART if variant == "teams" else 1.0)
    easy: list[dict[str, Any]] = []
    hard: list[dict[str, Any]] = []
    phases: Counter[str] = Counter()
    began, seen = time.process_time(), 0
    for game in games(variant, VARIANTS.index(variant)):
        spent = time.process_time() - began
        if spent > seconds or (len(easy) >= EASY and len(hard) >= POSITIONS - EASY):
            break
        seen += 1
        if phases[game.phase] >= MOST_OF_PHASE.get(game.phase, OTHER_PHASES):
            continue
        best, lead = _lead(opinions.screen(game))
        if lead < 0.8 * least:
            continue
        found = easy if opinions.is_easy(game, best) else hard
        if len(found) >= (EASY if found is easy else POSITIONS - EASY):
            continue
        position = judge(game, opinions, best, least)
        if position is not None and not _is_like(position, easy + hard):
            phases[game.phase] += 1
            found.append({"id": "", **position})
    print(
        f"{variant}: {seen} seen, {len(easy)} easy, {len(hard)} hard, {dict(phases)}, {spent:.0f} s"
    )
    chosen = sorted(hard + easy, key=lambda position: (position["players"], position["phase"]))
    for number, position in enumerate(chosen, 1):
        position["id"] = f"{variant}-{number}"
    return chosen


def _is_like(position: dict[str, Any], found: list[dict[str, Any]]) -> bool:
    """Whether it comes from the same deal as another."""
    return any(position["seed"] == other["seed"] for other in found)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS))
    parser.add_argument("--seconds", type=float, default=75.0, help="processor time for each")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    options = parser.parse_args()
    opinions = Opinions()
    for variant in options.variants:
        positions = find(variant, options.seconds, opinions)
        known = json.loads(options.out.read_text()) if options.out.exists() else {"variants": {}}
        write(options.out, known["variants"] | {variant: positions})


def write(path: Path, variants: dict[str, list[dict[str, Any]]]) -> None:
    """One position a line."""
    parts = []
    for variant in (name for name in VARIANTS if name in variants):
        lines = ",\n".join(json.dumps(position) for position in variants[variant])
        parts.append(f'"{variant}": [\n{lines}\n]')
    head = json.dumps(FORMAT)
    path.write_text(f'{{"format": {head}, "variants": {{\n' + ",\n".join(parts) + "\n}}\n")


if __name__ == "__main__":
    main()
