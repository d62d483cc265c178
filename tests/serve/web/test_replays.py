"""Watching bots, and stepping through games that are over."""

import json
from pathlib import Path

import httpx
from playwright.sync_api import Page, expect

import uno_env as uno

from ..playing import bearer, new_table
from .clicking import deal, play_out


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
    table = new_table(http, num_players=2)
    address = f"/v1/tables/{table['table']}/pace"
    guest = bearer(table["seats"][0]["token"])
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
