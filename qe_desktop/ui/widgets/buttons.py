"""Flat buttons in the colours of the theme, and buttons that open a menu or a panel of controls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics, QIcon, QKeyEvent, QMouseEvent, QPainter, QPen, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyleOptionButton,
    QStyleOptionToolButton,
    QToolButton,
    QWidget,
    QWidgetAction,
)

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import control_painter, icons
from qe_desktop.ui.theme import Theme, current
from qe_desktop.ui.widgets.keyboard_focus import TAB_KEY, TabFocusMixin, move_focus
from qe_desktop.ui.widgets.themed_widget import ThemedMixin

if TYPE_CHECKING:
    _Button = QAbstractButton
else:
    # a mixin next to the Qt class, because a class can have only one Qt base class
    _Button = object


class ThemedButtonMixin(ThemedMixin, _Button):
    """Mixin for a button of fixed size that draws itself; list the mixin before the Qt button class."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)


class ThemedButton(ThemedButtonMixin, QAbstractButton):
    """Flat button with a custom appearance; a click does not move the keyboard focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed_ms = 0
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Press the button."""
        self._pressed_ms = event.timestamp()
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Press the button again, unless the first click was on another widget, which this button has replaced."""
        if event.timestamp() - self._pressed_ms <= QApplication.doubleClickInterval():
            super().mouseDoubleClickEvent(event)

    def draw_ground(self, painter: QPainter, box: QRectF) -> None:
        """Draw the background if the button has the focus or is under the mouse pointer; otherwise draw nothing."""
        colours = current()
        if self.hasFocus() or (self.isEnabled() and (self.underMouse() or self.isDown())):
            painter.setPen(QPen(colours.accent, 1.5) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(colours.selection if self.isDown() else colours.raised)
            painter.drawRoundedRect(box, 5, 5)


class EnterButtonMixin(_Button):
    """Mixin for a button that can be pressed with Enter; list the mixin before the Qt button class."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Click the button when Enter is pressed."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)


class FlatButton(EnterButtonMixin, QPushButton):
    """Push button that can be pressed with Enter. It may have an icon; a primary button looks like a default button."""

    def __init__(self, text: str, icon: str = "", *, primary: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        if icon:
            self.setIcon(icons.icon(icon))
        self._primary = primary
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def is_primary(self) -> bool:
        """Whether the button looks like a default button."""
        return self._primary

    def set_primary(self, primary: bool) -> None:
        """Set whether the button looks like a default button."""
        if primary is not self._primary:
            self._primary = primary
            self.update()

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        """Make the style draw a primary button as a default button."""
        super().initStyleOption(option)
        if self._primary:
            option.features |= QStyleOptionButton.ButtonFeature.DefaultButton


class BarButton(FlatButton):
    """Flat button in a bar, with a tooltip and an optional shortcut; a click does not move the keyboard focus."""

    def __init__(self, text: str, tooltip: str, *, checkable: bool = False, parent: QWidget | None = None) -> None:
        self._key, self._is_key_folded, self._is_measured = "", False, False
        super().__init__(text, parent=parent)
        self.setToolTip(tooltip)
        self.setCheckable(checkable)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @property
    def shown_key(self) -> str:
        """Shortcut that is shown after the text; empty if there is none, or if it is hidden."""
        return "" if self._is_key_folded else self._key

    def set_key(self, key: str) -> None:
        """Show a shortcut after the text, or none if `key` is empty."""
        self._key = key
        self.updateGeometry()
        self.update()

    def fold_key(self, folded: bool) -> None:
        """Hide the shortcut if `folded`; otherwise, show it again."""
        if folded is not self._is_key_folded:
            self._is_key_folded = folded
            self.updateGeometry()
            self.update()

    def needed_width(self, *, with_key: bool) -> int:
        """Return the width of the button in pixels; the width of the shortcut is included if `with_key`."""
        # Qt caches this size, so it must not depend on whether the shortcut is hidden
        self._is_measured = True
        width = super().sizeHint().width()
        self._is_measured = False
        return width + (control_painter.suffix_width(self.fontMetrics(), self._key) if with_key else 0)

    def sizeHint(self) -> QSize:
        """Return the size of the button, including the shortcut unless the shortcut is hidden."""
        width = self.needed_width(with_key=bool(self.shown_key))
        return QSize(width, super().sizeHint().height())

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        """Append the shortcut to the text of the option, as a suffix that the style draws after the text."""
        super().initStyleOption(option)
        if self.shown_key and not self._is_measured:
            option.text = f"{option.text}{control_painter.SUFFIX_SEPARATOR}{self.shown_key}"


LINK_PADDING_PX = 12
"""Total horizontal padding of a link in pixels."""


def link_height(metrics: QFontMetrics) -> int:
    """Return the height of a link with its focus frame, in pixels."""
    return metrics.height() + 4


class LinkButton(ThemedButtonMixin, QPushButton):
    """Flat button in the accent colour, underlined on hover; a click does not move the keyboard focus."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setText(text)
        self.setFlat(True)
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        """Return the size of the text plus the space for the focus frame."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + LINK_PADDING_PX, link_height(metrics))

    def shown_text(self) -> str:
        """Return the text to draw: by default, the text of the button."""
        return self.text()

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the text, underlined on hover and framed if focused."""
        font = self.font()
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        # keep the underline one sharp pixel
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(colours.accent)
        self.draw_text(painter, colours)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(colours.accent)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def draw_text(self, painter: QPainter, colours: Theme) -> None:
        """Draw the text with the font and the pen of `painter`."""
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.shown_text())


class MultiSelectButton(QPushButton):
    """Button that opens a list in which several names can be selected.

    `get_names` returns all names and the selected names; it is called each time the list opens.
    """

    selection_changed = Signal(tuple)
    """Selected names, or an empty tuple for the default selection; not emitted when the last name is deselected."""

    def __init__(self, get_names: Callable[[], tuple[Sequence[str], Sequence[str]]]) -> None:
        super().__init__()
        self._get_names = get_names
        self.list = QMenu(self)
        self.setMenu(self.list)
        self.list.aboutToShow.connect(self._fill)

    def open(self) -> None:
        """Open the list."""
        self.setFocus()
        self.showMenu()

    def _fill(self) -> None:
        names, chosen = self._get_names()
        self.list.clear()
        for name in names:
            action = QAction(escape_label(name).replace("&", "&&"), self.list)
            action.setCheckable(True)
            action.setChecked(name in chosen)
            action.setData(name)
            action.toggled.connect(self._emit_selection)
            self.list.addAction(action)
        if names:
            self.list.addSeparator()
            self.list.addAction(tr("&Default"), lambda: self.selection_changed.emit(()))

    def _emit_selection(self) -> None:
        names = tuple(
            str(action.data()) for action in self.list.actions() if action.isCheckable() and action.isChecked()
        )
        if names:
            self.selection_changed.emit(names)


class IconLink(QToolButton):
    """Square icon-only button as high as a link; `text` is its tooltip and accessible name."""

    def __init__(self, icon: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setIcon(icons.icon(icon))
        self.setAutoRaise(True)
        self.setToolTip(text)
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        """Return the size of a square as high as a link."""
        height = link_height(self.fontMetrics())
        return QSize(height, height)


class MenuButton(QToolButton):
    """Button that opens a menu. With `arrow`, the button shows an arrow after its text."""

    menu_type: type[QMenu] = QMenu

    def __init__(self, text: str, parent: QWidget | None = None, *, arrow: bool = True) -> None:
        super().__init__(parent)
        self._arrow = arrow
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.popup = self.menu_type(self)
        self.setMenu(self.popup)

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:
        """Remove the arrow of menu buttons from the style option if the button was created without an arrow."""
        super().initStyleOption(option)
        if not self._arrow:
            option.features &= ~QStyleOptionToolButton.ToolButtonFeature.HasMenu


class PanelMenu(TabFocusMixin, QMenu):
    """Menu with a panel of controls. Keys go to the control with the focus, initially the first control.

    Tab moves the focus from control to control, and then to the entries below the panel.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hovered.connect(self._focus_entry)

    def showEvent(self, event: QShowEvent) -> None:
        """Move the focus to the first control."""
        super().showEvent(event)
        self.setFocus()
        move_focus(self, forward=True)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the focus: on Tab or Shift+Tab, to a control or menu entry; otherwise, as Qt does."""
        return self._move_focus(forward=next) if TAB_KEY.consume() else QWidget.focusNextPrevChild(self, next)

    def _move_focus(self, *, forward: bool) -> bool:
        entries = [action for action in self.actions() if _is_entry(action)]
        if entries and not move_focus(self, forward=forward, wraps=False):
            self.setActiveAction(entries[0 if forward else -1])
            return True
        return bool(entries) or move_focus(self, forward=forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the focus on Tab, and keep the menu open on Alt, because the mnemonics of controls begin with Alt."""
        if event.key() == Qt.Key.Key_Tab or event.key() == Qt.Key.Key_Backtab:
            self._move_focus(forward=event.key() == Qt.Key.Key_Tab)
        elif event.key() != Qt.Key.Key_Alt:
            super().keyPressEvent(event)

    def _focus_entry(self, action: QAction) -> None:
        """Move the focus to the menu if `action` is an entry; otherwise, move it from the menu back to the controls."""
        if _is_entry(action):
            self.setFocus()
        elif self.hasFocus():
            move_focus(self, forward=False)


def _is_entry(action: QAction) -> bool:
    """Return whether an action of a menu is an enabled entry, not a panel or a separator."""
    return not isinstance(action, QWidgetAction) and not action.isSeparator() and action.isEnabled()


class PanelButton(MenuButton):
    """Button that opens a panel of controls below the button; the panel stays open while its controls are used."""

    menu_type = PanelMenu

    def __init__(self, text: str, panel: QWidget, parent: QWidget | None = None, *, icon: QIcon | None = None) -> None:
        super().__init__(text, parent, arrow=icon is None)
        if icon is not None:
            self.setIcon(icon)
        action = QWidgetAction(self.popup)
        action.setDefaultWidget(panel)
        self.popup.addAction(action)
        self.popup.aboutToShow.connect(lambda: action.setVisible(not _is_empty(panel)))

    def open_panel(self) -> None:
        """Open the panel and return immediately; when the panel is closed, the focus returns to the button."""
        self.setFocus()
        self.popup.popup(self.mapToGlobal(self.rect().bottomLeft()))


def _is_empty(panel: QWidget) -> bool:
    """Return whether all controls in the layout of a panel are hidden."""
    layout = panel.layout()
    return layout is not None and layout.isEmpty()


def add_combo_items(menu: QMenu, box: QComboBox) -> None:
    """Add the items of a combo box to a menu as checkable actions; the current item is checked."""
    group = QActionGroup(menu)
    for index in range(box.count()):
        action = menu.addAction(box.itemText(index).replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(index == box.currentIndex())
        action.setEnabled(box.isEnabled())
        group.addAction(action)
        action.triggered.connect(lambda _=False, index=index: _choose(box, index))


def _choose(box: QComboBox, index: int) -> None:
    """Select an item of a combo box as if the user had selected it."""
    box.setCurrentIndex(index)
    box.activated.emit(index)
