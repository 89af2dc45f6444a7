"""Tables of findings: the best score of each column is bold in LaTeX and HTML."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Documents, Kind, LayerKey, Provenance
from qe_desktop.levels import Scoring
from qe_desktop.levels.findings import Findings, collect_findings
from qe_desktop.levels.sentences import SENTENCES
from qe_desktop.report.findings import FindingsReport
from qe_desktop.report.render.html_page import html_page
from qe_desktop.report.render.latex import TEXT_WIDTH, _fit_table, table_latex, table_width_pt
from qe_desktop.report.render.tables import Table
from qe_desktop.significance import SignificanceOptions

METRICS = [SENTENCES.metrics[name] for name in ("Pearson", "MAE")]


def make_scoring(seed: int, **noise: float) -> Scoring:
    """Return a scoring of systems with the given noise; zero noise means constant scores without a correlation."""
    dice = np.random.default_rng(seed)
    gold = dice.normal(size=50)
    systems = {name: gold + dice.normal(size=50) * share if share else np.zeros(50) for name, share in noise.items()}
    return Scoring.from_columns(SENTENCES, LayerKey(Provenance.GOLD, "gold", Kind.SCORES), gold, systems)


@pytest.fixture(scope="module")
def findings() -> Findings:
    # the best system is neither first nor last in en-de, and last in ne-en
    pairs = {
        "en-de": make_scoring(1, far=0.9, near=0.1, flat=0),
        "ne-en": make_scoring(2, flat=0, far=0.5, near=0.2, late=0.01),
    }
    return collect_findings(pairs, METRICS, SignificanceOptions("", 50, interval_rounds=40))


def bold_systems(table: Table) -> dict[str, set[str]]:
    """Return the systems that are bold in each column."""
    systems: dict[str, set[str]] = {}
    for row, column in table.best:
        systems.setdefault(table.header[column], set()).add(str(table.rows[row][0]))
    return systems


def test_best_of_each_pair_and_of_the_average_is_bold(findings):
    by_pearson, by_mae = FindingsReport(findings, "task", by="metric").tables()
    # flat has no correlation, and late has no average
    expected = {"average": {"near"}, "en-de": {"near"}, "ne-en": {"late"}}
    assert bold_systems(by_pearson) == expected
    assert bold_systems(by_mae) == expected
    errors = dict(zip(findings.pairs[0].systems, findings.pairs[0].scores[:, 1], strict=True))
    assert min(errors, key=errors.get) == "near"


def test_best_by_each_metric_is_bold(findings):
    first, second, average = FindingsReport(findings, "task", by="pair").tables()
    assert bold_systems(first) == bold_systems(average) == {"Pearson": {"near"}, "MAE": {"near"}}
    assert bold_systems(second) == {"Pearson": {"late"}, "MAE": {"late"}}


def test_findings_warn_if_segments_of_documents_are_treated_as_independent():
    scoring = make_scoring(1, far=0.9, near=0.1).with_documents(Documents.from_names([f"d{i // 5}" for i in range(50)]))
    for unit, expected in (("segment", True), ("document", False)):
        computed = collect_findings({"en-de": scoring}, METRICS, SignificanceOptions("", 50, unit=unit))
        notes = "\n".join(note for table in FindingsReport(computed, "", by="metric").tables() for note in table.notes)
        assert ("50 segments of 10 documents are treated as independent" in notes) is expected, unit
        assert ("p-values are too small" in notes) is expected, unit
    single = replace(scoring, subjects=scoring.subjects[:1])
    computed = collect_findings({"en-de": single}, METRICS, SignificanceOptions("", 50))
    notes = "\n".join(note for table in FindingsReport(computed, "", by="metric").tables() for note in table.notes)
    assert "intervals are too narrow" in notes
    assert "p-values are too small" not in notes, "a single system is not tested"


def test_equal_printed_scores_are_all_bold_and_a_single_system_is_not():
    twins = make_scoring(3, near=0.1, far=0.9)
    column = twins.view.corpus.layers[twins.subjects[0]].column
    gold = twins.view.corpus.layers[twins.reference].column
    systems = {"near": column, "far": -column, "twin": column + 1e-9}
    same = Scoring.from_columns(SENTENCES, twins.reference, gold, systems)
    (table,) = FindingsReport(collect_findings({"en-de": same}, METRICS, SignificanceOptions("", 50)), "task").tables()
    assert bold_systems(table) == {"Pearson": {"near", "twin"}, "MAE": {"near", "twin"}}
    single = collect_findings({"en-de": make_scoring(3, near=0.1)}, METRICS, SignificanceOptions("", 50))
    (alone,) = FindingsReport(single, "task").tables()
    assert alone.best == frozenset()
    assert alone.caption == alone.title
    assert r"\textbf" not in table_latex(alone)


def test_caption_explains_bold_type(findings):
    for by in ("metric", "pair"):
        for table in FindingsReport(findings, "task", by=by).tables():
            cells = [table.cells()[row][column] for row, column in table.best]
            scores = sorted(cell.split(" ")[0] for cell in cells)
            latex = table_latex(table)
            # only the score is bold, not its interval
            assert sorted(re.findall(r"\\textbf\{([^}]*)\}", latex)) == scores
            html = html_page("t", [table])
            assert sorted(re.findall(r"<b>([^<]*)</b>", html)) == scores
            assert rf"\caption{{{table.title}. The best value in each column is bold.}}".replace("%", r"\%") in latex
            assert f"{table.title}. The best value in each column is bold.</caption>" in html
            assert "bold" not in table.text()


def test_bold_cells_keep_their_positions_if_a_table_is_split():
    names = tuple(f"system {index}" for index in range(60))
    rows = tuple((name, *(f"{0.001 * row + column:.3f} [0.1, 0.2]" for column in range(9))) for row, name in
                 enumerate(names))  # fmt: skip
    best = frozenset({(0, 1), (41, 3), (42, 9), (59, 9)})
    table = Table("t", ("system", *(f"m{column}" for column in range(9))), rows, 3, rules=(42, 50), best=best)
    latex = table_latex(table)
    assert latex.count(r"\begin{tabular}") > 4
    assert sorted(re.findall(r"\\textbf\{([^}]*)\}", latex)) == sorted(
        str(table.rows[row][column]).split(" ")[0] for row, column in best
    )
    assert re.search(r"system 41 .*\\textbf\{2\.041\}", latex)
    assert re.search(r"system 59 .*\\textbf\{8\.059\}", latex)
    size, blocks = _fit_table(table)
    assert all(table_width_pt(block, size) <= TEXT_WIDTH for block in blocks)


def test_bold_type_is_wider():
    plain = Table("", ("s", "x"), (("a", "0.123"), ("b", "0.456")))
    assert table_width_pt(Table("", plain.header, plain.rows, best=frozenset({(0, 1)}))) > table_width_pt(plain)
