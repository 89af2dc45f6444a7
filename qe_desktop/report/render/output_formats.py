"""Output formats of reports, shared by the command line and the user interface."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from qe_desktop.escaping import dumps_json
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.report.render.tables import Table, join_text

Suffix = Literal["txt", "tsv", "tex", "html", "json"]


class Report(Protocol):
    """Report that can be written in every output format."""

    @property
    def heading(self) -> str:
        """Title of the HTML page."""

    def json(self) -> dict[str, Any]:
        """All results as the JSON object that the command line writes."""

    def notes(self) -> list[str]:
        """Notes on the results; included in `tables` and `json`, but not in `columns`."""

    def tables(self) -> Sequence[Table]:
        """Tables for display, with notes below."""

    def columns(self) -> Sequence[Table]:
        """Tables for scripts, with one number per cell."""

    def pictures(self) -> Sequence[str]:
        """SVG charts, for HTML pages."""


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """Output format of reports.

    `name` is the name on the command line, `suffix` the file suffix without a dot. `title` and `description` are shown
    to users. `text` is the function that returns a report in this format.
    """

    name: str
    suffix: Suffix
    title: str
    description: str
    text: Callable[[Report], str]


def _tsv(report: Report) -> str:
    return "\n".join(table.tsv() for table in report.columns())


def _latex(report: Report) -> str:
    # lazy import: other formats need neither this module nor HTML pages
    from qe_desktop.report.render.latex import table_latex

    return "\n".join(table_latex(table) for table in report.tables())


def _page(report: Report) -> str:
    from qe_desktop.report.render.html_page import html_page

    return html_page(report.heading, report.tables(), report.pictures())


def _json(report: Report) -> str:
    return dumps_json(to_english(report.json()), indent=2) + "\n"


OUTPUT_FORMATS = (
    OutputFormat(
        "table", "txt", tr("Text"), tr("Text: tables for a terminal"), lambda report: join_text(report.tables())
    ),
    OutputFormat("tsv", "tsv", "TSV", tr("TSV: tables for scripts, full precision"), _tsv),
    OutputFormat("latex", "tex", "LaTeX", tr("LaTeX: tables for a paper"), _latex),
    OutputFormat("html", "html", "HTML", tr("HTML: a page of tables and charts"), _page),
    OutputFormat("json", "json", "JSON", tr("JSON: all results, for programs"), _json),
)
FILE_FORMATS = OUTPUT_FORMATS[1:]
"""Formats for report files: all output formats except text, which is for terminals."""


def get_output_format(name: str) -> OutputFormat:
    """Return an output format by name or suffix. Raises KeyError if there is none."""
    return {alias: form for form in OUTPUT_FORMATS for alias in (form.suffix, form.name)}[name]
