"""The page on agents: its bot plays, its examples run."""

import re
from pathlib import Path

import pytest
from uno_agents.registry import make_agent

import uno_env as uno

PAGE = Path(__file__).resolve().parents[2] / "docs" / "agents.md"
TEXT = PAGE.read_text("utf-8")
BOT, *EXAMPLES = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


@pytest.fixture
def bot_spec(tmp_path):
    """The tutorial's bot, saved as the page says."""
    (tmp_path / "my_bot.py").write_text(BOT, "utf-8")
    return f"{tmp_path / 'my_bot.py'}:ColorBot"


def test_the_bot_is_short():
    assert len([line for line in BOT.splitlines() if line.strip()]) <= 20


@pytest.mark.parametrize("variant", uno.VARIANTS)
def test_the_bot_plays_every_variant(bot_spec, variant):
    bot = make_agent(bot_spec)
    game = uno.Game(variant, num_players=4, seed=3)
    while not game.over:
        game.step(bot.act(game.view(game.actor), game.legal()))


def test_the_bot_beats_random(bot_spec):
    players = [make_agent(bot_spec), make_agent("random", seed=1)]
    won = 0
    for seed in range(60):
        game = uno.Game("classic", num_players=2, seed=seed // 2)
        while not game.over:
            player = players[(game.actor + seed) % 2]
            game.step(player.act(game.view(game.actor), game.legal()))
        won += game.winners == (seed % 2,)
    assert won >= 36


@pytest.mark.parametrize("code", EXAMPLES, ids=range(len(EXAMPLES)))
def test_example_runs(code, capsys):
    exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102  # the page is ours
    assert capsys.readouterr().out
