"""Options of the search agents: what is allowed, and what follows from it."""

from ..advice import PolicyValueAgent
from ..base import Agent, AgentError, batch_form
from ..heuristic.agent import HeuristicAgent
from .rollouts import RolloutPolicies

DEFAULT_SIMS = 500
MAX_SIMS = 10_000_000
MAX_MS = 600_000.0
MAX_DEPTH = 10_000
LINEAR, VALUE = "linear", "value"
LEAVES = (LINEAR, VALUE)
"""What values the leaf of a rollout: the linear function of all hands, or a value network."""


def checked_budget(sims: object, ms: object) -> tuple[int | None, float | None]:
    """Simulations or milliseconds, one of them None; 500 simulations if neither is given."""
    if sims is not None and ms is not None:
        raise AgentError(f"sims is {sims} and ms is {ms}; give one of them")
    if ms is not None:
        if isinstance(ms, bool) or not isinstance(ms, (int, float)) or not 0 < ms <= MAX_MS:
            raise AgentError(f"ms is {ms!r}; a number above 0, up to {MAX_MS:,.0f}, is needed")
        return None, float(ms)
    if sims is None:
        sims = DEFAULT_SIMS
    if isinstance(sims, bool) or not isinstance(sims, int) or not 1 <= sims <= MAX_SIMS:
        raise AgentError(f"sims is {sims!r}; a whole number from 1 to {MAX_SIMS:,} is needed")
    return sims, None


def checked_depth(depth: object) -> int | None:
    """The depth of rollouts, if one is given."""
    if depth is None:
        return None
    if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= MAX_DEPTH:
        raise AgentError(f"depth is {depth!r}; a whole number from 0 to {MAX_DEPTH:,} is needed")
    return depth


def rollout_policies(
    policy: Agent | None, rollout: Agent | None, opponents: Agent | None, leaf: str
) -> RolloutPolicies | None:
    """Who plays the rollouts; None for the compiled search."""
    if leaf not in LEAVES:
        raise AgentError(f"leaf is {leaf!r}; allowed: {', '.join(LEAVES)}")
    if rollout is None and opponents is None and leaf == LINEAR:
        return None
    own = batch_form(HeuristicAgent() if rollout is None else rollout)
    others = own if opponents is None else batch_form(opponents)
    if leaf == LINEAR:
        return RolloutPolicies(own, others)
    for agent in (rollout, policy):
        if isinstance(agent, PolicyValueAgent):
            return RolloutPolicies(own, others, agent)
    raise AgentError("leaf=value needs a network, as rollout or as policy")
