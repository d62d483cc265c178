"""Mixtures of experts: who decides follows from the rules; bad parts and gates are refused."""

import json

import numpy as np
import pytest

import uno_env
from uno_env.cards import face_id

torch = pytest.importorskip("torch", reason="the train extra is not installed")

from uno_agents.base import AgentError  # noqa: E402
from uno_agents.neural.agent import NeuralAgent, load_network  # noqa: E402
from uno_agents.neural.experts import BASE, GateColumns, experts_of, gate_columns, route  # noqa: E402
from uno_agents.neural.policy_overrides import heuristic_actions  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402
from uno_train.checkpoint import write_checkpoint  # noqa: E402
from uno_train.cli import main  # noqa: E402
from uno_train.config import make_config  # noqa: E402
from uno_train.initial_weights import load_initial_weights  # noqa: E402
from uno_train.mixture import join, read_checkpoint  # noqa: E402
from uno_train.weight_sharing import make_network  # noqa: E402

from ..agents.networks import positions, save_lively  # noqa: E402

TEAMS, MERCY, SWAP = "team_mode=pairs", "deck.discard-all", "deck.wild-swap+deck.skip"
ALL_WILD_WITH_SWAP = "all_wild(deck.wild-swap=2)"
GATES = {TEAMS: "teams", MERCY: "mercy", SWAP: "swap"}
NO_DISCARD_ALL, WITH_DISCARD_ALL = (
    uno_env.Rules.preset(variant).replace(deck={"discard-all": copies}).text()
    for variant, copies in (("no_mercy", 0), ("classic", 1))
)
HIDDEN = {"base": (48, 32), "teams": (40, 24), "mercy": (32, 24, 16), "swap": (24, 16)}


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parts")
    for seed, (name, hidden) in enumerate(HIDDEN.items()):
        save_lively(folder / name, hidden, seed)
    return folder


@pytest.fixture(scope="module")
def mixture(parts):
    words = ["mixture", str(parts / "base"), "--out", str(parts / "mixture")]
    for gate, name in GATES.items():
        words += ["--expert", f"{gate}={parts / name}"]
    assert main(words) == 0
    return parts / "mixture"


def decides(rules):
    """Who decides under these rules."""
    if rules.team_mode == "pairs":
        return "teams"
    if rules.deck.counts[face_id("red-discard-all")]:
        return "mercy"
    has_both = all(rules.deck.counts[face_id(name)] for name in ("wild-swap", "red-skip"))
    return "swap" if has_both else "base"


@pytest.mark.parametrize("prior_of", ["base", "teams", "mercy"])
def test_a_heuristic_prior_is_that_of_the_network_that_decides(tmp_path, prior_of):
    """An expert keeps its own; that of the base network is not for its rules."""
    for seed, (name, hidden) in enumerate(HIDDEN.items()):
        save_lively(tmp_path / name, hidden, seed, heuristic_prior=1e6 * (name == prior_of))
    parts = {name: read_checkpoint(str(tmp_path / name)) for name in HIDDEN}
    joined = join(parts["base"], {gate: parts[name] for gate, name in GATES.items()})
    write_checkpoint(tmp_path / "whole", joined.weights, dict(joined.metadata))
    agent = NeuralAgent.load(tmp_path / "whole")
    alone = {name: NeuralAgent.load(tmp_path / name) for name in HIDDEN}
    as_heuristic = set()
    for variant in ("classic", "no_mercy", "ig2000", "teams"):
        v = uno_env.vec(variant, 64, 4, seed=2)
        v.reset()
        for _ in range(12):
            v.step(v.random_actions())
        chosen = agent.act_batch(v.obs, v.mask)
        name = decides(uno_env.Rules.preset(variant))
        np.testing.assert_array_equal(chosen, alone[name].act_batch(v.obs, v.mask))
        if (chosen == heuristic_actions(v.obs, v.mask)).all():
            as_heuristic.add(name)
    # In Teams nobody has a prior.
    assert as_heuristic == {prior_of} - {"teams"}


@pytest.mark.parametrize(
    "text",
    [
        *uno_env.VARIANTS,
        "no_mercy(mercy_limit=0,seven_swap=false)",
        NO_DISCARD_ALL,
        WITH_DISCARD_ALL,
        ALL_WILD_WITH_SWAP,
    ],
)
def test_the_network_that_the_rules_call_for_decides(mixture, parts, text):
    rules = uno_env.Rules.from_text(text)
    v = uno_env.vec(rules, 16, 4, seed=1)
    v.reset()
    whole, alone = NeuralAgent.load(mixture), NeuralAgent.load(parts / decides(rules))
    for _ in range(30):
        for ours, theirs in zip(
            whole.policy(v.obs, v.mask), alone.policy(v.obs, v.mask), strict=True
        ):
            np.testing.assert_array_equal(ours, theirs)
        v.step(v.random_actions())


def test_rows_of_different_rules_are_asked_in_one_batch(mixture):
    obs, mask = positions()
    agent = NeuralAgent.load(mixture)
    logits, values = agent.policy(obs, mask)
    assert len(np.unique(route(obs, [GateColumns(gate_columns(gate)) for gate in GATES]))) == 4
    for row in range(0, len(obs), 97):
        one = slice(row, row + 1)
        alone, value = agent.policy(obs[one], mask[one])
        np.testing.assert_array_equal(logits[one], alone)
        np.testing.assert_array_equal(values[one], value)


def test_the_first_gate_that_holds_counts():
    obs = np.zeros((6, uno_env.OBS_SIZE), np.uint8)
    columns = [GateColumns(gate_columns(gate)) for gate in GATES]
    obs[[1, 3], columns[0].on] = 1
    obs[[2, 3], columns[1].on] = 12
    obs[[3, 4, 5], columns[2].on[0]] = 4
    obs[4, columns[2].on[1]] = 2
    assert route(obs, columns).tolist() == [BASE, 1, 2, 1, 3, BASE]
    # An expert that does not know the second one's card.
    columns[0] = GateColumns(columns[0].on, columns[1].on)
    assert route(obs, columns).tolist() == [BASE, 1, 2, 2, 3, BASE]


def test_an_expert_for_known_cards_leaves_others_to_the_base(parts, tmp_path):
    """Also as an ONNX graph, whose export compares both on positions of its own."""
    start = read_checkpoint(str(parts / "swap"))
    knows = start._replace(metadata={**start.metadata, "tables": [["ig2000", 4]]})
    whole = join(read_checkpoint(str(parts / "base")), {f"{SWAP}+known-cards": knows})
    (expert,) = experts_of(whole.metadata)
    assert expert.gate == SWAP
    decided = {
        text: expert.decides(uno_env.Rules.from_text(text))
        for text in ("ig2000", "loche", "classic", "ig2000(deck.wild-roulette=2)")
    }
    assert list(decided.values()) == [True, True, False, False]
    write_checkpoint(tmp_path / "known", whole.weights, dict(whole.metadata))
    agent = NeuralAgent.load(tmp_path / "known")
    for text, is_expert in decided.items():
        v = uno_env.vec(uno_env.Rules.from_text(text), 8, 4, seed=1)
        v.reset()
        alone = NeuralAgent.load(parts / ("swap" if is_expert else "base"))
        found, expected = agent.policy(v.obs, v.mask), alone.policy(v.obs, v.mask)
        np.testing.assert_array_equal(found[0], expected[0])
    pytest.importorskip("onnxruntime", reason="the onnx extra is not installed")
    assert main(["export", str(tmp_path / "known"), str(tmp_path / "bot.onnx")]) == 0


def test_it_is_exported_as_one_graph(mixture, tmp_path):
    pytest.importorskip("onnxruntime", reason="the onnx extra is not installed")
    assert main(["export", str(mixture), str(tmp_path / "bot.onnx")]) == 0
    obs, mask = positions()
    ours = make_agent(str(mixture)).policy(obs, mask)
    theirs = make_agent(str(tmp_path / "bot.onnx")).policy(obs, mask)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("variants", "name"),
    [
        (["classic"], "base"),
        (["teams"], "teams"),
        (["no_mercy"], "mercy"),
        (["classic", "no_mercy"], "base"),
        (["no_mercy", "no_mercy(stacking=none)"], "mercy"),
    ],
)
def test_a_run_starts_from_the_network_of_its_tables(mixture, parts, variants, name):
    rules = [uno_env.Rules.from_text(text) for text in variants]
    network, _ = load_network(mixture, rules)
    alone, _ = load_network(parts / name)
    assert network.hidden == HIDDEN[name]
    obs, mask = (torch.from_numpy(array) for array in positions())
    for ours, theirs in zip(network(obs, mask), alone(obs, mask), strict=True):
        torch.testing.assert_close(ours, theirs)
    config = make_config(
        None,
        {
            "variant": tuple(variants),
            "players": (4,),
            "hidden": HIDDEN[name],
            "init_from": str(mixture),
            "share_number_weights": False,
        },
    )
    started = make_network(config)
    load_initial_weights(started, config)
    torch.testing.assert_close(started.value.weight, alone.value.weight)


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("jump_in=false", "is no gate"),
        ("stacking=none", "is no gate"),  # the first value: its bytes are zero
        ("deck.draw2=5", "is no gate"),
        ("deck.draw2+stacking=none", "'stacking=none' is no gate"),
        ("deck.unicorn", "no kind of card 'unicorn'"),
        ("unicorn=true", "unicorn"),
    ],
)
def test_gates_that_no_byte_tells_are_refused(parts, gate, message, capsys):
    words = ["mixture", str(parts / "base"), "--out", str(parts / "bad")]
    assert main([*words, "--expert", f"{gate}={parts / 'teams'}"]) == 2
    assert message in capsys.readouterr().err
    assert not (parts / "bad").exists()


@pytest.mark.parametrize("word", ["runs/teams", "=runs/teams", "jump_in=true="])
def test_an_expert_needs_a_gate_and_a_checkpoint(parts, word, capsys):
    assert main(["mixture", str(parts / "base"), "--expert", word, "--out", "nowhere"]) == 2
    assert "GATE=CHECKPOINT" in capsys.readouterr().err


def test_gates_are_what_bytes_of_the_observation_tell():
    for text in (*GATES, "jump_in=true", "stacking=equal_or_higher", "deck.wild-roulette"):
        columns = gate_columns(text)
        condition = uno_env.rulesets.Combination.from_text(text)
        for variant in (*uno_env.VARIANTS, "classic(jump_in=true,stacking=equal_or_higher)"):
            rules = uno_env.Rules.from_text(variant)
            v = uno_env.vec(rules, 1, 4, seed=0)
            v.reset()
            assert bool(v.obs[0, columns].all()) == condition.holds(rules), (text, variant)


def test_mixtures_are_not_nested(mixture, parts):
    with pytest.raises(AgentError, match="part of another"):
        join(read_checkpoint(str(parts / "base")), {TEAMS: read_checkpoint(str(mixture))})


@pytest.mark.parametrize(
    ("experts", "message"),
    [
        (3, "a list of at most"),
        ([{"gate": TEAMS}], "it needs gate, hidden"),
        ([{"gate": TEAMS, "hidden": [8], "seats_by_turn": True, "unknown": 3}], "list of gates"),
        ([{"gate": "stacking=none", "hidden": [8], "seats_by_turn": True}], "is no gate"),
        ([{"gate": TEAMS, "hidden": "wide", "seats_by_turn": True}], "layer widths"),
        ([{"gate": TEAMS, "hidden": [8], "seats_by_turn": True}], "do not fit the network"),
    ],
)
def test_damaged_descriptions_are_refused(mixture, tmp_path, experts, message):
    octets = (mixture / "model.safetensors").read_bytes()
    length = int.from_bytes(octets[:8], "little")
    header = json.loads(octets[8 : 8 + length])
    about = json.loads(header["__metadata__"]["uno_env"])
    header["__metadata__"]["uno_env"] = json.dumps(about | {"experts": experts})
    text = json.dumps(header).encode()
    damaged = len(text).to_bytes(8, "little") + text + octets[8 + length :]
    (tmp_path / "model.safetensors").write_bytes(damaged)
    with pytest.raises(AgentError, match=message):
        NeuralAgent.load(tmp_path)
