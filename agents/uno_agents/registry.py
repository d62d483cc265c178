"""Agents by spec string: `make_agent("search:sims=500")`, and the list of what there is.

`uno_env` finds `make_agent` through the entry point group `uno_env.agents`, so every environment
takes the same strings. Other packages add agents of their own by name in the group `uno_env.bots`.
Everything that needs an optional package is imported when such an agent is asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from .base import Agent, AgentError
from .specs import Option, Spec, did_you_mean, parse_spec, read_options

BOTS = "uno_env.bots"
"""Entry point group of third-party agents: name -> factory(seed=..., **options)."""
BUILT_IN = ("random", "greedy", "heuristic")
"""The baselines: they need no option, no file and no extra."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a maker of agents is given."""

    spec: Spec
    options: dict[str, Any]
    seed: int
    allow_local: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of agents: how it is written, what it is, what makes it.

    Attributes:
        form: how a spec of this kind is written.
        extra: the optional packages it needs (`pip install 'uno-env[EXTRA]'`).
        cheats: sees cards that a player may not see.
        local: reads a file, runs code or calls a URL, so strangers may not name it.
    """

    form: str
    description: str
    make: Callable[[Request], Any]
    options: tuple[Option, ...] = ()
    extra: str | None = None
    cheats: bool = False
    local: bool = False

    def build(self, spec: Spec, seed: int, allow_local: bool) -> Any:
        """The agent of a spec of this kind."""
        if self.local and not allow_local:
            raise AgentError(f"agent {spec.text!r} is not allowed here: {_allowed(False)}")
        # Local code takes whatever options its own arguments are.
        options = {} if self is LOCAL_CODE else read_options(spec, self.options, allow_local)
        try:
            return self.make(Request(spec, options, seed, allow_local))
        except ModuleNotFoundError as error:
            ours = (error.name or "agents").partition(".")[0] in ("agents", "uno_env")
            if self.extra is None or ours:
                raise
            raise AgentError(
                f"agent {spec.text!r} needs the package {error.name}: "
                f"pip install 'uno-env[{self.extra}]'"
            ) from error


def _random(request: Request) -> Any:
    from .simple import RandomAgent

    _no_argument(request.spec)
    return RandomAgent(request.seed)


def _greedy(request: Request) -> Any:
    from .simple import GreedyAgent

    _no_argument(request.spec)
    return GreedyAgent(request.seed)


def _heuristic(request: Request) -> Any:
    from .heuristic.agent import HeuristicAgent

    _no_argument(request.spec)
    return HeuristicAgent(request.seed)


def _search(request: Request) -> Any:
    from .search.agent import SearchAgent

    _no_argument(request.spec)
    options = dict(request.options)
    if "policy" in options:
        options["policy"] = make_agent(options["policy"], request.seed, request.allow_local)
    return SearchAgent(seed=request.seed, **options)


def _oracle(request: Request) -> Any:
    from .search.agent import OracleAgent

    _no_argument(request.spec)
    return OracleAgent(seed=request.seed, **request.options)


def _rlcard(request: Request) -> Any:
    from .rlcard_bot import RlcardAgent

    return RlcardAgent(request.spec.argument or "uno-rule-v1", request.seed)


def _pretrained(request: Request) -> Any:
    from .pretrained import load_pretrained

    return load_pretrained(request.spec.argument, seed=request.seed, **request.options)


def _checkpoint(request: Request) -> Any:
    from .neural.agent import NeuralAgent

    return NeuralAgent.load(request.spec.target, seed=request.seed, **request.options)


def _onnx(request: Request) -> Any:
    from .neural.onnx import load_onnx

    return load_onnx(request.spec.target, seed=request.seed, **request.options)


def _sb3(request: Request) -> Any:
    from .neural.sb3 import load_sb3

    return load_sb3(request.spec.target, seed=request.seed, **request.options)


def _remote(request: Request) -> Any:
    from .remote import RemoteAgent

    return RemoteAgent(request.spec.target, **request.options)


def _llm(request: Request) -> Any:
    from .llm.agent import LlmAgent
    from .llm.settings import llm_settings

    options = dict(request.options)
    if "fallback" in options:
        options["fallback"] = make_agent(options["fallback"], request.seed, request.allow_local)
    return LlmAgent(llm_settings(request.spec.argument), **options)


def _local_code(request: Request) -> Any:
    from .local_code import load_local

    return load_local(request.spec, request.seed)


_SAMPLE = Option("sample", bool, "draw actions by their probability instead of taking the best")
_SIMS = Option("sims", int, "simulated games a decision", 1, 10_000_000, most_shared=5_000)
_MS = Option("ms", float, "milliseconds a decision", 1, 600_000, most_shared=500)
_POLICY = Option("policy", str, "agent whose choice is kept unless another surely leads it")
_THREADS = Option("threads", int, "cores it may use", 1, 64, most_shared=1)
_TIMEOUT = Option("timeout", float, "seconds to wait for an answer", 0.001, 3600)

_LLM = (
    Option("lang", str, "language of its texts, en or fr"),
    Option("fallback", str, "agent that decides after two unusable answers (else a forfeit)"),
    Option("timeout", float, "seconds to wait for an answer", 0.001, 3600),
    Option("retries", int, "further tries of a failed request", 0, 20),
    Option("temperature", float, "of the model's sampling", 0, 2),
    Option("max_tokens", int, "most tokens of an answer", 1, 100_000),
    Option("max_cost", float, "budget, by the prices of the settings", 0, 1e9),
    Option("structured", str, "structured output: auto, on or off"),
    Option("concurrency", int, "decisions asked for at the same time", 1, 1000),
)

# fmt: off
NAMED: dict[str, Kind] = {
    "random": Kind("random", "uniform over the legal actions", _random),
    "greedy": Kind("greedy", "a random playable card; never draws when it can play", _greedy),
    "heuristic": Kind("heuristic", "a strong hand-written player for every variant", _heuristic),
    "search": Kind("search:sims=500", "looks ahead in deals that fit what it has seen", _search,
                   (_SIMS, _MS, _POLICY)),
    "oracle": Kind("oracle:sims=500", "the same search with the true cards: the ceiling of skill",
                   _oracle, (_SIMS, _MS), cheats=True),
    "rlcard": Kind("rlcard:uno-rule-v1", "the rule-based model of RLCard", _rlcard, extra="bench"),
    "pretrained": Kind("pretrained:NAME", "a trained network that comes with the package",
                       _pretrained, (_SAMPLE,)),
    "llm": Kind("llm:MODEL", "a language model behind a chat endpoint; see docs/llm.md", _llm,
                _LLM, extra="llm", local=True),
}
"""Kinds that are known by the first word of a spec."""

CHECKPOINT = Kind("runs/NAME/best", "the folder of a checkpoint written by uno-train", _checkpoint,
                  (_SAMPLE,), extra="train", local=True)
ONNX = Kind("bot.onnx", "a network exported by uno-train export; needs no torch", _onnx,
            (_SAMPLE, _THREADS), extra="onnx", local=True)
SB3 = Kind("model.zip", "a MaskablePPO of Stable-Baselines3", _sb3, (_SAMPLE,), extra="sb3",
           local=True)
REMOTE = Kind("http://host:port/bot", "somebody else's server decides", _remote, (_TIMEOUT,),
              local=True)
LOCAL_CODE = Kind("my_file.py:MyBot", "your own class, or a function (view, legal)", _local_code,
                  local=True)
# fmt: on
BY_FORM = (CHECKPOINT, ONNX, SB3, REMOTE, LOCAL_CODE)
"""Kinds that are known by what a spec looks like."""


def make_agent(spec: str, seed: int = 0, allow_local: bool = True) -> Agent:
    """The agent a spec string names.

    Args:
        spec: what `list_agents` lists, with options: `search:sims=500`, `runs/x/best:sample=1`.
        seed: starts the agent's own generator, if it has one.
        allow_local: take paths, code and URLs too. Servers that are told a spec by strangers say
            False; numbers such as `sims` then have lower limits.
    """
    parsed = parse_spec(spec)
    kind = NAMED.get(parsed.name) or _by_form(parsed, allow_local)
    if kind is not None:
        agent: Agent = kind.build(parsed, seed, allow_local)
        return agent
    bot = _bots().get(parsed.name)
    if bot is not None:
        return _third_party(bot, parsed, seed)
    raise AgentError(
        f"unknown agent {parsed.text!r}; {_allowed(allow_local)}"
        f"{did_you_mean(parsed.name, [*NAMED, *_bots()])}"
    )


def _by_form(spec: Spec, allow_local: bool) -> Kind | None:
    """The kind of a path, a file or a URL; strangers learn nothing about the disk."""
    target = spec.target
    if target.startswith(("http://", "https://")):
        return REMOTE
    if target.endswith(".py") or ".py:" in target:
        return LOCAL_CODE
    match Path(target).suffix.lower():
        case ".zip":
            return SB3
        case ".onnx":
            return ONNX
        case ".safetensors":
            return CHECKPOINT
    # A word could be a name misspelt; with a separator, or if it is there, it is a path.
    is_path = "/" in target or "\\" in target or target in (".", "..")
    return CHECKPOINT if is_path or (allow_local and Path(target).is_dir()) else None


def _third_party(bot: EntryPoint, spec: Spec, seed: int) -> Agent:
    """The agent of another package; its factory gets the options as keyword arguments."""
    from .local_code import build

    _no_argument(spec)
    try:
        factory = bot.load()
    except (ImportError, AttributeError) as error:
        raise AgentError(f"agent {spec.text!r} ({bot.value}) cannot be loaded: {error}") from error
    return build(factory, spec, seed)


def _bots() -> dict[str, EntryPoint]:
    return {bot.name: bot for bot in entry_points(group=BOTS)}


def _no_argument(spec: Spec) -> None:
    if spec.argument:
        raise AgentError(
            f"agent {spec.text!r}: {spec.argument!r} is no option; options are written key=value"
        )


def _allowed(allow_local: bool) -> str:
    names = [*(name for name in NAMED if allow_local or not NAMED[name].local), *_bots()]
    forms = f", or {', '.join(kind.form for kind in BY_FORM)}" if allow_local else ""
    return f"allowed: {', '.join(names)}{forms}"


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """One line of the list of agents, for help texts, servers and pages."""

    name: str
    description: str
    extra: str | None
    cheats: bool
    local: bool
    options: tuple[Option, ...]


def list_agents(allow_local: bool = True) -> list[AgentInfo]:
    """All agents there are, the shipped and the third-party ones by name."""
    kinds = [kind for kind in (*NAMED.values(), *BY_FORM) if allow_local or not kind.local]
    found: list[AgentInfo] = []
    for kind in kinds:
        if kind is NAMED["pretrained"]:
            found += _shipped(kind)
        else:
            found.append(_info(kind, kind.form, kind.description))
    for bot in _bots().values():
        owner = bot.dist.name if bot.dist else bot.value
        found.append(AgentInfo(bot.name, f"from the package {owner}", None, False, False, ()))
    return found


def _shipped(kind: Kind) -> list[AgentInfo]:
    from .pretrained import pretrained_names

    return [
        _info(kind, f"pretrained:{name}", description)
        for name, description in pretrained_names().items()
    ]


def _info(kind: Kind, name: str, description: str) -> AgentInfo:
    return AgentInfo(name, description, kind.extra, kind.cheats, kind.local, kind.options)


def agents_help() -> str:
    """The list of agents as lines of text, for `--help`."""
    lines = []
    for agent in list_agents():
        notes = [f"needs uno-env[{agent.extra}]"] if agent.extra else []
        notes += ["cheats"] if agent.cheats else []
        after = f" ({', '.join(notes)})" if notes else ""
        lines.append(f"  {agent.name:<22} {agent.description}{after}")
    return "\n".join(lines)
