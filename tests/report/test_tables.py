"""Tables as TSV, LaTeX and text; reports as JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import unicodedata

import numpy as np
from rich.cells import cell_len

from qe_desktop.metrics import PAPER_METRICS, WORD_METRICS
from qe_desktop.metrics.external import ExternalScores, external_metric, external_rows
from qe_desktop.report import ScoreReport, Table, settings_signature
from qe_desktop.report.comparisons import comparison_json, matrix_numbers, matrix_table
from qe_desktop.report.render.latex import table_latex
from qe_desktop.report.render.tables import fit_columns, join_text
from qe_desktop.significance import FamilyRows, SignificanceOptions, compare_rows
from tests.small_corpora import noisy, random_tags
from tests.tag_comparison import compare, word_metrics

TABLE = Table("a & b\nc", ("system", "F1_x"), (("all\tOK_100%", 0.25), ("none", None)), 3, ("said",))


def comparison(rounds: int = 500):
    gold = random_tags(np.full(60, 10), 0.3, 1)
    systems = [noisy(gold, share, 3) for share in (0.4, 0.1, 0.1)]
    return compare(
        ["bad", "good", "twin"], gold, systems, word_metrics(PAPER_METRICS), SignificanceOptions(rounds=rounds)
    )


def test_tsv_has_full_precision_and_empty_cells():
    rows = list(csv.reader(io.StringIO(TABLE.tsv()), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert rows == [["system", "F1_x"], [r"all\tOK_100%", "0.25"], ["none", ""]]


def test_latex_escapes_special_characters():
    latex = table_latex(TABLE)
    assert r"all\textbackslash{}tOK\_100\% & 0.250 \\" in latex
    assert r"none & -- \\" in latex
    assert "% a & b\\nc\n" in latex
    assert table_latex(Table("", ("{x}^2", "~"), ((r"\input{evil}", 1),))).count(r"\textbackslash{}input\{evil\}") == 1


def test_text_shows_undefined_as_dash_and_does_not_interpret_markup():
    text = Table("t", ("system", "x"), (("[red]name", None),)).text()
    assert "[red]name" in text
    assert "–" in text


def test_tables_contain_no_control_characters():
    table = Table("\x1b[2Jt", ("system", "x\x9b"), (("\x1b]0;owned\x07", "a\nb"),), notes=("n\u202eote",))
    for text in (table.text(), table.tsv(), table_latex(table), join_text(fit_columns(table, 20))):
        assert not {unicodedata.category(character) for character in text.replace("\n", "").replace("\t", "")} & {
            "Cc",
            "Cf",
            "Zl",
        }


def test_columns_stay_aligned_with_wide_characters_and_line_breaks():
    rows = (("模型一号机器翻译系统", 0.5), ("a\nb", 0.25), ("plain", None), ("👩‍🚀", 1.0))
    lines = [line for line in Table("t", ("system", "F1"), rows, 3).text().splitlines() if "." in line or "–" in line]
    assert len(lines) == 4
    assert len({cell_len(line.rstrip()) for line in lines}) == 1
    assert all(len(line) <= 80 for line in Table("t", ("s", "x"), (("n" * 10_000, 1),)).text(80).splitlines())


def test_tsv_escapes_formulas_but_not_numbers():
    tsv = Table("", ("=system", "x", "y"), (("@SUM(A1)", -0.25, "-2+3"), ("'=a", -1, "-0.5"))).tsv()
    assert tsv == "'=system\tx\ty\n'@SUM(A1)\t-0.25\t'-2+3\n''=a\t-1\t-0.5\n"


def test_latex_row_starting_with_a_bracket_is_escaped():
    assert "{[}2pt{]} & 1" in table_latex(Table("", ("a", "b"), (("x", 1), ("[2pt]", 1))))


def test_negative_zero_is_zero():
    assert Table("", ("", ""), (("a", -0.00001),), 3).cells()[0][1] == "0.000"


def report(values) -> ScoreReport:
    metrics = (WORD_METRICS["MCC"], WORD_METRICS["phr-F1-OK"])
    return ScoreReport(
        ("a", "b"), metrics, np.array(values), 2, 9, settings_signature("words", {"positive": "BAD", "tags": "words"})
    )


def test_undefined_scores_are_null_and_explained_in_notes():
    result = report([[math.nan, 0.5], [0.1, 1.2]]).json()
    assert json.loads(json.dumps(result, allow_nan=False))["systems"]["a"]["MCC"] is None
    assert set(result) == {"segments", "items", "metrics", "systems", "signature", "notes"}
    assert result["metrics"] == ["MCC", "phr-F1-OK"]
    assert any("MCC of a: Undefined" in note for note in result["notes"])
    assert any("phr-F1-OK of b is above 1" in note for note in result["notes"])
    assert "positive:BAD" in result["signature"]


def test_comparison_json_has_the_documented_keys():
    result = comparison_json(comparison())
    json.dumps(result, allow_nan=False)
    assert result["systems"][-1] == "bad"
    assert {"rounds", "seed", "unit", "correction", "alpha"} <= set(result)
    metric = result["metrics"]["F1-mult"]
    assert set(metric) == {"scores", "p", "p_adjusted", "p-error", "significant", "clusters", "d", "d_top", "d_bottom"}
    assert metric["p"]["good"]["twin"] == 1
    assert metric["significant"] == {"good": ["bad"], "twin": ["bad"], "bad": []}
    assert metric["d"] == 2 / 3
    assert "good" not in metric["p"]["good"]


def test_significance_matrix_as_table_and_tsv():
    result = comparison()
    metric, verdicts = result.of("F1-mult"), result.verdicts("F1-mult")
    signs = [verdicts.pair(*pair).level.sign for pair in ((1, 0), (0, 1), (1, 2), (1, 1))]
    assert signs == ["●", "●", "=", "·"]
    table = matrix_table(result, "F1-mult")
    assert table.header == ("system", "score", "good", "twin", "bad")
    assert table.rows[0][3] == "1.0000 ="
    lines = matrix_numbers(result, "F1-mult").tsv().splitlines()
    assert lines[0] == "F1-mult, p adjusted by Bonferroni\tscore\tgood\ttwin\tbad"
    assert [float(cell) for cell in lines[1].split("\t")[3:]] == [1.0, float(metric.adjusted[1, 0])]


def test_monte_carlo_error_ignores_pairs_that_share_no_segment():
    scores = np.random.default_rng(1).random((3, 40))
    scores[0, :20] = scores[1, 20:] = np.nan
    rows = FamilyRows(np.stack([external_rows(ExternalScores(of)) for of in scores]), (external_metric("COMET"),))
    result = compare_rows(("a", "b", "c"), [rows], rows.metrics, SignificanceOptions(rounds=200))
    notes = [note for note in matrix_table(result, "COMET").notes if note.startswith("Monte Carlo error")]
    assert notes == [f"Monte Carlo error of unadjusted p: ±{np.nanmax(result.metrics[0].error):.4f} at most"]


def test_no_monte_carlo_error_is_stated_if_no_pair_was_tested():
    scores = np.random.default_rng(1).random((2, 40))
    scores[0, :20] = scores[1, 20:] = np.nan
    rows = FamilyRows(np.stack([external_rows(ExternalScores(of)) for of in scores]), (external_metric("COMET"),))
    result = compare_rows(("a", "b"), [rows], rows.metrics, SignificanceOptions(rounds=200))
    assert not any("Monte Carlo" in note for note in matrix_table(result, "COMET").notes)
