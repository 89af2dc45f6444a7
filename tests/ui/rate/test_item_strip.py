"""The item strip navigates to any item of a campaign of any length."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.rate.conftest import make_project

Key = Qt.Key


def test_item_strip_navigates_by_mouse_and_keys(driver, qtbot):
    driver.begin(make_project("adequacy", items=5, training=1))
    strip = driver.items.strip
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=strip.rect_of(3).center().toPoint())
    assert driver.position == 3
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    driver.press(Key.Key_Right, Key.Key_Right, Key.Key_Left, Key.Key_Return)
    assert driver.position == 3
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    driver.press(Key.Key_Home, Key.Key_Space)
    assert driver.position == 0
    assert driver.items.hasFocus()
    assert strip.describe(0) == "Training item 1: open, current"
    assert strip.accessibleDescription() == "4 open, 0 started, 0 done, 0 skipped"
    assert strip.place_at(10_000) is None


def test_item_with_a_comment_is_marked(driver):
    driver.begin(make_project("adequacy", items=5))
    strip = driver.items.strip
    before = strip.grab().toImage()
    driver.session.comment("The names are swapped.")
    assert strip.describe(0) == "Item 1: open, current · has a comment"
    assert strip.grab().toImage() != before
    driver.session.comment("")
    assert strip.describe(0) == "Item 1: open, current"
    assert strip.grab().toImage() == before


def test_long_item_strip_shows_the_items_around_the_current_one(driver):
    driver.begin(make_project("adequacy", items=900))
    strip = driver.items.strip
    driver.session.go_to_index(450)
    assert 450 in strip.visible_range()
    assert len(strip.visible_range()) < 100
    assert strip.place_at(strip.rect_of(450).center().x()) == 450


def test_item_strip_has_an_ellipsis_at_each_end_with_more_items(driver):
    driver.begin(make_project("adequacy", items=36))
    strip = driver.items.strip

    def is_cell_drawn(index: int) -> bool:
        image = strip.grab(strip.rect_of(index).toRect()).toImage()
        colours = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
        return len(colours) > 1

    for place, before, after in ((0, False, True), (18, True, True), (35, True, False)):
        driver.session.go_to_index(place)
        shown = strip.visible_range()
        assert (shown.start > 0, shown.stop < 36) == (before, after)
        assert [is_cell_drawn(shown.start - 1), is_cell_drawn(shown.stop)] == [before, after]
        assert strip.place_at(strip.rect_of(shown.stop).center().x()) is None, "an ellipsis is not an item"
