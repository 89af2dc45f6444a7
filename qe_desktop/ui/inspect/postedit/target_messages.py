"""Messages about a target: its status and statistics, differing inline codes, and a question if it is empty."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from qe_desktop.corpus import ReviewStatus, TextRole, View
from qe_desktop.formats.bilingual.plain_lines import split_line
from qe_desktop.i18n.messages import tr
from qe_desktop.project import SessionChange
from qe_desktop.ui.inspect.postedit.status_symbols import STATUS_SYMBOLS
from qe_desktop.ui.inspect.postedit.target_diff import SegmentContext, TargetDiff
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.shell.notice_slot import NoticeSlot
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.workspace import Workspace


def status_text(view: View, segment: int) -> str:
    """Return the symbol and status of a segment and, unless it is open, who last set the target or the status."""
    status = view.status(segment)
    if status is ReviewStatus.LOCKED:
        return tr("{sign} locked in its file (read-only)", sign=STATUS_SYMBOLS[status])
    person = view.review.people.get(segment, "")
    is_reviewed = segment in view.review.statuses or segment in view.review.targets
    if person and is_reviewed and status is not ReviewStatus.OPEN:
        return tr("{sign} {status} by {person}", sign=STATUS_SYMBOLS[status], status=status.display_name, person=person)
    return f"{STATUS_SYMBOLS[status]} {status.display_name}"


def statistics_text(draft: TargetDiff, seconds: float, decimals: int, *, hter: bool = True) -> str:
    """Return a text with the statistics of `draft` and the recorded time; empty if there are neither edits nor time.

    The statistics are HTER (if `hter` is true) and the numbers of edited words and of inserted words.
    """
    parts = []
    if draft.is_edited:
        edits, words = draft.edits, len(draft.context.words)
        if edits is None:
            parts += [tr("too long for HTER")] if hter else []
        else:
            edited = edits.edited_word_count
            if hter:
                parts.append(f"HTER {format_score(edits.hter, decimals)}")
            if not words:
                parts.append(tr("empty MT"))
            elif hter:
                parts.append(tr("{n} of {words} {words:word|words} edited", "", edited, words=words))
            else:
                parts.append(tr("{n} of {words} MT {words:word|words} changed", "", edited, words=words))
        if edits is not None and edits.inserted_word_count:
            parts.append(tr("{n} {n:word|words} added", "", edits.inserted_word_count))
    if seconds:
        parts.append(tr("{seconds:.0f} s", seconds=seconds))
    return " · ".join(parts)


def notes_text(notes: Iterable[str]) -> str:
    """Return the notes on a segment in the bilingual file, one per line."""
    return "\n".join(tr("in the file: {note}", note=" ".join(note.split())) for note in notes)


def codes_text(view: View, segment: int) -> str:
    """Return a warning that inline codes of a target are missing, extra or misplaced, which saving will report.

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


def is_blank(line: str) -> bool:
    """Return whether a line contains only white space and codes."""
    return not any(isinstance(piece, str) and piece.strip() for piece in split_line(line))


def is_target_empty(view: View, segment: int, target: str) -> bool:
    """Return whether a target is empty although its source is not; without a source, the MT is used instead."""
    corpus = view.corpus
    has_source = corpus.job is not None or bool({TextRole.SOURCE, TextRole.RAW_SOURCE} & corpus.texts.keys())
    original = corpus.source_line(segment) if has_source else corpus.mt_line(segment)
    return is_blank(target) and not is_blank(original)


class CodesNotice:
    """Notice shown if saving would report inline codes of a confirmed target; its button goes to the segment.

    The notice is removed when saving accepts the codes. `go_to` is called with the segment.
    """

    def __init__(self, workspace: Workspace, go_to: Callable[[int], object]) -> None:
        self.slot: NoticeSlot | None = None
        """Slot that shows the notice; None if notices are not shown."""
        self._workspace, self._go_to = workspace, go_to
        self._segment: int | None = None
        workspace.opened.connect(self._remove)
        workspace.changed.connect(self._on_change)

    def check(self, segment: int) -> None:
        """Show the notice if saving would report the inline codes of a segment."""
        view = self._workspace.view
        text = "" if view is None else codes_text(view, segment)
        if not text:
            return
        self._segment = segment
        if self.slot is not None:
            button = tr("Go to segment {number:,}", number=segment + 1), partial(self._go_to, segment)
            self.slot.show(Message(text, buttons=(button,)))

    def _on_change(self, change: SessionChange) -> None:
        view = self._workspace.view
        if view is None or self._segment is None or not change.may_affect(self._segment):
            return
        if not codes_text(view, self._segment):
            self._remove()

    def _remove(self) -> None:
        if self._segment is not None and self.slot is not None:
            self.slot.remove_messages()
        self._segment = None


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
