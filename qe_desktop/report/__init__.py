"""Reports as text, TSV, LaTeX, HTML and JSON, shared by the command line and the window.

Scores and tables are exported here; `render.output_formats` lists the output formats. Reports that need significance
tests are in modules of their own (`comparisons`, `rating_report`), so that a score report does not import the tests.

A new report is a module with a dataclass derived from `report_base.ReportBase`. Its values are declared as
`ReportColumn`s, one line each, with their names in JSON, TSV and the tables of text, LaTeX and HTML.
"""

from qe_desktop.report.render.columns import json_number
from qe_desktop.report.render.tables import DASH, Table, format_cell, join_text
from qe_desktop.report.scores import ScoreReport, settings_signature

__all__ = [
    "DASH",
    "ScoreReport",
    "Table",
    "format_cell",
    "join_text",
    "json_number",
    "settings_signature",
]
