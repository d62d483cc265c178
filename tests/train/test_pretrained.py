"""The pipeline of shipped agents, seconds long: config, training, half precision, card."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="the train extra is not installed")
safetensors = pytest.importorskip("safetensors.numpy", reason="the train extra is not installed")

from uno_agents.neural.weights import CheckpointError, read_weights  # noqa: E402
from uno_agents.pretrained import FOLDER  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402
from uno_train import pretrained, recipes  # noqa: E402
from uno_train.cli import main as uno_train  # noqa: E402
from uno_train.config import make_config  # noqa: E402
from uno_train.model_card import model_card  # noqa: E402
from uno_train.pretrained import claimed_tables, halved, main  # noqa: E402

import uno_env  # noqa: E402


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    out = tmp_path_factory.mktemp("shipped")
    assert main(["teams", "--short", "--out", str(out)]) == 0
    return out


def test_weights_and_card_are_written(shipped):
    stored = safetensors.load_file(shipped / "teams.safetensors")
    assert {array.dtype for array in stored.values()} == {np.dtype(np.float16)}
    weights, _ = read_weights(shipped / "teams.safetensors")
    best, about = read_weights(shipped / "teams" / "best" / "model.safetensors")
    assert weights.keys() == best.keys()
    assert all(np.array_equal(weights[name], best[name].astype(np.float16)) for name in best)
    agent = make_agent(str(shipped / "teams.safetensors"))
    assert agent.metadata["decisions"] == about["decisions"]
    assert (shipped / "teams.md").read_text() == model_card("teams", agent.metadata)


def test_the_card_says_how_it_was_made_and_measured(shipped):
    card = (shipped / "teams.md").read_text()
    about = make_agent(str(shipped / "teams.safetensors")).metadata
    assert "`uno-train teams --out runs/teams`" in card
    assert about["made"]["hardware"] in card
    for row in about["results"]:
        assert 0 <= row["low"] <= row["rate"] <= row["high"] <= 1
        cell = f"{100 * row['rate']:.1f} % ({100 * row['low']:.1f} to {100 * row['high']:.1f})"
        assert f"| {row['table']} |" in card
        assert cell in card
    assert {row["opponent"] for row in about["results"]} == {"heuristic", "greedy"}


def allows(variant, players):
    try:
        uno_env.Rules.preset(variant).check_players(players)
    except uno_env.RulesError:
        return False
    return True


@pytest.mark.parametrize("name", recipes.NAMES)
def test_every_config_claims_its_variants_at_every_size(name):
    claims = claimed_tables(make_config(name, {}))
    variants = uno_env.VARIANTS if name == "generalist" else [name]
    assert [(table.rules.text(), table.num_players) for table in claims] == [
        (variant, n) for variant in variants for n in range(2, 11) if allows(variant, n)
    ]


def test_a_finished_run_is_packed_again_without_training(shipped, tmp_path):
    run = str(shipped / "teams")
    words = ["teams", "--short", "--run", run, "--out", str(tmp_path)]
    assert main(words) == 0
    first, again = (read_weights(place / "teams.safetensors") for place in (shipped, tmp_path))
    assert all(np.array_equal(first[0][name], again[0][name]) for name in first[0])
    assert first[1]["results"] == again[1]["results"]


def test_a_run_with_initial_weights_is_packed_from_its_last_checkpoint(shipped, tmp_path):
    """Its initial weights may still be the best, and are no product of the run."""
    run, start = tmp_path / "run", shipped / "teams" / "best"
    words = ["teams", *recipes.SHORT, "--init-from", str(start), "--out", str(run)]
    assert uno_train(words) == 0
    assert main(["teams", "--short", "--run", str(run), "--out", str(tmp_path)]) == 0
    packed, _ = read_weights(tmp_path / "teams.safetensors")
    last, _ = read_weights(run / "last" / "model.safetensors")
    assert all(np.array_equal(packed[name], last[name].astype(np.float16)) for name in last)


def test_the_card_of_a_run_by_the_recipe_has_its_command():
    """Also if its first weights lay elsewhere; other options are another run."""
    as_recipe = make_config("loche-ppo", {"init_from": "elsewhere/last"})
    assert recipes.follows_recipe("loche", as_recipe)
    # Options of a stage that the run does not have mean nothing.
    assert recipes.follows_recipe("loche", make_config("loche-ppo", {"distill_replay": 3}))
    assert not recipes.follows_recipe("loche", make_config("loche-ppo", {"seed": 5}))
    assert not recipes.follows_recipe("teams", make_config("teams", {"init_from": "elsewhere"}))
    assert recipes.train_command("loche").count("uno-train") == 3


def test_a_shipped_agent_that_a_run_began_with_is_on_the_card(shipped):
    about = make_agent(str(shipped / "teams.safetensors")).metadata
    assert "initial weights" not in model_card("teams", about)
    config = about["config"] | {"init_from": "pretrained:generalist"}
    card = model_card("teams", about | {"config": config})
    assert "| initial weights | `pretrained:generalist` as of the commit below |" in card


def test_rule_mixes_never_seen_are_measured(shipped):
    agent = make_agent(str(shipped / "teams.safetensors"))
    config = make_config(None, {"mixes": 3, "seed": pretrained.UNSEEN_SEED, "num_envs": 64})
    # Of five mixes from the same seed the config has trained on three.
    rows = pretrained.unseen_rows(agent, [config], 5, 8)
    assert [row["table"] for row in rows] == ["2 rule mixes never seen"] * 2
    assert rows[0]["deals"] == 8


def test_numbers_too_large_are_refused():
    with pytest.raises(CheckpointError, match=r"w holds numbers too large"):
        halved({"w": np.array([70_000.0], np.float32)})


def test_bad_words(capsys, tmp_path):
    for words in (
        ["classic", "--short"],
        ["all", "--run", "x"],
        ["classic", "--experts"],
        ["generalist", "--experts", "teams"],
        ["poker"],
    ):
        with pytest.raises(SystemExit):
            main(words)
    assert main(["classic", "--run", str(tmp_path / "none"), "--out", str(tmp_path)]) == 2
    assert "no folder" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_experts_are_trained_anew_for_a_network_that_ships(tmp_path):
    words = ["generalist", "--experts", "--short", "--out", str(tmp_path)]
    assert main(words) == 0
    new, shipped = (read_weights(place / "generalist.safetensors") for place in (tmp_path, FOLDER))
    base = [name for name in shipped[0] if not name.startswith("experts.")]
    assert all(np.array_equal(new[0][name], shipped[0][name]) for name in base)
    gates = [each["gate"] for each in new[1]["experts"]]
    trained = new[1]["experts"][gates.index("deck.discard-all")]
    assert trained["hidden"] == [32]
    assert new[1]["decisions"] == shipped[1]["decisions"]


LAST_OF_EXPERTS = (
    "generalist-no_swap-finetune",
    "generalist-no_mercy-finetune",
    "generalist-sevens-finetune",
)
"""Configs that end the training of the generalist's own experts."""


def shipped_decisions(name):
    return make_agent(f"pretrained:{name}").metadata["decisions"]


@pytest.mark.slow
def test_the_generalist_goes_the_same_way(tmp_path):
    """Four stages, the experts that ship already, and its own."""
    assert main(["generalist", "--short", "--out", str(tmp_path)]) == 0
    about = make_agent(str(tmp_path / "generalist.safetensors")).metadata
    assert any("never seen" in row["table"] for row in about["results"])
    # The best of a run from random weights, the last of one that began with others.
    for start in ("first/best", "second/last", "third/last"):
        assert f"--init-from runs/generalist-{start}" in about["command"]
    stages = ("generalist-first", "generalist-second", "generalist-third", "generalist")

    def decisions(*folders):
        return sum(
            read_weights(tmp_path / folder / "last" / "model.safetensors")[1]["decisions"]
            for folder in folders
        )

    def stages_of(expert):
        return f"{expert}-first", f"{expert}-second", expert

    assert about["decisions"] == decisions(*stages)
    found = {each["gate"]: each["decisions"] for each in about["experts"]}
    assert found == {
        "team_mode=pairs": shipped_decisions("teams"),
        "deck.discard-all+stacking=equal_or_higher+seven_swap=true": shipped_decisions("no_mercy"),
        "deck.discard-all+stacking=equal_or_higher": decisions(*stages_of("generalist-no_swap")),
        "deck.discard-all": decisions(*stages_of("generalist-no_mercy")),
        "seven_swap=true+deck.skip": decisions("generalist-sevens-first", "generalist-sevens"),
        "sum_out=specials+deck.skip": shipped_decisions("loche"),
        "deck.wild-swap+deck.skip": shipped_decisions("ig2000"),
        "deck.wild-hyper-speed+deck.skip": shipped_decisions("hyper_speed"),
    }
    card = (tmp_path / "generalist.md").read_text()
    assert "| expert for `team_mode=pairs` |" in card
    configs = [make_config(expert, {}) for expert in LAST_OF_EXPERTS]
    house_rules = {table.rules.text() for config in configs for table in config.own_tables()}
    assert {rules for rules, _ in about["claims"]} == {*uno_env.VARIANTS} | house_rules
    assert "no_mercy(stacking=none)" in house_rules
