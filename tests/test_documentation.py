"""README and the pages in docs: links lead to existing files and headings, and documented commands exist."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from qe_desktop.ui.shell.start_page import SAMPLES
from tests.timeouts import PATIENCE

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]


def prose(page: Path) -> str:
    """Return the text of a page without code blocks, in which `#` starts a comment and brackets are not links."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"^    .*$", "", text, flags=re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub and GitLab make them."""
    anchors: set[str] = set()
    for heading in re.findall(r"^#{1,6} (.+?)\s*$", prose(page), re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        count = sum(re.fullmatch(rf"{re.escape(slug)}(-\d+)?", anchor) is not None for anchor in anchors)
        anchors.add(f"{slug}-{count}" if count else slug)
    return anchors


def links(page: Path) -> list[str]:
    """Return the targets of the links and images of a page, in order."""
    return re.findall(r"\]\(([^)\s]+)(?:\s[^)]*)?\)", re.sub(r"`[^`]*`", "`code`", prose(page)))


def targets(page: Path) -> set[Path]:
    """Return the files that a page links to or shows."""
    files = (link.partition("#")[0] for link in links(page) if "://" not in link)
    return {(page.parent / file).resolve() for file in files if file}


def test_link_parser_ignores_code_and_finds_anchors(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# One & two: `three`\n\n[a](b.md#c) `[d](e.md)` ![f\ng](h.png 'i')\n\n"
        "    [j](k.md)\n\n```\n# l\n```\n# A\n# A\n"
    )
    assert anchors(page) == {"one--two-three", "a", "a-1"}
    assert links(page) == ["b.md#c", "h.png"]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_to_existing_files_and_headings(page):
    broken = []
    for link in links(page):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        inside = target.is_relative_to(ROOT) and target.exists()
        if not inside or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize(("name", "most"), [("README.md", 120), ("ARCHITECTURE.md", 150)])
def test_front_pages_are_short(name, most):
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= most


def test_documented_make_targets_samples_and_extras_exist():
    """Commands with options are checked by the tests of the command line."""
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    targets = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {"demo", "test"} <= set(re.findall(r"^    make (\w+) +#", README.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?:^    |`)make ([a-z]+)", text, re.MULTILINE)) <= set(targets[1].split())
    samples = {key for key, _, _ in SAMPLES}
    assert {"job"} < set(re.findall(r"\bdemo (en-\w+|job)\b", text)) <= samples
    parts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    paragraph = re.search(r"^Optional parts .*?\n\n", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", paragraph[0])) == set(parts) - {"dev"}


def test_every_page_is_reachable_from_the_readme():
    reached, waiting = set(), [README]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        waiting += sorted(set(PAGES) & targets(page) - reached)
    assert sorted(set(PAGES) - reached) == []


def test_every_image_is_shown_once():
    pictures = sorted((ROOT / "docs").rglob("*.png"))
    shown = [(page.parent / link).resolve() for page in PAGES for link in links(page) if link.endswith(".png")]
    assert sorted(shown) == pictures != []


def test_no_long_line_occurs_on_two_pages():
    """A sentence or command that occurs on two pages would be updated on only one of them."""
    where: dict[str, set[str]] = {}
    for page, name in zip(PAGES, NAMES, strict=True):
        for line in page.read_text(encoding="utf-8").splitlines():
            if len(line) > 60:
                where.setdefault(line.strip(), set()).add(name)
    assert {line: pages for line, pages in where.items() if len(pages) > 1} == {}


@pytest.mark.process
def test_generated_pages_are_up_to_date():
    script = ROOT / "tools" / "reference_pages.py"
    completed = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (completed.returncode, completed.stdout) == (0, "")
