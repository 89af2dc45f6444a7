"""Scales by keys and mouse: adequacy and fluency, single scales, and direct assessment."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip

from qe_desktop.answers.scale import Anchor
from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, EvaluationBasis
from qe_desktop.ui.rate.cards.scale_buttons import GAP, ScaleButtons
from qe_desktop.ui.rate.cards.scale_card import ScaleCard
from tests.ui.rate.conftest import SOURCE, TEXTS, make_project

Key = Qt.Key


def visible_text(pane) -> list[str]:
    return pane.texts() if pane.isVisible() else []


def test_whole_campaign_can_be_rated_with_number_keys(driver, qtbot):
    project = driver.begin(make_project("adequacy-fluency"))
    for number in range(4):
        assert driver.position == number
        driver.press(Key.Key_5)
        qtbot.waitUntil(lambda: driver.session.is_revealed)
        driver.press(Key.Key_2)
        qtbot.waitUntil(lambda number=number: driver.position == number + 1)
    assert driver.rater.page is driver.rater.end
    assert "4 of 4 items rated" in driver.rater.end.text.text()
    assert project.recorded_values("fluency") == [5.0] * 4
    assert project.recorded_values("adequacy") == [2.0] * 4
    assert len(project.recorded_values("reveal")) == 4


def test_source_is_in_no_widget_until_fluency_is_rated(driver, qtbot):
    driver.begin(make_project("adequacy-fluency", basis=EvaluationBasis.BOTH))
    texts = driver.card.texts
    assert visible_text(texts.translation.pane) == [TEXTS[0]]
    assert texts.source.pane.texts() == texts.reference.pane.texts() == []
    assert texts.hidden.isVisible()
    assert texts.hidden.text() == "Source and reference are shown after fluency is rated."
    QTest.qWait(0)
    before = texts.translation.pane.mapTo(driver.window, QPoint(0, 0))
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.session.is_revealed)
    QTest.qWait(0)
    assert visible_text(texts.source.pane) == [SOURCE[0]]
    assert visible_text(texts.reference.pane) == ["Ref 0"]
    assert not texts.hidden.isVisible()
    # showing the source moves nothing
    assert texts.translation.pane.mapTo(driver.window, QPoint(0, 0)) == before


def test_fluency_protocol_never_shows_the_source(driver, qtbot):
    driver.begin(make_project("fluency", context=1))
    driver.trigger("reveal")
    assert driver.items.messages.text == "Fluency is rated without the source"
    assert driver.card.texts.source.pane.texts() == []
    assert not driver.card.texts.hidden.isVisible()
    driver.press(Key.Key_3)
    qtbot.waitUntil(lambda: driver.position == 1)


def test_changed_rating_can_be_undone_and_redone(driver, qtbot):
    project = driver.begin(make_project("adequacy"))
    for _ in range(2):
        position = driver.position
        driver.press(Key.Key_4)
        qtbot.waitUntil(lambda position=position: driver.position == position + 1)
    driver.press(Key.Key_Left)
    assert driver.position == 1
    assert [button.isChecked() for button in driver.card.rows["adequacy"].buttons] == [False] * 3 + [True, False]
    driver.press(Key.Key_1)
    assert project.recorded_values("adequacy") == [4.0, 4.0, 1.0]
    assert driver.position == 1
    assert driver.area.undo_text == "adequacy 1 (was 4), item 2"
    assert driver.items.messages.text == "Adequacy 1 (was 4), item 2"
    assert driver.items.messages.is_undoable
    driver.area.undo()
    driver.area.undo()
    assert driver.position == 1
    driver.area.undo()
    assert driver.position == 0
    assert driver.session.work.progress() == (0, 4)
    driver.area.redo()
    driver.area.redo()
    assert driver.position == 1
    assert driver.session.work.progress() == (2, 4)
    driver.press(Key.Key_Backspace)
    assert driver.position == 0


def test_navigation_keys_move_between_items(driver, qtbot, monkeypatch):
    driver.begin(make_project("adequacy", items=5))
    driver.press(Key.Key_Right, Key.Key_Return)
    assert driver.position == 2
    driver.press(Key.Key_End)
    assert driver.position == 4
    driver.press(Key.Key_Home)
    assert driver.position == 0
    driver.press(Key.Key_3)
    qtbot.waitUntil(lambda: driver.position == 1)
    driver.press(Key.Key_End, Key.Key_U)
    assert driver.position == 1
    monkeypatch.setattr("qe_desktop.ui.rate.item_page.ask_number", lambda *given: 4)
    driver.press(Key.Key_G)
    assert driver.position == 3


def test_arrow_keys_switch_scales_and_a_late_change_is_labelled(driver, qtbot):
    driver.begin(make_project("adequacy-fluency"))
    tabs = driver.card.tabs
    driver.press(Key.Key_Down)
    assert driver.session.current_scale.name == "fluency"
    assert "before" in driver.items.messages.text
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.session.is_revealed)
    driver.press(Key.Key_Up, Key.Key_2)
    assert tabs["fluency"].note == "changed after seeing the source"
    assert tabs["fluency"].accessibleName() == "Fluency: 2 Disfluent German, changed after seeing the source"
    QTest.mouseClick(tabs["fluency"], Qt.MouseButton.LeftButton)
    assert driver.session.current_scale.name == "fluency"
    assert driver.card.question.label.text() == "How does the translation sound to a native speaker of German?"


def test_keys_between_questions_and_items_are_named(driver):
    project = driver.begin(make_project("adequacy-fluency"))
    keys = driver.card.keys(driver.session.work)
    assert "The up arrow returns to the previous question. Right: next; Left: back; S: skip; Shift+C: comment" in keys
    assert "left arrow" not in keys, "each key is named once"
    assert "up arrow" not in ScaleCard.keys(make_project("adequacy").rater_session("c1", "ann"))
    assert all("up and down arrows select a question" in tab.toolTip() for tab in driver.card.tabs.values())
    assert project.recorded_values("fluency") == []


def test_tooltip_closes_when_the_source_or_another_item_is_shown(driver, qtbot):
    """Regression: while the rater used the keys, the tooltip under the resting pointer covered the source."""
    driver.begin(make_project("adequacy-fluency"))

    def show_tooltip() -> None:
        QToolTip.showText(driver.items.mapToGlobal(driver.items.rect().center()), "about this item", driver.items)
        assert QToolTip.text() == "about this item"

    show_tooltip()
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.session.is_revealed)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    show_tooltip()
    driver.session.go_to_index(1)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_click_on_a_step_rates_and_keeps_the_keyboard_focus(driver, qtbot):
    project = driver.begin(make_project("adequacy"))
    QTest.mouseClick(driver.card.rows["adequacy"].buttons[2], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: driver.position == 1)
    driver.press(Key.Key_Left)
    assert driver.position == 0
    assert project.recorded_values("adequacy") == [3.0]


def test_steps_can_be_selected_with_tab_and_space(driver, qtbot):
    project = driver.begin(make_project("adequacy-fluency"))
    buttons = driver.card.rows["fluency"].buttons
    buttons[0].setFocus(Qt.FocusReason.TabFocusReason)
    driver.press(Key.Key_Right, Key.Key_Right)
    assert buttons[2].hasFocus()
    assert project.recorded_values("fluency") == []
    driver.press(Key.Key_Space)
    qtbot.waitUntil(lambda: driver.session.is_revealed)
    # the focus stays on the steps when the next scale is asked
    assert driver.card.rows["adequacy"].buttons[2].hasFocus()
    driver.press(Key.Key_Return)
    qtbot.waitUntil(lambda: driver.position == 1)
    assert (project.recorded_values("fluency"), project.recorded_values("adequacy")) == ([3.0], [3.0])


def test_digit_outside_the_scale_is_explained(driver):
    project = driver.begin(make_project("adequacy"))
    driver.press(Key.Key_7)
    assert driver.items.messages.text == "Adequacy must be from 1 to 5"
    assert project.recorded_values("adequacy") == []


def test_context_segments_are_shown_in_order_around_the_current_one(driver):
    driver.begin(make_project("adequacy", context=1))
    driver.press(Key.Key_Right, Key.Key_Right)
    pane = driver.card.texts.source.pane
    assert pane.texts() == SOURCE[1:4]
    assert pane.judged_paragraph_index == 1


def test_document_context_includes_translations_of_earlier_items(driver, qtbot):
    driver.begin(make_project("adequacy-fluency", context=WHOLE_DOCUMENT, by_document=True))
    for number in range(2):
        driver.press(Key.Key_4)
        qtbot.waitUntil(lambda: driver.session.is_revealed)
        driver.press(Key.Key_4)
        qtbot.waitUntil(lambda number=number: driver.position == number + 1)
    texts = driver.card.texts
    assert texts.translation.pane.texts() == TEXTS[:3]
    assert texts.translation.pane.judged_paragraph_index == 2
    assert texts.source.pane.texts() == []
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.session.is_revealed)
    QTest.qWait(0)
    assert texts.source.pane.texts() == SOURCE
    heights = [
        pane.mapTo(driver.window, pane.judged_rect().topLeft().toPoint()).y()
        for pane in (texts.source.pane, texts.translation.pane)
    ]
    assert abs(heights[0] - heights[1]) <= 2


def test_selected_text_can_be_copied_and_keys_still_rate(driver, qtbot):
    project = driver.begin(make_project("adequacy"))
    pane, other = driver.card.texts.translation.pane, driver.card.texts.source.pane
    other.selectAll()
    QTest.mouseDClick(pane.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(12, 12))
    assert pane.selected_text() == "Die"
    assert other.selected_text() == ""
    driver.press(Key.Key_C, modifier=Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Die"
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.position == 1)
    assert project.recorded_values("adequacy") == [4.0]


def test_markup_is_shown_as_plain_text(driver):
    markup = "<b>fett</b> </form> & <img src='x'>"
    driver.begin(make_project("adequacy", texts=[markup], source=[markup], items=1))
    assert driver.card.texts.translation.pane.toPlainText() == markup
    assert driver.card.texts.source.pane.toPlainText() == markup


# --- direct assessment


def slider_of(controller):
    return controller.card.sliders["score"]


def test_slider_starts_unset_and_a_typed_number_sets_it(driver, qtbot):
    project = driver.begin(make_project("direct-assessment"))
    assert not slider_of(driver).is_set
    assert slider_of(driver).accessibleDescription() == "no value; range 0 to 100"
    driver.press(Key.Key_7, Key.Key_8)
    assert driver.items.messages.text == "Press Enter to set 78"
    driver.press(Key.Key_Backspace, Key.Key_5)
    assert project.recorded_values("score") == []
    driver.press(Key.Key_Return)
    qtbot.waitUntil(lambda: driver.position == 1)
    assert project.recorded_values("score") == [75.0]
    assert not slider_of(driver).is_set
    driver.press(Key.Key_Left)
    assert slider_of(driver).value() == 75


@pytest.mark.parametrize("leave", ["item", "area", "campaign"])
def test_typed_number_is_committed_when_its_item_is_left(driver, qtbot, leave):
    project = driver.begin(make_project("direct-assessment"))
    driver.press(Key.Key_7, Key.Key_5)
    assert project.recorded_values("score") == []
    {"item": driver.items.last, "area": driver.area.hide, "campaign": driver.rater.leave}[leave]()
    assert project.recorded_values("score") == [75.0]
    if leave == "area":
        driver.area.show()
        assert (driver.position, slider_of(driver).value()) == (0, 75)


def test_digit_that_exceeds_the_scale_is_ignored(driver, qtbot):
    project = driver.begin(make_project("direct-assessment"))
    driver.press(Key.Key_1, Key.Key_0, Key.Key_0, Key.Key_5, Key.Key_Return)
    qtbot.waitUntil(lambda: driver.position == 1)
    driver.press(Key.Key_0, Key.Key_Return)
    qtbot.waitUntil(lambda: driver.position == 2)
    assert project.recorded_values("score") == [100.0, 0.0]


def test_slider_value_replaces_a_partly_typed_number(driver, qtbot):
    project = driver.begin(make_project("direct-assessment"))
    driver.press(Key.Key_1)
    slider = slider_of(driver)
    slider.value_chosen.emit(73)
    driver.press(Key.Key_Right)
    qtbot.waitUntil(lambda: driver.position == 1)
    assert project.recorded_values("score") == [73.0]


def test_slider_steps_are_recorded_once_after_a_pause(driver, qtbot):
    project = driver.begin(make_project("direct-assessment"))
    driver.press(Key.Key_Up)
    assert slider_of(driver).value() == 50
    driver.press(Key.Key_Up, Key.Key_PageUp)
    driver.press(Key.Key_Down, modifier=Qt.KeyboardModifier.ShiftModifier)
    driver.press(Key.Key_Down, Key.Key_Down)
    assert slider_of(driver).value() == 49
    assert project.recorded_values("score") == []
    qtbot.waitUntil(lambda: project.recorded_values("score") == [49.0])
    assert driver.position == 0


def test_next_item_records_a_pending_slider_step(driver):
    project = driver.begin(make_project("direct-assessment"))
    driver.press(Key.Key_Up, Key.Key_Right)
    assert driver.position == 1
    assert project.recorded_values("score") == [50.0]


def test_slider_can_be_set_repeatedly_by_mouse(driver, qtbot):
    project = driver.begin(make_project("direct-assessment"))
    slider = slider_of(driver)
    for value in (20, 90):
        QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(round(slider.x_of(value)), 12))
    assert project.recorded_values("score") == [20.0, 90.0]
    assert driver.position == 0


def test_arrow_keys_move_the_focused_slider(driver):
    driver.begin(make_project("direct-assessment"))
    slider_of(driver).setFocus(Qt.FocusReason.TabFocusReason)
    driver.press(Key.Key_Right, Key.Key_Right, Key.Key_Home)
    assert driver.position == 0
    assert slider_of(driver).value() == 0


@pytest.mark.parametrize("protocol", ["adequacy", "fluency", "adequacy-fluency", "direct-assessment"])
def test_every_control_has_an_accessible_name(driver, protocol):
    driver.begin(make_project(protocol))
    assert isinstance(driver.card, ScaleCard)
    for row in driver.card.rows.values():
        assert all(button.accessibleName() for button in row.buttons)
        assert row.accessibleName()
    assert all(slider.accessibleName() for slider in driver.card.sliders.values())
    assert driver.items.accessibleName().startswith("Item 1 of 4")


def test_labels_become_smaller_before_the_buttons_are_stacked(qtbot):
    row = ScaleButtons()
    qtbot.addWidget(row)
    row.set_steps([Anchor(value, label) for value, label in enumerate(("Incomprehensible", "Disfluent", "Good"), 1)])
    row.show()
    each = max(button.min_width() for button in row.buttons)
    for less, is_row in ((0, True), (6, True), (60, False)):
        row.resize(3 * (each - less) + 2 * GAP, 400)
        assert (len({button.y() for button in row.buttons}) == 1) is is_row
        assert all(button.min_width() <= button.width() for button in row.buttons)


def test_typed_number_is_marked_on_the_slider_before_it_is_set(driver):
    driver.begin(make_project("direct-assessment"))
    slider = driver.card.sliders["score"]

    def colour_on_track(value: int) -> QColor:
        return slider.grab().toImage().pixelColor(round(slider.x_of(value)), slider._track_y())

    plain = colour_on_track(72)
    driver.press(Key.Key_7, Key.Key_2)
    assert not slider.is_set
    assert colour_on_track(72) != plain
    assert colour_on_track(30) == plain
    driver.press(Key.Key_Backspace, Key.Key_Backspace)
    assert colour_on_track(72) == plain
