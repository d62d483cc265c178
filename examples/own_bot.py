"""A bot of your own in 20 lines, and its first tournament.

    python examples/own_bot.py --deals 500

The same file works everywhere an agent is named: `uno-arena examples/own_bot.py:ColorBot greedy`,
`uno-play examples/own_bot.py:ColorBot`, `uno-serve --bots mine=examples/own_bot.py:ColorBot`.
"""

import argparse
from collections import Counter


# --8<-- [start:bot]
class ColorBot:
    """Stays in the colour it holds most, keeps wilds for later, calls UNO and catches."""

    def act(self, view, legal):
        """One of the legal actions."""
        for habit in ("call-uno", "catch", "sum", "jump-in", "accept"):
            if habit in legal:
                return habit
        held = Counter(card.split("-")[0] for card in view["hand"])
        held["wild"] = 0
        return max(legal, key=lambda action: self.value(action, held))

    def value(self, action, held):
        """How many cards of its colour the hand holds; actions without a card come last."""
        verb, _, rest = action.partition(" ")
        if verb not in ("play", "give", "color"):
            return -1
        return held[rest.split("-")[0]]


# --8<-- [end:bot]
# --8<-- [start:tournament]
def main() -> None:
    """The bot against three baselines: every deal is played once from each side."""
    import uno_arena  # here, so that a server that loads the bot does not load the arena

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=200)
    options = parser.parse_args()
    for opponent in ("random", "greedy", "heuristic"):
        result = uno_arena.compare(
            ColorBot(), opponent, variant=options.variant, players=options.players,
            deals=options.deals, seed=1,
        )  # fmt: skip
        print(f"ColorBot against {opponent}: {result}; chance level {result.chance:.0%}")


# --8<-- [end:tournament]
if __name__ == "__main__":
    main()
