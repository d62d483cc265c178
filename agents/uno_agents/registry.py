"""Agents by spec string: `make_agent("search:sims=500")`, and the list of all agents.

`uno_env` finds `make_agent` through the entry point group `uno_env.agents`, so every environment
takes the same strings. Other packages add agents of their own by name in the group `uno_env.bots`.
"""

from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from .base import Agent, AgentError
from .kinds import (
    BY_FORM,
    CHECKPOINT,
    LOCAL_CODE,
    NAMED,
    ONNX,
    REMOTE,
    SB3,
    Kind,
    Request,
    no_argument,
)
from .specs import Option, Spec, did_you_mean, parse_spec, read_options

BOTS = "uno_env.bots"
"""Entry point group of third-party agents: name -> factory(seed=..., **options)."""
BUILT_IN = ("random", "greedy", "heuristic")
"""The baselines: they need no option, no file and no extra."""


def make_agent(spec: str, seed: int = 0, allow_local: bool = True) -> Agent:
    """The agent a spec string names.

    Args:
        spec: what `list_agents` lists, with options: `search:sims=500`, `runs/x/best:sample=1`.
        seed: of the agent's own generator, if it has one; `reset(seed)` sets it later.
        allow_local: take paths, code and URLs too. Servers that are told a spec by strangers say
            False; numbers such as `sims` then have lower limits.
    """
    parsed = parse_spec(spec)
    kind = NAMED.get(parsed.name) or _by_form(parsed, allow_local)
    if kind is not None:
        return _build(kind, parsed, seed, allow_local)
    bot = _bots().get(parsed.name)
    if bot is not None:
        return _third_party(bot, parsed, seed)
    raise AgentError(
        f"unknown agent {parsed.text!r}; {_allowed(allow_local)}"
        f"{did_you_mean(parsed.name, [*NAMED, *_bots()])}"
    )


def _build(kind: Kind, spec: Spec, seed: int, allow_local: bool) -> Agent:
    """The agent of a spec of this kind."""
    if kind.local and not allow_local:
        raise AgentError(f"agent {spec.text!r} is not allowed here: {_allowed(False)}")
    # Local code takes whatever options its own arguments are.
    options = {} if kind is LOCAL_CODE else read_options(spec, kind.options, allow_local)

    def make(other: str) -> Agent:
        return make_agent(other, seed, allow_local)

    try:
        agent: Agent = kind.make(Request(spec, options, seed, make))
    except ModuleNotFoundError as error:
        ours = (error.name or "uno_agents").partition(".")[0] in ("uno_agents", "uno_env")
        if kind.extra is None or ours:
            raise
        raise AgentError(
            f"agent {spec.text!r} needs the package {error.name}: "
            f"pip install 'uno-env[{kind.extra}]'"
        ) from error
    return agent


def option_names(spec: str) -> tuple[str, ...]:
    """Names of the options that a spec may have; of local code, whatever follows its class."""
    parsed = parse_spec(spec)
    kind = NAMED.get(parsed.name) or _by_form(parsed, allow_local=True)
    if kind is LOCAL_CODE:
        return (spec.rpartition(":")[2].partition("=")[0],) if spec.count(":") > 1 else ()
    return tuple(option.name for option in kind.options) if kind else ()


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

    no_argument(spec)
    try:
        factory = bot.load()
    except (ImportError, AttributeError) as error:
        raise AgentError(f"agent {spec.text!r} ({bot.value}) cannot be loaded: {error}") from error
    return build(factory, spec, seed)


def _bots() -> dict[str, EntryPoint]:
    return {bot.name: bot for bot in entry_points(group=BOTS)}


def _allowed(allow_local: bool) -> str:
    listed = {name: kind for name, kind in NAMED.items() if kind.listed}
    names = [*(name for name in listed if allow_local or not listed[name].local), *_bots()]
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
    kinds = [
        kind
        for kind in (*NAMED.values(), *BY_FORM)
        if kind.listed and (allow_local or not kind.local)
    ]
    found: list[AgentInfo] = []
    for kind in kinds:
        if kind is NAMED["pretrained"]:
            found += _shipped(kind)
        elif kind is NAMED["level"]:
            found += _levels(kind)
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


def _levels(kind: Kind) -> list[AgentInfo]:
    from .levels import NUM_LEVELS

    ends = {1: ", a beginner", NUM_LEVELS: ", the strongest"}
    return [
        _info(kind, f"level:{number}", f"a player of level {number}{ends.get(number, '')}")
        for number in range(1, NUM_LEVELS + 1)
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
