"""Results as JSON, TSV, LaTeX and text: one renderer for command line and window."""

from qe_desktop.report.comparisons import comparison_json, glyph, matrix_table, matrix_tsv, pairs_table
from qe_desktop.report.scores import ScoreReport, number, signature
from qe_desktop.report.tables import DASH, Table, join_text, shown

__all__ = [
    "DASH",
    "ScoreReport",
    "Table",
    "comparison_json",
    "glyph",
    "join_text",
    "matrix_table",
    "matrix_tsv",
    "number",
    "pairs_table",
    "shown",
    "signature",
]
