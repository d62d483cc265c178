"""Generated pages of docs/variants and docs/api are those that the code gives today."""

import pytest

import uno_env

from ..page_generators import DOCS, generator

make_options = generator("make_options")
make_variants = generator("make_variants")


@pytest.mark.parametrize("variant", uno_env.VARIANTS)
def test_variant_pages_are_current(variant):
    page, picture = (DOCS / "variants" / f"{variant}.{kind}" for kind in ("md", "svg"))
    advice = "run python -m docs.make_variants"
    assert page.read_text(encoding="utf-8") == make_variants.page(variant), advice
    assert picture.read_text(encoding="utf-8") == make_variants.picture(variant), advice


def test_every_variant_has_its_page_and_no_other():
    names = {path.stem for path in (DOCS / "variants").glob("*.md")}
    assert names == {*uno_env.VARIANTS, "index"}


def test_decisions_are_those_of_the_variant():
    _, found = make_variants.decisions("teams")
    assert {"play", "pass-card", "exchange", "team-play"} <= set(found)
    assert "stack" not in found
    assert sum(share for share, _ in found.values()) == pytest.approx(1)


def test_the_page_of_options_is_current_and_lists_every_rule():
    text = (DOCS / "api" / "options.md").read_text(encoding="utf-8")
    assert text == make_options.page(), "run python -m docs.make_options"
    assert all(f"| `{name}` |" in text for name in uno_env.Rules.model_fields if name != "variant")
