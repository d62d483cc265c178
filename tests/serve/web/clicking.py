"""A person at the page: reads what is asked and clicks an answer, with a real mouse."""

import json
from typing import Any

import numpy as np
from playwright.sync_api import Page, Route

ASKED_OR_OVER = ".table-screen[data-asked]:not([data-asked='']), .closing, #next-round"

_LOOK = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const actions = (selector) => all(selector).map((element) => element.dataset.action);
  return {
    over: Boolean(document.querySelector(".closing")),
    phase: document.querySelector(".prompt").dataset.phase,
    cards: actions(".hand-card.lively"),
    choices: actions(".choices [data-action]:not(:disabled), .plate .pick[data-action]"),
    picks: all("[data-pick]").map((element) => element.dataset.pick),
  };
}"""


def look(page: Page) -> dict[str, Any]:
    """Wait until the page asks something or the game is over; what can be clicked."""
    page.wait_for_selector(ASKED_OR_OVER)
    while page.locator("#next-round").count():
        page.locator("#next-round").click()
        page.wait_for_selector(ASKED_OR_OVER)
    seen: dict[str, Any] = page.evaluate(_LOOK)
    return seen


def click_action(page: Page, action: str) -> None:
    """Click the card or the button of an action."""
    cards = page.locator(f'.hand-card.lively[data-action="{action}"]')
    if cards.count() > 1:
        # In a crowded hand equal cards lie one upon the other; the last is on top.
        cards.last.click()
    else:
        page.locator(f'.board [data-action="{action}"]:not(#draw-pile)').first.click()


def answer(page: Page, seen: dict[str, Any], rng: np.random.Generator) -> None:
    """Click one of the answers; rather a card than none, so that the game goes forward."""

    def any_of(options: list[str]) -> str:
        return options[int(rng.integers(len(options)))]

    if seen["picks"]:
        first, second = rng.permutation(len(seen["picks"]))[:2]
        for pick in (seen["picks"][first], seen["picks"][second]):
            page.locator(f'[data-pick="{pick}"]').click()
        return
    wanted = [action for action in ("sum", "call-uno", "jump-in") if action in seen["choices"]]
    click_action(page, any_of(wanted or seen["cards"] or seen["choices"]))


def play_out(page: Page, seed: int = 0, most: int = 400) -> set[str]:
    """Play by clicking until the closing box is there; the kinds of decisions that came up."""
    rng = np.random.default_rng(seed)
    phases: set[str] = set()
    for _ in range(most):
        seen = look(page)
        if seen["over"]:
            return phases
        phases.add(seen["phase"])
        answer(page, seen, rng)
    raise AssertionError(f"the game is not over after {most} decisions")


def _seed_tables(page: Page, seed: int) -> None:
    """From now on tables that the page asks for are dealt from this seed."""

    def ask(route: Route) -> None:
        route.continue_(post_data={**route.request.post_data_json, "seed": seed})

    page.route("**/v1/tables", ask)


def deal(
    page: Page, variant: str, players: int | None = None, pace: int = 0, seed: int | None = None
) -> None:
    """Choose in the lobby and deal, from a seed if one is given."""
    if seed is not None:
        _seed_tables(page, seed)
    page.locator(f'.tile[data-variant="{variant}"]').click()
    if players is not None:
        page.locator("#players").fill(str(players))
        page.locator("#players").press("Tab")
    page.locator("#pace").fill(str(pace))
    page.locator("#deal").click()
    page.wait_for_selector(".table-screen")


def sit_down(page: Page, table: dict[str, Any], seat: int = 0) -> None:
    """Go to a table with the token of a seat, as after coming back to it."""
    token = next(each["token"] for each in table["seats"] if each["seat"] == seat)
    kept = json.dumps({"seat": seat, "token": token, "host": table["host_token"]})
    page.evaluate(
        "([key, kept]) => localStorage.setItem(key, kept)", [f"uno-seat-{table['table']}", kept]
    )
    page.goto(f"/#/table/{table['table']}")
    page.wait_for_selector(f'.table-screen[data-table="{table["table"]}"][data-asked]')
