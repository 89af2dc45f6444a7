"""Figures of a target in words."""

from __future__ import annotations

from collections.abc import Iterable

from qe_desktop.corpus import Status, View
from qe_desktop.ui.inspect.correcting.drafts import Basis, Counted, Draft
from qe_desktop.ui.inspect.correcting.statuses import SIGNS
from qe_desktop.wording import tr


def status_text(view: View, segment: int) -> str:
    """A segment's status with its sign, and who gave it."""
    status = view.status(segment)
    if status is Status.LOCKED:
        return tr("{sign} locked in its file, and cannot be edited here", sign=SIGNS[status])
    person = view.review.people.get(segment, "")
    if person and (segment in view.review.statuses or segment in view.review.targets):
        return tr("{sign} {status} by {person}", sign=SIGNS[status], status=status.shown, person=person)
    return f"{SIGNS[status]} {status.shown}"


def figures_text(draft: Draft, seconds: float, decimals: int) -> str:
    """HTER, edited words and the time that was recorded; empty where nothing was edited and no time recorded."""
    parts = []
    if draft.is_edited:
        counted = Counted.of(draft)
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
    if view is None or view.corpus.job is None or not Basis(view, segment).drafted(view.target(segment)).is_refused:
        return []
    return [tr("Segment {number:,} has other codes than its source, and cannot be saved so", "", number=segment + 1)]
