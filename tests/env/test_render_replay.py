"""Whole games as HTML, GIF and film, from Python and from the command line."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

import uno_env as uno
from uno_env.render import frames, save_replay
from uno_env.render.__main__ import main

from .drawn_games import played

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def game():
    """A short game of four."""
    return played("no_mercy", 4, seed=12, steps=25)


def replay_data(path):
    """What the script of a page reads."""
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="replay">(.*?)</script>', text, re.DOTALL)[1])


def test_frames_run_from_the_deal_to_the_end(game):
    seen = list(frames(game, "all"))
    sizes = [len(what.view["events"]) for what in seen]
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1] == len(game.events)
    assert seen[0].hands == uno.Game.replay(game.record(), steps=0).snapshot()["hands"]
    assert seen[-1].hands == game.snapshot()["hands"]
    assert seen[-1].view["phase"] == game.phase
    assert list(frames(game.record(), 1))[-1].view == game.view(1)


def test_being_asked_in_secret_leaves_no_trace():
    """Seat 2 passes a jump-in, or has no card for one: seat 1 gets the same frames."""
    seen = {}
    for card in ("red-1", "green-1"):
        hands = [["red-1", "red-2", "red-4"], ["red-5", "blue-2"], [card, "green-2"]]
        start = {"variant": "ig2000", "discard": ["red-3"], "draw_pile": ["blue-1"] * 9}
        game = uno.Game.from_snapshot(start | {"hands": hands})
        game.step("play red-1")
        assert (game.phase == "react") == (card == "red-1")
        if game.phase == "react":
            assert game.actor == 2
            game.step("pass")
        assert game.actor == 1
        seen[card] = list(frames(game, 1)), list(frames(game, 2))
    assert seen["red-1"][0] == seen["green-1"][0]
    assert len(seen["red-1"][1]) == len(seen["green-1"][1]) + 1


def test_forced_decisions_taken_unasked_leave_no_trace():
    """With `auto_forced` a seat's frames are its own decisions, others' would tell."""
    game = played("classic(auto_forced=true)", 3, seed=4, steps=60)
    seen = list(frames(game, 1))
    assert len(seen) > 5
    assert all(what.view["actor"] == 1 for what in seen if what.view["phase"] != "over")
    assert len(list(frames(game, "all"))) > 2 * len(seen)


def test_html_holds_every_step(game, tmp_path):
    path = save_replay(game, tmp_path / "game.html", seat=1, names=["A", "B</script>", "C", "D"])
    text, data = path.read_text(encoding="utf-8"), replay_data(path)
    assert len(data["steps"]) == len(data["says"]) == len(list(frames(game, 1)))
    assert data["pause"] == 500
    assert all(0 <= part < len(data["parts"]) for step in data["steps"] for part in step)
    assert len(set(data["parts"])) == len(data["parts"])
    assert "{{" not in text and text.count("</script>") == 2
    for card in game.view(1)["hand"]:
        assert f'href="#card-{card}"' in "".join(data["parts"][part] for part in data["steps"][-1])
        assert f'id="card-{card}"' in text


def test_html_needs_no_network(game, tmp_path):
    text = save_replay(game, tmp_path / "game.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r"(?:src|href)=\"(?!#)|https?://|@import|url\(", text)


def test_gif_has_a_picture_for_each_frame(game, tmp_path):
    path = save_replay(played("classic", 3, 5, 10), tmp_path / "game.gif", fps=5, width=240)
    with Image.open(path) as gif:
        assert gif.size == (240, 218)  # without the list of events
        assert gif.n_frames == len(list(frames(played("classic", 3, 5, 10))))
        assert gif.info["duration"] == 200 and gif.info["loop"] == 0


def test_film_has_the_length_of_the_game(tmp_path):
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    game = played("classic", 3, 5, 10)
    path = save_replay(game, tmp_path / "game.mp4", fps=5, width=240)
    reader = ffmpeg.read_frames(str(path))
    about = next(reader)
    reader.close()
    assert about["size"] == (240, 160)
    assert about["duration"] == pytest.approx(len(list(frames(game))) / 5 + 3, abs=0.3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"path": "game.avi"}, "path ends in '.avi'; allowed: .html, .gif, .mp4"),
        ({"fps": 0}, "fps is 0; allowed"),
        ({"width": 961}, "width is 961; allowed"),
        ({"seat": 9}, "seat is 9"),
    ],
)
def test_wrong_options_are_named(options, message, game, tmp_path):
    path = tmp_path / options.pop("path", "game.html")
    with pytest.raises(ValueError, match=message):
        save_replay(game, path, **options)
    assert not path.exists()


def test_missing_extra_names_the_install_line(game, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ImportError, match=r"pip install 'uno-env\[video\]'"):
        save_replay(game, tmp_path / "game.mp4")


def test_command_line(game, tmp_path, capsys):
    saved, out = tmp_path / "replay.json", tmp_path / "out.html"
    saved.write_text(json.dumps(game.record()))
    assert main([str(saved), str(out), "--seat", "all", "--fps", "4"]) == 0
    assert capsys.readouterr().out.strip() == str(out)
    assert len(replay_data(out)["steps"]) == len(list(frames(game, "all")))
    assert main([str(saved), str(tmp_path / "out.txt")]) == 1
    assert "path ends in '.txt'" in capsys.readouterr().err
    saved.write_text("{}")
    assert main([str(saved), str(out)]) == 1
    assert "error: replay lacks" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(saved), str(out), "--seat", "north"])
    assert "'north' is neither a seat number nor all" in capsys.readouterr().err


def test_help_begins_with_an_example():
    done = subprocess.run(
        [sys.executable, "-m", "uno_env.render", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("usage: python -m uno_env.render replay.json out.html")
    assert not done.stderr


def test_examples_of_the_page_run(tmp_path, monkeypatch, capsys):
    """Every Python block of docs/rendering.md, in order, in one namespace."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    page = (DOCS / "rendering.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/rendering.md", "exec"), names)  # noqa: S102 - our own page
    assert len(blocks) >= 4
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "game.gif", "game.html", "game.json", "game.mp4", "table.svg"
    ]  # fmt: skip
    assert "Grace" in capsys.readouterr().out
