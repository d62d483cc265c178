"""Train on some house rules, test on combinations never seen in training.

    python examples/unseen_rules.py --updates 100

The rules are part of the observation, so one network can condition on them. The network and the
training loop are those of `ppo.py`; only the batch is mixed.
"""

import argparse

import torch
import uno_arena
from ppo import ActorCritic, Options, collect, update

import uno_env
from uno_env import Rules

# --8<-- [start:split]
SWITCHES = {
    "seven_swap": (False, True),
    "zero_pass": (False, True),
    "voluntary_draw": ("always", "never"),
    "hand_size": (5, 7),
}


def rule_sets() -> tuple[list[Rules], list[Rules]]:
    """All 16 combinations of four switches; every value is trained on, 4 combinations are not."""
    combinations: list[dict] = [{}]
    for name, values in SWITCHES.items():
        combinations = [{**chosen, name: value} for chosen in combinations for value in values]
    rules = [Rules.preset("classic").replace(auto_forced=True, **chosen) for chosen in combinations]
    held_out = {3, 6, 9, 12}
    train = [one for number, one in enumerate(rules) if number not in held_out]
    return train, [rules[number] for number in sorted(held_out)]


# --8<-- [end:split]
# --8<-- [start:main]
def main() -> None:
    """Train on twelve rule sets, then compare on those and on the four held out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--games", type=int, default=252)
    parser.add_argument("--deals", type=int, default=500)
    options = parser.parse_args()
    seen, unseen = rule_sets()
    torch.manual_seed(0)
    network = ActorCritic()
    ppo = Options(updates=options.updates, games=options.games)
    optimizer = torch.optim.Adam(network.parameters(), lr=ppo.learning_rate, eps=1e-5)
    batch = uno_env.vec(seen, num_envs=options.games, num_players=2, seed=0)  # dealt out in turn
    batch.reset()
    for _ in range(options.updates):
        update(network, optimizer, collect(network, batch, ppo.steps), ppo)
    for name, rules in (("seen", seen), ("unseen", unseen)):
        for one in rules[:4]:
            result = uno_arena.compare(
                network, "greedy", variant=one.text(), players=2, deals=options.deals, seed=1
            )
            print(f"{name} rules, against greedy: {result}  {one.text()}")


# --8<-- [end:main]
if __name__ == "__main__":
    main()
