"""Languages, phones, the keyboard, and what assistive technology finds."""

import re

import httpx
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from ..playing import new_table
from .clicking import deal, look, play_out, sit_down
from .conftest import OpenPage
from .positions import table_at

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def serious_findings(page: Page) -> list[str]:
    """What axe finds that keeps people from using the page."""
    violations = Axe().run(page).response["violations"]
    return [
        f"{found['id']}: {found['help']}: {[node['html'][:120] for node in found['nodes'][:3]]}"
        for found in violations
        if found["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_serious_keeps_people_out(open_page: OpenPage, http: httpx.Client, theme: str):
    page = open_page(looks={"theme": theme, "coach": True})
    page.locator(".house > summary").click()
    page.locator(".all-rules > summary").click()
    page.locator(".rule-group > summary").first.click()
    assert serious_findings(page) == []
    for variant, seed, phase, verb in (
        ("classic", 1, "color", "color"),
        ("no_mercy", 72, "stack", "take"),
        ("no_mercy", 282, "swap-target", "target"),
        ("ig2000", 50, "react", "jump-in"),
    ):
        sit_down(page, table_at(http, variant, seed, phase, verb, 3))
        page.wait_for_selector(".board .chance")
        assert serious_findings(page) == []


def test_the_end_and_the_replay_are_open_to_all_too(page: Page):
    deal(page, "no_mercy", 2)
    play_out(page, seed=3)
    assert serious_findings(page) == []
    page.locator(".closing a[href*='replay']").click()
    page.wait_for_selector(".open-hand")
    assert serious_findings(page) == []


def test_french_is_chosen_remembered_and_complete(page: Page):
    page.locator("[data-language='fr']").click()
    expect(page.locator("#deal")).to_have_text("Distribuer")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.locator(".house > summary").click()
    labels = page.locator(".rule label").all_text_contents()
    assert len(labels) > 50
    english = page.request.get("/v1/variants").json()["switches"]
    assert not {rule["description"] for rule in english} & set(labels)
    deal(page, "classic", 2)
    play_out(page, seed=5)
    expect(page.locator(".closing h2")).to_contain_text(re.compile("gagn", re.IGNORECASE))
    log = " ".join(page.locator(".log li").all_inner_texts())
    assert "Vous avez joué" in log
    assert " played " not in log


def test_a_browser_in_french_is_met_in_french(open_page: OpenPage):
    page = open_page(locale="fr-FR")
    expect(page.locator("#deal")).to_have_text("Distribuer")


def test_a_phone_plays_by_touch_without_scrolling_sideways(open_page: OpenPage):
    page = open_page(**PHONE)

    def assert_fits() -> None:
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["viewport"]["width"]

    assert_fits()
    deal(page, "no_mercy", 6, seed=4)
    for _ in range(6):
        seen = look(page)
        if seen["over"]:
            break
        assert_fits()
        actions = seen["cards"] or seen["choices"]
        # Targets of a swap are plates on the felt, not in the front.
        page.locator(f'.board [data-action="{actions[0]}"]:not(#draw-pile)').first.tap()
    assert page.locator(".log .own").count() >= 1


def test_a_whole_game_by_keyboard_alone(page: Page):
    page.wait_for_selector("#deal")
    for _ in range(90):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "pace":
            page.keyboard.press("Home")
        if page.evaluate("document.activeElement.id") == "deal":
            break
    page.keyboard.press("Enter")
    rng = np.random.default_rng(6)
    keys = {
        "color": "1234", "opening-color": "1234", "play-drawn": "k", "challenge": "ac",
        "uno-call": "u", "uno-catch": "c",
    }  # fmt: skip
    for _ in range(300):
        seen = look(page)
        if seen["over"]:
            break
        if seen["cards"] and seen["phase"] != "play-drawn":
            for _ in range(int(rng.integers(1, 4))):
                page.keyboard.press("ArrowRight")
            assert page.evaluate("document.activeElement.dataset.action") in seen["cards"]
            page.keyboard.press("Enter")
        elif seen["phase"] == "play":
            page.keyboard.press("d")
        else:
            page.keyboard.press(str(rng.choice(list(keys[seen["phase"]]))))
    assert seen["over"]


def test_looks_are_remembered_and_motion_can_be_stopped(page: Page):
    page.locator("#top select").select_option("dark")
    page.locator("#top input[type=checkbox]").uncheck()
    page.reload()
    page.wait_for_selector("#deal")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("data-animations", "false")


def test_the_pointer_reaches_every_card_of_a_large_hand_from_its_neighbour(
    page: Page, http: httpx.Client
):
    seats = [{"kind": "human", "name": f"Player {n}"} for n in range(2)]
    table = new_table(http, variant="no_mercy", rules={"hand_size": 24}, seats=seats, seed=1)
    sit_down(page, table)
    cards = page.locator(".hand-card")
    expect(cards).to_have_count(24)
    for k in range(24):
        box = cards.nth(k).bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        assert cards.evaluate_all("all => all.findIndex((card) => card.matches(':hover'))") == k
