"""List of links: each has a name and a short description, and is opened by a click or Enter."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.control_painter import draw_card
from qe_desktop.ui.project_paths import split_paths
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.buttons import ThemedButton
from qe_desktop.ui.widgets.labels import plain_tooltip, scaled_font
from qe_desktop.ui.widgets.layouts import vbox

ROW_PADDING_PX = 38
"""Total space to the left and right of the text of a row, in pixels, not counting the icon."""
WRAP_FLAGS = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop)


class LinkRow(ThemedButton):
    """Row of a `LinkList`: icon, name and description."""

    removed = Signal(str)

    def __init__(self, key: str, name: str, description: str, icon: str, *, removable: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.key = key
        self._description = escape_label(description)
        self._icon = icon
        self._removable = removable
        # an ampersand in a file name does not mark a shortcut
        self._name = escape_label(name)
        self.setText(self._name.replace("&", "&&"))
        self.setAccessibleName(escape_label(f"{name}, {description}" if description else name))
        self.setToolTip(plain_tooltip("\n".join(split_paths(key))) if removable else "")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the size of two lines of text with padding."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance("0") * 36, metrics.height() * 2 + 16)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the height to the width."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the height to the text size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self.updateGeometry()
            self._fit()

    def _fit(self) -> None:
        """Fit the height to the wrapped description. Removable rows keep their height and elide the description."""
        if not self._removable:
            metrics = self.fontMetrics()
            available = QRect(0, 0, self.width() - metrics.height() - ROW_PADDING_PX, 10_000)
            lines = metrics.boundingRect(available, WRAP_FLAGS, self._description or " ").height()
            self.setFixedHeight(metrics.height() + lines + 16)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the icon, the elided name, and the description, which is wrapped or, in removable rows, elided."""
        box = self.rect().adjusted(1, 1, -1, -1)
        # only the row under the pointer is filled: a second filled row would look selected, too
        if self.underMouse() or self.isDown():
            draw_card(painter, box, colours.selection if self.isDown() else colours.raised, None)
        if self.hasFocus():
            draw_card(painter, box, Qt.BrushStyle.NoBrush, colours.accent)
        line = self.fontMetrics().height()
        mirrored = self.isRightToLeft()
        picture = QRect(box.right() - 12 - line if mirrored else box.left() + 12, box.top(), line, box.height())
        icons.paint_icon(painter, self._icon, picture, colours.accent)
        words = box.adjusted(12, 7, -(line + 24), -7) if mirrored else box.adjusted(line + 24, 7, -12, -7)
        align = Qt.AlignmentFlag.AlignVCenter | (
            Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        )
        painter.setFont(scaled_font(1.0, bold=True))
        metrics = painter.fontMetrics()
        painter.setPen(colours.text)
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(QRect(words.left(), words.top(), words.width(), line), align, name)
        painter.setFont(self.font())
        painter.setPen(colours.muted)
        words.setTop(words.top() + line)
        if not self._removable:
            painter.drawText(words, int(align) & ~int(Qt.AlignmentFlag.AlignVCenter) | WRAP_FLAGS, self._description)
            return
        # both ends of a path are informative
        elided = self.fontMetrics().elidedText(self._description, Qt.TextElideMode.ElideMiddle, words.width())
        painter.drawText(words, align, elided)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """On Enter or Space, open the link; on Delete, request the removal of the row if it is removable."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() == Qt.Key.Key_Delete and self._removable:
            self.removed.emit(self.key)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """If the row is removable, show a menu with the command to remove it from the list."""
        if self._removable:
            by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(tr("Remove from list"), partial(self.removed.emit, self.key))
            menu.popup(event.globalPos() if by_mouse else self.mapToGlobal(self.rect().center()))


class LinkList(QWidget):
    """List of links; `opened(key)` and `removed(key)` are emitted when the user asks to open or remove a link."""

    opened = Signal(str)
    removed = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._entries: list[LinkRow] = []
        self._layout = vbox(on=self, gap=0)

    def entries(self) -> list[LinkRow]:
        """Return the rows, from the top."""
        return list(self._entries)

    def fill(self, rows: list[tuple[str, str, str, str]], *, removable: bool = False) -> None:
        """Replace the rows with one row for each tuple of key, name, description and icon name.

        If `removable` is true, the user can remove rows, and the keys must be paths or server addresses.
        """
        for entry in self._entries:
            self._layout.removeWidget(entry)
            entry.hide()
            entry.deleteLater()
        self._entries = []
        for key, name, description, icon in rows:
            entry = LinkRow(key, name, description, icon, removable=removable, parent=self)
            entry.clicked.connect(self._open)
            entry.removed.connect(self.removed)
            self._layout.addWidget(entry)
            self._entries.append(entry)

    def _open(self) -> None:
        sender = self.sender()
        if isinstance(sender, LinkRow):
            self.opened.emit(sender.key)
