"""Learning steps: minibatches of decisions, the clipped objective, and imitation of a teacher."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from uno_agents.neural.network import PolicyNetwork

from uno_env.array_types import Bools, Floats

from .config import TrainConfig
from .rollout import Batch
from .sampling import leaning

MOST_LEAD = 4.0
"""What is better or worse by more counts as this much: winning at once must not drown the rest."""


class Lesson(NamedTuple):
    """Decisions to learn from, shuffled into minibatches."""

    inputs: Tensor
    mask: Tensor
    action: Tensor
    log_prob: Tensor
    advantage: Tensor
    outcome: Tensor
    advice: Tensor
    worth: Tensor
    """What each action is worth, of decisions that were studied; else without columns."""

    def minibatches(self, size: int, rng: np.random.Generator) -> Iterator["Lesson"]:
        """All decisions once, in parts of nearly equal size."""
        order = torch.from_numpy(rng.permutation(len(self.action))).to(self.action.device)
        for part in order.tensor_split(max(1, round(len(order) / size))):
            yield Lesson(*(column.index_select(0, part) for column in self))


class Weights(NamedTuple):
    """What each part of the loss counts at this moment of the run."""

    value: float
    entropy: float
    teacher: float


class Facts(NamedTuple):
    """Numbers to watch, of one gradient step or the mean of several."""

    loss: float
    gain: float
    value_loss: float
    entropy: float
    change: float
    clipped: float
    agreement: float


def make_lesson(batch: Batch, advantage: Floats, known: Bools, studied: bool = False) -> Lesson:
    """The learner's decisions whose sequel is known, their advantages centred and scaled.

    Args:
        studied: only decisions that were studied, with what was found.
    """
    decisions, ours = batch.decisions, batch.course.ours
    device = decisions.value.device
    if studied:
        known = known.copy()
        known[ours] &= decisions.is_studied[: decisions.used].cpu().numpy()
    kept = torch.from_numpy(np.flatnonzero(known[ours])).to(device)
    earned = torch.from_numpy(advantage[known]).to(device)
    outcome = earned + decisions.value[kept]
    earned = (earned - earned.mean()) / (earned.std() + 1e-8)
    return Lesson(
        decisions.inputs[kept],
        decisions.mask[kept],
        decisions.action[kept],
        decisions.log_prob[kept],
        earned,
        outcome,
        decisions.advice[kept],
        decisions.worth[kept] if studied else decisions.worth[kept, :0],
    )


def policy_step(
    network: PolicyNetwork, part: Lesson, config: TrainConfig, weights: Weights
) -> tuple[Tensor, Facts]:
    """The clipped objective with value, entropy and perhaps the teacher's advice."""
    logits, value = network.forward_canonical(part.inputs, part.mask)
    logits = leaning(logits, part.advice, config.leans)
    log_probs = logits.log_softmax(-1)
    ratio = (log_probs.gather(1, part.action[:, None])[:, 0] - part.log_prob).exp()
    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
    gain = torch.minimum(ratio * part.advantage, clipped * part.advantage).mean()
    entropy = -(log_probs.exp() * log_probs).sum(-1).mean()
    miss = nn.functional.mse_loss(value, part.outcome)
    loss = weights.value * miss - gain - weights.entropy * entropy
    if weights.teacher:
        loss = loss + weights.teacher * nn.functional.nll_loss(log_probs, part.advice)
    with torch.no_grad():
        facts = torch.stack(
            [
                loss,
                gain,
                miss,
                entropy,
                (ratio - 1 - ratio.log()).mean(),
                (ratio != clipped).float().mean(),
                (logits.argmax(-1) == part.advice).float().mean(),
            ]
        )
    return loss, Facts(*facts.tolist())


def imitation_step(
    network: PolicyNetwork, part: Lesson, config: TrainConfig, weights: Weights
) -> tuple[Tensor, Facts]:
    """Do as the teacher does, and foresee what comes of it."""
    logits, value = network.forward_canonical(part.inputs, part.mask)
    log_probs = logits.log_softmax(-1)
    surprise = nn.functional.nll_loss(log_probs, part.advice)
    miss = nn.functional.mse_loss(value, part.outcome)
    loss = surprise + weights.value * miss
    with torch.no_grad():
        entropy = -(log_probs.exp() * log_probs).sum(-1).mean()
        agreement = (logits.argmax(-1) == part.advice).float().mean()
        none = torch.zeros_like(loss)
        facts = torch.stack([loss, -surprise, miss, entropy, none, none, agreement])
    return loss, Facts(*facts.tolist())


def study_step(
    network: PolicyNetwork, part: Lesson, config: TrainConfig, weights: Weights
) -> tuple[Tensor, Facts]:
    """Take each action as often as it is better than the others by search.

    The policy p is drawn towards exp(worth / temperature) by the divergence in which worths enter
    linearly: chance in a single search averages out over the positions that look alike, while a
    copy of the action that seemed best would learn the chance too.

    The teacher's action has a start: worths are those of going on as the teacher would, and where
    all actions are nearly equal, one who strays from it at every step goes on otherwise. A network
    that leans on the teacher has this start beside it, and learns what actions are worth alone.
    """
    logits, value = network.forward_canonical(part.inputs, part.mask)
    log_probs = logits.log_softmax(-1)
    probs = log_probs.exp()
    count = part.mask.sum(-1, keepdim=True)
    lead = (part.worth - part.worth.sum(-1, keepdim=True) / count) * part.mask
    lead = lead.clamp(-MOST_LEAD, MOST_LEAD)
    if config.warm_start and not config.leans:
        start = nn.functional.one_hot(part.advice, lead.shape[1])
        lead = lead + config.study_trust * start
    gain = (probs * lead).sum(-1).mean()
    entropy = -(probs * log_probs).sum(-1).mean()
    miss = nn.functional.mse_loss(value, part.outcome)
    loss = weights.value * miss - gain / config.study_temperature - entropy
    with torch.no_grad():
        agreement = (logits.argmax(-1) == lead.masked_fill(part.mask == 0, -1e9).argmax(-1)).float()
        none = torch.zeros_like(loss)
        facts = torch.stack([loss, gain, miss, entropy, none, none, agreement.mean()])
    return loss, Facts(*facts.tolist())
