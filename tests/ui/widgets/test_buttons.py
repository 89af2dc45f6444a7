"""Buttons: double clicks on a button, and on one that has replaced another widget after the first click."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qe_desktop.answers.scale import Anchor
from qe_desktop.ui.rate.cards.scale_buttons import ScaleButton, ScaleButtons


@pytest.fixture
def buttons(qtbot: QtBot) -> ScaleButtons:
    buttons = ScaleButtons()
    qtbot.addWidget(buttons)
    buttons.set_steps([Anchor(1, "None", ""), Anchor(2, "All", "")])
    buttons.resize(400, 100)
    buttons.show()
    return buttons


def send_mouse_event(button: ScaleButton, kind: QEvent.Type, milliseconds: int) -> None:
    position = QPointF(5, 5)
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    pressed = none if kind is QEvent.Type.MouseButtonRelease else left
    event = QMouseEvent(kind, position, button.mapToGlobal(position), left, pressed, Qt.KeyboardModifier.NoModifier)
    event.setTimestamp(milliseconds)
    QApplication.sendEvent(button, event)


def test_second_click_of_a_double_click_on_another_widget_is_ignored(buttons: ScaleButtons) -> None:
    button, pressed = buttons.buttons[0], list[bool]()
    button.clicked.connect(lambda: pressed.append(True))
    # the first click was on a button of the page before
    send_mouse_event(button, QEvent.Type.MouseButtonDblClick, 10_000)
    send_mouse_event(button, QEvent.Type.MouseButtonRelease, 10_010)
    assert not pressed
    send_mouse_event(button, QEvent.Type.MouseButtonPress, 20_000)
    send_mouse_event(button, QEvent.Type.MouseButtonRelease, 20_010)
    assert len(pressed) == 1
    send_mouse_event(button, QEvent.Type.MouseButtonDblClick, 20_100)
    send_mouse_event(button, QEvent.Type.MouseButtonRelease, 20_110)
    assert len(pressed) == 2
    send_mouse_event(button, QEvent.Type.MouseButtonDblClick, 20_100 + 100 * QApplication.doubleClickInterval())
    send_mouse_event(button, QEvent.Type.MouseButtonRelease, 20_110 + 100 * QApplication.doubleClickInterval())
    assert len(pressed) == 2


def test_step_without_description_names_the_steps_next_to_it(buttons: ScaleButtons) -> None:
    steps = [Anchor(3, "Much", "partially"), Anchor(2, "Little", ""), Anchor(1, "None", "not"), Anchor(0, "Nil", "")]
    buttons.set_steps(steps)
    # steps are listed from the best or from the worst
    for order in (1, -1):
        buttons.set_steps(steps[::order])
        meanings = {button.label: button.meaning for button in buttons.buttons}
        assert meanings == {"Much": "partially", "Little": "between 1 None and 3 Much", "None": "not", "Nil": ""}
