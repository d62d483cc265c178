"""People come, go, come back, and play each other."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from ..server import Server
from .clicking import answer, deal, look, play_out, sit_down
from .conftest import PATIENCE, OpenPage
from .positions import act, table_at


def cards_in_front(page: Page) -> list[str]:
    return page.locator(".hand-card").evaluate_all("cards => cards.map((e) => e.dataset.card)")


def test_a_reload_in_mid_game_changes_nothing(page: Page):
    deal(page, "classic", 2)
    rng = np.random.default_rng(4)
    for _ in range(3):
        answer(page, look(page), rng)
    look(page)
    held = cards_in_front(page)
    log = page.locator(".log li").all_inner_texts()
    page.reload()
    look(page)
    assert cards_in_front(page) == held
    assert page.locator(".log li").all_inner_texts() == log
    assert "token" not in page.url
    play_out(page)


def test_two_browsers_play_each_other(open_page: OpenPage):
    host = open_page()
    host.locator("#seat-1").select_option("open")
    host.locator(".seats input").fill("Ana")
    host.locator(".seats input").press("Tab")
    deal(host, "classic", 2)
    expect(host.locator(".invite input")).not_to_have_value("")
    link = host.locator(".invite input").input_value()

    guest = open_page(link)
    guest.locator("#join-name").fill("Bo")
    guest.locator(".join .primary").click()
    for person in (guest, host):
        person.locator("#ready").click()
    guest.wait_for_selector(".hand-card")
    expect(host.locator(".plate strong")).to_have_text("Bo")
    expect(guest.locator(".plate strong")).to_have_text("Ana")

    rng = np.random.default_rng(0)
    turns = {host: 0, guest: 0}
    either = ".table-screen[data-asked]:not([data-asked='']), .closing"
    for _ in range(600):
        for person in turns:
            if person.locator(either).count() and not (seen := look(person))["over"]:
                answer(person, seen, rng)
                turns[person] += 1
        if host.locator(".closing").count() and guest.locator(".closing").count():
            break
    assert min(turns.values()) > 2
    words = {host.locator(".closing h2").inner_text(), guest.locator(".closing h2").inner_text()}
    assert words in ({"You won!", "Ana won"}, {"You won!", "Bo won"})

    host.locator("#rematch").click()
    expect(host.locator("#rematch")).to_be_disabled()
    guest.locator("#rematch").click()
    for person in turns:
        expect(person.locator(".closing")).to_have_count(0)
        expect(person.locator(".hand-card")).not_to_have_count(0)


def test_somebody_without_a_seat_watches_and_sees_no_hand(open_page: OpenPage, http: httpx.Client):
    table = table_at(http, "classic", 1, "color", "color", 3)
    watcher = open_page(f"/#/table/{table['table']}")
    expect(watcher.locator(".plate")).to_have_count(3)
    expect(watcher.locator(".me")).to_contain_text("watching")
    expect(watcher.locator(".hand-card")).to_have_count(0)
    act(http, table, 0, "color red")
    expect(watcher.locator(".fact.color")).to_contain_text("red")


def test_the_table_before_is_gone_while_another_loads(page: Page, http: httpx.Client):
    """What could still be clicked there would go to a stream that has ended."""
    first, second = (table_at(http, "classic", 1, "color", "color", 3) for _ in range(2))
    sit_down(page, first)
    held: list[Route] = []
    address = f"**/v1/tables/{second['table']}"
    page.route(address, lambda route: held.append(route))
    with page.expect_request(address):
        page.goto(f"/#/table/{second['table']}")
    expect(page.locator("#screen .loading")).to_be_visible()
    expect(page.locator(".table-screen")).to_have_count(0)
    held[0].continue_()
    expect(page.locator(".table-screen")).to_have_attribute("data-table", second["table"])


def test_who_leaves_is_replaced_by_a_bot(page: Page, http: httpx.Client):
    table = table_at(http, "classic", 1, "color", "color", 3)
    sit_down(page, table)
    page.locator("#leave").click()
    page.locator("[data-answer='leave']").click()
    page.wait_for_selector("#deal")
    seats = http.get(f"/v1/tables/{table['table']}").json()["seats"]
    assert seats[0]["kind"] == "bot"


def test_an_address_of_no_table_says_so(browser: Browser, server: Server):
    page = browser.new_page(base_url=server.url)  # the browser itself reports the 404
    page.goto("/#/table/nowhere")
    expect(page.locator("#screen .problem")).to_contain_text("no longer there")
    page.close()


@pytest.fixture
def frail_server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path, "requests_per_second: 0\n").start()
    yield running
    running.stop()


@pytest.mark.slow
def test_a_server_that_goes_away_is_waited_for(browser: Browser, frail_server: Server):
    page = browser.new_page(base_url=frail_server.url, locale="en-GB", reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    page.goto("/")
    deal(page, "classic", 2)
    look(page)
    held = cards_in_front(page)
    frail_server.kill()
    expect(page.locator(".banner")).to_have_text(re.compile("server is away"))
    frail_server.start()
    expect(page.locator(".banner")).to_be_hidden()
    assert cards_in_front(page) == held
    play_out(page)
    page.close()
