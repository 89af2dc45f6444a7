"""Texts that describe the status, statistics and notes of a target."""

from __future__ import annotations

from collections.abc import Iterable

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.postedit.status_symbols import STATUS_SYMBOLS
from qe_desktop.ui.inspect.postedit.target_diff import SegmentContext, TargetDiff
from qe_desktop.ui.scores.number_format import format_score


def status_text(view: View, segment: int) -> str:
    """Return the symbol and status of a segment and, if known, the user who last set the target or the status."""
    status = view.status(segment)
    if status is ReviewStatus.LOCKED:
        return tr("{sign} locked in its file (read-only)", sign=STATUS_SYMBOLS[status])
    person = view.review.people.get(segment, "")
    if person and (segment in view.review.statuses or segment in view.review.targets):
        return tr("{sign} {status} ({person})", sign=STATUS_SYMBOLS[status], status=status.display_name, person=person)
    return f"{STATUS_SYMBOLS[status]} {status.display_name}"


def statistics_text(draft: TargetDiff, seconds: float, decimals: int, *, hter: bool = True) -> str:
    """Return a text with the statistics of `draft` and the recorded time; empty if there are neither edits nor time.

    The statistics are HTER (if `hter` is true) and the numbers of edited words and of inserted words.
    """
    parts = []
    if draft.is_edited:
        edits, words = draft.edits, len(draft.context.words)
        if not hter:
            if edits is not None:
                parts.append(tr("{n} of {words} {words:word|words} changed", "", edits.edited_word_count, words=words))
        elif edits is None:
            parts.append(tr("too long for HTER"))
        else:
            parts.append(f"HTER {format_score(edits.hter, decimals)}")
            parts.append(tr("{n} of {words} {words:word|words} edited", "", edits.edited_word_count, words=words))
        if edits is not None and edits.inserted_word_count:
            parts.append(tr("{n} {n:word|words} inserted", "", edits.inserted_word_count))
    if seconds:
        parts.append(tr("{seconds:.0f} s", seconds=seconds))
    return " · ".join(parts)


def notes_text(notes: Iterable[str]) -> str:
    """Return the notes on a segment in the bilingual file, one per line."""
    return "\n".join(tr("in the file: {note}", note=" ".join(note.split())) for note in notes)


def codes_text(view: View, segment: int) -> str:
    """Return a warning that saving the bilingual file will report the inline codes of a target.

    Empty if saving accepts the codes, or if there is no bilingual file.
    """
    if view.corpus.job is None or not SegmentContext(view, segment).diff_with(view.target(segment)).is_refused:
        return ""
    return tr(
        "Segment {number:,}: the inline codes differ from those in the source; when you save, you "
        "will be asked what to do",
        "",
        number=segment + 1,
    )
