"""Results as text, TSV, LaTeX, HTML and JSON: one renderer for command line and window.

Scores and tables are here, and `forms` lists how they are written. What needs more than they do stands in modules of
its own (`comparisons`, `ratings`), so that nobody waits for tests of significance who asks for scores.
"""

from qe_desktop.report.scores import ScoreReport, number, signature
from qe_desktop.report.tables import DASH, Table, join_text, shown

__all__ = [
    "DASH",
    "ScoreReport",
    "Table",
    "join_text",
    "number",
    "shown",
    "signature",
]
