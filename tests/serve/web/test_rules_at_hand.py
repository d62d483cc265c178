"""The rules in force one click away, cards that explain themselves, readable house rules."""

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

import uno_env as uno

from ..playing import new_table
from .clicking import deal, sit_down
from .conftest import OpenPage
from .positions import table_at
from .test_looks import PHONE, serious_findings


@pytest.mark.parametrize(
    ("locale", "goal"),
    [("en-GB", "Goal"), pytest.param("fr-FR", "But du jeu", marks=pytest.mark.slow)],
)
def test_every_tile_has_its_rules(open_page: OpenPage, locale: str, goal: str):
    page = open_page(locale=locale)
    buttons = page.locator(".tile-box .help")
    expect(buttons).to_have_count(len(uno.VARIANTS))
    for variant in range(len(uno.VARIANTS)):
        buttons.nth(variant).click()
        expect(page.locator("dialog h3").first).to_have_text(goal)
        assert page.locator("dialog .card-table li").count() > 3
        assert not re.search(r"\w_\w|undefined|\{", page.locator("dialog").inner_text())
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
    buttons.nth(0).click()
    assert serious_findings(page) == []


def test_a_table_tells_its_house_rules(page: Page, http: httpx.Client):
    rules = {"variant": "classic", "stacking": "equal_or_higher", "zero_pass": True}
    seats = [{"kind": "human", "name": f"Player {n}"} for n in range(3)]
    sit_down(page, new_table(http, rules=rules, seats=seats, seed=1))
    page.locator("#table-rules").click()
    expect(page.locator("dialog .house-rule")).to_have_count(2)
    expect(page.locator("dialog [data-section='penalties']")).to_contain_text("equal or higher")
    page.locator("dialog .close").click()
    expect(page.locator("#table-rules")).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("dialog.rules-page")).to_be_visible()
    assert serious_findings(page) == []


def test_the_rules_set_in_the_lobby_are_explained_before_the_deal(page: Page):
    page.locator(".house > summary").click()
    page.locator("#favourite-seven_swap").check()
    page.locator("#rules-in-force").click()
    expect(page.locator("dialog .house-rule")).to_have_count(1)
    expect(page.locator("dialog .house-rule")).to_contain_text("7")


def test_a_card_explains_itself_to_the_mouse(page: Page, http: httpx.Client):
    sit_down(page, table_at(http, "classic", 1, "play", "draw", 3))
    card = page.locator(".hand-card").first
    card.hover()
    tip = page.locator(".card-tip")
    expect(tip).to_be_visible()
    expect(tip).not_to_be_empty()
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()


def test_a_long_press_explains_a_card_and_does_not_play_it(open_page: OpenPage, http: httpx.Client):
    page = open_page(**PHONE)
    sit_down(page, table_at(http, "classic", 1, "play", "draw", 3))
    asked = page.locator(".table-screen").get_attribute("data-asked")
    box = page.locator(".hand-card.lively").first.bounding_box()
    assert box
    touch = page.context.new_cdp_session(page)
    at = [{"x": box["x"] + 12, "y": box["y"] + 30}]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
    expect(page.locator(".card-tip")).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(300)  # a click would come now
    expect(page.locator(".table-screen")).to_have_attribute("data-asked", asked or "")


def test_the_partner_is_marked_at_the_table(page: Page, http: httpx.Client):
    sit_down(page, table_at(http, "teams", 1, "pass-card", "give", 4))
    partner = page.locator('.plate[data-seat="2"]')
    expect(partner).to_have_class(re.compile(r"\bpartner\b"))
    expect(partner).to_contain_text("partner")
    expect(page.locator(".plate.partner")).to_have_count(1)


def test_ten_favourites_are_switches_with_a_sentence(page: Page):
    page.locator(".house > summary").click()
    rows = page.locator(".favourite")
    expect(rows).to_have_count(10)
    for text in rows.all_inner_texts():
        assert len(text.splitlines()) >= 2 and not re.search(r"\w_\w|=", text)
    page.locator(".all-rules > summary").click()
    page.locator("#favourite-stacking").check()
    page.locator("#rule-search").fill("penalty stack")
    expect(page.locator("#rule-stacking")).to_have_js_property("selectedIndex", 1)
    page.locator("#favourite-stacking").uncheck()
    expect(page.locator(".summary")).not_to_contain_text("House rules")
    page.locator('.tile[data-variant="teams"]').click()
    expect(page.locator("#favourite-mercy_limit")).to_be_disabled()


@pytest.mark.parametrize(
    ("locale", "words", "rule"),
    [("en-GB", "challenge wrong", "challenge_fail_draw"), ("fr-FR", "echange 7", "seven_swap")],
)
def test_all_rules_are_found_by_their_words(
    open_page: OpenPage, locale: str, words: str, rule: str
):
    page = open_page(locale=locale)
    page.locator(".house > summary").click()
    page.locator(".all-rules > summary").click()
    all_rules = page.locator(".all-rules .rule").count()
    page.locator("#rule-search").fill(words)
    expect(page.locator(f'[data-rule="{rule}"]')).to_be_visible()
    assert 0 < page.locator(".all-rules .rule:visible").count() < all_rules / 4
    page.locator("#rule-search").fill("")
    labels = page.locator(".rule label").all_text_contents()
    assert len(labels) > 60
    assert not [label for label in labels if re.search(r"\w_\w|\bUnder \w+:|=", label)]


def test_bots_have_levels_and_names_of_agents_are_advanced(page: Page, http: httpx.Client):
    levels = http.get("/v1/bots").json()["levels"]
    expect(page.locator(".chip")).to_have_count(len(levels))
    assert "search:" not in page.locator("#seat-1").inner_text()
    page.locator(f'.chip[data-level="{levels[1]["name"]}"]').click()
    expect(page.locator("#level-line")).to_have_text(levels[1]["line"]["en"])
    page.locator(".advanced summary").click()
    page.locator("#all-bots").check()
    assert "hangs" in page.locator("#seat-1").inner_text()
    deal(page, "classic", 2)
    table = http.get(f"/v1/tables/{page.url.rpartition('/')[2]}").json()
    assert table["seats"][1]["bot"] == levels[1]["bot"]
    expect(page.locator(".plate .notes")).to_contain_text(levels[1]["title"]["en"])


@pytest.mark.parametrize(
    ("locale", "said"), [("en-GB", "Swap with Cy (partner)"), ("fr-FR", "Cy (partenaire)")]
)
def test_the_partner_is_marked_in_prompts(open_page: OpenPage, locale: str, said: str):
    page = open_page(locale=locale)
    words = page.evaluate(
        """async () => {
          const { actionWords } = await import("/words.js");
          const { partnerOf } = await import("/partner.js");
          const view = { num_players: 4, variant: "teams", rules: {}, phase: "swap-target" };
          const table = { me: 0, partner: partnerOf(view, 0), names: ["Ana", "Bo", "Cy", "Di"] };
          const label = (action) => actionWords(action, 0, view, table);
          const alone = partnerOf({ ...view, variant: "classic" }, 0);
          return [label("target +2"), label("target +1"), alone];
        }"""
    )
    assert said in words[0] and "part" not in words[1] and words[2] is None


def test_a_rating_moves_by_what_was_to_be_expected(page: Page):
    """Chance level for equals, more for a win against the odds, shared in a team."""
    found = page.evaluate(
        """async () => {
          const { chanceToWin, updated } = await import("/rating.js");
          const even = chanceToWin(1200, [], [1200, 1200, 1200]);
          const team = chanceToWin(1200, [1200], [1200, 1200]);
          const hard = chanceToWin(1000, [], [1400]);
          const before = { points: 1000, games: 5 };
          const [won, lost] = [true, false].map((is) => updated(before, hard, is));
          return { even, team, hard, won, lost };
        }"""
    )
    assert found["even"] == pytest.approx(0.25) and found["team"] == pytest.approx(0.5)
    assert found["hard"] == pytest.approx(1 / 11)
    assert (found["won"], found["lost"]) == (1044, 996)
