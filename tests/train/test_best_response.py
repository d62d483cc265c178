"""Best responses: a planted weakness is found, starts differ, the response plays by its spec."""

import json
from collections import Counter
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from uno_agents.neural.network import PolicyNetwork  # noqa: E402
from uno_agents.registry import make_agent  # noqa: E402
from uno_agents.search.known_opponent import KnownOpponentSearch  # noqa: E402
from uno_arena.cli import main as arena  # noqa: E402
from uno_train.baselines.cfr import solve  # noqa: E402
from uno_train.best_response import starts  # noqa: E402
from uno_train.checkpoint import save_checkpoint  # noqa: E402
from uno_train.tables import TableConfig  # noqa: E402
from uno_train.tiny.games import TINY  # noqa: E402

import uno_env  # noqa: E402

WEAK = Path(__file__).with_name("weak_agents.py")
SILENCE = "classic(hand_size=2,uno_penalty=8)"


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setitem(starts.SMALL, "hidden", (32,))


def best_response(out, agent, *more, rules=SILENCE):
    words = ["best-response", agent, "--variant", rules, "--players", "2", "--selection-deals",
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


def answers_to_a_draw_four(responder, opponent, rules):
    """What the responder, in seat 0, answers to wild draw fours of the opponent."""
    v = uno_env.vec(uno_env.Rules.from_text(rules), 64, 2, seed=3)
    v.reset()
    answers = Counter()
    for _ in range(200):
        ids = opponent.act_batch(v.obs, v.mask)
        mine = v.actor == 0
        ids[mine] = responder.act_batch(v.obs[mine], v.mask[mine])
        asked = mine & (v.mask[:, uno_env.action_id("challenge")] > 0)
        answers.update(uno_env.action_text(int(each)) for each in ids[asked])
        v.step(ids)
    return answers


def test_who_always_plays_the_highest_card_is_exploited(tmp_path):
    """It lays wild draw fours although it could follow, so that challenges nearly always pay."""
    rules = "classic(hand_size=4,deck.wild-draw4=32,uno_call=off)"
    weak = f"{WEAK}:HighestFirst"
    options = ("--decisions", "60000", "--starts", "scratch")
    report = best_response(tmp_path, weak, *options, rules=rules)
    assert report["best"]["low"] > 0.75 and report["best"]["start"] == "scratch"
    answers = answers_to_a_draw_four(
        make_agent(str(tmp_path / "scratch")), make_agent(weak, 1), rules
    )
    assert answers.total() > 200 and answers["challenge"] > 0.9 * answers.total()


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


@pytest.mark.slow
def test_nothing_is_found_in_the_agent_of_a_solved_game(tmp_path):
    """The same search that exploits greedy finds nothing in an equilibrium."""
    solve("tiny-skips", 200, tmp_path / "cfr")
    rules = TINY["tiny-skips"].rules().text()
    options = ("--decisions", "100000", "--starts", "scratch", "agent", "--selection-deals",
               "2000", "--deals", "4000")  # fmt: skip
    solved = f"{tmp_path}/cfr/agent.py:Tabular"
    found = {
        agent: best_response(tmp_path / str(number), agent, *options, rules=rules)["best"]
        for number, agent in enumerate((solved, "greedy"))
    }
    assert found[solved]["low"] < 0.505 and found[solved]["high"] < 0.52
    assert found["greedy"]["low"] > 0.53
