"""PPO with self-play in one file, after CleanRL: masked, vectorised, one network on all seats.

    python examples/ppo.py --updates 100

Four things differ from PPO on a single-agent environment; the code marks each with its number.

1. Trajectories are per seat. Row i belongs to a different seat at every step (`batch.actor`). The
   decisions of one seat form its trajectory: the next state of a decision is the same seat's next
   decision, however many decisions of others lie between.
2. Bootstrapping. When the rollout stops in the middle of a game, only the seat to act has an
   observation, hence a value. The last decision of each idle seat has no next state yet, so it is
   left out of the update.
3. Forced decisions. With the rule `auto_forced` the engine takes decisions that have one legal
   action by itself. A policy gradient through them is zero, and they would only fill the batch.
4. The mask. `batch.mask` is (games, 208) bytes, a column for each action id, the same ids in every
   variant. Its logits are set to a large negative number before the softmax, when acting and when
   learning.
"""

import argparse
import time
from dataclasses import dataclass

import numpy as np
import torch
import uno_arena
from torch import nn
from torch.distributions import Categorical

import uno_env

SEATS = 10
"""Columns of `batch.rewards`: the largest table."""


@dataclass
class Options:
    """Hyperparameters; each is a flag of the command."""

    variant: str = "classic"
    players: int = 2
    games: int = 256
    steps: int = 64
    updates: int = 100
    epochs: int = 2
    minibatch: int = 2048
    learning_rate: float = 3e-4
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy_coef: float = 0.01
    value_coef: float = 0.5
    max_grad_norm: float = 0.5
    seed: int = 0
    deals: int = 1000


# --8<-- [start:network]
class ActorCritic(nn.Module):
    """A shared body, a policy head over the action table and a value head."""

    def __init__(self, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(uno_env.OBS_SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy = nn.Linear(width, uno_env.NUM_ACTIONS)
        self.value = nn.Linear(width, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, obs: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The distribution over legal actions, and the expected return of the acting seat."""
        hidden = self.body(obs)
        logits = self.policy(hidden).masked_fill(mask == 0, -1e9)  # (4)
        return Categorical(logits=logits), self.value(hidden).squeeze(-1)

    @torch.no_grad()
    def act_batch(self, obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Most probable actions; with this method the network is an agent of the arena."""
        choice, _ = self(torch.from_numpy(uno_env.scaled(obs)), torch.from_numpy(mask))
        return choice.logits.argmax(1).numpy()


# --8<-- [end:network]
# --8<-- [start:rollout]
@dataclass
class Rollout:
    """`steps` decisions of each of `games` games, in the order of time."""

    obs: torch.Tensor
    mask: torch.Tensor
    action: torch.Tensor
    log_prob: torch.Tensor
    value: np.ndarray
    actor: np.ndarray
    done: np.ndarray
    rewards: np.ndarray
    last_value: np.ndarray
    last_actor: np.ndarray


@torch.no_grad()
def collect(network: ActorCritic, batch: uno_env.UnoVec, steps: int) -> Rollout:
    """Play. The arrays of the batch are overwritten by the next step, so they are copied."""
    seen: list[tuple] = []
    for _ in range(steps):
        obs = torch.from_numpy(uno_env.scaled(batch.obs))
        mask = torch.from_numpy(batch.mask.copy())
        choice, value = network(obs, mask)
        action = choice.sample()
        actor = batch.actor.copy()  # (1) who decides in each game now
        batch.step(action.numpy())
        seen.append((obs, mask, action, choice.log_prob(action), value.numpy(), actor,
                     batch.done > 0, batch.rewards.copy()))  # fmt: skip
    obs, mask, action, log_prob, value, actor, done, rewards = zip(*seen, strict=True)
    _, last_value = network(
        torch.from_numpy(uno_env.scaled(batch.obs)), torch.from_numpy(batch.mask)
    )
    return Rollout(
        torch.stack(obs), torch.stack(mask), torch.stack(action), torch.stack(log_prob),
        np.stack(value), np.stack(actor), np.stack(done), np.stack(rewards),
        last_value.numpy(), batch.actor.copy(),
    )  # fmt: skip


# --8<-- [end:rollout]
# --8<-- [start:gae]
def advantages(rollout: Rollout, gae_lambda: float) -> tuple[np.ndarray, np.ndarray]:
    """Generalised advantage estimates, and which decisions have one. Rewards are undiscounted.

    Going back in time, three tables hold what each seat of each game meets next: its reward, the
    value of its next decision, and the advantage there.
    """
    steps, games = rollout.actor.shape
    rows = np.arange(games)
    reward, next_value, next_advantage = np.zeros((3, games, SEATS), np.float32)
    has_next = np.zeros((games, SEATS), bool)
    next_value[rows, rollout.last_actor] = rollout.last_value
    has_next[rows, rollout.last_actor] = True  # (2) idle seats stay False
    found = np.zeros((steps, games), np.float32)
    known = np.zeros((steps, games), bool)
    for t in reversed(range(steps)):
        over = rollout.done[t]
        # What came later belongs to the next deal; this game ends here for all seats.
        reward[over] = rollout.rewards[t, over]
        next_value[over], next_advantage[over], has_next[over] = 0, 0, True
        seat = rows, rollout.actor[t]  # (1)
        known[t] = has_next[seat]
        error = reward[seat] + next_value[seat] - rollout.value[t]
        found[t] = np.where(known[t], error + gae_lambda * next_advantage[seat], 0)
        reward[seat], has_next[seat] = 0, True
        next_value[seat], next_advantage[seat] = rollout.value[t], found[t]
    return found, known


# --8<-- [end:gae]
# --8<-- [start:update]
def update(network: ActorCritic, optimizer: torch.optim.Optimizer, rollout: Rollout,
           options: Options) -> dict[str, float]:  # fmt: skip
    """Some epochs of minibatches with the clipped objective of PPO (Schulman et al. 2017)."""
    found, known = advantages(rollout, options.gae_lambda)
    index = torch.from_numpy(np.flatnonzero(known.ravel()))
    obs, mask = rollout.obs.flatten(0, 1), rollout.mask.flatten(0, 1)
    action, old = rollout.action.flatten(), rollout.log_prob.flatten()
    advantage = torch.from_numpy(found.ravel())
    returns = advantage + torch.from_numpy(rollout.value.ravel())
    metrics: dict[str, list[float]] = {"policy_loss": [], "value_loss": [], "entropy": [],
                                       "approx_kl": [], "clip_fraction": []}  # fmt: skip
    for _ in range(options.epochs):
        for part in index[torch.randperm(len(index))].split(options.minibatch):
            choice, value = network(obs[part], mask[part])
            log_ratio = choice.log_prob(action[part]) - old[part]
            ratio = log_ratio.exp()
            gain = advantage[part]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            clipped = ratio.clamp(1 - options.clip, 1 + options.clip)
            policy_loss = -torch.min(ratio * gain, clipped * gain).mean()
            value_loss = 0.5 * (value - returns[part]).square().mean()
            entropy = choice.entropy().mean()
            loss = policy_loss + options.value_coef * value_loss - options.entropy_coef * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), options.max_grad_norm)
            optimizer.step()
            kl = ((ratio - 1) - log_ratio).mean()
            clip_fraction = ((ratio - 1).abs() > options.clip).float().mean()
            for name, number in zip(metrics, (policy_loss, value_loss, entropy, kl, clip_fraction),
                                    strict=True):  # fmt: skip
                metrics[name].append(number.item())
    return {name: float(np.mean(numbers)) for name, numbers in metrics.items()}


# --8<-- [end:update]
# --8<-- [start:train]
def train(options: Options) -> ActorCritic:
    """Self-play: the current network on every seat."""
    torch.manual_seed(options.seed)
    rules = uno_env.Rules.preset(options.variant).replace(auto_forced=True)  # (3)
    batch = uno_env.vec(
        rules, num_envs=options.games, num_players=options.players, seed=options.seed
    )
    batch.reset()
    network = ActorCritic()
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate, eps=1e-5)
    start = time.monotonic()
    for number in range(1, options.updates + 1):
        optimizer.param_groups[0]["lr"] = options.learning_rate * (
            1 - (number - 1) / options.updates
        )
        metrics = update(network, optimizer, collect(network, batch, options.steps), options)
        if number % 10 == 0 or number == options.updates:
            speed = number * options.games * options.steps / (time.monotonic() - start)
            told = " ".join(f"{name} {value:.3f}" for name, value in metrics.items())
            print(f"update {number}/{options.updates} {told} {speed:,.0f} decisions/s", flush=True)
    return network


# --8<-- [end:train]
def parsed(argv: list[str] | None = None) -> Options:
    """Options from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in vars(Options()).items():
        parser.add_argument("--" + name.replace("_", "-"), type=type(default), default=default)
    return Options(**vars(parser.parse_args(argv)))


def main() -> None:
    """Train, then measure against the baselines on duplicate deals."""
    options = parsed()
    network = train(options)
    for opponent in ("random", "greedy", "heuristic"):
        result = uno_arena.compare(
            network, opponent, variant=options.variant, players=options.players,
            deals=options.deals, seed=1,
        )  # fmt: skip
        print(f"against {opponent}: {result}; chance level {result.chance:.0%}")


if __name__ == "__main__":
    main()
