"""Batches of decisions and the losses of the three stages: imitation, distillation, PPO."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from uno_agents.neural.network import PolicyNetwork

from uno_env.array_types import Bools, Floats

from .config import TrainConfig
from .policy import add_prior
from .rollout import RolloutBuffer

MAX_Q_ADVANTAGE = 4.0
"""Search advantages are clipped to this: a win at once must not drown all other differences."""


class Batch(NamedTuple):
    """Decisions to learn from; a minibatch is one too."""

    inputs: Tensor
    mask: Tensor
    action: Tensor
    log_prob: Tensor
    advantage: Tensor
    returns: Tensor
    value: Tensor
    """Value estimates of the rollout."""
    teacher_action: Tensor
    hidden_hands: Tensor
    """Hands of the other seats, for a critic that sees them; else without columns."""
    q_values: Tensor
    """Action values by search, of a distillation batch; else without columns."""

    def minibatches(self, size: int, rng: np.random.Generator) -> Iterator["Batch"]:
        """All decisions once, shuffled, in minibatches of nearly equal size."""
        order = torch.from_numpy(rng.permutation(len(self.action))).to(self.action.device)
        for rows in order.tensor_split(max(1, round(len(order) / size))):
            yield Batch(*(column.index_select(0, rows) for column in self))


class LossCoefs(NamedTuple):
    """Coefficients of the parts of the loss, at this moment of the run."""

    value: float
    entropy: float
    imitation: float


class Metrics(NamedTuple):
    """What TensorBoard shows as `train/...`: of one gradient step, or the mean of several.

    Attributes:
        policy_loss: negative surrogate objective; of imitation, the negative log-likelihood.
        approx_kl: estimate of KL(old policy || new policy) (http://joschu.net/blog/kl-approx.html).
        clip_fraction: share of decisions whose probability ratio is clipped.
        explained_variance: of the returns by the rollout's value estimates; set by the iteration.
        teacher_agreement: how often the most probable action is the teacher's (in distillation:
            the best by search).
    """

    loss: float
    policy_loss: float
    value_loss: float
    entropy: float
    approx_kl: float
    clip_fraction: float
    explained_variance: float
    teacher_agreement: float


def make_batch(
    buffer: RolloutBuffer, advantage: Floats, known: Bools, labelled_only: bool = False
) -> Batch:
    """The learner's decisions whose advantage is known; advantages are normalised.

    Args:
        labelled_only: only decisions that search has labelled, with their action values.
    """
    decisions, is_learner = buffer.decisions, buffer.trajectories.is_learner
    device = decisions.value.device
    if labelled_only:
        known = known.copy()
        known[is_learner] &= decisions.is_labelled[: decisions.used].cpu().numpy()
    kept = torch.from_numpy(np.flatnonzero(known[is_learner])).to(device)
    advantages = torch.from_numpy(advantage[known]).to(device)
    returns = advantages + decisions.value[kept]
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    return Batch(
        decisions.inputs[kept],
        decisions.mask[kept],
        decisions.action[kept],
        decisions.log_prob[kept],
        advantages,
        returns,
        decisions.value[kept],
        decisions.teacher_action[kept],
        decisions.hidden_hands[kept],
        decisions.q_values[kept] if labelled_only else decisions.q_values[kept, :0],
    )


def ppo_loss(
    network: PolicyNetwork, batch: Batch, config: TrainConfig, coefs: LossCoefs
) -> tuple[Tensor, Metrics]:
    """PPO's clipped surrogate objective (Schulman et al. 2017) with value loss and entropy bonus.

    Optionally plus the imitation loss, as in kickstarting (Schmitt et al. 2018).
    """
    logits, value = network.forward_canonical(batch.inputs, batch.mask)
    logits = add_prior(logits, batch.teacher_action, config.heuristic_prior)
    log_probs = logits.log_softmax(-1)
    ratio = (log_probs.gather(1, batch.action[:, None])[:, 0] - batch.log_prob).exp()
    clipped = ratio.clamp(1 - config.clip_range, 1 + config.clip_range)
    objective = torch.minimum(ratio * batch.advantage, clipped * batch.advantage).mean()
    entropy = -(log_probs.exp() * log_probs).sum(-1).mean()
    value_loss = nn.functional.mse_loss(value, batch.returns)
    loss = coefs.value * value_loss - objective - coefs.entropy * entropy
    if coefs.imitation:
        nll = nn.functional.nll_loss(log_probs, batch.teacher_action)
        loss = loss + coefs.imitation * nll
    with torch.no_grad():
        approx_kl = (ratio - 1 - ratio.log()).mean()
        clip_fraction = (ratio != clipped).float().mean()
        agreement = (logits.argmax(-1) == batch.teacher_action).float().mean()
    parts = (loss, -objective, value_loss, entropy, approx_kl, clip_fraction)
    return loss, _metrics(*parts, agreement)


def imitation_loss(
    network: PolicyNetwork, batch: Batch, config: TrainConfig, coefs: LossCoefs
) -> tuple[Tensor, Metrics]:
    """Behaviour cloning: negative log-likelihood of the teacher's action, and the value loss."""
    logits, value = network.forward_canonical(batch.inputs, batch.mask)
    log_probs = logits.log_softmax(-1)
    nll = nn.functional.nll_loss(log_probs, batch.teacher_action)
    value_loss = nn.functional.mse_loss(value, batch.returns)
    loss = nll + coefs.value * value_loss
    with torch.no_grad():
        entropy = -(log_probs.exp() * log_probs).sum(-1).mean()
        agreement = (logits.argmax(-1) == batch.teacher_action).float().mean()
    zero = torch.zeros_like(agreement)
    parts = (loss, nll, value_loss, entropy, zero, zero)
    return loss, _metrics(*parts, agreement)


def distillation_loss(
    network: PolicyNetwork, batch: Batch, config: TrainConfig, coefs: LossCoefs
) -> tuple[Tensor, Metrics]:
    """Search distillation (expert iteration, Anthony et al. 2017) by the reverse KL divergence.

    Minimises KL(pi || softmax(A / temperature)), A being the advantages by search. The values enter
    linearly, so the noise of a single search averages out over positions that look alike to the
    network; a copy of the action that seemed best would learn the noise.

    A value is that of one action, with the teacher's play afterwards. Where all actions are nearly
    equal, a policy that deviates at every step does not play on like that, so the teacher's action
    gets the bonus `distill_teacher_margin`. With a heuristic prior it has its bonus already.
    """
    logits, value = network.forward_canonical(batch.inputs, batch.mask)
    log_probs = logits.log_softmax(-1)
    probs = log_probs.exp()
    num_legal = batch.mask.sum(-1, keepdim=True)
    mean = batch.q_values.sum(-1, keepdim=True) / num_legal
    q_advantage = ((batch.q_values - mean) * batch.mask).clamp(-MAX_Q_ADVANTAGE, MAX_Q_ADVANTAGE)
    if config.label_margin:
        is_teachers = nn.functional.one_hot(batch.teacher_action, q_advantage.shape[1])
        q_advantage = q_advantage + config.label_margin * is_teachers
    objective = (probs * q_advantage).sum(-1).mean()
    entropy = -(probs * log_probs).sum(-1).mean()
    value_loss = nn.functional.mse_loss(value, batch.returns)
    loss = coefs.value * value_loss - objective / config.distill_temperature - entropy
    with torch.no_grad():
        best = q_advantage.masked_fill(batch.mask == 0, -1e9).argmax(-1)
        agreement = (logits.argmax(-1) == best).float().mean()
    zero = torch.zeros_like(agreement)
    parts = (loss, -objective, value_loss, entropy, zero, zero)
    return loss, _metrics(*parts, agreement)


def _metrics(*numbers: Tensor) -> Metrics:
    *parts, agreement = torch.stack([number.detach() for number in numbers]).tolist()
    return Metrics(*[*parts, 0.0, agreement])


def explained_variance(batch: Batch) -> float:
    """1 - Var(returns - values) / Var(returns), of a whole batch; 0 if all returns are equal."""
    variance = batch.returns.var(correction=0)
    residual = (batch.returns - batch.value).var(correction=0)
    return float(1 - residual / variance) if variance > 0 else 0.0
