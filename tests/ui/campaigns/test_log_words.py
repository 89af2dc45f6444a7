"""The log is kept in English and read in any language."""

from __future__ import annotations

import pytest

from qe_desktop.project.events import IMPORTED, RESTORED, SET_UP, TAKEN_BACK, UNBLINDED, AuditRow
from qe_desktop.report.rating_exports import EXPORTED
from qe_desktop.ui.campaigns.progress import log_rows
from qe_desktop.ui.campaigns.progress.log_rows import entry_text, log_cells


@pytest.mark.parametrize("what", [IMPORTED, RESTORED, SET_UP, TAKEN_BACK, UNBLINDED, EXPORTED])
def test_whatever_is_logged_has_words(what: str) -> None:
    assert what in log_rows._HAPPENED
    assert log_rows.what_happened(AuditRow(0.0, "Olga", what, {})) == what


def test_what_another_program_logged_is_shown_as_it_was_written() -> None:
    row = AuditRow(0.0, "Olga", "moon landed on", {"where": "command line", "craters": 1200, "done": [3, 1000]})
    assert [cell.text for cell in log_cells(row)][1:] == [
        "Olga", "moon landed on", "where: command line, craters: 1,200, 3 of 1,000 items done",
    ]  # fmt: skip
    assert entry_text({"listed": ["a", "b"], "conflicts": 1}) == "listed: 2 entries\n    a\n    b\nconflicts: 1"
