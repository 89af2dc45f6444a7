"""Rating times exclude idle time, absence and other pages."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.ui.rate.conftest import make

Key = Qt.Key


def test_rating_time_excludes_idle_time_and_absence(controller, qtbot, clock):
    project = controller.begin(make("adequacy"))
    clock.pass_(6)
    QTest.mouseMove(controller.items, QPoint(50, 50))
    controller.rater._presence.felt.emit()
    clock.pass_(400)
    controller.rater._presence.felt.emit()
    clock.pass_(4)
    controller.rater._on_application(Qt.ApplicationState.ApplicationInactive)
    clock.pass_(1000)
    controller.rater._on_application(Qt.ApplicationState.ApplicationActive)
    clock.pass_(2)
    controller.press(Key.Key_4)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert project.events[-1].seconds == 6 + 30 + 4 + 2
    assert controller.items.state.progress.text() == "1 of 4 done · median 42 s per item"


def test_time_on_other_pages_does_not_count(controller, qtbot, clock):
    project = controller.begin(make("adequacy"))
    clock.pass_(5)
    controller.press(Key.Key_I)
    clock.pass_(20)
    controller.press(Key.Key_I)
    clock.pass_(3)
    controller.area.hide()
    clock.pass_(20)
    controller.area.show()
    clock.pass_(1)
    controller.items.setFocus()
    controller.press(Key.Key_4)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert [event.seconds for event in project.events if event.screen] == [5, 4]


def test_user_activity_is_detected_in_the_whole_window(controller, qtbot):
    controller.begin(make("adequacy"))
    with qtbot.waitSignal(controller.rater._presence.felt):
        QTest.mouseMove(controller.window.windowHandle(), QPoint(300, 300))
