"""Findings as they are copied and saved: columns for scripts, tables for a paper, a page with pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Literal

from qe_desktop.levels.findings import Findings
from qe_desktop.outgoing import file_name
from qe_desktop.report.findings import By, findings_columns, findings_tables
from qe_desktop.report.html import page
from qe_desktop.report.latex import table_latex
from qe_desktop.report.matrix_svg import matrix_svg
from qe_desktop.wording import listed, tr

MOST_DRAWN = 60
"""Systems of a matrix that a page draws: beyond, nobody can read it, and the page would be a hundred megabytes."""
LONGEST = 60
"""Characters of a pair's name in the name of a file."""
Form = Literal["tsv", "tex", "html"]
"""The suffixes of files of findings, which say in what form they are."""
FORMS: dict[Form, str] = {
    "tsv": tr("TSV: one row a number, with full precision"),
    "tex": tr("LaTeX: tables for a paper"),
    "html": tr("HTML: a page of tables and matrices"),
}


def usual_by(findings: Findings) -> By:
    """What a table is of where nobody says: of several pairs each metric, of one the pair."""
    return "metric" if len(findings.pairs) > 1 else "pair"


def findings_text(findings: Findings, form: Form, title: str, remarks: Sequence[str] = ()) -> str:
    """Findings in a form; `title` is that of a page."""
    by = usual_by(findings)
    if form == "tsv":
        return findings_columns(findings).tsv()
    if form == "html":
        return findings_page(findings, by, title, remarks)
    return "\n".join(table_latex(table) for table in findings_tables(findings, by, remarks))


def findings_page(findings: Findings, by: By, title: str, remarks: Sequence[str] = ()) -> str:
    """A page of all tables, and below them all matrices of significance."""
    large = [pair.name for pair in findings.pairs if len(pair.systems) > MOST_DRAWN]
    if large:
        said = tr(
            "The matrices of more than {n} systems are not drawn here: {pairs}", "", MOST_DRAWN, pairs=listed(large)
        )
        remarks = (*remarks, said)
    drawn = replace(findings, pairs=tuple(pair for pair in findings.pairs if pair.name not in large))
    return page(title, findings_tables(findings, by, remarks), list(findings_pictures(drawn).values()))


def _file_name(pair: str, metric: str, number: int) -> str:
    """The name of a picture; a second one that would be called the same has a number."""
    again = "" if number == 1 else f"-{number}"
    return f"{file_name(pair[:LONGEST], 'pair')}.{file_name(metric, 'metric')}{again}.svg"


def findings_pictures(findings: Findings) -> dict[str, str]:
    """The matrix of each pair and metric, as SVG, by the name of its file."""
    pictures: dict[str, str] = {}
    for pair in findings.pairs:
        for metric in pair.metrics:
            comparison = pair.comparison(metric.name)
            if comparison is not None:
                title = tr("{pair}, {metric}: significance", pair=pair.name, metric=metric.name)
                names = (_file_name(pair.name, metric.name, number) for number in count(1))
                pictures[next(name for name in names if name not in pictures)] = matrix_svg(
                    comparison, metric.name, title
                )
    return pictures
