"""Rule sets for training and for testing on rules never seen, by name.

`ruleset:values/train` and `ruleset:values/test` are two fixed lists of rules, in the spirit of
Procgen's train and test levels (Cobbe et al. 2020, https://arxiv.org/abs/1912.01588). `uno-train
--variant`, `uno-arena --variant` and the benchmark's tasks take such a name for a variant. `split`
gives both lists of a split.
"""

from .conditions import Combination, Condition
from .named import PREFIX, expand_variants, held_out, is_ruleset, ruleset, split
from .splits import SPLITS, VERSION, Split

__all__ = [
    "PREFIX",
    "SPLITS",
    "VERSION",
    "Combination",
    "Condition",
    "Split",
    "expand_variants",
    "held_out",
    "is_ruleset",
    "ruleset",
    "split",
]
