"""Photographs every prompt of the page: `python -m docs.make_contact_sheet http://127.0.0.1:8000`.

Writes the contact sheet of docs/play.md. With a folder as second argument every prompt is kept
there at its full size, in every window the tests use, light and dark. The server has to run already
(`uno-serve`, with limits off: `requests_per_second: 0`, `tables_per_minute: 0`).
"""

import io
import shutil
import sys
from itertools import product
from pathlib import Path

import httpx
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Page, sync_playwright

from tests.serve.web.boxes import SIZES, device
from tests.serve.web.clicking import sit_down
from tests.serve.web.positions import table_at
from tests.serve.web.prompts import PROMPTS, Decision

HERE = Path(__file__).parent
PHONE, COLUMNS, SCALE, GAP, CAPTION = "360x740", 7, 0.5, 10, 22
PAPER, INK = "#f4f0e8", "#23272e"


def _open(browser: Browser, url: str, size: str, locale: str, theme: str) -> Page:
    page = browser.new_page(
        base_url=url, locale=locale, color_scheme=theme, reduced_motion="reduce", **device(size)
    )
    page.goto("/")
    return page


def _photograph(page: Page, http: httpx.Client, decision: Decision) -> Image.Image:
    """The page when seat 0 faces a decision."""
    variant, seed, phase, verb = decision
    sit_down(page, table_at(http, variant, seed, phase, verb, decision.players))
    page.wait_for_selector(f'.prompt.asked[data-phase="{phase}"]')
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def contact_sheet(pictures: list[tuple[str, Image.Image]]) -> Image.Image:
    """Pictures in rows, each with its name below."""
    width, height = (round(side * SCALE) for side in pictures[0][1].size)
    rows = -(-len(pictures) // COLUMNS)
    size = (COLUMNS * (width + GAP) + GAP, rows * (height + CAPTION + GAP) + GAP)
    sheet = Image.new("RGB", size, PAPER)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(12)
    for n, (name, picture) in enumerate(pictures):
        x = GAP + n % COLUMNS * (width + GAP)
        y = GAP + n // COLUMNS * (height + CAPTION + GAP)
        sheet.paste(picture.resize((width, height), Image.Resampling.LANCZOS), (x, y))
        pen.text((x + width / 2, y + height + 4), name, INK, font, anchor="ma")
    return sheet


def _keep_all(browser: Browser, url: str, http: httpx.Client, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for size, (locale, theme) in product(SIZES, [("en-GB", "light"), ("fr-FR", "dark")]):
        page = _open(browser, url, size, locale, theme)
        for decision in PROMPTS:
            picture = _photograph(page, http, decision)
            picture.save(folder / f"{decision.name}-{size}-{locale[:2]}-{theme}.png")
        page.close()


def main(url: str, folder: Path | None = None) -> None:
    """Write play-prompts.png next to this file, and all prompts to the folder if there is one."""
    with sync_playwright() as playwright, httpx.Client(base_url=url, timeout=60) as http:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = _open(browser, url, PHONE, "en-GB", "light")
        pictures = [(each.phase, _photograph(page, http, each)) for each in PROMPTS]
        sheet = contact_sheet(pictures)
        sheet.quantize(128).save(HERE / "play-prompts.png", optimize=True)
        if folder is not None:
            _keep_all(browser, url, http, folder)
        browser.close()


if __name__ == "__main__":
    main(
        sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000",
        Path(sys.argv[2]) if len(sys.argv) > 2 else None,
    )
