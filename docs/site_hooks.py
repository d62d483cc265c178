"""MkDocs hooks: pages stay as readers of the repository see them, and become pages of the site.

Links that leave docs/ (to sources, tests, configurations) lead to the repository, and a link to a
file that does not exist is a warning, which fails the strict build. CONTRIBUTING.md and
CHANGELOG.md become pages. Formulas become MathML, so that no script has to be loaded for them.
"""

import html
import logging
import posixpath
import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

LOG = logging.getLogger("mkdocs.hooks.site")
DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
TOP_PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Files at the top of the repository that are pages of the site."""
FOLDER_PAGES = {"docs/models": "model-cards.md"}
"""Folders that have a page of their own on the site."""

_LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
_RAW_PICTURE = re.compile(r'(<img src=")(?!https?:|/)([^"]+)')
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([\[(])(.*?)\\[\])]</\1>', re.DOTALL)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are written at the top of the repository."""
    from mkdocs.structure.files import File

    for source, page in TOP_PAGES.items():
        files.append(
            File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8"))
        )
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Turn links between files of the repository into links of the site."""
    markdown = _RAW_PICTURE.sub(lambda found: _raw_picture(found, page, files), markdown)
    path = page.file.src_uri
    source = {name: top for top, name in TOP_PAGES.items()}.get(path, f"docs/{path}")
    repository = config.extra["repository"]
    parts, end = [], 0
    for fence in _FENCE.finditer(markdown):  # code is left alone
        parts += [site_links(markdown[end : fence.start()], source, path, repository), fence[0]]
        end = fence.end()
    return "".join([*parts, site_links(markdown[end:], source, path, repository)])


def site_links(text: str, source: str, page: str, repository: str) -> str:
    """`text` of the file `source` with links as `page` of the site needs them."""

    def replaced(link: re.Match[str]) -> str:
        start, target, end = link.groups()
        return f"{start}{_target(target, source, page, repository)}{end}"

    return _LINK.sub(replaced, text)


def _target(target: str, source: str, page: str, repository: str) -> str:
    if re.match(r"[a-z]+:|#|/", target):
        return target
    path, _, anchor = target.partition("#")
    full = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    suffix = f"#{anchor}" if anchor else ""
    pages = TOP_PAGES | FOLDER_PAGES
    if full in pages:
        return _relative(pages[full], page) + suffix
    if full.startswith("docs/") and not full.endswith((".py", ".txt")):
        return _relative(full.removeprefix("docs/"), page) + suffix
    if not (ROOT / full).exists():
        LOG.warning("%s links to %s, and there is no %s", source, target, full)
    kind = "tree" if (ROOT / full).is_dir() else "blob"
    return f"{repository}/{kind}/main/{full}{suffix}"


def _raw_picture(found: re.Match[str], page: Any, files: Any) -> str:
    """A picture written as HTML, which MkDocs leaves alone."""
    picture = files.get_file_from_path(
        posixpath.join(posixpath.dirname(page.file.src_uri), found[2])
    )
    if picture is None:
        LOG.warning("%s shows %s, and there is no such file", page.file.src_uri, found[2])
        return found[0]
    return f"{found[1]}{picture.url_relative_to(page.file)}"


def _relative(target: str, page: str) -> str:
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def on_page_content(content: str, page: Any, config: Any, files: Any) -> str:
    """Write formulas as MathML."""

    def formula(found: re.Match[str]) -> str:
        display = "block" if found[2] == "[" else "inline"
        written = str(convert(html.unescape(found[3]), display=display))
        # A wide formula scrolls, so that keys must reach it.
        return written.replace("<math ", '<math tabindex="0" ', 1) if found[2] == "[" else written

    return _FORMULA.sub(formula, content)
