"""Tables of findings: a score is bold in LaTeX and HTML if no system is significantly better, as on the screen."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Documents, Kind, LayerKey, Provenance
from qe_desktop.levels import Scoring
from qe_desktop.levels.findings import Findings, PairFindings, collect_findings
from qe_desktop.levels.sentences import SENTENCES
from qe_desktop.report.findings import FindingsReport
from qe_desktop.report.render.latex import TEXT_WIDTH, _fit_table, table_latex, table_width_pt
from qe_desktop.report.render.output_formats import html_page
from qe_desktop.report.render.tables import ReportColumn, Table, display_table
from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui.scores.findings.findings_table import FindingsResult, findings_table

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


def top_by_ranks(pair: PairFindings, metric: str) -> set[str]:
    """Return the systems whose rank range starts with 1; the empty set if this is true of all systems."""
    found = pair.system_findings(SENTENCES.metrics[metric])
    top = {name for name, finding in zip(pair.systems, found, strict=True) if finding.ranks and finding.ranks[0] == 1}
    return top if len(top) < len(pair.systems) else set()


def test_systems_that_no_system_significantly_outperforms_are_bold(findings):
    for metric, table in zip(("Pearson", "MAE"), FindingsReport(findings, "task", by="metric").tables(), strict=True):
        tops = {pair.name: top_by_ranks(pair, metric) for pair in findings.pairs}
        assert bold_systems(table) == {name: top for name, top in tops.items() if top}
    *tables, average = FindingsReport(findings, "task", by="pair").tables()
    for pair, table in zip(findings.pairs, tables, strict=True):
        tops = {metric: top_by_ranks(pair, metric) for metric in ("Pearson", "MAE")}
        assert bold_systems(table) == {name: top for name, top in tops.items() if top}
    assert average.best == frozenset(), "averages are not tested"


def test_bold_cells_are_those_of_the_window(findings):
    single = replace(findings, pairs=findings.pairs[:1])
    (exported,) = FindingsReport(single, "task").tables()
    shown = findings_table(FindingsResult(single, "task"), METRICS[0].name, "", 3)
    on_screen: dict[str, set[str]] = {}
    for row in shown.rows:
        for column, cell in zip(shown.columns, row, strict=True):
            if cell.is_bold:
                on_screen.setdefault(column.header, set()).add(row[0].text)
    assert bold_systems(exported) == on_screen
    assert on_screen


def test_each_table_explains_its_numbers(findings):
    for by in ("metric", "pair"):
        for table in FindingsReport(findings, "task", by=by).tables():
            if any("[" in cell for row in table.cells() for cell in row):
                latex = table_latex(table)
                assert "95 \\% intervals" in latex
                assert "Rank ranges: best and worst rank" in latex
            if by == "metric":
                assert "late has no output for en-de, so it has no average." in table.notes


def test_notes_on_files_and_commands_are_comments_in_latex(findings):
    remarks = ("a.txt: the file name does not indicate a role", "Use --unit document to resample whole documents.")
    last = FindingsReport(findings, "task", remarks).tables()[-1]
    lines = table_latex(last).splitlines()
    for remark in remarks:
        assert [line for line in lines if remark in line] == [f"% {remark}"]
        assert remark in last.text()
    assert any("Rank ranges" in line and not line.startswith("%") for line in lines)


def test_split_table_keeps_the_ranks_beside_their_metric():
    names = [f"metric {index} with a long name" for index in range(5)]
    columns = [ReportColumn(str, "system")]
    columns += [ReportColumn(lambda _: ("0.627 [0.570, 0.675]", "1–2"), (name, "ranks")) for name in names]
    table = display_table("t", columns, ["a", "b"], 3)
    headers = re.findall(r"\\toprule\n(.*) \\\\", table_latex(table))
    assert len(headers) > 1
    for header in headers:
        system, *rest = header.split(" & ")
        assert system == "system"
        assert rest[1::2] == ["ranks"] * (len(rest) // 2)
        assert "ranks" not in rest[::2]


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


def test_systems_without_significant_difference_are_all_bold_and_a_single_system_is_not():
    twins = make_scoring(3, near=0.1, far=0.9)
    column = twins.view.corpus.layers[twins.subjects[0]].column
    gold = twins.view.corpus.layers[twins.reference].column
    systems = {"near": column, "far": -column, "twin": column + 1e-9}
    same = Scoring.from_columns(SENTENCES, twins.reference, gold, systems)
    (table,) = FindingsReport(collect_findings({"en-de": same}, METRICS, SignificanceOptions("", 50)), "task").tables()
    assert bold_systems(table)["Pearson"] == {"near", "twin"}
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
            assert rf"\caption{{{table.caption}}}".replace("%", r"\%") in latex
            assert f"{table.caption}</caption>" in html
            assert ("Bold: no system is significantly better." in table.caption) is bool(table.best)
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
