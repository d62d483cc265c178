"""A mixture leaves the arrays of experts that ship by themselves to their own files."""

import json

import numpy as np
import pytest

pytest.importorskip("torch", reason="the train extra is not installed")

from uno_agents.neural.weights import CheckpointError, read_own_weights, read_weights
from uno_agents.pretrained import FOLDER
from uno_agents.registry import make_agent
from uno_train.config import ConfigError
from uno_train.mixture import expert_of, join, read_checkpoint
from uno_train.pretrained import halved, trained, write_weights
from uno_train.recipes import EXPERTS, SHIPPED, expert_places, own_experts

from ..agents.networks import positions, save_lively

TEAMS, SWAP = "team_mode=pairs", "deck.wild-swap+deck.skip"
SEEDS = {"base": 0, "teams": 1, "swap": 2}


@pytest.fixture
def folder(tmp_path):
    """`teams` ships by itself and as an expert of `whole`, `swap` as an expert alone."""
    for name, seed in SEEDS.items():
        save_lively(tmp_path / name, (24, 16), seed)
    parts = {name: read_checkpoint(str(tmp_path / name)) for name in SEEDS}
    teams = halved(parts["teams"].weights), dict(parts["teams"].metadata)
    write_weights(tmp_path / "teams.safetensors", *teams)
    joined = join(parts["base"], {TEAMS: parts["teams"], SWAP: parts["swap"]})
    places = (f"{SHIPPED}teams", str(tmp_path / "swap"))
    given = halved(joined.weights), dict(joined.metadata)
    write_weights(tmp_path / "whole.safetensors", *given, places)
    write_weights(tmp_path / "alone.safetensors", *given)
    return tmp_path


def test_a_lent_expert_is_stored_once_and_plays_the_same(folder):
    files = {name: folder / f"{name}.safetensors" for name in ("teams", "whole", "alone")}
    sizes = {name: path.stat().st_size for name, path in files.items()}
    assert sizes["whole"] < sizes["alone"] - 0.8 * sizes["teams"]
    whole, alone = read_weights(files["whole"]), read_weights(files["alone"])
    assert whole[1] == alone[1]
    assert whole[0].keys() == alone[0].keys()
    assert all(np.array_equal(whole[0][name], array) for name, array in alone[0].items())
    obs, mask = positions(steps=8, copies=1)
    agents = [make_agent(str(files[name])) for name in ("whole", "alone")]
    chosen = [agent.act_batch(obs, mask) for agent in agents]
    np.testing.assert_array_equal(*chosen)


def test_without_the_lender_or_with_another_one_it_is_refused(folder):
    whole, teams = folder / "whole.safetensors", folder / "teams.safetensors"
    other = read_checkpoint(str(folder / "swap"))
    write_weights(teams, halved(other.weights), dict(other.metadata))
    with pytest.raises(CheckpointError, match=r"teams\.safetensors, which has others by now"):
        read_weights(whole)
    teams.unlink()
    with pytest.raises(CheckpointError, match=r"teams\.safetensors, which is not beside it"):
        read_weights(whole)
    # What packing needs of it can still be read.
    assert not any(name.startswith("experts.0.") for name in read_own_weights(whole)[0])


@pytest.mark.parametrize(
    "entry", [["../teams", "0"], ["teams"], "teams", ["teams", 1], ["", "0"], None]
)
def test_damaged_descriptions_are_refused(folder, entry):
    library = pytest.importorskip("safetensors")
    path = folder / "whole.safetensors"
    with library.safe_open(path, "np") as file:
        about = json.loads(file.metadata()["uno_env"])
        arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    from safetensors.numpy import save_file

    for lent in ({"experts.0.": entry}, {"trunk.": ["teams", "0"]}, entry):
        save_file(arrays, path, {"uno_env": json.dumps({**about, "weights_of": lent})})
        with pytest.raises(CheckpointError, match="weights_of"):
            read_weights(path)


def test_an_expert_taken_out_of_a_mixture_is_joined_again(folder):
    mixture = read_checkpoint(str(folder / "whole.safetensors"))
    swap = expert_of(mixture, f"{SWAP}+known-cards")
    base = read_checkpoint(str(folder / "base"))
    again = join(base, {SWAP: swap})
    assert again.metadata["experts"][0]["hidden"] == [24, 16]
    for name, array in swap.weights.items():
        np.testing.assert_array_equal(again.weights[f"experts.0.{name}"], array)
    with pytest.raises(ConfigError, match=r"no expert for 'deck\.discard-all'"):
        expert_of(mixture, "deck.discard-all")


def test_experts_that_are_not_named_are_those_that_ship(tmp_path):
    first, *others = own_experts("generalist")
    places = expert_places("generalist", tmp_path / "generalist", [first])
    gates = {expert: gate for gate, expert in EXPERTS["generalist"].items()}
    assert places[gates[first]] == str(tmp_path / first)
    weights, _ = read_own_weights(FOLDER / "generalist.safetensors")
    stored = {
        name.removeprefix(f"experts.{number}."): array
        for number, gate in enumerate(EXPERTS["generalist"])
        if gate == gates[others[0]]
        for name, array in weights.items()
        if name.startswith(f"experts.{number}.")
    }
    assert places[gates[others[0]]] == f"pretrained:generalist#{gates[others[0]]}"
    kept = trained(places[gates[others[0]]])
    assert stored and all(np.array_equal(kept.weights[name], stored[name]) for name in stored)
