"""Every kind of decision, taken the way a person takes it."""

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from ..playing import bearer
from .clicking import sit_down
from .conftest import OpenPage
from .positions import table_at

Click = Callable[[Page], None]


def button(action: str) -> Click:
    return lambda page: page.locator(f'.choices [data-action="{action}"]').click()


def first_card(page: Page) -> None:
    page.locator(".hand-card.lively").first.click()


def draw_pile(page: Page) -> None:
    page.locator("#draw-pile").click()


def players(*seats: int) -> Click:
    def click(page: Page) -> None:
        for seat in seats:
            page.locator(f'.plate[data-seat="{seat}"] .pick').click()

    return click


DECISIONS: list[tuple[str, int, str, str, Click, str | None]] = [
    # variant, seed, phase, a legal verb, how it is clicked, what the log then tells
    ("classic", 1, "play", "draw", draw_pile, "draw"),
    ("classic", 1, "color", "color", button("color green"), "color"),
    ("classic", 36, "challenge", "challenge", button("challenge"), "challenge"),
    ("classic", 36, "challenge", "accept", button("accept"), "accept"),
    ("classic", 286, "play-drawn", "keep", button("keep"), "keep"),
    ("hyper_speed", 4, "play-drawn", "play", first_card, "play"),
    ("classic", 468, "uno-call", "call-uno", button("call-uno"), "uno-call"),
    ("classic", 444, "uno-catch", "catch", button("catch"), "catch"),
    ("classic", 41, "opening-color", "color", button("color blue"), "color"),
    ("no_mercy", 72, "stack", "take", draw_pile, "take"),
    ("no_mercy", 72, "stack", "play", first_card, "play"),
    ("no_mercy", 9, "roulette-color", "color", button("color red"), "roulette"),
    ("no_mercy", 282, "swap-target", "target", players(2), "swap"),
    ("ig2000", 23, "stack", "challenge", button("challenge"), "challenge"),
    ("ig2000", 10, "swap-pair", "swap", players(1, 2), "swap"),
    ("ig2000", 88, "opening-swap", "swap", players(2, 1), "swap"),
    ("ig2000", 50, "react", "jump-in", button("jump-in"), "jump-in"),
    ("loche", 216, "react", "sum", button("sum"), "sum"),
    # Given cards lie face down until everybody has chosen.
    ("teams", 1, "pass-card", "give", first_card, None),
    ("teams", 1, "exchange", "give", first_card, None),
    ("teams", 7, "team-play", "play", first_card, "play"),
    ("teams", 521, "give-half", "give", first_card, "give"),
]


@pytest.mark.parametrize(
    ("variant", "seed", "phase", "verb", "click", "event"),
    DECISIONS,
    ids=[f"{phase}-{verb}-{variant}" for variant, _, phase, verb, _, _ in DECISIONS],
)
def test_a_decision_is_taken_by_a_click(
    page: Page, http: httpx.Client, variant: str, seed: int, phase: str, verb: str, click: Click,
    event: str | None,
):  # fmt: skip
    table = table_at(http, variant, seed, phase, verb, 4 if variant == "teams" else 3)
    sit_down(page, table)
    expect(page.locator(".prompt")).to_have_attribute("data-phase", phase)
    expect(page.locator(".task")).not_to_be_empty()
    told = page.locator(f'.log [data-event="{event}"]')
    before = told.count()
    asked = page.locator(".table-screen").get_attribute("data-asked") or ""
    click(page)
    expect(page.locator(f'.table-screen[data-asked="{asked}"]')).to_have_count(0)
    expect(page.locator(".prompt")).not_to_have_attribute("data-phase", phase)
    if event is not None:
        expect(told).to_have_count(before + 1)


def test_a_card_that_cannot_be_played_says_why(page: Page, http: httpx.Client):
    sit_down(page, table_at(http, "classic", 1, "play", "draw", 3))
    page.locator(".hand-card.still").first.click(force=True)  # it is aria-disabled
    expect(page.locator(".toast")).to_contain_text("matches neither")
    expect(page.locator(".table-screen")).not_to_have_attribute("data-asked", "")


def test_the_coach_shows_what_a_bot_would_do(page: Page, http: httpx.Client):
    sit_down(page, table_at(http, "classic", 1, "play", "draw", 3))
    page.locator("#coach").check()
    chances = page.locator(".front .chance")
    expect(chances.first).to_be_visible()
    assert chances.count() == page.locator(".front [data-action]").count()
    page.locator("#coach").uncheck()
    expect(chances).to_have_count(0)


@pytest.mark.parametrize(
    ("locale", "chance", "choice", "percent"),
    [
        ("en-GB", "Your chance to win: ", "Would choose:", r"\d+%"),
        ("fr-FR", "Vos chances de gagner : ", "Choisirait :", r"\d+\s%"),
    ],
)
def test_a_network_as_coach_says_how_likely_you_are_to_win(
    open_page: OpenPage, http: httpx.Client, locale: str, chance: str, choice: str, percent: str
):
    """As it answers over HTTP: the estimate in words and as a bar, its choice marked."""
    table = table_at(http, "classic", 1, "play", "draw", 3)
    path, token = f"/v1/tables/{table['table']}/advice", bearer(table["seats"][0]["token"])
    advice = http.post(path, json={"bot": "network"}, headers=token).json()
    page = open_page(looks={"coach": True, "coachBot": "network"}, locale=locale)
    sit_down(page, table)
    estimate = page.locator(".coach .estimate")
    expect(estimate).to_have_text(re.compile(f"^{chance}{percent}$"))
    (shown,) = re.findall(r"\d+", estimate.inner_text())
    assert abs(int(shown) - 100 * advice["win_estimate"]) <= 0.5
    width = page.locator(".coach .bar > span").evaluate("bar => parseFloat(bar.style.width)")
    assert width == pytest.approx(100 * advice["win_estimate"], abs=0.01)
    expect(page.locator(".coach .advised")).to_contain_text(choice)
    best = page.locator(".front .chance.best")
    expect(best).to_have_count(1)
    expect(page.locator(f'.front [data-action="{advice["action"]}"] .chance')).to_have_class(
        "chance best"
    )
    assert re.fullmatch(percent, best.inner_text())
