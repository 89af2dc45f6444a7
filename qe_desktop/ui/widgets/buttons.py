"""Flat buttons in the colours of the theme."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.theme import Theme, current
from qe_desktop.ui.widgets.themed_widget import ThemedMixin

if TYPE_CHECKING:
    _Button = QAbstractButton
else:
    # a mixin next to the Qt class, because a class can have only one Qt base class
    _Button = object


class ThemedButtonMixin(ThemedMixin, _Button):
    """Mixin for a button that draws itself with a fixed size; it precedes the Qt button class among the bases."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def draw_card(self, painter: QPainter, fill: QColor | Qt.BrushStyle, line: QColor, width: float = 1.0) -> None:
        """Draw a filled, outlined rectangle with rounded corners that is as large as the button."""
        painter.setPen(QPen(line, width))
        painter.setBrush(fill)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 5, 5)


class ThemedButton(ThemedButtonMixin, QAbstractButton):
    """Flat button with a custom appearance; a click does not move the keyboard focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def draw_ground(self, painter: QPainter, box: QRectF) -> None:
        """Draw the background if the button has the focus or is under the mouse pointer; otherwise draw nothing."""
        colours = current()
        if self.hasFocus() or (self.isEnabled() and (self.underMouse() or self.isDown())):
            painter.setPen(QPen(colours.accent, 1.5) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(colours.selection if self.isDown() else colours.raised)
            painter.drawRoundedRect(box, 5, 5)


class FlatButton(ThemedButtonMixin, QPushButton):
    """Button with text and an optional icon; primary and default buttons are filled with the accent colour."""

    def __init__(self, text: str, icon: str = "", *, primary: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self._icon = icon
        self._primary = primary
        self.setAutoDefault(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the focused button on Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Return the size of icon and text, with padding in proportion to the text."""
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(self._words())
        return QSize(words + metrics.height() * 2 + self._lead(), round(metrics.height() * 1.9))

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw background, icon and text."""
        fill, ink, line = self._colours(colours)
        self.draw_card(painter, fill, line)
        if self.hasFocus():
            ring = colours.text if self._is_filled() else colours.accent
            self.draw_card(painter, Qt.BrushStyle.NoBrush, ring, 2)
        words, lead, side = self.fontMetrics().horizontalAdvance(self._words()), self._lead(), self._side()
        x = (self.width() - words - lead) // 2
        if self._icon:
            place = x + words + lead - side if self.isRightToLeft() else x
            icons.paint_icon(painter, self._icon, QRect(place, 0, side, self.height()), ink)
        painter.setPen(ink)
        left = x if self.isRightToLeft() else x + lead
        painter.drawText(QRect(left, 0, words + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, self._words())

    def _colours(self, colours: Theme) -> tuple[QColor, QColor, QColor]:
        """Return the colours of fill, text and outline."""
        pressed = self.isDown() or self.isChecked()
        if not self.isEnabled():
            faint = QColor(colours.muted)
            faint.setAlphaF(0.6)
            return colours.window, faint, colours.border
        if self._is_filled():
            fill = colours.accent.darker(115) if pressed or self.underMouse() else colours.accent
            return fill, colours.on_accent, fill
        fill = colours.selection if pressed else colours.raised if self.underMouse() else colours.surface
        return fill, colours.text, colours.muted if self.underMouse() else colours.border

    def _is_filled(self) -> bool:
        return self._primary or self.isDefault()

    def _words(self) -> str:
        return self.text().replace("&", "")

    def _side(self) -> int:
        return round(self.fontMetrics().height() * 1.05)

    def _lead(self) -> int:
        """Return the width of the icon and the gap next to it, in pixels."""
        return self._side() + self.fontMetrics().height() // 2 if self._icon else 0


def control_height(metrics: QFontMetrics) -> int:
    """Return the height of controls in bars, about 28 pixels at the default text size."""
    return round(metrics.height() * 1.65)


class BarButton(FlatButton):
    """Flat button with the height and padding of the controls in a bar; it is filled while it is the primary one."""

    def __init__(self, text: str, about: str, *, checkable: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(text, parent=parent)
        self.setToolTip(about)
        self.setCheckable(checkable)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @property
    def is_primary(self) -> bool:
        """Whether the button is filled."""
        return self._primary

    def set_primary(self, primary: bool) -> None:
        """Fill the button if `primary`, otherwise draw only its outline."""
        if primary is not self._primary:
            self._primary = primary
            self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the text with its padding."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._words()) + metrics.height() * 3 // 2, control_height(metrics))


def link_height(metrics: QFontMetrics) -> int:
    """Return the height of a link with its focus frame, in pixels."""
    return metrics.height() + 4


class LinkButton(ThemedButtonMixin, QPushButton):
    """Flat button in the accent colour for less prominent actions; underlined on hover."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setFlat(True)
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        """Return the size of the text with room for the focus frame."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 12, link_height(metrics))

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the text, underlined on hover and framed if focused."""
        font = self.font()
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        # keep the underline one sharp pixel
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(colours.accent)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)


class MultiSelectButton(QPushButton):
    """Button that opens a list of names; `offered`, called on each opening, returns all names and the selected ones."""

    chosen = Signal(tuple)
    """Names that are selected now; empty for the default selection."""

    def __init__(self, offered: Callable[[], tuple[Sequence[str], Sequence[str]]]) -> None:
        super().__init__()
        self._offered = offered
        self.list = QMenu(self)
        self.setMenu(self.list)
        self.list.aboutToShow.connect(self._fill)

    def open(self) -> None:
        """Open the list."""
        self.setFocus()
        self.showMenu()

    def _fill(self) -> None:
        names, chosen = self._offered()
        self.list.clear()
        for name in names:
            action = QAction(escape_label(name).replace("&", "&&"), self.list)
            action.setCheckable(True)
            action.setChecked(name in chosen)
            action.setData(name)
            action.toggled.connect(self._tell)
            self.list.addAction(action)
        if names:
            self.list.addSeparator()
            self.list.addAction(tr("&Default"), lambda: self.chosen.emit(()))

    def _tell(self) -> None:
        names = tuple(
            str(action.data()) for action in self.list.actions() if action.isCheckable() and action.isChecked()
        )
        if names:
            self.chosen.emit(names)


class IconLink(QToolButton):
    """Square button that is as high as a link and has only an icon; `text` is its tooltip and accessible name."""

    def __init__(self, icon: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setIcon(icons.icon(icon))
        self.setAutoRaise(True)
        self.setToolTip(text)
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        """Return a square of the height of a link."""
        height = link_height(self.fontMetrics())
        return QSize(height, height)
