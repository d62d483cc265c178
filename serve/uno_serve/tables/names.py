"""Names at a table: everybody has one of their own, and nobody is called "You"."""

import secrets
from collections.abc import Collection, Sequence

GUEST_NAMES = (
    "Koala", "Panda", "Lynx", "Puma", "Gecko", "Okapi", "Lemur", "Bison", "Tapir", "Quokka",
    "Kiwi", "Mango", "Papaya", "Litchi", "Cactus", "Bambou", "Orchis", "Comet", "Zephyr", "Pixel",
)  # fmt: skip
"""For people who give no name; understood in every language of the page."""
BOT_NAMES = ("Otto", "Mina", "Hugo", "Vera", "Noor", "Theo", "Ilse", "Max", "Lia", "Sami")
_RESERVED = frozenset({"you", "vous", "tu", "toi", "me", "moi"})
"""Words that mean the reader: as a name they would tell others something wrong."""
LONGEST = 40


def distinct_name(
    wanted: str | None, taken: Collection[str], spare: Sequence[str] = GUEST_NAMES
) -> str:
    """A name that nobody else at the table has.

    Args:
        wanted: the name given, if any.
        taken: names of the others.
        spare: names to draw from where none is given.
    """
    others = {name.casefold() for name in taken}
    name = (wanted or "").strip()
    if not name or name.casefold() in _RESERVED:
        free = [name for name in spare if name.casefold() not in others]
        name = secrets.choice(free or list(spare))
    if name.casefold() not in others:
        return name
    numbers = (f"{name[: LONGEST - 3]} {number}" for number in range(2, 99))
    return next(numbered for numbered in numbers if numbered.casefold() not in others)
