"""Play one round through PettingZoo's own loop, with legal-action masks.

python examples/pettingzoo_loop.py --variant no_mercy --players 4
"""

import argparse

import pettingzoo

import uno_env  # importing it registers "uno/uno-v0"


def play(variant: str, players: int, seed: int) -> dict[str, float]:
    """One round of uniformly random legal actions; returns the reward of every agent."""
    env = pettingzoo.make("aec", "uno/uno-v0", variant=variant, num_players=players)
    env.reset(seed=seed)
    for agent in env.possible_agents:
        env.action_space(agent).seed(seed)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    decisions = 0
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        rewards[agent] += reward
        if terminated or truncated:
            env.step(None)  # PettingZoo's way to retire an agent whose episode is over
            continue
        # The mask has a 1 for each legal action; `sample` draws among those only.
        action = env.action_space(agent).sample(observation["action_mask"])
        if decisions < 5:
            print(f"{agent} in {info['phase']}: {uno_env.action_text(int(action), info['phase'])}")
        env.step(action)
        decisions += 1
    env.close()
    print(f"... over after {decisions} decisions")
    return rewards


def main() -> None:
    """Read the options and play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", default="no_mercy", choices=uno_env.VARIANTS)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rewards = play(options.variant, options.players, options.seed)
    print(rewards)
    assert abs(sum(rewards.values())) < 1e-6, "the reward `win` sums to zero"


if __name__ == "__main__":
    main()
