"""Figures of a target in words."""

from __future__ import annotations

from collections.abc import Iterable

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.postedit.status_symbols import STATUS_SYMBOLS
from qe_desktop.ui.inspect.postedit.target_diff import EditCounts, SegmentContext, TargetDiff


def status_text(view: View, segment: int) -> str:
    """A segment's status with its sign, and who gave it."""
    status = view.status(segment)
    if status is ReviewStatus.LOCKED:
        return tr("{sign} locked in its file, and cannot be edited here", sign=STATUS_SYMBOLS[status])
    person = view.review.people.get(segment, "")
    if person and (segment in view.review.statuses or segment in view.review.targets):
        return tr("{sign} {status} by {person}", sign=STATUS_SYMBOLS[status], status=status.shown, person=person)
    return f"{STATUS_SYMBOLS[status]} {status.shown}"


def figures_text(draft: TargetDiff, seconds: float, decimals: int) -> str:
    """HTER, edited words and the time that was recorded; empty where nothing was edited and no time recorded."""
    parts = []
    if draft.is_edited:
        counted = EditCounts.of(draft)
        if counted is None:
            parts.append(tr("too long for HTER"))
        else:
            parts.append(f"HTER {counted.hter:.{decimals}f}")
            edited = tr("{n} of {words} {words:word|words} edited", "", counted.edited, words=counted.words)
            parts.append(edited)
            if counted.added:
                parts.append(tr("added in {n} {n:place|places}", "", counted.added))
    if seconds:
        parts.append(tr("{seconds:.0f} s", seconds=seconds))
    return " · ".join(parts)


def notes_text(notes: Iterable[str]) -> str:
    """The notes that a file has on a segment, a line each."""
    return "\n".join(tr("in the file: {note}", note=" ".join(note.split())) for note in notes)


def codes_texts(view: View | None, segment: int) -> list[str]:
    """What saving will refuse of the codes of a target that is finished; only a translator's file has codes."""
    if (
        view is None
        or view.corpus.job is None
        or not SegmentContext(view, segment).drafted(view.target(segment)).is_refused
    ):
        return []
    return [tr("Segment {number:,} has other codes than its source, and cannot be saved so", "", number=segment + 1)]
