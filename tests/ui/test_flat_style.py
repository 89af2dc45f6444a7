"""Controls are flat, have one height, and grow with the text, in every theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QMenu,
    QPushButton,
    QRadioButton,
    QScrollBar,
    QSpinBox,
    QStyle,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from qe_desktop.ui import icons, theme
from qe_desktop.ui.control_painter import control_height
from qe_desktop.ui.widgets.buttons import BarButton, FlatButton, MenuButton
from qe_desktop.ui.widgets.layouts import hbox
from qe_desktop.ui.widgets.tabs import TabBar

Theme = theme.Theme


@pytest.fixture(params=theme.THEMES)
def colours(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Theme]:
    theme.apply(qapp, request.param)
    yield theme.current()
    theme.apply(qapp, "light")


@pytest.fixture
def style(qapp: QApplication) -> QStyle:
    theme.apply(qapp, "light")
    return qapp.style()


def tool_button() -> QToolButton:
    button = QToolButton()
    button.setText("Find next")
    return button


def combo_box() -> QComboBox:
    combo = QComboBox()
    combo.addItems(["file order", "words"])
    return combo


CONTROLS: dict[str, Callable[[], QWidget]] = {
    "push button": lambda: QPushButton("Use documents"), "flat button": lambda: FlatButton("Cancel"),
    "bar button": lambda: BarButton("Edit", ""), "tool button": tool_button, "menu button": lambda: MenuButton("View"),
    "combo box": combo_box, "line edit": QLineEdit, "spin box": QSpinBox,
}  # fmt: skip
BUTTONS = {name: make for name, make in CONTROLS.items() if "button" in name}


@pytest.mark.usefixtures("style")
def test_controls_have_one_height_that_follows_the_text(qtbot: QtBot) -> None:
    for scale in (1.0, 1.5, 2.0):
        for make in CONTROLS.values():
            control = make()
            qtbot.addWidget(control)
            font = control.font()
            font.setPointSizeF(font.pointSizeF() * scale)
            control.setFont(font)
            assert control.sizeHint().height() == control_height(control.fontMetrics())


@pytest.mark.usefixtures("style")
@pytest.mark.parametrize("name", BUTTONS)
def test_text_does_not_touch_the_outline(name: str, qtbot: QtBot) -> None:
    button = BUTTONS[name]()
    qtbot.addWidget(button)
    metrics = button.fontMetrics()
    text = metrics.size(Qt.TextFlag.TextShowMnemonic, button.property("text")).width()
    assert button.sizeHint().width() >= text + 2 * (metrics.height() // 2)


@pytest.mark.usefixtures("style")
def test_text_of_a_field_has_padding(qtbot: QtBot) -> None:
    field = QLineEdit("text")
    qtbot.addWidget(field)
    field.resize(field.sizeHint())
    field.home(False)
    assert field.cursorRect().center().x() >= field.fontMetrics().height() * 0.3
    field.setFrame(False)
    assert field.cursorRect().center().x() <= 4


def test_indicators_and_icons_grow_with_the_text(style: QStyle, qtbot: QtBot) -> None:
    kinds = {
        QCheckBox: QStyle.PixelMetric.PM_IndicatorWidth,
        QRadioButton: QStyle.PixelMetric.PM_ExclusiveIndicatorHeight,
        QPushButton: QStyle.PixelMetric.PM_ButtonIconSize,
    }
    for kind, metric in kinds.items():
        widget = kind("Text")
        qtbot.addWidget(widget)
        before, icon = style.pixelMetric(metric, None, widget), widget.iconSize().width()
        font = widget.font()
        font.setPointSizeF(font.pointSizeF() * 2)
        widget.setFont(font)
        assert style.pixelMetric(metric, None, widget) >= 1.8 * before
        assert widget.iconSize().width() >= 1.8 * icon


def ground(widget: QWidget) -> tuple[QColor, bool]:
    """Return the colour of a control next to its left edge, and whether it is the same from top to bottom."""
    picture: QImage = widget.grab().toImage()
    found = {picture.pixel(4, y) for y in range(6, picture.height() - 6)}
    return QColor(picture.pixel(4, picture.height() // 2)), len(found) == 1


@pytest.mark.parametrize("name", [*BUTTONS, "combo box"])
def test_controls_are_flat_in_every_theme(name: str, colours: Theme, qtbot: QtBot) -> None:
    control = CONTROLS[name]()
    other = QLineEdit()
    window = QWidget()
    qtbot.addWidget(window)
    hbox(other, control, on=window)
    window.show()
    assert ground(control) == (colours.surface, True)
    assert QColor(control.grab().toImage().pixel(control.width() // 2, 0)) == colours.border
    control.setEnabled(False)
    assert ground(control) == (colours.window, True)
    control.setEnabled(True)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    control.setFocus()
    assert QColor(control.grab().toImage().pixel(control.width() // 2, 0)) == colours.accent


@pytest.mark.parametrize("name", BUTTONS)
def test_checked_and_pressed_buttons_are_filled(name: str, colours: Theme, qtbot: QtBot) -> None:
    button = BUTTONS[name]()
    qtbot.addWidget(button)
    button.show()
    button.setProperty("checkable", True)
    button.setProperty("checked", True)
    assert ground(button) == (colours.selection, True)


def test_default_and_primary_buttons_have_the_accent_colour(colours: Theme, qtbot: QtBot) -> None:
    default = QPushButton("Open")
    default.setDefault(True)
    window = QWidget()
    qtbot.addWidget(window)
    hbox(default, primary := FlatButton("Save", primary=True), on=window)
    window.show()
    assert ground(primary) == (colours.accent, True)
    primary.setEnabled(False)
    assert ground(primary) == (colours.window, True)


@pytest.mark.usefixtures("style")
def test_arrow_of_a_menu_follows_the_text(qtbot: QtBot) -> None:
    with_menu, without = MenuButton("View"), tool_button()
    without.setText("View")
    push = QPushButton(icons.icon("export"), "Copy")
    widths = [push.sizeHint().width()]
    push.setMenu(QMenu(push))
    widths.append(push.sizeHint().width())
    for widget in (with_menu, without, push):
        qtbot.addWidget(widget)
    assert with_menu.sizeHint().width() > without.sizeHint().width()
    assert widths[1] > widths[0]
    assert MenuButton("View", arrow=False).sizeHint() == without.sizeHint()


@pytest.mark.usefixtures("style")
def test_scroll_bar_has_no_buttons_and_its_handle_can_be_dragged_to_the_end(qtbot: QtBot) -> None:
    bar = QScrollBar(Qt.Orientation.Vertical)
    qtbot.addWidget(bar)
    bar.setRange(0, 1000)
    bar.setPageStep(100)
    bar.resize(bar.sizeHint().width(), 300)
    bar.show()
    x = bar.width() // 2
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=QPoint(x, 5))
    QTest.mouseMove(bar, QPoint(x, 299))
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(x, 299))
    assert bar.value() == 1000
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(x, 2))
    assert bar.value() == 900


def narrow_tab_bar() -> tuple[TabBar, list[QToolButton]]:
    """Return a bar that is too narrow for its tabs, and its buttons to scroll to the left and to the right."""
    bar = TabBar()
    for number in range(12):
        bar.addTab(f"Correlation {number}")
    bar.resize(300, bar.sizeHint().height())
    bar.show()
    return bar, [button for button in bar.findChildren(QToolButton) if button.isVisible()]


def test_buttons_that_scroll_tabs_are_flat_in_every_theme(colours: Theme, qtbot: QtBot) -> None:
    bar, buttons = narrow_tab_bar()
    qtbot.addWidget(bar)
    assert len(buttons) == 2
    # only the one to the right has tabs to show
    left, right = buttons
    for button, arrow in ((left, colours.border), (right, colours.muted)):
        picture = button.grab().toImage()
        assert ground(button) == (colours.window, True)
        assert QColor(picture.pixel(0, 0)) == QColor(picture.pixel(picture.width() - 1, 0)) == colours.window
        assert QColor(picture.pixel(picture.width() // 2, picture.height() // 2)) == arrow


@pytest.mark.usefixtures("style")
def test_buttons_that_scroll_tabs_grow_with_the_text(style: QStyle, qtbot: QtBot) -> None:
    metric = QStyle.PixelMetric.PM_TabBarScrollButtonWidth
    bar, _ = narrow_tab_bar()
    qtbot.addWidget(bar)
    before = style.pixelMetric(metric, None, bar)
    font = bar.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    bar.setFont(font)
    assert style.pixelMetric(metric, None, bar) >= 1.8 * before
