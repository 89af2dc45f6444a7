"""A command imports only the modules that it needs, so that it starts quickly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.cli.main import COMMANDS
from qe_desktop.formats import write_tag_lines
from tests.small_corpora import noisy, random_tags

NEVER = {"PySide6", "pyqtgraph", "sqlalchemy", "psycopg", "scipy", "xml", "hypothesis", "pytest"}
RATINGS = {
    "qe_desktop.ratings", "qe_desktop.formats.ratings", "qe_desktop.project", "qe_desktop.cli.ratings",
    "qe_desktop.corpus.ratings",
}  # fmt: skip
SIGNIFICANCE = {"qe_desktop.significance", "qe_desktop.report.comparisons", "qe_desktop.cli.compare"}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    gold = random_tags(np.array([5, 3, 8]), 0.3, 1)
    for name, column in {"gold": gold, "a": noisy(gold, 0.2, 2), "b": noisy(gold, 0.3, 3)}.items():
        write_tag_lines(tmp_path / f"{name}.tags", column)
        (tmp_path / f"{name}.txt").write_text("one two three four five\nsix\n")
    return tmp_path


SCORE = ["score", "words", "--gold", "gold.tags", "--system", "a.tags", "--json"]
TRANSLATIONS = ["score", "translations", "--reference", "gold.txt", "--system", "a.txt", "--metric", "BLEU", "--json"]
FOLDERS = {
    "qe_desktop.formats.importing.corpus_assembly",
    "qe_desktop.formats.importing.plan",
    "qe_desktop.formats.registry",
}
COMPARE = ["compare", "words", "--gold", "gold.tags", "--system", "a.tags", "b.tags", "--json"]


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (SCORE, NEVER | RATINGS | SIGNIFICANCE | {"rich", "qe_desktop.cli.convert"}),
        ([*SCORE[:-1], "--format", "tsv"], NEVER | RATINGS | SIGNIFICANCE | {"rich"}),
        ([*SCORE[:-1]], NEVER | RATINGS | SIGNIFICANCE),
        (COMPARE, NEVER | RATINGS | {"rich", "qe_desktop.cli.convert"}),
        (TRANSLATIONS, NEVER | RATINGS | SIGNIFICANCE | FOLDERS | {"rich", "rapidfuzz", "sacrebleu"}),
        (["convert", "gold.tags", "out.tags"], NEVER | RATINGS | SIGNIFICANCE | {"rich", "qe_desktop.metrics"}),
        (["score", "words", "--gold", "missing.tags", "--system", "a.tags"], NEVER | RATINGS | SIGNIFICANCE),
    ],
    ids=[
        "score",
        "score as TSV",
        "score as a table",
        "compare",
        "score of translations",
        "convert",
        "score of a missing file",
    ],
)
def test_commands_import_only_the_modules_they_need(files, arguments, unwanted):
    code = (
        "import sys; from qe_desktop.__main__ import run; code = run(sys.argv[1:]);"
        "print(code, *sys.modules, sep='\\n', file=sys.stderr)"
    )
    process = subprocess.run([sys.executable, "-c", code, *arguments], cwd=files, capture_output=True, text=True)
    lines = process.stderr.splitlines()
    assert ("2" if "missing.tags" in arguments else "0") in lines, process.stderr
    assert "numpy" in lines
    imported = {name for name in unwanted if any(line == name or line.startswith(f"{name}.") for line in lines)}
    assert imported == set()


@pytest.mark.process
def test_help_lists_all_commands_and_an_unknown_one_is_refused():
    def run_program(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "qe_desktop", *arguments], capture_output=True, text=True)

    assert all(f"    {name} " in run_program("--help").stdout for name in COMMANDS)
    refused = run_program("--json")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
