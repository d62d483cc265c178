"""Best responses: a planted weakness is found, starts differ, the response plays by its spec."""

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from uno_agents.neural.network import PolicyNetwork  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402
from uno_agents.search.known_opponent import KnownOpponentSearch  # noqa: E402
from uno_arena.cli import main as arena  # noqa: E402
from uno_train.best_response import starts  # noqa: E402
from uno_train.checkpoint import save_checkpoint  # noqa: E402
from uno_train.tables import TableConfig  # noqa: E402

import uno_env  # noqa: E402

WEAK = Path(__file__).with_name("weak_agents.py")
SILENCE = "classic(hand_size=2,uno_penalty=8)"


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setitem(starts.SMALL, "hidden", (32,))


def best_response(out, agent, *more):
    words = ["best-response", agent, "--variant", SILENCE, "--players", "2", "--selection-deals",
             "100", "--deals", "200", "--search-deals", "4", "--out", str(out), *more]  # fmt: skip
    assert arena(words) == 0
    return json.loads((out / "report.json").read_text())


def test_a_planted_weakness_is_found_by_a_wide_margin(tmp_path, capsys):
    """Silence costs eight cards if it is caught; who plays as randomly but calls loses less."""
    options = ("--decisions", "15000", "--starts", "scratch")
    silent = best_response(tmp_path / "silent", f"{WEAK}:Silent", *options)
    trained = next(each for each in silent["responses"] if each["start"] == "scratch")
    assert trained["rate"] > 0.95 and silent["best"]["low"] > 0.9
    printed = capsys.readouterr()
    assert "It is exploitable by at least 4" in printed.out
    # The response is an agent as any other.
    assert make_agent(str(tmp_path / "silent/scratch")).metadata["responds_to"].endswith("Silent")


def test_every_start_begins_where_it_says(tmp_path):
    table = TableConfig(uno_env.Rules.from_text(SILENCE), 2)
    setup = starts.Setup("greedy", table, 9_000, 0.0, 1)
    assert starts.from_agent(setup).config.imitation_teacher == "greedy"
    assert starts.from_distillation(setup).config.distill_until == starts.DISTILLED
    network = PolicyNetwork((24, 24))
    save_checkpoint(tmp_path, network, {"rules": "classic"})
    learner = starts.from_agent(setup._replace(agent=str(tmp_path)))
    assert learner.network.hidden == network.hidden
    v = uno_env.vec(table.rules, 16, 2, seed=1)
    v.reset()
    pair = torch.tensor(v.obs), torch.tensor(v.mask)
    with torch.inference_mode():
        # Apart from columns that hold ids, which trained networks do not read.
        assert torch.allclose(learner.network(*pair)[1], network(*pair)[1], atol=0.01)


def test_search_knows_whom_it_plays_against(tmp_path):
    """Same seed, same decision; the true hidden cards have no influence."""
    game = uno_env.Game(uno_env.Rules.from_text(SILENCE).replace(auto_forced=True), 2, seed=5)
    while not game.over:
        view, legal = game.view(game.actor), game.legal()
        agents = [KnownOpponentSearch(make_agent("greedy", 1), sims=32, seed=3) for _ in range(2)]
        chosen = {agent.act(view, legal) for agent in agents}
        assert len(chosen) == 1 and chosen <= set(legal)
        game.step(chosen.pop())
    report = best_response(tmp_path, "heuristic", "--starts", "search")
    assert [each["start"] for each in report["responses"]] == ["search"]
    assert (
        make_agent(f"{tmp_path}/search.py:Responder", 1).act(
            uno_env.Game("classic", 2, seed=1).view(0), ["draw"]
        )
        == "draw"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--starts", "luck"], "unknown start 'luck'; allowed: scratch, agent, distill, search"),
        (["--minutes", "1", "--decisions", "5"], "give --minutes or --decisions, not both"),
        (["--deals", "1"], "need at least 2"),
    ],
)
def test_what_cannot_be_run_is_said(words, message, capsys):
    assert arena(["best-response", "greedy", *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_bluffing_against_who_never_challenges_is_found(tmp_path):
    """With many wild draw fours, bluffing beats an agent that never challenges them."""
    rules = "classic(hand_size=4,deck.wild-draw4=16)"
    rates = {}
    for name in ("Trusting", "Random"):
        words = ["best-response", f"{WEAK}:{name}", "--variant", rules, "--players", "2",
                 "--decisions", "150000", "--starts", "scratch",
                 "--out", str(tmp_path / name)]  # fmt: skip
        assert arena(words) == 0
        rates[name] = json.loads((tmp_path / name / "report.json").read_text())["best"]
    assert rates["Trusting"]["low"] > rates["Random"]["high"]
