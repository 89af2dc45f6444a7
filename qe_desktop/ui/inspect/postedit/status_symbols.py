"""How far the review of a segment is, as a sign that every font has, and in words."""

from __future__ import annotations

from collections.abc import Mapping

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.i18n.messages import tr

STATUS_SYMBOLS: Mapping[ReviewStatus, str] = {
    ReviewStatus.OPEN: "○",
    ReviewStatus.EDITED: "✎",
    ReviewStatus.CONFIRMED: "✓",
    ReviewStatus.REJECTED: "✗",
    ReviewStatus.LOCKED: "⊘",
}
NOTE_SYMBOL = "¶"
"""Beside the sign of a segment that has a note."""


def status_symbol(view: View, segment: int) -> str:
    """The sign of a segment's status, with that of a note where it has one."""
    sign = STATUS_SYMBOLS[view.status(segment)]
    return f"{sign} {NOTE_SYMBOL}" if view.note(segment) else sign


def status_description(view: View, segment: int) -> str:
    """The same in words."""
    status = view.status(segment).shown
    return tr("{status}, with a note", status=status) if view.note(segment) else status


def is_reviewable(view: View) -> bool:
    """Whether there is something to review: translators' files, or anything that somebody has reviewed."""
    review = view.review
    return view.corpus.job is not None or bool(review.targets or review.statuses or review.notes)
