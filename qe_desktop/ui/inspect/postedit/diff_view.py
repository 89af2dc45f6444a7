"""View of the differences between target and MT: removed words struck out, added words underlined, both shaded.

A moved block is shaded in a different colour; its number is shown at the old and at the new position.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import (
    QFont,
    QMouseEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QTextEdit

from qe_desktop.i18n.messages import tr
from qe_desktop.project.review.target_changes import ChangeKind
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun
from qe_desktop.ui.inspect.postedit.target_document import (
    CODE_OBJECT_TYPE,
    OBJECT_CHARACTER,
    InlineCodeObject,
    code_format,
    set_document_font,
)
from qe_desktop.ui.inspect.reader.word_decorations import PositionedCode
from qe_desktop.ui.theme import Theme, current, themes

MAX_LINES, MAX_LINES_WHILE_TYPING = 6, 2
"""Maximum number of lines shown without scrolling: normally, and while the target is being edited."""
DOCUMENT_MARGIN = 7
"""Margin around the text, in pixels."""
CONTEXT_CHARS = 24
"""Maximum number of characters of context on either side of a change in shortened texts."""
MAX_WHOLE_CHARS = 2_500
"""Maximum number of characters shown in full; longer texts are shortened to the changes and their context."""
ELLIPSIS = " … "
_MOVE_PROPERTY = QTextFormat.Property.UserProperty + 3
"""Text format property that marks the numbers of moved blocks, which are not part of the text."""


class DiffView(QTextEdit):
    """Read-only view of diff runs, at most `max_lines` lines high; the text can be copied."""

    def __init__(self, max_lines: int = MAX_LINES) -> None:
        super().__init__()
        self._max_lines = max_lines
        self._runs: tuple[DiffRun, ...] = ()
        self._is_filling = False
        self._is_typing = False
        self._max_whole_height = 0
        """Maximum height in pixels of an unshortened text while no target is being edited; 0 for no limit."""
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(tr("Changes from the MT"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(DOCUMENT_MARGIN)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        # the layout does not own the handler
        self._painter = InlineCodeObject(self)
        self.document().documentLayout().registerHandler(CODE_OBJECT_TYPE, self._painter)
        themes.theme_changed.connect(self._fill)

    def set_text_format(self, font: QFont, *, right_to_left: bool) -> None:
        """Set the font and the text direction."""
        if set_document_font(self.document(), font, right_to_left=right_to_left):
            self._fit()

    def copy_text_format(self, view: DiffView) -> None:
        """Adopt the font and text direction of another view."""
        direction = view.document().defaultTextOption().textDirection()
        right_to_left = direction == Qt.LayoutDirection.RightToLeft
        self.set_text_format(view.document().defaultFont(), right_to_left=right_to_left)

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return the selected text without the placeholders of inline codes and the numbers of moved blocks."""
        data = QMimeData()
        data.setText(_plain_text(self.textCursor().selection()).replace(OBJECT_CHARACTER, ""))
        return data

    def set_typing(self, typing: bool) -> None:
        """Set whether the target is being edited; the view is then smaller, and every text is shortened."""
        if typing is not self._is_typing:
            self._is_typing = typing
            # a click leaves the focus in the open target
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus if typing else Qt.FocusPolicy.ClickFocus)
            self._fill()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take the focus if text was selected, so that it can be copied."""
        super().mouseReleaseEvent(event)
        if self.textCursor().hasSelection():
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    @property
    def runs(self) -> tuple[DiffRun, ...]:
        """Runs that are shown."""
        return self._runs

    def set_max_whole_height(self, height: int) -> None:
        """Set the maximum height in pixels of an unshortened text; 0 for no limit.

        Texts that are taller are shortened to the changes with some context. While a target is being edited, every text
        is shortened.
        """
        if height != self._max_whole_height:
            self._max_whole_height = height
            if self._runs and not self._is_typing:
                self._fill()

    def show_runs(self, runs: Sequence[DiffRun]) -> None:
        """Replace the runs that are shown; long texts are shortened to the changes with some context."""
        if tuple(runs) != self._runs:
            self._runs = tuple(runs)
            self._fill()

    def _fill(self) -> None:
        self._is_filling = True
        shortened = self._is_typing or sum(len(run.text) for run in self._runs) > MAX_WHOLE_CHARS
        self._insert_runs(shorten_diff(self._runs) if shortened else self._runs)
        if not shortened and 0 < self._max_whole_height < self.document().size().height():
            self._insert_runs(shorten_diff(self._runs))
        self._is_filling = False
        # the cursor of the view is after the inserted text, and a change of size would scroll to it
        self.setTextCursor(QTextCursor(self.document()))
        self.verticalScrollBar().setValue(0)
        self._fit()
        self.setAccessibleDescription(accessible_diff(self._runs))

    def _insert_runs(self, runs: Sequence[DiffRun]) -> None:
        theme = current()
        self.document().clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for run in space_changes(runs):
            _insert(cursor, run, change_format(run, theme))
        cursor.endEditBlock()

    def height_of(self, lines: int) -> int:
        """Return the height in pixels of `lines` lines, including the margins.

        Lines are measured with an ellipsis, whose fallback font may make a line taller.
        """
        line = QTextDocument()
        line.setDefaultFont(self.document().defaultFont())
        line.setDocumentMargin(0)
        line.setPlainText(ELLIPSIS)
        return ceil(line.size().height()) * lines + 2 * DOCUMENT_MARGIN

    @property
    def shows_all_lines(self) -> bool:
        """Whether all lines are visible without scrolling."""
        return self.document().size().height() <= self.height() + 1

    def _fit(self) -> None:
        if self._is_filling:
            # an empty document between two texts would shrink the view and move its surroundings
            return
        lines = MAX_LINES_WHILE_TYPING if self._is_typing else self._max_lines
        height = round(min(self.height_of(lines), self.document().size().height()))
        if self._is_typing:
            height = max(height, self.height_of(1))
        if height != self.height():
            self.setFixedHeight(max(1, height))


def _insert(cursor: QTextCursor, run: DiffRun, text_format: QTextCharFormat) -> None:
    """Insert a run with its inline codes; leading white space is not formatted."""
    words = run.text.lstrip()
    offsets = sorted({0, len(run.text) - len(words), len(run.text), *(positioned.offset for positioned in run.codes)})
    for start, stop in pairwise([*offsets, len(run.text)]):
        for positioned in run.codes:
            if positioned.offset == start:
                cursor.insertText(OBJECT_CHARACTER, code_format(positioned.code, text_format))
        text = run.text[start:stop]
        cursor.insertText(text, text_format if text.strip() or start else QTextCharFormat())
    if run.move:
        number = QTextCharFormat(text_format)
        number.setProperty(_MOVE_PROPERTY, run.move)
        number.setFontStrikeOut(False)
        number.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
        cursor.insertText(str(run.move), number)


def change_format(run: DiffRun, theme: Theme) -> QTextCharFormat:
    """Return the character format that shows how a run was changed, in the colours of a theme."""
    char_format = QTextCharFormat()
    char_format.setForeground(theme.text)
    if run.move:
        char_format.setToolTip(tr("Moved block {number}", number=run.move))
    if run.change is ChangeKind.REMOVED:
        char_format.setFontStrikeOut(True)
        char_format.setForeground(theme.miss if run.move else theme.bad)
        char_format.setBackground(theme.miss_fill if run.move else theme.bad_fill)
    elif run.change is ChangeKind.ADDED:
        lines = QTextCharFormat.UnderlineStyle
        char_format.setUnderlineStyle(lines.DashUnderline if run.move else lines.SingleUnderline)
        char_format.setUnderlineColor(theme.miss if run.move else theme.ok)
        char_format.setBackground(theme.miss_fill if run.move else theme.ok_fill)
    return char_format


def _plain_text(selection: QTextDocumentFragment) -> str:
    """Return the text of a selection without the numbers of moved blocks."""
    document = QTextDocument()
    cursor = QTextCursor(document)
    cursor.insertFragment(selection)
    spans = []
    block = document.begin()
    while block.isValid():
        parts = block.begin()
        while not parts.atEnd():
            fragment = parts.fragment()
            if fragment.charFormat().hasProperty(_MOVE_PROPERTY):
                spans.append((fragment.position(), fragment.position() + fragment.length()))
            parts += 1
        block = block.next()
    for start, end in reversed(spans):
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
    return document.toPlainText()


def runs_without_changes(runs: Sequence[DiffRun]) -> tuple[DiffRun, ...]:
    """Return the target, without the removed words, as one unchanged run with its inline codes; empty without runs."""
    text = ""
    codes: list[PositionedCode] = []
    for run in runs:
        if run.change is not ChangeKind.REMOVED:
            codes += [PositionedCode(len(text) + offset, code) for offset, code in run.codes]
            text += run.text
    return (DiffRun(ChangeKind.KEPT, text, tuple(codes)),) if runs else ()


def shorten_diff(runs: Sequence[DiffRun]) -> list[DiffRun]:
    """Return the changes with some context; an ellipsis replaces the rest, and inline codes are left out.

    Moved blocks, and texts without changes, are shortened to their beginning and their end.
    """
    shortened, last = [], len(runs) - 1
    for index, run in enumerate(runs):
        text = run.text
        if run.move:
            text = shorten_text(text)
        elif run.change is ChangeKind.KEPT:
            text = shorten_text(text, keep_start=index > 0 or not last, keep_end=index < last or not last)
        shortened.append(DiffRun(run.change, text, (), run.move))
    return shortened


def space_changes(runs: Sequence[DiffRun]) -> list[DiffRun]:
    """Return the runs, with a space inserted between removed and added words that no white space separates.

    If the first run is a removal, a space is also inserted between this run and a kept run that follows. White space
    may be missing because a word includes only the white space before it; the first word of a text and the words of
    some scripts have no white space before them.
    """
    spaced: list[DiffRun] = []
    for run in runs:
        before = spaced[-1] if spaced else None
        follows_removed = before is not None and before.change is ChangeKind.REMOVED
        needs_space = follows_removed and (run.change is ChangeKind.ADDED or len(spaced) == 1)
        if before is not None and needs_space and not (before.text[-1:].isspace() or run.text[:1].isspace()):
            codes = tuple(positioned._replace(offset=positioned.offset + 1) for positioned in run.codes)
            run = run._replace(text=f" {run.text}", codes=codes)
        spaced.append(run)
    return spaced


def shorten_text(text: str, *, keep_start: bool = True, keep_end: bool = True) -> str:
    """Shorten a long text to its start (if `keep_start`) and its end (if `keep_end`); an ellipsis replaces the rest."""
    if len(text) <= 2 * CONTEXT_CHARS:
        return text
    before = _cut_partial_word(text[:CONTEXT_CHARS], text[CONTEXT_CHARS]) if keep_start else ""
    after = _cut_partial_word(text[::-1][:CONTEXT_CHARS], text[::-1][CONTEXT_CHARS])[::-1] if keep_end else ""
    # at the start, the ellipsis is aligned with the texts above
    return f"{before}{ELLIPSIS}{after}" if before else f"{ELLIPSIS.lstrip()}{after}"


def _cut_partial_word(text: str, following: str) -> str:
    """Return `text` without a partial word at its end; `following` is the character after `text`.

    A text without spaces between words is returned unchanged.
    """
    return text if following.isspace() or " " not in text.strip() else text[: text.rindex(" ")]


def accessible_diff(runs: Sequence[DiffRun]) -> str:
    """Describe the changes for screen readers, with moved blocks at their new positions; empty if nothing changed."""
    descriptions = []
    for run in runs:
        words = run.text.strip()
        if run.move and run.change is ChangeKind.ADDED:
            descriptions.append(tr("moved “{words}”", words=shorten_text(words)))
        elif run.change is ChangeKind.REMOVED and not run.move:
            descriptions.append(tr("removed “{words}”", words=words))
        elif run.change is ChangeKind.ADDED:
            descriptions.append(tr("added “{words}”", words=words))
    return "; ".join(descriptions)
