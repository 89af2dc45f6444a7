"""The rail and the work areas next to it, each built when it is first shown."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons, theme
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.buttons import ThemedButtonMixin
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.lazy_stack import LazyStackedWidget, PageFactory


class RailButton(ThemedButtonMixin, QAbstractButton):
    """An icon with the area's name under it; a bar at its edge says that the area is on screen."""

    def __init__(self, text: str, icon: str, tip: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon = icon
        self.setText(text)
        self.setCheckable(True)
        self.setToolTip(tip)
        self.setAccessibleName(text)
        self.setAccessibleDescription(tip)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        """Wide enough for the name, and never a narrow strip."""
        metrics = self.fontMetrics()
        side = metrics.height()
        return QSize(max(metrics.horizontalAdvance(self.text()) + 24, side * 4), side * 4)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw ground, icon and name."""
        if self.isChecked():
            painter.fillRect(self.rect(), colours.selection)
            edge = self.width() - 3 if self.isRightToLeft() else 0
            painter.fillRect(QRect(edge, 0, 3, self.height()), colours.accent)
        elif self.underMouse():
            painter.fillRect(self.rect(), colours.raised)
        ink = colours.accent if self.isChecked() else colours.text if self.underMouse() else colours.muted
        line = self.fontMetrics().height()
        side = round(line * 1.5)
        top = (self.height() - side - line - 4) // 2
        icons.paint_icon(painter, self._icon, QRect(0, top, self.width(), side), ink)
        painter.setPen(colours.text if self.isChecked() else ink)
        painter.drawText(QRect(0, top + side + 4, self.width(), line), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            # one sharp pixel
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(colours.accent)
            painter.drawRect(self.rect().adjusted(4, 2, -3, -3))


class Rail(QWidget):
    """The areas from top to bottom; `chosen(id)` when a person picks one."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Areas"))
        self._buttons: dict[str, RailButton] = {}
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(self._clicked)
        self._layout = vbox(StretchSpace(), on=self, gap=4, margins=(0, 8, 1, 8))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def add(self, id: str, text: str, icon: str, tip: str) -> None:
        """Add an area at the end."""
        button = RailButton(text, icon, tip, self)
        button.setObjectName(id)
        self._buttons[id] = button
        self._group.addButton(button)
        self._layout.insertWidget(self._layout.count() - 1, button)
        self._even()

    def offer(self, id: str, shown: bool) -> None:
        """Show an area's button, or hide it while there is nothing for the area to show."""
        self._buttons[id].setVisible(shown)

    def choose(self, id: str) -> None:
        """Mark the area on screen; none for an empty id."""
        self._group.setExclusive(False)
        for name, button in self._buttons.items():
            button.setChecked(name == id)
        self._group.setExclusive(bool(id))

    def changeEvent(self, event: QEvent) -> None:
        """Keep the buttons as wide as the widest when the text size changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._even()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ground, and one line to the work area."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.current().window)
        edge = 0 if self.isRightToLeft() else self.width() - 1
        painter.fillRect(QRect(edge, 0, 1, self.height()), theme.current().border)
        painter.end()

    def _even(self) -> None:
        width = max((button.sizeHint().width() for button in self._buttons.values()), default=0)
        for button in self._buttons.values():
            button.setFixedSize(width, button.sizeHint().height())

    def _clicked(self, button: QAbstractButton) -> None:
        self.chosen.emit(button.objectName())


class AreaSwitcher(QWidget):
    """A stack of pages. The start page is the first and has no button in the rail."""

    shown = Signal(str)
    """The id of the area on screen now, empty for the start page."""

    def __init__(self, start: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rail = Rail()
        self.rail.chosen.connect(self.show_area)
        self.rail.hide()
        self._stack = LazyStackedWidget()
        self._start = start
        self._stack.addWidget(start)
        hbox(self.rail, Stretched(self._stack, 1), on=self, gap=0)

    @property
    def current(self) -> str:
        """The id of the area on screen, empty for the start page."""
        return self._stack.current

    def ids(self) -> list[str]:
        """The areas, from the top of the rail."""
        return self._stack.ids()

    def add(self, id: str, title: str, icon: str, tip: str, factory: PageFactory) -> QWidget:
        """Add an area; returns the page that is on screen while the area is."""
        page = self._stack.add(id, factory)
        # what an area would like to show must never make the window larger than a person made it
        page.setMinimumSize(1, 1)
        self.rail.add(id, title, icon, tip)
        return page

    def begin(self, id: str) -> None:
        """Build the first part of an area: what can be asked for before the area is looked at."""
        self._stack.begin(id)

    def widget(self, id: str) -> QWidget:
        """The area's own widget, built now if it was not yet."""
        return self._stack.page(id)

    def show_area(self, id: str) -> None:
        """Put an area on screen and the focus into it."""
        try:
            self._stack.show_page(id)
        finally:
            self.rail.choose(self.current)
        self.rail.show()
        self._stack.setFocus()
        self.shown.emit(id)

    def show_start(self) -> None:
        """Put the start page on screen."""
        self.rail.choose("")
        self._stack.put_in_view(self._start)
        self.shown.emit("")
