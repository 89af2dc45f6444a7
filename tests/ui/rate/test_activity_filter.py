"""Rating times exclude idle time, absence and other pages."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.ui.rate.conftest import make_project

Key = Qt.Key


def test_rating_time_excludes_idle_time_and_absence(driver, qtbot, clock):
    project = driver.begin(make_project("adequacy"))
    clock.advance(6)
    QTest.mouseMove(driver.items, QPoint(50, 50))
    driver.rater._activity_filter.activity_detected.emit()
    clock.advance(400)
    driver.rater._activity_filter.activity_detected.emit()
    clock.advance(4)
    driver.rater._on_application(Qt.ApplicationState.ApplicationInactive)
    clock.advance(1000)
    driver.rater._on_application(Qt.ApplicationState.ApplicationActive)
    clock.advance(2)
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.position == 1)
    assert project.events[-1].seconds == 6 + 30 + 4 + 2
    assert driver.items.footer.progress.text() == "1 of 4 done"
    assert "Median time per item: 42 s." in driver.items.footer.progress.toolTip()


def test_time_on_other_pages_does_not_count(driver, qtbot, clock):
    project = driver.begin(make_project("adequacy"))
    clock.advance(5)
    driver.press(Key.Key_I)
    clock.advance(20)
    driver.press(Key.Key_I)
    clock.advance(3)
    driver.area.hide()
    clock.advance(20)
    driver.area.show()
    clock.advance(1)
    driver.items.setFocus()
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.position == 1)
    assert [event.seconds for event in project.events if event.screen] == [5, 4]


def test_user_activity_is_detected_in_the_whole_window(driver, qtbot):
    driver.begin(make_project("adequacy"))
    with qtbot.waitSignal(driver.rater._activity_filter.activity_detected):
        QTest.mouseMove(driver.window.windowHandle(), QPoint(300, 300))


def test_activity_is_felt_in_a_new_native_window(driver, qtbot):
    driver.begin(make_project("adequacy"))
    driver.window.hide()
    driver.window.destroy()
    driver.window.show()
    qtbot.waitExposed(driver.window)
    driver.area.hide()
    driver.area.show()
    with qtbot.waitSignal(driver.rater._activity_filter.activity_detected):
        QTest.keyClick(driver.window.windowHandle(), Key.Key_Shift)
