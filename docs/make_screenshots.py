"""Photographs the page for docs/play.md: `python -m docs.make_screenshots http://127.0.0.1:8000`.

The server has to run already (`uno-serve`); Chromium has to be on the machine.
"""

import io
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 360, "height": 740}


def _open(browser: Browser, url: str, size: dict[str, int], locale: str, theme: str) -> Page:
    page = browser.new_page(
        base_url=url, viewport=size, locale=locale, color_scheme=theme, reduced_motion="reduce"
    )
    page.goto("/")
    page.locator(".seats input").fill("Ana")
    page.locator(".seats input").press("Tab")
    return page


def _deal(page: Page, variant: str, players: int) -> None:
    page.locator(f'.tile[data-variant="{variant}"]').click()
    page.locator("#players").fill(str(players))
    page.locator("#players").press("Tab")
    page.locator("#pace").fill("0")
    page.locator("#deal").click()
    page.wait_for_selector(".prompt.asked")


def _keep(page: Page, name: str) -> None:
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(160).save(HERE / f"{name}.png", optimize=True)


def _room(page: Page) -> None:
    """The waiting room, as on a server that phones can reach."""
    answer = {"addresses": ["http://192.168.1.20:8000"], "loopback_only": False}
    page.route("**/v1/reach", lambda route: route.fulfill(json=answer))
    page.locator("#players").fill("4")
    page.locator("#players").press("Tab")
    page.locator("#with-friends").click()
    page.locator("#deal").click()
    page.wait_for_selector(".qr img")
    page.locator("#room-seat-3").select_option(index=2)
    page.wait_for_selector('.room-seat.ready[data-seat="3"]')
    _keep(page, "play-room")
    page.goto("/#/")
    page.locator("#against-bots").click()


def main(url: str) -> None:
    """Write play-lobby.png, play-room.png, play-table.png and play-phone.png next to this file."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = _open(browser, url, DESKTOP, "en-GB", "light")
        _keep(page, "play-lobby")
        _room(page)
        _deal(page, "no_mercy", 5)
        page.locator("#coach").check()
        page.wait_for_selector(".front .chance")
        _keep(page, "play-table")
        phone = _open(browser, url, PHONE, "fr-FR", "dark")
        _deal(phone, "teams", 4)
        _keep(phone, "play-phone")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
