"""Review status of a segment as a symbol and in words."""

from __future__ import annotations

from collections.abc import Mapping

from qe_desktop.corpus import ReviewStatus, TextRole, View
from qe_desktop.i18n.messages import tr

STATUS_SYMBOLS: Mapping[ReviewStatus, str] = {
    ReviewStatus.OPEN: "○",
    ReviewStatus.EDITED: "✎",
    ReviewStatus.CONFIRMED: "✓",
    ReviewStatus.REJECTED: "✗",
    ReviewStatus.LOCKED: "⊘",
}
NOTE_SYMBOL = "❝"
"""Symbol added to the status symbol of a segment with a note."""


def status_symbol(view: View, segment: int) -> str:
    """Return the status symbol of a segment, with the note symbol if it has a note."""
    sign = STATUS_SYMBOLS[view.status(segment)]
    return f"{sign} {NOTE_SYMBOL}" if view.note(segment) else sign


def status_description(view: View, segment: int) -> str:
    """Return the status of a segment in words; if the segment has a note, the text says so."""
    status = view.status(segment).display_name
    return tr("{status}, with a note", status=status) if view.note(segment) else status


def can_reopen(view: View, segment: int) -> bool:
    """Return whether a segment is confirmed or rejected, so that its status can be reset."""
    return view.status(segment) in (ReviewStatus.CONFIRMED, ReviewStatus.REJECTED)


def editable_view(view: View | None) -> View | None:
    """Return `view` if its corpus has segments and an MT, so that targets can be edited; otherwise None."""
    texts = {} if view is None else view.corpus.texts
    has_segments = view is not None and bool(view.corpus.size)
    return view if has_segments and (TextRole.MT in texts or TextRole.RAW_MT in texts) else None


def is_reviewable(view: View) -> bool:
    """Return whether the corpus is from a bilingual file or any segment has an edited target, a status or a note."""
    review = view.review
    return view.corpus.job is not None or bool(review.targets or review.statuses or review.notes)
