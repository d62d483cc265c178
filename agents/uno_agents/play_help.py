"""What `?` shows in the terminal: how to answer, the cards in hand, the rules in force."""

from textwrap import wrap
from typing import Any

from uno_env import Game
from uno_env.render.front import partner_seat
from uno_env.text import rules_page

COLUMNS = 78
YOU = "You"
BOT_NAMES = ("Otto", "Mina", "Hugo", "Vera", "Noor", "Theo", "Ilse", "Max", "Lia")
_KEYS = (
    "Answer with the number of a choice, or with its text. ? shows this page, q stops the game.",
)


def seat_names(num_players: int, seat: int) -> list[str]:
    """A name for every seat: yours is "You", the agents' are those of people."""
    others = iter(BOT_NAMES)
    return [YOU if other == seat else next(others) for other in range(num_players)]


def help_text(game: Game, seat: int, names: list[str]) -> str:
    """How to answer, who is your partner, what your cards do and the rules in force."""
    view = game.view(seat)
    page = rules_page(game.rules, game.num_players, "en", view["episode"] == "match")
    lines = [*_paragraphs(_KEYS)]
    partner = partner_seat(view, seat)
    if partner is not None:
        lines += _paragraphs([f"Your partner is {names[partner]}."])
    lines += ["", "Your cards", *_paragraphs(_own_cards(view["hand"], page["cards"]))]
    for section in page["sections"]:
        told = [line["text"] for line in section["lines"]]
        if told:
            lines += ["", section["title"], *_paragraphs(told)]
    return "\n".join(lines) + "\n"


def _own_cards(hand: list[str], cards: list[dict[str, Any]]) -> list[str]:
    """A sentence for each kind of card in hand that does something."""
    kinds = {_kind(card) for card in hand}
    if any(card.endswith("+give") for card in hand):
        kinds.add("+give")
    told = [card for card in cards if card["kind"] in kinds]
    numbers = [card for card in told if card["kind"].isdigit() and "No effect" in card["text"]]
    lines = [f"{card['name']}: {card['text']}" for card in told if card not in numbers]
    if numbers:
        lines.append(f"{', '.join(card['name'] for card in numbers)}: {numbers[0]['text']}")
    return lines


def _kind(card: str) -> str:
    plain = card.removesuffix("+give")
    return plain if plain.startswith("wild") else plain.partition("-")[2]


def _paragraphs(texts: Any) -> list[str]:
    """Bullet points of the terminal's width."""
    lines: list[str] = []
    for text in texts:
        lines += wrap(text, COLUMNS, initial_indent="  - ", subsequent_indent="    ")
    return lines
