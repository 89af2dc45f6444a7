"""Every command with tables writes every output format; HTML pages load no other resources."""

from __future__ import annotations

import argparse
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from qe_desktop.cli.main import build_parser
from qe_desktop.report.render.output_formats import FILE_FORMATS, OUTPUT_FORMATS, get_output_format
from tests.cli.shared_tasks import options_of_both_pairs, write_shared_task
from tests.command_line import json_output, run_command

HOSTILE = "<script>alert(1)</script>&amp;\u202e"
ALLOWED = "default-src 'none'; style-src 'unsafe-inline'"
NO_END_TAG = {"meta", "rect"}
"""Elements without an end tag that the pages contain."""


class Page(HTMLParser):
    """A parsed page: its elements with their attributes, and texts by element; unbalanced elements fail."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in NO_END_TAG:
            self._open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        for tag in self._open:
            self.texts[tag][-1] += data


@pytest.fixture
def task(tmp_path):
    return write_shared_task(tmp_path / "task")


@pytest.fixture
def ratings(tmp_path):
    path = tmp_path / "ratings.csv"
    rows = [f"r{rater},s{item},{name},{1 + (item * 7 + rater + worse) % 5}" for rater in (1, 2) for item in range(12)
            for worse, name in enumerate(("A", "B"))]  # fmt: skip
    path.write_text("rater,segment,system,score\n" + "\n".join(rows) + "\n")
    return path


def commands(task, ratings):
    pair = task / "en-de"
    inputs = ("words", "--gold", pair / "test.tags", "--system", pair / "systems", "--metric", "MCC", "F1-BAD")
    return {
        "score": ("score", *inputs, "--intervals"),
        "compare": ("compare", *inputs, "--rounds", 200, "--seed", 5),
        "score of pairs": ("score", *options_of_both_pairs(task), "--metric", "MCC"),
        "compare of pairs": ("compare", *options_of_both_pairs(task), "--metric", "MCC", "--rounds", 100),
        "findings": ("findings", task, "--rounds", 100, "--metric", "MCC"),
        "ratings": ("ratings", "report", ratings, "--rounds", 20),
        "info": ("info", task),
    }


KINDS = ("score", "compare", "score of pairs", "compare of pairs", "findings", "ratings", "info")
TITLES = dict(zip(KINDS, ("Scores", "Comparison", "Scores", "Comparison", "task", "Ratings", "Files"), strict=True))
MATRICES = dict(zip(KINDS, (0, 2, 0, 2, 2, 1, 0), strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_html_page_is_self_contained(capsys, task, ratings, kind):
    command = commands(task, ratings)[kind]
    code, out, err = run_command(capsys, *command, "--format", "html")
    assert (code, err) == (0, "")
    assert out.startswith("<!doctype html>")
    page = Page(out)
    names = {tag for tag, _ in page.elements}
    assert not names & {"script", "link", "img", "iframe", "object", "foreignobject", "image", "use", "base", "form"}
    assert names >= {"title", "h1", "table", "caption", "thead", "th", "td"}
    attributes = {name for _, attribute_values in page.elements for name in attribute_values}
    assert not [name for name in attributes if name.startswith(("on", "href", "src", "xlink"))]
    assert ("meta", {"http-equiv": "Content-Security-Policy", "content": ALLOWED}) in page.elements
    assert "url(" not in out
    assert "@import" not in out
    assert "@font-face" not in out
    # further title elements belong to the cells of matrices
    assert page.texts["title"][0] == TITLES[kind]
    assert page.texts["h1"] == [TITLES[kind]]
    assert out.count("<svg") == MATRICES[kind]
    for picture in re.findall(r"<svg.*?</svg>", out, re.DOTALL):
        assert ElementTree.fromstring(picture).tag.endswith("svg")
    result = json_output(capsys, *command)
    notes = page.texts.get("p", [])
    for report in [result] if kind in ("findings", "ratings") else result.get("pairs", {"": result}).values():
        assert set(report.get("notes", [])) <= set(notes)
        if kind != "info":
            assert report["signature"] in notes
            assert "seed:" in report["signature"] or kind == "score of pairs"


@pytest.mark.parametrize("kind", KINDS)
def test_every_command_writes_every_format(capsys, task, ratings, kind):
    begins = {"tsv": r"\w+\t", "latex": "% ", "html": "<!doctype html>", "json": r"\{", "table": r"[\w\s]"}
    assert set(begins) == {form.name for form in OUTPUT_FORMATS}
    for form, begin in begins.items():
        code, out, _ = run_command(capsys, *commands(task, ratings)[kind], "--format", form)
        assert code == 0
        assert re.match(begin, out), (form, out[:40])


def test_html_shows_the_same_numbers_as_json(capsys, task, ratings):
    command = commands(task, ratings)["score of pairs"]
    _, out, _ = run_command(capsys, *command, "--format", "html")
    page, result = Page(out), json_output(capsys, *command)
    cells = iter(page.texts["td"])
    for pair_result in result["pairs"].values():
        for name, values in pair_result["systems"].items():
            assert [next(cells), next(cells)] == [name, f"{values['MCC']:.4f}"]
    assert next(cells, None) is None
    assert [caption.split(".")[0] for caption in page.texts["caption"]] == ["en-de", "ne-en"]


def test_html_escapes_names_of_systems(capsys, task):
    gold, systems = task / "en-de/test.tags", task / "en-de/systems"
    named = (f"{HOSTILE}={systems / 'good.tags'}", f"b={systems / 'fair.tags'}")
    for command in (("score",), ("compare", "--rounds", 50)):
        inputs = ("words", "--gold", gold, "--system", *named, "--metric", "MCC", "--format", "html")
        code, out, _ = run_command(capsys, command[0], *inputs, *command[1:])
        assert code == 0
        assert "<script" not in out
        assert "\u202e" not in out
        assert HOSTILE.replace("\u202e", r"\u202e") in Page(out).texts["td"]


def test_matrix_of_more_than_60_systems_is_not_plotted(capsys, task):
    gold, system = task / "en-de/test.tags", task / "en-de/systems/fair.tags"
    for systems, drawn in ((60, True), (61, False)):
        named = [f"s{index}={system}" for index in range(systems)]
        inputs = ("words", "--gold", gold, "--system", *named, "--metric", "accuracy", "--rounds", 1)
        _, out, _ = run_command(capsys, "compare", *inputs, "--format", "html")
        assert out.count("<svg") == 1
        assert (out.count("<rect") > 3000) is drawn
        assert ("The matrix is not plotted for more than 60 systems." in out) is not drawn


def test_every_command_offers_the_same_formats():
    names = [form.name for form in OUTPUT_FORMATS]
    for command, *more in (
        ("score", "words"), ("score", "sentences"), ("compare", "words"), ("compare", "sentences"), ("findings",),
        ("ratings", "report"), ("info",),
    ):  # fmt: skip
        assert list(format_choices(build_parser(command), command, *more)) == names
    # the window saves every format except the one for terminals
    assert [*FILE_FORMATS] == [form for form in OUTPUT_FORMATS if form.name != "table"]
    assert all(get_output_format(form.name) is get_output_format(form.suffix) is form for form in OUTPUT_FORMATS)


def format_choices(parser, *path):
    for name in path:
        (parsers,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
        parser = parsers.choices[name]
        parser.add_options()
    (option,) = (action for action in parser._actions if "--format" in action.option_strings)
    return option.choices
