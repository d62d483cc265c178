"""The hash of an agent's bytes: it decides which verification deals the agent is dealt."""

import hashlib

from uno_agents.kinds import NAMED
from uno_agents.pretrained import pretrained_path
from uno_agents.specs import Spec, parse_spec

from uno_env import __version__

from ..play.entrants import fingerprint


def agent_hash(spec: str) -> str:
    """SHA-256 of the files of an agent, and of its class and options.

    Where the files lie makes no difference. An agent that is part of this package is its spec and
    the package's version, and a shipped network its weights.
    """
    parsed = parse_spec(spec)
    options = sorted(parsed.options.items())
    text = f"{_substance(parsed)}\n{options}"
    return hashlib.sha256(text.encode()).hexdigest()


def _substance(parsed: Spec) -> str:
    if parsed.name == "pretrained":
        weights = pretrained_path(parsed.argument).read_bytes()
        return hashlib.sha256(weights).hexdigest()
    files = fingerprint(parsed.text)
    if files:
        _, code, name = parsed.target.rpartition(".py:")
        return f"{files} {name if code else ''}"
    if parsed.name in NAMED:
        return f"{parsed.target} of uno-env {__version__}"
    # A server's bytes are out of reach: its address stands for it.
    return parsed.target
