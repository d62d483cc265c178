"""Lobby, waiting room and dialogs at every size, in both themes and languages.

With `UNO_SCREENSHOTS=FOLDER` each of them is also photographed.
"""

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import OpenPage
from .rooms import begin, come, open_table
from .test_looks import serious_findings

SIZES = [(1440, 900), (1280, 720), (390, 844), (844, 390), (360, 740)]
LOOKS = [("light", "en-GB"), ("dark", "fr-FR"), ("light", "fr-FR"), ("dark", "en-GB")]
FOLDER = os.environ.get("UNO_SCREENSHOTS")

_OUTSIDE = """(root) => {
  const wide = document.documentElement.clientWidth;
  return [...document.querySelectorAll(`${root} *`)].filter((element) => {
    const box = element.getBoundingClientRect();
    if (!box.width || element.closest(".unseen, [hidden]")) return false;
    return box.left < -1 || box.right > wide + 1;
  }).map((element) => element.outerHTML.slice(0, 120));
}"""
_SMALL = """(root) => {
  const kinds = "button, select, summary, a.button, input[type=number], input:not([type])";
  return [...document.querySelectorAll(`${root} :is(${kinds})`)].filter((element) => {
    const box = element.getBoundingClientRect();
    if (!box.width || element.closest("[hidden], .unseen")) return false;
    const after = getComputedStyle(element, "::after");
    const grown = after.content !== "none" ? -2 * parseFloat(after.top || "0") : 0;
    return box.height + grown < 43;
  }).map((element) => element.outerHTML.slice(0, 120));
}"""


class Eye:
    """Looks at a page: nothing beside the screen, nothing too small for a finger, no findings."""

    def __init__(self, page: Page, name: str, touch: bool) -> None:
        self.page, self.name, self.touch = page, name, touch

    def check(self, what: str, root: str) -> None:
        page = self.page
        page.wait_for_selector(root)
        if FOLDER:
            Path(FOLDER).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(FOLDER) / f"{what}-{self.name}.png")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"], f"{what} scrolls sideways: {width}"
        assert page.evaluate(_OUTSIDE, root) == [], what
        if self.touch:
            assert page.evaluate(_SMALL, root) == [], what
        assert serious_findings(page) == [], what


def _options(size: tuple[int, int], theme: str, locale: str) -> dict[str, Any]:
    touch = size[0] < 1000
    return {
        "viewport": {"width": size[0], "height": size[1]}, "locale": locale,
        "has_touch": touch, "is_mobile": touch, "looks": {"theme": theme, "name": "Ana"},
    }  # fmt: skip


def _dialog_fits(page: Page) -> None:
    box = page.locator("dialog").bounding_box()
    size = page.viewport_size
    assert box and size
    assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"] + 1
    expect(page.locator("dialog .close")).to_be_in_viewport()


def _look_at_the_lobby(eye: Eye) -> None:
    page = eye.page
    eye.check("lobby", ".lobby")
    page.locator(".tile-box .help").nth(2).click()
    eye.check("rules", "dialog")
    _dialog_fits(page)
    page.locator("dialog .close").click()
    page.locator(".house > summary").click()
    page.locator(".all-rules > summary").click()
    page.locator("#rule-search").fill("uno")
    eye.check("house-rules", ".lobby")


def _look_at_the_table(eye: Eye) -> None:
    page = eye.page
    page.locator("#react").click()
    eye.check("reactions", ".reaction-menu")
    page.keyboard.press("Escape")
    for button in ("people", "leave", "table-rules"):
        in_drawer = button == "leave" and page.locator("#open-side").is_visible()
        if in_drawer:
            page.locator("#open-side").click()
        page.locator(f"#{button}").click()
        eye.check(button, "dialog")
        _dialog_fits(page)
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        if in_drawer:
            page.keyboard.press("Escape")
            expect(page.locator(".side")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize(("theme", "locale"), LOOKS)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_everything_around_a_table_fits(
    open_page: OpenPage, size: tuple[int, int], theme: str, locale: str
):
    name, options = f"{size[0]}x{size[1]}-{theme}-{locale[:2]}", _options(size, theme, locale)
    host = open_page(**options)
    host.wait_for_selector("#deal")
    eye = Eye(host, name, options["has_touch"])
    _look_at_the_lobby(eye)
    host.reload()
    link = open_table(host, "Ana", "teams", 4)
    guest = open_page(link, **options)
    Eye(guest, name, options["has_touch"]).check("join", ".join")
    guest.context.close()
    bo = come(open_page, link, "Bo-with-a-rather-long-one", **options)
    eye.check("waiting-room", ".waiting-room")
    host.locator("#fill").click()
    begin(bo, host)
    _look_at_the_table(eye)


def test_a_phone_held_upright_in_french(open_page: OpenPage):
    """The fast part of the matrix above."""
    page = open_page(**_options((360, 740), "dark", "fr-FR"))
    page.wait_for_selector("#deal")
    _look_at_the_lobby(Eye(page, "fast", touch=True))
