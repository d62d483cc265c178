"""What happened is told where it happened: at the plates, on the pile, in the log with reasons."""

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from ..playing import new_table
from .clicking import deal, play_out, sit_down
from .conftest import OpenPage
from .positions import act, table_at

MOVES = {"reduced_motion": "no-preference"}


def test_who_took_what_from_whom_is_said_at_the_plate(page: Page, http: httpx.Client):
    """Seat 0 accepts the +4 of Player 2, who then sees it at the plate and in the log."""
    table = table_at(http, "classic", 36, "challenge", "accept", 3)
    sit_down(page, table, 2)
    act(http, table, 0, "accept")
    expect(page.locator('.plate[data-seat="0"] .say')).to_have_text("+4 from you")
    drawn = page.locator(".log [data-event='draw']").first
    expect(drawn).to_have_text("Player 0 drew 4 cards (wild +4 from you).")
    expect(page.locator(".log [data-event='accept']")).to_contain_text("(turn lost)")


def test_a_caught_player_and_the_reason_are_shown(page: Page, http: httpx.Client):
    table = table_at(http, "classic", 444, "uno-catch", "catch", 3)
    sit_down(page, table)
    page.locator('[data-action="catch"]').click()
    said = page.locator('.plate[data-seat="2"] .say')
    expect(said).to_contain_text("caught!")
    expect(said).to_contain_text("+2 from you")
    expect(page.locator(".log [data-event='draw']").first).to_contain_text(
        "no UNO call, caught by you"
    )


@pytest.mark.parametrize("locale", ["fr-FR", pytest.param("en-GB", marks=pytest.mark.slow)])
def test_every_drawn_card_and_lost_turn_has_a_reason(open_page: OpenPage, locale: str):
    page = open_page(locale=locale)
    deal(page, "no_mercy", 4, seed=3)
    play_out(page, seed=3)
    for kind in ("draw", "skip", "take"):
        lines = page.locator(f".log [data-event='{kind}']").all_text_contents()
        assert lines, kind
        assert [line for line in lines if not re.search(r"\(.+\)\.$", line)] == []


def test_a_card_lies_on_the_pile_only_when_it_has_landed(open_page: OpenPage, http: httpx.Client):
    table = table_at(http, "classic", 1, "play", "draw", 3)
    page = open_page(**MOVES)
    sit_down(page, table)
    page.evaluate(
        """() => {
          window.seen = [];
          const look = () => {
            const ghost = document.querySelector(".ghost use")?.getAttribute("href");
            const top = document.querySelector(".discard > .card");
            if (ghost?.endsWith("card-wild")) window.seen.push(getComputedStyle(top).visibility);
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    page.locator('.hand-card[data-card="wild"]').click()
    expect(page.locator(".prompt")).to_have_attribute("data-phase", "color")
    expect(page.locator(".ghost")).to_have_count(0)
    assert set(page.evaluate("() => window.seen")) == {"hidden"}
    expect(page.locator(".discard > .card")).to_be_visible()
    expect(page.locator(".discard .landing")).to_have_count(0)


def test_a_card_played_upon_a_flying_one_waits_for_its_own_landing(
    open_page: OpenPage, http: httpx.Client
):
    """Bots without a delay lay card on card while the first is still in the air."""
    page = open_page(**MOVES)
    page.add_init_script(
        """document.addEventListener("DOMContentLoaded", () => {
          window.early = 0;
          const look = () => {
            const face = (use) => use.getAttribute("href");
            const ghosts = [...document.querySelectorAll(".ghost use")].map(face);
            const last = ghosts.findLast((href) => !href.endsWith("card-back"));
            const top = document.querySelector(".discard > .card");
            const shown = top && getComputedStyle(top).visibility === "visible";
            if (last && shown && last === face(top.querySelector("use"))) window.early += 1;
            requestAnimationFrame(look);
          };
          look();
        });"""
    )
    seats = [{"kind": "bot", "bot": "heuristic", "name": name} for name in ("Mina", "Hugo", "Zoé")]
    table = new_table(http, variant="classic", seats=seats, seed=2, bot_delay=0.15)
    page.goto(f"/#/table/{table['table']}")
    page.reload()
    page.wait_for_selector(".closing")
    assert page.evaluate("() => window.early") == 0


def test_with_reduced_motion_nothing_flies_and_the_story_is_still_told(
    page: Page, http: httpx.Client
):
    table = table_at(http, "classic", 36, "challenge", "accept", 3)
    sit_down(page, table, 1)
    page.evaluate(
        """() => new MutationObserver((all) => { window.flew ||= all.some((one) =>
          [...one.addedNodes].some((node) => node.classList?.contains("ghost"))); })
          .observe(document.body, { childList: true })"""
    )
    act(http, table, 0, "accept")
    expect(page.locator('.plate[data-seat="0"] .say')).to_have_text("+4 from Player 2")
    assert not page.evaluate("window.flew")
    assert page.locator(".say").evaluate("say => getComputedStyle(say).animationName") == "none"


def test_the_active_colour_is_on_pile_and_table(page: Page, http: httpx.Client):
    table = table_at(http, "classic", 1, "color", "color", 3)
    sit_down(page, table)
    page.locator('[data-action="color blue"]').click()
    expect(page.locator(".center")).to_have_attribute("data-color", "blue")
    read = """() => {
      const css = (selector, pseudo) => getComputedStyle(document.querySelector(selector), pseudo);
      return [css(".felt").boxShadow, css(".discard", "::before").borderTopColor];
    }"""
    shadow, ring = page.evaluate(read)
    assert ring in shadow
    assert ring == "rgb(58, 112, 184)"


def test_a_penalty_grows_on_the_pile(page: Page, http: httpx.Client):
    table = table_at(http, "no_mercy", 72, "stack", "take", 3)
    sit_down(page, table)
    expect(page.locator(".pending")).to_have_text("+4")
    page.locator('.hand-card[data-card="red-draw4"]').click()
    expect(page.locator(".pending.grows")).to_have_text("+8")
    expect(page.locator('.plate.acts[data-seat="1"]')).to_have_count(1)


def test_how_long_somebody_thinks_is_shown(page: Page, http: httpx.Client):
    seats = [{"kind": "human", "name": name} for name in ("Ana", "Bo")]
    table = new_table(http, variant="classic", seats=seats, seed=1, move_seconds=90)
    actor = http.get(f"/v1/tables/{table['table']}/view").json()["view"]["actor"]
    sit_down(page, table, 1 - actor)
    expect(page.locator(".plate.acts .since")).to_have_text(re.compile(r"^[789]\d s$"))
    expect(page.locator(".clock")).to_have_text(re.compile(r"^[789]\d s$"))


def test_sound_is_off_until_it_is_wanted(open_page: OpenPage, http: httpx.Client):
    table = table_at(http, "classic", 1, "play", "draw", 3)
    page = open_page()
    page.add_init_script(
        """window.tones = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...args) {
          window.tones += 1;
          return start.apply(this, args);
        };"""
    )
    sit_down(page, table)
    page.reload()
    page.wait_for_selector(".prompt.asked")
    assert page.evaluate("window.tones") == 0
    page.locator("#sound").check()
    assert page.evaluate("window.tones") > 0
    page.reload()
    expect(page.locator("#sound")).to_be_checked()
