"""View of the differences between target and MT: removed words struck out, added words underlined, both shaded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QFont, QFontMetrics, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun, DiffType
from qe_desktop.ui.inspect.postedit.target_document import (
    CODE_OBJECT_TYPE,
    OBJECT_CHARACTER,
    InlineCodeObject,
    code_format,
    set_document_font,
)
from qe_desktop.ui.theme import Theme, current, themes

MAX_LINES, MAX_LINES_WHILE_TYPING = 6, 2
"""Maximum numbers of lines; longer text scrolls."""
CONTEXT_CHARS = 24
"""Maximum number of characters of context on either side of a change while the user types."""
ELLIPSIS = " … "


class DiffView(QTextEdit):
    """Read-only view of diff runs whose text can be copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[DiffRun, ...] = ()
        self._filling = False
        self._typing = False
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(tr("Changes from the MT"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(7)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        # the layout does not own the handler
        self._painter = InlineCodeObject(self)
        self.document().documentLayout().registerHandler(CODE_OBJECT_TYPE, self._painter)
        themes.theme_changed.connect(self._fill)

    def show_reading(self, font: QFont, *, right_to_left: bool) -> None:
        """Set font and text direction."""
        if set_document_font(self.document(), font, right_to_left=right_to_left):
            self._fit()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return the selected text without the placeholders of inline codes."""
        data = QMimeData()
        data.setText(self.textCursor().selection().toPlainText().replace(OBJECT_CHARACTER, ""))
        return data

    def show_typing(self, typing: bool) -> None:
        """Set whether the view is below an editor, where it is smaller and shows less context."""
        if typing is not self._typing:
            self._typing = typing
            self._fill()

    def show_runs(self, runs: Sequence[DiffRun]) -> None:
        """Show these diff runs."""
        if tuple(runs) != self._runs:
            self._runs = tuple(runs)
            self._fill()

    def _fill(self) -> None:
        theme = current()
        self._filling = True
        self.document().clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for run in shorten_diff(self._runs) if self._typing else self._runs:
            _insert(cursor, run, _format(run.change, theme))
        cursor.endEditBlock()
        self._filling = False
        self.verticalScrollBar().setValue(0)
        self._fit()
        self.setAccessibleDescription(accessible_diff(self._runs))

    def _fit(self) -> None:
        if self._filling:
            # an empty document between two texts would shrink the view and move its surroundings
            return
        lines = MAX_LINES_WHILE_TYPING if self._typing else MAX_LINES
        max_height = QFontMetrics(self.document().defaultFont()).lineSpacing() * lines + 14
        height = round(min(max_height, self.document().size().height()))
        if height != self.height():
            self.setFixedHeight(max(1, height))


def _insert(cursor: QTextCursor, run: DiffRun, how: QTextCharFormat) -> None:
    """Insert a run with its inline codes; leading white space is not formatted."""
    words = run.text.lstrip()
    offsets = sorted({0, len(run.text) - len(words), len(run.text), *(positioned.place for positioned in run.codes)})
    for start, stop in pairwise([*offsets, len(run.text)]):
        for positioned in run.codes:
            if positioned.place == start:
                cursor.insertText(OBJECT_CHARACTER, code_format(positioned.code, how))
        text = run.text[start:stop]
        cursor.insertText(text, how if text.strip() or start else QTextCharFormat())


def _format(change: DiffType, theme: Theme) -> QTextCharFormat:
    char_format = QTextCharFormat()
    char_format.setForeground(theme.text)
    if change is DiffType.REMOVED:
        char_format.setFontStrikeOut(True)
        char_format.setForeground(theme.bad)
        char_format.setBackground(theme.bad_fill)
    elif change is DiffType.ADDED:
        char_format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        char_format.setUnderlineColor(theme.ok)
        char_format.setBackground(theme.ok_fill)
    return char_format


def shorten_diff(runs: Sequence[DiffRun]) -> list[DiffRun]:
    """Return the changes with some context; an ellipsis replaces the rest, and inline codes are left out."""
    shortened, last = [], len(runs) - 1
    for index, run in enumerate(runs):
        text = run.text
        if run.change is DiffType.KEPT and len(text) > 2 * CONTEXT_CHARS:
            before = "" if index == 0 else _whole_words(text[:CONTEXT_CHARS], text[CONTEXT_CHARS])
            after = "" if index == last else _whole_words(text[::-1][:CONTEXT_CHARS], text[::-1][CONTEXT_CHARS])[::-1]
            text = f"{before}{ELLIPSIS}{after}"
        shortened.append(DiffRun(run.change, text))
    return shortened


def _whole_words(text: str, behind: str) -> str:
    """Return the text without a partial word at its end; unchanged if its script does not separate words by spaces."""
    return text if behind.isspace() or " " not in text.strip() else text[: text.rindex(" ")]


def accessible_diff(runs: Sequence[DiffRun]) -> str:
    """Describe the changes for screen readers; empty if there are none."""
    descriptions = {
        DiffType.REMOVED: lambda text: tr("removed “{words}”", words=text),
        DiffType.ADDED: lambda text: tr("added “{words}”", words=text),
    }
    return "; ".join(descriptions[run.change](run.text.strip()) for run in runs if run.change in descriptions)
