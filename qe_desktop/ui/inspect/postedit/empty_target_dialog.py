"""Asks once more before an empty target is confirmed."""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.corpus import ReviewStatus, TextRole, View
from qe_desktop.formats.bilingual.plain_lines import split_line
from qe_desktop.i18n.messages import tr


def is_blank(line: str) -> bool:
    """Whether a line with codes has no text but white space."""
    return not any(isinstance(piece, str) and piece.strip() for piece in split_line(line))


def is_target_empty(view: View, segment: int, target: str) -> bool:
    """Whether a target is empty though there is something to translate."""
    corpus = view.corpus
    has_source = corpus.job is not None or bool({TextRole.SOURCE, TextRole.RAW_SOURCE} & corpus.texts.keys())
    original = corpus.source_line(segment) if has_source else corpus.mt_line(segment)
    return is_blank(target) and not is_blank(original)


class EmptyTargetConfirmation:
    """A question that is no dialog: it is said, and confirming once more in the same segment answers it.

    `say` shows a text in the place of the one before; an empty one ends the question that is shown.
    """

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._asked: int | None = None

    def holds(self, view: View, segment: int, target: str, status: ReviewStatus) -> bool:
        """Whether a segment is not to be confirmed yet; then it is asked. Other statuses are set at once."""
        if status is not ReviewStatus.CONFIRMED or self._asked == segment or not is_target_empty(view, segment, target):
            self.forget()
            return False
        self._asked = segment
        text = tr("The target of segment {number:,} is empty: confirm once more to leave it so", number=segment + 1)
        self._say(text)
        return True

    def forget(self) -> None:
        """The question was answered, another segment is looked at, or something was typed: it would be asked again."""
        if self._asked is not None:
            self._asked = None
            self._say("")
