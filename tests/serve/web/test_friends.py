"""Two and three browsers at one table: names, waiting room, coming, going, never coming back."""

import re

import httpx
import numpy as np
import pytest
from playwright.sync_api import expect

from .clicking import answer, deal, look, play_out
from .conftest import OpenPage
from .rooms import begin, come, open_table
from .test_looks import PHONE, serious_findings


def test_a_waiting_room_shows_host_rules_seats_and_who_is_ready(open_page: OpenPage):
    host = open_page()
    link = open_table(host, "Ana", "no_mercy")
    expect(host.locator(".about")).to_contain_text("No Mercy")
    expect(host.locator(".room-seat.open")).to_have_count(2)
    assert serious_findings(host) == []
    guest = come(open_page, link, "Bo")
    for person in (host, guest):
        expect(person.locator('.room-seat[data-seat="0"]')).to_contain_text("host")
        expect(person.locator('.room-seat[data-seat="1"] strong')).to_have_text("Bo")
    expect(guest.locator("h1")).to_have_text(re.compile("Ana.s table"))
    expect(guest.locator(".room-seat select")).to_have_count(0)  # only the host decides
    guest.locator("#ready").click()
    expect(host.locator('.room-seat[data-seat="1"]')).to_have_attribute("data-state", "ready")
    host.locator("#room-rules").click()
    expect(host.locator("dialog.rules-page")).to_contain_text("25 cards")
    host.keyboard.press("Escape")
    host.locator("#fill").click()
    expect(host.locator(".room-seat.open")).to_have_count(0)
    expect(host.locator(".room-status")).to_contain_text("Ana")
    host.locator("#ready").click()
    for person in (host, guest):
        expect(person.locator(".hand-card")).to_have_count(7)
        expect(person.locator(".waiting-room")).to_have_count(0)


def test_the_host_removes_somebody_who_then_reads_it(open_page: OpenPage):
    host = open_page()
    guest = come(open_page, open_table(host, "Ana"), "Bo")
    expect(host.locator('.room-seat[data-seat="1"] strong')).to_have_text("Bo")
    host.locator("#room-seat-1").select_option("open")
    expect(guest.locator(".banner")).to_contain_text("no longer have a seat")
    expect(host.locator('.room-seat[data-seat="1"]')).to_have_attribute("data-state", "open")


def test_a_link_for_this_computer_alone_says_so(open_page: OpenPage):
    host = open_page()
    open_table(host, "Ana")
    expect(host.locator(".reach")).to_have_attribute("data-reach", "loopback")
    expect(host.locator(".reach")).to_contain_text("this computer only")
    expect(host.locator(".qr img")).to_have_count(0)


def test_a_link_for_the_network_has_a_qr_code(open_page: OpenPage):
    host = open_page()
    answer = {"addresses": ["http://192.168.1.20:8000"], "loopback_only": False}
    host.route("**/v1/reach", lambda route: route.fulfill(json=answer))
    link = open_table(host, "Ana")
    assert re.fullmatch(r"http://192\.168\.1\.20:8000/#/table/[\w-]+", link)
    image = host.locator(".qr img")
    expect(image).to_be_visible()
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("image => image.naturalWidth") > 100


def test_a_guest_never_reads_you_of_somebody_else(open_page: OpenPage):
    """Nobody has to type a name, and still everybody has one."""
    host = open_page()
    host.locator("#with-friends").click()
    host.locator("#deal").click()
    link = host.locator(".invite input")
    expect(link).not_to_have_value("")
    guest = open_page(link.input_value())
    title = guest.locator(".join h1").inner_text()
    assert re.fullmatch(r"\w+ invites you", title)
    assert not title.startswith("You ")
    guest.locator(".join .primary").click()
    begin(guest, host)
    for person in (host, guest):
        name = person.locator(".plate strong").inner_text()
        assert name and name.casefold() not in ("you", "vous")


def test_who_goes_is_away_at_once_and_who_leaves_is_replaced(open_page: OpenPage):
    host = open_page()
    guest = come(open_page, open_table(host, "Ana", players=2), "Bo")
    begin(guest, host)
    address = guest.url
    guest.goto("about:blank")
    expect(host.locator('.plate[data-seat="1"] .notes')).to_contain_text("away")
    expect(host.locator('.log [data-presence="away"]')).to_have_text("Bo is away.")
    guest.goto(address)
    expect(host.locator('.plate[data-seat="1"] .notes')).not_to_contain_text("away")
    guest.locator("#leave").click()
    guest.locator("[data-answer='leave']").click()
    expect(host.locator('.plate[data-seat="1"] .notes')).to_contain_text("left")
    expect(host.locator('.log [data-presence="left"]')).to_contain_text("Bo has left.")


@pytest.mark.slow
def test_one_leaves_one_returns_one_is_never_back(open_page: OpenPage, http: httpx.Client):
    host = open_page()
    link = open_table(host, "Ana", players=4)
    bo, cy, di = (come(open_page, link, name) for name in ("Bo", "Cy", "Di"))
    begin(bo, cy, di, host)
    log = host.locator(".log")

    # Away at once at the plate and in the log; back at once, too.
    address = bo.url
    bo.goto("about:blank")
    expect(host.locator('.plate[data-seat="1"] .notes')).to_contain_text("away")
    expect(log.locator('[data-presence="away"]')).to_have_text("Bo is away.")
    host.wait_for_timeout(3200)  # longer than somebody who only reloads
    bo.goto(address)
    expect(host.locator('.plate[data-seat="1"] .notes')).not_to_contain_text("away")
    expect(log.locator('[data-presence="back"]')).to_have_text("Bo is back.")

    # A reload is nobody's business.
    bo.reload()
    bo.wait_for_selector(".hand-card")
    expect(log.locator('[data-presence="away"]')).to_have_count(1)

    # Leaving asks first; for good, a bot plays on.
    cy.locator("#leave").click()
    cy.locator("[data-answer='stay']").click()
    expect(cy.locator("dialog")).to_have_count(0)
    cy.locator("#leave").click()
    cy.locator("[data-answer='leave']").click()
    cy.wait_for_selector("#deal")
    expect(host.locator('.plate[data-seat="2"] .notes')).to_contain_text("left")
    expect(log.locator('[data-presence="left"]')).to_contain_text("Cy has left.")

    # Never back: the host puts a bot in the place.
    di.close()
    expect(host.locator('.plate[data-seat="3"] .notes')).to_contain_text("away")
    host.locator("#people").click()
    host.locator('.people-list [data-seat="3"] select').select_option(index=1)
    host.locator("[data-answer='yes']").click()
    expect(host.locator('.people-list [data-seat="3"]')).to_contain_text("left")
    table = http.get(f"/v1/tables/{host.url.rpartition('/')[2]}").json()
    assert [seat["kind"] for seat in table["seats"]] == ["human", "human", "bot", "bot"]


def test_the_lobby_offers_the_way_back_to_the_table(open_page: OpenPage):
    host = open_page()
    guest = come(open_page, open_table(host, "Ana", players=2), "Bo")
    begin(guest, host)
    held = host.locator(".hand-card").count()
    host.locator("#leave").click()
    host.locator("[data-answer='keep']").click()
    host.wait_for_selector("#deal")
    host.locator(".back-to .back").click()
    expect(host.locator(".hand-card")).to_have_count(held)
    host.locator("#leave").click()
    host.locator("[data-answer='leave']").click()
    host.wait_for_selector("#deal")
    expect(host.locator(".back-to .back")).to_have_count(0)


def test_reactions_appear_at_the_plate_and_can_be_muted(open_page: OpenPage):
    host = open_page()
    guest = come(open_page, open_table(host, "Ana", players=2), "Bo", **PHONE)
    begin(guest, host)
    guest.locator("#react").tap()
    guest.locator('[data-symbol="thanks"]').tap()
    for person in (host, guest):
        expect(person.locator('.reaction[data-seat="1"]')).to_have_attribute(
            "aria-label", "Bo: Thank you!"
        )
    plate, bubble = (
        host.locator(selector).bounding_box()
        for selector in ('.plate[data-seat="1"]', '.reaction[data-seat="1"]')
    )
    assert plate and bubble
    assert abs(bubble["x"] - plate["x"] - plate["width"]) < 60
    assert abs(bubble["y"] - plate["y"]) < 60
    expect(host.locator(".reaction")).to_have_count(0)  # it goes by itself
    host.locator("#react").click()
    host.locator(".reaction-menu input").uncheck()
    guest.locator("#react").tap()
    guest.locator('[data-symbol="wow"]').tap()
    expect(guest.locator(".reaction")).to_have_count(1)
    expect(host.locator(".reaction")).to_have_count(0)


@pytest.mark.slow
def test_a_rematch_shows_who_wants_it(open_page: OpenPage):
    host = open_page()
    guest = come(open_page, open_table(host, "Ana", "loche", players=2), "Bo")
    begin(guest, host)
    either = ".table-screen[data-asked]:not([data-asked='']), .closing"
    rng = np.random.default_rng(0)
    while not (host.locator(".closing").count() and guest.locator(".closing").count()):
        for person in (host, guest):
            if person.locator(either).count() and not (seen := look(person))["over"]:
                answer(person, seen, rng)
    expect(host.locator(".votes li")).to_have_count(2)
    guest.locator("#rematch").click()
    expect(host.locator('.votes [data-seat="1"]')).to_have_attribute("data-vote", "yes")
    expect(host.locator('.votes [data-seat="0"]')).to_have_attribute("data-vote", "open")
    host.locator("#rematch").click()
    for person in (host, guest):
        expect(person.locator(".closing")).to_have_count(0)


def test_a_rating_grows_from_games_against_levels(open_page: OpenPage):
    page = open_page()
    expect(page.locator("#rating")).to_contain_text("begins with your first game")
    page.locator('.chip[data-level="beginner"]').click()
    deal(page, "classic", seed=2)
    play_out(page, seed=2)
    expect(page.locator(".closing .rating")).to_contain_text("points")
    kept = page.evaluate("JSON.parse(localStorage.getItem('uno-rating'))")
    assert kept["games"] == 1
    page.reload()
    page.wait_for_selector(".closing")
    page.goto("/#/")
    expect(page.locator("#rating")).to_contain_text(f"Your rating: {kept['points']}")
    expect(page.locator("#rating")).to_contain_text("Games: 1")
    expect(page.locator('.chip[data-level="beginner"] input')).to_be_checked()
