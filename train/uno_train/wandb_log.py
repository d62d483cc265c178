"""`uno-train --wandb`: the scalars of a run in Weights & Biases as well as in TensorBoard."""

from pathlib import Path
from typing import Any

from .config import ConfigError, TrainConfig

PROJECT = "uno-env"


class WandbLog:
    """A run of Weights & Biases with the interface of a TensorBoard writer.

    `WANDB_MODE=offline` and the other settings of that package apply; files go to the run folder.

    Args:
        project: where the run is filed.
        out: the run folder, whose name the run gets.
        config: shown with the run.
    """

    def __init__(self, project: str, out: Path, config: TrainConfig) -> None:
        try:
            import wandb
        except ImportError:
            raise ConfigError(
                "--wandb needs Weights & Biases, which is not installed: "
                "pip install 'uno-env[wandb]'"
            ) from None
        out.mkdir(parents=True, exist_ok=True)
        self._run: Any = wandb.init(
            project=project,
            name=out.name,
            dir=str(out),
            config=config.model_dump(mode="json"),
            resume="allow",
        )
        # The learner's decisions are the x axis, as in TensorBoard.
        self._run.define_metric("decisions")
        self._run.define_metric("*", step_metric="decisions")

    def add_scalar(self, name: str, number: float, step: int) -> None:
        """Log one number."""
        self._run.log({name: number, "decisions": step})

    def close(self) -> None:
        """Finish the run."""
        self._run.finish()
