"""Self-play in under 100 lines: masked policy gradient on the vector environment.

    python examples/self_play.py --updates 200

One network plays every seat of every game. A game is learned from when it has ended: each decision
is reinforced by the final reward of the seat that took it (REINFORCE, Williams 1992).
"""

import argparse

import numpy as np
import torch
import uno_arena
from torch.distributions import Categorical

import uno_env

ILLEGAL = -1e9


class Policy(torch.nn.Module):
    """Logits of the 208 actions from the 1,280 bytes of an observation."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(uno_env.OBS_SIZE, 256),
            torch.nn.ReLU(),
            torch.nn.Linear(256, uno_env.NUM_ACTIONS),
        )

    def forward(self, obs: np.ndarray, mask: np.ndarray) -> torch.Tensor:
        """Illegal actions get probability zero."""
        logits = self.layers(torch.from_numpy(uno_env.scaled(obs)))
        return logits.masked_fill(torch.from_numpy(mask == 0), ILLEGAL)

    @torch.no_grad()
    def act_batch(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Most probable actions: with this method the network is an agent of the arena."""
        return self(obs, mask).argmax(1).numpy()


def train(updates: int, games: int, players: int, size: int) -> Policy:
    """Self-play of one network on all seats; `size` decisions an update."""
    # With auto_forced the engine takes decisions that have one legal action by itself.
    rules = uno_env.Rules.preset("classic").replace(auto_forced=True)
    batch = uno_env.vec(rules, num_envs=games, num_players=players, seed=0)
    batch.reset()
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=3e-4)
    open_games: list[list] = [[] for _ in range(games)]  # decisions of games that still run
    for update in range(updates):
        ended: list[tuple] = []
        while len(ended) < size:
            obs, mask, actor = batch.obs.copy(), batch.mask.copy(), batch.actor.copy()
            with torch.no_grad():
                actions = Categorical(logits=policy(obs, mask)).sample().numpy()
            batch.step(actions)  # games that end are dealt anew in the same step
            for i in range(games):
                open_games[i].append((obs[i], mask[i], actions[i], actor[i]))
            for i in np.flatnonzero(batch.done):
                # Rewards are per absolute seat: each decision gets that of its own seat.
                ended += [(o, m, a, batch.rewards[i, seat]) for o, m, a, seat in open_games[i]]
                open_games[i] = []
        obs, mask, actions, returns = (np.stack(column) for column in zip(*ended, strict=True))
        chosen = Categorical(logits=policy(obs, mask))
        log_prob = chosen.log_prob(torch.from_numpy(actions))
        loss = -(log_prob * torch.from_numpy(returns)).mean() - 0.01 * chosen.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (update + 1) % 10 == 0:
            print(f"update {update + 1}: entropy {chosen.entropy().mean():.2f}", flush=True)
    return policy


def main() -> None:
    """Train, then play duplicate deals against two baselines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--games", type=int, default=128)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=1000)
    options = parser.parse_args()
    torch.manual_seed(0)
    policy = train(options.updates, options.games, options.players, options.batch)
    for opponent in ("random", "greedy"):
        print("against", opponent, uno_arena.compare(
            policy, opponent, players=options.players, deals=options.deals, seed=1))  # fmt: skip


if __name__ == "__main__":
    main()
