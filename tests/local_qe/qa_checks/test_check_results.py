"""All results of a view as rows, for lists and reports."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qe_desktop.corpus import View
from qe_desktop.corpus.translation_job import Review, ReviewStatus
from qe_desktop.local_qe.qa_checks.check_results import (
    checked_segment_count,
    segment_names,
    span_in_target,
    target_qa_results,
    view_qa_results,
)
from qe_desktop.local_qe.qa_checks.live_checks import TargetChecks
from qe_desktop.local_qe.qa_checks.runner import CHECKS, get_checks
from tests.local_qe.qa_checks.test_live_checks import open_workspace


def test_rows_are_of_the_current_targets():
    view = open_workspace()
    rows = view_qa_results(view)
    assert [(row.segment, row.id, row.check, str(row.message)) for row in rows] == [
        (0, "1", "numbers", "the source has 340, not 430")
    ]
    assert (rows[0].source, rows[0].target, rows[0].span) == ("with 340 men", "mit 430 Mann", (4, 7))
    assert rows[0].source_spans == ((5, 8),)
    edited = View(view.corpus, review=Review(targets={0: "mit 340 Mann", 5: "", 2: "Das  gleiche."}))
    rows = view_qa_results(edited, segment_namer=lambda segment: f"s{segment}")
    # the edited translation is preferred to those that were only loaded
    assert [(row.id, row.check) for row in rows] == [
        ("s2", "spaces"), ("s3", "consistency"), ("s4", "consistency"), ("s5", "empty"),
    ]  # fmt: skip


def test_each_message_is_one_row():
    sources, targets = ["on 12/31/99 at 23:13"], ["am 18.11.2005 um 15:14"]
    (row,) = view_qa_results(open_workspace(sources, targets), get_checks(["numbers"]))
    assert row.message == "the source has 12, 31, 99, 23, 13, not 18, 11, 2005, 15, 14"
    assert len(row.source_spans) == 5


def test_locked_segments_without_a_target_do_not_count_as_checked():
    view = open_workspace(["one", "two", "three"], ["eins", "", "drei"])
    job = replace(view.corpus.job, statuses=np.full(3, int(ReviewStatus.LOCKED), view.corpus.job.statuses.dtype))
    assert checked_segment_count(view) == 3
    assert checked_segment_count(View(replace(view.corpus, job=job))) == 2


def test_progress_can_cancel():
    shares: list[float] = []
    view_qa_results(open_workspace(), report=lambda share, text: shares.append(share))
    assert shares == sorted(shares)
    assert len(shares) > 5


def test_rows_of_one_target_are_those_of_all_targets():
    loaded = open_workspace()
    checks = TargetChecks(loaded, CHECKS)
    edits = {0: "mit 430 Mann Mann ", 2: "Das  gleiche.", 3: "Dasselbe", 5: "", 6: "34 12"}
    edited = View(loaded.corpus, review=Review(targets=edits, statuses={4: ReviewStatus.CONFIRMED}))
    checks.update_to_view(edited, checks.affected_segments([*edits, 4]))
    names = segment_names(edited)
    rows = [row for segment in range(edited.corpus.size) for row in target_qa_results(checks, segment, names)]
    assert rows == view_qa_results(edited)
    assert checks.affected_segments([2]) == {2, 3, 4}
    assert {row.check for row in rows} >= {"doubled", "numbers", "spaces", "consistency", "empty"}


def test_place_of_a_finding_is_that_in_the_text_as_edited():
    view = open_workspace(["the same (word)"], ["dasselbe  Wort ⟨1⟩(so)⟨/1⟩ so so"])
    places = {row.check: span_in_target(view, row) for row in view_qa_results(view, get_checks(["spaces", "doubled"]))}
    text = "dasselbe  Wort (so) so so"
    assert {check: text[start:end] for check, (start, end) in places.items()}["doubled"] == "so"
    assert places["spaces"][0] == text.index("  ")
