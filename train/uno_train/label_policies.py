"""Who plays the rollouts of search labels: the heuristic, any agent, or the learner itself.

With `distill_rollout: learner` search improves on the present network and the network learns from
that search: expert iteration (Anthony et al. 2017). With `distill_leaf: value` rollouts end in the
learner's own value, so that labels look beyond the cut as far as the network does.
"""

from uno_agents.base import BatchAgent, batch_form
from uno_agents.neural.agent import NeuralAgent
from uno_agents.neural.mlp import MlpPolicy
from uno_agents.neural.network import PolicyNetwork
from uno_agents.registry import make_agent
from uno_agents.search.rollouts import RolloutPolicies
from uno_agents.search.teacher import SearchTeacher

from .config import TrainConfig

LEARNER, HEURISTIC = "learner", "heuristic"


class LabelPolicies:
    """The policies of a run's labels; those of the learner follow its weights.

    Args:
        config: the run.
    """

    def __init__(self, config: TrainConfig) -> None:
        self._own = config.distill_rollout
        self._opponents = config.distill_opponents or config.distill_rollout
        self._by_value = config.distill_leaf == "value"
        specs = {self._own, self._opponents}
        self._is_compiled = specs == {HEURISTIC} and not self._by_value
        self._agents: dict[str, BatchAgent] = {
            spec: batch_form(make_agent(spec, config.seed)) for spec in specs - {LEARNER}
        }

    def give_to(self, teacher: SearchTeacher, network: PolicyNetwork) -> None:
        """Have the teacher use them, the learner with its present weights."""
        if self._is_compiled:
            return
        learner = _compiled_agent(network)
        agents = self._agents | {LEARNER: learner}
        value = learner if self._by_value else None
        teacher.set_policies(RolloutPolicies(agents[self._own], agents[self._opponents], value))


def _compiled_agent(network: PolicyNetwork) -> NeuralAgent:
    """The network by the compiled forward pass, which is several times faster for small batches."""
    weights = {name: tensor.numpy() for name, tensor in network.widened().state_dict().items()}
    policy = MlpPolicy(weights, network.hidden, seats_by_turn=network.seats_by_turn)
    return NeuralAgent(policy, {})
