"""Chromium in front of the real server; whatever the page complains about fails the test."""

import json
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from ..server import Server

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
DESKTOP = {"width": 1280, "height": 860}
PATIENCE = 30_000
"""Milliseconds: a crowded machine is no fault of the page."""

expect.set_options(timeout=PATIENCE)
OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser a module: while Playwright runs, its thread cannot run another event loop."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=FLAGS, timeout=2 * PATIENCE
        )
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[OpenPage]:
    """Opens pages, each in a browser profile of its own; none of them may report an error.

    Options of the profile are Playwright's; `looks` are remembered settings of the page.
    """
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_page(address: str = "/", looks: dict[str, Any] | None = None, **options: Any) -> Page:
        usual = {"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce"}
        context = browser.new_context(base_url=server.url, **{**usual, **options})
        contexts.append(context)
        if looks:
            keep = "looks => localStorage.setItem('uno-settings', JSON.stringify(looks))"
            context.add_init_script(f"({keep})({json.dumps(looks)})")
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda message: errors.append(message.text) if message.type == "error" else None,
        )
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not errors, errors


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A desktop page in the lobby."""
    return open_page()
