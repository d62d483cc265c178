"""Watching bots, and stepping through games that are over."""

import json
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

import uno_env as uno

from ..playing import bearer, new_table
from ..server import Server
from ..test_review import record_of, review
from .boxes import SIZES, boxes, device
from .clicking import deal, play_out
from .conftest import OpenPage


def set_pace(page: Page, step: int) -> None:
    """Move the slider and wait until the server has confirmed the pace."""
    with page.expect_response("**/pace") as confirmed:
        page.locator("#table-pace").fill(str(step))
    assert confirmed.value.ok


def test_bots_are_watched_to_the_end_and_the_pace_can_change(page: Page):
    page.locator("#watch").click()
    deal(page, "classic", 2, pace=4)
    expect(page.locator(".me")).to_contain_text("watching")
    expect(page.locator(".plate")).to_have_count(2)
    set_pace(page, 0)
    expect(page.locator(".closing")).to_be_visible()
    # Slow again, or bots without a delay could end the next game before anybody sees it begin.
    set_pace(page, 4)
    page.locator("#rematch").click()
    expect(page.locator(".table-screen")).to_have_attribute("data-game", "2")
    expect(page.locator(".closing")).to_have_count(0)


def test_only_the_host_sets_the_pace(http: httpx.Client):
    seats = [{"kind": "human", "name": "Ana"}, {"kind": "human", "name": "Bo"}]
    table = new_table(http, seats=seats)
    address = f"/v1/tables/{table['table']}/pace"
    guest = bearer(table["seats"][1]["token"])
    assert http.post(address, json={"bot_delay": 1}, headers=guest).status_code == 403
    assert http.post(address, json={"bot_delay": 99}, headers=guest).status_code == 422
    host = bearer(table["host_token"])
    assert http.post(address, json={"bot_delay": 1}, headers=host).json() == {"done": True}


def test_a_replay_is_saved_opened_and_stepped_through(page: Page, tmp_path: Path):
    deal(page, "loche", 3)
    play_out(page, seed=1)
    with page.expect_download() as download:
        page.locator("#save-replay").click()
    kept = tmp_path / download.value.suggested_filename
    download.value.save_as(kept)
    record = json.loads(kept.read_text())["record"]
    assert uno.Game.replay(record).over

    page.locator("#top a[href='#/replay']").click()
    page.locator("#replay-file").set_input_files(kept)
    steps = len(record["actions"])
    count = page.locator("label[for='replay-slider']")
    expect(count).to_have_text(f"Step 0 of {steps}")
    expect(page.locator(".open-hand")).to_have_count(3)
    assert page.locator(".open-hand .card").count() == 21
    page.locator("[data-step='next']").click()
    expect(count).to_have_text(f"Step 1 of {steps}")
    page.locator("#replay-slider").fill(str(steps // 2))
    expect(count).to_have_text(f"Step {steps // 2} of {steps}")
    page.locator("#replay-slider").press("ArrowRight")
    expect(count).to_have_text(f"Step {steps // 2 + 1} of {steps}")
    page.locator("[data-step='last']").click()
    expect(count).to_have_text(f"Step {steps} of {steps}")
    expect(page.locator(".replay .task")).to_contain_text("won")


def test_a_bare_record_of_the_library_opens_too(page: Page, tmp_path: Path):
    game = uno.Game("classic", 3, seed=5)
    while not game.over:
        game.step(game.legal()[0])
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.record()))
    page.goto("/#/replay")
    page.locator("#replay-file").set_input_files(file)
    expect(page.locator(".open-hand")).to_have_count(3)


def test_a_file_that_is_no_replay_is_refused_in_words(page: Page, tmp_path: Path):
    file = tmp_path / "poem.json"
    file.write_text("roses are red")
    page.goto("/#/replay")
    page.locator("#replay-file").set_input_files(file)
    expect(page.locator(".drop .problem")).to_contain_text("no replay")


def open_record(page: Page, tmp_path: Path, variant: str = "classic", players: int = 3) -> int:
    """Open the replay of a game at random; the number of its steps."""
    record = record_of(variant, players, 5)
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"record": record, "names": ["Ana", "Mina", "Hugo"]}))
    page.goto("/#/replay")
    page.locator("#replay-file").set_input_files(file)
    page.wait_for_selector(".open-hand")
    return len(record["actions"])


def test_a_replay_is_walked_by_keys_by_the_list_and_by_itself(page: Page, tmp_path: Path):
    steps = open_record(page, tmp_path)
    count = page.locator("label[for='replay-slider']")
    expect(page.locator(".moves li")).to_have_count(steps + 1)
    page.locator("h1").click()
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", steps)):
        page.keyboard.press(key)
        expect(count).to_have_text(f"Step {step} of {steps}")
    page.keyboard.press("Home")
    page.locator("[data-step-row='7'] .move").click()
    expect(count).to_have_text(f"Step 7 of {steps}")
    expect(page.locator(".moves [aria-current]")).to_have_attribute("data-step-row", "7")
    page.locator("#replay-speed").select_option("3")
    page.locator("#playback").click()
    expect(page.locator("#playback")).to_have_text("Pause")
    expect(count).to_have_text(f"Step {steps} of {steps}")
    expect(page.locator("#playback")).to_have_text("Play")


def test_one_hand_alone_can_be_open(page: Page, tmp_path: Path):
    open_record(page, tmp_path)
    page.locator("#replay-seat").select_option("1")
    expect(page.locator(".open-hand").first).to_have_attribute("data-seat", "1")
    expect(page.locator(".open-hand[data-seat='1'] .card[role='img']")).to_have_count(7)
    expect(page.locator(".open-hand[data-seat='0'] .card[role='img']")).to_have_count(0)
    expect(page.locator(".open-hand[data-seat='0'] .card")).to_have_count(7)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_review_finds_the_costliest_choices_and_goes_there(
    open_page: OpenPage, tmp_path: Path, http: httpx.Client, locale: str
):
    page = open_page(locale=locale)
    open_record(page, tmp_path)
    page.locator("#review-seat").select_option("2")
    record = record_of("classic", 3, 5)
    found = review(http, record, seat=2)["decisions"]
    costly = sorted((d for d in found if d["cost"] >= 0.02), key=lambda d: -d["cost"])
    jumps = page.locator(".jump")
    expect(jumps).to_have_count(min(3, len(costly)))
    assert costly, "a random player errs"
    for n, decision in enumerate(costly[:3]):
        expect(jumps.nth(n)).to_have_attribute("data-jump", str(decision["step"]))
        for chance in (decision["win"], decision["best_win"]):
            assert str(round(100 * chance)) in (jumps.nth(n).text_content() or "")
    jumps.first.click()
    expect(page.locator(".moves [aria-current]")).to_have_attribute(
        "data-step-row", str(costly[0]["step"] - 1)
    )
    expect(page.locator(".review-now .differs")).to_be_visible()
    expect(page.locator(".moves .cost")).to_have_count(len(costly))


def test_the_link_to_a_replay_is_copied_and_opens_it(open_page: OpenPage):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    deal(page, "classic", 2, seed=1)
    play_out(page, seed=1)
    page.locator(".closing a[href*='replay']").click()
    page.locator("#copy-link").click()
    link = page.evaluate("() => navigator.clipboard.readText()")
    guest = open_page(link)
    expect(guest.locator(".open-hand")).to_have_count(2)


def test_bad_links_are_pages_with_a_way_home(browser: Browser, server: Server, http: httpx.Client):
    page = browser.new_page(base_url=server.url, locale="en-GB")  # the browser reports the 404
    page.goto("/#/replay/nowhere")
    expect(page.locator(".error-page .problem")).to_contain_text("no replay at this address")
    page.locator(".error-page a[href='#/']").click()
    expect(page.locator("#deal")).to_be_visible()
    seats = [{"kind": "human", "name": "Ana"}, {"kind": "human", "name": "Bo"}]
    table = new_table(http, seats=seats)
    page.goto(f"/#/replay/{table['table']}")
    expect(page.locator(".error-page .problem")).to_contain_text("still going on")
    page.goto("/#/table/nowhere")
    page.locator(".error-page a[href='#/']").click()
    expect(page.locator("#deal")).to_be_visible()
    page.close()


@pytest.mark.parametrize("size", ["844x390", "360x740"])
def test_a_replay_fits_a_phone(open_page: OpenPage, tmp_path: Path, size: str):
    page = open_page(**device(size))
    open_record(page, tmp_path, "no_mercy")
    page.locator("[data-step='last']").tap()
    width = SIZES[size]["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for box in boxes(
        page, [".plate", ".pile", ".discard", ".replay-step", ".steps select", ".move"]
    ):
        assert box["left"] >= 0
        assert box["right"] <= width
