"""Writes the pictures of the documentation, `docs/cards.svg` and `docs/table.png`, and the cards
of the page, `serve/uno_serve/web/cards.svg`.

python -m docs.make_pictures
"""

from pathlib import Path

import uno_env as uno
from uno_env.render import shown
from uno_env.render.cards import deck_sheet
from uno_env.render.pixels import picture
from uno_env.render.svg import svg, symbols
from uno_env.render.table import table_scene

DOCS = Path(__file__).resolve().parent
SPRITE = DOCS.parent / "serve" / "uno_serve" / "web" / "cards.svg"


def example_game() -> uno.Game:
    """A game of No Mercy some turns in: everybody plays the first card that fits."""
    game = uno.Game("no_mercy", num_players=4, seed=8)
    while len(game.events) < 30 or game.actor != 0 or game.phase != "stack":
        game.step(game.legal()[0])
    return game


def sprite() -> str:
    """Every card as a symbol of one file, for pages to use by name."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols([*uno.CARDS, "back"])}</svg>\n'


def main() -> None:
    """Write all files."""
    SPRITE.write_text(sprite(), encoding="utf-8")
    (DOCS / "cards.svg").write_text(svg(deck_sheet()), encoding="utf-8")
    scene = table_scene(shown(example_game(), 0, ["Ada", "Blaise", "Carl", "Dora"]))
    picture(scene).quantize(128).save(DOCS / "table.png", optimize=True)


if __name__ == "__main__":
    main()
