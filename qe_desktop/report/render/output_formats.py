"""The forms that results are written in, each listed once: the command line and the window take them from here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from qe_desktop.escaping import dumps_json
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.report.render.tables import Table, join_text

Suffix = Literal["txt", "tsv", "tex", "html", "json"]


class Report(Protocol):
    """Results that can be written in every form."""

    @property
    def heading(self) -> str:
        """What a page of them is called."""

    def json(self) -> dict[str, Any]:
        """All of them as plain values, the command line's contract."""

    def notes(self) -> list[str]:
        """What a reader of the numbers must know; `tables` and `json` hold it, `columns` do not."""

    def tables(self) -> Sequence[Table]:
        """For people, their notes below them."""

    def columns(self) -> Sequence[Table]:
        """For scripts, each number in a column of its own."""

    def pictures(self) -> Sequence[str]:
        """As SVG, for pages."""


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """A form: its name among options, the suffix of its files, its title, what it holds, and what writes a report."""

    name: str
    suffix: Suffix
    title: str
    about: str
    text: Callable[[Report], str]


def _tsv(report: Report) -> str:
    return "\n".join(table.tsv() for table in report.columns())


def _latex(report: Report) -> str:
    # who asks for another form waits neither for this nor for pages
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
    OutputFormat("tsv", "tsv", "TSV", tr("TSV: one row a number, with full precision"), _tsv),
    OutputFormat("latex", "tex", "LaTeX", tr("LaTeX: tables for a paper"), _latex),
    OutputFormat("html", "html", "HTML", tr("HTML: a page of tables and matrices"), _page),
    OutputFormat("json", "json", "JSON", tr("JSON: everything, for programs"), _json),
)
FILE_FORMATS = OUTPUT_FORMATS[1:]
"""What results are saved in; the first is for terminals."""


def get_output_format(name: str) -> OutputFormat:
    """A form by its name or its suffix; a KeyError for one that there is not."""
    return {known: form for form in OUTPUT_FORMATS for known in (form.suffix, form.name)}[name]
