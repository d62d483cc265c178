"""Rendering of one position: text, SVG, pixels and window."""

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import uno_env as uno
from uno_env.kinds import COLORED_ROWS, WILD_ROWS
from uno_env.render import close, render
from uno_env.render.ansi import COLUMNS, tag
from uno_env.render.cards import BACK_NAME, card_items, deck_sheet
from uno_env.render.glyphs import glyph
from uno_env.render.pixels import pixels
from uno_env.render.scene import Card, Scene
from uno_env.render.svg import svg, symbol
from uno_env.render.window import Window

from .drawn_games import played, tables

DOCS = Path(__file__).parents[2] / "docs"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
CARDS = (*uno.CARDS, BACK_NAME)


def position(**changes):
    """Three seats, seat 0 to answer a penalty of ten."""
    cards = {
        "variant": "no_mercy",
        "discard": ["red-5", "wild-draw10"],
        "active_color": "blue",
        "draw_pile": ["green-1"] * 30,
        "hands": [["red-3", "wild-draw10"], ["yellow-9"] * 3, ["green-8"] * 4],
        "pending": {"amount": 10, "value": 10, "source": 2, "contestable": False},
        "phase": "stack",
        "uno_called": [],
    }
    return uno.Game.from_snapshot(cards | changes)


def test_text_shows_the_whole_position(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    text = render(position(), "ansi", names=["Ada", "Blaise", "Carl"])
    for words in ("No Mercy", "3 players", "as Ada sees it", "◆ blue", "30 to draw", "penalty +10",
                  "[▲3] [★+10]", "Ada to answer the penalty or take it",
                  " 1 play wild +10", " 2 take"):  # fmt: skip
        assert words in text
    assert "3 cards ▒▒▒ " in text and "4 cards ▒▒▒▒\n" in text
    assert "●9" not in text and "■8" not in text


def test_a_seat_named_you_is_addressed(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    text = render(position(), "ansi", names=["You", "Blaise", "Carl"])
    assert "as you see it" in text and "You have to answer the penalty" in text


def test_text_tells_the_direction(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    clockwise = render(position(), "ansi")
    other = render(position(direction=-1), "ansi")
    assert clockwise.index("───→") < clockwise.index("←───")
    assert other.index("←───") < other.index("───→")


def test_text_without_color_is_the_colored_text_without_codes(monkeypatch):
    for game in tables(steps=60):
        for seat in (0, "all"):
            monkeypatch.setenv("NO_COLOR", "")
            colored = render(game, "ansi", seat)
            monkeypatch.setenv("NO_COLOR", "1")
            plain = render(game, "ansi", seat)
            assert "\x1b[" in colored and "\x1b" not in plain
            assert [line.rstrip() for line in ESCAPE.sub("", colored).split("\n")] == plain.split(
                "\n"
            )
            assert max(map(len, plain.split("\n"))) <= COLUMNS


def test_text_of_all_hands_names_every_card(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    for game in tables(steps=40):
        text = render(game, "ansi", "all")
        hands = game.snapshot()["hands"]
        for card in {card for hand in hands for card in hand}:
            wanted = sum(hand.count(card) for hand in hands)
            assert text.count(f"[{tag(card)}]") == wanted, card


def test_every_card_has_its_own_drawing():
    drawings = {symbol(name).partition(">")[2] for name in CARDS}
    assert len(drawings) == len(CARDS)


def test_cards_differ_without_their_colors():
    plain = {re.sub(r'"#[0-9a-f]{6}"', '""', symbol(name).partition(">")[2]) for name in CARDS}
    assert len(plain) == len(CARDS)


def test_every_glyph_of_the_table_of_kinds_is_drawn():
    for rows in (COLORED_ROWS, WILD_ROWS):
        glyphs = [kind.glyph for kind in rows]
        assert len(set(glyphs)) == len(rows)
        assert all(glyph(name, "#000000") for name in glyphs)


def test_every_card_has_its_own_pixels():
    pictures = {pixels(Scene(48, 72, "", (Card(name, 0, 0, 48),))).tobytes() for name in CARDS}
    assert len(pictures) == len(CARDS)


def test_card_drawings_stay_on_the_card():
    for name in CARDS:
        for item in card_items(name):
            for x, y in getattr(item, "points", ()):
                assert 0 <= x <= 100 and 0 <= y <= 150, name


def test_deck_sheet_in_the_docs_is_current():
    assert (DOCS / "cards.svg").read_text(encoding="utf-8") == svg(deck_sheet())
    assert sorted(card.name for card in deck_sheet().items if isinstance(card, Card)) == sorted(
        CARDS
    )


def test_svg_stands_alone():
    for game in tables(steps=60):
        for seat in (1, "all"):
            root = ET.fromstring(render(game, "svg", seat))  # noqa: S314 - our own output
            used = {node.get("href") for node in root.iter("{*}use")}
            defined = {f"#{node.get('id')}" for node in root.iter("{*}symbol")}
            assert used == defined
            assert not [node.tag for node in root.iter() if node.tag.endswith(("image", "style"))]


def test_svg_shows_hands_by_knowledge():
    def faces(seat):
        return re.findall(r'<use href="#card-([a-z0-9-]+)"', render(position(), "svg", seat))

    own, everything = faces(0), faces("all")
    assert own.count("back") == 3 + 3 + 4 and "yellow-9" not in own
    assert everything.count("back") == 3 and everything.count("yellow-9") == 3
    assert everything.count("green-8") == 4 and own.count("red-3") == everything.count("red-3") == 1
    assert faces(None) == own


def test_names_are_escaped():
    text = render(position(), "svg", names=["<b>&", "x", "y"])
    assert "<b>" not in text and "&lt;b&gt;&amp;" in text


def test_pixels_are_an_array_that_depends_on_the_position_alone():
    first, again = (render(position(), "rgb_array") for _ in range(2))
    assert first.dtype == np.uint8 and first.shape == (640, 960, 3)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, render(position(active_color="red"), "rgb_array"))
    assert not np.array_equal(first, render(position(), "rgb_array", seat=1))


def test_pixels_work_at_every_table():
    for game in tables(steps=200):
        assert render(game, "rgb_array", "all").std() > 10


def test_a_finished_game_says_who_won(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    game = played("classic", 2, seed=1, steps=5000)
    assert f"Seat {game.winners[0]} won" in render(game, "ansi")
    loser = 1 - game.winners[0]
    laid_open = game.snapshot()["hands"][loser]
    text = render(game, "svg", game.winners[0])
    assert laid_open and all(f'href="#card-{card}"' in text for card in laid_open)


def test_the_window_shows_the_picture(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    import pygame

    assert render(position(), "human") is None
    surface = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    assert np.array_equal(surface, render(position(), "rgb_array"))
    close()
    assert not pygame.display.get_init()


def test_a_closed_window_stays_closed(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    import pygame

    window, picture = Window(), np.zeros((20, 30, 3), np.uint8)
    window.show(picture)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(picture)
    window.show(picture)
    assert window.closed_by_user and not pygame.display.get_init()
    window.close()
    window.show(picture)
    assert pygame.display.get_surface().get_size() == (30, 20)
    window.close()


def test_missing_extras_name_the_install_line(monkeypatch):
    close()
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match=r"pip install 'uno-env\[render\]'"):
        render(position(), "human")
    monkeypatch.delitem(sys.modules, "uno_env.render.pixels")
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"pip install 'uno-env\[render\]'"):
        render(position(), "rgb_array")
    assert render(position(), "ansi") and render(position(), "svg")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mode": "ascii"}, "mode is 'ascii'; allowed: ansi, rgb_array, svg, human"),
        ({"seat": 3}, "seat is 3; this table has seats 0 to 2"),
        ({"seat": "every"}, "seat is 'every'; allowed: 0 to 2, or 'all'"),
        ({"names": ["Ada"]}, r"names is \['Ada'\]; one name for each of 3 seats"),
        ({"names": "abc"}, "names is 'abc'"),
    ],
)
def test_wrong_options_are_named(changes, message):
    with pytest.raises(ValueError, match=message):
        render(position(), **({"mode": "ansi"} | changes))
