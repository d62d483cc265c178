"""`uno-arena rlcard`: our agents beside RLCard's, in RLCard's own game and in ours by its rules.

In RLCard's game our agents get a position set up from what RLCard shows the seat; nothing else of
that game reaches them.
"""

import argparse
from typing import Any, Protocol

import numpy as np
from uno_agents.base import Agent, AgentError, BatchAgent
from uno_agents.registry import make_agent
from uno_agents.rlcard_bot import MODEL, RulePlayer, our_card, their_card

from uno_env import Game, Rules, action_text
from uno_env.array_types import Doubles

from ..api import tournament
from ..report.formatting import percent, percent_range
from ..stats.intervals import Estimate, wilson_interval

RULES = Rules.from_text(
    "classic(bluff_allowed=false,challenge=none,first_dealer=last_seat,max_players=2,"
    "opening_reverse_starter=dealer,play_drawn=forced,two_player_reverse=literal,uno_call=off,"
    "voluntary_draw=never)"
)
"""The rules of configs/rules/rlcard.yaml; docs/anchors.md says where RLCard's game differs."""
CHANGES = {key: value for key, value in RULES.to_dict().items() if key != "variant"}
DEALS = 5000

State = dict[str, Any]
Row = tuple[str, Estimate, int]


class Player(Protocol):
    """Whoever plays RLCard's game."""

    def step(self, state: State, /) -> str:
        """One of the raw legal actions of a state."""


class RandomPlayer:
    """Uniform over RLCard's legal actions, where each colour of a wild is one."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def step(self, state: State) -> str:
        """Any legal action."""
        legal: list[str] = state["raw_legal_actions"]
        return legal[int(self._rng.integers(len(legal)))]


class OurPlayer:
    """One of our agents in RLCard's game."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def step(self, state: State) -> str:
        """Its action, with the colour it names if it plays a wild."""
        legal: list[str] = state["raw_legal_actions"]
        if len(legal) == 1:
            return legal[0]
        game = position(state)
        card = self._asked(game).removeprefix("play ")
        if not card.startswith("wild"):
            return their_card(card)
        game.step(f"play {card}")
        if game.phase != "color":
            return their_card(card)
        return their_card(card, self._asked(game).removeprefix("color "))

    def _asked(self, game: Game) -> str:
        seat = game.actor
        if seat is None:
            raise RuntimeError("a running game has a seat to act")
        if not isinstance(self._agent, BatchAgent):
            return self._agent.act(game.view(seat), game.legal())
        ids = self._agent.act_batch(game.observe(seat)[None], game.mask()[None])
        return action_text(int(ids[0]), game.phase)


def position(state: State) -> Game:
    """A game that looks to the seat to act as RLCard's state does.

    The other seat's cards are made up from those unseen, which no view shows.
    """
    seen = state["raw_obs"]
    seat = seen["current_player"]
    hand = [our_card(text)[0] for text in seen["hand"]]
    discard = [our_card(text)[0] for text in seen["played_cards"]]
    top, color = our_card(seen["target"])
    if discard and discard[-1] == top:
        # The colour of a wild is kept up to date here, in the target's own text it is not.
        color = our_card(seen["played_cards"][-1])[1]
    else:
        # A reshuffle has taken even the top card.
        discard.append(top)
        color = _color_of_legal(state, color) if top.startswith("wild") else color
    unseen = _unseen(hand, discard)
    sizes = seen["num_cards"]
    hands = [hand if other == seat else unseen[: sizes[other]] for other in range(len(sizes))]
    return Game.from_snapshot(
        {
            "variant": RULES.variant,
            "rules": CHANGES,
            "hands": hands,
            "discard": discard,
            "draw_pile": unseen[sizes[1 - seat] :],
            "active_color": color,
            "turn": seat,
            "actor": seat,
        }
    )


def _color_of_legal(state: State, otherwise: str) -> str:
    """The active colour as the playable cards show it."""
    cards = [our_card(text) for text in state["raw_legal_actions"] if text != "draw"]
    colors = [color for card, color in cards if not card.startswith("wild")]
    return colors[0] if colors else otherwise


def _unseen(hand: list[str], discard: list[str]) -> list[str]:
    left = {card: RULES.deck[card] for card in RULES.deck}
    for card in (*hand, *discard):
        left[card] = max(0, left[card] - 1)
    return [card for card, count in left.items() for _ in range(count)]


def play_theirs(players: tuple[Player, Player], deals: int, seed: int) -> Doubles:
    """Wins (deals, 2) of the first player in RLCard's game: each deck is played from both seats."""
    import rlcard

    env = rlcard.make("uno")
    seeds = np.random.default_rng(seed).integers(0, 2**31, deals)
    wins = np.zeros((deals, 2))
    for deal, deck in enumerate(seeds.tolist()):
        for seat in range(2):
            env.seed(deck)
            state, actor = env.reset()
            while not env.is_over():
                action = players[0 if actor == seat else 1].step(state)
                state, actor = env.step(action, raw_action=True)
            wins[deal, seat] = env.get_payoffs()[seat] > 0
    return wins


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `uno-arena rlcard`."""
    parser.add_argument("agents", nargs="*", default=["heuristic", "greedy"], metavar="AGENT",
                        help="agent specs (heuristic greedy)")  # fmt: skip
    parser.add_argument("--deals", type=int, default=DEALS, help=(
        f"deals of each pair, each played from both seats ({DEALS})"
    ))  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="fixes the cards and all choices (0)")
    parser.add_argument("--game", choices=("theirs", "ours", "both"), default="both",
                        help="RLCard's own game, ours by its rules, or both")  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Play and print how each agent does against RLCard's."""
    from rich.console import Console
    from rich.table import Table

    try:
        RulePlayer()
    except ModuleNotFoundError as error:
        raise AgentError(
            f"RLCard is not installed ({error.name}): pip install 'uno-env[bench]'"
        ) from error
    console = Console()
    games = {"theirs": ("RLCard's own game", _theirs), "ours": ("our game by its rules", _ours)}
    for name, (title, play) in games.items():
        if options.game not in (name, "both"):
            continue
        table = Table(title=f"In {title}", title_justify="left", title_style="bold")
        for number, column in enumerate(("agent", "against", "won", "95 % interval", "games")):
            table.add_column(column, justify="left" if number < 2 else "right")
        for agent in options.agents:
            for opponent, rate, count in play(agent, options.deals, options.seed):
                table.add_row(
                    agent, opponent, percent(rate.value), percent_range(rate), f"{count:,}"
                )
        console.print(table)
    return 0


def _theirs(agent: str, deals: int, seed: int) -> list[Row]:
    rows = []
    opponents: dict[str, Player] = {"random": RandomPlayer(seed), MODEL: RulePlayer(seed)}
    for name, opponent in opponents.items():
        ours = _their_player(agent, seed)
        wins = play_theirs((ours, opponent), deals, seed)
        rows.append((name, wilson_interval(wins), wins.size))
    return rows


def _their_player(agent: str, seed: int) -> Player:
    """RLCard's own players by their names, any agent of ours otherwise."""
    if agent == "random":
        return RandomPlayer(seed + 1)
    if agent == f"rlcard:{MODEL}":
        return RulePlayer(seed + 1)
    return OurPlayer(make_agent(agent, seed + 1))


def _ours(agent: str, deals: int, seed: int) -> list[Row]:
    opponents = [name for name in ("random", f"rlcard:{MODEL}") if name != agent]
    results = tournament(
        [agent, *opponents],
        variant=RULES.text(),
        players=2,
        deals=deals,
        seed=seed,
        schedule="first",
    )
    return [
        (name, wilson_interval(games.focal_shares()), games.games)
        for name, games in zip(opponents, results.games, strict=True)
    ]
