"""Results of QA checks of the current targets in a view, as rows of a list or report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.corpus.progress import OnStep
from qe_desktop.corpus.text import Span
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.live_checks import CONSISTENCY_CHECK, SegmentPairBuilder, TargetChecks
from qe_desktop.local_qe.qa_checks.repetitions import find_inconsistent
from qe_desktop.local_qe.qa_checks.runner import CHECKS, REPORT_INTERVAL


class QaResult(NamedTuple):
    """Problem in a target, as a row in a list of results.

    `segment` is the 0-based index of the segment and `id` its display name; `check` is the name of the check and
    `title` its localized name. `source` and `target` are texts without inline codes, with line breaks as U+2028. `span`
    is the span of the problem in the target, empty for missing text. `source_spans` are all spans that the check marks
    in the source of the segment.
    """

    segment: int
    id: str
    check: str
    title: str
    message: str
    source: str
    target: str
    span: Span
    source_spans: tuple[Span, ...] = ()


_ORDER = {check.name: order for order, check in enumerate(CHECKS)}
SegmentNamer = Callable[[int], str]
"""Function that returns the display name of a segment, given its 0-based index."""


def view_qa_results(
    view: View,
    checks: Sequence[Check] = CHECKS,
    segment_namer: SegmentNamer | None = None,
    report: OnStep = lambda share, text: None,
) -> list[QaResult]:
    """Run checks on all current targets of a view; return one row per segment, check and message, in text order.

    `checks` must be configured with the user's word lists (`configure_checks`). `segment_namer` defaults to
    `segment_names(view)`. An exception raised by `report`, which is called to report progress, cancels the run.
    """
    pairs = _ViewPairs(view, lambda: report(0, ""))
    rows = _ResultRows(segment_names(view) if segment_namer is None else segment_namer)
    reviewed_segments = _edited_or_confirmed(view)
    for order, check in enumerate(checks):
        report(order / len(checks), check.title)
        checked = pairs.of(check)
        issues = (
            find_inconsistent(checked, reviewed_segments) if check.name == CONSISTENCY_CHECK else check.find(checked)
        )
        for segment, issue in issues:
            rows.add(check, pairs[segment], issue)
    return rows.in_text_order()


def checked_segment_count(view: View) -> int:
    """Return the number of segments that the checks examine: all except locked segments without a target."""
    job = view.corpus.job
    locked = [] if job is None else np.flatnonzero(job.statuses == int(ReviewStatus.LOCKED)).tolist()
    return view.corpus.size - sum(not view.target(segment).strip() for segment in locked)


def target_qa_results(checks: TargetChecks, segment: int, segment_namer: SegmentNamer) -> list[QaResult]:
    """Return the results for the current target of one segment, as rows like those of `view_qa_results`.

    The result is empty for a locked segment without a target.
    """
    rows = _ResultRows(segment_namer)
    pair, issues = checks.current_issues(segment)
    if pair.mt.strip() or not checks.view.is_locked(segment):
        for check, issue in issues:
            rows.add(check, pair, issue)
    return rows.in_text_order()


def qa_result_position(result: QaResult) -> tuple[int, int, int, str]:
    """Sort key of results: segment, offset in the target, order of the check, and message."""
    return result.segment, result.span[0], _ORDER.get(result.check, len(_ORDER)), result.message


def span_in_target(view: View, result: QaResult) -> Span:
    """Span of a result in the current target, as offsets in the text of the target without inline codes."""
    builder, line = SegmentPairBuilder(view.corpus), view.target(result.segment)
    return builder.map_span(builder.pair(result.segment, line), line, result.span)


def _edited_or_confirmed(view: View) -> frozenset[int]:
    """Segments whose target the user edited or confirmed; these determine the usual translation of their source."""
    confirmed = (segment for segment, status in view.review.statuses.items() if status is ReviewStatus.CONFIRMED)
    return frozenset((*view.post_edited_segments(), *confirmed))


class _ResultRows:
    """Collector of result rows: one per segment, check and message."""

    def __init__(self, segment_namer: SegmentNamer) -> None:
        self._segment_namer = segment_namer
        self._rows: dict[tuple[int, str, str], QaResult] = {}
        self._source_spans: dict[tuple[int, str], list[Span]] = {}

    def add(self, check: Check, pair: SegmentPair, issue: QaIssue) -> None:
        """Add a row for a problem in the target, unless its segment already has a row with this check and message.

        For a problem in the source, no row is added; its span is stored for the segment's rows with this check.
        """
        segment, name, message = pair.segment, check.name, issue.reason
        if issue.is_in_source:
            self._source_spans.setdefault((segment, name), []).append(issue.span)
        elif (segment, name, message) not in self._rows:
            self._rows[segment, name, message] = QaResult(
                segment, self._segment_namer(segment), name, check.title, message, pair.source, pair.mt, issue.span
            )

    def in_text_order(self) -> list[QaResult]:
        """Return the rows in text order, each with the spans that its check marks in the source."""
        spans = self._source_spans
        rows = [
            result._replace(source_spans=tuple(spans.get((result.segment, result.check), ())))
            for result in self._rows.values()
        ]
        return sorted(rows, key=qa_result_position)


class _ViewPairs:
    """Pairs of source and current target; locked segments without a target are not checked."""

    def __init__(self, view: View, check_cancelled: Callable[[], object]) -> None:
        builder = SegmentPairBuilder(view.corpus)
        self._pairs: list[SegmentPair] = []
        for segment in range(view.corpus.size):
            if not segment % REPORT_INTERVAL:
                check_cancelled()
            self._pairs.append(builder.pair(segment, view.target(segment)))
        self._filled = [pair for pair in self._pairs if pair.mt.strip()]
        self._all = [pair for pair in self._pairs if pair.mt.strip() or not view.is_locked(pair.segment)]

    def __getitem__(self, segment: int) -> SegmentPair:
        return self._pairs[segment]

    def of(self, check: Check) -> Sequence[SegmentPair]:
        """Pairs that a check examines; `check.includes_empty_targets` states whether a pair may lack a target."""
        return self._all if check.includes_empty_targets else self._filled


def segment_names(view: View) -> SegmentNamer:
    """Return a function that names segments: by number or, with several files, by file name and number in the file."""
    job = view.corpus.job
    if job is None or len(job.files) < 2:
        return lambda segment: str(segment + 1)
    names = [f"{file.name}:{number}" for file in job.files for number in range(1, file.count + 1)]
    return lambda segment: names[segment]
