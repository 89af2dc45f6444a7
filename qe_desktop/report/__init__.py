"""Reports as text, TSV, LaTeX, HTML and JSON, shared by the command line and the window.

This package exports the score report and tables; `render.output_formats` lists the output formats. Reports that need
significance tests are in separate modules (`comparisons`, `rating_report`), so that a score report does not import the
tests.

To add a report, create a module with a dataclass derived from `report_base.ReportBase`. Declare each value as a
`ReportColumn`, with its names in JSON, in TSV, and in text, LaTeX and HTML tables.
"""

from qe_desktop.report.render.tables import DASH, Table, format_cell, join_text, json_number
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
