"""Labels of distillation by the policies of trained agents."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from uno_agents.registry import make_agent  # noqa: E402
from uno_train.config import ConfigError, TrainConfig  # noqa: E402
from uno_train.labels import PolicyLabels  # noqa: E402
from uno_train.ppo import Learner, run  # noqa: E402
from uno_train.schedule import Stage  # noqa: E402

import uno_env  # noqa: E402
from uno_env import Rules  # noqa: E402

TEMPERATURE = 0.3
SMALL = {
    "players": (2,),
    "num_envs": 64,
    "rollout_steps": 16,
    "hidden": (64,),
    "threads": 1,
    "minutes": 0,
    "imitation_decisions": 0,
    "distill_until": 1.0,
    "distill_sims": 2,
    "distill_share": 1.0,
}


def midgame(rule_sets, games=64, players=2, steps=9):
    v = uno_env.vec([rules.replace(auto_forced=True) for rules in rule_sets], games, players, 3)
    v.reset()
    for _ in range(steps):
        v.step(v.random_actions())
    return v


def test_the_minimum_of_the_loss_is_the_policy_of_the_agent():
    rules = Rules.preset("classic")
    v = midgame([rules])
    rows = np.arange(64)
    q_values = PolicyLabels(["pretrained:classic"], [rules], TEMPERATURE).q_values(v, rows)
    wanted, _ = make_agent("pretrained:classic", 0).probabilities_batch(v.obs, v.mask)
    logits = np.where(v.mask > 0, q_values / TEMPERATURE, -np.inf)
    found = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert not q_values[v.mask == 0].any()
    assert np.allclose(found, wanted, atol=1e-4)


def test_each_agent_labels_its_own_rule_set_and_search_the_others():
    rule_sets = [Rules.preset(name) for name in ("classic", "no_mercy", "all_wild")]
    specs = ["pretrained:no_mercy", "pretrained:classic"]
    labels = PolicyLabels(specs, rule_sets, TEMPERATURE)
    v = midgame(rule_sets)
    rows = np.arange(64)
    rule = v.engine_arrays.games["rule"]
    assert np.array_equal(labels.covers(v, rows), rule < 2) and set(rule) == {0, 1, 2}
    found = labels.q_values(v, rows[rule < 2])
    for number, spec in ((0, "pretrained:classic"), (1, "pretrained:no_mercy")):
        alone = PolicyLabels([spec], rule_sets, TEMPERATURE).q_values(v, rows[rule == number])
        assert np.array_equal(found[rule[rule < 2] == number], alone)


def test_a_learner_comes_to_play_as_the_agent_does():
    # A frozen agent, so that the bound holds whatever ships next.
    options = SMALL | {"distill_from": ("frozen:classic-1",), "num_envs": 256}
    options |= {"distill_learning_rate": 5e-3, "distill_minibatch": 256}
    learner = Learner(TrainConfig(decisions=120_000, **options))
    agreement = []
    run(learner, lambda progress, metrics: bool(agreement.append(metrics.teacher_agreement)))
    assert np.mean(agreement[-3:]) > max(0.7, agreement[0] + 0.08)


def test_the_margin_of_the_heuristic_is_not_for_the_labels_of_an_agent():
    """The loss adds it to every label, so it is taken off from these."""
    found = []
    for margin in (0.0, 0.5):
        options = SMALL | {"imitation_teacher": "heuristic", "distill_teacher_margin": margin}
        learner = Learner(TrainConfig(distill_from="pretrained:classic", decisions=9, **options))
        batch, _ = learner.collect(0.0, Stage.DISTILL)
        found.append(batch)
    without, with_margin = found
    assert torch.equal(without.inputs, with_margin.inputs)
    off = without.q_values - with_margin.q_values
    is_teachers = torch.nn.functional.one_hot(without.teacher_action, off.shape[1])
    assert torch.allclose(off, 0.5 * is_teachers, atol=1e-6)


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("heuristic", "has no trained network"),
        ("pretrained:teams", "was trained for none of the run's tables"),
    ],
)
def test_agents_that_cannot_label_are_refused(spec, problem):
    with pytest.raises(ConfigError, match=problem):
        Learner(TrainConfig(distill_from=(spec,), decisions=9, **SMALL))
