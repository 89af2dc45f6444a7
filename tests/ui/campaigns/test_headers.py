"""Headers of the tables of the Rate area: in sentence case on screen, with stable names in copied tables."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from qe_desktop.ui.campaigns.import_report_dialog import CONFLICT_COLUMNS, FILE_COLUMNS
from qe_desktop.ui.campaigns.progress_page import LOG_COLUMNS, RATER_COLUMNS
from qe_desktop.ui.campaigns.results import rater_panes, results_page
from qe_desktop.ui.campaigns.results.rater_summaries import RANK_COLUMNS, SCALE_COLUMNS
from qe_desktop.ui.widgets.tables.table_model import TableColumn, TableModel

SYMBOLS = ("n", "s/item", "κ on repeats")
"""Headers that begin with the symbol of a statistic or of a unit."""
TABLES: list[tuple[Sequence[TableColumn], str]] = [
    (
        RATER_COLUMNS,
        "rater, done, progress, median/item, time spent, time left, skipped, comments, last active",
    ),
    (LOG_COLUMNS, "time, user, action, details"),
    (FILE_COLUMNS, "file, added, present, left out, conflicts"),
    (CONFLICT_COLUMNS, "rater, item, field, first, second, second file"),
    (results_page.COLUMNS, "rater, segment, system, kind, text, when"),
    (rater_panes.COLUMNS, "measure, value, 95 %, n, interpretation"),
    (SCALE_COLUMNS, "rater, ratings, mean, sd, s/item, repeats, vs. others, run, quality control, notes"),
    (RANK_COLUMNS, "rater, items, judgements, ties, s/item, κ on repeats, vs. others, notes"),
]


@pytest.mark.parametrize(("columns", "exported"), TABLES)
def test_headers_are_in_sentence_case_and_copied_headers_are_stable(
    columns: Sequence[TableColumn], exported: str
) -> None:
    lower = [column.header for column in columns if column.header[0].islower()]
    assert [header for header in lower if header not in SYMBOLS] == []
    assert TableModel(columns).full_table().header == tuple(exported.split(", "))
