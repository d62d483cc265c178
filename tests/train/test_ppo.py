"""The learner: tasks with a known best play, imitation, same seed same weights, broken numbers."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from uno_agents.neural import turn_order  # noqa: E402
from uno_agents.neural.agent import NeuralAgent  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402
from uno_agents.simple import GreedyAgent  # noqa: E402
from uno_arena.evaluate import evaluate  # noqa: E402
from uno_train.checkpoint import describe_run  # noqa: E402
from uno_train.config import ConfigError, TrainConfig, make_config  # noqa: E402
from uno_train.policy import encode  # noqa: E402
from uno_train.ppo import Learner, TrainingFailed, run  # noqa: E402
from uno_train.schedule import Stage  # noqa: E402

import uno_env  # noqa: E402

BIAS = "value.shared_bias"
SMALL = {"num_envs": 256, "rollout_steps": 16, "minibatch": 1024, "hidden": (64,), "threads": 1}


def trained(**options):
    learner = Learner(TrainConfig(minutes=0, **(SMALL | options)))
    run(learner, lambda progress, metrics: False)
    return learner


def chosen(learner, action, other):
    """How probable the policy finds one of two actions where both are legal, over random play."""
    table = learner.config.own_tables()[0]
    v = uno_env.vec(table.rules, 256, table.num_players, seed=99)
    v.reset()
    wanted, rest = uno_env.action_id(action), uno_env.action_id(other)
    found = []
    for _ in range(30):
        with torch.inference_mode():
            logits, _ = learner.network(torch.tensor(v.obs), torch.tensor(v.mask))
        asked = (v.mask[:, wanted] > 0) & (v.mask[:, rest] > 0)
        found.append(logits.softmax(-1).numpy()[asked, wanted])
        v.step(v.random_actions())
    return float(np.concatenate(found).mean())


def test_calling_uno_and_catching_the_silent_is_learned_in_seconds():
    """Identity task: silence costs eight cards if it is caught, and catching costs nothing."""
    options = {"variant": "classic(uno_penalty=8,hand_size=2)", "learning_rate": 3e-3}
    first = Learner(TrainConfig(**SMALL, **options))
    assert chosen(first, "stay-silent", "call-uno") > 0.4
    assert chosen(first, "ignore", "catch") > 0.4
    after = trained(decisions=120_000, **options)
    assert chosen(after, "stay-silent", "call-uno") < 0.1
    assert chosen(after, "ignore", "catch") < 0.25


def test_a_single_game_has_no_use_for_a_second_thread():
    learner = Learner(TrainConfig(**(SMALL | {"num_envs": 1, "threads": 2})))
    learner.iteration(0.0)
    assert learner.decisions == SMALL["rollout_steps"]


def test_games_without_a_choice_do_not_stop_the_others():
    """With one card each, many deals are over before anybody has a choice."""
    learner = Learner(TrainConfig(variant="classic(hand_size=1,uno_call=off)", **SMALL))
    assert (learner.v.actor >= 0).all()
    for _ in range(3):
        learner.iteration(0.0)
        assert (learner.v.actor >= 0).all()
    # Copies go on with deals of their own.
    assert len(np.unique(learner.v.seeds)) > 200


def test_imitation_plays_like_its_teacher():
    """Cards that the teacher plays are found again: it beats greedy before any self-play."""
    learner = trained(imitation_teacher="heuristic", imitation_decisions=10**9, decisions=160_000)
    assert learner.stage(1.0) is Stage.IMITATION
    assert agreement(learner, make_agent("heuristic", 1)) > 0.6
    untaught = Learner(TrainConfig(**SMALL))
    assert agreement(untaught, make_agent("heuristic", 1)) < 0.5


def test_search_distillation_learns_without_an_imitation_teacher():
    """What search finds better is learned: from nothing to well above greedy in seconds."""
    learner = trained(
        distill_until=1.0, distill_sims=32, distill_share=0.5, decisions=100_000, num_envs=128
    )
    assert learner.stage(0.99) is Stage.DISTILL
    rules = uno_env.Rules.preset("classic")
    result = evaluate(NeuralAgent(learner.network, {}), GreedyAgent(seed=1), rules, 2, 400, seed=2)
    assert result.low > 0.5


def test_a_learner_with_a_heuristic_prior_begins_as_the_heuristic():
    """Before it has learned anything it plays as the heuristic, and says so in its checkpoint."""
    options = {"imitation_teacher": "heuristic", "heuristic_prior": 3.0}
    learner = Learner(TrainConfig(**SMALL, **options))
    heuristic = make_agent("heuristic", 1)
    assert agreement(learner, heuristic, {"heuristic_prior": 3.0}) > 0.95
    assert agreement(learner, heuristic) < 0.5
    assert describe_run(learner.config, 0)["heuristic_prior"] == 3.0
    learner.collect(0.9, Stage.PPO)
    kept = learner._buffer.decisions
    assert (kept.action[: kept.used] == kept.teacher_action[: kept.used]).float().mean() > 0.8
    with pytest.raises(ConfigError, match="imitation_teacher: heuristic"):
        make_config(None, {"heuristic_prior": 0.5})
    with pytest.raises(ConfigError, match="not for Teams"):
        make_config(None, options | {"variant": "teams", "players": [4]})


def test_the_stages_of_a_run_follow_each_other():
    options = {"imitation_teacher": "heuristic", "imitation_decisions": 9_000, "distill_until": 0.6}
    learner = Learner(TrainConfig(minutes=0, decisions=30_000, distill_sims=4, **(SMALL | options)))
    stages = []
    run(learner, lambda progress, metrics: stages.append(learner.stage(progress)))
    assert sorted(stages) == stages
    assert set(stages) == set(Stage)


def test_decisions_the_learner_is_certain_of_are_labelled_less_often():
    options = {"imitation_teacher": "heuristic", "heuristic_prior": 20.0, "distill_until": 0.9}
    labelled = {}
    for factor in (1.0, 0.1):
        learner = Learner(
            TrainConfig(
                **SMALL, **options, distill_sims=2, distill_share=1.0, distill_certain=factor
            )
        )
        learner.collect(0.1, Stage.DISTILL)
        kept = learner._buffer.decisions
        labelled[factor] = float(kept.is_labelled[: kept.used].float().mean())
    assert labelled[1.0] > 0.7
    assert 0.03 < labelled[0.1] < 0.15


def test_labels_of_the_rollouts_before_are_learned_from_again():
    options = {"distill_until": 0.9, "distill_sims": 2, "distill_replay": 2}
    learner = Learner(TrainConfig(**(SMALL | options)))
    batches = [learner.collect(0.1, Stage.DISTILL)[0] for _ in range(3)]
    first, second, third = (len(batch.action) for batch in batches)
    kept = [len(learner._with_replay(batch).action) for batch in batches]
    assert kept == [first, first + second, second + third]


@pytest.mark.parametrize("rollout", ["learner", "greedy"])
def test_labels_come_from_the_agents_of_the_config(rollout):
    """The same seed gives the same labels; leaves have the value of the learner's own weights."""
    options = {
        "variant": "classic(hand_size=1,uno_call=off)",
        "distill_until": 0.9,
        "distill_sims": 8,
        "distill_rollout": rollout,
        "distill_opponents": "heuristic",
        "distill_leaf": "value",
        "distill_depth": 1,
        "num_envs": 32,
    }
    labels = []
    for bias in (0.0, 0.0, 5.0):
        learner = Learner(TrainConfig(**(SMALL | options)))
        with torch.no_grad():
            next(p for n, p in learner.network.named_parameters() if n == BIAS).fill_(bias)
        labels.append(learner.collect(0.1, Stage.DISTILL)[0].q_values)
    assert torch.equal(labels[0], labels[1])
    assert float(labels[2].mean()) > float(labels[0].mean()), "the value head is the learner's"


def test_a_critic_that_sees_all_hands_reads_them_in_the_policy_s_colours():
    """Its hands are those of the game, in the order of turn, and with the policy's colours."""
    options = {"critic": "all_hands", "variant": "no_mercy", "players": (3, 4), "decisions": 4096}
    learner = trained(**options)
    v, rows = learner.v, np.arange(learner.v.num_envs)
    encoded = encode(learner.network, v.obs, v.mask)
    hands = learner.critic.hidden_hands(v, rows, encoded).reshape(len(rows), 3, -1)
    for row in range(0, len(rows), 16):
        game = v.game(row)
        sizes = [len(hand) for hand in game.snapshot()["hands"]]
        n = game.num_players
        order = turn_order.order_of(int(encoded.seat_code[row]))[1:n]
        expected = [sizes[(game.actor + place) % n] for place in order]
        assert hands[row].sum(1).tolist() == expected + [0] * (4 - n)
    # Where a colour comes first in the policy's input, it comes first in the hands.
    own = encoded.inputs[:, : hands.shape[2]]
    raw = torch.from_numpy(v.obs[:, :128])
    read = learner.critic.read_faces[encoded.code]
    assert torch.equal(raw.gather(1, read), own)


@pytest.mark.slow
def test_a_critic_that_sees_all_hands_explains_more_of_the_returns():
    """Without hidden cards the winner is known earlier."""
    options = {"variant": "classic(hand_size=3)", "decisions": 60_000, "learning_rate": 2e-3}
    explained = {}
    for critic in ("own", "all_hands"):
        learner = Learner(TrainConfig(minutes=0, critic=critic, **(SMALL | options)))
        found = []
        run(learner, lambda _, metrics, found=found: found.append(metrics.explained_variance))
        explained[critic] = np.mean(found[-5:])
    assert explained["all_hands"] > explained["own"] + 0.02


def agreement(learner, teacher, about=None):
    v = uno_env.vec(learner.config.own_tables()[0].rules.replace(auto_forced=True), 512, 2, seed=3)
    v.reset()
    agent, same = NeuralAgent(learner.network, about or {}), []
    for _ in range(20):
        actions = teacher.act_batch(v.obs, v.mask)
        same.append(actions == agent.act_batch(v.obs, v.mask))
        v.step(actions)
    return float(np.mean(same))


def test_same_seed_same_weights():
    def weights(seed):
        learner = trained(seed=seed, decisions=8192, opponents={"greedy": 0.3})
        return torch.cat([tensor.flatten() for tensor in learner.network.parameters()])

    first = weights(5)
    assert torch.equal(first, weights(5))
    assert not torch.equal(first, weights(6))


def test_several_rules_and_table_sizes_in_one_batch():
    learner = trained(
        variant=("classic", "no_mercy", "teams"), players=(2, 4), mixes=10, decisions=9000
    )
    tables = learner.config.own_tables()
    assert [(t.rules.variant, t.num_players) for t in tables] == [
        ("classic", 2), ("classic", 4), ("no_mercy", 2), ("no_mercy", 4), ("teams", 4),
    ]  # fmt: skip
    assert len(set(zip(learner.v._layout.rule, learner.v.num_players, strict=True))) == 15
    assert learner.games > 0


def test_broken_numbers_end_the_run():
    learner = Learner(TrainConfig(**SMALL))
    learner.iteration(0.0)
    with torch.no_grad():
        next(learner.network.parameters())[0] = float("nan")
    with pytest.raises(TrainingFailed, match="try a smaller learning_rate"):
        learner.iteration(0.0)


def test_agent_measured_is_not_sampled():
    """The most probable action is played, so the same question has one answer."""
    agent = NeuralAgent(Learner(TrainConfig(**SMALL)).network, {})
    rules = uno_env.Rules.preset("classic")
    results = [evaluate(agent, GreedyAgent(1), rules, 2, 20, seed=1) for _ in range(2)]
    assert results[0] == results[1]
