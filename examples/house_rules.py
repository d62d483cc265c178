"""House rules, and a card of your own, without touching the library.

python examples/house_rules.py
"""

import numpy as np

import uno_env as uno


# --8<-- [start:switches]
def house_rules() -> uno.Rules:
    """Classic with stacked penalties, sevens that swap hands, and jump-ins."""
    return uno.Rules.preset("classic").replace(
        stacking="equal_or_higher",
        challenge="none",  # a wild +4 is answered by stacking, not by a challenge
        seven_swap=True,
        jump_in=True,
    )


# --8<-- [end:switches]
# --8<-- [start:card]
def with_own_card() -> uno.Rules:
    """Four blank wilds: whoever plays one makes a seat of its choice draw four."""
    return house_rules().replace(deck={"wild-blank": 4}, blank_effect="target_draw", blank_draws=4)


# --8<-- [end:card]
# --8<-- [start:play]
def play(rules: uno.Rules, seed: int) -> uno.Game:
    """A round of random play."""
    rng = np.random.default_rng(seed)
    game = uno.Game(rules, num_players=4, seed=seed)
    while not game.over:
        game.step(str(rng.choice(game.legal())))
    return game


def main() -> None:
    """Print what differs, and count how often the new card was played."""
    print(house_rules().text())
    rules = with_own_card()
    print(rules.text())
    games = [play(rules, seed) for seed in range(10)]
    played = sum(
        event["type"] == "play" and "wild-blank" in event["cards"]
        for game in games
        for event in game.events
    )
    print(f"the blank wild was played {played} times in {len(games)} rounds")

    # What cannot be played is refused, with the reason.
    try:
        uno.Rules.preset("classic").replace(stacking="always")
    except uno.RulesError as error:
        print("refused:", str(error).splitlines()[0])


# --8<-- [end:play]
if __name__ == "__main__":
    main()
