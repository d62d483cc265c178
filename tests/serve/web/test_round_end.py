"""The end of a round and of a match: seen before the next deal, and it fits every window."""

from typing import Any

import httpx
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from ..playing import new_table
from .boxes import PHONES, SIZES, device, small_targets
from .clicking import ASKED_OR_OVER, answer, look, sit_down
from .conftest import OpenPage
from .test_looks import serious_findings

RULES = {"variant": "classic", "hand_size": 3, "match_target": 250}


def match(http: httpx.Client, **options: Any) -> dict[str, Any]:
    bots = [{"kind": "bot", "bot": "heuristic", "name": name} for name in ("Mina", "Hugo")]
    seats = [{"kind": "human", "name": "Ana"}, *bots]
    return new_table(http, rules=RULES, episode="match", seats=seats, seed=8, **options)


def play_to(page: Page, selector: str) -> None:
    """Play until something is on the page."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        page.wait_for_selector(ASKED_OR_OVER)
        if page.locator(selector).count():
            return
        if not (seen := look(page))["over"]:
            answer(page, seen, rng)
    raise AssertionError(f"{selector} did not come")


def fits(page: Page) -> None:
    """The scene is in the window, its buttons in sight."""
    size = page.viewport_size
    assert size is not None
    for selector in (".scene", ".scene > .row:last-child"):
        box = page.locator(selector).bounding_box()
        assert box is not None
        assert box["x"] >= 0 and box["y"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] + box["height"] <= size["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_a_round_ends_with_a_scene_before_the_next_deal_is_shown(page: Page, http: httpx.Client):
    sit_down(page, match(http))
    play_to(page, "#next-round")
    scene = page.locator(".round-end")
    expect(scene.locator("h2")).to_contain_text("won")
    expect(scene.locator(".end-hands li")).to_have_count(3)
    winner = scene.locator(".end-hands li.won")
    expect(winner).to_have_count(1)
    expect(winner.locator(".end-cards")).to_have_text("No cards")
    points = winner.locator(".end-points > span").first
    expect(points).not_to_have_text("+0")
    total = winner.locator(".end-total .counted")
    assert (total.text_content() or "") in (points.text_content() or "")
    assert page.locator(".end-hands li:not(.won) .card").count() >= 2
    expect(page.locator(".table-screen")).to_have_attribute("data-asked", "")
    for size in SIZES.values():
        page.set_viewport_size(size)
        fits(page)
    page.set_viewport_size(SIZES["1280x720"])
    assert serious_findings(page) == []
    page.locator("#next-round").press("Enter")
    expect(scene).to_have_count(0)
    page.wait_for_selector(ASKED_OR_OVER)
    assert page.locator(".log [data-event='deal']").count() == 2


@pytest.mark.parametrize("theme", ["dark", pytest.param("light", marks=pytest.mark.slow)])
def test_a_match_ends_with_its_curve_and_fits_every_window(
    open_page: OpenPage, http: httpx.Client, theme: str
):
    page = open_page(**device("360x740"), locale="fr-FR", color_scheme=theme)
    sit_down(page, match(http))
    play_to(page, ".closing")
    rounds = page.locator(".closing .sheet tbody tr").count() - 1
    assert rounds >= 2
    curves = page.locator(".score-curve .curve")
    expect(curves).to_have_count(3)
    for curve in curves.all():
        assert len((curve.get_attribute("points") or "").split()) == rounds + 1
    expect(page.locator(".score-curve .label")).to_have_text(["Ana", "Mina", "Hugo"])
    for name, size in SIZES.items():
        page.set_viewport_size(size)
        fits(page)
        if name in PHONES:
            assert small_targets(page) == []
    assert serious_findings(page) == []


def test_points_count_up_where_things_may_move(open_page: OpenPage, http: httpx.Client):
    page = open_page(reduced_motion="no-preference")
    sit_down(page, match(http))
    play_to(page, "#next-round")
    for counted in page.locator(".counted").all():
        expect(counted).to_have_text(counted.get_attribute("data-to") or "")
