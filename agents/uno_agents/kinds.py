"""Kinds of agents: how a spec of each is written, its options and its factory.

Factories import what they need when such an agent is asked for, so that optional packages stay
optional and listing agents is quick.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .base import AgentError
from .specs import Option, Spec


@dataclass(frozen=True, slots=True)
class Request:
    """What a factory of agents is given.

    Attributes:
        options: those of the spec, as typed values.
        make: makes another agent, by a spec among the options.
    """

    spec: Spec
    options: dict[str, Any]
    seed: int
    make: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of agents: its form, its description and its factory.

    Attributes:
        form: how a spec of this kind is written.
        extra: the optional packages it needs (`pip install 'uno-env[EXTRA]'`).
        cheats: sees cards that a player may not see.
        local: reads a file, runs code or calls a URL, so strangers may not name it.
        listed: shown in lists of agents; the field's parts are for comparisons only.
    """

    form: str
    description: str
    make: Callable[[Request], Any]
    options: tuple[Option, ...] = ()
    extra: str | None = None
    cheats: bool = False
    local: bool = False
    listed: bool = True


def no_argument(spec: Spec) -> None:
    """Refuse a spec such as `greedy:3`."""
    if spec.argument:
        raise AgentError(
            f"agent {spec.text!r}: {spec.argument!r} is no option; options are written key=value"
        )


def _random(request: Request) -> Any:
    from .simple import RandomAgent

    no_argument(request.spec)
    return RandomAgent(request.seed)


def _greedy(request: Request) -> Any:
    from .simple import GreedyAgent

    no_argument(request.spec)
    return GreedyAgent(request.seed)


def _heuristic(request: Request) -> Any:
    from .heuristic.agent import HeuristicAgent

    options = dict(request.options)
    if request.spec.argument:
        # `heuristic:bluffer`, for where a spec is itself the value of an option.
        if "style" in options:
            raise AgentError(f"agent {request.spec.text!r} names two styles")
        options["style"] = request.spec.argument
    return HeuristicAgent(request.seed, **options)


def _search(request: Request) -> Any:
    from .search.agent import SearchAgent

    no_argument(request.spec)
    options = dict(request.options)
    # Rollouts by heuristic are compiled into the search, unless opponents are somebody else.
    if options.get("opponents", "heuristic") == options.get("rollout", "heuristic") == "heuristic":
        options.pop("opponents", None)
        options.pop("rollout", None)
    for name in ("policy", "rollout", "opponents"):
        if name in options:
            options[name] = request.make(options[name])
    return SearchAgent(seed=request.seed, **options)


def _oracle(request: Request) -> Any:
    from .search.agent import OracleAgent

    no_argument(request.spec)
    return OracleAgent(seed=request.seed, **request.options)


def _rlcard(request: Request) -> Any:
    from .rlcard_bot import RlcardAgent

    return RlcardAgent(request.spec.argument or "uno-rule-v1", request.seed)


def _pretrained(request: Request) -> Any:
    from .pretrained import load_pretrained

    return load_pretrained(request.spec.argument, seed=request.seed, **request.options)


def _level(request: Request) -> Any:
    from .levels import level_of
    from .levels.agent import make_level_agent

    level = level_of(request.spec.argument)
    return make_level_agent(level.spec, request.make(level.base), level.rates, request.seed)


def _frozen(request: Request) -> Any:
    from .field import load_frozen

    return load_frozen(request.spec.argument, request.seed)


def _field(request: Request) -> Any:
    from .field import field_members, field_version

    members = field_members(field_version(request.spec.text) or 0)
    raise AgentError(
        f"{request.spec.text!r} names {len(members)} opponents, not one agent; it stands for all "
        "of them in uno-train --opponents and --anchors, uno-arena field and uno-arena cross-play"
    )


def _checkpoint(request: Request) -> Any:
    from .neural.agent import NeuralAgent

    if "network" in request.options:
        from .neural.custom import load_custom

        return load_custom(request.spec.target, seed=request.seed, **request.options)
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
        options["fallback"] = request.make(options["fallback"])
    return LlmAgent(llm_settings(request.spec.argument), **options)


def _local_code(request: Request) -> Any:
    from .local_code import load_local

    return load_local(request.spec, request.seed)


_STYLE = Option("style", str, "how it plays: aggressive, hoarder, bluffer, ...; see docs/agents.md")
_SAMPLE = Option("sample", bool, "draw actions by their probability instead of taking the best")
_NETWORK = Option("network", str, "class of its network, file.py:Class; runs the file")
_SIMS = Option("sims", int, "simulated games a decision", 1, 10_000_000, most_shared=5_000)
_MS = Option("ms", float, "milliseconds a decision", 1, 600_000, most_shared=500)
_POLICY = Option("policy", str, "agent whose action stands unless another clearly leads it")
_ROLLOUT = Option("rollout", str, "agent that plays the rollouts (heuristic)")
_OPPONENTS = Option("opponents", str, "agent that plays the other seats in them (as rollout)")
_LEAF = Option("leaf", str, "what values a cut rollout: linear, or value (a network's)")
_DEPTH = Option("depth", int, "decisions after which a rollout is cut", 0, 10_000, most_shared=32)
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
    "heuristic": Kind("heuristic", "a strong hand-written player for every variant", _heuristic,
                      (_STYLE,)),
    "search": Kind("search:sims=500", "Monte-Carlo search over deals that fit its view", _search,
                   (_SIMS, _MS, _POLICY, _ROLLOUT, _OPPONENTS, _LEAF, _DEPTH)),
    "oracle": Kind("oracle:sims=500", "the same search with the true cards: it cheats",
                   _oracle, (_SIMS, _MS), cheats=True),
    "rlcard": Kind("rlcard:uno-rule-v1", "the rule-based model of RLCard", _rlcard, extra="bench"),
    "pretrained": Kind("pretrained:NAME", "a trained network that comes with the package",
                       _pretrained, (_SAMPLE,)),
    "level": Kind("level:K", "a player of level 1, a beginner, to 8, the strongest", _level),
    "frozen": Kind("frozen:NAME", "a network of the field, which never changes", _frozen,
                   listed=False),
    "field": Kind("field:1", "all opponents of the field; see docs/agents.md", _field,
                  listed=False),
    "llm": Kind("llm:MODEL", "a language model behind a chat endpoint; see docs/llm.md", _llm,
                _LLM, extra="llm", local=True),
}
"""Kinds that are known by the first word of a spec."""

CHECKPOINT = Kind("runs/NAME/best", "the folder of a checkpoint written by uno-train", _checkpoint,
                  (_SAMPLE, _NETWORK), extra="train", local=True)
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
