"""The documentation site: it builds strictly and offline, and every link in it leads somewhere."""

import os
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

pytest.importorskip("mkdocs", reason="the docs extra is not installed")

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.xdist_group("site")
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("source", "src"), ("use", "href")}
"""What a browser fetches by itself, without a click."""
POINTERS = ("canonical", "prev", "next", "alternate")
"""Links in the head that a browser does not fetch."""


class Page(HTMLParser):
    """The links, the loaded files and the anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.anchors, self.bare_pictures = [], [], {""}, []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        about = dict(attrs)
        self.anchors |= {value for key in ("id", "name") if (value := about.get(key))}
        if tag == "a" and about.get("href"):
            self.links.append(about["href"])
        if tag == "img" and not about.get("alt"):
            self.bare_pictures.append(about.get("src"))
        for key in ("src", "href"):
            if (tag, key) in LOADED and about.get(key) and about.get("rel") not in POINTERS:
                self.loaded.append(about[key])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built as `make docs` does; a warning fails it."""
    folder = tmp_path_factory.mktemp("site")
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--strict"]
    done = subprocess.run([*command, "--site-dir", str(folder)], cwd=ROOT, env=env,
                          capture_output=True, text=True, timeout=600)  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return folder


@cache
def page(path):
    return Page(path)


def pages(site):
    return sorted(path for path in site.rglob("*.html") if path.name != "404.html")


def target_of(site, source, link):
    """The file a link of a built page leads to, and its anchor."""
    address, anchor = urldefrag(link)
    path = unquote(urlsplit(address).path)
    target = (source.parent / path).resolve() if path else source
    return target / "index.html" if target.is_dir() else target, unquote(anchor)


def test_every_link_and_anchor_leads_somewhere(site):
    broken, checked = [], 0
    for source in pages(site):
        for link in page(source).links + page(source).loaded:
            if urlsplit(link).scheme:
                continue
            target, anchor = target_of(site, source, link)
            checked += 1
            where = f"{source.relative_to(site)} -> {link}"
            anchors = page(target).anchors if target.suffix == ".html" and target.exists() else {}
            if not target.exists() or (anchor and anchor not in anchors):
                broken.append(where)
    assert not broken, "\n".join(broken[:20])
    assert checked > 1000


def test_nothing_is_loaded_from_another_host(site):
    foreign = {
        link for source in pages(site) for link in page(source).loaded if urlsplit(link).netloc
    }
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert not foreign
    assert "url(http" not in styles.replace('"', "") and "@import" not in styles


def test_links_out_of_the_site_lead_to_the_repository_or_are_known(site):
    hosts = {urlsplit(link).netloc for source in pages(site) for link in page(source).links}
    assert "github.com" in hosts
    assert not {host for host in hosts if host.startswith(("127.", "localhost"))}


def test_every_page_has_a_title_and_every_picture_a_description(site):
    for source in pages(site):
        text = source.read_text(encoding="utf-8")
        assert "<h1" in text, source
        assert not page(source).bare_pictures, source


def test_formulas_need_no_script(site):
    text = (site / "statistics" / "index.html").read_text(encoding="utf-8")
    assert "<math" in text and "arithmatex" not in text


def test_search_finds_pages_of_every_section(site):
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    for page_name in ("variants/no_mercy", "tutorials/ppo", "api/uno_env", "contributing"):
        assert f'"{page_name}/' in index


def test_tutorials_show_the_examples_themselves(site):
    folder = site / "tutorials"
    text = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.html"))
    assert "8&lt;" not in text, "a snippet is not included"
    for name in ("ActorCritic", "ColorBot", "torchrl_env", "ISMCTSBot", "start_server"):
        assert f">{name}</span>" in text
