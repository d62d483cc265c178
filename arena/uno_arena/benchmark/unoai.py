"""`uno-arena unoai`: our agents in the game of chausner/UnoAI, whose win rates are published.

Three of its bots are rebuilt here from their description. That they win here what was published
shows that our game by these rules is theirs; then our agents' rates stand beside the published.
"""

import argparse

import numpy as np

from uno_env import Rules
from uno_env.actions import COLOR_0, NUM_ACTIONS
from uno_env.array_types import Bytes, Doubles, Ints
from uno_env.cards import COLORS, FACES, NUM_FACES

from ..api import tournament
from ..report.formatting import percent, percent_range
from ..stats.intervals import wilson_interval

RULES = Rules.from_text(
    "classic(challenge=none,opening_reverse_starter=dealer,plus4_legality=anything,uno_call=off,"
    "voluntary_draw=always)"
)
"""The rules of configs/rules/unoai.yaml."""
DEALS = 10_000
PUBLISHED = {
    2: {
        "GreedyBot": 0.554,
        "CardRankingBot": 0.634,
        "MixBot": 0.664,
        "MixBot2": 0.688,
    },
    6: {
        "GreedyBot": 0.158,
        "CardRankingBot": 0.217,
        "MixBot": 0.236,
        "MixBot2": 0.242,
    },
}
"""Win rates against a table of RandomBot by table size, over ten million games each."""

POINTS = {"skip": 20.0, "reverse": 20.0, "draw2": 20.0, "wild": 50.0, "wild-draw4": 50.0}
RANKS = {"draw2": 6.0, "skip": 5.0, "number": 4.0, "reverse": 3.0, "wild-draw4": 2.0, "wild": 1.0}

IN_COLOR: Doubles = np.array(
    [[float(face.startswith(f"{color}-")) for color in COLORS] for face in FACES]
)


class RebuiltBot:
    """Plays a card of the highest value, any copy as likely as another; draws only when it must.

    Args:
        name: what it is called in reports.
        values: by symbol, with `number` for all numbers; all cards alike if left out.
        seed: starts its generator.
    """

    def __init__(self, name: str, values: dict[str, float] | None = None, seed: int = 0) -> None:
        self.name = name
        self._names_commonest = values is not None
        self._values = np.full(NUM_ACTIONS, -1.0)
        self._values[:NUM_FACES] = [_value_of(face, values) for face in FACES]
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """With a seed, choose as a new bot of that seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)

    def act_batch(self, obs: Bytes, mask: Bytes) -> Ints:
        """One action id a row."""
        hand = obs[:, :NUM_FACES].astype(float)
        values = np.tile(self._values, (len(mask), 1))
        if self._names_commonest:
            values[:, COLOR_0 : COLOR_0 + len(COLORS)] = hand @ IN_COLOR
        values[mask == 0] = -np.inf
        best = values == values.max(axis=1, keepdims=True)
        copies = np.ones(mask.shape)
        copies[:, :NUM_FACES] = np.maximum(hand, 1)
        # Gumbel-max: the argmax is drawn in proportion to the copies.
        scores = np.log(copies) + self._rng.gumbel(size=mask.shape)
        ids: Ints = np.where(best, scores, -np.inf).argmax(axis=1)
        return ids


def _value_of(face: str, values: dict[str, float] | None) -> float:
    if values is None:
        return 1.0
    symbol = face if face.startswith("wild") else face.partition("-")[2]
    if symbol.isdecimal():
        return values.get("number", float(symbol))
    return values.get(symbol, 0.0)


def rebuilt_bots(seed: int, players: int = 2) -> dict[str, RebuiltBot]:
    """Their bots that a few lines describe fully."""
    # With two players a reverse ranks as the skip it is.
    ranks = RANKS | {"reverse": RANKS["skip"]} if players == 2 else RANKS
    card_values = {"RandomBot": None, "GreedyBot": POINTS, "CardRankingBot": ranks}
    return {
        name: RebuiltBot(name, values, seed + number)
        for number, (name, values) in enumerate(card_values.items())
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena unoai`."""
    parser.add_argument("agents", nargs="*", default=["heuristic"], metavar="AGENT",
                        help="agent specs (heuristic)")  # fmt: skip
    parser.add_argument("--deals", type=int, default=DEALS, help=(
        f"deals of each agent, each played from every seat ({DEALS})"
    ))  # fmt: skip
    parser.add_argument("--players", type=int, choices=tuple(PUBLISHED), default=2,
                        help="table size (2)")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="fixes the cards and all choices (0)")


def run(options: argparse.Namespace) -> int:
    """Play everybody against RandomBot and print the rates beside the published ones."""
    from rich.console import Console
    from rich.table import Table

    players, published = options.players, PUBLISHED[options.players]
    title = f"Won against a table of RandomBot, {players} players"
    table = Table(title=title, title_justify="left", title_style="bold")
    for number, column in enumerate(("agent", "won", "95 % interval", "games", "published")):
        table.add_column(column, justify="right" if number else "left")
    theirs = rebuilt_bots(options.seed, players)
    opponent = theirs.pop("RandomBot")
    for name, agent in {**theirs, **{spec: spec for spec in options.agents}}.items():
        results = tournament(
            {name: agent, "RandomBot": opponent},
            variant=RULES.text(),
            players=players,
            deals=options.deals,
            seed=options.seed,
            schedule="first",
        )
        rate = wilson_interval(results.games[0].focal_shares())
        known = percent(published[name]) if name in published else ""
        games = f"{results.total_games:,}"
        table.add_row(name, percent(rate.value), percent_range(rate), games, known)
    for name in sorted(published.keys() - theirs.keys()):
        table.add_row(name, "", "", "", percent(published[name]))
    Console().print(table)
    return 0
