"""The page: self-contained, well-formed, everything in it, nothing from agents left unescaped."""

import dataclasses
import re
from html.parser import HTMLParser

import pytest
from uno_arena.report.formatting import CHOICE_COLORS
from uno_arena.report.html import page, write_page
from uno_arena.report.html_parts import Scale
from uno_arena.results import Entrant
from uno_arena.stats.intervals import Estimate
from uno_arena.stats.usage_stats import CHOICES

from .synthetic import synthetic_results

VOID_TAGS = {"meta", "br"}


class Checker(HTMLParser):
    """Fails on tags that do not close in order; collects text and links."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.links = [], [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID_TAGS:
            self.open.append(tag)
        self.links += [value for key, value in attributes if key in ("src", "href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def checked(text):
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    return checker


@pytest.fixture(scope="module")
def results():
    return synthetic_results(
        {"heuristic": 60.0, "greedy": 0.0, "oracle": 100.0},
        deals=200, players=4, forfeits=(5,), ties=0.01, cheats=("oracle",),
    )  # fmt: skip


def test_the_page_is_whole_and_loads_nothing(results):
    text = page(results)
    checker = checked(text)
    assert checker.links == []
    assert not re.search(r"https?://|url\(|@import|<script", text)
    assert "prefers-color-scheme: dark" in text
    assert 'name="viewport"' in text


def test_rows_of_tables_have_a_cell_for_each_heading(results):
    for table in re.findall(r"<table.*?</table>", page(results), re.DOTALL):
        rows = re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
        assert len({len(re.findall(r"<t[hd]", row)) for row in rows}) == 1


def test_everything_asked_for_is_on_it(results):
    words = " ".join(checked(page(results)).text)
    for expected in (
        "Ranking", "Who beats whom", "Match-ups", "Does playing first help?", "plays fourth",
        "Length of a game", "How decisions are used", "ValueError: no such card",
        "uno-arena heuristic greedy oracle --players 4 --deals 200", "0.0-test",
        "variance reduction",
    ):  # fmt: skip
        assert expected in words, expected
    assert '"schedule": "pairs"' in words


def test_names_and_reasons_are_escaped():
    agents = {"<b>bold</b>": 0.0, "b&b": 0.0}
    text = page(synthetic_results(agents, deals=120))
    assert "<b>bold" not in text
    assert "&lt;b&gt;bold" in text
    checked(text)


def test_too_few_deals_give_no_ranking():
    words = " ".join(checked(page(synthetic_results({"a": 50.0, "b": 0.0}, deals=30))).text)
    assert "No ranking from 30 deals" in words
    assert "Bradley-Terry" not in words


def test_files_behind_agents_are_named(results):
    agents = (Entrant("x", fingerprint="abc123"), *results.agents[1:])
    assert "abc123" in page(dataclasses.replace(results, agents=agents))


def test_write_page_makes_folders_and_same_games_same_bytes(results, tmp_path):
    first = write_page(results, tmp_path / "deep" / "report.html")
    second = write_page(results, tmp_path / "again.html")
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("low", [-150.0, 0.123, 0.9])
@pytest.mark.parametrize("width", [0.003, 0.4, 260.0])
def test_scales_have_a_few_round_ticks_inside(low, width):
    scale = Scale([Estimate(low + width / 2, low, low + width)])
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 8
    assert all(scale.low <= tick <= scale.high for tick in ticks)
    assert scale.at(scale.low) == "0.00%"


def test_every_choice_has_a_colour_of_its_own():
    assert set(CHOICE_COLORS) == set(CHOICES)
    assert len(set(CHOICE_COLORS.values())) == len(CHOICES)
