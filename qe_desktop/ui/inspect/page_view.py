"""Shows a page of the reader: paints it, lights what is hovered, and says where the mouse is. It asks nobody."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from qe_desktop.corpus import Kind, LayerKey
from qe_desktop.ui.inspect.cursor import Cursor
from qe_desktop.ui.inspect.page import Page
from qe_desktop.ui.inspect.page_paint import PagePainter
from qe_desktop.ui.inspect.page_tips import tip_at
from qe_desktop.ui.parts.labels import tip
from qe_desktop.ui.parts.scrolled import keep_in_view
from qe_desktop.ui.theme import current, themes


class PageView(QWidget):
    """The cursor stands on a word, a gap or a source word of `page`; `target` is the layer whose edits are marked."""

    pointed = Signal(int, bool)
    """The mouse was pressed on a place of the current kind (and whether it extends the selection)."""
    double_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.page: Page | None = None
        self.target: LayerKey | None = None
        self._found = ""
        self.cursor_place = Cursor()
        self._hovered: tuple[Kind, int] | None = None
        self.setMouseTracking(True)
        themes.theme_changed.connect(self.update)

    def show_page(self, page: Page | None, target: LayerKey | None) -> None:
        """Show another page, or nothing."""
        self.page, self.target = page, target
        self._hovered = None
        if page is not None:
            self.setMinimumHeight(round(page.height))
        self.update()

    def show_found(self, text: str) -> None:
        """Frame what was searched for, wherever it stands on a page."""
        if text != self._found:
            self._found = text
            self.update()

    def describe(self, where: tuple[Kind, int] | None = None) -> str:
        """A place in words, its parts parted by semicolons; without `where`, the one that the cursor stands on."""
        return ""

    def explain_cursor(self) -> None:
        """Say in a tooltip what stands in words where the cursor stands."""
        if self.page is not None and self.cursor_place.places:
            where = self.page.place_rect(self.cursor_place.place).bottomLeft().toPoint()
            self._explain(self.mapToGlobal(where), (self.page.kind, self.cursor_place.place))

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the page."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), current().surface)
        if self.page is not None:
            place, selected = self.cursor_place.place, self.cursor_place.selected()
            selected = selected if len(selected) > 1 else ()
            focused, lit = self.hasFocus(), self._lit()
            PagePainter(self.page, current(), place, selected, lit, focused, self.target, self._found).paint(painter)
        painter.end()

    def _lit(self) -> dict[Kind, set[int]]:
        """The hovered word, or else the cursor's, with the words of the other texts that it is aligned to."""
        page = self.page
        if page is None:
            return {}
        kind, place = self._hovered or (page.kind, self.cursor_place.place)
        if kind is Kind.GAPS:
            return {}
        lit: dict[Kind, set[int]] = {kind: {place}} if self._hovered else {}
        alignments, partners = page.view.corpus.alignments, page.partners
        words = {place}
        if kind is Kind.TRANSLATION:
            words = lit[Kind.WORDS] = set() if partners is None else partners.mt_of(place)
        elif kind is Kind.SOURCE:
            words = set() if alignments is None else set(alignments.mt_of(page.segment, place))
            lit[Kind.WORDS] = words
        if alignments is not None and kind is not Kind.SOURCE:
            lit[Kind.SOURCE] = {one for word in words for one in alignments.source_of(page.segment, word)}
        if partners is not None and kind is not Kind.TRANSLATION:
            lit[Kind.TRANSLATION] = partners.post_edit_of(words)
        return lit

    def keep_in_view(self) -> None:
        """Scroll to where the cursor stands."""
        if self.page is not None:
            rect = self.page.place_rect(self.cursor_place.place)
            keep_in_view(self, rect, rect.height() * 1.5)

    # --- mouse

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light what is hovered; with the button down, extend the selection."""
        where = self._at(event.position())
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._point(where, extend=True)
        if where != self._hovered:
            self._hovered = where
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is hovered any longer."""
        self._hovered = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Put the cursor where the mouse is."""
        if event.button() == Qt.MouseButton.LeftButton:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._point(self._at(event.position()), extend=extend)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Say that the word under the mouse was meant twice."""
        where = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and self._is_current(where):
            self.double_clicked.emit()

    def _point(self, where: tuple[Kind, int] | None, *, extend: bool) -> None:
        if where is not None and self._is_current(where):
            self.pointed.emit(where[1], extend)

    def _is_current(self, where: tuple[Kind, int] | None) -> bool:
        return where is not None and self.page is not None and where[0] is self.page.kind

    def _at(self, point: QPointF) -> tuple[Kind, int] | None:
        return self.page.place_at(point) if self.page is not None else None

    def event(self, event: QEvent) -> bool:
        """Explain the word under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            where, beside = self._at(QPointF(event.pos())), self.tip_at(QPointF(event.pos()))
            if where is None and beside:
                QToolTip.showText(event.globalPos(), tip(beside), self)
            else:
                self._explain(event.globalPos(), where)
            return True
        return super().event(event)

    def tip_at(self, point: QPointF) -> str:
        """What is said of a name or a score at a point; empty where there is none."""
        return "" if self.page is None else tip_at(self.page, point)

    def _explain(self, at: QPoint, where: tuple[Kind, int] | None) -> None:
        if where is None:
            QToolTip.hideText()
            return
        lines = [escape(part) for part in self.describe(where).split("; ")]
        QToolTip.showText(at, "<p style='white-space:pre'>" + "<br>".join(lines) + "</p>", self, QRect())
