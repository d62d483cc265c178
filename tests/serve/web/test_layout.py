"""The whole table is in sight at every size: nothing is clipped or covered, nothing jumps."""

from itertools import product

import httpx
import pytest
from playwright.sync_api import Page, expect

from ..playing import new_table
from .boxes import PHONES, SIZES, boxes, device, faults, show_hands_of, small_targets
from .clicking import sit_down
from .conftest import OpenPage
from .positions import table_at
from .prompts import PROMPTS, Decision

FAST = {"play-draw-classic", "challenge-challenge-classic", "stack-take-no_mercy",
        "color-color-classic", "swap-target-target-no_mercy", "react-sum-loche"}  # fmt: skip


def go_to(page: Page, http: httpx.Client, decision: Decision) -> None:
    variant, seed, phase, verb = decision
    sit_down(page, table_at(http, variant, seed, phase, verb, decision.players))
    expect(page.locator(".prompt")).to_have_attribute("data-phase", phase)


def check(page: Page, size: str, what: str) -> None:
    assert faults(page) == [], (size, what)
    if size in PHONES:
        assert small_targets(page) == [], (size, what)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_clipped_or_covered_whatever_is_asked(
    open_page: OpenPage, http: httpx.Client, size: str
):
    page = open_page(**device(size), locale="fr-FR")
    for decision in PROMPTS:
        if decision.name in FAST:
            go_to(page, http, decision)
            check(page, size, decision.name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "locale", "theme"), list(product(SIZES, ["en-GB", "fr-FR"], ["light", "dark"]))
)
def test_nothing_is_clipped_or_covered_in_any_decision(
    open_page: OpenPage, http: httpx.Client, size: str, locale: str, theme: str
):
    page = open_page(**device(size), locale=locale, color_scheme=theme)
    for decision in PROMPTS:
        go_to(page, http, decision)
        check(page, size, decision.name)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "count"), list(product(SIZES, [1, 7, 25])))
def test_hands_of_any_size_fit_whatever_is_asked(
    open_page: OpenPage, http: httpx.Client, size: str, count: int
):
    page = open_page(**device(size))
    show_hands_of(page, count)
    for decision in PROMPTS:
        go_to(page, http, decision)
        expect(page.locator(".hand-card")).to_have_count(count)
        check(page, size, f"{decision.name} with {count}")


@pytest.mark.parametrize("size", ["1280x720", "844x390", "360x740"])
def test_the_playable_cards_of_a_large_hand_are_brought_into_view(
    open_page: OpenPage, http: httpx.Client, size: str
):
    page = open_page(**device(size))
    show_hands_of(page, 25)
    go_to(page, http, PROMPTS[0])
    check(page, size, "25 cards")
    (hand,) = boxes(page, [".hand"])
    lively = boxes(page, [".hand-card.lively"])
    assert any(
        hand["left"] <= card["left"] and card["left"] + 44 <= hand["right"] for card in lively
    )
    beyond = [card for card in lively if card["left"] + 22 > hand["right"]]
    counted = page.locator(".hand-edge.after.some")
    expect(counted).to_have_count(1 if beyond else 0)
    if beyond:
        expect(counted).to_contain_text(str(len(beyond)))


@pytest.mark.parametrize("size", ["1280x720", "844x390", "360x740"])
def test_a_prompt_that_opens_moves_nothing(open_page: OpenPage, http: httpx.Client, size: str):
    """Of two decisions of one seat: the felt, the piles and the hand stay where they are."""
    table = table_at(http, "classic", 1, "play", "draw", 3)
    page = open_page(**device(size))
    sit_down(page, table)
    expect(page.locator(".prompt.asked")).to_have_attribute("data-phase", "play")
    watched = [".felt", ".pile", ".front", ".hand"]
    before = [{**box, "text": ""} for box in boxes(page, watched)]
    page.locator('.hand-card[data-card="wild"]').click()
    expect(page.locator(".prompt.asked")).to_have_attribute("data-phase", "color")
    assert [{**box, "text": ""} for box in boxes(page, watched)] == before
    page.locator('[data-action="color red"]').click()
    expect(page.locator(".prompt")).to_have_attribute("data-phase", "")
    assert [{**box, "text": ""} for box in boxes(page, watched)] == before


@pytest.mark.parametrize("size", ["1280x720", "844x390", "360x740"])
def test_the_largest_table_fits(open_page: OpenPage, http: httpx.Client, size: str):
    names = [
        "Alexandra",
        "Mina",
        "Hugo",
        "Zoé",
        "Bartholomew the Great",
        "Li",
        "Ana",
        "Otto",
        "Élodie",
        "Jo",
    ]
    seats = [{"kind": "human", "name": name} for name in names]
    table = new_table(http, variant="ig2000", seats=seats, seed=5, absent_seconds=None)
    page = open_page(**device(size))
    sit_down(page, table)
    expect(page.locator(".plate")).to_have_count(9)
    check(page, size, "ten players")


@pytest.mark.parametrize("size", PHONES)
def test_on_a_phone_the_side_is_a_drawer(open_page: OpenPage, http: httpx.Client, size: str):
    page = open_page(**device(size))
    go_to(page, http, PROMPTS[0])
    side = page.locator(".side")
    expect(side).to_be_hidden()
    expect(page.locator(".ticker")).to_have_text(page.locator(".log li").first.text_content() or "")
    page.locator("#open-side").tap()
    expect(page.locator(".log li").first).to_be_visible()
    page.locator("#coach").check()
    page.locator(".drawer-shut").tap()
    expect(side).to_be_hidden()
    expect(page.locator(".front .chance").first).to_be_visible()
