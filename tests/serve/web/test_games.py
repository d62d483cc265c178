"""Whole games by clicking, in every variant."""

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from .clicking import deal, play_out
from .conftest import OpenPage


@pytest.mark.parametrize(
    ("variant", "players"),
    [
        ("classic", 2), ("hyper_speed", 2), ("no_mercy", 2), ("ig2000", 2), ("loche", 2),
        ("teams", 4),
    ],
)  # fmt: skip
def test_a_whole_game_by_clicking(page: Page, variant: str, players: int):
    deal(page, variant, players, seed=1)
    expect(page.locator(".plate")).to_have_count(players - 1)
    phases = play_out(page, seed=1)
    assert "play" in phases
    expect(page.locator(".closing h2")).to_have_text(re.compile("won|No winner"))
    assert page.locator("[data-event='round-end']").count() == 1


def test_flying_cards_never_lie_over_the_end(open_page: OpenPage):
    page = open_page(reduced_motion="no-preference")
    expect(page.locator("html")).to_have_attribute("data-animations", "true")
    deal(page, "loche", 2)
    play_out(page, seed=1)
    expect(page.locator(".closing h2")).to_be_visible()
    assert page.locator(".ghost").count() == 0


def test_house_rules_reach_the_table(page: Page, http: httpx.Client):
    page.locator(".house > summary").click()
    page.locator(".all-rules > summary").click()
    for control in ("#deck-wild-draw4", "#rule-stacking", "#rule-jump_in"):
        page.locator(f".rule-group:has({control}) > summary").click()
    page.locator("#deck-wild-draw4").fill("1")
    page.locator("#deck-wild-draw4").press("Tab")
    page.locator("#rule-stacking").select_option(index=1)
    page.locator("#rule-jump_in").check()
    expect(page.locator(".summary")).to_contain_text("House rules changed: 3")
    deal(page, "classic", 3)
    rules = http.get(f"/v1/tables/{page.url.rpartition('/')[2]}").json()["rules"]
    assert rules["deck"]["wild-draw4"] == 1
    assert rules["stacking"] == "equal_or_higher"
    assert rules["jump_in"] is True


def test_a_match_keeps_a_score_sheet_until_somebody_reaches_the_target(page: Page):
    page.locator(".house > summary").click()
    page.locator(".all-rules > summary").click()
    page.locator(".rule-group:has(#rule-match_target) > summary").click()
    page.locator("#rule-match_target").fill("30")
    page.locator("#rule-match_target").press("Tab")
    expect(page.locator("[data-rule='match_target']")).to_have_class("rule changed")
    page.locator("#episode").select_option("match")
    deal(page, "classic", 2)
    play_out(page, seed=2)
    totals = page.locator(".closing .sheet .total td").all_inner_texts()
    assert max(int(total) for total in totals) >= 30
