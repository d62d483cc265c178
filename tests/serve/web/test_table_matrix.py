"""Whole games and every prompt, in all the ways a table can be looked at: for now and then."""

from itertools import product

import httpx
import pytest
from playwright.sync_api import expect
from uno_serve.api.rules_schema import player_limits

import uno_env as uno

from .boxes import PHONES, device, faults
from .clicking import deal, look, play_out, sit_down
from .conftest import OpenPage
from .positions import table_at
from .prompts import PROMPTS
from .test_looks import serious_findings

pytestmark = pytest.mark.slow


def table_sizes(variant: str) -> list[int]:
    """Two, four and the largest table of a variant, as far as it has them."""
    limits = player_limits(uno.Rules.preset(variant))
    wanted = {limits["least"], 4, limits["most"]}
    return sorted(size for size in wanted if limits["least"] <= size <= limits["most"])


GAMES = [(variant, size) for variant in uno.VARIANTS for size in table_sizes(variant)]


@pytest.mark.parametrize(("variant", "players"), GAMES)
def test_a_whole_game_on_a_phone(open_page: OpenPage, variant: str, players: int):
    """By clicking, with a look at the layout before each decision of the first thirty."""
    window = PHONES[players % len(PHONES)]
    page = open_page(**device(window))
    deal(page, variant, players, seed=players)
    expect(page.locator(".plate")).to_have_count(players - 1)
    look(page)
    assert faults(page) == [] or page.locator(".closing").count()
    play_out(page, seed=players, most=900)
    expect(page.locator(".closing h2")).to_be_visible()


@pytest.mark.parametrize(
    ("theme", "size"), list(product(["light", "dark"], ["1280x720", "360x740"]))
)
def test_axe_finds_nothing_in_any_prompt(
    open_page: OpenPage, http: httpx.Client, theme: str, size: str
):
    page = open_page(looks={"theme": theme, "coach": True}, **device(size))
    for variant, seed, phase, verb in PROMPTS:
        players = 4 if variant == "teams" else 3
        sit_down(page, table_at(http, variant, seed, phase, verb, players))
        page.wait_for_selector(".board .chance")
        assert serious_findings(page) == [], (phase, verb)
