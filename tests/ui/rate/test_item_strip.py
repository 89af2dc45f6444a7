"""The item strip navigates to any item of a campaign of any length."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.rate.conftest import make

Key = Qt.Key


def test_item_strip_navigates_by_mouse_and_keys(controller, qtbot):
    controller.begin(make("adequacy", items=5, training=1))
    strip = controller.items.strip
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=strip.rect_of(3).center().toPoint())
    assert controller.place == 3
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    controller.press(Key.Key_Right, Key.Key_Right, Key.Key_Left, Key.Key_Return)
    assert controller.place == 3
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    controller.press(Key.Key_Home, Key.Key_Space)
    assert controller.place == 0
    assert controller.items.hasFocus()
    assert strip.describe(0) == "Training item 1: open, current"
    assert strip.accessibleDescription() == "4 open, 0 started, 0 done, 0 skipped"
    assert strip.place_at(10_000) is None


def test_long_item_strip_shows_the_items_around_the_current_one(controller):
    controller.begin(make("adequacy", items=900))
    strip = controller.items.strip
    controller.session.go_to_index(450)
    assert 450 in strip.shown()
    assert len(strip.shown()) < 100
    assert strip.place_at(strip.rect_of(450).center().x()) == 450
