"""The page on texts: its examples run, and what it says of sizes is true."""

import re
from pathlib import Path

import uno_env as uno
from uno_env.text import TEXT_FORMAT, count_tokens, describe

PAGE = Path(__file__).resolve().parents[2] / "docs" / "text.md"


def test_examples_run(capsys):
    text = PAGE.read_text("utf-8")
    examples = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(examples) == 2
    for code in examples:
        exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102  # the page is ours
        assert capsys.readouterr().out


def test_the_page_names_the_format():
    assert TEXT_FORMAT in PAGE.read_text("utf-8")


def test_sizes_are_as_the_page_says():
    sizes = {"short": [], "long": []}
    for variant in uno.VARIANTS:
        game = uno.Game(variant, 4, seed=2)
        for _ in range(40):
            for form, counted in sizes.items():
                counted.append(count_tokens(describe(game.view(game.actor), form=form)))
            game.step(game.legal()[0])
            if game.over:
                break
    for form, (low, high) in {"short": (130, 300), "long": (350, 600)}.items():
        middle = sorted(sizes[form])[len(sizes[form]) // 10 : -len(sizes[form]) // 10]
        assert low <= middle[0] and middle[-1] <= high, (form, middle[0], middle[-1])
