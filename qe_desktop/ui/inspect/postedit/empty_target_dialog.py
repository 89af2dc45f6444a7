"""Question asked before an empty target is confirmed."""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.corpus import ReviewStatus, TextRole, View
from qe_desktop.formats.bilingual.plain_lines import split_line
from qe_desktop.i18n.messages import tr


def is_blank(line: str) -> bool:
    """Return whether a line contains only white space and codes."""
    return not any(isinstance(piece, str) and piece.strip() for piece in split_line(line))


def is_target_empty(view: View, segment: int, target: str) -> bool:
    """Return whether a target is empty although its source is not; without a source, the MT is used instead."""
    corpus = view.corpus
    has_source = corpus.job is not None or bool({TextRole.SOURCE, TextRole.RAW_SOURCE} & corpus.texts.keys())
    original = corpus.source_line(segment) if has_source else corpus.mt_line(segment)
    return is_blank(target) and not is_blank(original)


class EmptyTargetConfirmation:
    """Message that asks whether an empty target is intended; the user answers yes by confirming again.

    `show_message` replaces the current message; an empty text removes it.
    """

    def __init__(self, show_message: Callable[[str], object]) -> None:
        self._show_message = show_message
        self._pending_segment: int | None = None

    def ask_if_empty(self, view: View, segment: int, target: str, status: ReviewStatus) -> bool:
        """Show the question if an empty target is about to be confirmed; return whether it was shown.

        If the question is already shown for this segment, the user has confirmed again: remove it and return False.
        """
        if (
            status is not ReviewStatus.CONFIRMED
            or self._pending_segment == segment
            or not is_target_empty(view, segment, target)
        ):
            self.forget()
            return False
        self._pending_segment = segment
        self._show_message(
            tr("The target of segment {number:,} is empty. Confirm again to leave it empty.", number=segment + 1)
        )
        return True

    def forget(self) -> None:
        """Remove the question, if it is shown, after an answer, an edit or a change of segment."""
        if self._pending_segment is not None:
            self._pending_segment = None
            self._show_message("")
