"""Your own code as an agent: classes, functions, batches, options, and clear errors."""

import numpy as np
import pytest
from uno_agents.base import AgentError, BatchAgent
from uno_agents.registry import make_agent

import uno_env
from uno_env.vector.single_agent import SingleAgentVec

SOURCE = '''
from dataclasses import dataclass

@dataclass
class Nth:
    """A dataclass, which looks its own module up."""
    n: int = 0
    seed: int = 0
    def act(self, view, legal):
        return legal[self.n % len(legal)]

class Batch:
    def act_batch(self, obs, mask):
        return mask.argmax(axis=1)

class Anything:
    def __init__(self, **options):
        self.options = options
    def act(self, view, legal):
        return legal[-1]

def last(view, legal):
    return legal[-1]

def by_id(view, legal):
    import uno_env
    return uno_env.action_id(legal[-1])

def maker(n=1):
    return lambda view, legal: legal[n % len(legal)]

ready = Nth(2)

class Failing:
    def __init__(self):
        raise RuntimeError("no luck today")

class Useless:
    pass
'''


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "bots.py"
    path.write_text(SOURCE)
    return path


def choices(agent, variant="classic", steps=60):
    game, taken = uno_env.Game(variant, 4, seed=4), []
    while not game.over and len(taken) < steps:
        taken.append(agent.act(game.view(game.actor), game.legal()))
        game.step(taken[-1])
    return taken


def test_classes_functions_factories_and_objects(file):
    first = choices(make_agent(f"{file}:Nth"))
    assert choices(make_agent(f"{file}:Batch")) == first
    last = choices(make_agent(f"{file}:Nth:n=-1"))
    assert last != first
    for name in ("last", "by_id", "Anything", "maker:n=-1"):
        assert choices(make_agent(f"{file}:{name}")) == last, name
    assert choices(make_agent(f"{file}:maker")) == choices(make_agent(f"{file}:Nth:n=1"))
    assert make_agent(f"{file}:ready").n == 2


def test_ids_become_gifts_in_a_giving_phase(file):
    taken = choices(make_agent(f"{file}:by_id"), "teams", 200)
    assert taken == choices(make_agent(f"{file}:last"), "teams", 200)
    assert any(text.startswith("give") for text in taken)


def test_the_seed_is_passed_to_whoever_asks_for_it(file):
    assert make_agent(f"{file}:Nth", seed=9).seed == 9
    assert make_agent(f"{file}:Nth:seed=3", seed=9).seed == 3
    assert make_agent(f"{file}:Anything:depth=3,share=0.5,name=x", seed=9).options == {
        "depth": 3, "share": 0.5, "name": "x",
    }  # fmt: skip


def test_batch_code_plays_batches_too(file):
    agent = make_agent(f"{file}:Batch")
    assert isinstance(agent, BatchAgent)
    v = uno_env.vec("classic", 8, 3, seed=1)
    v.reset()
    assert (agent.act_batch(v.obs, v.mask) == v.mask.argmax(axis=1)).all()
    vec = SingleAgentVec("classic", 8, num_players=3, opponents=f"{file}:Batch")
    vec.reset()
    vec.step(vec.mask.argmax(axis=1))
    assert np.isin(vec.seat, range(3)).all()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Nht", r"has no 'Nht'; it has Nth, .*Did you mean Nth\?"),
        ("Failing", "cannot be made: RuntimeError: no luck today"),
        ("Useless", r"neither act\(view, legal\) nor act_batch"),
        ("Nth:m=3", "no option 'm'; allowed: n$"),
    ],
)
def test_errors_say_what_is_wrong(file, name, message):
    with pytest.raises(AgentError, match=message):
        make_agent(f"{file}:{name}")


def test_a_file_that_fails_is_named(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("import nothing_of_this_name\n")
    with pytest.raises(AgentError, match=r"broken\.py failed: ModuleNotFoundError") as caught:
        make_agent(f"{path}:Bot")
    assert caught.value.__cause__ is not None
    with pytest.raises(AgentError, match=r"names no class; write .*broken\.py:MyBot"):
        make_agent(str(path))


def test_files_of_one_name_do_not_meet(tmp_path):
    source = "class Bot:\n    def act(self, view, legal):\n        return legal[{}]\n"
    for folder, n in (("a", 0), ("b", -1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(source.format(n))
    a, b = (make_agent(f"{tmp_path / folder / 'bot.py'}:Bot") for folder in ("a", "b"))
    assert a.act({}, ["x", "y"]) == "x"
    assert b.act({}, ["x", "y"]) == "y"
