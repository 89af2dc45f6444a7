"""Findings as they are copied and saved: columns for scripts, tables for a paper, a page with pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from qe_desktop.levels.findings import Findings
from qe_desktop.outgoing import file_name
from qe_desktop.report.findings import By, findings_columns, findings_json, findings_tables, notes
from qe_desktop.report.forms import FILES, Suffix, form_named
from qe_desktop.report.matrix_svg import matrix_for_page, matrix_svg
from qe_desktop.report.tables import Table
from qe_desktop.significance import Comparison
from qe_desktop.wording import tr

LONGEST = 60
"""Characters of a pair's name in the name of a file."""
Form = Suffix
"""Files of findings say by their suffix in what form they are."""
FORMS: dict[Form, str] = {form.suffix: form.about for form in FILES}


@dataclass(frozen=True, slots=True, eq=False)
class FindingsReport:
    """Findings in tables of each pair or each metric, under a heading; remarks go before the notes."""

    findings: Findings
    by: By
    heading: str
    remarks: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        """The command line's contract."""
        return findings_json(self.findings, self.remarks)

    def notes(self) -> list[str]:
        """What a reader of the numbers must know."""
        return [*self.remarks, *notes(self.findings)]

    def tables(self) -> list[Table]:
        """Those for a paper; what must be known stands below the last."""
        return findings_tables(self.findings, self.by, self.remarks)

    def columns(self) -> list[Table]:
        """One table, a row for each number."""
        return [findings_columns(self.findings)]

    def pictures(self) -> list[str]:
        """The matrix of each pair and metric."""
        drawn = _matrices(self.findings)
        return [matrix_for_page(comparison, metric, title) for _, comparison, metric, title in drawn]


def usual_by(findings: Findings) -> By:
    """What a table is of where nobody says: of several pairs each metric, of one the pair."""
    return "metric" if len(findings.pairs) > 1 else "pair"


def findings_text(findings: Findings, form: Form, title: str, remarks: Sequence[str] = ()) -> str:
    """Findings in a form; `title` is that of a page."""
    return form_named(form).text(FindingsReport(findings, usual_by(findings), title, tuple(remarks)))


def findings_pictures(findings: Findings) -> dict[str, str]:
    """The matrix of each pair and metric, as SVG, by the name of its file."""
    pictures: dict[str, str] = {}
    for pair, comparison, metric, title in _matrices(findings):
        names = (_file_name(pair, metric, number) for number in count(1))
        pictures[next(name for name in names if name not in pictures)] = matrix_svg(comparison, metric, title)
    return pictures


def _file_name(pair: str, metric: str, number: int) -> str:
    """The name of a picture; a second one that would be called the same has a number."""
    again = "" if number == 1 else f"-{number}"
    return f"{file_name(pair[:LONGEST], 'pair')}.{file_name(metric, 'metric')}{again}.svg"


def _matrices(findings: Findings) -> Iterator[tuple[str, Comparison, str, str]]:
    """What was compared, with its pair, its metric and a title."""
    for pair in findings.pairs:
        for metric in pair.metrics:
            comparison = pair.comparison(metric.name)
            if comparison is not None:
                title = tr("{pair}, {metric}: significance", pair=pair.name, metric=metric.name)
                yield pair.name, comparison, metric.name, title
