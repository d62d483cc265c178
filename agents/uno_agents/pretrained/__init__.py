"""The trained agents that come with the package, by name: `pretrained:classic`.

Each is one file `NAME.safetensors` in this folder, weights and metadata, written by
`python -m uno_train.pretrained`. They play with numpy alone.
"""

from functools import lru_cache
from pathlib import Path

from ..base import AgentError
from ..neural.agent import NeuralAgent
from ..neural.weights import read_metadata
from ..specs import did_you_mean

FOLDER = Path(__file__).parent


def pretrained_names() -> dict[str, str]:
    """Names of the shipped agents, each with a line about it."""
    return {path.stem: _description(path) for path in sorted(FOLDER.glob("*.safetensors"))}


def pretrained_path(name: str) -> Path:
    """The weights file of a shipped agent; the name is one of `pretrained_names`, never a path."""
    known = pretrained_names()
    if name not in known:
        raise AgentError(
            f"there is no pretrained agent {name!r}; allowed: "
            f"{', '.join(known) or 'none is installed'}{did_you_mean(name, known)}"
        )
    return FOLDER / f"{name}.safetensors"


def load_pretrained(name: str, sample: bool = False, seed: int = 0) -> NeuralAgent:
    """The shipped agent of this name; `sample` and `seed` as for `NeuralAgent`."""
    return NeuralAgent.load(pretrained_path(name), sample, seed)


@lru_cache
def _description(path: Path) -> str:
    return str(read_metadata(path).get("description", "a trained network"))
