"""LaTeX tables fit a page for any content, and name the packages they need."""

from __future__ import annotations

import re
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import Ratings, Score
from qe_desktop.metrics import WORD_METRICS
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import RatingOptions as RatingOptions
from qe_desktop.report import ScoreReport, Table, settings_signature
from qe_desktop.report.comparisons import matrix_table, pairs_table
from qe_desktop.report.rating_report import rating_tables, totals_table
from qe_desktop.report.render.latex import (
    MAX_PAGE_ROWS,
    TEXT_WIDTH,
    _fit_table,
    _floats,
    _with_short_cells,
    table_latex,
    table_width_pt,
)
from qe_desktop.significance import SignificanceOptions
from tests.small_corpora import noisy, random_tags
from tests.tag_comparison import compare, word_metrics

LONG = "a very long name of a system, with_an_underscore & 100% of what LaTeX reads {}~^\\#$ [2pt] <i>"


def comparison(systems: int):
    gold = random_tags(np.full(40, 6), 0.3, 1)
    columns = [noisy(gold, 0.05 + 0.01 * index, index) for index in range(systems)]
    names = [f"team_{index}_{'x' * (index % 30)}" for index in range(systems)]
    return compare(names, gold, columns, word_metrics(["MCC"]), SignificanceOptions(rounds=60))


def scores() -> Table:
    metrics = tuple(WORD_METRICS.values())
    values = np.full((60, len(metrics)), 0.5)
    names = tuple(f"{LONG} {index}" for index in range(60))
    return ScoreReport(
        names, metrics, values, 60, 600, settings_signature("words", {"tags": "words", "against": LONG})
    ).table()


def bold() -> Table:
    """Return a table as wide as the text whose cells are all bold."""
    rows = tuple((f"system {row}", *(f"0.{row}{row}{row}" for _ in range(8))) for row in range(9))
    best = frozenset((row, column) for row in range(9) for column in range(1, 9))
    return Table("Bold", ("system", *(f"m{column}" for column in range(8))), rows, 3, best=best)


def ratings() -> list[Table]:
    dice = np.random.default_rng(1)
    rows = [
        Score(f"rater {rater} {LONG}", f"{LONG} {system}", str(segment), scale, float(dice.integers(1, 6)))
        for rater in range(50)
        for system in range(12)
        for segment in range(3)
        for scale in ("adequacy", "fluency")
    ]
    results = build_results(Ratings.of(rows), options=RatingOptions(rounds=20))
    return [*rating_tables(results), totals_table(results)]


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    compared = [matrix_table(comparison(systems), "MCC") for systems in (2, 5, 8, 30)]
    return [*compared, bold(), pairs_table(comparison(12)), scores(), *ratings()]


def test_tables_fit_the_text_width_and_page_length(tables):
    for table in tables:
        size, blocks = _fit_table(_with_short_cells(table))
        for block in blocks:
            assert table_width_pt(block, size) <= TEXT_WIDTH, table.title
        keys = table.key_columns
        assert sum(len(block.header) - keys for block in blocks) == len(table.header) - keys
        for blocks_of_float in _floats(blocks):
            assert sum(len(part.rows) for part in blocks_of_float) <= MAX_PAGE_ROWS


def test_split_matrix_contains_every_number_once(tables):
    """Every number and every row of the 30 × 30 matrix occurs once in the LaTeX code."""
    table = tables[3]
    latex = table_latex(table)
    shown = sum(len(re.findall(r"\d\.\d{4} \$", line)) for line in latex.splitlines())
    assert shown == 30 * 29
    assert len(re.findall(r"^\d+ team", latex, re.MULTILINE)) == 30
    assert latex.count(r"\begin{tabular}") == latex.count(r"\toprule") == latex.count(r"\end{tabular}") > 1


def test_notes_and_captions_are_typeset(tables):
    for table in tables:
        latex = "".join(line for line in table_latex(table).splitlines(keepends=True) if not line.startswith("%"))
        plain = latex.replace(r"\allowbreak{}", "")
        for note in table.notes:
            first = next((word for word in note.split() if word.isalpha()), "")
            assert first in plain
        assert latex.count(r"\caption{") == (latex.count(r"\begin{table}") if table.title else 0)


SIGNATURE = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"


def notes_of(*notes: str) -> str:
    """Return the LaTeX code of the notes of a table, in one line."""
    latex = table_latex(Table("t", ("system", "BLEU"), (("a", 1.0),), notes=notes))
    return " ".join(latex.partition(r"\raggedright")[2].partition(r"\end{minipage}")[0].split())


def test_signatures_break_only_between_their_parts():
    signature = "QE Desktop 1.2.3|level:translations|test:approximate-randomization|trials:10000"
    for text in (SIGNATURE, signature):
        lines = notes_of(f"BLEU: {text}").replace(r"\textbar{}", "|").split(r"\allowbreak{}")
        assert "".join(lines) == f"BLEU: {text}"
        assert all(line.endswith("|") for line in lines[:-1])
        assert len(lines) == text.count("|") + 1


def test_long_names_in_signatures_fit_the_text_width():
    name = "annotator_" + "x" * 200
    code = notes_of(f"QE Desktop 1.2.3|level:words|against:{name}|trials:10000")
    lines = code.replace(r"\textbar{}", "|").replace(r"\_", "_").split(r"\allowbreak{}")
    assert "".join(lines).endswith(f"against:{name}|trials:10000")
    assert max(map(len, lines)) < 40
    assert lines[-1] == "trials:10000"


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@settings(max_examples=200, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=40), st.integers(1, 30))
def test_tables_with_any_names_fit_the_text_width(names, columns):
    rows = tuple((name, *(0.5 for _ in range(columns))) for name in names)
    table = Table("t", ("system", *(names[index % len(names)] for index in range(columns))), rows)
    size, blocks = _fit_table(_with_short_cells(table))
    assert all(table_width_pt(block, size) <= TEXT_WIDTH or len(block.header) == 2 for block in blocks)
    table_latex(table)


def document(latex: str) -> str:
    """Return a document that loads only the packages named in the comments."""
    comments = [line for line in latex.splitlines() if line.startswith("%")]
    packages = dict.fromkeys(re.findall(r"\\usepackage(?:\[\w+\])?\{\w+\}", "\n".join(comments)))
    preamble = "\n".join(sorted(packages, reverse=True))
    return f"\\documentclass[a4paper]{{article}}\n{preamble}\n\\begin{{document}}\n{latex}\n\\end{{document}}\n"


def test_required_packages_are_named_and_no_others_are_used(tables):
    for table in tables:
        latex = table_latex(table)
        assert r"% Needs \usepackage" in latex
        assert r"\usepackage{booktabs}" in latex
        assert not re.search(r"\\(resizebox|adjustbox|rotatebox|multirow|cellcolor)", latex)
    chinese = table_latex(Table("t", ("system", "x"), (("系统", 1.0),)))
    assert "use XeLaTeX or LuaLaTeX" in chinese
    assert "fontenc" not in chinese
    assert r"\usepackage[T1]{fontenc}" in table_latex(Table("t", ("système", "x"), (("a", 1.0),)))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_pdflatex_typesets_every_table_without_warnings(tables, tmp_path):
    """TeX reports no error, overfull line, oversized float or missing character."""
    rows = (("Łódź | “x” ‘y’ – …", 1.0),)
    accents = Table("Accents: é, ü, ł", ("système", "Kraków ≤ ± ≥"), rows, notes=("–" * 80, f"BLEU: {SIGNATURE}"))
    (tmp_path / "t.tex").write_text(document("\n".join(table_latex(table) for table in [*tables, accents])), "utf-8")
    command = ["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    log = (tmp_path / "t.log").read_text("utf-8", "replace")
    assert done.returncode == 0, log[-3000:]
    for trouble in ("Overfull", "Float too large", "Missing character", "Too many unprocessed floats"):
        assert trouble not in log, re.findall(rf".*{trouble}.*", log)[:5]
