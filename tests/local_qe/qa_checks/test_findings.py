"""All findings of a view as rows, for lists and reports."""

from __future__ import annotations

from qe_desktop.corpus import View
from qe_desktop.corpus.review import Review
from qe_desktop.local_qe.qa_checks.findings import view_findings
from qe_desktop.local_qe.qa_checks.runner import get_checks
from tests.local_qe.qa_checks.test_live_checks import opened


def test_rows_are_of_the_current_targets():
    view = opened()
    rows = view_findings(view)
    assert [(row.segment, row.id, row.check, str(row.message)) for row in rows] == [
        (0, "1", "numbers", "the source has 340 instead of 430")
    ]
    assert (rows[0].source, rows[0].target, rows[0].span) == ("with 340 men", "mit 430 Mann", (4, 7))
    assert rows[0].source_spans == ((5, 8),)
    edited = View(view.corpus, review=Review(targets={0: "mit 340 Mann", 5: "", 2: "Das  gleiche."}))
    rows = view_findings(edited, id_of=lambda segment: f"s{segment}")
    assert [(row.id, row.check) for row in rows] == [("s2", "consistency"), ("s2", "spaces"), ("s5", "empty")]


def test_each_message_is_one_row():
    sources, targets = ["on 12/31/99 at 23:13"], ["am 18.11.2005 um 15:14"]
    (row,) = view_findings(opened(sources, targets), get_checks(["numbers"]))
    assert row.message == "the source has 12, 31, 99, 23, 13 instead of 18, 11, 2005, 15, 14"
    assert len(row.source_spans) == 5


def test_progress_can_cancel():
    seen: list[float] = []
    view_findings(opened(), report=lambda share, text: seen.append(share))
    assert seen == sorted(seen)
    assert len(seen) > 5
