"""Friends at the page: opening a table, joining it by its link, beginning together."""

from typing import Any

from playwright.sync_api import Page, expect

from .conftest import OpenPage


def open_table(page: Page, name: str, variant: str = "classic", players: int = 3) -> str:
    """A host opens a table for friends; the link to send."""
    page.wait_for_selector("#deal")
    page.locator("#my-name").fill(name)
    page.locator("#my-name").press("Tab")
    page.locator(f'.tile[data-variant="{variant}"]').click()
    page.locator("#players").fill(str(players))
    page.locator("#players").press("Tab")
    page.locator("#with-friends").click()
    page.locator("#pace").fill("0")
    page.locator("#deal").click()
    link = page.locator(".invite input")
    expect(link).not_to_have_value("")
    return link.input_value()


def come(open_page: OpenPage, link: str, name: str, **options: Any) -> Page:
    """A guest opens the link and sits down."""
    guest = open_page(link, **options)
    guest.locator("#join-name").fill(name)
    guest.locator(".join .primary").click()
    guest.wait_for_selector("#ready")
    return guest


def begin(*people: Page) -> None:
    """Everybody is ready."""
    for person in people:
        person.locator("#ready").click()
    for person in people:
        person.wait_for_selector(".hand-card")
