"""Writes docs/aec.md and docs/gymnasium.md: the docstrings of the modules are the user pages.

    python -m docs.make_env_pages

tests/env/test_pages.py fails while a page is stale.
"""

import inspect
from pathlib import Path
from types import ModuleType

from uno_env.envs import aec_page, gymnasium_env

DOCS = Path(__file__).resolve().parent
PAGES = {DOCS / "aec.md": aec_page, DOCS / "gymnasium.md": gymnasium_env}


def page(module: ModuleType) -> str:
    """A module's docstring, with a note where it comes from."""
    title, _, rest = inspect.cleandoc(module.__doc__ or "").partition("\n")
    source = module.__name__.replace(".", "/") + ".py"
    return f"{title}\n\n<!-- The docstring of {source}; edit that. -->\n{rest}\n"


if __name__ == "__main__":
    for path, module in PAGES.items():
        path.write_text(page(module), encoding="utf-8")
