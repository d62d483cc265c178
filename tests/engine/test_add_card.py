"""A new card is one row: a test adds one to a copy of the package and plays it.

The copy is made when the test runs; nothing but `kinds.py` is changed in it.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import uno_env
from uno_env.actions import ACTIONS, ACTIONS_VERSION

PACKAGE = Path(uno_env.__file__).parent
LAST_WILD = '    Kind("wild-blank", glyph="blank"),\n'
LAST_COLORED = '    Kind("skip-all", E.PLAY_AGAIN, glyph="skip-all"),\n'
ROWS = {
    LAST_WILD: '    Kind("wild-reverse-draw3", E.REVERSE | E.DRAW, draws=3, glyph="+3"),\n',
    LAST_COLORED: '    Kind("skip3", E.SKIP, skips=3, glyph="skip"),\n',
}

PLAY = """
import json
import uno_env as uno
from uno_env.render import render

def position(card, num_players, **more):
    hands = [[card, "red-1", "red-2"]] + [["red-3", "blue-4", "blue-5"]] * (num_players - 1)
    data = {"variant": "classic", "hands": hands, "discard": ["red-5"],
            "draw_pile": ["blue-1"] * 30, **more}
    return uno.Game.from_snapshot(data)

game = position("wild-reverse-draw3", 3)
game.step("play wild-reverse-draw3"); game.step("color red")
after = {"direction": game.snapshot()["direction"], "sizes": game.view(0)["hand_sizes"]}
after["turn"] = game.snapshot()["turn"]

stacked = position("wild-reverse-draw3", 3, rules={"stacking": "any_value", "challenge": "none"})
stacked.step("play wild-reverse-draw3"); stacked.step("color red")
after["pending"] = stacked.view(0)["pending"]["amount"]

skips = position("red-skip3", 5)
skips.step("play red-skip3")
after["after_skip3"] = skips.actor

rules = uno.Rules.preset("classic").replace(deck={"wild-reverse-draw3": 6, "skip3": 2})
ended = 0
for seed in range(3):
    game = uno.Game(rules, 4, seed=seed)
    view = game.view(game.actor)
    steps = 0
    while not game.over:
        legal = game.legal_ids()
        game.step(legal[(seed + steps) % len(legal)] if steps % 3 else legal[0])
        steps += 1
    ended += 1
    again = uno.Game.replay(game.record())
    assert again.snapshot() == game.snapshot()
after["ended"] = ended
after["svg"] = "<svg" in render(position("red-skip3", 2), "svg", 0)
after["actions"] = list(uno.ACTIONS)
after["version"] = uno.ACTIONS_VERSION
after["obs"] = uno.OBS_SIZE
print(json.dumps(after))
"""


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the package with two more rows."""
    folder = tmp_path_factory.mktemp("with_cards")
    shutil.copytree(PACKAGE, folder / "uno_env", ignore=shutil.ignore_patterns("__pycache__"))
    kinds = folder / "uno_env" / "kinds.py"
    text = kinds.read_text("utf-8")
    for after, row in ROWS.items():
        assert after in text
        text = text.replace(after, after + row)
    kinds.write_text(text, "utf-8")
    return folder


def play(folder, disable_jit):
    run = subprocess.run(  # our own interpreter
        [sys.executable, "-c", PLAY],
        env={**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": disable_jit,
             "UNO_ENV_CACHE_DIR": str(folder / "cache")},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads(run.stdout.splitlines()[-1])


def check(told):
    assert told["direction"] == -1 and told["sizes"] == [2, 3, 6] and told["turn"] == 1
    assert told["pending"] == 3 and told["after_skip3"] == 4
    assert told["ended"] == 3 and told["svg"]
    new = {text: number for number, text in enumerate(told["actions"])}
    moved = [
        text for number, text in enumerate(ACTIONS)
        if "reserved" not in text and new.get(text) != number
    ]  # fmt: skip
    assert not moved, "a new card moves no id"
    assert {"play wild-reverse-draw3", "play red-skip3", "play blue-skip3"} <= set(new)
    assert (told["version"], told["obs"]) == (ACTIONS_VERSION, uno_env.OBS_SIZE)


def test_a_card_is_one_row(copied):
    check(play(copied, "1"))


@pytest.mark.slow
def test_a_card_is_one_row_compiled_too(copied):
    check(play(copied, "0"))
