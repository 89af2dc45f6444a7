"""Window and commands in a pseudo-language: every text is translated, and no longer text is cut off."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLabel, QLineEdit

from qe_desktop.i18n.messages import tr
from qe_desktop.levels import all_levels
from qe_desktop.ratings.blinding import BLIND_NAME_PATTERN
from qe_desktop.ratings.protocols import PROTOCOLS
from qe_desktop.studies.synthetic_labellings import LABELLINGS
from qe_desktop.ui import icons
from tests.wording.pseudo_language import BEGIN, LONGER, collect_texts, to_pseudo_language, translate, unmarked_parts
from tests.wording.window_texts import is_unnamed

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"[^\W\d_]{2,}")
NAMES = {
    "QE", "Desktop", "BAD", "OK", "MT", "HTER", "Ctrl", "Shift", "Alt", "Meta", "Holm", "Bonferroni", "anna", "ben",
    "chloe", "simulated", "gold", "broken", "Der", "Hund", "bellte", "gestern", "die", "Katze", "top", "bottom", "tmp",
    "qedesk", "source", "direct", "Python", "Qt", "Linux", "Darwin", "Windows", "me", "server", "example", "org",
    "project", "ab", "sample", "campaign", "SPA", "acc", "eq", "checks", "percent", "quality",
    "estimation", "char", "intl", "none", "zh",
}  # fmt: skip
"""Names (also of charts), keys, words of the example on the start page, and file names of the tour."""
SIGNATURE = re.compile(r"QE Desktop [\d.]+[|]\S*|\bnrefs:[\w.:|-]*\w")
"""Signatures of scores, which are cited in papers and the same in every language."""
ELIDED = re.compile(r"\w*…\w*")
"""Elided words; the tour also records the whole text."""
QT_TEXTS = {"Scroll Left", "Scroll Right", "Press shortcut"}
"""Qt's own texts, which Qt translates."""


def words_of_data() -> Iterator[str]:
    """Yield every word of names in the samples (files, systems, documents), of metrics, protocols and keys."""
    for path in (icons.resource_folder() / "samples").rglob("*"):
        yield from WORD.findall(path.name)
        if path.name == "sample.docs":
            yield from WORD.findall(path.read_text())
    for name in (*(name for level in all_levels() for name in level.metrics), *PROTOCOLS, *LABELLINGS):
        yield from WORD.findall(name)
    for key in (Qt.Key.Key_Space, *range(0x01000000, 0x01000064)):
        yield from WORD.findall(QKeySequence(key).toString())


def unmarked_words(text: str) -> list[str]:
    """Return the whole words of a text that are not marked as translated, without names that are never translated."""
    return WORD.findall(ELIDED.sub("", BLIND_NAME_PATTERN.sub("", unmarked_parts(SIGNATURE.sub("", text)))))


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory) -> Path:
    """Path of the pseudo-language's translation file."""
    path = collect_texts(tmp_path_factory.mktemp("pseudo"), sorted((ROOT / "qe_desktop").rglob("*.py")))
    translate(path)
    return path


def run(catalogue: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QE_DESKTOP_LANGUAGE": str(catalogue), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env=environment, capture_output=True, text=True)


def test_texts_of_all_views_are_translated_and_not_cut_off(catalogue):
    """Controls also have an accessible name, and all changes are stored.

    This is one test, because workers would otherwise repeat the tour of all views.
    """
    done = run(catalogue, "tests.wording.window_texts", str(catalogue.parent))
    assert done.returncode == 0, done.stderr[-3000:]
    tour_record: dict[str, Any] = json.loads((catalogue.parent / "heard.json").read_text())
    known = NAMES | set(words_of_data())
    # names of temporary folders contain arbitrary words
    left = {
        text: where
        for text, where in tour_record["left_out"].items()
        if text not in QT_TEXTS and "tmp" not in text and not set(unmarked_words(text)) <= known
    }
    assert (left, tour_record["cut"], tour_record["unnamed"]) == ({}, {}, {})
    assert tour_record["rejected"] == []
    assert len(tour_record["marked"]) > 1000


def test_controls_without_an_accessible_name_are_recognized(qtbot):
    field, proxied, label = QLineEdit(), QLineEdit(), QLabel("a")
    for widget in (field, proxied, label):
        qtbot.addWidget(widget)
    proxied.setFocusProxy(field)
    assert [is_unnamed(widget) for widget in (field, proxied, label)] == [True, False, False]
    field.setAccessibleName("b")
    assert not is_unnamed(field)


ARGPARSE_WORDS = {
    "usage", "positional", "arguments", "options", "show", "this", "help", "message", "and", "exit", "program",
    "version", "number",
}  # fmt: skip
COMMANDS = (
    "", "score", "score words", "score sentences", "score translations", "score human", "compare", "compare words",
    "compare sentences", "compare translations", "compare human", "study", "study meta-evaluation", "study labellings",
    "study sampling", "study thresholds", "study post-editing", "findings", "ratings", "ratings report",
    "ratings import", "ratings export", "project", "project create", "project info", "project secure",
    "project verify", "convert", "tag", "info",
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_command_help_is_translated(catalogue, command):
    """Only argparse's own words and typed words (commands, options, choices) are not translated."""
    done = run(catalogue, "qe_desktop", *command.split(), "--help")
    assert done.returncode == 0
    assert done.stdout.count(BEGIN) >= 1
    typed = set(re.findall(r"[\w-]+", " ".join(re.findall(r"[{][^}]*[}]|--[\w-]+", done.stdout) + list(COMMANDS))))
    left = set(re.findall(r"(?<![-\w])[a-z]{2,}(?![-\w])", unmarked_parts(done.stdout)))
    assert left - ARGPARSE_WORDS - typed == set()


def test_command_output_is_translated(catalogue):
    sample = icons.resource_folder() / "samples/en-de"
    systems = [str(sample / f"systems/{name}.tags") for name in ("strong", "weak")]
    tags = ["words", "--gold", str(sample / "sample.tags"), "--system", *systems]
    known = NAMES | set(words_of_data())
    answers = {
        name: run(catalogue, "qe_desktop", *command)
        for name, command in {
            "score": ["score", *tags],
            "compare": ["compare", *tags, "--rounds", "100"],
            "findings": ["findings", str(sample), "--rounds", "100"],
            "report": ["ratings", "report", str(sample / "sample.ratings.jsonl")],
            "info": ["info", str(sample)],
            "error": ["info", "there-is-no-such-file"],
        }.items()
    }
    assert {name: done.returncode for name, done in answers.items()} == dict.fromkeys(answers, 0) | {"error": 2}
    for done in answers.values():
        # signatures are for scripts and papers, and the same in every language
        lines = (done.stdout + done.stderr).splitlines()
        output = "\n".join(line for line in lines if not re.match(r"QE Desktop [\d.]+\|", line.strip()))
        assert output.count(BEGIN) >= 1
        assert set(WORD.findall(unmarked_parts(output))) - known == set()


EXCHANGE_FORMATS = (["--json"], ["--format", "tsv"])
RUN_COMMANDS = "import json, sys; from qe_desktop.__main__ import run; sys.exit(sum(map(run, json.loads(sys.argv[1]))))"
"""Program that runs several commands in sequence."""


def test_json_and_tsv_output_is_the_same_in_every_language(catalogue, tmp_path):
    sample = icons.resource_folder() / "samples/en-de"
    systems = tmp_path / "systems"
    shutil.copytree(sample / "systems", systems)
    (systems / "notes.txt").write_text("no tags\n")
    tags = ["words", "--gold", str(sample / "sample.tags"), "--system", str(systems)]
    for name, content in {"joined.tags": "OK\nBAD\n\nOK\n", "one.tags": "OK\nBAD\n", "broken.tags": "OK \0\n"}.items():
        (tmp_path / name).write_text(content)
    ratings = [tmp_path / "few.csv", tmp_path / "other.csv"]
    rows = ["rater\tsegment\tsystem\tscore", *(f"R{n % 2}\t{n // 4}\t{'AB'[n // 2 % 2]}\t{n % 5}" for n in range(12))]
    ratings[0].write_text("\n".join(rows) + "\n")
    ratings[1].write_text("\n".join([*rows[:4], rows[4].replace("\t3", "\t1"), *rows[5:]]) + "\n")
    project = tmp_path / "a.qedesk"
    subprocess.run(
        [sys.executable, "-m", "qe_desktop", "project", "create", str(project), str(sample)],
        check=True, capture_output=True,
    )  # fmt: skip
    commands = [["project", "info", str(project), "--json"]]
    commands += [
        [*command, *form]
        for command in (
            ["score", *tags],
            ["compare", *tags, "--rounds", "10", "--intervals"],
            ["findings", str(sample), "--rounds", "10"],
            ["ratings", "report", str(sample / "sample.ratings.jsonl"), "--runs", "10"],
            ["ratings", "report", *map(str, ratings), "--table", "long"],
            ["info", str(sample), str(tmp_path)],
        )
        for form in EXCHANGE_FORMATS
    ]
    outputs = []
    for language in ("", str(catalogue)):
        environment = {**os.environ, "QE_DESKTOP_LANGUAGE": language, "QT_QPA_PLATFORM": "offscreen"}
        call = [sys.executable, "-c", RUN_COMMANDS, json.dumps(commands)]
        done = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout.splitlines())
    assert BEGIN in done.stderr
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) > 100


def test_pseudo_language_changes_every_text_and_keeps_placeholders():
    assert unmarked_parts(to_pseudo_language("Open the file")).strip() == ""
    changed = tr(to_pseudo_language("{n:,} {n:tag|tags} of {name} {{x}}"), "", 5, name="y")
    assert {"5", "tágs", "y", "{x}"} <= set(changed.strip("⟦⟧~-").split())
    assert len(to_pseudo_language("Nothing is open, so there is nothing to save.")) >= (1 + LONGER) * 45 - 1
    assert unmarked_parts(
        f"{to_pseudo_language('one')} glued {tr(to_pseudo_language('two {x}'), x=to_pseudo_language('three'))}"
    ).split() == ["glued"]
