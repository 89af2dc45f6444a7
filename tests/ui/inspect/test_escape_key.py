"""Escape returns to the segment list from every widget of the Inspect area that does not use Escape itself."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.widgets.layouts import vbox


@pytest.fixture
def area(qtbot, rich_workspace) -> InspectArea:
    rich_workspace.settings.open_folds = ["post-edit", "translations"]
    panel = QWidget()
    vbox(QPushButton("score"), on=panel)
    widget = InspectArea(rich_workspace, panel)
    qtbot.addWidget(widget)
    widget.resize(1800, 900)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def focusable(area: InspectArea) -> list[QWidget]:
    return [
        widget
        for widget in area.findChildren(QWidget)
        if widget.isVisible() and widget.isEnabled() and widget.window() is area.window()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
    ]  # fmt: skip


def press_escape() -> None:
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)


def test_escape_returns_to_the_list_from_every_widget(area):
    widgets = focusable(area)
    parts = (area.reader, area.header.lock, area.tag_toolbar.target, area.header.legend, area.fold_bar.post_edit)
    assert set(parts) < set(widgets)
    for widget in widgets:
        widget.setFocus()
        press_escape()
        assert area.view.hasFocus(), widget
    # in the list, the focus does not move
    press_escape()
    assert area.view.hasFocus()


def test_escape_ends_a_selection_of_words_first(area):
    area.reader.setFocus()
    QTest.keyClick(area.reader, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    press_escape()
    assert area.reader.word_cursor.selected() == (1,)
    assert area.reader.hasFocus()
    press_escape()
    assert area.view.hasFocus()


def test_escape_in_a_dialog_does_not_move_the_focus_of_the_area(area, qtbot):
    area.header.legend.click()
    area.reader.setFocus()
    dialog = QDialog(area)
    vbox(QPushButton("any"), on=dialog)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.isAncestorOf(QApplication.focusWidget()))
    press_escape()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert area.legend_popup.isVisible()
    assert area.focusWidget() is area.reader


def test_escape_closes_the_list_of_a_combo_box_only(area, qtbot):
    box = area.tag_toolbar.kind
    box.setFocus()
    box.showPopup()
    qtbot.waitUntil(box.view().isVisible)
    QTest.keyClick(box.view(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not box.view().isVisible())
    assert box.hasFocus()
