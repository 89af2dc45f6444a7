"""Switcher between work areas, with a rail of buttons; each area is built when it is first shown."""

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
    """Button with an icon above the name of an area; the button of the area on screen has a bar at its edge."""

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
        """Return a size that is wide enough for the name, and at least as wide as it is high."""
        metrics = self.fontMetrics()
        side = metrics.height()
        return QSize(max(metrics.horizontalAdvance(self.text()) + 24, side * 4), side * 4)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw background, icon and name."""
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
            # a line of exactly one pixel
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.setPen(colours.accent)
            painter.drawRect(self.rect().adjusted(4, 2, -3, -3))


class Rail(QWidget):
    """Column of buttons for the areas; `chosen(id)` is emitted when the user selects an area."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Areas"))
        self._buttons: dict[str, RailButton] = {}
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(self._on_clicked)
        self._layout = vbox(StretchSpace(), on=self, gap=4, margins=(0, 8, 1, 8))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def add(self, id: str, text: str, icon: str, tip: str) -> None:
        """Add a button for an area below the existing buttons."""
        button = RailButton(text, icon, tip, self)
        button.setObjectName(id)
        self._buttons[id] = button
        self._group.addButton(button)
        self._layout.insertWidget(self._layout.count() - 1, button)
        self._equalize_buttons()

    def set_area_visible(self, id: str, visible: bool) -> None:
        """Show the button of an area if `visible`; otherwise, hide it, because the area has nothing to show."""
        self._buttons[id].setVisible(visible)

    def choose(self, id: str) -> None:
        """Mark the button of the area on screen; if `id` is empty, mark none."""
        self._group.setExclusive(False)
        for name, button in self._buttons.items():
            button.setChecked(name == id)
        self._group.setExclusive(bool(id))

    def changeEvent(self, event: QEvent) -> None:
        """Make all buttons as wide as the widest one when the text size changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._equalize_buttons()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the background, and a line next to the work area."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.current().window)
        edge = 0 if self.isRightToLeft() else self.width() - 1
        painter.fillRect(QRect(edge, 0, 1, self.height()), theme.current().border)
        painter.end()

    def _equalize_buttons(self) -> None:
        width = max((button.sizeHint().width() for button in self._buttons.values()), default=0)
        for button in self._buttons.values():
            button.setFixedSize(width, button.sizeHint().height())

    def _on_clicked(self, button: QAbstractButton) -> None:
        self.chosen.emit(button.objectName())


class AreaSwitcher(QWidget):
    """Stack of areas with a rail of buttons. The start page is the first page and has no button in the rail."""

    shown = Signal(str)
    """Emitted with the id of the area that was shown; the id is empty for the start page."""

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
        """Id of the area on screen, empty for the start page."""
        return self._stack.current

    def ids(self) -> list[str]:
        """Return the ids of the areas, from the top of the rail."""
        return self._stack.ids()

    def add(self, id: str, title: str, icon: str, tip: str, factory: PageFactory) -> QWidget:
        """Add an area; return the page that will contain the area's widget."""
        page = self._stack.add(id, factory)
        # the preferred size of an area must never enlarge the window
        page.setMinimumSize(1, 1)
        self.rail.add(id, title, icon, tip)
        return page

    def begin(self, id: str) -> None:
        """Build the first part of an area before the area is shown, unless that part is built already."""
        self._stack.begin(id)

    def is_built(self, id: str) -> bool:
        """Return whether all parts of an area are built."""
        return self._stack.built_page(id) is not None

    def widget(self, id: str) -> QWidget:
        """Return the widget of an area; missing parts are built immediately."""
        return self._stack.page(id)

    def show_area(self, id: str) -> None:
        """Show an area and move the focus into it."""
        try:
            self._stack.show_page(id)
        finally:
            self.rail.choose(self.current)
        self.rail.show()
        self._stack.setFocus()
        self.shown.emit(id)

    def show_start(self) -> None:
        """Show the start page."""
        self.rail.choose("")
        self._stack.show_permanent_widget(self._start)
        self.shown.emit("")
