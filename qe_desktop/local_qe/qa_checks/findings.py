"""Findings of QA checks in the current targets of a view, as rows of a list or report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from qe_desktop.corpus import View
from qe_desktop.local_qe.qa_checks.check import Check, SegmentPair
from qe_desktop.local_qe.qa_checks.live_checks import SegmentPairBuilder
from qe_desktop.local_qe.qa_checks.runner import CHECKS, ReportProgress
from qe_desktop.local_qe.segment_text import Span


class Finding(NamedTuple):
    """Problem of a target: a row of a list of results.

    `segment` is its 0-based index, `id` names it for people, `check` is the name of the check and `title` its localized
    name. `source` and `target` are texts without inline codes, with line breaks as U+2028. `span` is the place in the
    target; it is empty for something missing. `source_spans` are places in the source.
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


IdOf = Callable[[int], str]
"""Returns the name of a segment for people."""


def view_findings(
    view: View,
    checks: Sequence[Check] = CHECKS,
    id_of: IdOf | None = None,
    report: ReportProgress = lambda share, text: None,
) -> list[Finding]:
    """Run checks on all current targets of a view; one row per segment, check and message, in text order.

    `checks` have the user's word lists (`configure_checks`). Segments are named by file and number unless `id_of` is
    given. Exceptions of `report` cancel the run.
    """
    pairs = _ViewPairs(view)
    name_of = _numbered_in_file(view) if id_of is None else id_of
    findings: list[tuple[int, int, int, Finding]] = []
    for order, check in enumerate(checks):
        report(order / len(checks), check.title)
        by_message: dict[tuple[int, str], Finding] = {}
        source_spans: dict[int, list[Span]] = {}
        for segment, issue in check.find(pairs.of(check)):
            if issue.of_source:
                source_spans.setdefault(segment, []).append(issue.span)
            elif (segment, issue.reason) not in by_message:
                pair = pairs[segment]
                by_message[segment, issue.reason] = Finding(
                    segment, name_of(segment), check.name, check.title, issue.reason, pair.source, pair.mt, issue.span
                )
        for finding in by_message.values():
            spans = tuple(source_spans.get(finding.segment, ()))
            findings.append((finding.segment, finding.span[0], order, finding._replace(source_spans=spans)))
    findings.sort(key=lambda item: item[:3])
    return [finding for *_, finding in findings]


class _ViewPairs:
    """Segment pairs of the current targets; locked segments without a target are left out."""

    def __init__(self, view: View) -> None:
        builder = SegmentPairBuilder(view.corpus)
        self._pairs = [builder.pair(segment, view.target(segment)) for segment in range(view.corpus.size)]
        self._filled = [pair for pair in self._pairs if pair.mt.strip()]
        self._all = [pair for pair in self._pairs if pair.mt.strip() or not view.is_locked(pair.segment)]

    def __getitem__(self, segment: int) -> SegmentPair:
        return self._pairs[segment]

    def of(self, check: Check) -> Sequence[SegmentPair]:
        """Pairs for a check."""
        return self._all if check.empty_targets else self._filled


def _numbered_in_file(view: View) -> IdOf:
    """Names of segments: their number or, with several files, the name of the file and the number within it."""
    job = view.corpus.job
    if job is None or len(job.files) < 2:
        return lambda segment: str(segment + 1)
    names = list(_names([(file.name, file.count) for file in job.files]))
    return lambda segment: names[segment]


def _names(files: Sequence[tuple[str, int]]) -> Iterator[str]:
    for name, count in files:
        yield from (f"{name}:{number}" for number in range(1, count + 1))
