"""Drawing actions by the probabilities of masked logits."""

import torch
from torch import Tensor

NEARLY_ALL = 1 - 1e-5
"""Keeps a draw below the last sum, whatever the rounding."""


def sample(logits: Tensor, noise: torch.Generator) -> tuple[Tensor, Tensor]:
    """One choice a row by the softmax probabilities, and its log-probability."""
    shares = logits.softmax(-1)
    # Sums up to each choice as one product, which is several times faster than adding them up.
    sums = shares @ torch.ones(logits.shape[1], logits.shape[1], device=logits.device).triu()
    draw = torch.rand(len(logits), 1, generator=noise, device=logits.device) * NEARLY_ALL
    # Sums may be rounded differently; what has no share is never chosen all the same.
    reached = (sums > draw) & (shares > 0)
    choice = reached.to(torch.uint8).argmax(-1)
    return choice, shares.gather(1, choice[:, None])[:, 0].log()


def leaning(logits: Tensor, advice: Tensor, leans: float) -> Tensor:
    """The logits of a network that leans on the teacher's action."""
    if not leans:
        return logits
    return logits.scatter_add(1, advice[:, None], logits.new_full((len(logits), 1), leans))
