"""Panels of controls below a button can be used by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.ui.widgets.buttons import PanelButton
from qe_desktop.ui.widgets.layouts import hbox, vbox


class Panel(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.combo, self.number, self.check = QComboBox(), QSpinBox(), QCheckBox("&Check")
        self.combo.addItems(["a", "b"])
        vbox(self.combo, self.number, self.check, on=self)


class Window(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.panel = Panel()
        self.button = PanelButton("Options", self.panel)
        hbox(self.button, on=self)


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    window = Window()
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def press(key: Qt.Key) -> QWidget | None:
    """Press a key in the open panel, which receives it as a popup does; return the widget with the focus."""
    popup = QApplication.activePopupWidget()
    assert popup is not None
    QTest.keyClick(popup.focusWidget() or popup, key)
    return QApplication.focusWidget()


def open_by_key(window: Window, qtbot: QtBot) -> None:
    # a menu that is opened by a key returns when it is closed
    QTimer.singleShot(0, window.button.open_panel)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is window.button.popup)


def test_panel_without_visible_controls_takes_no_space(window: Window, qtbot: QtBot) -> None:
    window.button.popup.addAction("Columns")
    heights = []
    for visible in (True, False, True):
        for control in (window.panel.combo, window.panel.number, window.panel.check):
            control.setVisible(visible)
        open_by_key(window, qtbot)
        heights.append(window.button.popup.height())
        window.button.popup.close()
    assert heights[0] == heights[2] > 2 * heights[1]


def test_first_control_has_the_focus_and_tab_goes_round_in_the_panel(window: Window, qtbot: QtBot) -> None:
    panel = window.panel
    open_by_key(window, qtbot)
    assert QApplication.focusWidget() is panel.combo
    assert press(Qt.Key.Key_Down) is panel.combo
    assert panel.combo.currentText() == "b"
    assert press(Qt.Key.Key_Tab) is panel.number
    assert press(Qt.Key.Key_Up) is panel.number
    assert panel.number.value() == 1
    assert press(Qt.Key.Key_Tab) is panel.check
    press(Qt.Key.Key_Space)
    assert panel.check.isChecked()
    assert press(Qt.Key.Key_Tab) is panel.combo
    assert press(Qt.Key.Key_Backtab) is panel.check
    # begins a mnemonic of a control
    press(Qt.Key.Key_Alt)
    assert window.button.popup.isVisible()


def test_escape_returns_to_the_button_and_the_panel_opens_at_its_first_control_again(
    window: Window, qtbot: QtBot
) -> None:
    for _ in range(2):
        open_by_key(window, qtbot)
        assert QApplication.focusWidget() is window.panel.combo
        press(Qt.Key.Key_Tab)
        assert press(Qt.Key.Key_Escape) is window.button
        assert not window.button.popup.isVisible()


def test_tab_leads_from_the_last_control_to_the_entries_below(window: Window, qtbot: QtBot) -> None:
    popup, panel = window.button.popup, window.panel
    first, second = (QAction(name, popup, checkable=True) for name in ("First", "Second"))
    popup.addActions([first, second])
    open_by_key(window, qtbot)
    press(Qt.Key.Key_Backtab)
    assert popup.activeAction() is second
    assert press(Qt.Key.Key_Tab) is panel.combo
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Tab)
    assert press(Qt.Key.Key_Tab) is popup
    assert popup.activeAction() is first
    assert press(Qt.Key.Key_Up) is panel.check
    press(Qt.Key.Key_Tab)
    press(Qt.Key.Key_Down)
    assert popup.activeAction() is second
    # the entry receives the keys, not the control
    press(Qt.Key.Key_Return)
    assert second.isChecked()
    assert not panel.check.isChecked()
