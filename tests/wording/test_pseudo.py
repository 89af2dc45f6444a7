"""The window in a language that nobody speaks: nothing is left out, and nothing is cut off though all is longer."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence

from qe_desktop.i18n.messages import tr
from qe_desktop.levels import all_levels
from qe_desktop.ratings.protocols import PROTOCOLS
from qe_desktop.ui import icons
from tests.wording.pseudo import BEGIN, LONGER, collected, pseudo, translate, unmarked

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"[^\W\d_]{2,}")
NAMES = {
    "QE", "Desktop", "BAD", "OK", "MT", "HTER", "Ctrl", "Shift", "Alt", "Meta", "Holm", "Bonferroni", "anna", "ben",
    "chloe", "simulated", "gold", "broken", "Der", "Hund", "bellte", "gestern", "die", "Katze", "top", "bottom", "tmp",
    "qedesk", "source", "direct", "Python", "Qt", "Linux", "Darwin", "Windows", "me", "server", "example", "org",
    "project", "ab", "SPA", "acc", "eq", "checks", "percent", "quality",
    "estimation", "char", "intl", "none", "zh",
}  # fmt: skip
"""Names, of figures too, keys, the words that the start page shows as an example, and what the tour calls its files."""
SIGNATURE = re.compile(r"QE Desktop [\d.]+[|]\S*")
"""How numbers were made is said in papers, the same in every language."""
SHORTENED = re.compile(r"\w*…\w*")
"""Where a text is cut short; the tour notes it whole as well."""
OF_QT = {"Scroll Left", "Scroll Right", "Press shortcut"}
"""Words of Qt's own, which Qt's translations have."""


def words_of_data() -> Iterator[str]:
    """Every word of names in the samples (files, systems, documents), and of metrics, protocols and keys."""
    for path in (icons.resource_folder() / "samples").rglob("*"):
        yield from WORD.findall(path.name)
        if path.name == "sample.docs":
            yield from WORD.findall(path.read_text())
    for name in (*(name for level in all_levels() for name in level.metrics), *PROTOCOLS):
        yield from WORD.findall(name)
    for key in range(0x01000000, 0x01000064):
        yield from WORD.findall(QKeySequence(key).toString())


def own_words(text: str) -> list[str]:
    """The whole words of a text that no translation marks."""
    return WORD.findall(SHORTENED.sub("", unmarked(SIGNATURE.sub("", text))))


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory) -> Path:
    """The language, as a translator would bring one."""
    found = collected(tmp_path_factory.mktemp("pseudo"), sorted((ROOT / "qe_desktop").rglob("*.py")))
    translate(found)
    return found


def run(catalogue: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QE_DESKTOP_LANGUAGE": str(catalogue), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def heard(catalogue) -> dict[str, dict[str, str]]:
    """What the tour through all views found."""
    done = run(catalogue, "tests.wording.tour", str(catalogue.parent))
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads((catalogue.parent / "heard.json").read_text())


def test_nothing_is_left_out(heard):
    known = NAMES | set(words_of_data())
    # a temporary folder's name is anything
    left = {
        text: where
        for text, where in heard["left_out"].items()
        if text not in OF_QT and "tmp" not in text and not set(own_words(text)) <= known
    }
    assert left == {}
    assert len(heard["marked"]) > 1000


def test_nothing_is_cut_off(heard):
    assert heard["cut"] == {}


OF_ARGPARSE = {
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
def test_help_is_said_in_the_language(catalogue, command):
    """What is left are argparse's own words, and those that are typed: commands, options, what they may be."""
    done = run(catalogue, "qe_desktop", *command.split(), "--help")
    assert done.returncode == 0
    assert done.stdout.count(BEGIN) >= 1
    typed = set(re.findall(r"[\w-]+", " ".join(re.findall(r"[{][^}]*[}]|--[\w-]+", done.stdout) + list(COMMANDS))))
    left = set(re.findall(r"(?<![-\w])[a-z]{2,}(?![-\w])", unmarked(done.stdout)))
    assert left - OF_ARGPARSE - typed == set()


def test_what_commands_answer_is_said_in_the_language(catalogue):
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
        # a signature is for scripts and papers, the same in every language
        lines = (done.stdout + done.stderr).splitlines()
        said = "\n".join(line for line in lines if not re.match(r"QE Desktop [\d.]+\|", line.strip()))
        assert said.count(BEGIN) >= 1
        assert set(WORD.findall(unmarked(said))) - known == set()


EXCHANGED = (["--json"], ["--format", "tsv"])
ALL = "import json, sys; from qe_desktop.__main__ import run; sys.exit(sum(map(run, json.loads(sys.argv[1]))))"
"""Runs several commands, one after the other."""


def test_what_is_exchanged_is_the_same_in_every_language(catalogue, tmp_path):
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
        for form in EXCHANGED
    ]
    said = []
    for language in ("", str(catalogue)):
        environment = {**os.environ, "QE_DESKTOP_LANGUAGE": language, "QT_QPA_PLATFORM": "offscreen"}
        call = [sys.executable, "-c", ALL, json.dumps(commands)]
        done = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.splitlines())
    assert BEGIN in done.stderr
    assert said[0] == said[1]
    assert len(said[0]) > 100


def test_the_language_changes_every_text_and_keeps_its_places():
    assert unmarked(pseudo("Open the file")).strip() == ""
    changed = tr(pseudo("{n:,} {n:tag|tags} of {name} {{x}}"), "", 5, name="y")
    assert {"5", "tágs", "y", "{x}"} <= set(changed.strip("⟦⟧~-").split())
    assert len(pseudo("Nothing is open, so there is nothing to save.")) >= (1 + LONGER) * 45 - 1
    assert unmarked(f"{pseudo('one')} glued {tr(pseudo('two {x}'), x=pseudo('three'))}").split() == ["glued"]
