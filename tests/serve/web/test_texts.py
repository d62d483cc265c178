"""Both languages say everything: the same keys, the same places to fill, nothing unused."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import uno_env as uno
from uno_env.engine.tables import PHASES
from uno_env.render.svg import symbols
from uno_env.text.language import words_of

WEB = Path(__file__).parents[3] / "serve" / "uno_serve" / "web"

_READ = """async (names) => {
  const plain = (value) => {
    if (typeof value === "function") return "function";
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
  };
  const texts = {};
  for (const name of names) texts[name] = plain({ ...(await import(`/texts/${name}.js`)) });
  return texts;
}"""


@pytest.fixture
def texts(page: Page) -> dict[str, Any]:
    names = [path.stem for path in (WEB / "texts").glob("*.js")]
    found: dict[str, Any] = page.evaluate(_READ, names)
    return found


def places(value: Any, path: str = "") -> dict[str, set[str]]:
    """Every text by its path, with the places it leaves to fill."""
    if isinstance(value, dict):
        found: dict[str, set[str]] = {}
        for key, each in value.items():
            found |= places(each, f"{path}.{key}")
        return found
    return {path: set(re.findall(r"\{(\w+)\}", str(value)))}


@pytest.mark.parametrize("kind", ["ui", "cards", "events", "prompts"])
def test_french_has_what_english_has(texts: dict[str, Any], kind: str):
    english, french = places(texts[f"{kind}_en"]), places(texts[f"{kind}_fr"])
    assert english.keys() == french.keys()
    if kind == "ui":
        assert english == french


def test_every_text_of_the_page_exists_and_is_used(texts: dict[str, Any]):
    code = "".join(path.read_text(encoding="utf-8") for path in WEB.glob("*.js"))
    keys = set(texts["ui_en"]["default"])
    assert set(re.findall(r'\bt\("(\w+)"', code)) <= keys
    quoted = set(re.findall(r'"(\w+)"', code))
    made = {key for key in keys if re.match(r"v_|theme[A-Z]", key)}
    assert keys - quoted - made == set()


def test_every_rule_card_phase_and_event_has_words(texts: dict[str, Any], page: Page):
    catalogue = page.request.get("/v1/variants").json()
    shown = {s["name"] for s in catalogue["switches"]} - {"variant", "min_players", "max_players"}
    for switch in catalogue["switches"]:
        assert switch["name"] not in shown or switch["label"].keys() == {"en", "fr"}
    for titles in catalogue["group_titles"].values():
        assert set(catalogue["groups"]) <= set(titles)
    assert {f"v_{v['name']}" for v in catalogue["variants"]} <= set(texts["ui_en"]["default"])
    for language in ("en", "fr"):
        assert set(PHASES) - {"over"} == set(texts[f"cards_{language}"]["tasks"])
        words = page.evaluate(
            "async ([which, cards]) => cards.map((await import(`/texts/cards_${which}.js`)).card)",
            [language, list(uno.CARDS)],
        )
        assert len(set(words)) == len(uno.CARDS)
        assert not [
            word for word in words if "undefined" in word or re.search(r"\w-(all|draw|skip)", word)
        ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_says_what_the_texts_for_programs_say(
    texts: dict[str, Any], page: Page, language: str
):
    """The page has no way to read the catalogue of `uno_env.text`, so its copy is compared."""
    words = words_of(language)
    cards = page.evaluate(
        "async ([which, cards]) => cards.map((await import(`/texts/cards_${which}.js`)).card)",
        [language, list(uno.CARDS)],
    )
    assert cards == [words.card(name) for name in uno.CARDS]
    assert set(texts[f"events_{language}"]["events"]) == set(words.catalogue["events"])


def test_the_cards_of_the_page_are_the_project_s_own():
    sprite = (WEB / "cards.svg").read_text(encoding="utf-8")
    assert symbols([*uno.CARDS, "back"]) in sprite, "run python -m docs.make_pictures"
