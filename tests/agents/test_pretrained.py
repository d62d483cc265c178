"""The agents that ship: they load, play every table they claim, and agree with their cards."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import uno_env
from agents.base import AgentError
from agents.pretrained import FOLDER, load_pretrained, pretrained_names
from agents.registry import list_agents, make_agent

SHIPPED = list(pretrained_names())
CARDS = Path(__file__).parents[2] / "docs" / "models"


@pytest.mark.parametrize("name", SHIPPED)
def test_it_plays_whole_games_at_every_table_it_claims(name):
    agent = make_agent(f"pretrained:{name}", allow_local=False)
    rules, players = zip(*agent.metadata["claims"], strict=True)
    quick = [uno_env.Rules.from_text(text).replace(auto_forced=True) for text in rules]
    v = uno_env.vec(quick, 8 * len(rules), list(players), seed=3)
    v.reset()
    ended = np.zeros(v.num_envs, int)
    for _ in range(700):
        v.step(agent.act_batch(v.obs, v.mask))  # an illegal one raises
        ended += v.done > 0
    assert (ended.reshape(8, -1).sum(axis=0) > 0).all()


@pytest.mark.parametrize("name", SHIPPED)
def test_every_table_it_claims_is_measured(name):
    about = load_pretrained(name).metadata
    measured = {row["table"] for row in about["results"]}
    claims = {f"{rules}, {players} players" for rules, players in about["claims"]}
    assert claims <= measured
    assert all(row["low"] <= row["rate"] <= row["high"] for row in about["results"])


@pytest.mark.parametrize("name", SHIPPED)
def test_its_card_is_made_from_its_metadata(name):
    card = pytest.importorskip("train.card")
    about = load_pretrained(name).metadata
    assert (CARDS / f"{name}.md").read_text() == card.model_card(name, about)


def test_no_card_without_an_agent():
    assert sorted(path.stem for path in CARDS.glob("*.md")) == SHIPPED


def test_all_of_them_together_are_small():
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 10_000_000


def test_they_are_listed_with_a_line_each():
    listed = {agent.name: agent for agent in list_agents(allow_local=False)}
    for name in SHIPPED:
        assert listed[f"pretrained:{name}"].description
        assert listed[f"pretrained:{name}"].extra is None


@pytest.mark.skipif(not SHIPPED, reason="no agent is shipped yet")
def test_they_play_with_nothing_but_the_core_packages():
    code = (
        (
            "import sys; sys.modules.update(dict.fromkeys(['torch', 'safetensors', 'onnxruntime', "
            "'yaml', 'rich', 'scipy']))\n"
            "import uno_env; from agents.registry import make_agent\n"
            f"agent = make_agent('pretrained:{SHIPPED[0]}', allow_local=False)\n"
            "rules, players = agent.metadata['claims'][0]\n"
            "game = uno_env.Game(rules, players, seed=1)\n"
            "while not game.over: game.step(agent.act(game.view(game.actor), game.legal()))\n"
        )
        if SHIPPED
        else ""
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)


def test_names_are_no_paths(tmp_path):
    for name in ("../pretrained/classic", "/etc/passwd", "classic.safetensors", "", "."):
        with pytest.raises(AgentError, match="no pretrained agent"):
            load_pretrained(name)
