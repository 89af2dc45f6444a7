"""Input dialogs: button labels, bounds, equal names, cancelling, and deletion of their parent."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QComboBox, QInputDialog, QPushButton, QWidget

from qe_desktop.ui.widgets.dialogs import ask_item, ask_number


@pytest.mark.parametrize(("button", "given"), [("Go to", 7), ("Cancel", None)])
def test_number_dialog_has_named_buttons_and_bounds(qtbot, button, given):
    window = QWidget()
    qtbot.addWidget(window)
    seen: list[QInputDialog] = []

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        seen.append(dialog)
        dialog.setIntValue(7)
        next(widget for widget in dialog.findChildren(QPushButton) if widget.text() == button).click()

    QTimer.singleShot(0, answer)
    assert ask_number(window, "Go to item", "Item (1 to 9)", 3, 9) == given
    (dialog,) = seen
    assert (dialog.windowTitle(), dialog.labelText()) == ("Go to item", "Item (1 to 9)")
    assert (dialog.intMinimum(), dialog.intMaximum()) == (1, 9)


def test_number_dialog_returns_none_if_its_parent_is_deleted(qtbot):
    window = QWidget()
    QTimer.singleShot(0, lambda: shiboken6.delete(window))
    assert ask_number(window, "Go to item", "Item (1 to 9)", 3, 9) is None


@pytest.mark.parametrize(("button", "selected"), [("Close", 1), ("Cancel", None)])
def test_item_dialog_returns_the_selected_one_of_equal_names(qtbot, button, selected):
    window = QWidget()
    qtbot.addWidget(window)

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        dialog.findChild(QComboBox).setCurrentIndex(1)
        next(widget for widget in dialog.findChildren(QPushButton) if widget.text() == button).click()

    QTimer.singleShot(0, answer)
    assert ask_item(window, "Close layer", "Layer", ["anna", "anna", "ben"], "Close") == selected
