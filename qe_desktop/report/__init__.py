"""Results as text, TSV, LaTeX, HTML and JSON: one renderer for command line and window.

Scores and tables are here, and `forms` lists how they are written. What needs more than they do stands in modules of
its own (`comparisons`, `ratings`), so that nobody waits for tests of significance who asks for scores.
"""

from qe_desktop.report.render.tables import DASH, Table, format_cell, join_text
from qe_desktop.report.scores import ScoreReport, json_number, settings_signature

__all__ = [
    "DASH",
    "ScoreReport",
    "Table",
    "format_cell",
    "join_text",
    "json_number",
    "settings_signature",
]
