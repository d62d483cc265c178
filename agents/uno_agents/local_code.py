"""Your own code as an agent: `my_file.py:MyBot`, and what other packages register.

The class or function after the colon is called with the options of the spec; it may ask for a
`seed` too. What comes back needs `act(view, legal)`, or `act_batch(obs, mask)`, or is a function
`(view, legal) -> action` itself. This runs the file: only ever name one that you trust.
"""

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from uno_env.actions import action_text
from uno_env.array_types import Bytes, Ints
from uno_env.state_io.encode_view import chosen_text, encode_batch_of_one
from uno_env.state_io.view import View

from .base import Agent, AgentError
from .specs import Spec, did_you_mean


class FunctionAgent:
    """A function `(view, legal) -> action` as an agent."""

    def __init__(self, function: Callable[[View, list[str]], str], name: str) -> None:
        self.function, self.name = function, name

    def act(self, view: View, legal: list[str]) -> str:
        """What the function answers, a text or an id."""
        answer: Any = self.function(view, legal)
        return answer if isinstance(answer, str) else action_text(int(answer), view["phase"])

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


class EncodedAgent:
    """An object that only knows `act_batch` as an agent that is asked with views, too."""

    def __init__(self, agent: Any, name: str) -> None:
        self.agent, self.name = agent, name
        if callable(getattr(agent, "reset", None)):
            self.reset = agent.reset

    def act_batch(self, obs: Bytes, mask: Bytes) -> Ints:
        """What the object answers."""
        ids: Ints = self.agent.act_batch(obs, mask)
        return ids

    def act(self, view: View, legal: list[str]) -> str:
        """The same for one view: a batch of one."""
        return chosen_text(int(self.act_batch(*encode_batch_of_one(view, legal))[0]), legal)

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


def load_local(spec: Spec, seed: int = 0) -> Agent:
    """The agent of `file.py:Name`; runs the file."""
    return build(_named_in_file(spec, "agent", "MyBot"), spec, seed)


def load_class(text: str) -> Any:
    """What `file.py:Name` names, a class of the user's that is no agent; runs the file."""
    return _named_in_file(Spec(text, text, {}), "network", "MyNet")


def _named_in_file(spec: Spec, what: str, example: str) -> Any:
    """The class or function that a spec names in its file."""
    file, _, name = spec.target.rpartition(":")
    if not file.endswith(".py"):
        raise AgentError(
            f"{what} {spec.text!r} names no class; write {spec.target}:{example}, "
            "the class or function to use"
        )
    module = _run(Path(file), spec, what)
    found = getattr(module, name, None)
    if found is None:
        names = [
            key
            for key, value in vars(module).items()
            if callable(value) and getattr(value, "__module__", "") == module.__name__
        ]
        raise AgentError(
            f"{what} {spec.text!r}: {file} has no {name!r}; it has {', '.join(names) or 'none'}"
            f"{did_you_mean(name, names)}"
        )
    return found


def _run(path: Path, spec: Spec, what: str) -> ModuleType:
    """The module of a file, under a name of its own so that it hides no other."""
    if not path.is_file():
        raise AgentError(f"{what} {spec.text!r}: there is no file {path}")
    resolved = path.resolve()
    digest = hashlib.sha256(str(resolved).encode()).hexdigest()[:12]
    name = f"uno_env_local_{resolved.stem}_{digest}"
    module_spec = importlib.util.spec_from_file_location(name, resolved)
    if module_spec is None or module_spec.loader is None:
        raise AgentError(f"{what} {spec.text!r}: {path} cannot be imported as Python")
    module = importlib.util.module_from_spec(module_spec)
    # Dataclasses and pickling look modules up by name.
    sys.modules[name] = module
    try:
        module_spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise AgentError(
            f"{what} {spec.text!r}: {path} failed: {type(error).__name__}: {error}"
        ) from error
    return module


def build(factory: Any, spec: Spec, seed: int) -> Agent:
    """The agent that a class or factory makes, or a function `(view, legal)` itself."""
    name = spec.text
    if inspect.isfunction(factory) and _takes_views(factory) and not spec.options:
        return FunctionAgent(factory, name)
    arguments = _arguments(factory, spec, seed)
    try:
        agent = factory(**arguments) if callable(factory) else factory
    except Exception as error:
        raise AgentError(
            f"agent {name!r} cannot be made: {type(error).__name__}: {error}"
        ) from error
    if callable(getattr(agent, "act", None)):
        return agent  # type: ignore[no-any-return]
    if callable(getattr(agent, "act_batch", None)):
        return EncodedAgent(agent, name)
    if callable(agent):
        return FunctionAgent(agent, name)
    raise AgentError(
        f"agent {name!r} gives {agent!r}, which has neither act(view, legal) nor "
        "act_batch(obs, mask)"
    )


def _takes_views(function: Any) -> bool:
    """Whether a function is the agent itself: two arguments that must be given."""
    parameters = inspect.signature(function).parameters.values()
    needed = [p for p in parameters if p.default is p.empty and p.kind != p.VAR_KEYWORD]
    return len(needed) == 2


def _arguments(factory: Any, spec: Spec, seed: int) -> dict[str, Any]:
    """The options as numbers where they look like it, and the seed if it is asked for."""
    arguments: dict[str, Any] = {key: _value(text) for key, text in spec.options.items()}
    try:
        parameters = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return arguments
    takes_any = any(p.kind == p.VAR_KEYWORD for p in parameters.values())
    for key in arguments:
        if key not in parameters and not takes_any:
            raise AgentError(
                f"agent {spec.text!r} has no option {key!r}; "
                f"allowed: {', '.join(p for p in parameters if p != 'seed') or 'none'}"
            )
    if "seed" in parameters:
        arguments.setdefault("seed", seed)
    return arguments


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
