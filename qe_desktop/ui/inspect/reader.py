"""The reader: the current segment in large type, with everyone's tags under its words, walked and edited by key."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QScrollArea, QToolTip, QWidget

from qe_desktop.corpus import Kind
from qe_desktop.project import Change
from qe_desktop.ui.inspect.cursor import Cursor
from qe_desktop.ui.inspect.page import Page
from qe_desktop.ui.inspect.page_paint import PagePainter, Spots
from qe_desktop.ui.inspect.spoken import sentence
from qe_desktop.ui.theme import current, themes
from qe_desktop.ui.workspace import Workspace


class Reader(QWidget):
    """Shows the workspace's current segment; the cursor stands on a word, a gap or a source word."""

    step_wanted = Signal(int)
    """Go so many segments on in the list."""
    moved = Signal()
    """The cursor stands elsewhere."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.cursor_place = Cursor()
        self.page: Page | None = None
        self._hovered: tuple[Kind, int] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Segment")
        for signal in (workspace.opened, workspace.kind_changed, workspace.segment_changed):
            signal.connect(self._show_segment)
        workspace.changed.connect(self._on_change)
        workspace.target_changed.connect(self.update)
        workspace.settings.changed.connect(self._on_setting)
        themes.theme_changed.connect(self.update)
        self._show_segment()

    # --- what is shown

    def _show_segment(self) -> None:
        self._hovered = None
        self._lay_out()
        self.cursor_place.reset(self.page.places() if self.page else 0)
        self._tell_cursor()

    def _lay_out(self) -> None:
        session = self.workspace.session
        if session is None or not session.corpus.size:
            self.page = None
        else:
            width = max(200, self.width())
            self.page = Page(
                session, self.workspace.segment, self.workspace.kind, width, self.font(), self.workspace.settings
            )
            self.setMinimumHeight(round(self.page.height))
        self.update()

    def _on_change(self, change: Change) -> None:
        if change.layers:
            self._lay_out()
            self.cursor_place.places = self.page.places() if self.page else 0
        elif self.workspace.segment in change.segments:
            self.update()
            self._tell_cursor(change.text)

    def _on_setting(self, key: str) -> None:
        if key.startswith("reading/"):
            self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        """Lay out anew in another font."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._lay_out()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew for another width."""
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the page."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), current().surface)
        if self.page is not None:
            PagePainter(self.page, current(), self._spots()).paint(painter)
        painter.end()

    def _spots(self) -> Spots:
        selected = self.cursor_place.selected()
        return Spots(
            cursor=self.cursor_place.place,
            selected=selected if len(selected) > 1 else (),
            lit=self._lit(),
            focused=self.hasFocus(),
            target=self.workspace.target,
        )

    def _lit(self) -> dict[Kind, set[int]]:
        """The hovered word, or else the cursor's, with the words of the other side that it is aligned to."""
        corpus = self.workspace.corpus
        where = self._hovered or (self.workspace.kind, self.cursor_place.place)
        kind, place = where
        if corpus is None or kind is Kind.GAPS:
            return {}
        lit: dict[Kind, set[int]] = {kind: {place}} if self._hovered else {}
        if corpus.alignments is not None:
            segment = self.workspace.segment
            if kind is Kind.WORDS:
                lit[Kind.SOURCE] = set(corpus.alignments.source_of(segment, place))
            else:
                lit[Kind.WORDS] = set(corpus.alignments.mt_of(segment, place))
        return lit

    # --- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk, Shift extends, Space toggles."""
        if not self.handle_key(event):
            super().keyPressEvent(event)

    def handle_key(self, event: QKeyEvent) -> bool:
        """What a key does here; False where it does nothing. The list hands its own unused keys on to this."""
        key, extend = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            return False
        sideways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key in sideways:
            step = -sideways[Qt.Key(key)] if self._right_to_left() else sideways[Qt.Key(key)]
            self.move_cursor(step, extend=extend)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.step_wanted.emit(-1 if key == Qt.Key.Key_Up else 1)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.go_to_place(0 if key == Qt.Key.Key_Home else self.cursor_place.places - 1, extend=extend)
        elif key == Qt.Key.Key_Space:
            self.toggle()
        elif key == Qt.Key.Key_Escape:
            self.go_to_place(self.cursor_place.place)
        else:
            return False
        return True

    def _right_to_left(self) -> bool:
        block = self.page.block(self.workspace.kind) if self.page else None
        return block is not None and block.layout.right_to_left

    def move_cursor(self, step: int, *, extend: bool = False) -> None:
        """Go to the next word or gap; at the end of the segment, stay."""
        if self.cursor_place.move(step, extend=extend):
            self._tell_cursor()

    def go_to_place(self, place: int, *, extend: bool = False) -> None:
        """Put the cursor on a place."""
        if self.cursor_place.go(place, extend=extend):
            self._tell_cursor()

    def toggle(self) -> None:
        """Give the selected places the other tag, in the layer that is edited."""
        session, target = self.workspace.session, self.workspace.target
        if session is None:
            return
        if target is None:
            self.workspace.own_layer()
            target = self.workspace.target
        if target is not None:
            edit = self.cursor_place.toggle(session, target, self.workspace.segment)
            if edit is not None:
                self.workspace.edit(edit)

    def _tell_cursor(self, said: str = "") -> None:
        self.update()
        text = self.describe()
        self.setAccessibleDescription(text)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said or text))
        self._keep_in_view()
        self.moved.emit()

    def describe(self, where: tuple[Kind, int] | None = None) -> str:
        """A place in words: "word 3 of 12, maison: gold BAD, HW-TSC OK (a miss)"."""
        session = self.workspace.session
        if session is None or self.page is None:
            return ""
        kind, place = where or (self.workspace.kind, self.cursor_place.place)
        return sentence(session, self.page, kind, place)

    def _keep_in_view(self) -> None:
        viewport = self.parentWidget()
        area = viewport.parentWidget() if viewport is not None else None
        if isinstance(area, QScrollArea) and self.page is not None:
            rect = self.page.place_rect(self.cursor_place.place)
            area.ensureVisible(round(rect.center().x()), round(rect.center().y()), 0, round(rect.height() * 1.5))

    # --- mouse

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light what is hovered; with the button down, extend the selection."""
        where = self._at(event.position())
        if event.buttons() & Qt.MouseButton.LeftButton and where and where[0] is self.workspace.kind:
            self.go_to_place(where[1], extend=True)
        if where != self._hovered:
            self._hovered = where
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is hovered any longer."""
        self._hovered = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Put the cursor where the mouse is."""
        where = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and where and where[0] is self.workspace.kind:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.go_to_place(where[1], extend=extend)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Toggle the word under the mouse."""
        where = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and where and where[0] is self.workspace.kind:
            self.toggle()

    def _at(self, point: QPointF) -> tuple[Kind, int] | None:
        return self.page.place_at(point) if self.page is not None else None

    def event(self, event: QEvent) -> bool:
        """Explain the word under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            where = self._at(QPointF(event.pos()))
            self._explain(event.globalPos(), where)
            return True
        return super().event(event)

    def _explain(self, at: QPoint, where: tuple[Kind, int] | None) -> None:
        if where is None:
            QToolTip.hideText()
            return
        lines = [escape(part) for part in self.describe(where).split("; ")]
        QToolTip.showText(at, "<p style='white-space:pre'>" + "<br>".join(lines) + "</p>", self, QRect())
