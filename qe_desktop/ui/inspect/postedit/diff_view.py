"""Shows what a target has otherwise than its MT: removed words struck through, added ones underlined, both shaded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QFont, QFontMetrics, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun, DiffType
from qe_desktop.ui.inspect.postedit.target_document import (
    CODE_OBJECT_TYPE,
    OBJECT_CHARACTER,
    InlineCodeObject,
    code_format,
)
from qe_desktop.ui.theme import Theme, current, themes

MAX_LINES, MAX_LINES_WHILE_TYPING = 6, 2
"""Lines at the most; more of them scroll."""
CONTEXT_CHARS = 24
"""Characters that are kept on either side of a change while one types."""
ELLIPSIS = " … "


class DiffView(QTextEdit):
    """Runs of words, to be read and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[DiffRun, ...] = ()
        self._filling = False
        self._typing = False
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(tr("Changes against the MT"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(7)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        # the layout does not hold it
        self._painter = InlineCodeObject(self)
        self.document().documentLayout().registerHandler(CODE_OBJECT_TYPE, self._painter)
        themes.theme_changed.connect(self._fill)

    def show_reading(self, font: QFont, *, right_to_left: bool) -> None:
        """Show them in this font, running this way."""
        option = QTextOption(self.document().defaultTextOption())
        way = Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
        if (self.document().defaultFont(), option.textDirection()) == (font, way):
            return
        self.document().setDefaultFont(font)
        option.setTextDirection(way)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self._fit()

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied: the text without the signs that stand for codes."""
        data = QMimeData()
        data.setText(self.textCursor().selection().toPlainText().replace(OBJECT_CHARACTER, ""))
        return data

    def show_typing(self, typing: bool) -> None:
        """Whether they stand below a target that is typed, and have less room: then the words around them will do."""
        if typing is not self._typing:
            self._typing = typing
            self._fill()

    def show_runs(self, runs: Sequence[DiffRun]) -> None:
        """Show other changes."""
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
            # between two texts it would be as low as none, and all that stands around it would move
            return
        lines = MAX_LINES_WHILE_TYPING if self._typing else MAX_LINES
        most = QFontMetrics(self.document().defaultFont()).lineSpacing() * lines + 14
        height = round(min(most, self.document().size().height()))
        if height != self.height():
            self.setFixedHeight(max(1, height))


def _insert(cursor: QTextCursor, run: DiffRun, how: QTextCharFormat) -> None:
    """Insert a run with its codes; the blank before it is not marked."""
    words = run.text.lstrip()
    cuts = sorted({0, len(run.text) - len(words), len(run.text), *(one.place for one in run.codes)})
    for low, high in pairwise([*cuts, len(run.text)]):
        for one in run.codes:
            if one.place == low:
                cursor.insertText(OBJECT_CHARACTER, code_format(one.code, how))
        text = run.text[low:high]
        cursor.insertText(text, how if text.strip() or low else QTextCharFormat())


def _format(change: DiffType, theme: Theme) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(theme.text)
    if change is DiffType.REMOVED:
        made.setFontStrikeOut(True)
        made.setForeground(theme.bad)
        made.setBackground(theme.bad_fill)
    elif change is DiffType.ADDED:
        made.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        made.setUnderlineColor(theme.ok)
        made.setBackground(theme.ok_fill)
    return made


def shorten_diff(runs: Sequence[DiffRun]) -> list[DiffRun]:
    """The changes with some of what stands around them; what is left out of the text is a sign."""
    found, last = [], len(runs) - 1
    for place, run in enumerate(runs):
        text = run.text
        if run.change is DiffType.KEPT and len(text) > 2 * CONTEXT_CHARS:
            before = "" if place == 0 else _whole_words(text[:CONTEXT_CHARS], text[CONTEXT_CHARS])
            behind = "" if place == last else _whole_words(text[::-1][:CONTEXT_CHARS], text[::-1][CONTEXT_CHARS])[::-1]
            text = f"{before}{ELLIPSIS}{behind}"
        found.append(DiffRun(run.change, text))
    return found


def _whole_words(text: str, behind: str) -> str:
    """A text without the part of a word at its end; as it is where its script parts no words by blanks."""
    return text if behind.isspace() or " " not in text.strip() else text[: text.rindex(" ")]


def accessible_diff(runs: Sequence[DiffRun]) -> str:
    """The changes in words, for screen readers."""
    said = {
        DiffType.REMOVED: lambda text: tr("removed “{words}”", words=text),
        DiffType.ADDED: lambda text: tr("added “{words}”", words=text),
    }
    return "; ".join(said[run.change](run.text.strip()) for run in runs if run.change in said)
