"""Spec strings: taken apart alike, resolved to agents, refused with what is allowed."""

import sys

import gymnasium
import numpy as np
import pytest
from uno_agents.base import AgentError
from uno_agents.kinds import BY_FORM, NAMED
from uno_agents.registry import (
    BUILT_IN,
    agents_help,
    list_agents,
    make_agent,
)
from uno_agents.specs import parse_spec, split_specs

import uno_env


@pytest.mark.parametrize(
    ("text", "target", "options"),
    [
        ("greedy", "greedy", {}),
        (" greedy ", "greedy", {}),
        ("search:sims=500", "search", {"sims": "500"}),
        ("search:sims=500,ms=20", "search", {"sims": "500", "ms": "20"}),
        ("pretrained:classic", "pretrained:classic", {}),
        ("pretrained:classic:sample=1", "pretrained:classic", {"sample": "1"}),
        ("runs/x/best:sample=1", "runs/x/best", {"sample": "1"}),
        ("bots/my.py:Bot", "bots/my.py:Bot", {}),
        ("bots/my.py:Bot:depth=3", "bots/my.py:Bot", {"depth": "3"}),
        ("http://host:8000/bot", "http://host:8000/bot", {}),
        ("http://host:8000/bot?level=3", "http://host:8000/bot?level=3", {}),
        ("http://host/bot:timeout=2.5", "http://host/bot", {"timeout": "2.5"}),
        ("search:policy=pretrained:classic", "search", {"policy": "pretrained:classic"}),
        ("runs/lr=3/best", "runs/lr=3/best", {}),
    ],
)
def test_specs_are_taken_apart(text, target, options):
    spec = parse_spec(text)
    assert (spec.target, dict(spec.options)) == (target, options)


def test_lists_of_specs_keep_their_options():
    assert split_specs("greedy,search:sims=5,ms=3, runs/a/best:sample=1,heuristic") == [
        "greedy", "search:sims=5,ms=3", "runs/a/best:sample=1", "heuristic",
    ]  # fmt: skip
    # Without options before it, a pair is no option of its neighbour.
    assert split_specs("greedy,x=1") == ["greedy", "x=1"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("clever", r"unknown agent 'clever'; allowed: random, greedy, heuristic.*my_file\.py"),
        ("serch:sims=3", r"Did you mean search\?"),
        ("hueristic", r"Did you mean heuristic\?"),
        ("search:simz=3", r"no option 'simz'; allowed: sims.*Did you mean sims\?"),
        ("search:sims=many", "sims is 'many'; allowed: a whole number from 1"),
        ("search:sims=0", "sims is '0'; allowed"),
        ("search:sims=1.5", "sims is '1.5'; allowed"),
        ("search:ms=nan", "ms is 'nan'; allowed: a number from 1"),
        ("search:sims=3,sims=4", "names an option twice"),
        ("greedy:fast", "'fast' is no option"),
        ("greedy:fast=1", "no option 'fast'; allowed: none"),
        ("pretrained:nobody", "no pretrained agent 'nobody'; allowed"),
        ("pretrained:../classic", r"no pretrained agent '\.\./classic'"),
        ("runs/nowhere/best", r"no folder runs/nowhere/best"),
        ("nowhere.onnx", r"no file nowhere\.onnx"),
        ("nowhere.zip", r"no file nowhere\.zip"),
        ("nowhere.safetensors", r"no file nowhere\.safetensors"),
        ("nowhere.py:Bot", r"no file nowhere\.py"),
        ("http://", "is no URL"),
        ("http://host:port/bot", "is no URL|Port"),
        ("http://localhost/bot:timeout=0", "timeout is '0'; allowed"),
        ("", "a text such as 'greedy' is needed"),
        (7, "a text such as 'greedy' is needed"),
    ],
)
def test_what_is_wrong_is_said_with_what_is_allowed(spec, message):
    with pytest.raises(AgentError, match=message):
        make_agent(spec)


def test_a_run_folder_names_the_checkpoints_in_it(tmp_path):
    (tmp_path / "run" / "best").mkdir(parents=True)
    with pytest.raises(AgentError, match=r"is no checkpoint folder$"):
        make_agent(str(tmp_path / "run"))
    (tmp_path / "run" / "best" / "model.safetensors").touch()
    with pytest.raises(AgentError, match=r"did you mean .*run/best\?"):
        make_agent(str(tmp_path / "run"))


@pytest.mark.parametrize(
    "spec",
    ["runs/x/best", ".", "/etc", "bot.onnx", "model.zip", "x.safetensors", "x.py:Bot",
     "http://localhost:1/bot", "https://localhost/bot", "C:\\runs\\x"],
)  # fmt: skip
def test_strangers_name_neither_paths_nor_code_nor_urls(spec):
    with pytest.raises(AgentError, match="is not allowed here: allowed: random") as caught:
        make_agent(spec, allow_local=False)
    assert "my_file.py" not in str(caught.value)


def test_strangers_cannot_ask_what_is_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret").mkdir()
    for word in ("secret", "nothing"):
        with pytest.raises(AgentError, match=f"unknown agent '{word}'"):
            make_agent(word, allow_local=False)
    with pytest.raises(AgentError, match=r"holds no model\.safetensors"):
        make_agent("secret")


def test_strangers_have_lower_limits():
    for spec in ("search:sims=1000000", "search:ms=60000"):
        with pytest.raises(AgentError, match="allowed: a"):
            make_agent(spec, allow_local=False)


def test_local_code_is_not_run_for_strangers(tmp_path):
    file = tmp_path / "trap.py"
    file.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    with pytest.raises(AgentError):
        make_agent(f"{file}:Bot", allow_local=False)
    assert not (tmp_path / "sprung").exists()


def test_the_list_says_what_there_is():
    agents = {agent.name: agent for agent in list_agents()}
    assert set(BUILT_IN) <= set(agents)
    assert agents["oracle:sims=500"].cheats
    assert not any(agent.cheats for name, agent in agents.items() if not name.startswith("oracle"))
    assert agents["bot.onnx"].extra == "onnx"
    assert {option.name for option in agents["search:sims=500"].options} >= {"sims", "ms"}
    shared = list_agents(allow_local=False)
    assert not any(agent.local for agent in shared)
    local = {kind.form for kind in (*NAMED.values(), *BY_FORM) if kind.local}
    assert {agent.name for agent in shared} | local == set(agents)
    text = agents_help()
    assert all(name in text for name in agents)
    assert all(agent.description for agent in agents.values())
    assert all(kind.form.startswith(name) for name, kind in NAMED.items())


@pytest.fixture
def other_package(tmp_path, monkeypatch):
    """An installed package that brings an agent of its own."""
    (tmp_path / "their_bots.py").write_text(
        "class Last:\n"
        "    def __init__(self, seed=0, nth=-1):\n"
        "        self.seed, self.nth = seed, nth\n"
        "    def act(self, view, legal):\n"
        "        return legal[self.nth]\n"
    )
    info = tmp_path / "their_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-bots\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[uno_env.bots]\nlast-card = their_bots:Last\nbroken = their_bots:Missing\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("their_bots", None)


def test_other_packages_bring_agents_by_entry_points(other_package):
    agent = make_agent("last-card:nth=0", seed=5, allow_local=False)
    assert (agent.seed, agent.nth) == (5, 0)
    assert make_agent("last-card").nth == -1
    listed = {agent.name: agent.description for agent in list_agents(allow_local=False)}
    assert listed["last-card"] == "from the package their-bots"
    with pytest.raises(AgentError, match="no option 'depth'; allowed: nth"):
        make_agent("last-card:depth=3")
    with pytest.raises(AgentError, match=r"their_bots:Missing\) cannot be loaded"):
        make_agent("broken")
    with pytest.raises(AgentError, match=r"Did you mean last-card\?"):
        make_agent("last-crad")
    env = gymnasium.make("uno_env/Uno-v0", num_players=2, opponents="last-card:nth=0")
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    env.close()


def test_importing_the_registry_loads_nothing_optional():
    import subprocess

    code = (
        "import sys; sys.modules.update(dict.fromkeys(['torch', 'onnxruntime', 'safetensors', "
        "'stable_baselines3', 'rlcard', 'httpx']));"
        "import uno_agents.registry as r; r.list_agents(); r.make_agent('heuristic');"
        "print([m for m in ('uno_agents.search.agent', 'uno_agents.neural.onnx') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_missing_packages_are_named_with_their_extra(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    (tmp_path / "bot.onnx").touch()
    with pytest.raises(AgentError, match=r"needs the package onnxruntime.*uno-env\[onnx\]"):
        make_agent(str(tmp_path / "bot.onnx"))


def test_same_seed_same_agent():
    rows = np.ones((50, uno_env.NUM_ACTIONS), np.uint8)
    first, again, other = (
        make_agent("random", seed=seed).act_batch(rows, rows).tolist() for seed in (1, 1, 2)
    )
    assert first == again != other
