"""Language models as agents, over HTTP with a server that speaks the chat protocol."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from uno_agents.base import AgentError
from uno_agents.registry import list_agents, make_agent

import uno_env as uno

pytest.importorskip("openai")
from uno_agents.llm.agent import LlmAgent, LlmError
from uno_agents.llm.settings import llm_settings

from .llm_server import ChatServer


@pytest.fixture
def chat(monkeypatch):
    server = ChatServer()
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "UNO_LLM_API_KEY", "UNO_LLM_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UNO_LLM_BASE_URL", server.url)
    yield server
    server.close()


def play(agent, variant="classic", seed=1, most=60):
    """One game of the agent on every seat; the actions it took."""
    game = uno.Game(variant, 3, seed)
    taken = []
    while not game.over and len(taken) < most:
        taken.append(agent.act(game.view(game.actor), game.legal()))
        game.step(taken[-1])
    return taken


@pytest.mark.parametrize("behaviour", ["greedy", "wordy", "wrong", "plain", "slow"])
def test_whole_games_with_models_of_all_manners(chat, behaviour):
    agent = make_agent(f"llm:{behaviour}")
    taken = play(agent, "no_mercy" if behaviour == "greedy" else "classic")
    usage = agent.usage()
    assert usage["decisions"] == len(taken) and usage["fallbacks"] == 0
    assert usage["prompt_tokens"] > 0 and usage["seconds"] > 0
    asked_twice = behaviour == "wrong"
    assert (usage["unusable"] > 0) == asked_twice
    agent.close()


def test_it_is_told_the_rules_and_the_position_and_nothing_else(chat):
    agent = make_agent("llm:greedy:lang=fr")
    game = uno.Game("teams", 4, seed=2)
    agent.act(game.view(game.actor), game.legal())
    system, user = (message["content"] for message in chat.requests[-1]["messages"])
    assert "partenaires" in system and "Votre main" in user
    assert user == uno.describe(game.view(game.actor), lang="fr")


def test_a_forced_decision_costs_nothing(chat):
    agent = make_agent("llm:down")
    view = uno.Game("classic", 2, seed=0).view(0)
    assert agent.act(view, ["draw"]) == "draw"
    assert agent.usage()["requests"] == 0


def test_failed_requests_are_tried_again(chat):
    agent = make_agent("llm:shaky:retries=4")
    assert play(agent, most=4)
    assert len(chat.requests) > agent.usage()["requests"] >= 1


def test_a_model_without_structured_output_is_asked_without_it(chat):
    agent = make_agent("llm:plain")
    play(agent, most=6)
    with_format = ["response_format" in request for request in chat.requests]
    assert with_format[0] and not any(with_format[1:])
    with pytest.raises(LlmError, match="not supported"):
        play(make_agent("llm:plain:structured=on"), most=6)


def test_two_unusable_answers_are_an_error_or_the_fallbacks_turn(chat):
    with pytest.raises(LlmError, match=r"no usable answer.*answer with a number"):
        play(make_agent("llm:hopeless"))
    agent = make_agent("llm:hopeless:fallback=greedy", seed=3)
    play(agent)
    usage = agent.usage()
    assert usage["fallbacks"] > 0 and usage["unusable"] == 2 * usage["fallbacks"]
    asked_again = chat.requests[-1]["messages"]
    assert [message["role"] for message in asked_again] == ["system", "user", "assistant", "user"]


def test_a_model_that_does_not_answer_in_time_is_an_error(chat):
    started = time.monotonic()
    with pytest.raises(LlmError, match=r"did not answer.*Timeout"):
        play(make_agent("llm:stuck:timeout=0.2,retries=0"))
    assert time.monotonic() - started < 4


def test_a_server_that_fails_is_an_error(chat):
    with pytest.raises(LlmError, match="InternalServerError"):
        play(make_agent("llm:down:retries=0"))


def test_a_budget_is_kept(chat, tmp_path, monkeypatch):
    config = tmp_path / "llm.yaml"
    config.write_text("models:\n  pricey: {model: greedy, input_price: 1000, output_price: 0}\n")
    monkeypatch.setenv("UNO_LLM_CONFIG", str(config))
    agent = make_agent("llm:pricey:max_cost=0.5")
    with pytest.raises(LlmError, match=r"budget of 0\.5"):
        play(agent, most=200)
    assert 0.5 <= agent.usage()["cost"] < 1.5
    assert chat.requests[-1]["model"] == "greedy"
    asked = len(chat.requests)
    with pytest.raises(LlmError, match=r"budget of 0\.5"):
        play(make_agent("llm:pricey:max_cost=0.5"))
    assert len(chat.requests) == asked, "a second agent has the same budget"


def test_decisions_are_asked_for_at_the_same_time(chat):
    agent = make_agent("llm:slow:concurrency=4")
    games = [uno.Game("classic", 2, seed) for seed in range(12)]
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda game: agent.act(game.view(game.actor), game.legal()), games))
    assert 2 <= chat.most_at_once <= 4


def test_settings_come_from_the_environment_or_a_file_and_keys_by_name(tmp_path):
    config = tmp_path / "llm.yaml"
    config.write_text("models: {small: {model: m-1, base_url: 'http://a/v1', api_key_env: KEY}}\n")
    environment = {"UNO_LLM_CONFIG": str(config), "KEY": "secret", "UNO_LLM_API_KEY": "other"}
    settings = llm_settings("small", environment)
    assert (settings.model, settings.base_url) == ("m-1", "http://a/v1")
    assert settings.api_key(environment) == "secret"
    assert llm_settings("any", environment).model == "any"
    with pytest.raises(AgentError, match="needs its key in KEY"):
        settings.api_key({})
    with pytest.raises(AgentError, match="UNO_LLM_BASE_URL"):
        llm_settings("any", {}).api_key({})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("models: [1]", "mapping `models`"),
        ("models: {x: 3}", "models.x is 3"),
        ("models: {x: {url: 3}}", "known: model, base_url"),
        ("models: {", "cannot be read"),
    ],
)
def test_a_bad_file_is_named(tmp_path, text, message):
    config = tmp_path / "llm.yaml"
    config.write_text(text)
    with pytest.raises(AgentError, match=message):
        llm_settings("x", {"UNO_LLM_CONFIG": str(config)})


def test_strangers_may_not_name_one(chat):
    with pytest.raises(AgentError, match="not allowed here"):
        make_agent("llm:greedy", allow_local=False)
    assert not any(agent.name.startswith("llm") for agent in list_agents(allow_local=False))


def test_the_key_stands_in_no_text(chat, monkeypatch):
    monkeypatch.setenv("UNO_LLM_API_KEY", "very-secret")
    agent = make_agent("llm:down:retries=0")
    with pytest.raises(LlmError) as caught:
        play(agent)
    assert "very-secret" not in f"{agent!r} {caught.value} {json.dumps(agent.usage())}"


def test_bad_options_are_named(chat):
    with pytest.raises(AgentError, match="llm needs a model"):
        make_agent("llm")
    with pytest.raises(AgentError, match="allowed: en, fr"):
        make_agent("llm:greedy:lang=xx")
    with pytest.raises(AgentError, match="allowed: auto, on, off"):
        LlmAgent(llm_settings("x"), structured="maybe")
