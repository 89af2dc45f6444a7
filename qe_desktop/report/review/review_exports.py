"""Registry of reports on a review, which are written as files. To add a report, add a line to `REVIEW_EXPORTS`.

The reports are for people and scripts. They are not bilingual files, so this program cannot open them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from qe_desktop.corpus import View
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.formats.io.atomic_write import atomic_write
from qe_desktop.i18n.messages import tr
from qe_desktop.report.review.job_statistics import write_statistics
from qe_desktop.report.review.review_page import write_review_page


@dataclass(frozen=True, slots=True)
class ReviewExport:
    """Report on a review: `display_name` is the name shown to users, `suffix` the end of the report's file name.

    `write` writes the report and returns the number of segments.
    """

    name: str
    display_name: str
    suffix: str
    write: Callable[[View, BinaryIO, OnProgress | None], int]


REVIEW_EXPORTS: tuple[ReviewExport, ...] = (
    ReviewExport("review-page", tr("review with changes, HTML page"), ".html", write_review_page),
    ReviewExport("statistics", tr("job statistics, TSV"), ".statistics.tsv", write_statistics),
)


def review_export_for(path: Path) -> ReviewExport | None:
    """Return the report whose suffix is at the end of a file name, ignoring case; None if there is no such report."""
    return next((export for export in REVIEW_EXPORTS if path.name.lower().endswith(export.suffix)), None)


def write_review(view: View, export: ReviewExport, path: Path, on_progress: OnProgress | None = None) -> int:
    """Write a report to a file atomically, and return the number of segments.

    Raises QeError if the file cannot be written; exceptions raised by `on_progress` are passed on.
    """
    with atomic_write(path) as file:
        return export.write(view, file, on_progress)
