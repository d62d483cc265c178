"""OpenSpiel's information-set Monte-Carlo tree search (ISMCTS) plays UNO.

    .interop/openspiel/bin/python examples/openspiel_ismcts.py --simulations 50

`make interop INTEROP=openspiel` makes the environment. ISMCTS samples the hidden cards anew for
each simulation (`resample_from_infostate`), so it cannot see them.
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from uno_env.adapters import openspiel


def main() -> None:
    """One round: ISMCTS on seat 0, random play on the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", default="classic")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=4)
    options = parser.parse_args()
    rng = np.random.RandomState(0)
    openspiel.register()
    game = pyspiel.load_game(
        "uno", {"variant": f"{options.variant}(max_steps=300)", "players": options.players}
    )
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, rng),
        uct_c=2.0,
        max_simulations=options.simulations,
        random_state=rng,
        allow_inconsistent_action_sets=True,  # sampled hands differ in their legal actions
    )
    for deal in range(options.rounds):
        state = game.new_initial_state()
        state.apply_action(deal)  # the chance node at the root is the deal
        while not state.is_terminal():
            mine = state.current_player() == 0
            action = bot.step(state) if mine else int(rng.choice(state.legal_actions()))
            state.apply_action(action)
        print(f"deal {deal}: returns {state.returns()}")


if __name__ == "__main__":
    main()
