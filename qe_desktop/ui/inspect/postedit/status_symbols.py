"""How far the review of a segment is, as a sign that every font has, and in words."""

from __future__ import annotations

from collections.abc import Mapping

from qe_desktop.corpus import Status, View
from qe_desktop.wording import tr

SIGNS: Mapping[Status, str] = {
    Status.OPEN: "○",
    Status.EDITED: "✎",
    Status.CONFIRMED: "✓",
    Status.REJECTED: "✗",
    Status.LOCKED: "⊘",
}
NOTED = "¶"
"""Beside the sign of a segment that has a note."""


def sign_of(view: View, segment: int) -> str:
    """The sign of a segment's status, with that of a note where it has one."""
    sign = SIGNS[view.status(segment)]
    return f"{sign} {NOTED}" if view.note(segment) else sign


def said_of(view: View, segment: int) -> str:
    """The same in words."""
    status = view.status(segment).shown
    return tr("{status}, with a note", status=status) if view.note(segment) else status


def in_review(view: View) -> bool:
    """Whether there is something to review: translators' files, or anything that somebody has reviewed."""
    review = view.review
    return view.corpus.job is not None or bool(review.targets or review.statuses or review.notes)
