"""Old names of options, so that old files and commands are answered with the new name.

Configs and flags with an old name are refused. A config that a run has saved is converted: its
values mean the same under the new names.
"""

from collections.abc import Mapping, Sequence
from typing import Any

RENAMED = {
    "num_players": "players",
    "past": "opponent_pool_share",
    "remember_every": "snapshot_every",
    "warm_start": "imitation_teacher",
    "warm_decisions": "imitation_decisions",
    "warm_minibatch": "imitation_minibatch",
    "warm_learning_rate": "imitation_learning_rate",
    "teacher_weight": "imitation_coef",
    "study_until": "distill_until",
    "study_share": "distill_share",
    "study_sims": "distill_sims",
    "study_epochs": "distill_epochs",
    "study_minibatch": "distill_minibatch",
    "study_learning_rate": "distill_learning_rate",
    "study_temperature": "distill_temperature",
    "study_trust": "distill_teacher_margin",
    "leans": "heuristic_prior",
    "steps": "rollout_steps",
    "tie_numbers": "share_number_weights",
    "entropy": "entropy_coef",
    "final_entropy": "final_entropy_coef",
    "clip": "clip_range",
    "value_weight": "value_coef",
    "max_gradient": "max_grad_norm",
    "watch_every": "eval_every",
    "watch_deals": "curve_deals",
}
"""Keys of a config, by their old names."""
RENAMED_RLLIB = {
    key: RENAMED[key] for key in ("num_players", "past", "remember_every", "entropy")
} | {"pool": "opponent_pool_size"}
RENAMED_SB3 = {"rollout": "rollout_steps", "entropy": "entropy_coef"}


def refuse_old_keys(keys: Mapping[str, Any], where: Any, renamed: Mapping[str, str]) -> None:
    """Raise if a config has a key by an old name."""
    for key in keys:
        if key in renamed:
            raise ValueError(f"{where}: the key {key!r} is called {renamed[key]!r} now")


def refuse_old_flags(words: Sequence[str], renamed: Mapping[str, str]) -> None:
    """Raise if a command line has a flag by an old name."""
    for word in words:
        flag, _, _ = word.partition("=")
        key = flag.removeprefix("--").replace("-", "_")
        if flag.startswith("--") and key in renamed:
            raise ValueError(f"the flag {flag} is called --{renamed[key].replace('_', '-')} now")


def converted(saved: Mapping[str, Any]) -> dict[str, Any]:
    """The config that a run saved, under today's names."""
    return {RENAMED.get(key, key): value for key, value in saved.items()}
